"""Witnesses: a position and an action to which two rulesets give different answers."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import evolve
from typer.testing import CliRunner, Result

import hots_rules as hr
from hots_rules.cli.app import app
from hots_rules.witness import search, searcher
from hots_rules.witness.changed_positions import PositionChanger
from hots_rules.witness.lockstep import Lockstep, PairedState, PlayedRuleset
from hots_rules.witness.minimal_difference import Judge, mentioned
from tests.casebook import HAMMER
from tests.compare.test_compare import TINY, house
from tests.witness.possible import fits_its_battle, is_possible, possible
from tests.witness.shown import PAIRS, Pair, loaded

MARCH = """## rule castles-hold

```witness
kind: legal
old: tiny-1.0
new: house
isolates: rule castles-hold
position:
  Wallace: place Mar, strength 4
  ready {Wallace}
  begin at choose in blows(index 1) in game
action: Scotland: march Wallace to Fife
old says:
  illegal
new says:
  legal
parted: 3 of 20
```
"""
NIM = """ruleset nim-1.0 "Nim"
players Side
type Side = Red | Blue
state
  heap : 0..6 = 6
reading last_one §1 "Who wins is not said."
  wins   "Who takes the last one."  default
  loses  "The other one."
option greedy : bool = false §1 "Three at a time."
define most = if greedy then 3 else 2  §1
action take(n: 1..3) §1 "Some of the heap."
  permit when n <= min(heap, most)
  heap -= n
phase game §1 "Both in turn."
  while heap > 0 up to 6
    for s in Red, Blue
      if heap > 0
        choose s: take
        if heap = 0
          if last_one = wins
            win s
          win (if s = Red then Blue else Red)
rule no-two-of-two §1 "Never two of five."
  forbid take(n) when n = 2 and heap = 5
scenario heap-of-six §1 "Six"
  game()
positions begin at game
"""
TO_AND_FRO = """ruleset trips-1.0 "Trips"
players Side
type Side = White | Black
type Place = Home | Field | Away | Hill | Mill
state
  place[Side] : Place
define kept = 100
action go(to: Place) §1 "Go."
  permit when place[actor] != to
  place[actor] := to
rule no-fourth-time §1 "No position comes up a fourth time."
  forbid go(to) when after go(to): repeated(following(actor), kept) >= 3
phase game §1 "In turn."
  while true up to 60
    for s in White, Black
      choose s: go
  win none
scenario first §1 "Trips"
  game()
positions begin at game
"""
OPEN = "repeal rule castles-hold §2.2\n"


@pytest.fixture(name="pair")
def rulesets(tmp_path: Path) -> tuple[hr.Ruleset, hr.Ruleset]:
    return hr.load(TINY), hr.load(house(tmp_path, OPEN))


@pytest.fixture(name="nim")
def small_game(tmp_path: Path) -> Path:
    """The path of a game of which every moment can be compared."""
    folder = tmp_path / "nim"
    folder.mkdir()
    (folder / "sections.csv").write_text("section,heading\n1,Rules\n", "utf-8")
    (folder / "nim-1.0.rules").write_text(NIM, "utf-8")
    return folder / "nim-1.0.rules"


def amended(nim: Path, rules: str) -> hr.Ruleset:
    """The small game with other rules."""
    path = nim.parent / "other.rules"
    path.write_text(f'ruleset other-1.0 "Other"\n  extends nim-1.0\n{rules}', "utf-8")
    return hr.load(path)


# ---------------------------------------------------------------- text
def test_a_witness_is_read_as_it_is_written() -> None:
    (title, witness), *_ = hr.witness.read_witnesses(MARCH).items()

    assert witness.text(title) == MARCH
    assert (witness.kind, witness.games, witness.divergent_games) == ("legal", 20, 3)


@pytest.mark.parametrize(
    ("line", "other", "fault"),
    [
        ("kind: legal", "kind: odd", "expected a kind of legal, outcome, odds, got `odd`"),
        ("old: tiny-1.0\n", "", "expected a line `old: …`, got none"),
        ("old: tiny-1.0", "old:   ", "expected a line `old: …`, got none"),
        ("action:", "deed:", "expected a line such as `kind: legal`, got `deed: Scotland"),
        ("3 of 20", "few", "expected a line such as `parted: 3 of 1000`, got `few`"),
    ],
)
def test_a_damaged_witness_is_refused(line: str, other: str, fault: str) -> None:
    with pytest.raises(hr.witness.BadWitness) as error:
        hr.witness.read_witnesses(MARCH.replace(line, other))

    assert fault in str(error.value)


# ---------------------------------------------------------------- time, and repeated positions
def trips(folder: Path) -> tuple[hr.Ruleset, hr.Ruleset]:
    """A game whose positions are kept, and one in which a position may come up less often."""
    (folder / "sections.csv").write_text("section,heading\n1,Rules\n", "utf-8")
    (folder / "trips-1.0.rules").write_text(TO_AND_FRO, "utf-8")
    changed = """rule no-fourth-time trips-1.0§1 "No position comes up again."
  forbid go(to) when after go(to): repeated(following(actor), kept) >= 1
"""
    other = f'ruleset trips-2.0 "Trips"\n  extends trips-1.0\namend {changed}'
    (folder / "trips-2.0.rules").write_text(other, "utf-8")
    return hr.load(folder / "trips-1.0.rules"), hr.load(folder / "trips-2.0.rules")


def test_positions_that_were_kept_are_no_part_of_what_a_search_changes(tmp_path: Path) -> None:
    lockstep = Lockstep(*(PlayedRuleset.of(rules, {}) for rules in trips(tmp_path)))
    changer = PositionChanger(lockstep, frozenset({"position_first"}))
    pair = PairedState(*(side.machine.begin("first") for side in lockstep.sides))
    kept = [slot for name, slot, *_ in lockstep.shared.entries if name.startswith("position_first")]
    rng = Random(1)
    made = [changer.changed(pair, rng) for _ in range(100)]

    assert len(kept) == 100
    assert {changed.first[slot] for changed in made if changed for slot in kept} == {0}


def test_the_longest_time_holds_while_a_witness_is_made_smaller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moments = 0

    def compare(lockstep: Lockstep, pair: PairedState) -> object:
        nonlocal moments
        moments += 1
        return compared(lockstep, pair)

    compared = Lockstep.compare
    monkeypatch.setattr(Lockstep, "compare", compare)
    pair = trips(tmp_path)
    hr.witness.witness(*pair)
    unlimited, moments = moments, 0
    for module in (search, searcher):
        monkeypatch.setattr(module, "monotonic", lambda: float(moments))
    limit = unlimited // 2
    result = hr.witness.witness(*pair, hr.witness.SearchPlan(seconds=limit))

    assert result
    assert moments < limit + 100


# ---------------------------------------------------------------- replay
def test_a_witness_is_replayed_from_its_text(pair: tuple[hr.Ruleset, hr.Ruleset]) -> None:
    (witness,) = hr.witness.read_witnesses(MARCH).values()

    assert witness.replayed(*pair) == witness
    assert [answer.verdict for answer in witness.answers(*pair)] == ["illegal", "legal"]
    assert "the castle of Fife is 2" in witness.answers(*pair)[0].lines[0]


def test_a_witness_on_which_the_rulesets_agree_is_refused() -> None:
    (witness,) = hr.witness.read_witnesses(MARCH).values()
    rules = hr.load(TINY)

    with pytest.raises(hr.witness.BadWitness):
        witness.replayed(rules, rules)


# ---------------------------------------------------------------- search
def test_a_small_game_has_a_witness_without_what_it_does_not_need(nim: Path) -> None:
    other = amended(nim, "repeal rule no-two-of-two nim-1.0§1\n")

    witness = hr.witness.witness(hr.load(nim), other).witness

    assert witness is not None
    assert (witness.kind, witness.verdicts) == ("legal", (("illegal",), ("legal",)))
    assert witness.position.splitlines()[0] == "heap 5"
    assert witness.play == ()
    assert witness.action.endswith("take 2")


def test_that_nothing_differs_is_claimed_where_every_moment_was_compared(nim: Path) -> None:
    other = amended(
        nim, 'rule none-of-none nim-1.0§1 "No."\n  forbid take(n) when n = 2 and heap = 1\n'
    )

    search = hr.witness.witness(hr.load(nim), other)

    assert not search
    assert search.is_exhausted
    assert search.tried == "every moment of play was compared, 16 in all"


def test_a_search_is_exhausted_only_if_all_its_parts_are() -> None:
    part = hr.witness.Search(None, walks=1, positions=7)
    whole = hr.witness.Search(None, positions=16, is_exhausted=True)

    assert not part.with_more(whole).is_exhausted
    assert not whole.with_more(part).is_exhausted
    assert whole.with_more(whole).is_exhausted


def test_a_ruleset_that_violates_a_bound_is_not_exhausted(tmp_path: Path) -> None:
    (tmp_path / "nim-1.0.rules").write_text(NIM.replace("min(heap, most)", "most"), "utf-8")
    rules = hr.load(tmp_path / "nim-1.0.rules")

    search = hr.witness.witness(rules, rules, hr.witness.SearchPlan(settings=({}, {}), walks=3))

    assert not search.is_exhausted


@pytest.mark.thorough
def test_a_large_game_is_not_exhausted(pair: tuple[hr.Ruleset, hr.Ruleset]) -> None:
    old, _ = pair
    search = hr.witness.witness(old, pair[1], hr.witness.SearchPlan(kind="odds", walks=20))

    assert not search.is_exhausted
    assert search.walks == 20
    assert search.tried.endswith("were compared; others are possible")


def test_rulesets_that_play_the_same_are_not_searched(nim: Path) -> None:
    search = hr.witness.witness(hr.load(nim), amended(nim, ""))

    assert (bool(search), search.is_same, search.positions) == (False, True, 0)


def test_two_readings_of_one_ruleset_have_a_witness(nim: Path) -> None:
    rules = hr.load(nim)

    witness = hr.witness.witness(
        rules, rules, hr.witness.SearchPlan(settings=({}, {"last_one": "loses"}))
    ).witness

    assert witness is not None
    assert witness.kind == "outcome"
    assert witness.settings == ({}, {"last_one": "loses"})
    assert {frozenset(says) for says in witness.verdicts} == {
        frozenset({"Red wins"}),
        frozenset({"Blue wins"}),
    }
    assert "nim-1.0 last_one=loses" in witness.summary


def test_a_search_is_the_same_for_a_seed(pair: tuple[hr.Ruleset, hr.Ruleset]) -> None:
    first, second = (hr.witness.witness(*pair, hr.witness.SearchPlan(seed=1)) for _ in range(2))

    assert first
    assert first == second


def test_a_witness_of_one_difference_is_of_that_one_alone(nim: Path) -> None:
    rules = "repeal rule no-two-of-two nim-1.0§1\namend define most = 1  nim-1.0§1\n"
    old, new = hr.load(nim), amended(nim, rules)

    one = hr.witness.witness(
        old, new, hr.witness.SearchPlan(difference="rule no-two-of-two")
    ).witness
    two = hr.witness.witness(old, new, hr.witness.SearchPlan(difference="most")).witness

    assert one is not None
    assert two is not None
    assert one.verdicts == (("illegal",), ("legal",))
    assert one.new != "other-1.0"  # with the other difference, too, the action stays illegal
    assert one.replayed(*hr.witness.sides_of(one, old, new)) == one
    assert (two.new, two.verdicts) == ("other-1.0", (("legal",), ("illegal",)))


@pytest.mark.parametrize(
    "asked",
    [
        {"difference": "rule no-such"},
        {"section": "9"},
        {"settings": ({}, {"no_such": "yes"})},
        {"settings": ({}, {"greedy": "maybe"})},
    ],
)
def test_what_an_edition_lacks_is_a_fault(nim: Path, asked: dict[str, Any]) -> None:
    other = amended(nim, "repeal rule no-two-of-two nim-1.0§1\n")

    with pytest.raises(hr.ArgumentError):
        hr.witness.witness(hr.load(nim), other, hr.witness.SearchPlan(**asked))


def test_rulesets_of_other_games_are_a_fault(nim: Path) -> None:
    with pytest.raises(hr.BadArgument, match="of the game of"):
        hr.witness.witness(hr.load(nim), hr.load(TINY))


@pytest.mark.thorough
def test_ctrl_c_keeps_what_was_found(
    pair: tuple[hr.Ruleset, hr.Ruleset], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(so_far: hr.witness.Search) -> None:
        if so_far.witness:
            raise KeyboardInterrupt

    monkeypatch.setattr(searcher, "_ENOUGH", 1_000_000)
    search = hr.witness.witness(*pair, progress=interrupt)

    assert search.witness is not None
    assert search.is_stopped


def test_a_search_tells_what_it_has_tried_in_all_its_variants(nim: Path) -> None:
    other = amended(nim, "repeal rule no-two-of-two nim-1.0§1\n")
    searches: list[hr.witness.Search] = []
    plan = hr.witness.SearchPlan(kind="odds", section="1", walks=40)
    search = hr.witness.witness(hr.load(nim), other, plan, progress=searches.append)

    assert searches[0] == hr.witness.Search(None)
    assert [s.walks for s in searches] == sorted(s.walks for s in searches)
    assert search.divergences == searches[-1].divergences > 0
    assert (search.witness, search.is_stopped) == (None, False)


def test_a_game_that_begins_otherwise_has_its_beginning_as_a_witness() -> None:
    rules = hr.load(TINY)

    witness = hr.witness.witness(
        rules, rules, hr.witness.SearchPlan(settings=({}, {"starting_hand": "4"}))
    ).witness

    assert witness is not None
    assert (witness.scenario, witness.action) == ("duel", "")
    assert witness.verdicts[1] == ("hand of Scotland is 4", "hand of England is 4")


def test_a_scenario_that_faults_as_it_begins_is_left_out(nim: Path) -> None:
    broken = 'scenario a-broken §1 "Never five"\n  heap := 1\n  heap -= 2\n  game()\nscenario heap'
    nim.write_text(NIM.replace("scenario heap", broken), "utf-8")
    other = amended(nim, "repeal rule no-two-of-two nim-1.0§1\n")
    search = hr.witness.witness(hr.load(nim), other, hr.witness.SearchPlan(walks=50))

    assert search.witness is not None
    assert not search.is_exhausted


def test_a_difference_that_keeps_an_answer_is_shown_by_the_ruleset_without_it(nim: Path) -> None:
    """`most` is 1, so that the rule no longer matters; without it the heap is the reason again."""
    rules = "repeal rule no-two-of-two nim-1.0§1\namend define most = 1  nim-1.0§1\n"
    old, new = hr.load(nim), amended(nim, rules)
    without = hr.compare.hybrid(new, old, ["define most"])
    found = hr.witness.witness(without, new).witness
    assert found is not None
    witness = evolve(found, old="other-1.0", without=("define most",))

    assert hr.witness.read_witnesses(witness.text("most"))["most"] == witness
    assert witness.replayed(*hr.witness.sides_of(witness, old, new)) == witness
    assert "other-1.0 without `define most`" in witness.summary
    assert witness.answers(without, new)[0].edition == "other-1.0 without `define most`"


def test_a_witness_may_have_to_hold_for_the_whole_ruleset(nim: Path) -> None:
    rules = "repeal rule no-two-of-two nim-1.0§1\namend define most = 1  nim-1.0§1\n"
    old, new = hr.load(nim), amended(nim, rules)

    assert not hr.witness.witness(
        old, new, hr.witness.SearchPlan(difference="no-two-of-two", is_whole=True, walks=40)
    )
    assert hr.witness.witness(
        old, new, hr.witness.SearchPlan(difference="define most", is_whole=True)
    )


def test_a_witness_that_is_not_allowed_is_not_kept(nim: Path) -> None:
    other = amended(nim, "repeal rule no-two-of-two nim-1.0§1\n")

    search = hr.witness.witness(
        hr.load(nim), other, hr.witness.SearchPlan(allows=lambda _: False, walks=40)
    )

    assert not search
    assert not search.is_exhausted


def test_a_search_begins_with_the_witnesses_that_it_is_given(nim: Path) -> None:
    old, new = hr.load(nim), amended(nim, "repeal rule no-two-of-two nim-1.0§1\n")
    position = "heap 6\nbegin at game\n"
    start = hr.witness.Witness(
        "legal", "nim-1.0", "other-1.0", position, "Blue: take 2", ("Red: take 1",)
    )

    witness = hr.witness.witness(old, new, hr.witness.SearchPlan(starts=[start], walks=0)).witness

    assert witness is not None
    assert (witness.kind, witness.action) == ("legal", "Blue: take 2")


def test_a_value_of_its_own_is_not_a_variable_of_that_name() -> None:
    """The blocks that are `coming` to a battle are not those that are `coming` in the builds of 2.3."""
    found = mentioned(loaded("hots-3.x"), loaded("hots-2.3"))

    assert "variable coming" not in found["phase reveal_blocks"]
    assert "variable coming" in found["define quartered"]


# ---------------------------------------------------------------- what a position may be
@pytest.mark.thorough
@pytest.mark.parametrize("edition", HAMMER)
def test_the_invariants_of_possible_positions_hold_in_games(edition: str) -> None:
    assert [] == [*hr.analysis.check_play(possible(edition), games=1, seed=7)]


@pytest.mark.parametrize(
    ("lines", "is_one"),
    [
        ("field Fife\ncombat_round 2\nEngland: attacked {Fife}\n", True),
        ("field Fife\nEngland: attacked {Fife}\n", False),
        ("field Mar\ncombat_round 2\nEngland: attacked {Fife}\n", False),
        ("field Fife\ncombat_round 2\nScotland: attacked {Fife}\n", False),
    ],
)
def test_a_position_says_the_same_of_a_battle_as_its_moment(lines: str, is_one: bool) -> None:
    begin = "begin at choose in combat_turns(called B) in battle(a Fife, s England, n 2) in battles"

    assert fits_its_battle(lines + begin) == is_one


# ---------------------------------------------------------------- kept witnesses
def kept(pair: Pair) -> hr.witness.KeptWitnesses:
    return hr.witness.kept_witnesses(*pair)


def distinct(pair: Pair) -> list[hr.witness.Witness]:
    """The kept witnesses of two editions; differences that act together share one."""
    return [*{each.text(""): each for each in kept(pair).witnesses.values()}.values()]


@pytest.mark.thorough
@pytest.mark.parametrize("pair", PAIRS, ids=" and ".join)
def test_kept_witnesses_of_two_editions_are_replayed(pair: Pair) -> None:
    rulesets = loaded(pair[0]), loaded(pair[1])
    found = distinct(pair)

    assert [] == [
        each
        for each in found
        if each.replayed(*hr.witness.sides_of(each, *rulesets)) != each
        or each.new not in (pair if each.without else pair[1:])
    ]


@pytest.mark.thorough
@pytest.mark.parametrize("pair", PAIRS, ids=" and ".join)
def test_kept_witnesses_stand_in_possible_positions(pair: Pair) -> None:
    assert [] == [each for each in distinct(pair) if not is_possible(each)]


@pytest.mark.parametrize("pair", PAIRS, ids=" and ".join)
def test_a_witness_of_a_reading_is_none_in_another_alternative(pair: Pair) -> None:
    old, new = loaded(pair[0]), loaded(pair[1])
    found = {
        name: witness
        for name, witness in kept(pair).witnesses.items()
        if name.startswith(("reading ", "option ")) and not witness.without
    }
    judges = {name: Judge(old, new, (name,), name, is_whole=True) for name in found}

    assert [] == [
        name for name, judge in judges.items() if not judge.depends_on_its_choice(found[name])
    ]


def test_every_difference_of_play_has_a_witness_or_a_reason_why_none_is_kept() -> None:
    """At least 95 of 100 have one."""
    plays = [each.id for pair in PAIRS for each in hr.diff(*pair).differences if each.plays]
    found = [name for pair in PAIRS for name in kept(pair).witnesses]
    missing = [reason for pair in PAIRS for reason in kept(pair).missing.values()]

    assert 100 * len(found) >= 95 * len(plays)
    assert len(found) + len([reason for reason in missing if reason]) == len(plays)


@pytest.mark.nightly
@pytest.mark.parametrize("pair", PAIRS, ids=" and ".join)
def test_kept_witnesses_are_of_their_differences_alone(pair: Pair) -> None:
    old, new = loaded(pair[0]), loaded(pair[1])
    for witness in (each for each in distinct(pair) if each.isolates):
        mixed = hr.compare.hybrid(old, new, witness.isolates)
        assert witness.replayed(old, mixed).verdicts == witness.verdicts


@pytest.mark.parametrize("pair", PAIRS, ids=" and ".join)
def test_what_is_kept_is_of_differences_of_play(pair: Pair) -> None:
    found = kept(pair)
    plays = {each.id for each in hr.diff(*pair).differences if each.plays}

    assert found.witnesses.keys() | found.missing.keys() <= plays
    assert not found.witnesses.keys() & found.missing.keys()


# ---------------------------------------------------------------- the command
def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["witness", *arguments])


def test_the_command_prints_the_witness_and_draws_it(nim: Path) -> None:
    other = amended(nim, "repeal rule no-two-of-two nim-1.0§1\n").source.layers[-1]
    picture = nim.parent / "picture.svg"

    result = run(str(nim), str(nim.parent / "other.rules"), "-o", str(picture))

    assert other.name == "other-1.0"
    assert result.exit_code == 1
    assert "heap 5" in result.stdout
    assert "nim-1.0: illegal" in result.stdout
    assert "no-two-of-two §1: Never two of five." in result.stdout
    assert "other-1.0: legal" in result.stdout
    assert "<svg" in picture.read_text("utf-8")


@pytest.mark.parametrize("kind", ["option", "reading"])
def test_an_unknown_option_or_reading_is_refused_by_its_kind(nim: Path, kind: str) -> None:
    result = run(str(nim), str(nim), f"--{kind}", "nonsense=yes")

    assert result.exit_code == 2
    assert f"unknown {kind} `nonsense`" in result.output


def test_the_command_says_what_was_tried(nim: Path) -> None:
    amended(nim, "")

    result = run(str(nim), str(nim.parent / "other.rules"))
    exhausted = run(str(nim), str(nim), "--option", "greedy=no,no")

    assert (result.exit_code, exhausted.exit_code) == (0, 0)
    assert "no witness found: nothing that was asked for differs in play" in result.stdout


def test_the_command_takes_choices_of_both_sides_or_of_one(nim: Path) -> None:
    result = run(
        str(nim), str(nim), "--option", "greedy=yes", "--reading", "last_one=,loses", "--json"
    )
    told = json.loads(result.stdout)

    assert result.exit_code == 1
    assert told["witness"]["settings"] == [
        {"greedy": "yes"},
        {"greedy": "yes", "last_one": "loses"},
    ]


def test_answers_of_one_ruleset_are_told_apart_by_their_choices(nim: Path) -> None:
    result = run(str(nim), str(nim), "--reading", "last_one=,loses")

    assert "nim-1.0: result" in result.stdout
    assert "nim-1.0 with last_one=loses: result" in result.stdout


@pytest.mark.parametrize(
    "wrong", [["--section", "9"], ["--option", "sudden=yes"], ["--option", "x"]]
)
def test_the_command_ends_with_2_where_an_edition_lacks_something(
    nim: Path, wrong: list[str]
) -> None:
    amended(nim, "repeal rule no-two-of-two nim-1.0§1\n")

    assert run(str(nim), str(nim.parent / "other.rules"), *wrong).exit_code == 2


# ---------------------------------------------------------------- what is kept
def test_the_command_shows_a_kept_witness_in_the_order_that_was_asked_for() -> None:
    result = run("hots-2.3", "hots-3.x", "--difference", "action sea_move")

    assert result.exit_code == 1
    assert result.stdout.startswith("hots-2.3 | hots-3.x\n")
    assert result.stdout.index("hots-2.3: legal") < result.stdout.index("hots-3.x: illegal")


def test_the_command_tells_why_no_witness_is_kept() -> None:
    result = run("hots-2.3", "hots-3.x", "--difference", "secret coming")

    assert result.exit_code == 0
    assert "no witness is known: it changes what a side sees" in result.stdout
    assert "--search" in result.stdout


@pytest.mark.parametrize("kind", ["legal", "outcome", "odds"])
def test_a_kept_witness_of_a_section_is_of_the_kind_that_was_asked_for(kind: Any) -> None:
    editions = hr.load("hots-2.3"), hr.load("hots-3.x")
    search = hr.witness.kept_search(*editions, section="7", kind=kind)

    assert search and search.witness and search.witness.kind == kind


def test_of_rulesets_without_kept_witnesses_nothing_is_known() -> None:
    assert hr.witness.kept_search(hr.load(TINY), hr.load(TINY)) is None


def test_a_section_that_an_edition_lacks_is_a_fault_before_what_is_kept() -> None:
    with pytest.raises(hr.UnknownName, match="section"):
        hr.witness.kept_search(hr.load("hots-2.3"), hr.load("hots-3.x"), section="4.02")


def test_a_mirrored_witness_says_the_same() -> None:
    pair = hr.load("hots-3.x"), hr.load("hots-2.3")
    witness = hr.witness.kept_witnesses("hots-3.x", "hots-2.3").witnesses["action sea_move"]
    turned = witness.mirrored

    assert turned.mirrored == witness
    assert turned.replayed(*hr.witness.sides_of(turned, *pair[::-1])) == turned


def test_a_summary_tells_the_end_of_the_game_first_and_no_more_than_a_few_entries() -> None:
    many = tuple(f"place of B{number} is Fife" for number in range(9))
    witness = hr.witness.Witness(
        "outcome",
        "a",
        "b",
        "",
        "Red: go",
        verdicts=((*many, "Red wins"), ("x is 1", "play goes on")),
    )

    assert witness.summary == (
        "After `Red: go`: Red wins, place of B0 is Fife, place of B1 is Fife, "
        "place of B2 is Fife, 6 more in a; play goes on, x is 1 in b."
    )


def test_a_summary_of_odds_tells_what_one_side_lacks() -> None:
    says = ("1/2: chance: draw A", "1/2: chance: draw B"), ("1/1: chance: draw A",)
    witness = hr.witness.Witness("odds", "a", "b", "", "Red: draw", verdicts=says)

    assert witness.summary == ("After `Red: draw`: 2 outcomes, `draw B` in a; 1 outcome in b.")


def test_of_a_secret_the_command_tells_how_many_games_agreed() -> None:
    result = run("hots-2.3", "hots-3.x", "--difference", "secret drawn_for")

    assert "Play agreed in 100000 games of hots-2.3 with and without it." in result.stdout


@pytest.mark.parametrize("values", ["no,yes", "false,true"])
def test_an_option_is_given_as_rulesets_write_it_or_as_witnesses_do(nim: Path, values: str) -> None:
    assert run(str(nim), str(nim), "--option", f"greedy={values}").exit_code == 1

"""Limits of what strangers may send: what is over one is refused at once, and a caller may set each."""

from __future__ import annotations

import pickle
import re
import time
from collections.abc import Callable
from copy import copy
from functools import cache
from pathlib import Path
from random import Random
from threading import get_ident

import pytest
from attrs import evolve
from typer.testing import CliRunner

import hots_rules as hr
from hots_rules.analysis.errors import TooManyStates
from hots_rules.analysis.simulating.playouts import playout
from hots_rules.cli.app import COMMANDS, app
from hots_rules.compile.codes import Slots
from hots_rules.compile.counting import CountingMachine
from hots_rules.diagnostics import Fault, Span, draw_all
from hots_rules.game import load_source
from hots_rules.observe.hidden_information import holds
from hots_rules.records.ruleset_texts import pack
from hots_rules.rules import Source, find_source
from tests.playing import TINY, ruleset_of


@cache
def shared_small() -> hr.Ruleset:
    return ruleset_of(TINY)


@cache
def shared_game() -> hr.Game:
    return shared_small().start("short", seed=1)


def limited(**limits: int) -> hr.Ruleset:
    """The small ruleset under other limits."""
    return load_source(shared_small().source, hr.Limits(**limits))


@pytest.mark.parametrize("limit", [0, -1, 1.5, True, "9", None])
def test_a_limit_is_a_whole_number_above_0(limit: object) -> None:
    with pytest.raises(hr.BadArgument, match=r"`ruleset_bytes` cannot be `"):
        hr.Limits(ruleset_bytes=limit)  # type: ignore[arg-type]


def test_a_ruleset_keeps_its_limits() -> None:
    rules = limited(position_bytes=10)

    assert 10 == rules.limits.position_bytes
    assert 10 == pickle.loads(pickle.dumps(rules)).limits.position_bytes
    assert hr.Limits() == shared_small().limits


# ---------------------------------------------------------------- rulesets
def test_the_texts_of_a_ruleset_are_counted_together_in_bytes() -> None:
    size = sum(len(text.encode()) for text in shared_small().source.texts.values())

    assert limited(ruleset_bytes=size) == shared_small()
    with pytest.raises(hr.RulesetError) as error:
        limited(ruleset_bytes=size - 1)
    assert f"expected at most {size - 1:,} bytes" in str(error.value)
    assert "pass `limits=Limits(ruleset_bytes=…)`" in str(error.value)


def test_the_shipped_rulesets_stay_below_the_limit() -> None:
    for name in hr.rulesets():
        texts = find_source(name).texts.values()
        assert sum(len(text.encode()) for text in texts) < hr.Limits().ruleset_bytes * 0.7


def test_texts_in_a_record_have_the_limit_of_a_ruleset() -> None:
    packed = pack(shared_small().source)
    record = str(shared_game().record).replace("\n\n", f"\ntext {packed}\n\n", 1)

    assert shared_game() == hr.replay(record, content="pinned")
    for limit, cause in ((1_000, "expected at most 1,000 bytes in a ruleset"), (10, "too large")):
        with pytest.raises(hr.BadRecord, match=cause):
            hr.replay(record, content="pinned", limits=hr.Limits(ruleset_bytes=limit))


TABLE = """define of(p: 0..63, q: 0..63) = sum x in Big: sum y in Big: if x = y then p else q
type Big = BIG
type Side"""


@pytest.mark.thorough
def test_what_is_computed_for_a_ruleset_has_one_budget() -> None:
    text = looping(action="n := of(min(p, 63), min(q, 63))").replace("type Side", TABLE, 1)
    small = ruleset_of(text.replace("BIG", "A1 | A2"))

    assert 6 == small.start("short").play("Red: rest 2 1").state["n"]
    with pytest.raises(
        hr.RulesetError, match=r"(?s)at most 2,000,000 steps to compute .*ruleset_steps=…"
    ):
        ruleset_of(text.replace("BIG", " | ".join(f"A{n}" for n in range(100))))
    (layer,) = small.source.layers
    other = Source((evolve(layer, files={"tiny.rules": text.replace("BIG", "A1 | A3")}),))
    with pytest.raises(hr.RulesetError, match="at most 40,000 steps to compute"):
        load_source(other, hr.Limits(ruleset_steps=40_000))


def test_words_and_signs_of_a_ruleset_are_counted_before_they_are_parsed() -> None:
    text = looping(game="n := 0\n  " + "\n  ".join(["n := n + 1"] * 8_000))

    with pytest.raises(hr.RulesetError, match="at most 33,333 words and signs in a ruleset"):
        ruleset_of(text)


# ---------------------------------------------------------------- faults
@pytest.mark.thorough
@pytest.mark.parametrize(
    "text",
    [
        "#" * 25 + "\n" + ("#" * 25 + "\n") * 9_000 + "x",
        "".join(f"define d{n} = {'(' * 18}\n" for n in range(900)),
        "".join(f"define {'ab' * 30}{n} = {'ba' * 35}\n" for n in range(1_500)),
        "label en\n" + "".join(f'  text "t{n}" = "x"\n' for n in range(2_500)),
        "define x = 1\n" * 2_500,
    ],
    ids=["comments", "brackets", "long names", "labels", "duplicates"],
)
def test_faults_are_found_in_time_and_told_in_short(text: str) -> None:
    began = time.process_time()
    with pytest.raises(hr.RulesetError) as error:
        ruleset_of(f'ruleset b-1.0 "b"\n{text}')

    assert len(error.value.faults) <= 101
    assert len(str(error.value)) < 64_000
    assert time.process_time() - began < 5


def test_a_long_error_says_how_much_it_leaves_out() -> None:
    place = Span("a", 1, 1, 1, 2)
    faults = [Fault("unknown-name", f"{n} " + "x" * 1_500, place) for n in range(101)]

    drawn = draw_all(faults, {})
    assert len(drawn) < 64_000
    assert re.search(r"\n\n… and \d+ more\n\n101 faults$", drawn)


# ---------------------------------------------------------------- records
def test_actions_of_variations_count_as_actions_of_the_record() -> None:
    game = shared_game().play(shared_game().actions[0])
    line = game.record.entries[0].text
    text = str(game.record).replace("\nstate ", f"\n(\n  {line}\n)\nstate ", 1)

    assert 1 == len(hr.Record.parse(text, limits=hr.Limits(record_actions=2)).entries)
    with pytest.raises(hr.BadRecord, match=r"line \d+: more than 1 actions; .*record_actions"):
        hr.Record.parse(text, limits=hr.Limits(record_actions=1))


@pytest.mark.thorough
def test_a_caller_may_read_a_longer_record_than_usual() -> None:
    head = str(shared_game().record).partition("\n\n")[0]
    text = f"{head}\n\n" + "nothing\n" * 20_001

    with pytest.raises(hr.BadRecord, match="more than 20000 actions"):
        hr.Record.parse(text)
    longer = hr.Limits(record_actions=20_001)
    assert 20_001 == len(hr.Record.parse(text, limits=longer).entries)
    with pytest.raises(hr.BadRecord, match="nothing"):
        hr.replay(text, load_source(shared_small().source, longer))


def test_a_record_is_measured_in_bytes() -> None:
    text = str(shared_game().record).replace("\n\n", "\n\n# " + "é" * 100 + "\n", 1)

    assert hr.Record.parse(text, limits=hr.Limits(record_bytes=len(text.encode())))
    with pytest.raises(hr.BadRecord, match=f"record is larger than {len(text) + 1} bytes"):
        hr.Record.parse(text, limits=hr.Limits(record_bytes=len(text) + 1))


# ---------------------------------------------------------------- positions and messages
def test_a_position_is_measured_in_bytes() -> None:
    text = "# " + "é" * 31_998 + "\nturn 1"

    with pytest.raises(hr.BadPosition, match="expected at most 64000 bytes"):
        shared_small().position(text)
    with pytest.raises(hr.BadPosition, match="expected at most 64000 bytes"):
        shared_game().with_position_changes(text)
    assert limited(position_bytes=70_000).position(text).state["turn"] == 1


def test_a_message_is_measured_in_bytes_and_a_record_in_it_as_a_record() -> None:
    padded = hr.to_json(shared_game().actions[0])[:-1] + " " * 64_000 + "}"
    record = hr.to_json(shared_game().record)[:-1] + " " * 64_000 + "}"

    with pytest.raises(hr.BadMessage, match=r"message is larger than 64000 bytes\n.*message_bytes"):
        hr.from_json(padded, hr.Action)
    larger = hr.Limits(message_bytes=65_000)
    assert shared_game().actions[0] == hr.from_json(padded, hr.Action, limits=larger)
    assert shared_game().record == hr.from_json(record, hr.Record)
    with pytest.raises(hr.BadMessage, match=r"message is larger than 100 bytes\n.*record_bytes"):
        hr.from_json(record, hr.Record, limits=hr.Limits(record_bytes=100))


# ---------------------------------------------------------------- steps of play
LOOPS = """ruleset loops-1.0 "Loops"
players Side
clock turn
type Side = Red | Blue
state
  turn : 1..9 = 1
  n    : 0..9999
action rest(p: 0..99, q: 0..99) §1 "Rest."
  permit when n >= 0
  {action}
phase game §1 "Play."
  {game}
  for i in 1..8
    for t in Side
      choose t: rest
  win none
scenario short §1 "Short"
  game()
positions begin at game
"""
MILLION = "for a in 1..1000\n    for b in 1..1000\n      n := a + b"


def looping(*, action: str = "n := 1", game: str = "n := 0") -> str:
    return LOOPS.format(action=action, game=game)


def with_texts(rules: hr.Ruleset, *lines: str) -> str:
    """A record that holds its ruleset."""
    head = str(rules.start("short", seed=1).record).partition("\n\n")[0]
    return f"{head}\ntext {pack(rules.source)}\n\n" + "".join(f"{line}\n" for line in lines)


@pytest.mark.thorough
def test_chance_under_a_seed_is_no_pause() -> None:
    many = ruleset_of(
        looping(
            game="for j in 1..100000\n    roll d6 as x for j\n    for a in 1..999\n      n := a"
        )
    )

    with pytest.raises(hr.EngineError, match="no decision within 100000000 steps"):
        many.start("short", seed=1)
    assert 6 == len(many.start("short", seed=1, chance="ask").actions)


def test_a_caller_sets_how_many_steps_a_play_may_take() -> None:
    source = ruleset_of(looping(action=MILLION)).source
    action = "Red: rest 1 2"

    assert load_source(source).start("short").play(action).state["n"] == 2000
    few = load_source(source, hr.Limits(play_steps=1_000)).start("short")
    assert few.play(action).state["n"] == 2000  # no loop of the action stops for chance
    loop = f"for j in 1..9\n    roll d6 as x for j\n    {MILLION.replace(chr(10), chr(10) + '  ')}"
    source = ruleset_of(looping(game=loop)).source
    assert load_source(source).start("short", seed=1).to_move == ("Red",)
    with pytest.raises(hr.EngineError, match=r"within 10000000 steps: .*play_steps=…"):
        load_source(source, hr.Limits(play_steps=10_000_000)).start("short", seed=1)


def test_the_replay_of_a_record_with_its_own_rules_has_a_bound_for_all_actions() -> None:
    rules = ruleset_of(looping(action="for a in 1..1000\n    n := a"))
    record = with_texts(rules, "Red: rest 1 2", "Blue: rest 1 2", "Red: rest 3 4")

    assert 3 == len(hr.replay(record, content="pinned").moves)
    few = hr.Limits(record_steps=10_000)
    with pytest.raises(
        hr.BadRecord, match=r"line \d+: more than 10000 steps to replay .*record_steps"
    ):
        hr.replay(record, content="pinned", limits=few)
    assert 3 == len(hr.replay(record, rules, limits=few).moves)  # a caller trusts its own rules


def test_the_variations_of_a_record_with_its_own_rules_have_the_bound_of_its_replay() -> None:
    rules = ruleset_of(looping(action="for a in 1..1000\n    n := a"))
    variation = ("(", "Red: rest 3 4", ")")
    few = hr.Limits(record_steps=100_000)

    def fault_of(*lines: str) -> str:
        record = hr.Record.parse(with_texts(rules, "Red: rest 1 2", *lines))
        pinned = hr.ruleset_for(record, content="pinned", limits=few)
        return hr.records.verify(record, pinned).fault

    assert fault_of(*variation) == ""
    assert "more than 100000 steps to replay" in fault_of(*variation * 20)


def test_games_of_a_shipped_ruleset_stay_far_below_the_limit_of_steps() -> None:
    rules = hr.load("hots-4.0")
    careful = copy(rules.machine(rules.chosen({}, {})))
    careful._most_steps = hr.Limits().play_steps // 5
    slots = careful.begin("braveheart")
    careful.run(slots, slots[0], "3")

    assert 100 < playout(careful, slots, "3", Random(3))


# ---------------------------------------------------------------- legal actions
def test_a_decision_among_too_many_actions_is_an_error() -> None:
    rules = ruleset_of(looping())
    few = load_source(rules.source, hr.Limits(actions=9_999)).start("short")

    assert 10_000 == len(rules.start("short").actions)
    for look in (lambda: few.actions, lambda: few.view("Red"), lambda: few.play("rest 1 2")):
        with pytest.raises(
            hr.EngineError, match=r"at most 9999 legal actions, got 10000; .*actions=…"
        ):
            look()


def test_a_decision_has_a_bound_for_the_arguments_of_all_its_actions() -> None:
    other = 'action other(p: 0..499, q: 0..499) §1 "Other."\n  permit when n > 0\n  n := 2\nphase'
    text = looping().replace("phase", other, 1).replace("t: rest", "t: rest, other")

    with pytest.raises(hr.RulesetError, match="at most 500,000 combinations of arguments"):
        ruleset_of(text)


@pytest.mark.thorough
def test_a_costly_condition_of_many_actions_is_stopped() -> None:
    costly = "permit when (sum x in Big: sum y in Big: if x = y then p else q) < n"
    big = "type Big = " + " | ".join(f"A{n}" for n in range(300))
    text = looping().replace("permit when n >= 0", costly).replace("type Side", f"{big}\ntype Side")
    game = load_source(ruleset_of(text).source, hr.Limits(play_steps=1_000_000)).start("short")

    with pytest.raises(hr.EngineError, match="within 1000000 steps"):
        print(game.actions)


def test_what_no_argument_changes_is_evaluated_once_for_all_actions() -> None:
    heavy = "(sum x in Big: sum y in Big: sum z in Big: if x = y then turn else n)"
    text = looping().replace("type Side", f"{BIG}\ntype Side")
    text = text.replace("permit when n >= 0", "permit when heavy(actor) - 850 > p + q")
    many = text.replace("(actor) -", "(p + q) -") + f"\ndefine heavy(m: 0..198) = {heavy} + m - m"
    once = text + f"\ndefine heavy(s: Side) = {heavy}"

    assert 1_275 == len(ruleset_of(once).start("short").actions)
    assert not isinstance(ruleset_of(once).compiled.default_machine, CountingMachine)
    assert isinstance(ruleset_of(many).compiled.default_machine, CountingMachine)
    assert not isinstance(hr.load("backgammon-1.0").compiled.default_machine, CountingMachine)


def test_loops_within_loops_are_compiled_once_each() -> None:
    condition = "chosen[a]"
    for level in reversed(range(12)):
        same = " or ".join(f"x{level} = {name}" for name in ["a", *(f"x{k}" for k in range(level))])
        condition = f"(some x{level} in Area: many[x{level}] > 1 and ({same} or {condition}))"
    began = time.process_time()
    rules = ruleset_of(
        f"""ruleset nested-1.0 "Nested"
players Side
type Side = Red | Blue
type Area = North | South
state
  chosen[Area] : bool
  many[Area] : 0..9
action choose_one(a: Area) §1 "One area."
  permit when {condition}
  chosen[a] := true
  many[a] := 3
phase game §1 "One choice."
  choose Red: choose_one
  win Red
scenario single §1 "One."
  game()
"""
    )

    rules.machine(rules.chosen({}, {}))

    assert time.process_time() - began < 5  # twice as long for each level would be 15


def test_a_near_miss_needs_no_full_list() -> None:
    game = ruleset_of(looping()).start("short")

    with pytest.raises(hr.UnreadableAction) as error:
        game.play("Red: rset 0 1")
    assert "Red: rest 0 1" == error.value.near
    assert "actions" not in game.__dict__


# ---------------------------------------------------------------- explanations and odds
BIG = "type Big = " + " | ".join(f"A{n}" for n in range(30))
COSTLY = "(sum x in Big: sum y in Big: if x = y then {} else {})"


def costly(**limits: int) -> hr.Game:
    """A game whose actions have a condition of thousands of parts."""
    text = looping().replace("p: 0..99, q: 0..99", "p: 0..1, q: 0..1")
    text = text.replace("permit when n >= 0", f"permit when {COSTLY.format('p', 'q')} < n")
    question = f'question sums = {COSTLY.format(1, 0)} §1 "what is it"'
    text = text.replace("type Side", f"{BIG}\ntype Side") + f"\n{question}"
    return load_source(ruleset_of(text).source, hr.Limits(**limits)).start("short", seed=1)


def test_an_answer_has_a_bound_of_steps() -> None:
    patient, game = costly(), costly(answer_steps=1_000)

    assert not patient.why_not("Red: rest 0 1").is_legal
    assert patient.ask("what is it").value == 30
    for answer in (
        lambda: game.why_not("Red: rest 0 1"),
        lambda: game.why_not("Red: rest 0 1", player="Blue"),
        lambda: game.why("Red: rest 0 1"),
        lambda: game.play("Red: rest 0 1"),
        lambda: game.ask("what is it"),
        lambda: game.ask("what is it", player="Red"),
    ):
        with pytest.raises(
            hr.LimitExceeded, match=r"no answer within 1000 steps\nhelp: .*answer_steps=…"
        ):
            answer()


def test_many_answers_about_one_game_have_a_bound_each() -> None:
    game = costly(answer_steps=30_000)

    for _ in range(9):
        assert not game.why_not("Red: rest 0 1").is_legal


# ---------------------------------------------------------------- worlds
SHORT = "(sum x in Many: if x = digit[a] then 1 else 0) < 99"
LONG = "(sum x in Many: sum y in Many: if x * digit[a] = y then 1 else 0) < 999"


def needle(loops: str = SHORT, **limits: int) -> hr.Game:
    """A game with four secret digits of which the invariants allow one choice alone."""
    text = f"""ruleset needle-1.0 "Needle"
players Side
type Side = Red | Blue
type Spot = a | b | c | d
type Many = 0..99
state
  digit[Spot] : 0..9
  n           : 0..9
secret digit[s] known to Red
define number = digit[a] * 1000 + digit[b] * 100 + digit[c] * 10 + digit[d]
invariant one-number §1 "It is this number."
  n = 9 or {loops} and number * 7919 mod 10007 = 1234 * 7919 mod 10007
action guess(k: 0..9) §1 "Guess."
  permit when k > n
phase play §1 "Play."
  choose Blue: guess
scenario s §1 "S"
  digit[a] := 1
  digit[b] := 2
  digit[c] := 3
  digit[d] := 4
  play()
"""
    return load_source(ruleset_of(text).source, hr.Limits(**limits)).start("s", seed=1)


def test_the_search_for_a_world_has_a_bound_of_steps() -> None:
    game = needle(world_steps=100_000)
    machine = game.ruleset.compiled.counting_machine(game.settings, for_conditions=True)

    for search in (
        lambda: game.worlds("Blue", 1),
        lambda: game.why_not("Blue: guess 0", player="Blue"),
        lambda: game.play("Blue: guess 0", player="Blue"),
    ):
        before = machine.spent
        with pytest.raises(
            hr.LimitExceeded,
            match=r"no world of the player within 100000 steps\nhelp: .*world_steps=…",
        ):
            search()
        assert 100_000 < machine.spent - before < 110_000
    for bot in hr.analysis.MonteCarloBot(rollouts=1), hr.analysis.ISMCTSBot(iterations=1):
        assert bot.choose(game, "Blue") in game.actions
    assert not game.why_not("Blue: guess 0").is_legal
    assert game.worlds("Red", 1)[0].position == game.position


def test_the_members_that_invariants_go_through_are_steps_of_a_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evaluated, here = dict.fromkeys([SHORT, LONG], 0), get_ident()
    for loops in evaluated:

        def counted(condition: Callable[[Slots], int], slots: Slots, loops: str = loops) -> bool:
            # A thread of another test may look for worlds of its own.
            evaluated[loops] += get_ident() == here
            return holds(condition, slots)

        monkeypatch.setattr("hots_rules.observe.free_cells.holds", counted)
        with pytest.raises(hr.LimitExceeded):
            needle(loops, world_steps=2_000_000).worlds("Blue", 1)

    assert 2_000_000 / 10_000 > evaluated[LONG] > 1  # it goes through more than 10,000 members
    assert evaluated[SHORT] > 1_000


def test_odds_without_a_time_have_a_bound_of_steps() -> None:
    text = looping(action="for a in 1..100\n    n := min(n + p, 9999)")
    source = ruleset_of(text.replace("p: 0..99, q: 0..99", "p: 0..1, q: 0..1")).source
    game = load_source(source, hr.Limits(odds_steps=100_000)).start("short", seed=1)

    assert game.odds("Red: rest 0 1").exact
    few = game.odds(until="game", policy="random", seed=1)
    assert not few.exact
    assert 0 < few.samples < 1_000
    with pytest.raises(TooManyStates, match=r"^not finished within 100000 steps; .*odds_steps=…"):
        game.odds(until="game", policy="random", samples=0)
    least = load_source(source, hr.Limits(odds_steps=1)).start("short", seed=1)
    with pytest.raises(TooManyStates, match="no sample was finished within 1 steps"):
        least.odds(until="game", policy="random")


def test_a_question_about_odds_has_a_bound_of_steps() -> None:
    odds = costly(odds_steps=100_000).odds()

    with pytest.raises(TooManyStates, match="within 100000 steps"):
        odds.of(COSTLY.format("turn", "n"))


# ---------------------------------------------------------------- the command line
def hots(*words: object) -> tuple[int, str]:
    """The exit code of a command, and all that it says."""
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """A ruleset, a position and a record of it."""
    rules, position, record = (tmp_path / name for name in ("tiny.rules", "state.txt", "game.txt"))
    for name, text in shared_small().source.texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        rules = tmp_path / name if name.endswith(".rules") else rules
    position.write_text(shared_game().position, encoding="utf-8")
    shared_game().play(shared_game().actions[0]).save(record)
    return {"RULES": rules, "POSITION": position, "RECORD": record}


@pytest.mark.parametrize(
    ("command", "limit"),
    [
        ("check RULES", "ruleset_bytes"),
        ("show RULES", "ruleset_bytes"),
        ("diff RULES RULES", "ruleset_bytes"),
        ("play RULES short --quiet", "ruleset_bytes"),
        ("simulate RULES short --games 1", "ruleset_bytes"),
        ("replay RECORD --ruleset RULES", "record_bytes"),
        ("verify RECORD --ruleset RULES", "record_bytes"),
        ("why RECORD --ruleset RULES", "record_bytes"),
        ("replay RECORD --under RULES --ruleset RULES", "record_bytes"),
        ("odds POSITION --ruleset RULES", "position_bytes"),
        ("draw POSITION --ruleset RULES -o map.svg", "position_bytes"),
    ],
)
def test_a_command_has_the_limits_that_it_is_given(
    files: dict[str, Path], command: str, limit: str
) -> None:
    words = [files.get(word, word) for word in command.split()]

    code, said = hots(*words, "--limit", f"{limit}=9")
    assert code in (1, 2), said
    assert f"`--limit {limit}=…`" in said


def test_a_command_may_read_more_than_usual(files: dict[str, Path]) -> None:
    head, _, actions = files["RECORD"].read_text(encoding="utf-8").partition("\n\n")
    long = f"{head}\n\n# {'x' * hr.Limits().record_bytes}\n{actions}"
    files["RECORD"].write_text(long, encoding="utf-8")
    words = ("replay", files["RECORD"], "--ruleset", files["RULES"])

    assert 1 == hots(*words)[0]
    done = hots(*words, "--limit", "record_bytes=9000000", "--limit", "record_actions=9")
    assert 0 == done[0], done


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("record_action=9", "help: did you mean `record_actions`?"),
        ("record_actions=few", "help: give a whole number above 0"),
        ("record_actions=0", "help: give a whole number above 0"),
        ("record_actions", "expected NAME=VALUE, got `record_actions`"),
    ],
)
def test_a_limit_that_cannot_be_read_is_refused(text: str, said: str) -> None:
    code, complaint = hots("check", "hots-4.0", "--limit", text)
    assert 2 == code
    assert said in complaint


def test_every_command_that_reads_has_limits() -> None:
    commands: dict[str, object] = {name: one.load(name) for name, one in COMMANDS.items()}
    for group in ("seed", "export", "serve"):
        within = commands[group].commands  # type: ignore[attr-defined]
        commands |= {f"{group} {name}": each for name, each in within.items()}
    del commands["seed"], commands["export"]
    without = {
        name
        for name, command in commands.items()
        if not any("--limit" in param.opts for param in command.params)  # type: ignore[attr-defined]
    }
    reads_nothing = {
        "list",
        "fmt",
        "export schema",
        "seed commit",
        "seed reveal",
        "seed mix",
        "playground",
        "tables",
    }
    has_those_of_the_library = {"lsp", "serve", "serve tokens"}
    assert without == reads_nothing | has_those_of_the_library

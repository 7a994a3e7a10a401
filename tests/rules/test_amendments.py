"""Editions that change a small part of a declaration: what plays, what is compared, and the faults."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import hots_rules as hr
from tests.folders import TESTS

MISTAKES = TESTS / "mistakes"
Edition = Callable[[str], hr.Ruleset]


@pytest.fixture
def edition(tmp_path: Path) -> Edition:
    """A ruleset that extends the tiny game by some lines."""
    tiny = MISTAKES / "tiny-1.0.rules"
    (tmp_path / "tiny-1.0.rules").write_text(tiny.read_text("utf-8"), "utf-8")

    def load(lines: str) -> hr.Ruleset:
        house = tmp_path / "house.rules"
        house.write_text(f'ruleset house-1.0 "House rules"\n  extends tiny-1.0\n{lines}', "utf-8")
        return hr.load(house)

    return load


def faults(edition: Edition, lines: str) -> list[str]:
    """The codes and headlines of the faults of an edition."""
    with pytest.raises(hr.RulesetError) as error:
        edition(lines)
    return [f"{fault.code}: {fault.headline}" for fault in error.value.faults]


def strengths(rules: hr.Ruleset, readings: Mapping[str, str] | None = None) -> dict[str, int]:
    """The strength of each block as the game begins."""
    state = rules.start("duel", readings=readings).state
    return {block: state["strength", block] for block in ("Wallace", "Bruce")}


# ---------------------------------------------------------------- readings that are decided
def test_a_settled_reading_is_no_choice_and_plays_as_its_alternative(edition: Edition) -> None:
    rules = edition("settle first_blood = english §1\n")

    assert "first_blood" not in rules.readings
    with pytest.raises(hr.SettledReading, match=r"`house-1\.0` settles as `english`"):
        strengths(rules, {"first_blood": "scots"})
    assert {"Wallace": 1, "Bruce": 4} == strengths(rules)


def test_an_alternative_replaces_the_value_of_a_definition() -> None:
    rules = hr.load(MISTAKES / "tiny-1.0.rules")

    assert {"Wallace": 4, "Bruce": 4} == strengths(rules)
    assert {"Wallace": 1, "Bruce": 4} == strengths(rules, {"first_blood": "english"})


def test_a_decision_is_a_difference_of_play_with_what_is_left_to_choose(edition: Edition) -> None:
    (difference,) = hr.diff(
        MISTAKES / "tiny-1.0.rules", edition("settle first_blood = english §1\n")
    ).differences

    assert ("reading", "first_blood", "amended") == (
        difference.kind,
        difference.name,
        difference.change,
    )
    assert {
        "alternatives: scots, english -> english",
        "default: scots -> english",
    } == {f"{each.where}: {each.old} -> {each.new}" for each in difference.changes}


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            "settle first_blod = scots §1\n",
            "amends-nothing: the ruleset below has no reading `first_blod`",
        ),
        (
            "settle first_blood = scot §1\n",
            "unknown-name: `scot` is not an alternative of `first_blood`",
        ),
        (
            "settle first_blood = scots\n",
            "uncited-rule: the decision on `first_blood` cites no section",
        ),
        (
            "settle first_blood = scots §1\nsettle first_blood = english §1\n",
            "duplicate-name: the reading `first_blood` is changed twice",
        ),
    ],
)
def test_faults_of_a_decision(edition: Edition, lines: str, expected: str) -> None:
    assert [expected] == faults(edition, lines)


READING = """\
amend reading first_blood §3 "Who begins is not said."
  scots    "The Scots begin."  default
  english  "The English begin."
    {line}
"""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("strenght_at_first(b) = 1", "unknown-name: `strenght_at_first` is not a definition"),
        (
            "strength_at_first = 1",
            "wrong-arguments: expected 1 name for `strength_at_first`, got 0",
        ),
        ("strength_at_first(b) = b", "wrong-type: expected a number of 0..4, got `Block`"),
        ("hit(b) = 1", "not-allowed-here: `hit` is an event, not a definition"),
        (
            "strength_at_first(b) = 1\n    strength_at_first(b) = 2",
            "duplicate-name: a second value for `strength_at_first`",
        ),
    ],
)
def test_faults_of_the_definitions_of_an_alternative(
    edition: Edition, line: str, expected: str
) -> None:
    assert expected in [
        re.sub(r"\s+", " ", fault) for fault in faults(edition, READING.format(line=line))
    ]


# ---------------------------------------------------------------- parts of declarations
GUARDED = """\
amend step auction.bids §2.3 "Both sides bid, unless the area has no walls."
  if castle[a] > 0
    step bids
"""


def source(rules: hr.Ruleset, name: str) -> str:
    """A declaration as `hots show` prints it."""
    (declaration,) = hr.explain.find_declarations(rules, name)
    return declaration.source


def test_a_step_of_a_phase_is_amended_and_what_it_was_may_stay_within(edition: Edition) -> None:
    rules = edition(GUARDED)

    assert source(rules, "auction").endswith(GUARDED.rstrip())
    assert "Both sides bid, unless the area has no walls." == (
        rules.rulebook.entries["phase", "auction"].summary
    )


def test_a_step_that_is_amended_is_a_difference_of_its_own(edition: Edition) -> None:
    (difference,) = hr.diff(MISTAKES / "tiny-1.0.rules", edition(GUARDED)).differences

    assert [("step bids", "choose each s in Side: bid", "if castle[a] > 0 …")] == [
        (change.where, change.old, change.new) for change in difference.changes
    ]


def test_steps_alone_are_no_difference(edition: Edition, tmp_path: Path) -> None:
    text = (tmp_path / "tiny-1.0.rules").read_text("utf-8")
    without = text.replace(
        "  step bids\n    choose each s in Side: bid", "  choose each s in Side: bid"
    )
    (tmp_path / "plain.rules").write_text(without.replace("tiny-1.0", "plain-1.0"), "utf-8")

    assert without != text
    assert not hr.diff(tmp_path / "plain.rules", tmp_path / "tiny-1.0.rules")


def test_two_editions_amend_steps_of_one_phase(edition: Edition, tmp_path: Path) -> None:
    edition(GUARDED)
    later = tmp_path / "later.rules"
    later.write_text(
        'ruleset later-1.0 "Later"\n  extends house-1.0\n'
        "amend step auction.bids §2.3\n  if year > 1297\n    step bids\n",
        "utf-8",
    )

    rules = hr.load(later)

    assert ["tiny-1.0", "house-1.0", "later-1.0"] == [
        version.edition for version in hr.compare.history(rules, "auction")
    ]
    assert 2 == source(rules, "auction").count("amend step auction.bids")


@pytest.mark.parametrize(
    ("lines", "name", "expected"),
    [
        ("add row Area.Buchan §1.1 2 north Mar 5 2\n", "castle", ["2", "1", "0", "2"]),
        ("amend row Area.Ross §1.1 3 - Mar 5 2\n", "castle", ["2", "3", "0"]),
        ("repeal row Area.Buchan §1.1\n", "castle", []),
        ("add column Area.sheep: 0..9 = 4 §1.1\n", "sheep", ["4", "4", "4"]),
        ("amend column Area.castle: 0..2 §1.1\n", "castle", ["2", "1", "0"]),
    ],
)
def test_rows_and_columns(edition: Edition, lines: str, name: str, expected: list[str]) -> None:
    if not expected:
        fault = "amends-nothing: the table `Area` has no row `Buchan`"
        assert [fault] == faults(edition, lines)
        return
    rules = edition(lines)

    column = rules.rulebook.typed.tables["Area"].columns[name]
    assert expected == [str(value) for value in column.values]


def test_an_alternative_is_added_amended_or_repealed(edition: Edition) -> None:
    rules = edition(
        'add alternative first_blood.dice §3 "A die decides." default\n'
        'amend alternative first_blood.english §3 "The English."\n'
    )

    reading = rules.readings["first_blood"]
    assert (("scots", "english", "dice"), "dice") == (reading.values, reading.default)
    assert {"Wallace": 4, "Bruce": 4} == strengths(rules, {"first_blood": "english"})
    assert "unknown-name: `english` is not a value of `first_blood`" in faults(
        edition,
        'repeal alternative first_blood.english §3\nrule x §3 "X."\n  forbid pass when first_blood = english\n',
    )


def test_a_clause_is_amended_by_its_word_or_by_its_action(edition: Edition) -> None:
    for name in ("forbid", "march"):
        rules = edition(
            f'amend clause castles-hold.{name} §2.2 "Castles of three hold."\n'
            "  forbid march(b, to) when castle[to] = 3\n"
        )
        clauses = rules.rulebook.typed.actions["march"].clauses

        (clause,) = (each for each in clauses if each.origin.rule == "castles-hold")
        assert ("Castles of three hold.", None) == (clause.origin.summary, clause.because)


def test_a_reworded_declaration_has_its_own_sentence(edition: Edition) -> None:
    rules = edition('reword rule no-peeking §2.1 "The same." as "Who peeks is a cheat."\n')

    difference = hr.diff(MISTAKES / "tiny-1.0.rules", rules).differences[0]
    assert ("wording", ("The same.",), "Who peeks is a cheat.") == (
        difference.change,
        difference.reasons,
        difference.summary,
    )


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            "amend step auction.bid §2.3\n  if castle[b] > 0\n    step bids\n",
            [
                "amends-nothing: the phase `auction` has no step `bid`",
                "unknown-name: `b` is not a value of `Area`",
            ],
        ),
        (
            "amend step aution.bids §2.3\n  clear prize\n",
            ["amends-nothing: the ruleset below has no phase `aution`"],
        ),
        (
            "amend step auction.bids\n  clear prize\n",
            ["uncited-rule: the change of the step `bids` cites no section"],
        ),
        (
            f"{GUARDED}amend step auction.bids §2.3\n  clear prize\n",
            ["duplicate-name: the phase `auction` is changed twice"],
        ),
        (
            "amend step auction.bids §2.3\n  step bits\n",
            ["not-allowed-here: the step `bits` is empty"],
        ),
        (
            "amend clause march.forbid §2.2\n  permit\n",
            ["amends-nothing: the action `march` has no clause `forbid`"],
        ),
        (
            "amend clause march.permit §2.2\n  forbid march\n",
            ["not-allowed-here: this is no clause of an action"],
        ),
        (
            "add row Area.Ross §1.1 1 - - 1 1\n",
            ["duplicate-name: the table `Area` has a row `Ross` already"],
        ),
        (
            "amend column Area.castle: 0..3 = 1 §1.1\n",
            ["not-allowed-here: only a new column has a cell"],
        ),
        (
            'reword define foe §1 "The same." as "Other."\n',
            ["not-allowed-here: a definition has no sentence"],
        ),
    ],
)
def test_faults_of_a_part(edition: Edition, lines: str, expected: list[str]) -> None:
    assert expected == faults(edition, lines)


# ---------------------------------------------------------------- named numbers
def test_a_named_number_bounds_types_and_loops(edition: Edition) -> None:
    rules = edition(
        'amend define hand_limit = 2 + 1  §2.3\namend option starting_hand : 0..3 = 3 §2.3 "Few."\n'
    )

    assert "0..3" == str(rules.rulebook.typed.variables["hand"].type)
    assert rules.start("duel").state["hand", "England"] == 3


@pytest.mark.parametrize("sign", ["+", "*"])
def test_a_named_number_is_computed_once(edition: Edition, sign: str) -> None:
    """Each of these names is the one before it, twice: without a memo, or with exact products, they never end."""
    names = "".join(f"define d{n} = d{n - 1} {sign} d{n - 1}\n" for n in range(1, 40))
    lines = f'define d0 = 3\n{names}amend option starting_hand : 0..3 = d39 §2.3 "Few."\n'

    assert faults(edition, lines)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            "amend define hand_limit = year - 1297  §2.3\n",
            "wrong-type: `hand_limit` is not a number that is the same in every state",
        ),
        (
            "amend state\n  prize : 0..hand_limits\n",
            "unknown-name: `hand_limits` is not a number",
        ),
        (
            "amend define hand_limit = hand_limit + 1  §2.3\n",
            "recursive-definition: `hand_limit` is defined by itself: hand_limit → hand_limit",
        ),
    ],
)
def test_faults_of_a_named_number(edition: Edition, lines: str, expected: str) -> None:
    assert expected in faults(edition, lines)


# ---------------------------------------------------------------- the shipped editions
def code_lines(text: str) -> list[str]:
    """The lines of a source without comments, each in one piece, without those that only name a step."""
    lines: list[str] = []
    for line in (line.partition("#")[0].strip() for line in text.split("\n")):
        goes_on = re.match(r"(and|or|when|because)\b|[|&]", line)
        before = lines[-1] if lines else ""
        is_open = sum(before.count(sign) for sign in "([{") > sum(
            before.count(sign) for sign in ")]}"
        )
        if lines and (goes_on or is_open or before.endswith("=") or before.count('"') % 2):
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    return [line for line in lines if line and not line.startswith("step ")]


# The number of dice of a roll is changed within an effect, of which the language amends no single statement.
WHOLE_EFFECTS = {("hots-player-aid", "fire")}


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["hots-3.x", "hots-2.3", "hots-player-aid"])
def test_no_longer_amendment_repeats_more_than_a_third_of_what_it_amends(name: str) -> None:
    rules = hr.load(name)
    for entry in rules.rulebook.entries.values():
        versions = hr.compare.history(rules, entry.name)
        own = [one for one in versions if (one.kind, one.edition) == (entry.kind, name)]
        for version in own:
            if version.change != "amended" or (name, entry.name) in WHOLE_EFFECTS:
                continue
            before = [one.source for one in versions if one.edition != name]
            known = set(code_lines("\n".join(before)))
            for source in re.split(r"\n(?=amend )", version.source):
                lines = code_lines(source)
                repeated = [line for line in lines if line in known]
                assert len(lines) <= 2 or 3 * len(repeated) <= len(lines), source


# ---------------------------------------------------------------- amendments that do nothing, or too little
@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            'amend rule no-peeking §2.1 "Nobody looks under the table."\n'
            "  forbid peek when not friendly(actor, Fife)\n",
            ["amends-nothing: the rule `no-peeking` is the same in the ruleset below"],
        ),
        (
            "amend table Block: Wallace rating = 3 §1\n",
            ["amends-nothing: the cell `Wallace` is the same in the ruleset below"],
        ),
        (
            "amend step auction.bids §2.3\n  step bids\n",
            ["amends-nothing: the step `bids` is the same in the ruleset below"],
        ),
        (
            'amend rule no-peking §2.1 "Nobody minds."\n  forbid peek when nobody\n',
            [
                "amends-nothing: the ruleset below has no rule `no-peking`",
                "unknown-name: `nobody` is not declared",
            ],
        ),
    ],
)
def test_faults_of_an_amendment(edition: Edition, lines: str, expected: list[str]) -> None:
    assert expected == faults(edition, lines)


# ---------------------------------------------------------------- misspelt names
@pytest.mark.parametrize(
    ("lines", "headline", "remedy"),
    [
        (
            "amend row Area.Rosss §1.1 3 - Mar 5 2\n",
            "the table `Area` has no row `Rosss`",
            "did you mean `Ross`?",
        ),
        (
            "repeal row Area.Rosss §1.1\n",
            "the table `Area` has no row `Rosss`",
            "did you mean `Ross`?",
        ),
        (
            "amend column Area.castles: 0..2 §1.1\n",
            "the table `Area` has no column `castles`",
            "did you mean `castle`?",
        ),
        (
            "repeal column Area.castles §1.1\n",
            "the table `Area` has no column `castles`",
            "did you mean `castle`?",
        ),
        (
            'amend alternative first_blood.scot §1 "They do."\n',
            "the reading `first_blood` has no alternative `scot`",
            "did you mean `scots`?",
        ),
        (
            "repeal alternative first_blood.scot §1\n",
            "the reading `first_blood` has no alternative `scot`",
            "did you mean `scots`?",
        ),
        (
            "repeal step auction.bid §2.3\n",
            "the phase `auction` has no step `bid`",
            "did you mean `bids`?",
        ),
        (
            "amend step auction.bids §2.3\n  if castle[Fife] > 0\n    step bidz\n",
            "the step `bidz` is empty",
            "did you mean `bids`?",
        ),
        (
            "amend step game.foo §2.3\n  auction()\n",
            "the phase `game` has no step `foo`",
            "it has none; `amend phase game …` changes it as a whole",
        ),
        (
            "amend define prize = 4 §1\n",
            "the ruleset below has no definition `prize`",
            "`prize` is a variable",
        ),
        (
            "settle sudden_death = true §1\n",
            "expected a name, got `true`",
            "a reading is settled by the name of an alternative; "
            "if `sudden_death` is an option, write `amend option sudden_death …` to change its value",
        ),
    ],
)
def test_a_misspelt_part_is_one_fault(
    edition: Edition, lines: str, headline: str, remedy: str
) -> None:
    with pytest.raises(hr.RulesetError) as error:
        edition(lines)

    assert [(headline, remedy)] == [(each.headline, each.help) for each in error.value.faults]


@pytest.mark.parametrize(
    ("line", "remedy"),
    [
        (
            "amend define combat_round = 4 hots-4.0§5.1",
            "`combat_round` is a variable; did you mean `combat_rounds`?",
        ),
        ("amend define combat_rounds = 4 hots-4.0§5.111", "did you mean `hots-4.0§5.1`?"),
        ("settle schiltroms = maybe hots-4.0§5.1", "`amend option schiltroms …` changes its value"),
    ],
)
def test_the_remedy_names_what_was_meant(tmp_path: Path, line: str, remedy: str) -> None:
    path = tmp_path / "house.rules"
    path.write_text(f'ruleset house-1.0 "House rules"\n  extends hots-4.0\n{line}\n', "utf-8")
    with pytest.raises(hr.RulesetError) as error:
        hr.load(path)
    (fault,) = error.value.faults

    assert fault.help.endswith(remedy)


@pytest.mark.parametrize(
    ("lines", "amended"),
    [
        ('option hand_limit : 0..5 = 3 §2.3 "Cards."', "define hand_limit"),
        ('rule no_peeking §2.1 "No."\n  forbid peek', "rule no-peeking"),
        ("state\n  year : 1..2", "state"),
        ("define recovery = 1  §2.3", "stage recovery"),
    ],
)
def test_the_remedy_for_a_name_that_is_taken_can_be_written(
    edition: Edition, lines: str, amended: str
) -> None:
    with pytest.raises(hr.RulesetError) as error:
        edition(f"{lines}\n")
    assert f"write `amend {amended}` to change the one of tiny-1.0" in error.value.faults[0].help


def test_a_fault_of_an_action_stands_at_it_beside_a_rule_of_its_name(edition: Edition) -> None:
    action = 'amend action peek §2.1 "Look."\n  permit when hand[foe(actor)] = 0\n'
    rule = 'rule peek §2.1 "Nobody passes."\n  forbid pass when year = 1298\n'
    with pytest.raises(hr.RulesetError) as error:
        edition(action + rule)
    assert [("secret-unknown", 3)] == [(each.code, each.place.line) for each in error.value.faults]

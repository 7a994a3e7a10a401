"""One clause may be for several actions, and a sentence has expressions in its braces."""

from pathlib import Path

import pytest

import hots_rules as hr
from hots_rules.diagnostics import RulesetError
from hots_rules.rules import find_source
from hots_rules.rules.load import load_rulebook
from tests.folders import TESTS

TINY = TESTS / "mistakes"
HEAD = 'ruleset house-1.0 "House rules"\n  extends tiny-1.0\n'
SENTENCE = "{b} leaves {foe(actor)} alone in {year + 1}"
TOGETHER = f"""rule calm tiny-1.0§2.2 "Nobody is hurt."
  forbid strike(b), march(b) when b = Wallace
    because "{SENTENCE}"
"""
APART = f"""rule calm tiny-1.0§2.2 "Nobody is hurt."
  forbid strike(b) when b = Wallace
    because "{SENTENCE}"
  forbid march(b) when b = Wallace
    because "{SENTENCE}"
"""
FRENCH = f'label fr\n  text "{SENTENCE}" = "En {{year + 1}}, {{b}} laisse {{foe(actor)}} en paix"\n'


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A file beside the tiny game."""
    for name in ("tiny-1.0.rules", "sections.csv"):
        (tmp_path / name).write_text((TINY / name).read_text("utf-8"), "utf-8")
    return tmp_path / "house.rules"


def ruling(path: Path, text: str, action: str, language: str = "en") -> str:
    """Why an action is not legal at the beginning of the tiny game, under a house rule."""
    path.write_text(HEAD + text, encoding="utf-8")
    game = hr.load(path).start("duel", seed=1)
    return game.in_language(language).why_not(action).text("sentence")


@pytest.mark.parametrize(
    "action", ["Scotland: strike with Wallace", "Scotland: march Wallace to Mar"]
)
def test_a_clause_for_two_actions_is_two_clauses(house: Path, action: str) -> None:
    assert ruling(house, APART, action) == ruling(house, TOGETHER, action)
    assert "Wallace leaves England alone in 1298 (calm §2.2)." in ruling(house, TOGETHER, action)


def test_a_translation_has_the_same_expressions(house: Path) -> None:
    answer = ruling(house, TOGETHER + FRENCH, "Scotland: strike with Wallace", "fr")

    assert "En 1298, ‹Wallace› laisse ‹England› en paix (calm §2.2)." in answer


def test_a_fault_in_a_sentence_points_into_it(house: Path) -> None:
    house.write_text(HEAD + TOGETHER.replace("foe(", "fo("), encoding="utf-8")
    with pytest.raises(RulesetError) as error:
        load_rulebook(find_source(house))

    [fault] = error.value.faults
    assert ("unknown-name", 5, 26) == (fault.code, fault.place.line, fault.place.column)


def test_a_translation_has_no_other_expressions(house: Path) -> None:
    house.write_text(HEAD + TOGETHER + FRENCH.replace("{year + 1},", "{year},"), encoding="utf-8")
    with pytest.raises(RulesetError) as error:
        load_rulebook(find_source(house))

    assert ["unknown-name"] == [fault.code for fault in error.value.faults]


def test_a_policy_prefers_the_actions_of_a_line_in_order(house: Path) -> None:
    house.write_text(HEAD + 'policy quiet "Quiet."\n  prefer pass, peek when year > 1297\n')
    policy = hr.load(house).rulebook.typed.policies["quiet"]

    assert ["pass", "peek"] == [preference.action for preference in policy.clauses]

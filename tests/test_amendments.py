"""Editions that change a small part of a declaration: what plays, what is compared, and the faults."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import hots_rules as hr

MISTAKES = Path(__file__).parent / "mistakes"
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

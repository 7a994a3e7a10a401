"""Of a witness's position the lines come first that its answers depend on."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

import hots_rules as hr
from tests.casebook import HAMMER
from tests.listing import assert_none

POSITION = """truce Scotland
Grant: place Dunbar, strength 1
York_Knights: place England, strength 2
Norse: place Ross
Angus: place Ross
Mar: place Ross
Ross: place Ross
England: played Truce
England, Move_1: hand 2
begin at choose in movement(s Scotland) in years
"""


def made(action: str, *verdict: str) -> hr.witness.Witness:
    return hr.witness.Witness("legal", "a", "b", POSITION, action, verdicts=(("legal",), verdict))


def test_facts_of_the_game_named_pieces_and_who_stands_there_are_told() -> None:
    facts = hr.witness.position_facts(made("Scotland: move Grant Dunbar-England"))

    assert facts.essential == (
        "truce Scotland",
        "Grant: place Dunbar, strength 1",
        "York_Knights: place England, strength 2",
        "England: played Truce",
    )
    assert facts.others[0] == "Norse: place Ross"
    assert facts.others[-1].startswith("begin at ")


def test_what_an_answer_names_is_told() -> None:
    witness = made("Scotland: move Grant Dunbar-England", "place of Angus is Pool")
    facts = hr.witness.position_facts(witness, ["Mar is among the nobles"])

    assert {"Angus: place Ross", "Mar: place Ross"} <= {*facts.essential}
    assert "Norse: place Ross" in facts.others


def test_a_name_is_the_same_with_spaces_and_underscores() -> None:
    facts = hr.witness.position_facts(made("England: fire York Knights"))

    assert "York_Knights: place England, strength 2" in facts.essential


def test_positions_that_play_kept_are_folded_together() -> None:
    kept = "".join(f"{i}: position_first {i}, position_second {i}\n" for i in range(1, 46))
    position = f"mover Red\nposition_next 46\nA: place North\n{kept}"
    witness = hr.witness.Witness("legal", "a", "b", position, "Red: move A 1-2", ())
    facts = hr.witness.position_facts(witness, ["2 is 45"])

    assert facts.essential == ("mover Red", "A: place North")
    assert len(facts.others) == 46


def test_a_few_other_lines_are_not_folded() -> None:
    short = hr.witness.Witness("legal", "a", "b", "year 1301\nA: place North\n", "Red: wait")

    assert hr.witness.position_facts(short) == hr.witness.PositionFacts(
        ("year 1301", "A: place North"), ()
    )


@pytest.mark.parametrize(("old", "new"), list(pairwise(HAMMER)))
def test_the_kept_witnesses_tell_of_every_piece_of_the_action_in_few_lines(
    old: str, new: str
) -> None:
    lost, lines = [], []
    for name, witness in hr.witness.kept_witnesses(old, new).witnesses.items():
        facts = hr.witness.position_facts(witness)
        words = {*re.findall(r"[^\W_]+", witness.action)}
        lost += [
            f"{name}: {line}"
            for line in facts.others
            if {*re.findall(r"[^\W_]+", line.partition(": ")[0])} <= words
        ]
        lines.append(len(facts.essential))
        assert (*sorted(facts.essential + facts.others),) == (
            *sorted(line.strip() for line in witness.position.splitlines()),
        )

    assert_none(lost)
    assert max(lines) <= 40
    assert sorted(lines)[len(lines) // 2] <= 20

"""Conditions that may fail, in the functions that list legal actions: what is written before them guards them."""

from __future__ import annotations

from random import Random

import pytest

from tests.compile.conditions import HEAD, actions
from tests.compile.test_conditions import meanings

LONE = "the({b in next[a] where b in seen[Red]})"  # fails unless there is one
GUARDED = {
    "a guard on a later parameter": "(by[j] = 4 and by[power[p]] > 0)",
    "a guard on two later parameters": f"(by[j] = 4 and power[p] = 3 and worth[{LONE}] > 0)",
    "a guard on the member of a set": f"(power[p] = 3 and p in group(Red, {LONE}))",
    "no member of a set": f"(power[p] = 3 and p not in group(Red, {LONE}))",
    "a guard without parameters": "(n > 2 and by[power[p]] > 0)",
    "a guard that may fail, too": f"(by[j] = 4 and by[power[p]] > 0 and worth[{LONE}] > 0)",
    "a guard after it": "(by[power[p]] > 0 and by[j] = 4)",
}
STATES = 12


@pytest.mark.parametrize("kind", GUARDED)
def test_what_may_fail_is_computed_only_where_what_is_written_before_it_holds(kind: str) -> None:
    text = HEAD + actions([GUARDED[kind]])

    assert {codes is None for codes in meanings(text, Random(kind), STATES)} == {True, False}


def test_an_action_without_parameters_may_ask_for_a_member_of_a_set_that_may_fail() -> None:
    lone = "Fox in group(Red, the({b in Area where b in seen[Red]}))"
    text = HEAD + actions(["j = 4"]).replace("  permit\n", f"  permit when {lone}\n")
    listed = meanings(text, Random(1), 4 * STATES)

    assert {None if codes is None else len(codes) for codes in listed} == {None, 0, 1}

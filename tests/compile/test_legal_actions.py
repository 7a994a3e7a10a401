"""Conditions that may fail, in the functions that list legal actions: what is written before them guards them."""

from __future__ import annotations

from random import Random

import pytest

from hots_rules.compile.link import link_rules
from tests.compile.conditions import HEAD, actions
from tests.compile.test_compile import evaluator, machine_and_meaning, random_slots
from tests.compile.test_conditions import listed, meant

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
    machine, book, schema = machine_and_meaning(HEAD + actions([GUARDED[kind]]))
    start, chooser, found = machine.begin("only"), Random(kind), set()
    machine.run(start, start[0], "1")
    for _ in range(STATES):
        slots = random_slots(schema, machine.initial, chooser)
        slots[0] = start[0]
        expected = meant(link_rules(book.typed, {}), evaluator(book, schema, slots))
        found.add(expected is None)
        assert listed(machine, slots) == expected
    assert found == {True, False}


def test_an_action_without_parameters_may_ask_for_a_member_of_a_set_that_may_fail() -> None:
    lone = "Fox in group(Red, the({b in Area where b in seen[Red]}))"
    text = HEAD + actions(["j = 4"]).replace("  permit\n", f"  permit when {lone}\n")
    machine, book, schema = machine_and_meaning(text)
    start, chooser, counts = machine.begin("only"), Random(1), set()
    machine.run(start, start[0], "1")
    for _ in range(4 * STATES):
        slots = random_slots(schema, machine.initial, chooser)
        slots[0] = start[0]
        expected = meant(link_rules(book.typed, {}), evaluator(book, schema, slots))
        counts.add(None if expected is None else len(expected))
        assert listed(machine, slots) == expected
    assert counts == {None, 0, 1}

"""Random conditions of all kinds: Python and machine code list the actions that the plain evaluator finds legal."""

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

import hots_rules as hr
from hots_rules.compile.codes import codes_of
from hots_rules.compile.evaluate import Evaluator
from hots_rules.compile.link import LinkedRules, link_rules
from hots_rules.compile.machine import Machine
from hots_rules.native.refusal import NotLowered
from tests.compile.conditions import HEAD, Conditions, actions
from tests.compile.test_compile import evaluator, machine_and_meaning, random_slots
from tests.native.stepping import Stepper
from tests.native.test_lowering import code_of
from tests.sizes import sample_size

STATES = 3


def accepted(conditions: list[str], *, in_definitions: bool) -> list[str]:
    """The conditions without those that have a fault, as one that is always true."""
    try:
        machine_and_meaning(HEAD + actions(conditions, in_definitions))
    except hr.RulesetError as error:
        first, each = HEAD.count("\n") + 1, 3 if in_definitions else 2  # lines of a condition
        faulty = {(fault.place.line - first) // each for fault in error.faults}
        kept = [text for number, text in enumerate(conditions) if number not in faulty]
        assert len(kept) < len(conditions), error
        return accepted(kept, in_definitions=in_definitions) if kept else []
    return conditions


def meant(linked: LinkedRules, meaning: Evaluator) -> list[int] | None:
    """The codes of the legal actions of the first player; None if a condition fails."""
    found, base = [], 0
    for action in linked.actions.values():
        combinations = product(*(codes_of(param.type) for param in action.params))
        for code, values in enumerate(combinations, base):
            known = dict(zip([param.name for param in action.params], values, strict=True))
            known[action.actor.name] = 0
            try:
                if any(meaning.value(clause.when, known) for clause in action.clauses):
                    found.append(code)
            except hr.EngineError:
                return None
        base += action.code_count
    return found


def listed(lister: Machine | Stepper, slots: list[int]) -> list[int] | None:
    """The codes of the legal actions in order; None if a condition fails."""
    try:
        found = lister.legal(list(slots))
    except hr.EngineError:
        return None
    return None if found is None else sorted(found)


def listers(machine: Machine) -> list[Machine | Stepper]:
    """The ruleset in Python, and in machine code where that is installed and does not refuse it."""
    try:
        return [machine, Stepper(code_of(machine, "wasm"))]
    except (NotLowered, pytest.skip.Exception):
        return [machine]


def meanings(text: str, chooser: Random, states: int) -> Iterator[list[int] | None]:
    """What is legal in random states by the plain evaluator, after the compiled ruleset was held against it."""
    machine, book, schema = machine_and_meaning(text)
    linked, start = link_rules(book.typed, {}), machine.begin("only")
    machine.run(start, start[0], "1")
    for _ in range(states):
        slots = random_slots(schema, machine.initial, chooser)
        slots[0] = start[0]
        expected = meant(linked, evaluator(book, schema, slots))
        assert listed(machine, slots) == expected
        yield expected


def assert_every_machine_means(condition: str, seed: str, definitions: str = "") -> None:
    """Hold what each machine lists under a condition against the plain evaluator, in random states."""
    machine, book, schema = machine_and_meaning(HEAD + definitions + actions([condition]))
    linked, start, chooser = link_rules(book.typed, {}), machine.begin("only"), Random(seed)
    machine.run(start, start[0], "1")
    for _ in range(12):
        slots = random_slots(schema, machine.initial, chooser)
        slots[0] = start[0]
        expected = meant(linked, evaluator(book, schema, slots))
        for lister in listers(machine):
            assert listed(lister, slots) == expected


DEARER = "define dearer(a: Area, among: set of Area) = {b in among where cost[b] > cost[a] or worth[b] < n}\n"
CHOSEN = {
    "with others": "(some dearer(a, next[spot]) & {b in Area where holder[b] = none})",
    "among others": "(count(near(spot) & dearer(spot, near(a)) & next[a]) > 0)",
    "with a set that may fail": "(n > 2 and some dearer(a, near(spot)) & {the(next[a])})",
}


@pytest.mark.parametrize("kind", CHOSEN)
def test_what_is_chosen_and_in_other_sets_is_chosen_among_them(kind: str) -> None:
    assert_every_machine_means(CHOSEN[kind], kind, DEARER)


def test_a_set_that_fails_is_not_skipped_where_no_member_can_satisfy_the_condition() -> None:
    text = HEAD + actions(["(all x in next[the({Hill, spot})]: n > 2)"])

    assert {codes is None for codes in meanings(text, Random(3), 8)} == {True, False}


@pytest.mark.thorough
@pytest.mark.parametrize("is_risky", [False, True])
@pytest.mark.parametrize("in_definitions", [False, True])
def test_conditions_list_what_they_mean(is_risky: bool, in_definitions: bool) -> None:
    chooser = Random(f"conditions {is_risky} {in_definitions}")
    # Those that may fail come one by one: where one fails, nothing is listed.
    rulesets, each = (sample_size(8, 300), 1) if is_risky else (sample_size(2, 80), 20)
    compared = failed = 0
    draw = Conditions(chooser, is_risky)
    for _ in range(rulesets):
        drawn = [draw.condition(chooser.randint(2, 4)) for _ in range(each)]
        conditions = accepted(drawn, in_definitions=in_definitions)
        machine, book, schema = machine_and_meaning(HEAD + actions(conditions, in_definitions))
        linked, start = link_rules(book.typed, {}), machine.begin("only")
        machine.run(start, start[0], "1")
        both = listers(machine)
        for _ in range(STATES):
            slots = random_slots(schema, machine.initial, chooser)
            slots[0] = start[0]
            expected = meant(linked, evaluator(book, schema, slots))
            for lister in both:
                assert listed(lister, slots) == expected, (lister, conditions)
            compared += len(conditions)
            failed += expected is None

    assert compared > rulesets
    assert failed < compared

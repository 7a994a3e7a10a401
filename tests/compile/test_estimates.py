"""The estimate of a list of legal actions is never below the steps that it takes, and not far above."""

from __future__ import annotations

from random import Random

import pytest

import hots_rules as hr
from hots_rules.compile.codegen.emit import EmittedModule, emit
from hots_rules.compile.codes import DecisionPoint
from hots_rules.compile.evaluate import Budget
from hots_rules.compile.link import link_rules
from hots_rules.compile.machine import Machine
from tests.compile.counted_steps import StepCounter
from tests.playing import SAMPLES


def emitted_of(rules: hr.Ruleset) -> EmittedModule:
    typed = rules.compiled.typed
    settings = {setting.name: setting.default for setting in typed.settings.values()}
    return emit(link_rules(typed, settings, Budget.to_compile(rules.limits.ruleset_steps)))


def dearest_listing(
    rules: hr.Ruleset, machine: Machine, listing: dict[str, int], seed: str, most: int
) -> tuple[int, int]:
    """The most steps of a list of legal actions in a random game, and the estimate of that list.

    Raises:
        AssertionError: some list took more than its estimate.
    """
    counter, chooser = StepCounter(machine), Random(seed)
    slots = machine.begin(next(iter(machine.facts.scenarios)))
    machine.run(slots, slots[0], seed)
    dearest = 0, 0
    for _ in range(most):
        point = machine.point(slots)
        if not isinstance(point, DecisionPoint):
            break
        facts = machine.facts.points[-1 - slots[0]]
        players = len(machine.facts.players) if point.waiting is not None else 1
        estimate = sum(listing[name] for name in facts.actions) * players
        before = counter.counted
        codes = counter.legal(slots)
        counted = counter.counted - before
        assert counted <= estimate + 20, (facts.actions, counted, estimate)
        dearest = max(dearest, (counted, estimate))
        machine.play(slots, chooser.choice(codes), seed)
    return dearest


@pytest.mark.parametrize("name", SAMPLES)
def test_an_estimate_is_an_upper_bound_near_what_is_counted(name: str) -> None:
    rules = hr.load(name)
    machine, listing = rules.compiled.default_machine, emitted_of(rules).listing_steps
    counted, estimate = max(
        dearest_listing(rules, machine, listing, f"game {number}", 300) for number in range(2)
    )
    print(f"{name:16} {counted:12,} {estimate:12,} {estimate / max(counted, 1):8.1f}")

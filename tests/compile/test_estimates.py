"""The estimate of a list of legal actions is never below the steps that it takes, and not far above."""

from __future__ import annotations

from random import Random

import pytest
from attrs import frozen

import hots_rules as hr
from hots_rules.compile.codegen.emit import EmittedModule, emit
from hots_rules.compile.codes import HALT, DecisionPoint
from hots_rules.compile.evaluate import Budget
from hots_rules.compile.link import link_rules
from tests.compile.counted_steps import StepCounter
from tests.playing import SAMPLES

OF_A_DECISION = 20  # steps to put the lists of its actions together


def emitted_of(rules: hr.Ruleset) -> EmittedModule:
    typed = rules.compiled.typed
    settings = {setting.name: setting.default for setting in typed.settings.values()}
    return emit(link_rules(typed, settings, Budget.to_compile(rules.limits.ruleset_steps)))


@frozen
class Dearest:
    """The list of legal actions in a random game that took most steps, with its estimate; the same of play."""

    listing: tuple[int, int]
    play: tuple[int, int]


def dearest_of(rules: hr.Ruleset, seed: str, most: int) -> Dearest:
    """The dearest moments of a random game.

    Raises:
        AssertionError: something took more than its estimate.
    """
    machine, listing = rules.compiled.default_machine, emitted_of(rules).listing_steps
    counter, chooser = StepCounter(machine), Random(seed)
    slots = machine.begin(next(iter(machine.facts.scenarios)))
    machine.run(slots, slots[0], seed)
    dearest, longest = (0, 0), (0, 0)
    for _ in range(most):
        point = machine.point(slots)
        if not isinstance(point, DecisionPoint):
            break
        facts = machine.facts.points[-1 - slots[0]]
        players = len(machine.facts.players) if point.waiting is not None else 1
        estimate = OF_A_DECISION + sum(listing[name] for name in facts.actions) * players
        counter.counted = 0
        codes = counter.legal(slots)
        assert counter.counted <= estimate, facts.actions
        dearest = max(dearest, (counter.counted, estimate))
        code = chooser.choice(codes)
        if point.waiting is not None:
            slots[point.waiting] &= ~(1 << machine.player_of(code))
        block = machine.actions[machine.action_of(code)][1](slots, code, point.after)
        while block >= 0:
            before, counter.counted = block, 0
            block = counter.blocks[block](slots)
            assert counter.counted <= machine.steps[before], before
            longest = max(longest, (counter.counted, machine.steps[before]))
        if block == HALT:
            break
        slots[0] = block
        if not isinstance(machine.point(slots), DecisionPoint):
            machine.resume(slots, machine.outcomes(slots)[0][0], seed)
    return Dearest(dearest, longest)


@pytest.mark.parametrize("name", SAMPLES)
def test_an_estimate_is_an_upper_bound_near_what_is_counted(name: str) -> None:
    rules = hr.load(name)
    dearest = max(
        (dearest_of(rules, f"game {number}", 300) for number in range(2)), key=lambda d: d.listing
    )
    for what, (counted, estimate) in (("list", dearest.listing), ("play", dearest.play)):
        print(f"{name:16} {what} {counted:12,} {estimate:12,} {estimate / max(counted, 1):8.1f}")

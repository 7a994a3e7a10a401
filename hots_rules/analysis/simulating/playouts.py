"""Random games in Python, on packed states."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from hots_rules.compile.codes import POINT, REASON, Slots
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import EngineError
from hots_rules.native.batch import Ended
from hots_rules.native.cached_code import MAX_DECISIONS
from hots_rules.native.runtime.counting import counts_of
from hots_rules.native.runtime.digests import ActionDigest
from hots_rules.native.runtime.pairing import PairedChooser
from hots_rules.play.action import NO_ACTION
from hots_rules.state.schema import StateSchema
from hots_rules.state.state import State


def playout(
    machine: Machine,
    slots: Slots,
    seed: str,
    chooser: Random,
    note: Callable[[list[int]], None] | None = None,
) -> int:
    """Play a packed state in place with random moves until the game ends; return the number of decisions.

    The legal actions of each decision are handed to `note`.

    Raises:
        EngineError: nobody has a legal action, or the ruleset violates another of its bounds.
    """
    decisions = 0
    pick = chooser.random
    while slots[POINT] and decisions < MAX_DECISIONS:
        legal = machine.legal(slots)
        if not legal:
            raise dead_end(machine, slots)
        if note is not None:
            note(legal)
        machine.play(slots, legal[int(pick() * len(legal))], seed)
        decisions += 1
    return decisions


def dead_end(machine: Machine, slots: Slots) -> EngineError:
    """The error of a decision at which nobody has a legal action."""
    # A late import: few games need it, and it loads slowly.
    from hots_rules.state.position import position_text

    point, schema = machine.facts.points[-1 - slots[POINT]], StateSchema(machine.facts)
    return EngineError(
        NO_ACTION.format(phase=point.phase), position=position_text(State(tuple(slots), schema))
    )


def play_paired(slots: Slots, chooser: PairedChooser) -> Ended:
    """Play a packed state in place as `play_in_python` does, but with the choices of paired games.

    Raises:
        EngineError: nobody has a legal action, or the ruleset violates another of its bounds.
    """
    machine = chooser.machine
    try:
        decisions = chooser.play(slots, MAX_DECISIONS)
    except IndexError:
        raise dead_end(machine, slots) from None
    return Ended(
        machine.outcome(slots),
        slots[REASON],
        machine.is_over(slots),
        decisions,
        slots,
        chooser.digest,
        chooser.trail.tobytes(),
        counts_of(slots),
    )


def play_in_python(machine: Machine, slots: Slots, seed: str, *, has_digest: bool = False) -> Ended:
    """Play a packed state in place with random moves, from where it waits or begins to the end of the game.

    Raises:
        EngineError: nobody has a legal action, or the ruleset violates another of its bounds.
    """
    if not machine.is_over(slots):
        machine.run(slots, slots[POINT], seed)
    digest = ActionDigest(machine) if has_digest else None
    decisions = playout(machine, slots, seed, Random(seed), digest.note if digest else None)
    return Ended(
        machine.outcome(slots),
        slots[REASON],
        machine.is_over(slots),
        decisions,
        slots,
        digest.value if digest else 0,
        counts=counts_of(slots),
    )

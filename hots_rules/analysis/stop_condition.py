"""Where the computation of odds stops, and when it is given up."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from attrs import field, frozen

from hots_rules.analysis.outcome_tree import TooManyStates
from hots_rules.compile.codes import HALT, POINT
from hots_rules.compile.machine import Machine
from hots_rules.compile.points import Slots
from hots_rules.diagnostics import UnknownOption
from hots_rules.play.game import BaseGame

DECISION, GAME = "decision", "game"


@frozen
class StopCondition:
    """Tells at which states to stop: at the end of the game, at a decision, or when something is over.

    A phase, event or action that is running has a slot with the block to return to. It is set to halt
    instead of returning.

    Attributes:
        machine: the machine of the game.
        actions: stop where one of these can be chosen; None for no decision.
        return_slots: the slots of what must be over.
    """

    machine: Machine
    actions: frozenset[str] | None = None
    return_slots: tuple[int, ...] = ()

    @classmethod
    def parse(cls, game: BaseGame, until: str) -> StopCondition:
        """The condition of an `until`: see `Game.odds`.

        Raises:
            UnknownOption: no phase, event or action of that name contains a decision.
        """
        machine = game.machine
        actions = {action.name for action in machine.facts.actions}
        if until == DECISION:
            return cls(machine, frozenset(actions))
        if until == GAME:
            return cls(machine)
        text = str(until)
        if text.startswith("choose ") and text.removeprefix("choose ") in actions:
            return cls(machine, frozenset({text.removeprefix("choose ")}))
        return_slots = {
            key.partition(" ")[2]: slot
            for key, slot in machine.facts.return_slots.items()
            if not key.startswith("scenario ")
        }
        if text not in return_slots:
            raise UnknownOption("until", (DECISION, GAME, *sorted(return_slots)), text[:80])
        return cls(machine, None, (return_slots[text],))

    def __call__(self, slots: Slots) -> bool:
        """Whether to stop at a state."""
        if slots[POINT] == 0:
            return True
        self.halt_on_return(slots)
        if self.actions is None:
            return False
        point = self.machine.facts.points[-1 - slots[POINT]]
        return not self.actions.isdisjoint(point.actions)

    def halt_on_return(self, slots: Slots) -> None:
        """Makes what is running halt when it is over."""
        for slot in self.return_slots:
            if slots[slot]:
                slots[slot] = HALT


@frozen
class ProgressLimit:
    """Reports progress, and gives up after a time.

    Attributes:
        on_progress: called with the number of states explored so far.
        seconds: the time limit; None for none.
    """

    on_progress: Callable[[int], None] | None
    seconds: float | None
    _start: float = field(factory=monotonic)

    def __call__(self, states: int) -> None:
        """Reports the number of states.

        Raises:
            TooManyStates: the time is up.
        """
        if self.on_progress is not None:
            self.on_progress(states)
        if self.seconds is not None and monotonic() - self._start > self.seconds:
            raise TooManyStates(f"not finished within {self.seconds:g} s")

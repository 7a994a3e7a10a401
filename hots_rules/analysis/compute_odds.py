"""Computes odds: by enumeration of all outcomes of chance, or by sampling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from random import Random
from time import monotonic

from attrs import field, frozen

from hots_rules.analysis.odds import Odds
from hots_rules.analysis.outcome_tree import OutcomeTree, TooManyStates
from hots_rules.analysis.policy import Chooser, Policy
from hots_rules.compile.codes import HALT, POINT, DecisionPoint, Slots
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import UnknownOption
from hots_rules.play.action import Action
from hots_rules.play.game import BaseGame
from hots_rules.play.parse_action import parse_action

DECISION, GAME = "decision", "game"
MAX_STEPS = 100_000  # decisions and outcomes of chance of one sample


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


def odds(
    game: BaseGame,
    action: Action | str | None,
    until: str,
    policy: Policy | Mapping[str, Policy] | None,
    states: int,
    seconds: float | None,
    samples: int,
    seed: int | str,
    on_progress: Callable[[int], None] | None,
) -> Odds:
    """See `Game.odds`."""
    machine, slots = game.machine, list(game.state.slots)
    if action is not None:
        machine.move(slots, parse_action(game, action), None)
    chooser = Chooser(game, policy if policy is not None else {})
    stop = StopCondition.parse(game, until)
    stop.halt_on_return(slots)
    limit = ProgressLimit(on_progress, seconds)
    tree = OutcomeTree(machine, chooser, stop, _positive("states", states), limit)
    try:
        goals = chooser.goals
        terminal = tree.terminal_states(slots, lambda end, goal: Fraction(goals[goal].code(end)))
    except TooManyStates:
        if not samples or chooser.goals:
            raise
        return _sampled(game, slots, until, stop, chooser, _positive("samples", samples), seed)
    return Odds(game, until, True, terminal.explored, 0, _merged(terminal.states), terminal.total)


def _positive(name: str, number: int) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise UnknownOption(name, ("a whole number above 0",), str(number)[:80])
    return number


def _merged(weighted: Iterable[tuple[Slots, int]]) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Equal states as one, with the sum of their weights."""
    weights = Counter[tuple[int, ...]]()
    for slots, weight in weighted:
        weights[tuple(slots)] += weight
    return tuple(weights.items())


def _sampled(
    game: BaseGame,
    start: Slots,
    until: str,
    stop: StopCondition,
    chooser: Chooser,
    samples: int,
    seed: int | str,
) -> Odds:
    """Odds estimated from samples, each with its own seed."""
    ends = []
    for number in range(samples):
        own_seed = f"{seed}/{number}"
        slots, random = start.copy(), Random(own_seed)
        for _ in range(MAX_STEPS):
            if stop(slots):
                break
            _step(game.machine, slots, chooser, own_seed, random)
        ends.append((slots, 1))
    merged = _merged(ends)
    return Odds(game, until, False, len(merged), samples, merged, samples)


def _step(machine: Machine, slots: Slots, chooser: Chooser, seed: str, random: Random) -> None:
    point = machine.point(slots)
    assert point is not None
    if not isinstance(point, DecisionPoint):
        machine.resume(slots, machine.sample(slots, point, seed), None)
        return
    chosen = chooser(slots, machine.legal(slots))
    assert not isinstance(chosen, int), "goals are not sampled"
    machine.play(slots, chosen[int(random.random() * len(chosen))][0], None)

"""Computes odds: by enumeration of all outcomes of chance, or by sampling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from random import Random
from time import monotonic

from attrs import define, field, frozen

from hots_rules.analysis.chances.odds import Odds
from hots_rules.analysis.chances.outcome_tree import BYTES_PER_STATE, OutcomeTree
from hots_rules.analysis.errors import TooManyStates
from hots_rules.analysis.policies.policy import STEPS_PER_PART, Chooser, Policy, steps_text
from hots_rules.compile.codes import HALT, POINT, DecisionPoint, Slots
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import BadArgument, check_seed
from hots_rules.play.action import Action
from hots_rules.play.game import BaseGame
from hots_rules.play.parse_action import parse_action

DECISION, GAME = "decision", "game"
SHARE_OF_EXACT = 0.5  # of the time, where samples may have to follow
MAX_STEPS = 100_000  # decisions and outcomes of chance of one sample


@frozen
class StopCondition:
    """Whether to stop at a state: at the end of the game, at a decision, or when something is over.

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
            BadArgument: no phase, event or action of that name contains a decision.
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
        return_slots: dict[str, list[int]] = {}
        for key, slot in machine.facts.return_slots.items():
            kind, _, name = key.partition(" ")
            if kind != "scenario":
                return_slots.setdefault(name, []).append(slot)
                if text == key:
                    return cls(machine, None, (slot,))
        if text not in return_slots:
            raise BadArgument("until", text[:80], allowed=(DECISION, GAME, *sorted(return_slots)))
        return cls(machine, None, tuple(return_slots[text]))

    def __call__(self, slots: Slots) -> bool:
        """Whether to stop at a state; what has begun of `return_slots` is set to halt, in place."""
        if slots[POINT] == 0:
            return True
        self.halt_on_return(slots)
        if self.actions is None:
            return False
        point = self.machine.facts.points[-1 - slots[POINT]]
        return not self.actions.isdisjoint(point.actions)

    def halt_on_return(self, slots: Slots) -> None:
        """Let what is running halt instead of returning, in place."""
        for slot in self.return_slots:
            if slots[slot]:
                slots[slot] = HALT


@define
class ProgressLimit:
    """Reports progress, and gives up after a time or some steps, or beyond an amount of memory.

    Attributes:
        on_progress: called now and then with the number of states so far; of samples, of all their states.
        seconds: the time limit of everything; None for none.
        memory: the bytes that the states may need.
        steps: the most steps of everything, if there is no time limit.
        spent: gives the steps so far.
        share: the part of the time, or of the steps, that the exact computation may take.
    """

    on_progress: Callable[[int], None] | None
    seconds: float | None
    memory: int
    steps: int
    spent: Callable[[], int]
    share: float = 1.0
    _calls: int = 0
    _start: float = field(factory=monotonic)

    def is_over(self, share: float = 1.0) -> bool:
        """Whether a part of the time or of the steps is used up."""
        if self.seconds is None:
            return self.spent() > self.steps * share
        return monotonic() - self._start > self.seconds * share

    @property
    def bound(self) -> str:
        """The time or the steps, in words."""
        return steps_text(self.steps) if self.seconds is None else f"{self.seconds:g} s"

    def report(self, states: int | None = None) -> None:
        """Report progress, at every 256th call: the number of states, or else of calls."""
        self._calls += 1
        if self.on_progress is not None and not self._calls & 0xFF:
            self.on_progress(self._calls if states is None else states)

    def check(self, states: int, size: int) -> None:
        """Report the number of states.

        Raises:
            TooManyStates: the time is up, the steps are spent, or the states need too much memory.
        """
        self.report(states)
        if size > self.memory:
            raise TooManyStates(f"{states} states need more than {self.memory} bytes")
        if self.is_over(self.share):
            raise TooManyStates(f"not finished within {self.bound}")


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
    memory: int,
) -> Odds:
    """See `Game.odds`."""
    is_time = isinstance(seconds, int | float) and not isinstance(seconds, bool) and seconds >= 0
    if seconds is not None and not is_time:
        raise BadArgument("seconds", str(seconds)[:80], "a number of seconds, or None")
    check_seed(seed)
    chooser, slots = Chooser(game, policy if policy is not None else {}), list(game.state.slots)
    machine, spent = _counted(game, chooser) if seconds is None else (game.machine, lambda: 0)
    most = game.ruleset.limits.odds_steps
    limit = ProgressLimit(on_progress, seconds, _positive("memory", memory), most, spent)
    if action is not None:
        machine.move(slots, parse_action(game, action), None)
    stop = StopCondition.parse(game, until)
    stop.halt_on_return(slots)
    goals = chooser.goals
    if samples != 0:
        _positive("samples", samples)
    can_sample = bool(samples) and not goals
    if can_sample:
        limit.share = SHARE_OF_EXACT
    tree = OutcomeTree(machine, chooser, stop, _positive("states", states), limit.check)
    try:
        terminal = tree.terminal_states(slots, lambda end, goal: Fraction(goals[goal].code(end)))
    except TooManyStates:
        if not can_sample:
            raise
        del tree
        return _sampled(game, machine, slots, until, stop, chooser, samples, seed, limit)
    return Odds(game, until, True, terminal.explored, 0, _merged(terminal.states), terminal.total)


def _counted(game: BaseGame, chooser: Chooser) -> tuple[Machine, Callable[[], int]]:
    """A machine that counts its steps, and a function that gives the steps from now on, those of policies included."""
    machine = game.ruleset.compiled.counting_machine(game.settings)
    before, budget = machine.spent, chooser.budget
    return machine, lambda: machine.spent - before + STEPS_PER_PART * budget.spent


def _positive(name: str, number: int) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise BadArgument(name, str(number)[:80], "a whole number above 0")
    return number


def _merged(weighted: Iterable[tuple[Slots, int]]) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Equal states as one, with the sum of their weights."""
    weights = Counter[tuple[int, ...]]()
    for slots, weight in weighted:
        weights[tuple(slots)] += weight
    return tuple(weights.items())


def _sampled(
    game: BaseGame,
    machine: Machine,
    start: Slots,
    until: str,
    stop: StopCondition,
    chooser: Chooser,
    samples: int,
    seed: int | str,
    limit: ProgressLimit,
) -> Odds:
    """Odds estimated from samples, each with its own seed: as many as the time and the memory allow."""
    ends = Counter[tuple[int, ...]]()
    most_ends = limit.memory // (8 * len(start) + BYTES_PER_STATE)
    for number in range(samples):
        end = _sample(machine, start, stop, chooser, f"{seed}/{number}", limit)
        if end is None or len(ends) > most_ends:
            break
        ends[end] += 1
    if not ends:
        raise TooManyStates(f"no sample was finished within {limit.bound}")
    done = ends.total()
    return Odds(game, until, False, len(ends), done, tuple(ends.items()), done)


def _sample(
    machine: Machine,
    start: Slots,
    stop: StopCondition,
    chooser: Chooser,
    seed: str,
    limit: ProgressLimit,
) -> tuple[int, ...] | None:
    """The end of a sample; None where the time is up or the steps are spent before."""
    slots, random = start.copy(), Random(seed)
    for _ in range(MAX_STEPS):
        if stop(slots):
            break
        if limit.is_over():
            return None
        limit.report()
        _step(machine, slots, chooser, seed, random)
    return tuple(slots)


def _step(machine: Machine, slots: Slots, chooser: Chooser, seed: str, random: Random) -> None:
    point = machine.point(slots)
    assert point is not None
    if not isinstance(point, DecisionPoint):
        machine.resume(slots, machine.sample(slots, point, seed), None)
        return
    chosen = chooser(slots, machine.legal(slots))
    assert not isinstance(chosen, int), "goals are not sampled"
    machine.play(slots, chosen[int(random.random() * len(chosen))][0], None)

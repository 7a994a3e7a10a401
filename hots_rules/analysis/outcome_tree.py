"""All possible outcomes of a state: a graph in which equal states are merged, with exact weights.

Play never returns to an earlier state (loops are counted), so the graph has no cycle. One pass from the
terminal states to the start and one pass back give every probability over one common denominator.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from fractions import Fraction
from math import lcm
from operator import itemgetter

from attrs import define, field, frozen

from hots_rules.compile.codes import OUTCOME, POINT, ChancePoint, DecisionPoint, DicePoint, Slots
from hots_rules.compile.machine import Machine
from hots_rules.compile.roll_classes import RollClasses
from hots_rules.diagnostics import HotsError

BYTES_PER_STATE, BYTES_PER_EDGE = 200, 140  # of Python's objects, apart from the slots
Edge = tuple[int, int]  # the number of the next state, and the weight of the edge

Choose = Callable[[Slots, Sequence[int]], "Sequence[tuple[int, int]] | int"]
"""The chosen ones of the legal codes, each with its weight; or the number of a goal to maximize."""


class TooManyStates(HotsError):
    """There are more states than the limit, they need more memory, or the time is up.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> game.odds(until="game", policy="random", states=10, samples=0)
    Traceback (most recent call last):
    hots_rules.analysis.outcome_tree.TooManyStates: more than 10 states
    """


@define
class _StateNumbers:
    """Numbers states, by those of their slots that differ from the first state in some state."""

    first: Slots
    numbers: dict[tuple[int, ...], int] = field(factory=dict)
    varying: list[int] = field(factory=list)
    _key: Callable[[Slots], tuple[int, ...]] = field(init=False)
    _fixed: list[tuple[slice, Slots]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._vary([POINT, OUTCOME])

    def _vary(self, slots: Iterable[int]) -> None:
        added = sorted(slots)
        values = tuple(self.first[slot] for slot in added)
        self.varying += added
        self._key = itemgetter(*self.varying)
        self._fixed = [(run, self.first[run]) for run in _runs(set(self.varying), len(self.first))]
        self.numbers = {(*key, *values): number for key, number in self.numbers.items()}

    def number(self, slots: Slots) -> int:
        """The number of a state, the same for equal states."""
        if any(slots[run] != values for run, values in self._fixed):
            known = set(self.varying)
            self._vary(
                slot
                for slot, (old, new) in enumerate(zip(self.first, slots, strict=True))
                if old != new and slot not in known
            )
        return self.numbers.setdefault(self._key(slots), len(self.numbers))

    def states_except(self, numbers: Container[int]) -> Iterator[tuple[int, Slots]]:
        """All states with their numbers, except some."""
        for key, number in self.numbers.items():
            if number in numbers:
                continue
            slots = self.first.copy()
            for slot, value in zip(self.varying, key, strict=False):
                slots[slot] = value
            yield number, slots


def _runs(varying: Container[int], size: int) -> Iterator[slice]:
    """The runs of slots that do not vary."""
    start = 0
    for slot in range(size + 1):
        if slot == size or slot in varying:
            if start < slot:
                yield slice(start, slot)
            start = slot + 1


@frozen
class TerminalStates:
    """The states at which exploration stopped.

    Attributes:
        states: the states, each with its weight out of `total`.
        total: the sum of the weights.
        explored: the number of all states explored.
    """

    states: tuple[tuple[Slots, int], ...]
    total: int
    explored: int


@define
class OutcomeTree:
    """Explores all possible outcomes of one state.

    Attributes:
        machine: the machine of the game.
        choose: what the players choose.
        stops: whether a state is terminal.
        limit: the maximum number of states.
        check: called at each state with the number of states so far and the bytes that they need; it raises
            to give up.
    """

    machine: Machine
    choose: Choose
    stops: Callable[[Slots], bool]
    limit: int
    check: Callable[[int, int], None] = lambda states, size: None
    _edges: dict[int, list[Edge]] = field(factory=dict, init=False)
    _goals: dict[int, int] = field(factory=dict, init=False)
    _order: list[int] = field(factory=list, init=False)
    _edge_count: int = field(default=0, init=False)
    _roll_classes: RollClasses = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._roll_classes = RollClasses(self.machine)

    def terminal_states(
        self, first: Slots, value: Callable[[Slots, int], Fraction]
    ) -> TerminalStates:
        """The terminal states of a state; `value(state, goal)` is the value of one for a goal.

        Raises:
            TooManyStates: there are more states than `limit`.
            EngineError: a rule violated one of its bounds.
        """
        states = self._explore(first)
        terminal = dict(states.states_except(self._edges))
        self._choose_best(terminal, value)
        weights, total = self._weights(len(states.numbers), self._size(states, len(terminal)))
        weighted = ((slots, weights.get(number, 0)) for number, slots in sorted(terminal.items()))
        reached = tuple(pair for pair in weighted if pair[1])
        return TerminalStates(reached, total, len(states.numbers))

    # -------------------------------------------------------------- the graph
    def _explore(self, first: Slots) -> _StateNumbers:
        """Visits all states depth first; `_order` lists each after all its successors."""
        states = _StateNumbers(first.copy())
        number = states.number(first)
        pending: list[tuple[int, Slots | None]] = [(number, first)]
        done: set[int] = set()
        while pending:
            number, slots = pending.pop()
            if slots is None:
                self._order.append(number)
            elif number not in done:
                done.add(number)
                pending.append((number, None))
                if not self.stops(slots):
                    pending += self._expand(number, slots, states, done, len(pending))
                if len(states.numbers) > self.limit:
                    raise TooManyStates(f"more than {self.limit} states")
        return states

    def _size(self, states: _StateNumbers, packed: int) -> int:
        """The bytes of the states so far, `packed` of which are lists of all slots."""
        keys = len(states.numbers) * (BYTES_PER_STATE + 8 * len(states.varying))
        lists = packed * (BYTES_PER_STATE + 8 * len(states.first))
        return keys + lists + BYTES_PER_EDGE * self._edge_count

    def _expand(
        self, number: int, slots: Slots, states: _StateNumbers, done: set[int], pending: int
    ) -> list[tuple[int, Slots]]:
        unvisited, edges = list[tuple[int, Slots]](), dict[int, int]()
        self.check(len(states.numbers), self._size(states, pending))
        for after, weight in self._successors(number, slots):
            successor = states.number(after)
            edges[successor] = edges.get(successor, 0) + weight
            if successor not in done:
                unvisited.append((successor, after))
        self._edges[number] = list(edges.items())
        self._edge_count += len(edges)
        return unvisited

    def _successors(self, number: int, slots: Slots) -> Iterator[tuple[Slots, int]]:
        """The next states, with integer weights."""
        machine = self.machine
        point = machine.point(slots)
        assert point is not None
        if not isinstance(point, DecisionPoint):
            yield from self._chance_successors(slots, point)
            return
        legal = machine.legal(slots)
        chosen = self.choose(slots, legal)
        if isinstance(chosen, int):
            self._goals[number] = chosen
            chosen = [(code, 1) for code in legal]
        for code, weight in chosen:
            after = slots.copy()
            machine.play(after, code, None)
            yield after, weight

    def _chance_successors(self, slots: Slots, point: ChancePoint) -> Iterator[tuple[Slots, int]]:
        """The states after each outcome of chance."""
        machine = self.machine
        if isinstance(point, DicePoint) and point.most is not None:
            for after, block, weight in self._roll_classes.successors(slots):
                machine.run(after, block, None)
                yield after, weight
            return
        outcomes = machine.outcomes(slots)
        common = lcm(*(chance.denominator for _, chance in outcomes))
        for outcome, chance in outcomes:
            after = slots.copy()
            machine.resume(after, outcome, None)
            yield after, chance.numerator * (common // chance.denominator)

    # -------------------------------------------------------------- weights
    def _choose_best(
        self, terminal: dict[int, Slots], value: Callable[[Slots, int], Fraction]
    ) -> None:
        """Keeps the best edge of each state at which a goal is maximized, from the terminal states back."""
        values: dict[int, dict[int, Fraction]] = {}
        goals = sorted(set(self._goals.values()))
        if not goals:
            return
        for number in self._order:
            edges = self._edges.get(number)
            if edges is None:
                values[number] = {goal: value(terminal[number], goal) for goal in goals}
                continue
            if number in self._goals:
                goal = self._goals[number]
                edges = [(max(edges, key=lambda edge: values[edge[0]][goal])[0], 1)]
                self._edges[number] = edges
            total = sum(weight for _, weight in edges)
            values[number] = {
                goal: sum((values[to][goal] * weight for to, weight in edges), Fraction()) / total
                for goal in goals
            }

    def _weights(self, states: int, size: int) -> tuple[dict[int, int], int]:
        """The weight of each state, and a total by which all weights are integers."""
        denominators: dict[int, int] = {}
        for number in self._order:
            edges = self._edges.get(number)
            if edges is None:
                denominators[number] = 1
            else:
                total = sum(weight for _, weight in edges)
                denominators[number] = total * lcm(*(denominators[to] for to, _ in edges))
                # The weight of the state becomes as long a number.
                size += denominators[number].bit_length() // 4
                self.check(states, size)
        first = self._order[-1]
        weights = {first: denominators[first]}
        for number in reversed(self._order):
            edges = self._edges.get(number)
            share = weights.get(number)
            if edges is not None and share:
                total = sum(weight for _, weight in edges)
                for to, weight in edges:
                    weights[to] = weights.get(to, 0) + share * weight // total
        return weights, denominators[first]

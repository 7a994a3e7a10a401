"""All possible outcomes of a state: a graph in which equal states are merged, with exact weights.

Play never returns to an earlier state (loops are counted), so the graph has no cycle. One pass from the
terminal states to the start and one pass back give every probability over one common denominator.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import lcm

from attrs import define, field, frozen

from hots_rules.analysis.chances.state_numbers import Passages, StateNumbers
from hots_rules.analysis.errors import TooManyStates
from hots_rules.compile.codes import POINT, ChancePoint, DecisionPoint, DicePoint, Slots
from hots_rules.compile.machine import Machine
from hots_rules.compile.roll_classes import RollClasses

BYTES_PER_STATE, BYTES_PER_EDGE = 200, 140  # of Python's objects, apart from the slots
MAX_PASSAGE_LENGTH = 32  # states without a number one after the other
Edge = tuple[int, int]  # the number of the next state, and the weight of the edge

Choose = Callable[[Slots, Sequence[int]], "Sequence[tuple[int, int]] | int"]
"""The chosen ones of the legal codes, each with its weight; or the number of a goal to maximize."""


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
    _edges: dict[int, tuple[Edge, ...]] = field(factory=dict, init=False)
    _goals: dict[int, int] = field(factory=dict, init=False)
    _order: list[int] = field(factory=list, init=False)
    _edge_count: int = field(default=0, init=False)
    _passed: int = field(default=0, init=False)
    _passages: Passages = field(init=False)
    _roll_classes: RollClasses = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._roll_classes = RollClasses(self.machine)
        decisions = (isinstance(point, DecisionPoint) for point in self.machine.points)
        self._passages = Passages(
            {-1 - number for number, is_one in enumerate(decisions) if is_one}
        )

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
        weights, total = self._weights(self._explored(states), self._size(states, len(terminal)))
        weighted = ((slots, weights.get(number, 0)) for number, slots in sorted(terminal.items()))
        reached = tuple(pair for pair in weighted if pair[1])
        return TerminalStates(reached, total, self._explored(states))

    # -------------------------------------------------------------- the graph
    def _explore(self, first: Slots) -> StateNumbers:
        """Visit all states depth first; `_order` lists each after all its successors."""
        states = StateNumbers(first.copy())
        number = states.number(first)
        pending: list[tuple[int, Slots | None]] = [(number, first.copy())]
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
        return states

    def _size(self, states: StateNumbers, packed: int) -> int:
        """The bytes of the states so far, `packed` of which are lists of all slots."""
        keys = len(states.numbers) * (BYTES_PER_STATE + 8 * len(states.varying))
        lists = packed * (BYTES_PER_STATE + 8 * len(states.first))
        return keys + lists + BYTES_PER_EDGE * self._edge_count

    def _expand(
        self, number: int, slots: Slots, states: StateNumbers, done: set[int], pending: int
    ) -> list[tuple[int, Slots]]:
        unvisited, edges = list[tuple[int, Slots]](), dict[int, int]()
        self.check(self._explored(states), self._size(states, pending))
        for after, weight in self._successors(number, slots):
            self._pass(after)
            before = len(states.numbers)
            successor = states.number(after)
            self._passages.count(after[POINT], is_new=successor == before)
            edges[successor] = edges.get(successor, 0) + weight
            if successor not in done:
                unvisited.append((successor, after))
        self._edges[number] = tuple(edges.items())
        self._edge_count += len(edges)
        if self._explored(states) > self.limit:
            raise TooManyStates(f"more than {self.limit} states")
        return unvisited

    def _explored(self, states: StateNumbers) -> int:
        """The number of states so far, those without a number included."""
        return len(states.numbers) + self._passed

    def _pass(self, slots: Slots) -> None:
        """Play on in place, through states that are not kept."""
        for _ in range(MAX_PASSAGE_LENGTH):
            if slots[POINT] not in self._passages.passed or self.stops(slots):
                return
            chosen = self.choose(slots, self.machine.legal(slots))
            if isinstance(chosen, int) or len(chosen) != 1:
                self._passages.always_number(slots[POINT])
                return
            self._passed += 1
            self.machine.play(slots, chosen[0][0], None)

    def _successors(self, number: int, slots: Slots) -> Iterator[tuple[Slots, int]]:
        """The next states, with integer weights; the outcomes of chance after the only action chosen."""
        machine = self.machine
        point = machine.point(slots)
        assert point is not None
        if not isinstance(point, DecisionPoint):
            yield from self._chance_successors(slots, point)
            return
        legal = machine.legal(slots)
        chosen = self.choose(slots, legal)
        if not isinstance(chosen, int) and len(chosen) == 1:
            yield from self._only_successors(slots, chosen[0][0])
            return
        self._passages.always_number(slots[POINT])
        if isinstance(chosen, int):
            self._goals[number] = chosen
            chosen = [(code, 1) for code in legal]
        for code, weight in chosen:
            after = slots.copy()
            machine.play(after, code, None)
            yield after, weight

    def _only_successors(self, slots: Slots, code: int) -> Iterator[tuple[Slots, int]]:
        """The states after the only action chosen, and after the outcomes of chance that it leads to."""
        self.machine.play(slots, code, None)
        point = self.machine.point(slots)
        if point is None or isinstance(point, DecisionPoint) or self.stops(slots):
            yield slots, 1
            return
        self._passed += 1
        yield from self._chance_successors(slots, point)

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
        """Keep the best edge of each state at which a goal is maximized, from the terminal states back."""
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
                edges = ((max(edges, key=lambda edge: values[edge[0]][goal])[0], 1),)
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
                denominators[number] = total * lcm(*{denominators[to] for to, _ in edges})
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

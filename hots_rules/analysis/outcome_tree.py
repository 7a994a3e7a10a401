"""Everything that may come of a state: a graph of equal states merged, and who gets there how often.

Play never comes back to a state that it has left (loops count), so the graph has no circle, and one
walk from the ends to the beginning and one back give every probability as a whole number over one
common denominator.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from fractions import Fraction
from math import lcm
from operator import itemgetter

from attrs import define, field, frozen

from hots_rules.compile.codes import OUTCOME, POINT
from hots_rules.compile.machine import Machine
from hots_rules.compile.points import ChancePoint, DecisionPoint, DicePoint, Slots
from hots_rules.compile.roll_classes import RollClasses
from hots_rules.diagnostics import HotsError

Edge = tuple[int, int]  # the state that follows, and the weight of the way there

Choose = Callable[[Slots, Sequence[int]], "Sequence[tuple[int, int]] | int"]
"""Which of the legal codes are chosen, each with its weight; or the number of the question that is
to be as high as can be."""


class TooManyStates(HotsError):
    """There are more states than the caller allows."""


@define
class _Seen:
    """The number of each state, found by the slots that differ from the first state's."""

    first: Slots
    numbers: dict[tuple[int, ...], int] = field(factory=dict)
    varying: list[int] = field(factory=list)
    _key: Callable[[Slots], tuple[int, ...]] = field(init=False)
    _rest: Callable[[Slots], tuple[int, ...]] = field(init=False)
    _fixed: tuple[int, ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._vary([POINT, OUTCOME])

    def _vary(self, slots: Iterable[int]) -> None:
        fresh = sorted(slots)
        added = tuple(self.first[slot] for slot in fresh)
        self.varying += fresh
        still = sorted(set(range(len(self.first))) - set(self.varying))
        self._key = itemgetter(*self.varying)
        # The first one twice: of a single slot a getter gives no tuple.
        self._rest = itemgetter(*still, *still[:1]) if still else lambda _: ()
        self._fixed = self._rest(self.first)
        self.numbers = {(*key, *added): number for key, number in self.numbers.items()}

    def number(self, slots: Slots) -> int:
        """The number of a state; equal states have the same."""
        if self._rest(slots) != self._fixed:
            known = set(self.varying)
            self._vary(
                slot
                for slot, (old, new) in enumerate(zip(self.first, slots, strict=True))
                if old != new and slot not in known
            )
        return self.numbers.setdefault(self._key(slots), len(self.numbers))

    def states_but(self, numbers: Container[int]) -> Iterator[tuple[int, Slots]]:
        """Every state with its number, without those of some numbers."""
        for key, number in self.numbers.items():
            if number in numbers:
                continue
            slots = self.first.copy()
            for slot, value in zip(self.varying, key, strict=False):
                slots[slot] = value
            yield number, slots


@frozen
class TerminalStates:
    """The states in which all ways end, each with its weight out of `total`."""

    states: tuple[tuple[Slots, int], ...]
    total: int
    explored: int


@define
class OutcomeTree:
    """The graph of what may come of a state.

    `choose` says what the players choose, `stops` whether a state is an end; with more than `limit`
    states the work is given up. `watch` is told now and then how many states are known.

    Raises:
        TooManyStates: there are more states than `limit`.
        EngineError: a rule broke its bounds on the way.
    """

    machine: Machine
    choose: Choose
    stops: Callable[[Slots], bool]
    limit: int
    watch: Callable[[int], None] = lambda _: None
    _edges: dict[int, list[Edge]] = field(factory=dict, init=False)
    _asked: dict[int, int] = field(factory=dict, init=False)
    _order: list[int] = field(factory=list, init=False)
    _roll_classes: RollClasses = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._roll_classes = RollClasses(self.machine)

    def ends(self, first: Slots, worth: Callable[[Slots, int], Fraction]) -> TerminalStates:
        """What comes of a state; `worth(state, question)` is what an end is worth to whom a question guides."""
        seen = self._explored(first)
        ends = dict(seen.states_but(self._edges))
        self._decide(ends, worth)
        weights, total = self._weighed()
        reached = ((slots, weights.get(number, 0)) for number, slots in sorted(ends.items()))
        return TerminalStates(tuple(pair for pair in reached if pair[1]), total, len(seen.numbers))

    # -------------------------------------------------------------- the graph
    def _explored(self, first: Slots) -> _Seen:
        """Goes everywhere; `_order` has every state after all that may follow it."""
        seen = _Seen(first.copy())
        number = seen.number(first)
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
                    pending += self._expand(number, slots, seen, done)
                if not len(done) & 0xFF:
                    self.watch(len(seen.numbers))
                if len(seen.numbers) > self.limit:
                    raise TooManyStates(
                        f"expected at most {self.limit} states, got {len(seen.numbers)} and more to come"
                    )
        return seen

    def _expand(
        self, number: int, slots: Slots, seen: _Seen, done: set[int]
    ) -> list[tuple[int, Slots]]:
        fresh, edges = [], dict[int, int]()
        for after, weight in self._following(number, slots):
            follower = seen.number(after)
            edges[follower] = edges.get(follower, 0) + weight
            if follower not in done:
                fresh.append((follower, after))
        self._edges[number] = list(edges.items())
        return fresh

    def _following(self, number: int, slots: Slots) -> Iterator[tuple[Slots, int]]:
        """The states that may follow, with whole weights."""
        machine = self.machine
        point = machine.point(slots)
        assert point is not None
        if not isinstance(point, DecisionPoint):
            yield from self._fallen(slots, point)
            return
        legal = machine.legal(slots)
        chosen = self.choose(slots, legal)
        if isinstance(chosen, int):
            self._asked[number] = chosen
            chosen = [(code, 1) for code in legal]
        for code, weight in chosen:
            after = slots.copy()
            machine.play(after, code, None)
            yield after, weight

    def _fallen(self, slots: Slots, point: ChancePoint) -> Iterator[tuple[Slots, int]]:
        """What chance makes of a state."""
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
    def _decide(self, ends: dict[int, Slots], worth: Callable[[Slots, int], Fraction]) -> None:
        """From the ends to the beginning: where a question guides the choice, the best way is kept."""
        values: dict[int, dict[int, Fraction]] = {}
        questions = sorted(set(self._asked.values()))
        if not questions:
            return
        for number in self._order:
            edges = self._edges.get(number)
            if edges is None:
                values[number] = {q: worth(ends[number], q) for q in questions}
                continue
            if number in self._asked:
                asked = self._asked[number]
                edges = [(max(edges, key=lambda edge: values[edge[0]][asked])[0], 1)]
                self._edges[number] = edges
            total = sum(weight for _, weight in edges)
            values[number] = {
                q: sum((values[to][q] * weight for to, weight in edges), Fraction()) / total
                for q in questions
            }

    def _weighed(self) -> tuple[dict[int, int], int]:
        """How much of the beginning comes to each state, out of a total in which all is whole."""
        whole: dict[int, int] = {}
        for number in self._order:
            edges = self._edges.get(number)
            if edges is None:
                whole[number] = 1
            else:
                total = sum(weight for _, weight in edges)
                whole[number] = total * lcm(*(whole[to] for to, _ in edges))
        first = self._order[-1]
        weights = {first: whole[first]}
        for number in reversed(self._order):
            edges = self._edges.get(number)
            share = weights.get(number)
            if edges is not None and share:
                total = sum(weight for _, weight in edges)
                for to, weight in edges:
                    weights[to] = weights.get(to, 0) + share * weight // total
        return weights, whole[first]

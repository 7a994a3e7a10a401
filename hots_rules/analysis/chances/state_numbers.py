"""Numbers for the states of a computation, and the decisions whose states need none."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator
from operator import itemgetter

from attrs import define, field

from hots_rules.compile.codes import OUTCOME, POINT, Slots

WIDEST_GAP = 6  # slots between two that vary, which are compared as if they varied too
JUDGED_AFTER = 1024  # states of a decision point, all of them numbered so far
RECURRING_ONE_IN = 8  # at least one of so many must recur for numbers to be worth it


@define
class StateNumbers:
    """Numbers states, by those of their slots that differ from the first state in some state."""

    first: Slots
    numbers: dict[tuple[int, ...], int] = field(factory=dict)
    varying: list[int] = field(factory=list)
    _key: Callable[[Slots], tuple[int, ...]] = field(init=False)
    _others: Callable[[Slots], object] = field(init=False)
    _fixed: object = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._vary([POINT, OUTCOME])

    def _vary(self, slots: Iterable[int]) -> None:
        varying = set(self.varying)
        added = [slot for slot in _with_gaps(varying.union(slots)) if slot not in varying]
        values = tuple(self.first[slot] for slot in added)
        self.varying += added
        self._key = itemgetter(*self.varying)
        runs = _runs(set(self.varying), len(self.first))
        self._others = itemgetter(*runs) if runs else lambda _: None
        self._fixed = self._others(self.first)
        self.numbers = {(*key, *values): number for key, number in self.numbers.items()}

    def number(self, slots: Slots) -> int:
        """The number of a state, the same for equal states."""
        if self._others(slots) != self._fixed:
            pairs = zip(self.first, slots, strict=True)
            self._vary(slot for slot, (old, new) in enumerate(pairs) if old != new)
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


def _with_gaps(varying: Iterable[int]) -> Iterator[int]:
    """Some slots in order, with those of the narrow gaps between them: fewer runs are left to compare."""
    last: int | None = None
    for slot in sorted(varying):
        if last is not None and slot - last <= WIDEST_GAP:
            yield from range(last + 1, slot)
        yield slot
        last = slot


def _runs(varying: Container[int], size: int) -> list[slice]:
    """The runs of slots that do not vary."""
    runs, start = list[slice](), 0
    for slot in range(size + 1):
        if slot == size or slot in varying:
            if start < slot:
                runs.append(slice(start, slot))
            start = slot + 1
    return runs


@define
class Passages:
    """The decisions whose states are passed without a number.

    Only one action is chosen there, and states hardly ever recur, so that numbering them would save nothing.

    Attributes:
        undecided: the suspension points, as they are in a state, that may become such; only decisions are.
        passed: the points whose states get no number.
    """

    undecided: set[int]
    passed: set[int] = field(factory=set, init=False)
    _new: Counter[int] = field(factory=Counter, init=False)
    _again: Counter[int] = field(factory=Counter, init=False)

    def count(self, point: int, *, is_new: bool) -> None:
        """Count a numbered state of a point."""
        if not is_new:
            self._again[point] += 1
        elif point in self.undecided:
            self._new[point] += 1
            if self._new[point] == JUDGED_AFTER:
                self._judge(point)

    def _judge(self, point: int) -> None:
        self.undecided.discard(point)
        if self._again[point] * RECURRING_ONE_IN < JUDGED_AFTER:
            self.passed.add(point)

    def always_number(self, point: int) -> None:
        """Number the states of a point from now on, since several actions may be chosen there."""
        self.undecided.discard(point)
        self.passed.discard(point)

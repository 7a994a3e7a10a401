"""Which throws come to the same: dice are looked at by `at_most` alone, so what it answered is all that counts.

The module of a ruleset is run here with tables that note every look at the dice. Two throws to which
every look gave the same answer have led the same way, and once the dice are forgotten nothing tells
them apart: one of them stands for all.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field, frozen

from hots_rules.compile.machine import Blocks, Machine, orders
from hots_rules.compile.points import DicePoint, Slots

Answers = tuple[tuple[int, int], ...]
Thrown = tuple[tuple[int, int], ...]  # outcomes with their weights
Dice = tuple[tuple[int, ...], ...]


@frozen
class _Row:
    """One throw, as `at_most` sees it; each look is noted."""

    row: tuple[int, ...]
    noted: list[tuple[int, int]]

    def __getitem__(self, limit: int) -> int:
        found = self.row[limit]
        self.noted.append((limit, found))
        return found


@frozen
class _Table:
    rows: tuple[tuple[int, ...], ...]
    noted: list[tuple[int, int]]

    def __getitem__(self, code: int) -> _Row:
        return _Row(self.rows[code], self.noted)


@define
class Throws:
    """The throws of one machine, those together that come to the same.

    It keeps what it has found, so each thread wants its own.
    """

    machine: Machine
    _noted: list[tuple[int, int]] = field(factory=list, init=False)
    _blocks: Blocks = field(init=False)
    _all: dict[tuple[int, int, int], Thrown] = field(factory=dict, init=False)
    _parted: dict[tuple[Thrown, Answers], tuple[int, Thrown]] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        names = self.machine.module()
        for name, rows in list(names.items()):
            if name.startswith("at_most_"):
                names[name] = _Table(rows, self._noted)
        self._blocks = names["BLOCKS"]

    def apart(self, slots: Slots) -> Iterator[tuple[Slots, int, int]]:
        """For each kind of throw at the point where play waits: a state, the block that goes on from there, a weight.

        Raises:
            EngineError: a rule broke its bounds.
        """
        point = self.machine.point(slots)
        assert isinstance(point, DicePoint) and point.most is not None
        into = point.into
        left = self._thrown(point.most, point.sides, point.number(slots))
        dice = self.machine.dice[point.most, point.sides]
        while left:
            outcome, weight = left[0]
            after = slots.copy()
            self._noted.clear()
            block = self.machine.resolved(after, outcome, self._blocks)
            if after[into]:
                left = left[1:]  # the dice still lie there, and may be looked at again
            else:
                weight, left = self._part(left, dice, tuple(self._noted))
            yield after, block, weight

    def _thrown(self, most: int, sides: int, number: int) -> Thrown:
        key = (most, sides, number)
        if key not in self._all:
            rows = self.machine.dice[most, sides]
            self._all[key] = tuple(
                (code, orders(dice)) for code, dice in enumerate(rows) if len(dice) == number
            )
        return self._all[key]

    def _part(self, left: Thrown, dice: Dice, answers: Answers) -> tuple[int, Thrown]:
        """The weight of all throws that give the same answers as the first, and the throws that do not."""
        key = (left, answers)
        if key not in self._parted:
            first = dice[left[0][0]]
            # A look at dice of another roll says nothing about these.
            own = [(n, many) for n, many in answers if _at_most(first, n) == many]
            alike = {code for code, _ in left if all(_at_most(dice[code], n) == m for n, m in own)}
            weight = sum(weight for code, weight in left if code in alike)
            self._parted[key] = weight, tuple(pair for pair in left if pair[0] not in alike)
        return self._parted[key]


def _at_most(dice: tuple[int, ...], limit: int) -> int:
    return sum(die <= limit for die in dice)

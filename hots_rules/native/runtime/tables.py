"""Constant tables of numbers that parts of a program make for themselves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from attrs import define, field


@define
class NumberTables:
    """Tables by name; equal tables share one name.

    >>> from hots_rules.native.runtime.tables import NumberTables
    >>> tables = NumberTables()
    >>> tables.indexed([3, 5, 7], "i"), tables.indexed([3, 5, 9], "i")
    ('3 + (i) * 2', 'LIST_0[i]')
    """

    rows: dict[str, tuple[int, ...]] = field(factory=dict)
    _names: dict[tuple[int, ...], str] = field(factory=dict)

    def indexed(self, numbers: Sequence[int], index: str) -> str:
        """The entry at an index, as restricted Python; a sum where the numbers rise by equal steps."""
        steps = {after - before for before, after in pairwise(numbers)}
        if len(numbers) == 1:
            return str(numbers[0])
        if len(steps) == 1:
            (step,) = steps
            return index if (numbers[0], step) == (0, 1) else f"{numbers[0]} + ({index}) * {step}"
        row = tuple(numbers)
        name = self._names.setdefault(row, f"LIST_{len(self.rows)}")
        self.rows[name] = row
        return f"{name}[{index}]"

"""Bounds of whole numbers, as Python has them: what an expression can be at least and at most.

A set is the number of its mask, so its bounds say how many members it can have, and both how many words it needs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from hots_rules.native.lowering.program import WORD

LOWEST, HIGHEST = -(1 << (WORD - 1)), (1 << (WORD - 1)) - 1


class Bounds(NamedTuple):
    """The lowest and the highest value.

    >>> from hots_rules.native.lowering.bounds import Bounds
    >>> Bounds(0, 2**98 - 1).cells, Bounds(-1, 5).cells
    (2, 1)
    """

    low: int
    high: int

    @property
    def cells(self) -> int:
        """How many words hold every value: without a sign if none is below 0, else in two's complement."""
        bits = self.high.bit_length()
        if self.low < 0:
            bits = max(bits, (~self.low).bit_length()) + 1
        return max((bits + WORD - 1) // WORD, 1)

    @property
    def is_signed_word(self) -> bool:
        """Whether every value fits one word with a sign."""
        return self.low >= LOWEST and self.high <= HIGHEST

    @property
    def members(self) -> int:
        """How many members a set with these bounds can have: the bits of the largest mask."""
        return self.high.bit_length()

    def join(self, bounds: Bounds) -> Bounds:
        """The narrowest bounds that contain these and others."""
        return Bounds(min(self.low, bounds.low), max(self.high, bounds.high))

    def is_inside(self, bounds: Bounds) -> bool:
        """Whether others contain these bounds."""
        return bounds.low <= self.low and self.high <= bounds.high

    def cut(self, bounds: Bounds) -> Bounds:
        """The intersection with other bounds; the others, if it is empty."""
        low, high = max(self.low, bounds.low), min(self.high, bounds.high)
        return Bounds(low, high) if low <= high else bounds


BIT = Bounds(0, 1)


def hull(parts: Iterable[Bounds]) -> Bounds:
    """Bounds of a value that is in some of the parts."""
    joined, *rest = parts
    for part in rest:
        joined = joined.join(part)
    return joined


def mask_of(bits: int) -> Bounds:
    """The bounds of a set with so many possible members."""
    return Bounds(0, (1 << bits) - 1)


def _envelope(left: Bounds, right: Bounds) -> Bounds:
    """All numbers with as many bits as the larger of two, with signs if one has a sign."""
    both = left.join(right)
    bits = max(both.high.bit_length(), (~both.low).bit_length() if both.low < 0 else 0)
    return Bounds(-(1 << bits) if both.low < 0 else 0, (1 << bits) - 1)


# Each function gives the bounds of what an operation makes of operands within some bounds.
def add(left: Bounds, right: Bounds) -> Bounds:
    return Bounds(left.low + right.low, left.high + right.high)


def subtract(left: Bounds, right: Bounds) -> Bounds:
    return Bounds(left.low - right.high, left.high - right.low)


def multiply(left: Bounds, right: Bounds) -> Bounds:
    products = [x * y for x in left for y in right]
    return Bounds(min(products), max(products))


def intersect(left: Bounds, right: Bounds) -> Bounds:
    highs = [part.high for part in (left, right) if part.low >= 0]
    return Bounds(0, min(highs)) if highs else _envelope(left, right)


def unite(left: Bounds, right: Bounds) -> Bounds:
    envelope = _envelope(left, right)
    return Bounds(max(left.low, right.low), envelope.high) if envelope.low >= 0 else envelope


def differ(left: Bounds, right: Bounds) -> Bounds:
    return _envelope(left, right)


def invert(bounds: Bounds) -> Bounds:
    return Bounds(~bounds.high, ~bounds.low)


def shift_left(left: Bounds, right: Bounds) -> Bounds:
    return multiply(left, Bounds(1 << right.low, 1 << right.high))


def shift_right(left: Bounds, right: Bounds) -> Bounds:
    return Bounds(left.low >> right.high, left.high >> right.low)


def divide(left: Bounds, right: Bounds) -> Bounds:
    quotients = [x // y for x in left for y in right]
    return Bounds(min(quotients), max(quotients))

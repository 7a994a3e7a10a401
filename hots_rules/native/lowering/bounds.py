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
        """Whether every value is a word with a sign."""
        return self.low >= LOWEST and self.high <= HIGHEST

    @property
    def members(self) -> int:
        """The number of bits of a mask."""
        return self.high.bit_length()

    def join(self, other: Bounds) -> Bounds:
        """Bounds of a value that is in these or in others."""
        return Bounds(min(self.low, other.low), max(self.high, other.high))

    def is_inside(self, other: Bounds) -> bool:
        """Whether every value is in others."""
        return other.low <= self.low and self.high <= other.high

    def cut(self, other: Bounds) -> Bounds:
        """The values that are in others as well; others, if there is none."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        return Bounds(low, high) if low <= high else other


BIT = Bounds(0, 1)


def hull(parts: Iterable[Bounds]) -> Bounds:
    """Bounds of a value that is in some of the parts."""
    found, *rest = parts
    for part in rest:
        found = found.join(part)
    return found


def mask_of(bits: int) -> Bounds:
    """The bounds of a set with so many possible members."""
    return Bounds(0, (1 << bits) - 1)


def _envelope(one: Bounds, other: Bounds) -> Bounds:
    """All numbers with as many bits as the larger of two, with signs if one has a sign."""
    both = one.join(other)
    bits = max(both.high.bit_length(), (~both.low).bit_length() if both.low < 0 else 0)
    return Bounds(-(1 << bits) if both.low < 0 else 0, (1 << bits) - 1)


def add(one: Bounds, other: Bounds) -> Bounds:
    return Bounds(one.low + other.low, one.high + other.high)


def subtract(one: Bounds, other: Bounds) -> Bounds:
    return Bounds(one.low - other.high, one.high - other.low)


def multiply(one: Bounds, other: Bounds) -> Bounds:
    products = [x * y for x in one for y in other]
    return Bounds(min(products), max(products))


def intersect(one: Bounds, other: Bounds) -> Bounds:
    highs = [part.high for part in (one, other) if part.low >= 0]
    return Bounds(0, min(highs)) if highs else _envelope(one, other)


def unite(one: Bounds, other: Bounds) -> Bounds:
    found = _envelope(one, other)
    return Bounds(max(one.low, other.low), found.high) if found.low >= 0 else found


def differ(one: Bounds, other: Bounds) -> Bounds:
    return _envelope(one, other)


def invert(one: Bounds) -> Bounds:
    return Bounds(~one.high, ~one.low)


def shift_left(one: Bounds, other: Bounds) -> Bounds:
    return multiply(one, Bounds(1 << other.low, 1 << other.high))


def shift_right(one: Bounds, other: Bounds) -> Bounds:
    return Bounds(one.low >> other.high, one.high >> other.low)


def divide(one: Bounds, other: Bounds) -> Bounds:
    quotients = [x // y for x in one for y in other]
    return Bounds(min(quotients), max(quotients))

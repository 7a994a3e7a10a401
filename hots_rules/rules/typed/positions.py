"""Two hash numbers of a whole position, by which repeated positions are recognized.

A position is the values of the variables that are not internal, and the player who is to choose. Two different
positions have the same two numbers about once in 2**62 times.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hots_rules.rules.typed import value_types as types

MODULUS: Final = (1 << 31) - 1
FACTORS: Final = (1_103_515_245, 1_664_525_013)
"""What each of the two numbers is multiplied by before the next part is added."""
CHUNK: Final = 31  # bits of a set that are one part
NUMBER: Final = types.IntType(1, MODULUS)

KEPT: Final = ("position_first", "position_second")
"""The variables with the two numbers of each position that is kept for `repeated`."""
NEXT: Final = "position_next"
"""The variable with the place of the next one."""


def shifts(type_: types.Type) -> tuple[int, ...]:
    """How far a code of a type is shifted for each of its parts."""
    low, size = types.lowest_code(type_), types.size(type_)
    return tuple(range(0, max((low + size - 1).bit_length(), 1), CHUNK))


def next_number(half: int, number: int, part: int) -> int:
    """The number so far with a further part."""
    return (number * FACTORS[half] + part) % MODULUS


def parts_of(code: int, type_: types.Type) -> Iterator[int]:
    """The parts of a code; those of numbers below zero count from the lowest."""
    if (low := types.lowest_code(type_)) < 0:
        yield code - low
        return
    for shift in shifts(type_):
        yield code >> shift & MODULUS

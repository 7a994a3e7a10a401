"""The outcome of a chance point as a function of a seed and a key, and the probabilities of all outcomes."""

from __future__ import annotations

from hashlib import blake2b
from math import factorial, prod
from typing import TYPE_CHECKING

from hots_rules.compile.codes import ChancePoint, DrawPoint, Slots, bits
from hots_rules.diagnostics import EngineError

if TYPE_CHECKING:
    from fractions import Fraction

RNG = "blake2b-keyed-1"
"""The name of this algorithm in records."""
_DIGEST, _DIE, _DRAW = 64, 8, 16  # sizes in bytes
Dice = dict[tuple[int, int], tuple[tuple[int, ...], ...]]
"""All rolls in the order of their codes, by the most dice and the number of sides."""


def chance_digest(seed: str, key: str) -> bytes:
    """The random bytes of a chance point."""
    return blake2b(f"{seed}\n{key}".encode(), digest_size=_DIGEST).digest()


def sample_dice(number: int, sides: int, digest: bytes) -> tuple[int, ...]:
    """A roll of dice, sorted."""
    if number * _DIE > _DIGEST:
        digest += blake2b(digest, digest_size=_DIGEST).digest()
    starts = range(0, number * _DIE, _DIE)
    return tuple(sorted([int.from_bytes(digest[i : i + _DIE]) % sides + 1 for i in starts]))


def sample_draw(slots: Slots, point: DrawPoint, digest: bytes) -> int:
    """A member of the set of a draw.

    Raises:
        EngineError: there is nothing to draw.
    """
    number = int.from_bytes(digest[:_DRAW])
    if point.weight is None and (mask := point.source(slots)):
        return _member(mask, number % mask.bit_count())
    weights = draw_weights(slots, point)
    number %= sum(weight for _, weight in weights)
    for member, weight in weights:
        number -= weight
        if number < 0:
            return member
    raise AssertionError


def draw_weights(slots: Slots, point: DrawPoint) -> list[tuple[int, int]]:
    """The members of the set of a draw, with their weights.

    Raises:
        EngineError: there is nothing to draw.
    """
    weigh = point.weight
    members = bits(point.source(slots))
    weights = [(member, weigh(slots, member) if weigh is not None else 1) for member in members]
    if not sum(weight for _, weight in weights):
        raise EngineError("cannot draw from an empty set")
    return weights


def _member(mask: int, number: int) -> int:
    """The member of a set that has `number` members before it, by bisection."""
    low, width = 0, mask.bit_length()
    while width > 1:
        half = width >> 1
        part = mask & ((1 << half) - 1)
        below = part.bit_count()
        if number < below:
            mask, width = part, half
        else:
            number, mask, low, width = number - below, mask >> half, low + half, width - half
    return low


def outcomes(slots: Slots, point: ChancePoint, dice: Dice) -> list[tuple[int, Fraction]]:
    """Every possible outcome of a chance point, with its probability.

    Raises:
        EngineError: there is nothing to draw.
    """
    # A late import: fractions load slowly, and play without dictated chance needs none.
    from fractions import Fraction

    if isinstance(point, DrawPoint):
        weights = draw_weights(slots, point)
        total = sum(weight for _, weight in weights)
        return [(member, Fraction(weight, total)) for member, weight in weights if weight]
    sides, number = point.sides, point.number(slots)
    if point.most is None:
        return [(side, Fraction(1, sides)) for side in range(1, sides + 1)]
    return [
        (code, Fraction(permutation_count(roll), sides**number))
        for code, roll in enumerate(dice[point.most, sides])
        if len(roll) == number
    ]


def permutation_count(dice: tuple[int, ...]) -> int:
    """The number of distinct orders of some dice."""
    return factorial(len(dice)) // prod(factorial(dice.count(side)) for side in set(dice))

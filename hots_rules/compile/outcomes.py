"""Exact probabilities of the outcomes of chance points."""

from __future__ import annotations

from fractions import Fraction
from math import factorial, prod

from hots_rules.compile.points import ChancePoint, DrawPoint, Slots
from hots_rules.compile.sampling import draw_weights

Dice = dict[tuple[int, int], tuple[tuple[int, ...], ...]]
"""All rolls in the order of their codes, by the most dice and the number of sides."""


def outcomes(slots: Slots, point: ChancePoint, dice: Dice) -> list[tuple[int, Fraction]]:
    """Every possible outcome of a chance point, with its probability.

    Raises:
        EngineError: there is nothing to draw.
    """
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

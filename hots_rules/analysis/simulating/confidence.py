"""Intervals that stay valid however often they are looked at, for means of bounded values and for others.

The interval of `mean_interval` bets against each possible mean with fixed stakes, and holds the means against which
the mixture of these bets has not won too much: Waudby-Smith and Ramdas, "Estimating means of bounded random variables
by betting", Journal of the Royal Statistical Society B 86 (2024). Since the stakes are fixed, the values count, and
not their order. It covers the mean at all numbers of values at once, for any distribution between its limits.

The interval of `asymptotic_interval` needs no limits, and covers so only as the number of values grows: Waudby-Smith,
Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic confidence sequences", Annals of
Statistics 52 (2024), 2613-2640. It is the two-sided normal mixture of Howard, Ramdas, McAuliffe and Sekhon,
"Time-uniform, nonparametric, nonasymptotic confidence sequences", Annals of Statistics 49 (2021), 1055-1080.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import exp, inf, isinf, log, log1p, sqrt
from typing import Final

from attrs import frozen

from hots_rules.diagnostics import BadArgument

STAKES: Final = tuple(0.9 * 2.0**-number for number in range(18))
"""The shares of the capital that are bet, each by a part of the mixture."""
TUNED_FOR: Final = 1_000
"""The number of values at which an asymptotic interval is about as narrow as it can be."""
_HALVINGS = 50


@frozen
class Interval:
    """Where a mean lies.

    >>> from hots_rules.analysis.simulating.confidence import Interval
    >>> 0.2 in Interval(0.1, 0.4), Interval(0.25, 0.5).width
    (True, 0.25)
    """

    low: float
    high: float

    @property
    def width(self) -> float:
        """From its lower to its upper end."""
        return self.high - self.low

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


def mean_interval(
    counts: Mapping[float, int], low: float, high: float, level: float = 0.95
) -> Interval:
    """Where the mean of a value between two limits lies, from how often each value came up.

    With probability `level` the interval holds the mean at every number of values at once, so it may be watched, and
    the counting stopped because of it.

    >>> from hots_rules.analysis.simulating.confidence import mean_interval
    >>> found = mean_interval({0: 600, 1: 400}, 0, 1)
    >>> round(found.low, 3), round(found.high, 3)
    (0.345, 0.456)

    Raises:
        BadArgument: a value is outside the limits.
    """
    for value in counts:
        if not low <= value <= high:
            raise BadArgument("counts", value, f"values from {low} to {high}")
    span = high - low
    if span == 0 or not any(counts.values()):
        return Interval(low, high)
    scaled = [((value - low) / span, count) for value, count in counts.items() if count]
    flipped = [(1 - value, count) for value, count in scaled]
    most = log(2 / (1 - level))
    return Interval(low + span * _lowest(scaled, most), high - span * _lowest(flipped, most))


def p_value(counts: Mapping[float, int], low: float, high: float, mean: float) -> float:
    """If this is the mean, a bound for the probability that the counts are ever as unlikely as these.

    >>> from hots_rules.analysis.simulating.confidence import p_value
    >>> p_value({-1: 10, 0: 80, 1: 10}, -1, 1, 0)
    1.0
    >>> p_value({-1: 10, 0: 30, 1: 60}, -1, 1, 0) < 0.001
    True
    """
    span = high - low
    if span == 0:
        return 1.0
    scaled = [((value - low) / span, count) for value, count in counts.items() if count]
    at = (mean - low) / span
    flipped = [(1 - value, count) for value, count in scaled]
    capital = _log_sum([_log_capital(scaled, at), _log_capital(flipped, 1 - at)]) - log(2)
    return min(1.0, exp(-min(capital, 700.0)))


def asymptotic_interval(number: int, mean: float, variance: float, level: float = 0.95) -> Interval:
    """Where a mean lies, from the number, the mean and the variance of some values; they need no limits.

    >>> from hots_rules.analysis.simulating.confidence import asymptotic_interval
    >>> found = asymptotic_interval(1_000, mean=480, variance=10_000)
    >>> round(found.low), round(found.high)
    (470, 490)
    """
    if number < 2:
        return Interval(-inf, inf)
    alpha = 1 - level
    scale = _scale(alpha)
    grown = number * scale + 1
    radius = sqrt(variance * 2 * grown / (number * number * scale) * log(sqrt(grown) / alpha))
    return Interval(mean - radius, mean + radius)


def asymptotic_p_value(number: int, mean: float, variance: float) -> float:
    """If the true mean is 0, a bound for the probability that the mean is ever so far from 0.

    It is the level at which an interval as of `asymptotic_interval`, with the scale for 95 %, begins to hold 0.

    >>> from hots_rules.analysis.simulating.confidence import asymptotic_p_value
    >>> asymptotic_p_value(1_000, 0.1, 10_000), asymptotic_p_value(1_000, 20, 10_000) < 0.001
    (1.0, True)
    """
    if number < 2 or not mean:
        return 1.0
    if not variance:
        return 0.0
    scale = _scale(0.05)
    grown = number * scale + 1
    # As logarithms: the exponential alone may be too small for a number.
    exponent = log(grown) / 2 - (mean * number) ** 2 * scale / (2 * grown * variance)
    return exp(exponent) if exponent < 0 else 1.0


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values corrected for their number, in the same order.

    Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979).
    If those below 5 % are called effects, the probability of any false one is at most 5 %.

    >>> from hots_rules.analysis.simulating.confidence import holm
    >>> holm([0.01, 0.5, 0.02])
    [0.03, 0.5, 0.04]
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    count = len(order)
    raised = (min(1.0, p_values[at] * (count - rank)) for rank, at in enumerate(order))
    by_place = dict(zip(order, accumulate(raised, max), strict=True))
    return [by_place[at] for at in range(count)]


def _scale(alpha: float) -> float:
    """The scale of the mixture that makes intervals narrow at `TUNED_FOR` values."""
    return (log(1 - 2 * log(alpha)) - 2 * log(alpha)) / TUNED_FOR


# -------------------------------------------------------------- bets
Weighed = Sequence[tuple[float, int]]
"""Values from 0 to 1, each with its number."""


def _lowest(counts: Weighed, most: float) -> float:
    """The lowest mean against which the mixture has not won more than `most`, as a logarithm."""
    low, high = 0.0, sum(value * count for value, count in counts) / sum(c for _, c in counts)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _log_capital(counts, middle) >= most:
            low = middle
        else:
            high = middle
    return low


def _log_capital(counts: Weighed, mean: float) -> float:
    """The logarithm of what a capital of 1 becomes by bets that the values are above a mean; it falls with the mean."""
    if mean <= 0:
        return inf if any(value > 0 for value, _ in counts) else 0.0
    made = (
        sum(count * log1p(stake * (value / mean - 1)) for value, count in counts)
        for stake in STAKES
    )
    return _log_sum(list(made)) - log(len(STAKES))


def _log_sum(logarithms: Sequence[float]) -> float:
    """The logarithm of the sum of numbers given by their logarithms."""
    largest = max(logarithms)
    if isinf(largest):
        return largest
    return largest + log(sum(exp(logarithm - largest) for logarithm in logarithms))

"""Intervals that may be watched: they hold their means, and agree with what is known of them."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate
from math import log
from random import Random

import pytest

from hots_rules.analysis.simulating.confidence import (
    STAKES,
    _scale,
    asymptotic_interval,
    asymptotic_p_value,
    holm,
    mean_interval,
    p_value,
)
from tests.sizes import sample_size

RUNS = sample_size(100, 2_000)


def test_without_values_nothing_is_known() -> None:
    found = mean_interval({}, -1, 1)

    assert (-1, 1) == (found.low, found.high)


def test_an_interval_turns_around_with_its_values() -> None:
    found, turned = mean_interval({0: 70, 1: 30}, 0, 1), mean_interval({0: 30, 1: 70}, 0, 1)

    assert found.low == pytest.approx(1 - turned.high)
    assert found.high == pytest.approx(1 - turned.low)


def test_an_interval_is_stretched_with_its_values() -> None:
    found, wide = mean_interval({0: 70, 1: 30}, 0, 1), mean_interval({-2: 70, 8: 30}, -2, 8)

    assert wide.low == pytest.approx(10 * found.low - 2)
    assert wide.high == pytest.approx(10 * found.high - 2)


def test_of_values_that_never_came_up_the_upper_end_is_that_of_the_mixture() -> None:
    """Each value of 0 makes 1 + stake m/(1 - m) of a part of the mixture that bets against the mean m."""
    found = mean_interval({0: 200, 1: 0}, 0, 1)
    odds = found.high / (1 - found.high)
    won = [(1 + stake * odds) ** 200 for stake in STAKES]

    assert 0 == found.low
    assert 2 / 0.05 == pytest.approx(sum(won) / len(STAKES), rel=1e-6)


def test_values_outside_their_limits_are_refused() -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        mean_interval({2: 1}, 0, 1)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("values", "weights"),
    [((0, 1), (1, 1)), ((0, 1), (97, 3)), ((-1, 0, 1), (10, 75, 15)), ((-1, 0, 1), (1, 998, 1))],
)
def test_a_watched_interval_holds_its_mean(
    values: tuple[int, ...], weights: tuple[int, ...]
) -> None:
    """All looks of a run count: one that misses the mean at any time is a miss. At least 94 % of the runs hold it."""
    low, high, luck = min(values), max(values), Random(1707)
    mean = sum(v * w for v, w in zip(values, weights, strict=True)) / sum(weights)
    held = 0
    for _ in range(RUNS):
        counts: Counter[float] = Counter()
        for _ in range(12):
            counts.update(luck.choices(values, weights, k=100))
            if mean not in mean_interval(counts, low, high):
                break
        else:
            held += 1

    assert held >= 0.94 * RUNS


def test_a_watched_asymptotic_interval_holds_its_mean() -> None:
    """The values are skewed, as lengths of games are. At least 94 % of the runs hold the mean at all looks."""
    luck, held = Random(1297), 0
    for _ in range(RUNS):
        values = [luck.expovariate(0.01) for _ in range(2_000)]
        sums = list(accumulate(values))
        squares = list(accumulate(value * value for value in values))
        looks = range(200, 2_001, 100)
        found = (
            asymptotic_interval(n, m := sums[n - 1] / n, squares[n - 1] / n - m * m) for n in looks
        )
        held += all(100 in each for each in found)

    assert held >= 0.94 * RUNS


def test_an_asymptotic_interval_has_the_width_of_its_paper() -> None:
    """Waudby-Smith and others (2024), Theorem 2.2, with the scale that is best at 1,000 values."""
    scale = (log(1 - 2 * log(0.05)) - 2 * log(0.05)) / 1_000
    grown = 500 * scale + 1
    radius = (4 * 2 * grown / (500**2 * scale) * log(grown**0.5 / 0.05)) ** 0.5
    found = asymptotic_interval(500, mean=3, variance=4)

    assert (3 - radius, 3 + radius) == pytest.approx((found.low, found.high))


def test_an_asymptotic_interval_is_the_published_normal_mixture() -> None:
    """Howard, Ramdas, McAuliffe and Sekhon, Annals of Statistics 49 (2021): the two-sided normal mixture.

    The numbers are those in the tests of their package (confseq), from a reference in R: the best scale for a variance
    of 100 at a level of 5 %, and the bound there. Here the best is at 1,000 values, so both are scaled.
    """
    best_scale, bound = 12.60056, 30.35209
    found = asymptotic_interval(1_000, mean=0, variance=1)
    times = (1_000 / 100) ** 0.5

    assert 1 / (1_000 * _scale(0.05)) == pytest.approx(best_scale / 100, rel=1e-5)
    assert found.high * 1_000 == pytest.approx(bound * times, abs=1e-4)
    assert asymptotic_p_value(1_000, bound * times / 1_000, 1) == pytest.approx(0.05, rel=1e-5)


def test_a_p_value_says_what_the_interval_says() -> None:
    for counts in ({-1: 100, 0: 800, 1: 140}, {-1: 100, 0: 800, 1: 190}):
        found = mean_interval(counts, -1, 1)
        # The mixture of both tests is a little stricter than the interval, of which each end has half of the level.
        assert (0 in found) == (p_value(counts, -1, 1, 0) > 0.05)
    for mean in (9.0, 16.0):
        watched = asymptotic_interval(900, mean, 10_000)
        assert (0 in watched) == (asymptotic_p_value(900, mean, 10_000) > 0.05)


def test_holm_corrects_step_by_step() -> None:
    """The smallest of four counts fourfold, the next one threefold; none counts less than the one before."""
    assert [0.03, 0.06, 0.06, 0.02] == pytest.approx(holm([0.01, 0.03, 0.04, 0.005]))
    assert [1.0, 1.0] == holm([0.6, 0.7])
    assert [] == holm([])

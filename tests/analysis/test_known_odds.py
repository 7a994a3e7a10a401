"""Odds of one player: the mean over worlds, with bounds that tell how sure it is."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

import hots_rules as hr
from hots_rules.analysis.chances.known_odds import WORLDS
from tests.playing import last_of

WON = "White: line"


def odds_of(*shares_and_samples: tuple[Fraction, int]) -> hr.analysis.PlayerOdds:
    """Odds of as many worlds, all of one weight, in each of which White wins with a probability."""
    weight = Fraction(1, len(shares_and_samples))
    worlds = (
        hr.analysis.WorldOdds(weight, samples, {WON: share, "Black: line": 1 - share}, {})
        for share, samples in shares_and_samples
    )
    return hr.analysis.PlayerOdds("game", tuple(worlds))


def test_what_is_exact_and_alike_in_all_worlds_is_its_own_bounds() -> None:
    odds = odds_of(*[(Fraction(1, 3), 0)] * WORLDS)

    assert hr.analysis.Estimate(Fraction(1, 3), 1 / 3, 1 / 3) == odds.estimate_of_outcome(WON)


def test_samples_of_one_world_have_the_wilson_interval() -> None:
    odds = odds_of((Fraction(1, 2), 100))
    estimate = odds.estimate_of_outcome(WON)

    assert (0.4038, 0.5962) == pytest.approx((estimate.low, estimate.high), abs=5e-5)


def test_worlds_that_differ_widen_the_bounds() -> None:
    alike = odds_of(*[(Fraction(1, 2), 250)] * WORLDS).estimate_of_outcome(WON)
    apart = odds_of(*[(Fraction(n % 2), 0) for n in range(WORLDS)]).estimate_of_outcome(WON)

    assert alike.share == apart.share == Fraction(1, 2)
    assert alike.high - alike.low < 0.05
    assert apart.high - apart.low > 0.5


@pytest.mark.parametrize("samples", [0, 40])
def test_the_bounds_hold_the_true_share_as_often_as_they_say(samples: int) -> None:
    """Worlds of three kinds, whose share is enumerated or sampled."""
    chance, kinds = Random(7), (Fraction(1, 10), Fraction(1, 2), Fraction(9, 10))
    trials, truth = 600, 0.5
    held = 0
    for _ in range(trials):
        drawn = Counter(chance.choice(kinds) for _ in range(WORLDS))
        worlds = []
        for kind in drawn.elements():
            hits = sum(chance.random() < kind for _ in range(samples))
            worlds.append((Fraction(hits, samples) if samples else kind, samples))
        estimate = odds_of(*worlds).estimate_of_outcome(WON)
        held += estimate.low <= truth <= estimate.high
    assert 0.92 * trials <= held


@pytest.mark.parametrize(
    ("name", "seed", "plays"),
    [
        ("goofspiel-1.0", 2, 3),
        pytest.param("hots-4.0", 5, 12, marks=pytest.mark.thorough),
        pytest.param("lords-of-scotland", 3, 6, marks=pytest.mark.thorough),
    ],
)
def test_the_same_question_has_the_same_answer(name: str, seed: int, plays: int) -> None:
    rules = hr.load(name)
    game = last_of(rules.start(rules.scenarios[0], seed=seed), Random(seed), plays)
    asked = [
        hr.analysis.player_odds(
            game, game.to_move[0], until="game", policy="random", samples=16, seed=plays
        )
        for _ in range(2)
    ]

    assert asked[0] == asked[1]
    assert 0 < asked[0].samples <= 16
    assert sum(asked[0].outcomes.values()) == 1

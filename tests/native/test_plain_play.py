"""Random rulesets are played alike by the plain meaning of their rules, in Python and in machine code."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, reject, settings

import hots_rules as hr
from tests.native.plain_play import PlainPlay, cells_of
from tests.native.rulesets import rulesets
from tests.native.test_lowering import QUICK, assert_plays_alike, machine_of
from tests.playing import broken, ruleset_of
from tests.sizes import sample_size

TRIED = sample_size(20, 300)
MOVES = 60


def assert_plays_as_it_means(rules: hr.Ruleset, seed: str) -> int:
    """Assert that a random game has the states, legal actions and faults of the plain meaning; returns its moves."""
    game, chooser = rules.start("table", seed=seed, chance="ask"), Random(seed)
    plain = PlainPlay(rules)
    play = plain.play("table")
    asked = next(play)
    for number in range(MOVES):
        assert plain.cells == cells_of(game), (seed, number)
        names = broken(machine_of(rules), list(game.state.slots))
        assert all(plain.invariants()) is not bool(names), (seed, number)
        if asked == set() and game.is_chance:
            with pytest.raises(hr.EngineError):
                game.sample_chance(seed)
            return number
        if game.is_chance:
            assert asked is None
            code = game.sample_chance(seed).code
        else:
            assert asked == {action.code for action in game.actions}, (seed, number)
            code = chooser.choice(sorted(asked))
        try:
            game = game.after(code)
        except hr.EngineError:
            with pytest.raises(hr.EngineError):
                play.send(code if code >= 0 else -1 - code)
            return number
        try:
            asked = play.send(code if code >= 0 else -1 - code)
        except StopIteration:
            assert game.is_over and plain.cells == cells_of(game)
            assert game.outcome is not None and plain.winners == game.outcome.winners
            return number
        assert not game.is_over
    return MOVES


@pytest.mark.thorough
@settings(phases=QUICK, max_examples=TRIED, suppress_health_check=list(HealthCheck))
@given(rulesets())
def test_a_random_ruleset_is_played_as_it_means_by_everything_that_plays(text: str) -> None:
    try:
        rules = ruleset_of(text)
    except hr.RulesetError:
        reject()  # as with a comparison that is always true
    for seed in ("a", "b"):
        assert_plays_as_it_means(rules, seed)
    assert_plays_alike(machine_of(rules), "table", ("a", "b"))

"""Worlds between two draws, without a course from the beginning: the moves since the last decision look the same."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

import hots_rules as hr
from hots_rules.observe.worlds import WorldsBetweenDraws, is_settled
from tests.playing import played_out


def dealing(begun: hr.Game, most: int = 70) -> Iterator[hr.Game]:
    """The moments of a game at which a deal is not over."""
    for game in played_out(begun, Random(1), most):
        if game.to_move == ("chance",) and not is_settled(game):
            yield game


def assert_looks_the_same(game: hr.Game, viewer: int) -> set[hr.State]:
    """Assert that a viewer cannot tell a few worlds from the game; gives their states."""
    player = None if viewer < 0 else game.ruleset.players[viewer]
    worlds, chance = WorldsBetweenDraws(game, viewer), Random(5)
    states = set()
    for number in range(3):
        world = worlds.world(chance, f"seed/{number}")
        assert world.view(player) == game.view(player)
        assert world.observed_trace(player) == game.observed_trace(player)
        assert world.to_move == game.to_move
        states.add(world.state)
    return states


def begun(name: str) -> hr.Game:
    """A game with a deal at its beginning, or after decisions."""
    rules = hr.load(name)
    return rules.start(rules.scenarios[0], seed=1, chance="ask")


@pytest.mark.parametrize("name", ["hots-4.0", "lords-of-scotland"])
def test_a_world_within_a_deal_looks_as_the_game_does(name: str) -> None:
    found, differing = 0, 0
    for number, game in enumerate(dealing(begun(name))):
        if number % 4 == 1:
            for viewer in (0, 1, -1):
                states = assert_looks_the_same(game, viewer)
                differing += len(states - {game.state}) > 0
                found += 1
    assert found > 2
    assert differing > found / 2


def test_a_world_within_a_deal_is_the_same_for_a_seed() -> None:
    game = [*dealing(begun("hots-4.0"))][5]
    worlds = WorldsBetweenDraws(game, 0)
    again = WorldsBetweenDraws(game, 0)

    assert worlds.world(Random(2), "a").state == again.world(Random(2), "a").state

"""Twins: what a player is answered is the same, byte for byte, in games that the player cannot tell apart.

Every public function with a parameter that names a player is asked; see `tests/observe/answers.py`.
"""

from __future__ import annotations

from datetime import date
from random import Random

import pytest

import hots_rules as hr
from tests.observe.answers import (
    ANSWERS,
    FOR_SPECTATORS,
    SHOWS_NO_GAME,
    asked_of,
    functions_for_players,
)
from tests.observe.twins import Twin, continued, shown, twins_at, twins_by_a_secret_choice
from tests.playing import last_of

SLOW = frozenset({"analysis.player_odds", "game.Game.why_not", "talk.ask", "talk.understand"})
"""What the quick test leaves to the night."""


def assert_alike(twins: list[Twin], chance: Random, without: frozenset[str] = frozenset()) -> int:
    """Assert that all twins are answered the same; how many answers of others the first one's were held against."""
    asked, compared = asked_of(twins[0], chance), 0
    names = ANSWERS.keys() if twins[0].player else FOR_SPECTATORS
    for name in sorted(names - without):
        first, *others = (shown(ANSWERS[name](twin, asked)) for twin in twins)
        for other in others:
            assert first == other, f"{name} for {twins[0].player}, {twins[0].game!r}, {asked}"
            compared += 1
    return compared


def test_every_public_function_with_a_player_is_in_the_registry() -> None:
    """A new one is added to `ANSWERS`, or to `SHOWS_NO_GAME` with the reason."""
    assert functions_for_players() == ANSWERS.keys() | SHOWS_NO_GAME.keys()
    assert not ANSWERS.keys() & SHOWS_NO_GAME.keys()


def test_twins_are_answered_alike() -> None:
    game = last_of(hr.load("hots-4.0").start("braveheart", seed=5), Random(5), 30)
    compared = assert_alike(
        continued(twins_at(game, "Scotland", "dice", 1), 2, Random(1)), Random(2), SLOW
    )

    assert compared >= 30


@pytest.mark.thorough
def test_a_secret_choice_leaves_no_trace() -> None:
    game = hr.load("hots-4.0").start("braveheart", seed=5)

    assert assert_alike(twins_by_a_secret_choice(game, "Scotland", 2), Random(3), SLOW) >= 30


@pytest.mark.nightly
@pytest.mark.parametrize("name", hr.rulesets())
def test_no_answer_tells_twins_apart(name: str) -> None:
    """More than 5,000 answers of all rulesets in a night; the date is the seed."""
    rules, compared = hr.load(name), 0
    for number in range(1000):
        chance = Random(f"{date.today()}/{name}/{number}")
        begun = rules.start(chance.choice(rules.scenarios), seed=str(chance.random()))
        game = last_of(begun, chance, chance.randrange(120))
        player = chance.choice((*rules.players, None))
        if game.is_over:
            continue
        if player and len(game.to_move) > 1 and chance.random() < 0.5:
            twins = twins_by_a_secret_choice(game, player)
        else:
            try:
                twins = continued(twins_at(game, player, "dice"), chance.randrange(4), chance)
            except hr.NoConsistentWorld:  # the search is bounded, so another game is taken
                continue
        compared += assert_alike(twins, chance)
        if compared >= 600:
            break
    assert compared >= 500

"""What a policy settles for a person depends on that person's view alone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

import hots_rules as hr
from hots_rules.observe.observer import viewer_of
from hots_rules.observe.worlds import consistent_worlds

RULESETS = ("hots-4.0", "hots-3.x", "hots-2.3")
"""Those with policies; the player aid, which has the same, is played as hots-4.0."""
POSITIONS = 5


def moments(ruleset: hr.Ruleset, seed: int) -> Iterator[tuple[hr.Game, str]]:
    """Choices of random games of the first scenario, with the player who has them."""
    game, chance = ruleset.start(next(iter(ruleset.scenarios)), seed=seed), Random(seed)
    while not game.is_over:
        player = chance.choice(game.to_move)
        own = [action for action in game.actions if action.player == player]
        if len(own) > 1 and chance.random() < 0.06:
            yield game, player
        game = game.play(chance.choice(own))


def twins(game: hr.Game, player: str) -> list[hr.Game]:
    """States that look alike to a player: the game, and others."""
    return [game, *consistent_worlds(game, viewer_of(game, player))]


@pytest.mark.parametrize("language", ["fr", "es"])
def test_the_policies_have_their_sentences_in_the_language_of_the_game(language: str) -> None:
    ruleset = hr.load("hots-4.0")
    english = hr.analysis.named_policies(ruleset)
    told = hr.analysis.named_policies(ruleset.in_language(language))

    assert list(english) == list(told)
    assert [] == [name for name in told if told[name].text == english[name].text]


@pytest.mark.thorough
@pytest.mark.parametrize("name", RULESETS)
def test_a_policy_settles_the_same_in_games_that_look_alike(name: str) -> None:
    ruleset = hr.load(name)
    policies = hr.analysis.named_policies(ruleset)
    assert policies
    apart = 0
    for game, player in islice(moments(ruleset, 1297), POSITIONS):
        alike = twins(game, player)
        apart += any(twin.state != game.state for twin in alike)
        for policy in policies:
            settler = hr.analysis.Settler(ruleset, policy, player)
            chosen = {action and action.text for action in map(settler.choose, alike)}

            assert len(chosen) == 1, (policy, game.record)
    assert apart > POSITIONS // 2


def test_a_policy_that_reads_hidden_strengths_leaves_the_choice_to_the_player() -> None:
    ruleset = hr.load("hots-4.0")
    settled = left = 0
    for game, player in islice(moments(ruleset, 1298), POSITIONS):
        names = {action.name for action in game.actions}
        action = hr.analysis.Settler(ruleset, "fight-on", player).choose(game)
        settled += action is not None
        left += action is None and "move" in names
    assert settled and left

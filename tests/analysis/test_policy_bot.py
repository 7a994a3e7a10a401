"""Policies of a ruleset as players: tuned for a side, and asked from what that side can know."""

from __future__ import annotations

from random import Random

import pytest

import hots_rules as hr
from tests.playing import last_of


@pytest.fixture(scope="module")
def rules() -> hr.Ruleset:
    return hr.load("hots-4.0")


def test_each_side_has_its_tuned_policy(rules: hr.Ruleset) -> None:
    assert ["english-attack", "scottish-attack"] == [
        hr.analysis.usual_opponent(rules, side) for side in ("England", "Scotland")
    ]
    assert ("scottish-attack", "english-attack") == hr.analysis.tuned_policies(rules, "Scotland")


@pytest.mark.parametrize("name", hr.rulesets())
def test_a_tuned_policy_is_for_a_player_of_its_ruleset(name: str) -> None:
    ruleset = hr.load(name)
    policies = hr.analysis.named_policies(ruleset)
    tuned = [policies[policy] for policy in hr.analysis.tuned_policies(ruleset)]

    assert {policy.plays for policy in tuned} <= set(ruleset.players)
    assert (name.startswith("hots-")) == bool(tuned)


def test_a_policy_is_a_bot_of_its_ruleset_alone(rules: hr.Ruleset) -> None:
    assert hr.analysis.PolicyBot("english-attack", 7) == hr.analysis.make_bot(
        "english-attack", 7, rules
    )
    for ruleset in (None, hr.load("reversi-1.0")):
        with pytest.raises(hr.UnknownName):
            hr.analysis.make_bot("english-attack", 7, ruleset)
    with pytest.raises(hr.UnknownName, match="english-attack"):
        hr.analysis.make_bot("fight-on", 7, rules)  # it plays battles alone


def test_the_lines_of_the_policy_are_followed(rules: hr.Ruleset) -> None:
    """The first line wants a card with three group moves."""
    game = rules.start("braveheart", seed=1297)

    assert (
        "England: play Move 3"
        == hr.analysis.PolicyBot("english-attack").choose(game, "England").text
    )


@pytest.mark.parametrize("plays", [5, 25])
def test_what_is_hidden_has_no_part_in_the_choice(rules: hr.Ruleset, plays: int) -> None:
    game = last_of(rules.start("braveheart", seed=plays), Random(plays), plays)
    player = game.to_move[0]
    bot = hr.analysis.PolicyBot("english-attack", 3)
    worlds = game.worlds(player, 3, seed=9)

    assert {bot.choose(game, player)} == {bot.choose(world, player) for world in worlds}


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("side", "policy"), [("England", "english-attack"), ("Scotland", "scottish-attack")]
)
def test_a_tuned_policy_beats_random_play(rules: hr.Ruleset, side: str, policy: str) -> None:
    won = 0
    for seed in range(6):
        game = rules.start("braveheart", seed=seed)
        bots: dict[str, hr.analysis.Bot] = dict.fromkeys(rules.players, hr.RandomBot(seed))
        bots[side] = hr.analysis.make_bot(policy, seed, rules)
        while not game.is_over:
            game = game.play(bots[game.to_move[0]].choose(game, game.to_move[0]))
        won += game.outcome is not None and game.outcome.winner == side
    assert 5 <= won

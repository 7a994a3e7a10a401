"""Bots: they choose what is legal, by their seed and by what they see, and better than by chance."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from playing import last_of, ruleset_of
from sizes import sample_size

import hots_rules as hr

# Three boxes, one of them with the prize; who opens it wins. One player saw where it was put.
BOXES = """\
ruleset boxes-1.0 "Boxes"
type Side = Red | Blue
players Side
type Box = Left | Middle | Right
state §1
  prize : Box?
secret prize known to Blue §1
action open(b: Box) §1 "A box is opened."
  permit
  if b = prize
    win actor
phase game §1 "Blue opens a box, or Red does."
  draw b from Box
  prize := b
  choose {player}: open
  win {other}
invariant put §1 "The prize is somewhere."
  prize != none
scenario meeting §1 "A meeting"
  game()
"""


def boxes(player: str, seed: int) -> hr.Game:
    other = "Blue" if player == "Red" else "Red"
    text = BOXES.replace("{player}", player).replace("{other}", other)
    return ruleset_of(text).start("meeting", seed=seed)


def moments() -> list[Any]:
    found = []
    for name, scenario in (("hots-4.0", "braveheart"), ("lords-of-scotland", "3-players")):
        begun = hr.load(name).start(scenario, seed=6)
        found += [(begun, begun.to_move[-1])]
        late = last_of(begun, Random(6), 40)
        found += [(late, late.to_move[0])]
    return found


BOTS = [hr.RandomBot(3), hr.MonteCarloBot(3, rollouts=12, worlds=3)]


@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: type(bot).__name__)
def test_a_bot_chooses_the_same_in_all_that_its_player_cannot_tell_apart(
    bot: hr.analysis.Bot,
) -> None:
    for game, player in moments():
        chosen = bot.choose(game, player)

        assert chosen in game.actions and player == chosen.player
        for world in game.worlds(player, 2, seed=8):
            assert chosen == bot.choose(world, player)


@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: type(bot).__name__)
def test_a_bot_is_not_asked_where_its_player_is_not(bot: hr.analysis.Bot) -> None:
    game = hr.load("lords-of-scotland").start("2-players", seed=1)
    for player in ("P2", "P5", "Nobody", "chance"):
        with pytest.raises(hr.UnknownOption, match="expected a value of `player`"):
            bot.choose(game, player)


def test_who_knows_where_the_prize_is_opens_that_box() -> None:
    bot = hr.MonteCarloBot(1, rollouts=30)
    for seed in range(8):
        game = boxes("Blue", seed)

        assert game.play(bot.choose(game, "Blue")).outcome.winner == "Blue"


def test_who_does_not_know_opens_the_same_box_wherever_the_prize_is() -> None:
    bot = hr.MonteCarloBot(1, rollouts=30)
    games = [boxes("Red", seed) for seed in range(12)]

    assert {"Left", "Middle", "Right"} == {game.state.as_dict()["prize"] for game in games}
    assert 1 == len({bot.choose(game, "Red").text for game in games})


def test_thinking_beats_chance() -> None:
    won, games = 0, sample_size(2, 4)
    for number in range(games):
        game = hr.load("lords-of-scotland").start("2-players", seed=number)
        thinker = game.ruleset.players[number % 2]
        bots = {player: hr.RandomBot(number) for player in game.ruleset.players[:2]}
        bots[thinker] = hr.MonteCarloBot(number, rollouts=sample_size(6, 16), worlds=2)
        while not game.is_over:
            player = game.to_move[0]
            game = game.play(bots[player].choose(game, player))
        won += game.outcome.winner == thinker

    assert won > games / 2


def test_time_ends_thinking() -> None:
    game = hr.load("lords-of-scotland").start("2-players", seed=1)
    bot = hr.MonteCarloBot(1, rollouts=10**9, seconds=0.05)

    assert bot.choose(game, "P1") in game.actions


@pytest.mark.parametrize("wrong", [{"rollouts": 0}, {"worlds": -1}, {"rollouts": True}])
def test_nothing_to_think_of_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(hr.UnknownOption, match="a number above 0"):
        hr.MonteCarloBot(**wrong)

"""Bots: they choose what is legal, by their seed and by what they see, and better than by chance."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import hots_rules as hr
from tests.playing import last_of, ruleset_of

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


BOTS = [
    hr.RandomBot(3),
    hr.MonteCarloBot(3, rollouts=12, worlds=3),
    hr.analysis.ISMCTSBot(3, iterations=12, worlds=3),
]


@pytest.mark.thorough
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
        with pytest.raises(hr.BadArgument, match="`player` cannot be"):
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


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "scenario"),
    [
        ("goofspiel-1.0", "full-hands"),
        pytest.param("lords-of-scotland", "2-players", marks=pytest.mark.nightly),
    ],
)
def test_thinking_beats_chance(name: str, scenario: str) -> None:
    won, games = 0, 24
    for number in range(games):
        game = hr.load(name).start(scenario, seed=number)
        thinker = game.ruleset.players[number % 2]
        bots = {player: hr.RandomBot(number) for player in game.ruleset.players[:2]}
        bots[thinker] = hr.MonteCarloBot(number, rollouts=12, worlds=4)
        while not game.is_over:
            player = game.to_move[0]
            game = game.play(bots[player].choose(game, player))
        won += game.outcome.winner == thinker

    assert won > games / 2


# ------------------------------------------------------------------ whole games
GAMES = [(name, scenario) for name, titles in hr.scenarios().items() for scenario in titles]
SHORT = [(name, scenario) for name, scenario in GAMES if scenario != "campaign"]
THINKER = hr.MonteCarloBot(5, rollouts=1, worlds=1)


def played_by_bots(game: hr.Game, most: int, thinking: float) -> hr.Game:
    """The game after some decisions of all players, a share of them by search."""
    chance = Random(game.scenario)
    for _ in range(most):
        if game.is_over:
            break
        for player in game.to_move:
            bot = THINKER if chance.random() < thinking else BOTS[0]
            chosen = bot.choose(game, player)
            assert chosen in game.actions
        game = game.play(chosen)
    return game


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "scenario"), SHORT)
def test_a_bot_plays_every_side_of_every_game(name: str, scenario: str) -> None:
    begun = hr.load(name).start(scenario, seed=5)
    played_by_bots(begun, most=1, thinking=1)
    played_by_bots(last_of(begun, Random(5), 45), most=1, thinking=1)


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "scenario"), GAMES)
def test_a_bot_plays_every_side_through(name: str, scenario: str) -> None:
    assert played_by_bots(hr.load(name).start(scenario, seed=6), 100_000, thinking=0.1).is_over


# ------------------------------------------------------------------ dead ends
STUCK = """\
ruleset stuck-1.0 "Nobody can choose"
type Side = Red | Blue
players Side
state §1
  turn : 1..3 = 1
action go §1 "Somebody goes."
  permit when turn = 1
  turn += 1
phase game §1 "Two turns, of which the second allows nothing."
  for n in 1..2
    choose Red: go
  win Red
scenario meeting §1 "A meeting"
  game()
positions begin at game
"""


def test_random_play_into_a_dead_end_tells_the_position() -> None:
    rules = ruleset_of(STUCK)
    with pytest.raises(hr.EngineError, match="no action is legal in phase `game`") as error:
        hr.simulate(rules, "meeting", games=1)
    assert "turn 2\n" == error.value.position
    assert "turn 2" in str(error.value)
    game = rules.start("meeting").play("Red: go")
    for bot in BOTS:
        # What is hidden from the player would be in the position.
        with pytest.raises(hr.EngineError, match=r"no action is legal in phase `game`.*ask$"):
            bot.choose(game, "Red")
    with pytest.raises(hr.EngineError, match="no action is legal"):
        game.odds(until="game", policy="random")


def test_time_ends_thinking() -> None:
    game = hr.load("lords-of-scotland").start("2-players", seed=1)
    bot = hr.MonteCarloBot(1, rollouts=10**9, seconds=0.05)

    assert bot.choose(game, "P1") in game.actions


@pytest.mark.parametrize("wrong", [{"rollouts": 0}, {"worlds": -1}, {"rollouts": True}])
def test_nothing_to_think_of_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(hr.BadArgument, match="a number above 0"):
        hr.MonteCarloBot(**wrong)

"""Information-set tree search: nobody in it knows too much, and it sees what random games alone do not show."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import hots_rules as hr
from hots_rules.native.backends import LIBRARIES, is_installed
from hots_rules.observe.changes import ObservedChanges
from hots_rules.observe.information_state import tracker_of
from hots_rules.observe.view import view_of
from tests.playing import played_out, ruleset_of
from tests.sizes import sample_size

ISMCTSBot = hr.analysis.ISMCTSBot

# Red hides a coin or folds, which wins one time in six; Blue guesses where it is.
COIN = """\
ruleset coin-1.0 "Coin"
type Side = {players}
players Side
type Hand = Left | Right
state §1
  coin : Hand?
  guessed : Hand?
{secret}
action hide(h: Hand) §1 "The coin goes into a hand."
  permit when actor = Red
  coin := h
action fold §1 "Red takes the die."
  permit when actor = Red
action guess(h: Hand) §1 "Blue points to a hand."
  permit when actor = Blue
  guessed := h
phase game §1 "Red hides a coin, Blue guesses; without a coin a die decides."
  {choices}
  if coin = none
    roll d6 as d for 1
    if d = 6
      win Red
    win Blue
  if coin = guessed
    win Blue
  win Red
scenario meeting §1 "A meeting"
  game()
"""
TOGETHER = "choose each s in Side: hide, fold, guess"
IN_TURN = "choose Red: hide, fold\n  choose Blue: guess"
HIDDEN = "secret coin known to Red"


def coin(players: str, choices: str, secret: str = HIDDEN) -> hr.Game:
    text = COIN.replace("{players}", players).replace("{choices}", choices)
    return ruleset_of(text.replace("{secret}", secret)).start("meeting", seed=1)


@pytest.mark.thorough
@pytest.mark.parametrize("players", ["Red | Blue", "Blue | Red"])
@pytest.mark.parametrize(
    ("choices", "secret"), [(TOGETHER, HIDDEN), (TOGETHER, ""), (IN_TURN, HIDDEN)]
)
def test_who_guesses_does_not_know_what_was_chosen_in_secret(
    players: str, choices: str, secret: str
) -> None:
    chosen = ISMCTSBot(1, iterations=400).choose(coin(players, choices, secret), "Red")

    assert "hide" == chosen.name


@pytest.mark.parametrize("players", ["Red | Blue", "Blue | Red"])
def test_a_single_game_is_enough_to_choose(players: str) -> None:
    game = coin(players, TOGETHER)

    for player in game.to_move:
        assert ISMCTSBot(1, iterations=1).choose(game, player) in game.view(player).actions


def test_who_guesses_in_the_open_finds_the_coin() -> None:
    chosen = ISMCTSBot(1, iterations=400).choose(coin("Red | Blue", IN_TURN, ""), "Red")

    assert "fold" == chosen.name


# A number of a die is guessed before it is rolled, or a third of all rolls wins without a guess.
DIE = """\
ruleset die-1.0 "Die"
type Side = Red | Blue
players Side
state §1
  said : 0..6 = 0
action say(n: 1..6) §1 "A number is said."
  permit
  said := n
action pass §1 "Nothing is said."
  permit
phase game §1 "Red says a number, and a die is rolled."
  choose Red: say, pass
  roll d6 as d for 1
  if said = d
    win Red
  if said = 0
    if d <= 2
      win Red
  win Blue
scenario meeting §1 "A meeting"
  game()
"""


def test_nobody_knows_the_die_before_it_is_rolled() -> None:
    game = ruleset_of(DIE).start("meeting", seed=1)

    assert "pass" == ISMCTSBot(1, iterations=600, worlds=1).choose(game, "Red").name


# After `risk` one answer in ten is right, and whoever thinks finds it.
TRAP = """\
ruleset trap-1.0 "Trap"
type Side = Red | Blue
players Side
state §1
  risked : bool = false
  answered : 0..10 = 0
action risk §1 "Red leaves it to Blue."
  permit
  risked := true
action dare §1 "A die decides."
  permit
action answer(n: 1..10) §1 "Blue answers."
  permit
  answered := n
phase game §1 "Red leaves it to Blue or to a die."
  choose Red: risk, dare
  if risked
    choose Blue: answer
    if answered = 7
      win Blue
    win Red
  roll d6 as d for 1
  if d <= 3
    win Red
  win Blue
scenario meeting §1 "A meeting"
  game()
"""


def test_the_search_sees_an_answer_that_random_games_hardly_show() -> None:
    game = ruleset_of(TRAP).start("meeting", seed=1)

    assert "risk" == hr.MonteCarloBot(1, rollouts=400).choose(game, "Red").name
    assert "dare" == ISMCTSBot(1, iterations=400).choose(game, "Red").name


# ------------------------------------------------------------------ policies
def trap_with(policy: Any) -> str:
    game = ruleset_of(TRAP).start("meeting", seed=1)
    return ISMCTSBot(1, iterations=24, policy=policy).choose(game, "Red").name


@pytest.mark.thorough
@pytest.mark.parametrize(
    "policy",
    ["answer(n) when n = 7", "risk; answer(n) when n = 7", {"Blue": "answer(n) when n = 7"}],
)
def test_what_a_policy_chooses_is_tried_first(policy: Any) -> None:
    assert "risk" == trap_with(None)
    assert "dare" == trap_with(policy)


def test_the_policy_of_one_player_is_not_that_of_another() -> None:
    assert "risk" == trap_with({"Red": "answer(n) when n = 7"})
    assert "risk" == trap_with("random")


def test_a_policy_of_the_ruleset_has_a_name() -> None:
    game = list(played_out(hr.load("hots-4.0").start("braveheart", seed=6), Random(6), 40))[-1]
    player = game.to_move[0]
    bot = ISMCTSBot(1, iterations=12, worlds=2, policy="fight-on")

    chosen = bot.choose(game, player)
    assert all(chosen == bot.choose(world, player) for world in game.worlds(player, 2, seed=4))
    with pytest.raises(hr.UnknownName, match="fight-on"):
        ISMCTSBot(1, iterations=12, worlds=2, policy="fight-off").choose(game, player)


@pytest.mark.parametrize("policy", [hr.analysis.Best("turn"), {"Red": hr.analysis.Best("turn")}, 7])
def test_a_policy_that_searches_itself_is_refused(policy: Any) -> None:
    with pytest.raises(hr.BadArgument, match="the name of a policy, or its lines"):
        ISMCTSBot(policy=policy)


# ------------------------------------------------------------------ back ends
PLAYED = (
    ("connect-four-1.0", "empty-board"),
    ("goofspiel-1.0", "full-hands"),
    ("backgammon-1.0", "opening"),
    ("lords-of-scotland", "3-players"),
)


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "scenario"), PLAYED)
def test_bots_choose_the_same_on_every_back_end(name: str, scenario: str) -> None:
    games = [hr.load(name).start(scenario, seed=2)]
    games.append(list(played_out(games[0], Random(2), 9))[-1])
    for game in games:
        player = game.to_move[0]
        for make in (montecarlo, ismcts):
            chosen = make("python").choose(game, player)
            for backend in filter(is_installed, LIBRARIES):
                assert chosen == make(backend).choose(game, player)
            assert chosen == make("auto").choose(game, player)


def montecarlo(backend: str) -> hr.analysis.Bot:
    return hr.MonteCarloBot(4, rollouts=40, worlds=3, backend=backend)


def ismcts(backend: str) -> hr.analysis.Bot:
    return ISMCTSBot(4, iterations=40, worlds=3, backend=backend)


@pytest.mark.parametrize("bot", [hr.MonteCarloBot, ISMCTSBot])
def test_an_unknown_back_end_is_refused(bot: Any) -> None:
    with pytest.raises(hr.UnknownName, match="unknown backend `abacus`"):
        bot(backend="abacus")


@pytest.mark.parametrize("wrong", [{"iterations": 0}, {"worlds": -1}, {"iterations": 1.5}])
def test_nothing_to_search_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(hr.BadArgument, match="a number above 0"):
        ISMCTSBot(**wrong)


# ------------------------------------------------------------------ strength
def share(game: hr.Game, ours: Any, theirs: Any, pairs: int) -> float:
    """The share of points of one kind of bot against another, in pairs of games with the sides exchanged."""
    points = 0.0
    one, other = game.ruleset.players
    for pair in range(pairs):
        for us, them in ((one, other), (other, one)):
            bots = {us: ours(f"{pair}/us"), them: theirs(f"{pair}/them")}
            played = game.ruleset.start(game.scenario, seed=pair)
            while not played.is_over:
                player = played.to_move[0]
                played = played.play(bots[player].choose(played, player))
            winner = played.outcome.winner if played.outcome else None
            points += 0.5 if winner is None else float(winner == us)
    return points / (2 * pairs)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "scenario", "pairs"),  # chance plays well in the game of bids
    [("connect-four-1.0", "empty-board", 2), ("goofspiel-1.0", "full-hands", 8)],
)
def test_searching_beats_chance(name: str, scenario: str, pairs: int) -> None:
    game = hr.load(name).start(scenario, seed=1)

    assert share(game, lambda seed: ISMCTSBot(seed, iterations=60), hr.RandomBot, pairs=pairs) > 0.5


@pytest.mark.nightly
def test_searching_beats_random_games_alone_where_moves_are_answered() -> None:
    game = hr.load("connect-four-1.0").start("empty-board", seed=1)

    def searching(seed: str) -> hr.analysis.Bot:
        return ISMCTSBot(seed, iterations=200, worlds=20)

    def playing(seed: str) -> hr.analysis.Bot:
        return hr.MonteCarloBot(seed, rollouts=200, worlds=20)

    assert share(game, searching, playing, pairs=sample_size(15, 30)) > 0.5


# ------------------------------------------------------------------ what is seen to change
SEEN = (
    ("hots-4.0", "braveheart"),
    ("lords-of-scotland", "3-players"),
    ("dominoes-1.0", "full-bag"),
)


def looks(game: hr.Game, player: str) -> Any:
    """What a player sees, without what only names stacks or belongs to him who is to choose."""
    view = view_of(game, player)
    return view.phase, view.to_move, view.outcome, view.actions, repr(view.state), view.stacks


def moments_of(name: str, scenario: str) -> Iterator[hr.Game]:
    game = hr.load(name).start(scenario, seed=3)
    for number, moment in enumerate(played_out(game, Random(3), sample_size(60, 300))):
        if number % 12 == 0 and not moment.is_over:
            yield moment


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "scenario"), SEEN)
def test_plays_that_look_the_same_are_the_same_change(name: str, scenario: str) -> None:
    compared = 0
    for game in moments_of(name, scenario):
        for player in game.ruleset.players[:2]:
            viewer = game.ruleset.players.index(player)
            changes = ObservedChanges(tracker_of(game, viewer).observer)
            found: dict[Any, list[Any]] = {}
            for world in game.worlds(player, 4, seed=5):
                for code in world.legal_codes[:6]:
                    after = world.after(code)
                    before = changes.sight(world.state.slots)
                    _, change = changes.after(before, after.state.slots)
                    key = repr((looks(world, player), looks(after, player)))
                    found.setdefault(key, []).append((change, world.state))
            for same in found.values():
                assert 1 == len({change for change, _ in same})
                compared += len({state for _, state in same}) - 1
    assert compared > 20, "expected pairs of worlds that look the same"

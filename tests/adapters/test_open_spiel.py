"""The sample games against OpenSpiel, an engine that is independent of ours; skipped where it is missing."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import hots_rules as hr
from tests.games.test_counts import lines_of
from tests.needs import needs

pytestmark = pytest.mark.thorough

pyspiel = needs("pyspiel")

SEEDS = range(3)


def peer_state(name: str) -> Any:
    return pyspiel.load_game(name).new_initial_state()


def start(sample: str, **chosen: Any) -> hr.Game:
    rules = hr.load(sample)
    return rules.start(rules.scenarios[0], **chosen)


# ------------------------------------------------------------------ boards
def count(state: Any, depth: int) -> int:
    """How many sequences of that many actions OpenSpiel has from a state."""
    if state.is_terminal():
        return 0
    actions = state.legal_actions()
    return len(actions) if depth == 1 else sum(count(state.child(a), depth - 1) for a in actions)


def a_file(text: str) -> str:
    return str(ord(text[0]) - ord("a"))


def seen_from_the_other_side(text: str) -> str:
    """A move of breakthrough, whose first player begins at the other side in OpenSpiel."""
    return re.sub(r"\d", lambda rank: str(9 - int(rank[0])), text.replace("-", ""))


BOARDS = [
    pytest.param("connect-four-1.0", "connect_four", a_file, id="connect-four"),
    pytest.param("breakthrough-1.0", "breakthrough", seen_from_the_other_side, id="breakthrough"),
    pytest.param("reversi-1.0", "othello", str, id="reversi"),
]


@pytest.mark.parametrize(("sample", "peer", "_word"), BOARDS)
def test_the_counts_are_those_of_open_spiel(
    sample: str, peer: str, _word: Callable[[str], str]
) -> None:
    game, state = start(sample), peer_state(peer)

    assert [count(state, n) for n in (1, 2, 3)] == [lines_of(game, n) for n in (1, 2, 3)]


@pytest.mark.parametrize(("sample", "peer", "word"), BOARDS)
def test_a_random_game_has_the_choices_and_the_end_of_open_spiel(
    sample: str, peer: str, word: Callable[[str], str]
) -> None:
    for seed in SEEDS:
        chooser, game, state = Random(seed), start(sample), peer_state(peer)
        players = game.ruleset.players
        while not state.is_terminal():
            theirs = {
                re.sub(r"^[xo](?=\d)|\*| .*", "", state.action_to_string(action)): action
                for action in state.legal_actions()
            }
            if [*theirs] == ["pass"]:
                state.apply_action(theirs["pass"])
                continue
            ours = {word(action.text.partition(": ")[2]): action for action in game.actions}
            assert set(theirs) == set(ours)
            chosen = chooser.choice(sorted(ours))
            game = game.play(ours[chosen])
            state.apply_action(theirs[chosen])

        assert game.outcome
        assert game.outcome.winner == {1: players[0], -1: players[1], 0: None}[state.returns()[0]]


# ------------------------------------------------------------------ backgammon
def men_of(state: Any, player: int) -> list[int]:
    """The men of a player by point, as that player counts; the bar is 25."""
    bar = 100
    found = [0] * 26
    for point in range(24):
        found[point + 1 if player else 24 - point] = state.board(player, point)
    found[25] = state.board(player, bar)
    found[0] = 15 - sum(found)
    return found


def position_of(state: Any) -> str:
    """A position of OpenSpiel in which the player has thrown, in our words."""
    one, two = re.search(r"Dice: (\d)(\d)", str(state)).groups()
    lines = ["throws 1", f"mover {('White', 'Black')[state.current_player()]}"]
    lines += [f"{one}: dice 4"] if one == two else [f"{one}: dice 1", f"{two}: dice 1"]
    for player, name in enumerate(("White", "Black")):
        men = enumerate(men_of(state, player))
        lines += [f"{name}, {point}: men {number}" for point, number in men if number]
    return "\n".join(lines)


def their_ends(state: Any, player: int) -> set[str]:
    if state.is_terminal() or state.current_player() != player:
        return {str([men_of(state, 0), men_of(state, 1)])}
    return {end for a in state.legal_actions() for end in their_ends(state.child(a), player)}


def our_ends(game: hr.Game, player: str, seen: set[hr.State]) -> set[str]:
    if game.to_move != (player,):
        men = [*game.state["men"].values()]
        return {str([men[:26], men[26:]])}
    if game.state in seen:
        return set()
    seen.add(game.state)
    return {end for a in game.actions for end in our_ends(game.play(a), player, seen)}


def test_a_throw_leads_to_the_positions_of_open_spiel() -> None:
    rules, chooser, compared = hr.load("backgammon-1.0"), Random(7), 0
    while compared < 25:
        state = peer_state("backgammon")
        while not state.is_terminal():
            player = state.current_player()
            if player >= 0 and "Extra turn: 0" in str(state) and chooser.random() < 0.1:
                game = rules.position(position_of(state), chance="ask")
                name = ("White", "Black")[player]
                assert their_ends(state, player) == our_ends(game, name, set()), str(state)
                compared += 1
            state.apply_action(chooser.choice(state.legal_actions()))


# ------------------------------------------------------------------ dominoes
def test_a_game_of_dominoes_takes_the_course_of_open_spiel() -> None:
    needs("open_spiel.python.games.block_dominoes")
    rules = hr.load("dominoes-1.0")
    for seed in range(20):
        chooser, state = Random(seed), peer_state("python_block_dominoes")
        while state.is_chance_node():
            state.apply_action(chooser.choice(state.legal_actions()))
        hands = zip(("Ann", "Ben"), state.hands, strict=True)
        dealt = {tile_name(tile): f"Hand_{name}" for name, hand in hands for tile in hand}
        lines = [f"{tile}: place {dealt.get(tile, 'Bag')}" for tile in TILES]
        game = rules.position("\n".join(lines), options={"drawing": False})
        while not state.is_terminal():
            theirs = {a: state.action_to_string(a) for a in state.legal_actions()}
            words = {" ".join(our_tile(text)): a for a, text in theirs.items()}
            ours = {" ".join(action.args.values()): action for action in game.actions}
            assert set(words) == set(ours)
            chosen = chooser.choice(sorted(ours))
            game, _ = game.play(ours[chosen]), state.apply_action(words[chosen])

        assert game.outcome
        if state.returns()[0]:
            assert game.outcome.winner == ("Ann" if state.returns()[0] > 0 else "Ben")


TILES = [f"Tile_{low}_{high}" for low in range(7) for high in range(low, 7)]


def tile_name(tile: tuple[float, float]) -> str:
    return f"Tile_{int(tile[0])}_{int(tile[1])}"


def our_tile(text: str) -> list[str]:
    """The arguments of `p0 tile:(2.0, 4.0) pip:4.0`."""
    low, high, pip = re.search(r"tile:\((\S+), (\S+)\) pip:(\S+)", text).groups()
    tile = tile_name((float(low), float(high)))
    return [tile] if pip == "None" else [tile, str(int(float(pip)))]


# ------------------------------------------------------------------ goofspiel
def test_goofspiel_ends_as_in_open_spiel() -> None:
    for seed in range(20):
        chooser = Random(seed)
        state = pyspiel.load_game("goofspiel(num_cards=5)").new_initial_state()
        game = start("goofspiel-1.0", options={"cards": 5}, chance="ask")
        while not state.is_terminal():
            if state.is_chance_node():
                theirs = chooser.choice(state.legal_actions())
                state.apply_action(theirs)
                game = game.play(f"chance: draw {theirs + 1}")
                continue
            bids = [chooser.choice(state.legal_actions(player)) for player in (0, 1)]
            state.apply_actions(bids)
            for player, bid in zip(("Ann", "Ben"), bids, strict=True):
                game = game.play(f"{player}: bid {bid + 1}")
        while game.to_move:  # OpenSpiel plays the last cards by itself.
            game = game.play(game.actions[0])
        winner = {1: "Ann", -1: "Ben", 0: None}[state.returns()[0]]

        assert winner == (game.outcome.winner if game.outcome else "the game goes on")

"""The effects of an action that the picture of a position shows, in the words in which a player says them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

import hots_rules as hr
from tests.playing import played_out


def effects(game: hr.Game, text: str) -> list[str]:
    return hr.draw.effects_on_board(game, game.preview(text, game.actions[0].player))


@pytest.fixture
def movement() -> hr.Game:
    """England is to move three groups."""
    game = hr.load("hots-4.0").start("braveheart", seed="1297")
    return game.play("England: play Move 3").play("Scotland: play Move 2")


@pytest.fixture(scope="module")
def last_round() -> hr.Game:
    """Fraser attacks Ross, who may leave."""
    made_up = hr.talk.battle(hr.load("hots-4.0"), "Lochaber: Fraser 3 against Ross 2").game
    assert isinstance(made_up, hr.Game)
    return made_up


def test_what_rules_only_keep_account_of_is_not_told(movement: hr.Game) -> None:
    changed = {
        each.path[0]
        for each in movement.preview("move Ulster Infantry England-Annan", "England").effects
    }
    assert {"attacked", "crossed"} <= changed
    assert effects(movement, "move Ulster Infantry England-Annan") == [
        "Ulster Infantry: England → Annan",
        "moves left: 3 → 2",
    ]


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "en",
            ["Ross: Lochaber → Badenoch", "Fraser: Lochaber → not known to you", "Battle: over"],
        ),
        (
            "fr",
            [
                "Ross : Lochaber → Badenoch",
                "Fraser : Lochaber → inconnu de vous",
                "Bataille : fin",
            ],
        ),
        (
            "es",
            [
                "Ross: Lochaber → Badenoch",
                "Fraser: Lochaber → desconocido para ti",
                "Batalla: fin",
            ],
        ),
    ],
)
def test_a_retreat_is_told_as_a_player_says_it(
    last_round: hr.Game, language: str, told: list[str]
) -> None:
    """§5.5: Ross leaves the field, and the block that stays stands upright again."""
    assert ("England",) == last_round.to_move
    retreat = next(a for a in last_round.actions if a.name == "retreat" and "Badenoch" in a.text)
    game = last_round.in_language(language)

    assert told == hr.draw.effects_on_board(game, game.preview(retreat, "England"))


def test_a_battle_that_begins_is_told_with_its_place(movement: hr.Game) -> None:
    game = movement.play("England: end moves").play("Scotland: move Wallace Fife-Mentieth")
    game = game.play("Scotland: move Douglas Fife-Mentieth")

    assert effects(game, "end moves")[0] == "Battle: Mentieth"


def test_effects_are_told_in_the_words_of_a_language() -> None:
    start = hr.load("hots-4.0").start("braveheart", seed="1297").in_language("fr")
    assert effects(start, "Angleterre: jouer Mouvement 3") == [
        "Angleterre : carte jouée Mouvement 3"
    ]


def told_in_games(name: str) -> Iterator[list[str]]:
    """What each legal action would change, at each moment of a random game."""
    rules = hr.load(name)
    for game in played_out(rules.start(rules.scenarios[0], seed="3"), Random(5)):
        for action in () if game.is_chance else game.actions:
            yield hr.draw.effects_on_board(game, game.preview(action, action.player))


def test_pieces_that_go_to_one_place_are_told_together() -> None:
    cleared = next(
        told for told in told_in_games("lords-of-scotland") if "→ discard pile" in "".join(told)
    )

    assert 1 == sum("discard pile" in line for line in cleared)
    assert cleared[0].count(",") > 1
    assert ": " not in cleared[0]


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("breakthrough-1.0", "White: g2-h3", ["White: g2 → h3"]),
        ("connect-four-1.0", "Red: e1", ["e1: Red"]),
        ("reversi-1.0", "Black: e6", ["e5: White → Black", "e6: Black"]),
    ],
)
def test_a_stone_is_told_by_its_squares(name: str, text: str, told: list[str]) -> None:
    rules = hr.load(name)
    assert told == effects(rules.start(rules.scenarios[0], seed="1"), text)


def test_who_captures_goes_there_and_the_square_changes_hands() -> None:
    moved, square = next(told for told in told_in_games("breakthrough-1.0") if len(told) > 1)

    assert re.fullmatch(r"White: \w\d → (\w\d)", moved)
    assert square == f"{moved[-2:]}: Black → White"


def test_whose_turn_it_is_and_the_clock_are_not_told() -> None:
    lines = [line for told in islice(told_in_games("backgammon-1.0"), 60) for line in told]

    assert lines
    assert not [line for line in lines if line.startswith(("mover", "throws"))]


@pytest.mark.thorough
@pytest.mark.parametrize("name", hr.rulesets())
def test_no_line_names_what_nobody_says(name: str) -> None:
    """A line has neither names of the state, such as `Move_3`, nor numbers of hidden pieces."""
    for told in islice(told_in_games(name), 300):
        for line in told:
            assert not re.search(r"[_#\[\]{}?]|unknown|None", line), line

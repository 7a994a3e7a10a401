"""The effects of an action that the picture of a position shows, in words."""

from __future__ import annotations

import pytest

import hots_rules as hr


def effects(game: hr.Game, text: str) -> list[str]:
    return hr.draw.effects_on_board(game, game.preview(text, game.actions[0].player))


@pytest.fixture
def movement() -> hr.Game:
    """England is to move three groups."""
    game = hr.load("hots-4.0").start("braveheart", seed="1297")
    return game.play("England: play Move 3").play("Scotland: play Move 2")


def test_what_rules_only_keep_account_of_is_not_told(movement) -> None:
    changed = {
        each.path[0]
        for each in movement.preview("move Ulster Infantry England-Annan", "England").effects
    }
    assert {"attacked", "crossed"} <= changed
    assert effects(movement, "move Ulster Infantry England-Annan") == [
        "place Ulster Infantry: England → Annan",
        "moves left: 3 → 2",
    ]


def test_effects_are_told_in_the_words_of_a_language() -> None:
    start = hr.load("hots-4.0").start("braveheart", seed="1297").in_language("fr")
    assert effects(start, "Angleterre: jouer Mouvement 3") == [
        "main Angleterre Mouvement 3: 1 → 0",
        "carte jouée Angleterre: aucun → Mouvement 3",
    ]


def test_a_board_that_names_no_variables_shows_all_of_them() -> None:
    game = hr.load("backgammon-1.0").start("opening", seed="1")
    text = game.actions[0].text
    told = effects(game, text)
    changed = game.preview(text, game.actions[0].player).effects
    assert len(told) == len(changed) > 1

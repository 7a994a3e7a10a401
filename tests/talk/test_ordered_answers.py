"""What is asked of a battle or of moves in progress is told in its order, and counts what is left."""

from __future__ import annotations

from functools import cache

import pytest

import hots_rules as hr


@cache
def stirling() -> hr.Game:
    game = hr.load("hots-4.0").start("braveheart", seed=8)
    for line in (
        *("England: play Move 2", "Scotland: play Move 3"),
        *(f"Scotland: move {block} Fife-Mentieth" for block in ("Wallace", "Douglas", "Barclay")),
        *("Scotland: move Grant Strathspey-Buchan", "Scotland: end moves"),
        *("England: move Stewart Lanark-Mentieth", "England: move Atholl Atholl-Mentieth"),
        "Scotland: fight in Mentieth",
    ):
        game = game.play(line)
    return game


@cache
def annan() -> hr.Game:
    game = hr.load("hots-4.0").start("braveheart", seed=8)
    for line in (
        *("England: play Move 3", "Scotland: play Move 2"),
        *(f"England: move {block} England-Annan" for block in ("Edward", "York Knights")),
    ):
        game = game.play(line)
    return game


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("who goes after wallace?", "After Wallace: Mentieth, Northumber Infantry, Douglas, Barc"),
        ("what is the order of fire", "C: Northumber Infantry, Douglas, Barclay"),
        ("how many rounds are left", "2 after this one"),
        ("can northumber bail out to fife", "No: England: retreat Northumber Infantry to Fife"),
        ("can Mentieth retreat to Fife?", "No: England: retreat Mentieth to Fife is not legal"),
        ("who controls Mentieth", "England, Scotland"),
    ],
)
def test_a_battle(line: str, answer: str) -> None:
    assert answer in str(stirling().ask(line))


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("how many blocks are pinned in annan", "1: each attacking block pins one"),
        ("how many moves are left", "1 (§4.2)"),
        ("how many more moves does England have", "left to the side that moves now: 1"),
        ("can galloway go to annan", "No: Scotland: move Galloway Galloway-Annan is not legal"),
        ("who can reach England", "Legal now: Dunbar. (§4.2)"),
    ],
)
def test_moves_in_progress(line: str, answer: str) -> None:
    assert answer in str(annan().ask(line))


def test_bare_odds_outside_a_battle_say_what_can_be_asked() -> None:
    start = hr.load("hots-4.0").start("braveheart", seed=8)

    assert "those of any battle can: `Fife: Wallace 3" in str(start.ask("odds"))
    assert "Wallace" in str(stirling().ask("what are my chances"))

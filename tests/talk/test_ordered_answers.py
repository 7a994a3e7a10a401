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


@cache
def first_moves() -> hr.Game:
    game = hr.load("hots-4.0").start("braveheart", seed=8)
    return game.play("England: play Move 2").play("Scotland: play Move 3")


@pytest.mark.parametrize(
    ("line", "player"),
    [
        ("can I attack mentieth", "Scotland"),
        ("why can't I attack mentieth", None),
        ("puedo atacar mentieth", "Scotland"),
        ("puis-je attaquer mentieth", "Scotland"),
    ],
)
def test_a_name_of_the_other_side_is_rather_that_of_the_place(
    line: str, player: str | None
) -> None:
    answer = str(first_moves().ask(line, player=player))
    assert answer.startswith("Yes: Scotland: move Wallace Fife-Mentieth")


@pytest.mark.parametrize("player", ["England", "Scotland"])
@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("how can I crown Comyn", "if he stands in Fife with the Scots, Wallace is dead"),
        ("how many nobles do I have", "England: 11"),
    ],
)
def test_only_the_clauses_that_depend_on_hidden_things_are_left_out(
    line: str, answer: str, player: str
) -> None:
    told = str(first_moves().ask(line, player=player))
    assert answer in told
    assert "unknown" not in told


def test_where_nothing_can_be_chosen_no_action_is_made_up() -> None:
    answer = str(hr.load("hots-4.0").start("braveheart", seed=8).ask("where can Fraser retreat?"))
    assert answer.startswith("Nothing now: the legal choices now are: play card (play_cards §3.1).")
    assert "Leave the battle for a neighbouring area" in answer

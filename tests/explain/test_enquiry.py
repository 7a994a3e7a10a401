"""Questions in the words of the rulebook."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

import hots_rules as hr
from tests.folders import TESTS
from tests.playing import played_out

TINY = TESTS / "mistakes" / "tiny-1.0.rules"


@pytest.fixture(scope="module")
def game() -> hr.Game:
    return hr.load("hots-4.0").start("braveheart", seed=1297)


@pytest.mark.parametrize(
    ("asked", "value", "sections"),
    [
        ("who holds Fife", ["Scotland"], ("4.5",)),
        ("Who  holds lothian?", ["England"], ("4.5",)),
        ("who holds Selkirk", [], ("4.5",)),
        ("where is Wallace", "Fife", ("2.0",)),
        ("how strong is Bruce", 4, ("2.11",)),
        ("what borders Ross", ["Garmoran", "Moray"], ("1.1",)),
        ("what border is between Ross and Moray", ["red"], ("4.3",)),
        ("what border is between Ross and Fife", [], ("4.3",)),
        ("what is the castle limit of Mentieth", 3, ("1.2",)),
        ("how many blocks of Scotland may winter in Fife", 3, ("1.2", "1.3")),
        ("how many blocks of England may winter in Fife", 2, ("1.2", "1.3")),
        ("where may Wallace retreat", [], ("5.5",)),
    ],
)
def test_a_question_has_its_answer_and_its_sections(
    game: hr.Game, asked: str, value: Any, sections: tuple[str, ...]
) -> None:
    found = game.ask(asked)

    assert (value, sections) == (found.value, found.sections)


BATTLE = [
    "England: play Move 3", "Scotland: play Move 2", "England: end moves",
    "Scotland: move Wallace Fife-Mentieth", "Scotland: move Douglas Fife-Mentieth", "Scotland: end moves",
]  # fmt: skip


def test_nobody_is_player_1_before_both_cards_are_laid(game: hr.Game) -> None:
    laid = game.play("England: play Move 3")
    turned_up = laid.play("Scotland: play Move 2")

    assert [None, None] == [moment.ask("who is Player 1?").value for moment in (game, laid)]
    for moment in (game, laid, game.play("Scotland: play Move 2")):
        for player in ("England", "Scotland"):
            assert "none" == moment.ask("who is Player 1?", player=player).text
    assert "England" == turned_up.ask("who is Player 1?").value
    assert "England" == turned_up.ask("who is Player 1?", player="Scotland").value


def test_that_a_side_has_laid_a_card_is_seen_and_which_card_is_not(game: hr.Game) -> None:
    views = [game.play(f"Scotland: play {card}").view("England") for card in ("Move 2", "Sea Move")]

    assert {"England": None, "Scotland": None} == game.view("England").state["played"]
    assert {"England": None, "Scotland": "?"} == views[0].state["played"]
    assert views[0] == views[1]


def test_who_acts_before_whom_in_a_battle(game: hr.Game) -> None:
    for text in BATTLE:
        game = game.play(text)

    # Wallace is A; of those with the same letter the defenders are first; Douglas and the infantry are C.
    assert [] == game.ask("what fires before Wallace").value
    assert ["Wallace", "Mentieth"] == game.ask("what fires before Northumber Infantry").value
    assert ["Wallace", "Mentieth", "Northumber_Infantry"] == game.ask(
        "what fires before Douglas"
    ).value
    assert game.ask("does Wallace act before Douglas").value is True


def test_answers_come_in_words(game: hr.Game) -> None:
    assert "Mentieth, Northumber Infantry (hots-4.0 §2.0)" == str(
        game.ask("who stands in Mentieth")
    )
    assert "none" == game.ask("who stands in Selkirk").text
    assert "no" == game.ask("does Douglas act before Douglas").text


def test_a_question_without_its_thing_is_asked_of_all(game: hr.Game) -> None:
    holders, pool = game.ask("who holds"), game.ask("pool")

    assert (["Scotland"], ["England"], []) == tuple(
        holders.value[area] for area in ("Fife", "Lothian", "Selkirk")
    )
    assert "Fife: Scotland; " in holders.text
    assert game.ask("what is in the pool of Scotland").value == pool.value["Scotland"]
    assert {"Fife": 2, "Mentieth": 3}.items() <= game.ask("castle limits").value.items()


@pytest.mark.parametrize(
    ("player", "asked", "value"),
    [
        ("Scotland", "who stands in Mentieth", ["a block of England"] * 2),
        ("England", "who stands in Mentieth", ["Mentieth", "Northumber_Infantry"]),
        ("Scotland", "where is Comyn", None),
        ("England", "where is Comyn", "Badenoch"),
        ("Scotland", "how strong is Comyn", None),
        ("Scotland", "which nobles are with England", None),
        ("Scotland", "who holds Mentieth", ["England"]),
        ("Scotland", "what is the castle limit of Mentieth", 3),
    ],
)
def test_a_player_hears_what_that_player_may_know(
    game: hr.Game, player: str, asked: str, value: Any
) -> None:
    found = game.ask(asked, player=player)

    assert value == found.value
    assert (value is None) == (found.text == "unknown: depends on hidden information")


def test_a_reply_is_the_same_whatever_is_hidden(game: hr.Game) -> None:
    for text in BATTLE:
        game = game.play(text)
    [world] = game.worlds("England", 1, seed=5)

    assert world.state != game.state
    for asked in ("who stands in Lanark", "who stands in Mentieth", "how strong is", "where is"):
        assert world.ask(asked, player="England") == game.ask(asked, player="England")


def test_a_reply_speaks_the_language_it_is_asked_for(game: hr.Game) -> None:
    said = game.in_language("fr").ask("where is Comyn", player="Scotland")

    assert "cela dépend de ce qui est caché" == said.text


def test_all_that_may_be_asked_is_listed(game: hr.Game) -> None:
    assert {"who holds {a}", "who is Player 1"} <= set(game.questions)
    assert "how many points has {p}" in hr.load("lords-of-scotland").start("2-players").questions
    assert ("who holds {a}",) == hr.load(TINY).start("duel").questions


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("who holds Fief", "expected a value of Area, got `Fief`; did you mean `Fife`?"),
        ("xyzzy", "ask one of these\n  - `who holds {a}`"),
        ("where is the King of France", "expected a value of Block, got `the King of France`"),
        ("", "`` is not a question of the ruleset"),
        ("x" * 5000, "`xxx"),
        ("who holds " + "Fife " * 2000, "expected a value of Area"),
    ],
)
def test_what_is_not_understood_is_told(game: hr.Game, asked: str, said: str) -> None:
    with pytest.raises(hr.UnreadableQuestion) as error:
        game.ask(asked)

    assert said in str(error.value)
    assert len(str(error.value)) < 3000


def assert_questions_have_answers(start: hr.Game, words: dict[str, str]) -> None:
    for number, game in enumerate(played_out(start, Random(3), 120)):
        if number % 40 == 0:
            for asked in game.questions:
                assert game.ask(asked.format_map(words)).text


def test_every_question_can_be_asked_at_any_moment() -> None:
    words = {"a": "Fife", "to": "Angus", "b": "Wallace", "x": "Bruce", "s": "England"}
    for name in ("hots-4.0", "hots-3.x", "hots-2.3", "hots-player-aid"):
        start = hr.load(name).start("braveheart", seed=3)
        assert_questions_have_answers(start, words)


def test_every_question_of_the_card_game_can_be_asked_at_any_moment() -> None:
    words = {"p": "P2", "c": "Scott 9", "k": "Cochrane"}
    start = hr.load("lords-of-scotland").start("5-players", seed=3, options={"bruce_clan": True})
    assert_questions_have_answers(start, words)


# Judy has eleven points in one clan, Sean two Scotts and a Makgill, Roger a single card.
JUDY = """playing {P1, P2, P3}
skirmish_turn 5
Bruce_12_97: place Aside
Bruce_12_98: place Aside
Forsyth_12: place Army_P1
Scott_5: place Army_P2
Scott_8: place Army_P2
Makgill_7: place Army_P2
Wemyss_5: place Army_P3
Wemyss_6: place Army_P3
Cochrane_11: place Victory_P1
Cochrane_4: place Victory_P1
5: face_down {Wemyss_6}
Scott_12: place Supporters
Scott_1: place Hand_P1
"""


@pytest.mark.parametrize(
    ("asked", "value", "sections"),
    [
        ("how strong is the army of P3", 22, ("6.2",)),
        ("does the army of P3 count double", True, ("6.2",)),
        ("does the army of P1 count double", False, ("6.2",)),
        ("how strong is the army of P2", 20, ("6.2",)),
        ("who would win the skirmish", ["P3"], ("6.2",)),
        ("what is in the army of P1", ["Forsyth_12"], ("3",)),
        ("how many points has P1", 15, ("5",)),
        ("how many points has P2", 0, ("5",)),
        ("whose initiative is it", "P1", ("4",)),
        ("what is the rank of Makgill 9", 66, ("3.3",)),
        ("how many cards are in the draw pile", 86, ("4",)),
        ("who keeps the power of Forsyth 6 idle", ["Scott_5", "Wemyss_5"], ("6.12", "8", "10")),
    ],
)
def test_a_question_about_the_card_game(asked: str, value: Any, sections: tuple[str, ...]) -> None:
    found = hr.load("lords-of-scotland").position(JUDY).ask(asked)

    assert (value, sections) == (found.value, found.sections)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('question q(a: Area) = a §1 "who holds"', "wrong-arguments: expected each parameter once"),
        ('question q(a: Area) = a §1 "{a} or {a}"', "wrong-arguments: expected each parameter"),
        ('question q = 1 §1 "how {many}"', "wrong-arguments: expected each parameter once"),
        ('question q(a: set of Area) = a §1 "{a}"', "wrong-type: expected words, numbers or"),
        ('question q = nothing §1 "what"', "unknown-name: `nothing` is not declared"),
        ('question q = 1 "what"', "uncited-rule: the question `q` cites no section"),
        ('question holders = 1 §1 "what"', "duplicate-name: the name `holders` is taken"),
    ],
)
def test_a_question_that_does_not_fit(tmp_path: Path, line: str, said: str) -> None:
    for name in ("tiny-1.0.rules", "sections.csv"):
        (tmp_path / name).write_text((TINY.parent / name).read_text("utf-8"), "utf-8")
    path = tmp_path / "house.rules"
    path.write_text(f'ruleset house "A house"\n  extends tiny-1.0\n{line}\n', "utf-8")
    with pytest.raises(hr.RulesetError) as error:
        hr.load(path)

    assert said in str(error.value)

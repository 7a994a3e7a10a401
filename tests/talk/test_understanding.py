"""One line means one thing, wherever it is typed."""

from __future__ import annotations

import io
from contextlib import redirect_stdout

import pytest

import hots_rules as hr
from hots_rules.cli.assistant.answers import answer
from hots_rules.cli.assistant.games import ViewedGame
from hots_rules.cli.prompt.repl import Repl
from hots_rules.cli.prompt.session import Session
from hots_rules.web.answering.seat import about
from tests.talk.test_people import opening

LINES = (
    "who holds Fife?",
    "wheres walace?",
    "whose turn is it?",
    "can Wallace go to Lanark?",
    "combien de blocs peuvent franchir une frontière verte ?",
    "in 2.3, what happens to a block that cannot retreat",
    "how many nobles are there and who is in Fife?",
)


def printed(game: hr.Game, line: str) -> str:
    output = io.StringIO()
    with redirect_stdout(output):
        Repl(Session(game)).execute(line)
    return output.getvalue().strip()


@pytest.mark.parametrize("line", LINES)
def test_one_line_has_one_answer_at_all_places(line: str) -> None:
    game = opening("braveheart")

    told = str(game.ask(line))

    assert told == printed(game, line)
    assert told == answer(ViewedGame(game, None), line)
    assert about(game, None, line).startswith(told)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("who holds Fife?", "computed"),
        ("can Wallace go to Lanark?", "computed"),
        ("move Wallace Fife-Lanark?", "computed"),
        ("why not move Wallace Fife-Lanark", "computed"),
        ("whose turn is it?", "computed"),
        ("King 3 against Ross 2", "computed"),
        ("are there sieges of castles in this game", "quoted"),
        ("purple raids under a tuna truce", "closest"),
    ],
)
def test_an_answer_says_where_it_comes_from(line: str, kind: str) -> None:
    assert kind == opening("braveheart").ask(line).kind


def test_what_means_nothing_is_no_question() -> None:
    with pytest.raises(hr.UnreadableQuestion):
        opening("braveheart").ask("xyzzy")


# ------------------------------------------------------------------ what is asked is what is answered
BATTLE = """England: play Move 2
Scotland: play Move 3
Scotland: move Wallace Fife-Mentieth
Scotland: move Douglas Fife-Mentieth
Scotland: move Barclay Fife-Mentieth
Scotland: move Grant Strathspey-Buchan
Scotland: end moves
England: move Stewart Lanark-Mentieth
England: move Atholl Atholl-Mentieth
Scotland: fight in Mentieth"""
PINNED = """England: play Move 3
Scotland: play Move 2
England: move Edward England-Annan
England: move York Knights England-Annan"""


def played(actions: str, language: str = "en") -> hr.Game:
    game = hr.load("hots-4.0").start("braveheart", seed=8)
    for action in actions.splitlines():
        game = game.play(action)
    return game.in_language(language)


@pytest.mark.parametrize(
    ("actions", "language", "line", "told"),
    [
        (
            BATTLE,
            "en",
            "can northumber bail out to fife",
            "No: England: retreat Northumber Infantry to Fife is not legal: border Mentieth-Fife",
        ),
        (BATTLE, "en", "can Mentieth retreat to Fife?", "No: England: retreat Mentieth to Fife"),
        (
            BATTLE,
            "fr",
            "Mentieth peut-il se replier vers Fife ?",
            "Non: « Angleterre: retraite de Mentieth",
        ),
        (BATTLE, "en", "can Wallace retreat to Fife", "Yes: Scotland: retreat Wallace to Fife"),
        (BATTLE, "en", "must Wallace retreat", "No: Legal now: Scotland: fire Wallace"),
        (
            BATTLE,
            "en",
            "may England retreat Wallace to Fife",
            "No: England: retreat Wallace to Fife",
        ),
        (
            BATTLE,
            "en",
            "who goes after wallace?",
            "After Wallace: Mentieth, Northumber Infantry, Douglas, Barclay",
        ),
        (
            BATTLE,
            "en",
            "who fires before barclay",
            "Before Barclay: Wallace, Mentieth, Northumber Infantry",
        ),
        (PINNED, "en", "how many blocks are pinned in annan", "1: "),
        (PINNED, "es", "puede galloway ir a annan", "No: «Escocia: mover Galloway"),
        (PINNED, "en", "can i attack lanark", "Yes: England: move Lennox Lennox-Lanark"),
        (PINNED, "en", "can Edward leave Annan", "No: England: move Edward Annan-"),
    ],
)
def test_the_subject_the_order_and_the_number_are_those_that_are_asked(
    actions: str, language: str, line: str, told: str
) -> None:
    answer = played(actions, language).ask(line)

    assert "computed" == answer.kind
    assert str(answer).replace("\xa0", " ").replace("\u202f", " ").startswith(told)


@pytest.mark.parametrize(
    "line",
    [
        "can Wallace swim to Fife",
        "can Wallace go to Fife after the battle",
        "start a raid now possible?",
        "odds that edward dies",
    ],
)
def test_what_is_not_understood_wholly_has_no_yes_or_no(line: str) -> None:
    found = hr.talk.understand(line, opening("none"))
    answer = hr.talk.answer(found) if isinstance(found, hr.talk.Question) else None

    assert answer is None or answer.is_yes is None
    assert not str(answer or "").startswith(("Yes", "No:", "No "))


def test_what_is_hidden_is_said_once_and_what_can_be_counted_is_told() -> None:
    game = hr.load("hots-4.0").start("braveheart", seed=0)

    assert "England has 11" in str(
        game.ask("how many nobles do the english have", player="Scotland")
    )
    assert 1 == str(game.ask("where is comyn", player="Scotland")).count("hidden information")


@pytest.mark.thorough
def test_the_odds_of_a_battle_whose_blocks_are_revealed_are_told_to_a_player() -> None:
    game = hr.records.with_explicit_chance(played(BATTLE))
    session = Session(game)
    session.view_as("Scotland")
    repl, output = Repl(session), io.StringIO()
    with redirect_stdout(output):
        repl.execute("odds")
        repl.execute("what are my odds")

    assert 0 == repl.failures
    assert 2 == output.getvalue().count("place[Wallace]: ")


@pytest.mark.parametrize(
    "language, told",
    [
        ("en", "to choose: England and Scotland, in "),
        ("fr", "au choix de : Angleterre et Écosse, phase : "),
        ("es", "toca elegir a: Inglaterra y Escocia, fase: "),
    ],
)
def test_the_players_who_are_to_choose_are_named_in_each_language(language: str, told: str) -> None:
    game = hr.load("hots-4.0").start("braveheart", seed=1).in_language(language)

    assert told in str(game.ask("whose turn is it?"))


@pytest.mark.parametrize(
    "line", ["what changed about followers?", "les partisans, on les change ?"]
)
def test_nothing_changed_in_a_game_with_one_edition(line: str) -> None:
    game = hr.load("lords-of-scotland").start("2-players", seed=1)

    understood = hr.talk.understand(line, game)

    assert "changes" != getattr(understood, "topic", "")
    assert [] == [reply for reply in getattr(understood, "replies", ()) if reply.kind == "changes"]


@pytest.mark.parametrize("line", ["", "???", "'", "../../..", "\u202e", "\u200b\u200b"])
def test_a_line_without_a_word_is_not_read(line: str) -> None:
    game = hr.load("connect-four-1.0").start("empty-board", seed=1)

    with pytest.raises(hr.UnreadableQuestion):
        game.ask(line)


def test_whether_something_goes_by_a_way_is_refused_by_what_stops_it_on_the_way() -> None:
    """A way may lead over several actions, of which the legal ones are only the first."""
    before, moving = opening("braveheart"), opening("one_move_left")

    refused = before.ask("can Wallace reach Lanark through Mentieth?")
    unknown = moving.ask("can Bruce go to Ross through Fife?", player="Scotland")

    assert refused.kind == "computed" and str(refused).startswith("No: Scotland: move Wallace")
    assert "Wallace has come to Mentieth, where England stands" in str(refused)
    assert unknown.kind == "computed" and str(unknown).startswith("No: Scotland: move Bruce")


def test_what_a_piece_cannot_reach_is_refused_by_what_stops_it_on_every_way():
    before = opening("braveheart")

    lanark = str(before.ask("can Wallace get to Lanark?", player="Scotland"))
    galloway = str(before.ask("¿puede Galloway llegar a Lanark este turno?", player="Scotland"))
    theirs = str(before.ask("can Wallace get to Lanark?", player="England"))

    assert lanark.startswith("No: ") and "move Wallace Mentieth-Lanark is not legal: " in lanark
    assert "(stop-at-the-enemy §4.0)" in lanark and "Angus, Atholl, Mentieth" in lanark
    assert galloway.startswith("No: ") and galloway.endswith(": Carrick, Annan.")
    assert "Within reach" not in theirs

"""One line means one thing, wherever it is typed."""

from __future__ import annotations

import io
from contextlib import redirect_stdout

import pytest

import hots_rules as hr
from hots_rules.cli.assistant.answers import asked
from hots_rules.cli.assistant.games import Seen
from hots_rules.cli.prompt.repl import Repl
from hots_rules.cli.prompt.session import Session
from hots_rules.web.answering.position import answer_to
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
    assert told == asked(Seen(game, None), line)
    assert answer_to(game, line).startswith(told)


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

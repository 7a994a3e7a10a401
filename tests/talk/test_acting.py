"""A question never acts: what asks, or says more than a command takes, changes no game, session or file."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from random import Random

import pytest

import hots_rules as hr
from hots_rules.cli.prompt.match import Match
from hots_rules.cli.prompt.repl import Repl
from hots_rules.cli.prompt.session import Session, new_game
from hots_rules.cli.screen.desk import Desk
from hots_rules.cli.screen.seat import Seat
from tests.sizes import sample_size

LANGUAGES = ("en", "fr", "es")
MARKS = ("?", " ?", "?!")
ASKING = (
    *("who", "what", "which", "where", "when", "how", "why", "can", "may", "must"),
    *("qui", "quel", "où", "quand", "combien", "comment", "pourquoi", "peut", "doit"),
    *("quién", "qué", "cuál", "dónde", "cuándo", "cuántos", "cómo", "por qué", "puede", "debe"),
)
MORE = ("now possible", "that at once please", "une retraite possible", "una retirada ahora mismo")
EXEMPT = {"dispute", "under"}  # their argument is a question, or a line of its own
FOUND = (
    "undo that retreat is it allowed",
    "annuler une retraite possible ?",
    "save replacement points for later?",
    "guardar puntos para luego?",
    "save points for later",
    "draw a block when?",
    "draw when",
    "dibujar carta cuando",
    "deshacer una retirada se puede?",
    "start a raid now possible?",
    "start the war when",
    "play a card when?",
    "load how",
    "bookmark what",
    "depth tree?",
    "as Scotland?",
    "place Wallace 3 Fife?",
    "where place Wallace 3 Fife",
    "dispute the roll who wins",
)


@cache
def game_of(name: str, language: str) -> hr.Game:
    ruleset = hr.load(name).in_language(language)
    game = ruleset.start(ruleset.scenarios[0], seed=7)
    chance = Random(7)
    for _ in range(9):
        game = game.play(chance.choice(game.actions))
    return hr.records.with_explicit_chance(game)


def acting_lines(repl: Repl, chance: Random) -> Iterator[str]:
    """Lines that begin as something that acts, and ask, or say too much."""
    acting = [name for f in repl.forms() if f.acts and f.name not in EXEMPT for name in f.names]
    actions = [*map(repl.session.label, repl.session.actions)]
    while True:
        text = chance.choice([chance.choice(acting), chance.choice(actions)])
        match chance.randrange(4):
            case 0:
                yield f"{text}{chance.choice(MARKS)}"
            case 1:
                yield f"{text} {chance.choice(ASKING)}"
            case 2:
                yield f"{chance.choice(ASKING)} {text}"
            case _:
                yield f"{text} {chance.choice(MORE)}"


def state_of(session: Session) -> tuple[object, ...]:
    return session.game, session.viewer, session.depth, dict(session.bookmarks)


def assert_nothing_changes(
    session: Session, do: Repl | Desk, lines: list[str], folder: Path
) -> None:
    before = state_of(session)
    for line in lines:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            goes_on = do.execute(line) if isinstance(do, Repl) else do.enter(line)
        assert goes_on, line
        assert state_of(session) == before, line
        assert [] == [*folder.iterdir()], line


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("language", LANGUAGES)
def test_lines_that_asked_and_acted_only_ask(folder: Path, language: str) -> None:
    session = Session(game_of("hots-4.0", language))
    session.play(session.actions[0])  # which `undo` could take back

    assert_nothing_changes(session, Repl(session), [*FOUND], folder)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["hots-4.0", "lords-of-scotland"])
def test_no_question_at_the_prompt_changes_anything(folder: Path, name: str, language: str) -> None:
    session = Session(game_of(name, language))
    session.play(session.actions[0])
    repl, chance = Repl(session), Random(language)
    lines = acting_lines(repl, chance)

    assert_nothing_changes(
        session, repl, [next(lines) for _ in range(sample_size(12, 300))], folder
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_question_in_a_match_changes_anything(folder: Path, language: str) -> None:
    game = hr.load("hots-4.0").in_language(language).start("braveheart", seed=3)
    with redirect_stdout(io.StringIO()):
        match = Match(game, "Scotland")
        match.begin()
        match.play(match.actions[0])
    seat = Seat(game, "Scotland")
    seat.begin()
    seat.play(seat.actions[0])
    for session, surface in ((match, Repl(match)), (seat, Desk(seat))):
        lines = acting_lines(Repl(session), Random(language))
        said = [next(lines) for _ in range(sample_size(8, 200))]

        assert_nothing_changes(session, surface, [*FOUND[:8], *said], folder)


def test_a_command_in_its_exact_form_acts(folder: Path) -> None:
    session = Session(new_game(hr.load("hots-4.0"), seed="1"))
    repl, begun = Repl(session), session.game
    with redirect_stdout(io.StringIO()):
        repl.execute("England: play Move 2")
        repl.execute("save game.rec")
        repl.execute("as scotland")
        repl.execute("undo")

    assert "Scotland" == session.viewer
    assert begun == session.game
    assert ["game.rec"] == [path.name for path in folder.iterdir()]

"""`hots replay` and `hots verify`: how a recorded game stands, and whether its record holds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import attrs
import typer

import hots_rules as hr
from hots_rules.cli.arguments import AsJson, Language, seed_as_given
from hots_rules.cli.console import complain, say, say_json
from hots_rules.cli.exits import FAULTY
from hots_rules.cli.opening import opened
from hots_rules.cli.situation import At, Under, say_torn
from hots_rules.cli.table import say_board, say_standing, standing_json

RecordFile = Annotated[
    Path,
    typer.Argument(metavar="FILE", exists=True, dir_okay=False, readable=True, help="A record."),
]
Content = Literal["refuse", "pinned", "migrate"]


def replay(
    file: RecordFile,
    at: At = None,
    board: Annotated[bool, typer.Option(help="Show what stands where.")] = True,
    content: Annotated[
        Content,
        typer.Option(
            help="If the ruleset has other texts by now: refuse; play by the texts that were "
            "kept (pinned); or play as far as it goes and report (migrate)."
        ),
    ] = "refuse",
    ruleset: Under = None,
    language: Language = "en",
    as_json: AsJson = False,
) -> None:
    """Replay a record and say how the game stands."""
    record = _record(file)
    record = record if at is None else record.up_to(at)
    rules = None if ruleset is None else opened(ruleset)
    report = hr.migrate(record, rules) if content == "migrate" else None
    game = report.game if report else hr.replay(record, rules, content=content)
    if as_json:
        say_json(_as_json(game, record, report))
    else:
        _say(game, record, language, board=board)
        if report:
            say()
            say(str(report))
    if report and not report.is_whole:
        raise typer.Exit(FAULTY)


def _record(file: Path) -> hr.Record:
    """The record of a file; what breaks off at its end is said, and the rest kept."""
    record = hr.read_record(file, torn="keep")
    say_torn(record)
    return record


def _say(game: hr.Game, record: hr.Record, language: str, *, board: bool) -> None:
    beginning = game.scenario or "a position set up by hand"
    say(f"{game.ruleset.name} {beginning}, seed {game.seed}, {len(game.moves)} decisions", "bold")
    last = record.entries[len(game.moves) - 1].comments if game.moves else record.comments
    for comment in last:
        say(f"# {comment}", "dim")
    if board:
        say_board(hr.board(game, language=language))
        say()
    say_standing(game, language)


def _as_json(game: hr.Game, record: hr.Record, report: hr.Migration | None) -> dict[str, Any]:
    found = {
        "ruleset": game.ruleset.name,
        "scenario": game.scenario or None,
        "seed": seed_as_given(game.seed),
        "options": game.options,
        "readings": game.readings,
        "decisions": len(game.moves),
        **standing_json(game),
        "position": game.position,
        "torn": record.torn and {"line": record.torn[0], "text": record.torn[1]},
    }
    if report:
        first = report.first and attrs.asdict(report.first)
        found["migration"] = {"of": report.of, "notes": list(report.notes), "first": first}
    return found


def verify(
    file: RecordFile,
    content: Annotated[
        Literal["refuse", "pinned"],
        typer.Option(help="If the ruleset has other texts by now: refuse, or play by those kept."),
    ] = "refuse",
    ruleset: Under = None,
    as_json: AsJson = False,
) -> None:
    """Replay a record and compare the digest of each action, and the seal."""
    rules = None if ruleset is None else opened(ruleset)
    found = hr.verify(_record(file), rules, content=content)
    if as_json:
        say_json({"sound": found.is_sound, **attrs.asdict(found)})
    elif found.fault:
        complain(found.fault)
    else:
        say(f"{found.actions} actions, {found.digests} with a digest that fits", "bold")
        if found.variations:
            say(f"{found.variations} variations can be played")
        say(f"sealed: {found.seal}" if found.is_sealed else "not sealed")
    if not found.is_sound:
        raise typer.Exit(FAULTY)

"""A file with a moment of a game: a record, or a position that was set up by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import hots_rules as hr
from hots_rules.cli.arguments import OptionChoices, ReadingChoices, chosen
from hots_rules.cli.console import complain
from hots_rules.cli.opening import opened

MAX_BYTES = 8_000_000

SituationFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        exists=True,
        dir_okay=False,
        readable=True,
        help="A record, or a position with --ruleset.",
    ),
]
Under = Annotated[
    str | None,
    typer.Option(
        "--ruleset",
        metavar="RULESET",
        help="The ruleset of a position, or of a record if it is a file or folder of yours.",
    ),
]
At = Annotated[
    int | None, typer.Option("--at", metavar="N", min=0, help="The moment after N actions.")
]


def game_of(
    file: Path,
    ruleset: str | None = None,
    *,
    at: int | None = None,
    options: OptionChoices = None,
    readings: ReadingChoices = None,
    **begin: Any,
) -> hr.Game:
    """The game of a file at its last moment, or after some actions.

    Options and readings are those of a position; a record has its own. `begin` goes to
    `Ruleset.position`.

    Raises:
        BadRecord: a record that does not replay.
        BadPosition: a position that does not fit the ruleset.
        typer.BadParameter: a position without a ruleset, or no text.
    """
    rules = None if ruleset is None else opened(ruleset)
    return game_in(text_of(file), rules, at=at, options=options, readings=readings, **begin)


def is_record(text: str) -> bool:
    """Whether a text is a record; else it can only be a position."""
    return text.startswith("hots_rules record")


def game_in(
    text: str,
    rules: hr.Ruleset | None,
    *,
    at: int | None = None,
    options: OptionChoices = None,
    readings: ReadingChoices = None,
    **begin: Any,
) -> hr.Game:
    """The game of a text, as `game_of` has it of a file, under a ruleset that is at hand."""
    if is_record(text):
        record = hr.parse_record(text, torn="keep")
        say_torn(record)
        return hr.replay(record if at is None else record.up_to(at), rules)
    if rules is None:
        raise typer.BadParameter("expected the ruleset of the position", param_hint="--ruleset")
    begin |= {
        "options": chosen(rules, "option", options),
        "readings": chosen(rules, "reading", readings),
    }
    return rules.position(text, **begin)


def say_torn(record: hr.Record) -> None:
    """Says what breaks off at the end of a record; the rest is kept."""
    if record.torn:
        line, rest = record.torn
        complain(f"line {line} breaks off and is left out: `{rest[:60]}`")


def text_of(file: Path) -> str:
    """The text of a file, as far as a record may be long.

    Raises:
        typer.BadParameter: it is longer, or no text.
    """
    with file.open("rb") as stream:
        data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise typer.BadParameter(f"expected at most {MAX_BYTES} bytes, got more", param_hint="FILE")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise typer.BadParameter("expected text in UTF-8", param_hint="FILE") from None

"""Loading of the rulesets and games that the arguments of a command name."""

from __future__ import annotations

from pathlib import Path

import typer

import hots_rules as hr
from hots_rules.cli.arguments import OptionChoices, ReadingChoices, parse_settings
from hots_rules.cli.output.console import echo_error
from hots_rules.cli.output.progress import spinner

MAX_BYTES = 8_000_000


# ---------------------------------------------------------------- rulesets
def resolve_ruleset(name: str) -> str | Path:
    """The argument for `hr.load`: the path of a file or folder, unless a ruleset of that name is installed."""
    return name if name in hr.rulesets() or not Path(name).exists() else Path(name)


def load_ruleset(name: str, language: str = "en") -> hr.Ruleset:
    """The ruleset with a name or at a path; the first load compiles it, which takes seconds.

    Raises:
        RulesetError: there is no such ruleset, or it has faults.
        UnknownOption: the language is not supported.
    """
    with spinner(f"loading {name}"):
        return hr.load(resolve_ruleset(name)).in_language(language)


# ---------------------------------------------------------------- games
def load_game(
    file: Path,
    ruleset: str | None = None,
    *,
    at: int | None = None,
    options: OptionChoices = None,
    readings: ReadingChoices = None,
    language: str = "en",
) -> hr.Game:
    """The game in a file: a position, or a record replayed up to its end or for `at` actions.

    `options` and `readings` apply to a position; a record has its own.

    Raises:
        BadRecord: the record does not replay.
        BadPosition: the position does not fit the ruleset.
        typer.BadParameter: a position without a ruleset, or a file that is not text.
    """
    rules = None if ruleset is None else load_ruleset(ruleset)
    game = parse_game(read_text(file), rules, at=at, options=options, readings=readings)
    return game.in_language(language)


def parse_game(
    text: str,
    rules: hr.Ruleset | None,
    *,
    at: int | None = None,
    options: OptionChoices = None,
    readings: ReadingChoices = None,
) -> hr.Game:
    """The game in the text of a record or a position; see `load_game`."""
    if is_record(text):
        record = hr.Record.parse(text, torn="keep")
        warn_if_truncated(record)
        return hr.replay(record if at is None else record.up_to(at), rules)
    if rules is None:
        raise typer.BadParameter("a position needs a ruleset", param_hint="--ruleset")
    return rules.position(
        text,
        options=parse_settings(rules, "option", options),
        readings=parse_settings(rules, "reading", readings),
    )


def is_record(text: str) -> bool:
    """Whether a text is a record; any other text is parsed as a position."""
    return text.startswith("hots_rules record")


def warn_if_truncated(record: hr.Record) -> None:
    """Report an incomplete last line of a record on stderr."""
    if record.torn:
        number, rest = record.torn
        echo_error(f"line {number} is incomplete and was ignored: `{rest[:60]}`")


def read_text(file: Path) -> str:
    """The text of a file of at most `MAX_BYTES` bytes.

    Raises:
        typer.BadParameter: the file is larger, or not UTF-8.
    """
    with file.open("rb") as stream:
        data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise typer.BadParameter(f"file is larger than {MAX_BYTES} bytes", param_hint="FILE")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise typer.BadParameter("file is not text in UTF-8", param_hint="FILE") from None

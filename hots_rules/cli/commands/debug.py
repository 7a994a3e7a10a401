"""`hots debug`: a recorded game, or a case, gone through rule by rule."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

import hots_rules as hr
from hots_rules.cli import arguments as args
from hots_rules.cli.exits import fail_if
from hots_rules.cli.output.console import echo, echo_error, spinner
from hots_rules.cli.prompt.debugger import Debugger
from hots_rules.cli.prompt.line_reader import (
    LineReader,
    is_interactive,
    line_reader,
    transcript_reader,
)


def debug(
    record: Annotated[
        Path,
        typer.Argument(
            metavar="RECORD",
            exists=True,
            dir_okay=False,
            readable=True,
            help="Record of a game; or, with --case, a Markdown file of cases.",
        ),
    ],
    case: Annotated[
        str | None, typer.Option("--case", metavar="TITLE", help="The case with this title.")
    ] = None,
    at: Annotated[
        int | None, typer.Option("--at", metavar="N", min=1, help="Begin at play N.")
    ] = None,
    break_at: Annotated[
        list[str] | None,
        typer.Option(
            "--break",
            metavar="PLACE",
            help="Set a breakpoint, as the command `break` does (repeatable).",
        ),
    ] = None,
    file: args.LinesFile = None,
    content: args.Content = "refuse",
    ruleset: args.RulesetOption = None,
    language: args.Language = "en",
    as_json: args.AsJson = False,
) -> None:
    """Step through a recorded game rule by rule, hidden parts too.

    Without a terminal or with --file, the exit status is 1 if a line could not be executed.
    """
    game = (
        _recorded_game(record, ruleset, content)
        if case is None
        else _case_game(record, case, ruleset)
    )
    stepper = hr.explain.Stepper(game.in_language(language))
    for place in break_at or ():
        stepper.add_break(place)
    if at is not None:
        stepper.go_to(at)
    near = Path(ruleset) if ruleset is not None else None if case is None else record
    debugger = Debugger(stepper, near, as_json=as_json)
    if not as_json:
        echo(f"{game.ruleset.name}, {stepper.plays} plays; everything is shown, hidden parts too")
        echo("type `help` for the commands" if is_interactive() else "", "dim")
    debugger.run(_reader(file, as_json=as_json))
    fail_if(debugger.failures and (file is not None or not is_interactive()))


def _reader(file: Path | None, *, as_json: bool) -> LineReader:
    if as_json:
        lines = iter(sys.stdin if file is None else args.read_text(file).splitlines())

        def read_line(*_: object) -> str:
            for line in lines:
                return line
            raise EOFError

        return read_line
    if file is not None:
        return transcript_reader(args.read_text(file).splitlines())
    return line_reader(history="debug")


def _recorded_game(path: Path, ruleset: str | None, content: args.Content) -> hr.Game:
    if not args.is_record(text := args.read_text(path)):
        remedy = "expected a record of a game; for a case, name it with `--case TITLE`"
        raise typer.BadParameter(remedy, param_hint="RECORD")
    record = hr.Record.parse(text, torn="keep", limits=args.limits())
    args.warn_if_truncated(record)
    given = None if ruleset is None else args.load_ruleset(ruleset)
    with spinner(args.REPLAYING):
        return hr.replay(record, given, content=content, limits=args.limits())


def _case_game(path: Path, title: str, ruleset: str | None) -> hr.Game:
    """The game of a case, as far as its actions can be played."""
    (file,) = hr.testing.find_case_files([path])
    case = next((one for one in file.cases if one.title == title), None)
    if case is None:
        known = tuple(one.title for one in file.cases)
        raise hr.UnknownName("case", title, known)
    runner = hr.testing.CaseRunner(_load, () if ruleset is None else (ruleset,))
    game, fault = runner.game_of(path, case)
    if fault is not None:
        echo_error(f"the case ends early: {fault}")
    assert isinstance(game, hr.Game)
    return game


def _load(name: object) -> hr.Ruleset:
    return args.load_ruleset(str(name))

"""`hots debug`: a recorded game, or a case, gone through rule by rule."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import typer
from attrs import frozen

import hots_rules as hr
from hots_rules._options import NEEDED, argument, option
from hots_rules.cli import arguments as args
from hots_rules.cli.exits import fail_if
from hots_rules.cli.output.console import echo, echo_error
from hots_rules.cli.prompt.debugger import Debugger
from hots_rules.cli.prompt.line_reader import (
    LineReader,
    is_interactive,
    line_reader,
    transcript_reader,
)
from hots_rules.cli.streams import read_line


@frozen(kw_only=True)
class DebugPlan:
    """What is gone through, and where it begins."""

    record: Path = argument(
        NEEDED,
        "Record of a game; or, with --case, a Markdown file of cases.",
        "RECORD",
        is_file=True,
    )
    case: str | None = option(None, "The case with this title.", metavar="TITLE")
    at: int | None = option(None, "Begin at play N.", metavar="N", min=1)
    breaks: tuple[str, ...] = option(
        (),
        "Set a breakpoint, as the command `break` does (repeatable).",
        "--break",
        metavar="PLACE",
    )
    file: Path | None = option(None, args.LINES, metavar="FILE", is_file=True)
    content: Literal["refuse", "pinned"] = option("refuse", args.CONTENT)
    ruleset: str | None = option(None, args.RULESET_OF_FILE, metavar="RULESET")


def debug(plan: DebugPlan, output: args.Output, reader: args.Reader) -> None:
    """Step through a recorded game rule by rule, hidden parts too.

    Without a terminal or with --file, the exit status is 1 if a line could not be executed.
    """
    make_game = _recorded_game if plan.case is None else _case_game
    game = make_game(reader, plan)
    stepper = hr.explain.Stepper(game.in_language(output.language))
    for place in plan.breaks:
        stepper.add_break(place)
    if plan.at is not None:
        stepper.go_to(plan.at)
    near = Path(plan.ruleset) if plan.ruleset is not None else plan.record if plan.case else None
    debugger = Debugger(stepper, near, as_json=output.as_json)
    if not output.as_json:
        echo(f"{game.ruleset.name}, {stepper.plays} plays; everything is shown, hidden parts too")
        echo("type `help` for the commands" if is_interactive() else "", "dim")
    lines = None if plan.file is None else reader.read_text(plan.file).splitlines()
    debugger.run(_line_reader(lines, as_json=output.as_json))
    fail_if(debugger.failures and (plan.file is not None or not is_interactive()))


def _line_reader(lines: list[str] | None, *, as_json: bool) -> LineReader:
    if as_json:
        left = iter(read_line, "") if lines is None else iter(lines)

        def next_line(*_: object) -> str:
            for line in left:
                return line
            raise EOFError

        return next_line
    if lines is not None:
        return transcript_reader(lines)
    return line_reader(history="debug")


def _recorded_game(reader: args.Reader, plan: DebugPlan) -> hr.Game:
    if not args.is_record(text := reader.read_text(plan.record)):
        remedy = "expected a record of a game; for a case, name it with `--case TITLE`"
        raise typer.BadParameter(remedy, param_hint="RECORD")
    record = reader.parse_record(text)
    return reader.replay(record, reader.load_given(plan.ruleset), plan.content)


def _case_game(reader: args.Reader, plan: DebugPlan) -> hr.Game:
    """The game of a case, as far as its actions can be played."""
    (file,) = hr.testing.find_case_files([plan.record])
    case = next((candidate for candidate in file.cases if candidate.title == plan.case), None)
    if case is None:
        titles = tuple(candidate.title for candidate in file.cases)
        raise hr.UnknownName("case", str(plan.case), titles)
    runner = hr.testing.CaseRunner(
        reader.load_ruleset, () if plan.ruleset is None else (plan.ruleset,)
    )
    game, fault = runner.game_of(plan.record, case)
    if fault is not None:
        echo_error(f"the case ends early: {fault}")
    assert isinstance(game, hr.Game)
    return game

"""`hots repl`, `hots dispute`: the prompt, and the check of a dispute written there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import hots_rules as hr
from hots_rules.cli.arguments import Language
from hots_rules.cli.exits import Exit
from hots_rules.cli.inputs import load_ruleset, read_text
from hots_rules.cli.output.comparison import echo_answers
from hots_rules.cli.output.console import echo, echo_error
from hots_rules.cli.prompt.disputes import recheck_dispute
from hots_rules.cli.prompt.line_reader import is_interactive, line_reader, transcript_reader
from hots_rules.cli.prompt.repl import Repl
from hots_rules.cli.prompt.session import Session, new_game


def repl(
    ruleset: Annotated[
        str,
        typer.Argument(
            metavar="RULESET", help="Ruleset to start with. [default: the last of `hots list`]"
        ),
    ] = "",
    file: Annotated[
        Path | None,
        typer.Option(
            "--file", metavar="FILE", exists=True, dir_okay=False, help="Execute lines from a file."
        ),
    ] = None,
    language: Language = "en",
) -> None:
    """Open a prompt to set up positions, play, and query the rules.

    Without a terminal or with --file, the exit status is 1 if a line could not be executed.
    """
    game = new_game(load_ruleset(ruleset or [*hr.rulesets()][-1], language))
    prompt = Repl(Session(game))
    if file is None and is_interactive():
        echo(f"{game.ruleset.name}: type `help` for the commands")
        prompt.run(line_reader(history="repl"))
        return
    prompt.run(transcript_reader(read_text(file).splitlines()) if file else line_reader())
    if prompt.failures:
        raise typer.Exit(Exit.FAILURE)


def dispute(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="Dispute to check."),
    ],
) -> None:
    """Ask the question of a dispute again, and report changes.

    Exit status: 0 if unchanged, 1 if an answer changed, 2 on error.
    """
    table, changes = recheck_dispute(read_text(file))
    echo_answers(table)
    for change in changes:
        echo_error(change)
    if changes:
        raise typer.Exit(Exit.FAILURE)

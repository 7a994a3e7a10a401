"""`hots repl` and `hots dispute`: a talk about the rules, at a terminal or from a file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

import hots_rules as hr
from hots_rules.cli.answers import fsync
from hots_rules.cli.arguments import Language
from hots_rules.cli.ask import say_matrix
from hots_rules.cli.console import complain, say
from hots_rules.cli.exits import DIFFERENT, FAULTY, comparing
from hots_rules.cli.lines import asker
from hots_rules.cli.opening import opened
from hots_rules.cli.situation import text_of
from hots_rules.cli.talk import Talk


def repl(
    ruleset: Annotated[
        str, typer.Argument(metavar="[RULESET]", help="The ruleset at the beginning.")
    ] = "",
    file: Annotated[
        Path | None,
        typer.Option(
            "--file", metavar="FILE", exists=True, dir_okay=False, help="Lines to go through."
        ),
    ] = None,
    language: Language = "en",
) -> None:
    """Talk about the rules: set up positions, play, and ask; `help` says what can be typed.

    Without a terminal it goes through the lines of its input, and ends with 1 if one was not understood.
    """
    talk = Talk(opened(ruleset or sorted(hr.rulesets())[-1]), language=language)
    if file is not None or not sys.stdin.isatty():
        lines = text_of(file).splitlines() if file else (line.rstrip("\n") for line in sys.stdin)
        for line in lines:
            say(f"> {line}", "dim")
            if not talk.obey(line):
                break
        if talk.failed:
            raise typer.Exit(FAULTY)
        return
    _at_terminal(talk)


def _at_terminal(talk: Talk) -> None:
    say(f"{talk.ruleset.name}; `help` says what you can type")
    ask = asker(history="repl")
    while True:
        try:
            line = ask(f"{talk.ruleset.name}> ", talk.words())
        except EOFError:
            return
        except KeyboardInterrupt:
            continue
        if not talk.obey(line):
            return


@comparing
def dispute(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="A dispute.")
    ],
) -> None:
    """Ask the question of a saved dispute again, and say whether the answers still stand.

    Ends with 0 where they do, with 1 where one is otherwise, with 2 where it cannot be asked.
    """
    found, changed = fsync(text_of(file))
    say_matrix(found)
    for line in changed:
        complain(line)
    if changed:
        raise typer.Exit(DIFFERENT)

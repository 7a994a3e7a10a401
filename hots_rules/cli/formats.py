"""`hots schema` and `hots corpus`: what a program in another language is made and tested with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import hots_rules as hr
from hots_rules._files import atomic_write
from hots_rules.cli.arguments import RulesetName, ScenarioName
from hots_rules.cli.console import say
from hots_rules.cli.opening import opened


def schema(
    name: Annotated[
        str | None, typer.Argument(metavar="FORMAT", help="A format such as action.v1.")
    ] = None,
    typescript: Annotated[
        bool, typer.Option("--typescript", help="The types of all messages for TypeScript.")
    ] = False,
) -> None:
    """The JSON Schema of a format; without one, the list of formats."""
    if typescript:
        typer.echo(hr.typescript_types(), nl=False)
    elif name is None:
        for known in hr.format_names():
            say(known)
    else:
        full = name if "/" in name else f"hots_rules/{name}"
        typer.echo(hr.schema(full), nl=False)


def corpus(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the files are written.")],
    ruleset: RulesetName,
    scenario: ScenarioName,
    seed: Annotated[str, typer.Option(metavar="N", help="The seed of all luck.")] = "0",
    actions: Annotated[int, typer.Option(metavar="N", min=1, max=10_000, help="How many.")] = 20,
    ask: Annotated[bool, typer.Option("--ask", help="Chance is asked, and dictated.")] = False,
) -> None:
    """Write a game with questions and answers, and a message of each format, to test a client against."""
    game = opened(ruleset).start(scenario, seed=seed, chance="ask" if ask else "auto")
    files = hr.corpus_files(game, actions)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        atomic_write(folder / name, text)
        say(str(folder / name))

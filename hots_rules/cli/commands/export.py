"""`hots export`: JSON Schemas, TypeScript types, and files for clients."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import hots_rules as hr
from hots_rules._files import atomic_write
from hots_rules.cli import arguments as args
from hots_rules.cli.output.console import echo, spinner
from hots_rules.cli.plans import runnable

export = typer.Typer(
    help="Write schemas, types, a sample game, or WebAssembly.",
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
)


def schema(
    name: Annotated[
        str | None,
        typer.Argument(metavar="FORMAT", help="Name of a format, such as action.v2."),
    ] = None,
) -> None:
    """Print the JSON Schema of FORMAT, or list the formats."""
    if name is None:
        echo("\n".join(hr.formats.format_names()))
        return
    full_name = name if "/" in name else f"hots_rules/{name}"
    typer.echo(hr.formats.schema(full_name), nl=False)


def types(
    ruleset: Annotated[
        str | None,
        typer.Option(
            metavar="RULESET", help="Print the types of the actions of a ruleset instead."
        ),
    ] = None,
    *,
    reader: args.Reader,
) -> None:
    """Print the TypeScript types of all formats."""
    if ruleset is None:
        typer.echo(hr.formats.typescript_types(), nl=False)
    else:
        typer.echo(hr.formats.action_types(reader.load_ruleset(ruleset)), nl=False)


def corpus(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder to write the files to.")],
    ruleset: args.RulesetName,
    scenario: args.ScenarioName,
    seed: args.Seed = "0",
    actions: Annotated[
        int, typer.Option(metavar="N", min=1, max=10_000, help="Number of actions to play.")
    ] = 20,
    ask: Annotated[
        bool, typer.Option("--ask", help="Make each outcome of chance an action.")
    ] = False,
    *,
    reader: args.Reader,
) -> None:
    """Write a sample game and messages for testing a client.

    The game includes questions with their answers; there is a message in each format.
    """
    game = reader.load_ruleset(ruleset).start(scenario, seed=seed, chance="ask" if ask else "auto")
    with spinner("playing a sample game"):
        files = hr.formats.corpus_files(game, actions)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        atomic_write(folder / name, text)
        echo(str(folder / name))


def wasm(
    ruleset: args.RulesetName,
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="DIR", help="Folder to write the files to.")
    ],
    settings: args.Settings,
    language: args.Language = "en",
    *,
    reader: args.Reader,
) -> None:
    """Write a ruleset as WebAssembly, for Node and browsers."""
    loaded = reader.load_ruleset(ruleset, language)
    files = hr.formats.wasm_files(loaded, *settings.of(loaded))
    out.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        atomic_write(out / name, content)
        echo(str(out / name))


for _command in (schema, types, corpus, wasm):
    export.command(_command.__name__)(runnable(_command))

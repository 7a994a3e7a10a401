"""`hots export`: JSON Schemas, TypeScript types, and files for clients."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from attrs import frozen

import hots_rules as hr
from hots_rules._files import atomic_write
from hots_rules._options import NEEDED, argument, option
from hots_rules.cli import arguments as args
from hots_rules.cli.output.console import echo, spinner
from hots_rules.cli.plans import runnable

FOLDER = "Folder to write the files to."
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


@frozen(kw_only=True)
class CorpusPlan:
    """The sample game, and where its messages are written."""

    folder: Path = argument(NEEDED, FOLDER, "FOLDER")
    ruleset: str = argument(NEEDED, args.RULESET, "RULESET")
    scenario: str = argument(NEEDED, args.SCENARIO, "SCENARIO")
    seed: str = option("0", "Random seed.", metavar="SEED")
    actions: int = option(20, "Number of actions to play.", metavar="N", min=1, max=10_000)
    ask: bool = option(False, "Make each outcome of chance an action.")


def corpus(plan: CorpusPlan, reader: args.Reader) -> None:
    """Write a sample game and messages for testing a client.

    The game includes questions with their answers; there is a message in each format.
    """
    rules = reader.load_ruleset(plan.ruleset)
    game = rules.start(plan.scenario, seed=plan.seed, chance="ask" if plan.ask else "auto")
    with spinner("playing a sample game"):
        files = hr.formats.corpus_files(game, plan.actions)
    _write(plan.folder, files)


@frozen(kw_only=True)
class WasmPlan:
    """What is written as WebAssembly, and where."""

    ruleset: str = argument(NEEDED, args.RULESET, "RULESET")
    out: Path = option(NEEDED, FOLDER, "-o", "--out", metavar="DIR")


def wasm(
    plan: WasmPlan,
    settings: args.SettingArguments,
    language: args.Language = "en",
    *,
    reader: args.Reader,
) -> None:
    """Write a ruleset as WebAssembly, for Node and browsers."""
    loaded = reader.load_ruleset(plan.ruleset, language)
    _write(plan.out, hr.formats.wasm_files(loaded, *settings.of(loaded)))


def _write(folder: Path, files: Mapping[str, str | bytes]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        atomic_write(folder / name, content)
        echo(str(folder / name))


for _command in (schema, types, corpus, wasm):
    export.command(_command.__name__)(runnable(_command))

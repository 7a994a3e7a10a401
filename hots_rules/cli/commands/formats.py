"""`hots draw`, `schema`, `corpus`, `export-wasm`: pictures, JSON Schemas, TypeScript types, and files for clients."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path
from typing import Annotated

import typer

import hots_rules as hr
from hots_rules._files import atomic_write
from hots_rules.cli import arguments as args
from hots_rules.cli.extras import needs_extra
from hots_rules.cli.output.console import echo, spinner

_TEXT = re.compile(r"<text\b.*?</text>", re.DOTALL)


def draw(
    file: args.GameFile,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="OUT",
            help="Output file, .svg, .png or .html. [default: SVG on stdout]",
        ),
    ] = None,
    side: args.Side = None,
    language: args.Language = "en",
    at: args.At = None,
    film: Annotated[
        bool, typer.Option("--film", help="Draw all plays of a record as an animated SVG.")
    ] = False,
    target: Annotated[
        list[str] | None,
        typer.Option(metavar="PLACE", help="Mark a place of the map (repeatable)."),
    ] = None,
    ruleset: args.RulesetOption = None,
    option: args.OptionChoices = None,
    reading: args.ReadingChoices = None,
    content: args.Content = "refuse",
) -> None:
    """Draw a position, or a state of a recorded game, as a map.

    An .html file holds the picture and the position as a table.
    """
    kind = ".svg" if out is None else out.suffix.lower()
    if kind not in {".svg", ".png", ".html"}:
        raise typer.BadParameter("the file must end in .svg, .png or .html", param_hint="--out")
    if film and kind != ".svg":
        raise typer.BadParameter("a film is an .svg", param_hint="--out")
    game = args.load_game(
        file,
        ruleset,
        at=at,
        options=option,
        readings=reading,
        language=language,
        content=content,
    )
    viewer = args.parse_side(game.ruleset, side)
    if film:
        with spinner("drawing the plays"):
            drawn = hr.draw.film(game, viewer)
    elif kind == ".html":
        drawn = hr.draw.page(game, viewer, targets=target or ())
    else:
        drawn = game.draw(viewer, targets=target or ())
    if out is None:
        sys.stdout.write(drawn)
    else:
        atomic_write(out, _png(drawn) if kind == ".png" else drawn)


def _png(svg: str) -> bytes:
    with needs_extra("draw"):
        resvg = importlib.import_module("resvg_py")
    data = bytes(resvg.svg_to_bytes(svg_string=svg))
    if data == bytes(resvg.svg_to_bytes(svg_string=_TEXT.sub("", svg))):
        raise typer.BadParameter(
            "no font is found for the words of a .png; install DejaVu Sans (on Debian and Ubuntu: "
            "apt install fonts-dejavu-core), or write an .svg",
            param_hint="--out",
        )
    return data


def schema(
    name: Annotated[
        str | None,
        typer.Argument(metavar="FORMAT", help="Name of a format, such as action.v2."),
    ] = None,
    typescript: Annotated[
        bool, typer.Option("--typescript", help="Print the TypeScript types of all formats.")
    ] = False,
    ruleset: Annotated[
        str | None,
        typer.Option(metavar="RULESET", help="With --typescript: print the actions of a ruleset."),
    ] = None,
) -> None:
    """Print the JSON Schema of FORMAT, or list the formats."""
    if typescript and ruleset is not None:
        typer.echo(hr.formats.action_types(args.load_ruleset(ruleset)), nl=False)
    elif typescript:
        typer.echo(hr.formats.typescript_types(), nl=False)
    elif name is None:
        echo("\n".join(hr.formats.format_names()))
    else:
        full_name = name if "/" in name else f"hots_rules/{name}"
        typer.echo(hr.formats.schema(full_name), nl=False)


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
) -> None:
    """Write a sample game and messages for testing a client.

    The game includes questions with their answers; there is a message in each format.
    """
    game = args.load_ruleset(ruleset).start(scenario, seed=seed, chance="ask" if ask else "auto")
    with spinner("playing a sample game"):
        files = hr.formats.corpus_files(game, actions)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        atomic_write(folder / name, text)
        echo(str(folder / name))


def export_wasm(
    ruleset: args.RulesetName,
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="DIR", help="Folder to write the files to.")
    ],
    language: args.Language = "en",
    option: args.OptionChoices = None,
    reading: args.ReadingChoices = None,
) -> None:
    """Write a ruleset as WebAssembly, for Node and browsers."""
    loaded = args.load_ruleset(ruleset).in_language(language)
    options = args.parse_settings(loaded, "option", option)
    readings = args.parse_settings(loaded, "reading", reading)
    files = hr.formats.wasm_files(loaded, options, readings)
    out.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        atomic_write(out / name, content)
        echo(str(out / name))

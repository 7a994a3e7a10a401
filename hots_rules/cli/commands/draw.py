"""`hots draw`: the board as a map."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Annotated

import typer

from hots_rules._files import atomic_write
from hots_rules.cli import arguments as args


def draw(
    file: args.GameFile,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o", "--out", metavar="OUT", help="Output file, .svg or .png. [default: SVG on stdout]"
        ),
    ] = None,
    side: args.Side = None,
    language: args.Language = "en",
    at: args.At = None,
    ruleset: args.RulesetOption = None,
    option: args.OptionChoices = None,
    reading: args.ReadingChoices = None,
) -> None:
    """Draw a position, or a state of a recorded game, as a map."""
    if out is not None and out.suffix.lower() not in {".svg", ".png"}:
        raise typer.BadParameter("the file must end in .svg or .png", param_hint="--out")
    game = args.load_game(file, ruleset, at=at, options=option, readings=reading, language=language)
    svg = game.draw(args.parse_side(game.ruleset, side))
    if out is None:
        sys.stdout.write(svg)
    else:
        atomic_write(out, svg if out.suffix.lower() == ".svg" else _png(svg))


def _png(svg: str) -> bytes:
    try:
        resvg = importlib.import_module("resvg_py")
    except ImportError:
        raise typer.BadParameter(
            ".png needs an extra package; run: pip install 'hots-rules[draw]'", param_hint="--out"
        ) from None
    return bytes(resvg.svg_to_bytes(svg_string=svg))

"""`hots draw`: a position as a picture."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Annotated

import typer

from hots_rules._files import atomic_write
from hots_rules.cli.arguments import (
    At,
    GameFile,
    Language,
    OptionChoices,
    ReadingChoices,
    RulesetOption,
    Side,
    parse_side,
)
from hots_rules.cli.inputs import load_game


def draw(
    file: GameFile,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="OUT",
            help="File to write, .svg or .png. [default: SVG on stdout]",
        ),
    ] = None,
    side: Side = None,
    language: Language = "en",
    at: At = None,
    ruleset: RulesetOption = None,
    option: OptionChoices = None,
    reading: ReadingChoices = None,
) -> None:
    """Draw a position, or a state of a recorded game, as a map."""
    if out is not None and out.suffix.lower() not in {".svg", ".png"}:
        raise typer.BadParameter("the file must end in .svg or .png", param_hint="--out")
    game = load_game(file, ruleset, at=at, options=option, readings=reading, language=language)
    svg = game.draw(parse_side(game.ruleset, side))
    if out is None:
        sys.stdout.write(svg)
    elif out.suffix.lower() == ".svg":
        atomic_write(out, svg)
    else:
        atomic_write(out, _png(svg))


def _png(svg: str) -> bytes:
    try:
        resvg = importlib.import_module("resvg_py")
    except ImportError:
        raise typer.BadParameter(
            ".png needs an extra package; run: pip install 'hots-rules[draw]'", param_hint="--out"
        ) from None
    return bytes(resvg.svg_to_bytes(svg_string=svg))

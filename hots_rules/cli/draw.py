"""`hots draw`: a position as a picture."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Annotated

import typer

from hots_rules._files import atomic_write
from hots_rules.cli.arguments import OptionChoices, ReadingChoices, player_of
from hots_rules.cli.situation import At, SituationFile, Under, game_of


def draw(
    file: SituationFile,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o", "--out", metavar="OUT", help="A file .svg or .png; without it SVG is printed."
        ),
    ] = None,
    side: Annotated[
        str | None, typer.Option(metavar="SIDE", help="Only what this player may see.")
    ] = None,
    language: Annotated[str, typer.Option(metavar="LANGUAGE", help="The words on it.")] = "en",
    at: At = None,
    ruleset: Under = None,
    option: OptionChoices = None,
    reading: ReadingChoices = None,
) -> None:
    """Draw a position, or a moment of a record, as a map."""
    if out is not None and out.suffix.lower() not in {".svg", ".png"}:
        raise typer.BadParameter("expected a file .svg or .png", param_hint="--out")
    game = game_of(file, ruleset, at=at, options=option, readings=reading)
    player = None if side is None else player_of(game.ruleset, side)
    picture = game.draw(player, language=language)
    if out is None:
        sys.stdout.write(picture)
    elif out.suffix.lower() == ".svg":
        atomic_write(out, picture)
    else:
        atomic_write(out, _png(picture))


def _png(picture: str) -> bytes:
    try:
        resvg = importlib.import_module("resvg_py")
    except ImportError:
        raise typer.BadParameter(
            "expected the extra `draw` for .png: pip install 'hots-rules[draw]'",
            param_hint="--out",
        ) from None
    return bytes(resvg.svg_to_bytes(svg_string=picture))

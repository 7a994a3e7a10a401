"""`hots draw`: pictures of positions and games."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path

import typer
from attrs import frozen

import hots_rules as hr
from hots_rules._files import atomic_write
from hots_rules._options import NEEDED, argument, option
from hots_rules.cli import arguments as args
from hots_rules.cli.extras import needs_extra
from hots_rules.cli.output.console import spinner

_TEXT = re.compile(r"<text\b.*?</text>", re.DOTALL)


@frozen(kw_only=True)
class DrawPlan(args.GameSource):
    """What is drawn, and where."""

    file: Path = argument(
        NEEDED,
        "Record of a game, position (with --ruleset), or a ruleset, whose first scenario is drawn at its start.",
        "FILE",
    )
    out: Path | None = option(
        None,
        "Output file, .svg, .png or .html. [default: SVG on stdout]",
        "-o",
        "--out",
        metavar="OUT",
    )
    side: str | None = option(None, args.SIDE, metavar="PLAYER")
    film: bool = option(False, "Draw all plays of a record as an animated SVG.")
    targets: tuple[str, ...] = option(
        (), "Mark a place of the map (repeatable).", "--target", metavar="PLACE"
    )


def draw(plan: DrawPlan, language: args.Language = "en", *, reader: args.Reader) -> None:
    """Draw a position, or a state of a recorded game, as a map.

    An .html file holds the picture and the position as a table.
    """
    kind = ".svg" if plan.out is None else plan.out.suffix.lower()
    if kind not in {".svg", ".png", ".html"}:
        raise typer.BadParameter("the file must end in .svg, .png or .html", param_hint="--out")
    if plan.film and kind != ".svg":
        raise typer.BadParameter("a film is an .svg", param_hint="--out")
    is_game = plan.file.is_file() and plan.file.suffix != ".rules"
    game = plan.load(reader, language) if is_game else _start(str(plan.file), language, reader)
    viewer = args.parse_side(game.ruleset, plan.side)
    if plan.film:
        with spinner("drawing the plays"):
            drawn = hr.draw.film(game, viewer)
    elif kind == ".html":
        drawn = hr.draw.page(game, viewer, targets=plan.targets)
    else:
        drawn = game.draw(viewer, targets=plan.targets)
    if plan.out is None:
        sys.stdout.write(drawn)
    else:
        atomic_write(plan.out, _png(drawn) if kind == ".png" else drawn)


def _start(name: str, language: str, reader: args.Reader) -> hr.Game:
    """The start of the first scenario of a ruleset."""
    rules = reader.load_ruleset(name, language)
    return rules.start(rules.scenarios[0], seed=0)


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

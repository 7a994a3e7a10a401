"""`hots replay`: how a recorded game stands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import hots_rules as hr
from hots_rules.cli.arguments import AsJson, seed_as_given
from hots_rules.cli.console import say, say_json
from hots_rules.cli.table import say_board, say_standing, standing_json


def replay(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", exists=True, dir_okay=False, readable=True, help="A record."
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Replay a record and say how the game stands."""
    game = hr.read(file)
    if as_json:
        say_json(_as_json(game))
        return
    beginning = game.scenario or "a position set up by hand"
    say(f"{game.ruleset.name} {beginning}, seed {game.seed}, {len(game.moves)} decisions", "bold")
    say_board(hr.board(game))
    say()
    say_standing(game)


def _as_json(game: hr.Game) -> dict[str, Any]:
    return {
        "ruleset": game.ruleset.name,
        "scenario": game.scenario or None,
        "seed": seed_as_given(game.seed),
        "options": game.options,
        "readings": game.readings,
        "decisions": len(game.moves),
        **standing_json(game),
        "position": game.position,
    }

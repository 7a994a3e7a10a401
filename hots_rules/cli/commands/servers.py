"""`hots lsp`, `hots mcp`: servers that an editor or an assistant starts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hots_rules.cli import arguments as args
from hots_rules.cli.extras import needs_extra
from hots_rules.cli.signals import ending_signals_end
from hots_rules.cli.streams import refuse_endless_input


def lsp() -> None:
    """Run the language server, which an editor starts."""
    with needs_extra("lsp"):
        from hots_rules.lsp import serving
    refuse_endless_input()
    ending_signals_end()
    serving.serve()


def mcp(
    file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            exists=True,
            dir_okay=False,
            help="Record of a game, or position, that the tools find as `match`.",
        ),
    ] = None,
    ruleset: args.RulesetOption = None,
    side: args.Side = None,
    *,
    reader: args.Reader,
) -> None:
    """Run a Model Context Protocol server for an assistant."""
    with needs_extra("mcp"):
        from hots_rules.cli.assistant.server import make_server
    refuse_endless_input()
    ending_signals_end()
    if side is not None and file is None:
        raise typer.BadParameter("--side needs --file", param_hint="--side")
    game = None if file is None else args.GameSource(file=file, ruleset=ruleset).load(reader)
    player = None if game is None else args.parse_side(game.ruleset, side)
    make_server(reader.limits, game, player).run("stdio")

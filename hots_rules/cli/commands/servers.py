"""`hots lsp`, `hots mcp`: servers that an editor or an assistant starts."""

from __future__ import annotations

from pathlib import Path

import typer
from attrs import frozen

from hots_rules._options import option
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


@frozen(kw_only=True)
class MatchPlan:
    """The game that is open from the beginning."""

    file: Path | None = option(
        None,
        "Record of a game, or position, that the tools find as `match`.",
        metavar="FILE",
        is_file=True,
    )
    ruleset: str | None = option(None, args.RULESET_OF_FILE, metavar="RULESET")
    side: str | None = option(None, args.SIDE, metavar="PLAYER")


def mcp(plan: MatchPlan, reader: args.Reader) -> None:
    """Run a Model Context Protocol server for an assistant."""
    with needs_extra("mcp"):
        from hots_rules.cli.assistant.server import make_server
    refuse_endless_input()
    ending_signals_end()
    game, player = None, None
    if plan.file is not None:
        game = args.GameSource(file=plan.file, ruleset=plan.ruleset).load(reader)
        player = args.parse_side(game.ruleset, plan.side)
    elif plan.side is not None:
        raise typer.BadParameter("--side needs --file", param_hint="--side")
    make_server(reader.limits, game, player).run("stdio")

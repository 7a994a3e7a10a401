"""`hots serve`: the table, to play in a browser."""

from __future__ import annotations

import logging
import sys
from importlib import import_module
from typing import Annotated

import typer

from hots_rules.cli.exits import Exit
from hots_rules.cli.extras import needs_extra
from hots_rules.cli.output.console import echo, echo_error


def serve(
    host: Annotated[str, typer.Option(metavar="HOST", help="Address to listen at.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="PORT", min=0, max=65535, help="Port; 0 takes a free one.")
    ] = 8297,
    database: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Database. [default: a file in your data folder]"),
    ] = None,
    migrate: Annotated[
        bool, typer.Option("--migrate", help="Bring the database of an older version up to date.")
    ] = False,
    rulesets: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Of which games are opened; may be repeated. [default: all]"
        ),
    ] = None,
    requests_per_minute: Annotated[
        int, typer.Option(metavar="N", min=0, help="That one address may send; 0 for any number.")
    ] = 0,
    token_requests_per_minute: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, help="That a program with a token may send; 0 for any number."
        ),
    ] = 0,
    closed: Annotated[
        bool, typer.Option("--closed", help="Games are opened with a token only.")
    ] = False,
    origin: Annotated[
        list[str] | None,
        typer.Option(metavar="URL", help="Whose pages may use the table too; may be repeated."),
    ] = None,
    metrics: Annotated[bool, typer.Option("--metrics", help="Tell figures at /metrics.")] = False,
    uploads: Annotated[
        bool, typer.Option("--uploads", help="Try rulesets that strangers send, within limits.")
    ] = False,
    log: Annotated[bool, typer.Option("--log", help="Log each request as a line of JSON.")] = False,
) -> None:
    """Open a table to play at in a browser."""
    with needs_extra("web"):
        from hots_rules.web import serving

        if metrics:
            import_module("prometheus_client")
    operation = serving.Operation(
        requests_per_minute,
        token_requests_per_minute,
        closed,
        origin or (),
        metrics,
        log,
        uploads,
        rulesets or (),
    )
    if log:
        logging.basicConfig(format="%(message)s", level=logging.INFO)
        logging.getLogger("alembic").setLevel(logging.WARNING)
    try:
        serving.serve(
            host, port, database, is_to_migrate=migrate, operation=operation, on_ready=_tell
        )
    except serving.CannotServe as error:
        echo_error(str(error))
        raise typer.Exit(Exit.USAGE) from None


def _tell(address: str) -> None:
    echo(f"the table is at {address}")
    sys.stdout.flush()

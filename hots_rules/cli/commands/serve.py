"""`hots serve`: the table, to play in a browser, and the tokens of programs that use it."""

from __future__ import annotations

import asyncio
import logging
import sys
from importlib import import_module
from typing import Annotated

import typer
from attrs import frozen

from hots_rules._options import option
from hots_rules.cli.exits import Exit
from hots_rules.cli.extras import needs_extra
from hots_rules.cli.output.console import echo, echo_error
from hots_rules.cli.plans import runnable

serve = typer.Typer(rich_markup_mode=None, add_completion=False, invoke_without_command=True)
Database = Annotated[
    str | None,
    typer.Option(metavar="URL", help="Database. [default: a file in your data folder]"),
]


@frozen
class TablePlan:
    """Where the table listens, and how it is run."""

    host: str = option("127.0.0.1", "Address to listen at.", metavar="HOST")
    port: int = option(8297, "Port; 0 takes a free one.", metavar="PORT", min=0, max=65535)
    migrate: bool = option(False, "Bring the database of an older version up to date.")
    rulesets: tuple[str, ...] = option(
        (), "Of which games are opened; may be repeated. [default: all]", metavar="NAME"
    )
    requests_per_minute: int = option(
        0, "That one address may send; 0 for any number.", metavar="N", min=0
    )
    token_requests_per_minute: int = option(
        0, "That a program with a token may send; 0 for any number.", metavar="N", min=0
    )
    closed: bool = option(False, "Games are opened with a token only.")
    origins: tuple[str, ...] = option(
        (), "Whose pages may use the table too; may be repeated.", "--origin", metavar="URL"
    )
    metrics: bool = option(False, "Tell figures at /metrics.")
    uploads: bool = option(False, "Try untrusted rulesets, within limits.")
    log: bool = option(False, "Log each request as a line of JSON.")


def table(context: typer.Context, plan: TablePlan, database: Database = None) -> None:
    """Open a table to play at in a browser."""
    if context.invoked_subcommand is not None:
        return
    with needs_extra("web"):
        from hots_rules.web import serving

        if plan.metrics:
            import_module("prometheus_client")
    operation = serving.Operation(
        plan.requests_per_minute,
        plan.token_requests_per_minute,
        plan.closed,
        plan.origins,
        plan.metrics,
        plan.log,
        plan.uploads,
        plan.rulesets,
    )
    if plan.log:
        logging.basicConfig(format="%(message)s", level=logging.INFO)
        logging.getLogger("alembic").setLevel(logging.WARNING)
    try:
        serving.serve(
            plan.host,
            plan.port,
            database,
            is_to_migrate=plan.migrate,
            operation=operation,
            on_ready=_tell,
        )
    except serving.CannotServe as error:
        echo_error(str(error))
        raise typer.Exit(Exit.USAGE) from None


def _tell(address: str) -> None:
    echo(f"the table is at {address}")
    sys.stdout.flush()


def tokens(
    make: Annotated[
        str | None, typer.Option(metavar="NAME", help="Create a token. It is shown only once.")
    ] = None,
    revoke: Annotated[str | None, typer.Option(metavar="NAME", help="Revoke a token.")] = None,
    database: Database = None,
) -> None:
    """List, create or revoke the tokens of programs at your table."""
    with needs_extra("web"):
        from hots_rules.web import serving
    try:
        for line in asyncio.run(serving.change_tokens(database, make, revoke)):
            echo(line)
    except serving.CannotServe as error:
        echo_error(str(error))
        raise typer.Exit(Exit.USAGE) from None


serve.callback()(runnable(table))
serve.command()(runnable(tokens))

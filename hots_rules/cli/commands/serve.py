"""`hots serve`: the table, to play in a browser, and the tokens of programs that use it."""

from __future__ import annotations

import asyncio
import logging
import sys
from contextlib import ExitStack
from importlib import import_module
from typing import Annotated

import typer
from attrs import frozen

from hots_rules._options import option
from hots_rules.cli import arguments as args
from hots_rules.cli.exits import Exit
from hots_rules.cli.extras import needs_extra
from hots_rules.cli.output.console import echo, echo_error, progress_bar
from hots_rules.cli.plans import runnable
from hots_rules.web.operation import Operation

serve = typer.Typer(rich_markup_mode=None, add_completion=False, invoke_without_command=True)


@frozen
class TablePlan:
    """Where the table listens, and what is done to its database."""

    host: str = option("127.0.0.1", "Address to listen at.", metavar="HOST")
    port: int = option(8297, "Port; 0 takes a free one.", metavar="PORT", min=0, max=65535)
    migrate: bool = option(False, "Bring the database of an older version up to date.")


def table(
    context: typer.Context, plan: TablePlan, operation: Operation, database: args.Database = None
) -> None:
    """Open a table to play at in a browser."""
    if context.invoked_subcommand is not None:
        return
    with needs_extra("web"):
        from hots_rules.web import serving

        if operation.has_metrics:
            import_module("prometheus_client")
    if operation.has_log:
        logging.basicConfig(format="%(message)s", level=logging.INFO)
        logging.getLogger("alembic").setLevel(logging.WARNING)
    try:
        with ExitStack() as until_ready:

            def tell(address: str) -> None:
                until_ready.close()
                _tell(address)

            serving.serve(
                plan.host,
                plan.port,
                database,
                is_to_migrate=plan.migrate,
                operation=operation,
                on_ready=tell,
                on_progress=until_ready.enter_context(progress_bar("rulesets")),
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
    database: args.Database = None,
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

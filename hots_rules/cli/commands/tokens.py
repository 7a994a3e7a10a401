"""`hots tokens`: the tokens of programs that use a table."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from hots_rules.cli.exits import Exit
from hots_rules.cli.extras import needs_extra
from hots_rules.cli.output.console import echo, echo_error


def tokens(
    make: Annotated[
        str | None, typer.Option(metavar="NAME", help="Make a token; it is shown this once.")
    ] = None,
    revoke: Annotated[
        str | None, typer.Option(metavar="NAME", help="Make a token worth nothing.")
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Database. [default: a file in your data folder]"),
    ] = None,
) -> None:
    """List, make or revoke the tokens of programs at your table."""
    with needs_extra("web"):
        from hots_rules.web import serving
    try:
        for line in asyncio.run(serving.change_tokens(database, make, revoke)):
            echo(line)
    except serving.CannotServe as error:
        echo_error(str(error))
        raise typer.Exit(Exit.USAGE) from None

"""`hots playground`: a page in which the library runs in the browser, served here or written to a folder."""

from __future__ import annotations

import shutil
import sys
from errno import ENOTEMPTY
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from hots_rules._files import check_unused
from hots_rules.cli.exits import Exit
from hots_rules.cli.output.console import echo, echo_error

PACKAGE = "hots-rules-playground"


def playground(
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="DIR", help="Write the site to a folder instead."),
    ] = None,
    host: Annotated[str, typer.Option(metavar="HOST", help="Address to listen at.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="PORT", min=0, max=65535, help="Port; 0 takes a free one.")
    ] = 8314,
    force: Annotated[
        bool, typer.Option("--force", help="Write into a folder that is not empty.")
    ] = False,
) -> None:
    """Write, play and compare rules in the browser.

    The library runs in the page. The site consists of files alone, so any web server for static files can serve it.
    """
    try:
        from hots_rules_playground import NotBuilt, serving, site_folder
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != "hots_rules_playground":
            raise
        _refuse(f"the package `{PACKAGE}` is not installed; run: pip install {PACKAGE}")
    try:
        site = site_folder()
    except NotBuilt as error:
        _refuse(str(error))
    if out is not None:
        _write(site, out, force=force)
        return
    try:
        serving.serve(site, host, port, _tell)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        _refuse(f"cannot listen at {host}, port {port}: {reason}; choose another with --port")


def _refuse(reason: str) -> NoReturn:
    echo_error(reason)
    raise typer.Exit(Exit.USAGE)


def _write(site: Path, out: Path, *, force: bool) -> None:
    try:
        check_unused(out)
    except OSError as error:
        if error.errno != ENOTEMPTY:
            raise
        if not force:
            raise typer.BadParameter(
                f"the folder `{out}` is not empty; name a new one, or write into it with --force",
                param_hint="--out",
            ) from None
    shutil.copytree(site, out, dirs_exist_ok=True)
    echo(f"the site is in `{out}`; any server of files can hold it")


def _tell(address: str) -> None:
    echo(f"the playground is at {address}")
    sys.stdout.flush()

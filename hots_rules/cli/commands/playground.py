"""`hots playground`: a page in which the library runs in the browser, served here or written to a folder."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import NoReturn

import typer
from attrs import frozen

from hots_rules._options import option
from hots_rules.cli.arguments import check_new_folder
from hots_rules.cli.exits import Exit
from hots_rules.cli.output.console import echo, echo_error

PACKAGE = "hots-rules-playground"


@frozen
class PlaygroundPlan:
    """Where the site is served, or written."""

    out: Path | None = option(
        None, "Write the site to a folder instead.", "-o", "--out", metavar="DIR"
    )
    host: str = option("127.0.0.1", "Address to listen at.", metavar="HOST")
    port: int = option(8314, "Port; 0 takes a free one.", metavar="PORT", min=0, max=65535)
    force: bool = option(False, "Write into a folder that is not empty.")


def playground(plan: PlaygroundPlan) -> None:
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
    if plan.out is not None:
        check_new_folder(plan.out, force=plan.force)
        shutil.copytree(site, plan.out, dirs_exist_ok=True)
        echo(f"the site is in `{plan.out}`; any server of files can hold it")
        return
    try:
        serving.serve(site, plan.host, plan.port, _tell)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        place = f"{plan.host}, port {plan.port}"
        _refuse(f"cannot listen at {place}: {reason}; choose another with --port")


def _refuse(reason: str) -> NoReturn:
    echo_error(reason)
    raise typer.Exit(Exit.USAGE)


def _tell(address: str) -> None:
    echo(f"the playground is at {address}")
    sys.stdout.flush()

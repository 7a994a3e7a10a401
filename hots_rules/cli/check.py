"""`hots check`: every fault of a ruleset, drawn where it is."""

from __future__ import annotations

from typing import Annotated

import typer

import hots_rules as hr
from hots_rules import diagnostics
from hots_rules.cli.arguments import AsJson
from hots_rules.cli.console import draw, say, say_json
from hots_rules.cli.exits import FAULTY, WRONG_USE, is_missing
from hots_rules.cli.opening import opened


def check(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A .rules file, a folder, or a name of the list.")
    ],
    as_json: AsJson = False,
) -> None:
    """Check a ruleset and draw all its faults."""
    try:
        ruleset = opened(file)
    except hr.RulesetError as error:
        _say_faults(file, error, as_json)
        raise typer.Exit(WRONG_USE if is_missing(error) else FAULTY) from None
    say_json({"ruleset": ruleset.name, "faults": []}) if as_json else say("no faults", "green")


def _say_faults(file: str, error: hr.RulesetError, as_json: bool) -> None:
    if as_json:
        say_json({"ruleset": file, "faults": diagnostics.as_json(error.faults)})
    else:
        draw(lambda colour: diagnostics.draw_all(error.faults, error.sources, colour=colour))

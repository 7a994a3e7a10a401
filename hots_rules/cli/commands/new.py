"""`hots new`: a folder with a small game that plays at once, or with a house rule."""

from __future__ import annotations

import shutil
from enum import StrEnum
from pathlib import Path

import typer
from attrs import frozen

import hots_rules as hr
from hots_rules._options import NEEDED, argument, option
from hots_rules.cli import arguments as args
from hots_rules.cli.output.console import echo


class Template(StrEnum):
    """The games that a new one can begin as."""

    CARDS = "cards"
    BOARD = "board"
    DICE = "dice"
    SQUARES = "squares"
    HEXES = "hexes"
    TRICKS = "tricks"


@frozen(kw_only=True)
class NewPlan:
    """What is begun."""

    name: str = argument(
        NEEDED, "Name of the game, and of its folder: small letters and hyphens.", "NAME"
    )
    template: Template | None = option(None, "Game to begin with. [default: board]")
    base: str | None = option(
        None, "Begin a house rule for this ruleset.", "--from", metavar="RULESET"
    )
    package: bool = option(False, "Make it a Python package that can be installed.")


def new(plan: NewPlan, reader: args.Reader) -> None:
    """Start a game of your own, or a house rule, in a new folder.

    The folder has rules, cases and a README. If it exists already, it is refused; nothing is overwritten.
    """
    base = plan.base
    if plan.template and base:
        raise typer.BadParameter("--from starts a house rule, without --template")
    # A late import: other commands do not wait for the parser.
    from hots_rules import editing

    folder = Path(plan.name)
    _check_name(folder.name)
    if base:
        texts = editing.house_rule(folder.name, reader.load_ruleset(base))
    else:
        texts = editing.new_game(folder.name, plan.template or Template.BOARD)
    if plan.package:
        texts = editing.as_package(folder.name, texts)
    if folder.exists():
        fault = f"`{folder}` exists, and nothing is overwritten; choose another name"
        raise typer.BadParameter(fault, param_hint="NAME")
    _write(folder, texts)
    rules = Path(next(path for path in texts if path.endswith(".rules"))).parent
    if base and base not in hr.rulesets():
        _check_reach(folder, folder / rules, reader)
    for path in texts:
        echo(f"wrote {folder / path}")
    echo(f"next: cd {folder} && hots check {rules}", "bold")


def _check_name(name: str) -> None:
    from hots_rules import editing

    if not editing.GAME_NAME.fullmatch(name):
        raise typer.BadParameter(
            f"expected a name like `{editing.TEMPLATE_NAME}`, got `{name}`", param_hint="NAME"
        )
    if f"{name}-1.0" in hr.rulesets():
        fault = f"a ruleset `{name}-1.0` is installed; choose another name"
        raise typer.BadParameter(fault, param_hint="NAME")


# ---------------------------------------------------------------- files
def _write(folder: Path, texts: dict[str, str]) -> None:
    """Make a folder with these files; if one cannot be written, nothing is left.

    Raises:
        OSError: the folder exists, or cannot be written.
    """
    folder.mkdir(parents=True)
    try:
        for path, text in texts.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="\n")
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _check_reach(folder: Path, rules: Path, reader: args.Reader) -> None:
    """Take a house rule away again if the ruleset that it extends is not found from its folder.

    Raises:
        RulesetError: that ruleset is not found.
    """
    try:
        reader.load_ruleset(str(rules))
    except hr.RulesetError:
        shutil.rmtree(folder, ignore_errors=True)
        raise

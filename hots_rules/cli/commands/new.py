"""`hots new`: a folder with a small game that plays at once, or with a house rule."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from enum import StrEnum
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated

import typer

import hots_rules as hr
from hots_rules._home import package_home
from hots_rules.cli import arguments as args
from hots_rules.cli.output.console import echo

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
# What the templates say for the name, the title and the rules of the game.
TEMPLATE_NAME, TEMPLATE_TITLE, TEMPLATE_FILE = "my-game", "My game", "game"
NUMBER = re.compile(r"^define \w+ = \d+", re.MULTILINE)


class Template(StrEnum):
    """The games that a new one can begin as."""

    CARDS = "cards"
    BOARD = "board"
    DICE = "dice"


def new(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="Name of the game, and of its folder: small letters and hyphens."
        ),
    ],
    template: Annotated[
        Template | None,
        typer.Option("--template", help="Game to begin with. [default: board]", show_default=False),
    ] = None,
    base: Annotated[
        str | None,
        typer.Option("--from", metavar="RULESET", help="Begin a house rule for this ruleset."),
    ] = None,
) -> None:
    """Start a game of your own, or a house rule: a folder with rules, cases and a README.

    A folder that exists is refused, and nothing is overwritten.
    """
    if template and base:
        raise typer.BadParameter("--from starts a house rule, without --template")
    folder = Path(name)
    _check_name(folder.name)
    words = _words(folder.name) | (_house_words(base) if base else {})
    texts = {
        _renamed(path, folder.name): _replaced(text, words)
        for path, text in _template_texts("house" if base else template or Template.BOARD)
    }
    if folder.exists():
        fault = f"`{folder}` exists, and nothing is overwritten; choose another name"
        raise typer.BadParameter(fault, param_hint="NAME")
    _write(folder, texts)
    if base and base not in hr.rulesets():
        _check_reach(folder)
    for path in texts:
        echo(f"wrote {folder / path}")
    echo(f"next: cd {folder} && hots check .", "bold")


def _check_name(name: str) -> None:
    if not NAME.fullmatch(name):
        raise typer.BadParameter(
            f"expected a name like `{TEMPLATE_NAME}`, got `{name}`", param_hint="NAME"
        )
    if f"{name}-1.0" in hr.rulesets():
        fault = f"a ruleset `{name}-1.0` is installed; choose another name"
        raise typer.BadParameter(fault, param_hint="NAME")


# ---------------------------------------------------------------- texts
def _words(name: str) -> dict[str, str]:
    title = name.replace("-", " ").capitalize()
    return {
        f"{TEMPLATE_NAME}-1.0": f"{name}-1.0",
        TEMPLATE_TITLE: title,
        f"`{TEMPLATE_FILE}.rules`": f"`{name}.rules`",
    }


def _house_words(base: str) -> dict[str, str]:
    """What the template of a house rule says for the ruleset below it."""
    rules = args.load_ruleset(base)
    lines = [f"# {line}\n" for line in _number_lines(rules)]
    head = "# The numbers that BASE names. Take a `#` away and change the number:\n"
    return {
        "NUMBERS": "".join([head, *lines, "\n"]) if lines else "",
        "BASE": rules.name,
        "SCENARIO": rules.scenarios[0],
    }


def _number_lines(rules: hr.Ruleset) -> Iterator[str]:
    """A line for each named number of a ruleset that amends it without changing it."""
    found = {
        one.name: one
        for section in hr.explain.section_rules(rules)
        for one in hr.explain.find_declarations(rules, section)
        if one.kind == "define"
    }
    for one in found.values():
        if line := NUMBER.search(one.source):
            yield f"amend {line[0]}  {rules.name}§{one.sections[0]}"


def _replaced(text: str, words: dict[str, str]) -> str:
    for word, by in words.items():
        text = text.replace(word, by)
    return text


def _renamed(path: str, name: str) -> str:
    """The path of a file in the new folder: its rules and cases have the name of the game."""
    return re.sub(rf"\b{TEMPLATE_FILE}\.(rules|md)$", rf"{name}.\1", path)


# ---------------------------------------------------------------- files
def _template_texts(template: str) -> Iterator[tuple[str, str]]:
    """The files of a template, by their path in it."""
    home = package_home().joinpath("cli", "templates", template)
    return _texts_in(home, "")


def _texts_in(folder: Traversable, prefix: str) -> Iterator[tuple[str, str]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _texts_in(entry, f"{prefix}{entry.name}/")
        else:
            yield f"{prefix}{entry.name}", entry.read_text(encoding="utf-8")


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
            file.write_text(text, encoding="utf-8")
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _check_reach(folder: Path) -> None:
    """Take a house rule away again if the ruleset that it extends is not found from its folder.

    Raises:
        RulesetError: it is not.
    """
    try:
        args.load_ruleset(str(folder))
    except hr.RulesetError:
        shutil.rmtree(folder, ignore_errors=True)
        raise

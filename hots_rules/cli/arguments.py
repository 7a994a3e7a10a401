"""Arguments and options shared by several commands, and the parsers of their values."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

import hots_rules as hr

RulesetName = Annotated[
    str,
    typer.Argument(metavar="RULESET", help="Ruleset: a name from `hots list`, a file or a folder."),
]
ScenarioName = Annotated[
    str, typer.Argument(metavar="SCENARIO", help="Scenario of the ruleset; see `hots list`.")
]
GameFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        exists=True,
        dir_okay=False,
        readable=True,
        help="Record of a game, or position (with --ruleset).",
    ),
]
RecordFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", exists=True, dir_okay=False, readable=True, help="Record of a game."
    ),
]
RulesetOption = Annotated[
    str | None,
    typer.Option(
        "--ruleset",
        metavar="RULESET",
        help="Ruleset of a position, or of a record whose ruleset is not installed.",
    ),
]
At = Annotated[
    int | None,
    typer.Option("--at", metavar="N", min=0, help="Use the state after N actions. [default: all]"),
]
OptionChoices = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="Set an optional rule (repeatable)."),
]
ReadingChoices = Annotated[
    list[str] | None,
    typer.Option(
        "--reading", metavar="NAME=VALUE", help="Choose a reading of an unclear rule (repeatable)."
    ),
]
Seed = Annotated[str, typer.Option("--seed", metavar="SEED", help="Random seed.")]
Side = Annotated[
    str | None,
    typer.Option("--side", metavar="PLAYER", help="Show only what this player may know."),
]
Depth = Annotated[
    Literal["sentence", "paragraph", "tree"],
    typer.Option("--depth", help="Level of detail."),
]
Language = Annotated[
    str, typer.Option("--language", metavar="LANGUAGE", help="Output language: en, fr or es.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]

_BOOLS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


def parse_settings(
    ruleset: hr.Ruleset, kind: Literal["option", "reading"], arguments: list[str] | None
) -> dict[str, str | int | bool | None]:
    """The values of `NAME=VALUE` arguments by name.

    An unknown name keeps its value as text, and the library reports the name.

    Raises:
        typer.BadParameter: an argument is not of the form NAME=VALUE.
        UnknownOption: the option or reading has no such value.
    """
    values: dict[str, str | int | bool | None] = {}
    declared = ruleset.options if kind == "option" else ruleset.readings
    for text in arguments or ():
        name, equals, word = text.partition("=")
        if not equals or not name:
            raise typer.BadParameter(f"expected NAME=VALUE, got `{text}`", param_hint=f"--{kind}")
        name, word = name.strip(), word.strip()
        values[name] = _parse_value(ruleset.settings[name], word) if name in declared else word
    return values


def _parse_value(setting: hr.Setting, word: str) -> str | int | bool | None:
    flag = _BOOLS.get(word.lower())
    if flag is not None and flag in setting.values:
        return flag
    values = {format_value(value): value for value in setting.values}
    if word not in values:
        raise hr.UnknownOption(setting.name, tuple(values), word)
    return values[word]


def format_value(value: object) -> str:
    """A value as it is written in rulesets and typed for an option or a reading."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def parse_player(ruleset: hr.Ruleset, name: str) -> str:
    """The player with a name, in any mixture of upper and lower case.

    Raises:
        UnknownOption: there is no player with that name.
    """
    for player in ruleset.players:
        if player.casefold() == name.strip().casefold():
            return player
    raise hr.UnknownOption("side", ruleset.players, name)


def parse_side(ruleset: hr.Ruleset, side: str | None) -> str | None:
    """The player given by `--side`, or None without it; see `parse_player`."""
    return None if side is None else parse_player(ruleset, side)


def seed_as_json(seed: str) -> int | str:
    """The seed as a JSON value: a number if it was typed as one."""
    is_number = seed.isascii() and seed.removeprefix("-").isdecimal() and len(seed) < 16
    return int(seed) if is_number and str(int(seed)) == seed else seed

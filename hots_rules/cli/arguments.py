"""What is typed after a command, as the library wants it."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from hots_rules import Ruleset, UnknownOption

RulesetName = Annotated[
    str, typer.Argument(metavar="RULESET", help="A name of `hots list`, a file or a folder.")
]
ScenarioName = Annotated[
    str, typer.Argument(metavar="SCENARIO", help="A scenario of the ruleset, see `hots list`.")
]
OptionChoices = Annotated[
    list[str] | None,
    typer.Option(
        "--option", metavar="NAME=VALUE", help="Choose an optional rule; may be repeated."
    ),
]
ReadingChoices = Annotated[
    list[str] | None,
    typer.Option("--reading", metavar="NAME=VALUE", help="Choose a reading; may be repeated."),
]
Language = Annotated[
    str, typer.Option("--language", metavar="LANGUAGE", help="The words: en, fr or es.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON for a program to read.")]

_TRUTHS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


def chosen(ruleset: Ruleset, kind: str, given: list[str] | None) -> dict[str, Any]:
    """The values of `NAME=VALUE` by name, as the ruleset has them.

    What the ruleset does not have stays as it was typed: the library says what is wrong with it.
    """
    found: dict[str, Any] = {}
    for text in given or ():
        name, sign, word = text.partition("=")
        if not sign or not name:
            raise typer.BadParameter(f"expected NAME=VALUE, got `{text}`", param_hint=f"--{kind}")
        name, word = name.strip(), word.strip()
        setting = ruleset.settings.get(name)
        found[name] = _value(setting.values if setting else (), word)
    return found


def _value(values: tuple[Any, ...], word: str) -> Any:
    truth = _TRUTHS.get(word.lower())
    if truth is not None and truth in values:
        return truth
    return next((value for value in values if str(value) == word), word)


def player_of(ruleset: Ruleset, said: str) -> str:
    """The player that is meant, whatever the capitals.

    Raises:
        UnknownOption: nobody of that name plays.
    """
    for player in ruleset.players:
        if player.casefold() == said.strip().casefold():
            return player
    raise UnknownOption("side", ruleset.players, said)


def seed_as_given(seed: str) -> int | str:
    """The seed for JSON: a number if it was typed as one."""
    is_number = seed.isascii() and seed.removeprefix("-").isdecimal() and len(seed) < 16
    return int(seed) if is_number and str(int(seed)) == seed else seed

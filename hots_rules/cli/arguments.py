"""Arguments and options shared by several commands, and the rulesets, games and values that they name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from errno import ENOTEMPTY
from os import PathLike
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import typer
from attrs import fields_dict, frozen

import hots_rules as hr
from hots_rules._files import check_unused
from hots_rules._options import NEEDED, argument, option
from hots_rules._text import plain_text
from hots_rules._translate import translator
from hots_rules.cli.last_ruleset import last_ruleset, remember
from hots_rules.cli.output.console import echo_error, echo_note, spinner
from hots_rules.cli.places import places_from_here
from hots_rules.diagnostics import how_to_raise, names_alike

_WRITTEN_AS_RULESET = re.compile(r"\S*[/\\]\S*|\S+\.(?!\d)\w+|[a-z][a-z-]*-\d[\w.]*")
"""A path, the name of a file, or a name with the number of an edition."""

Choices = dict[str, str | int | bool | None]

CONTENT = "If the ruleset has changed since: report an error (refuse), or use the rules stored in the record (pinned)."
RULESET_OF_FILE = "Ruleset of a position, or of a record whose ruleset is not installed."
LINES = "Execute lines from a file."
AT = "Use the state after N actions. [default: all]"
SIDE = "Show only what this player may know."
RULESET = "Ruleset: a name from `hots list`, a file or a folder."
SCENARIO = "Scenario of the ruleset; see `hots list`."
OWN_SCENARIO = f"{SCENARIO} [default: the ruleset's first]"
Language = Annotated[
    str, typer.Option("--language", metavar="LANGUAGE", help="Output language: en, fr or es.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Database = Annotated[
    str | None,
    typer.Option(metavar="URL", help="Database. [default: a file in your data folder]"),
]


@frozen
class SettingArguments:
    """Choices of options and readings, as typed."""

    options: tuple[str, ...] = option(
        (), "Set an optional rule (repeatable).", "--option", metavar="NAME=VALUE"
    )
    readings: tuple[str, ...] = option(
        (), "Choose a reading of an unclear rule (repeatable).", "--reading", metavar="NAME=VALUE"
    )

    def of(self, ruleset: hr.Ruleset) -> tuple[Choices, Choices]:
        """The values of the options and of the readings by name; see `parse_settings`."""
        return (
            parse_settings(ruleset, "option", self.options),
            parse_settings(ruleset, "reading", self.readings),
        )


@frozen
class Work:
    """What plays many games."""

    backend: str = option(
        "auto",
        "What plays: `python`, `wasm`, `llvm`, or `auto`: what is installed and pays off.",
        metavar="NAME",
    )
    workers: int = option(1, "Threads.", metavar="N", min=1, max=256)


@frozen
class Output:
    """How an answer is printed."""

    language: str = option("en", "Output language: en, fr or es.", metavar="LANGUAGE")
    as_json: bool = option(False, "Print JSON.", "--json")


_BOOLS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


def parse_settings(
    ruleset: hr.Ruleset, kind: Literal["option", "reading"], arguments: Sequence[str] | None
) -> Choices:
    """The values of `NAME=VALUE` arguments by name.

    An unknown name keeps its value as text, and the library reports the name.

    Raises:
        typer.BadParameter: an argument is not of the form NAME=VALUE.
        BadArgument: the option or reading has no such value.
    """
    values: Choices = {}
    declared = ruleset.options if kind == "option" else ruleset.readings
    for text in arguments or ():
        name, word = _parse_pair(kind, text)
        values[name] = _parse_value(ruleset.settings[name], word) if name in declared else word
    return values


def parse_all_settings(ruleset: hr.Ruleset, arguments: Sequence[str]) -> tuple[Choices, Choices]:
    """The values of options and of readings by name, of `NAME=VALUE` arguments; see `parse_settings`."""
    readings = [text for text in arguments if text.partition("=")[0] in ruleset.readings]
    options = [text for text in arguments if text not in readings]
    return (
        parse_settings(ruleset, "option", options),
        parse_settings(ruleset, "reading", readings),
    )


def _parse_pair(option: str, text: str) -> tuple[str, str]:
    name, equals, word = text.partition("=")
    if not equals or not name:
        raise typer.BadParameter(f"expected NAME=VALUE, got `{text}`", param_hint=f"--{option}")
    return name.strip(), word.strip()


def _parse_value(setting: hr.Setting, word: str) -> str | int | bool | None:
    flag = _BOOLS.get(word.lower())
    if flag is not None and flag in setting.values:
        return flag
    values = {format_value(value): value for value in setting.values}
    if word not in values:
        raise hr.BadArgument(setting.name, word, allowed=values)
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
        UnknownName: there is no player with that name.
    """
    for player in names_alike(name.strip(), ruleset.players):
        return player
    raise hr.UnknownName("player", name, ruleset.players)


def choices(values: type[StrEnum]) -> str:
    """The values of an enumeration as help shows them."""
    return f"<{'|'.join(values)}>"


def choice_of(values: type[E]) -> Callable[[str], E]:
    """A parser of the values of an enumeration; its error lists them."""

    def parse(text: str) -> E:
        try:
            return values(text)
        except ValueError:
            allowed = tuple(map(str, values))
            listed = ", ".join(f"`{name}`" for name in allowed)
            remedy = hr.diagnostics.suggest(text, allowed).help(f"choose one of {listed}")
            raise typer.BadParameter(f"`{text}` is unknown; {remedy}") from None

    return parse


def parse_side(ruleset: hr.Ruleset, side: str | None) -> str | None:
    """The player given by `--side`, or None without it; see `parse_player`."""
    return None if side is None else parse_player(ruleset, side)


def seed_as_json(seed: str) -> int | str:
    """The seed as a JSON value: a number if it was typed as one."""
    is_number = seed.isascii() and seed.removeprefix("-").isdecimal() and len(seed) < 16
    return int(seed) if is_number and str(int(seed)) == seed else seed


REPLAYING = "replaying the record"
E = TypeVar("E", bound=StrEnum)


def _parse_limits(given: hr.Limits | list[str]) -> hr.Limits:
    if isinstance(given, hr.Limits):
        return given
    numbers: dict[str, int] = {}
    for text in given:
        name, number = _parse_pair("limit", text)
        if name not in fields_dict(hr.Limits):
            raise hr.UnknownName("limit", name, fields_dict(hr.Limits))
        if not (number.isascii() and number.isdecimal()):
            raise hr.BadArgument(name, number, "a whole number above 0")
        numbers[name] = int(number)
    return hr.Limits(**numbers)


@frozen
class Reader:
    """What reads rulesets, records and positions, each within the limits of the command.

    Attributes:
        limits: those that `--limit` sets, the others as usual.
    """

    limits: hr.Limits = option(
        hr.Limits(),
        "Set a limit of rulesets, records and positions, if you trust their authors (repeatable).",
        "--limit",
        metavar="NAME=N",
        given_as=list[str],
        converter=_parse_limits,
    )

    def load_ruleset(self, name: str | PathLike[str], language: str = "en") -> hr.Ruleset:
        """The ruleset with a name or at a path; the first load compiles it, which takes seconds.

        Raises:
            RulesetError: there is no such ruleset, or it has faults.
            UnknownName: the language is not supported.
        """
        with spinner(f"loading {name}"), places_from_here(str(name)):
            ruleset = hr.load(resolve_ruleset(str(name)), limits=self.limits).in_language(language)
        remember(ruleset, str(name))
        return ruleset

    def load_first(
        self, words: Sequence[str], language: str = "en"
    ) -> tuple[hr.Ruleset, str, tuple[str, ...]]:
        """The ruleset that the first of some words names, else the one that was used last.

        The second is said on stderr.

        Returns:
            The ruleset, its name or path as it was given, and the words without it.

        Raises:
            RulesetError: there is no such ruleset, or it has faults.
            UnknownName: the language is not supported.
            typer.BadParameter: none is named, and none was used before.
        """
        if words and is_ruleset_name(words[0]):
            return self.load_ruleset(words[0], language), words[0], tuple(words[1:])
        last = last_ruleset()
        if last is None:
            games = ", ".join(f"`{name}`" for name in hr.rulesets())
            raise typer.BadParameter(
                f"no game was used before, so name one first: {games}", param_hint="RULESET"
            )
        ruleset = self.load_ruleset(last, language)
        t = translator(language)
        echo_note(t.gettext("{ruleset}, the game that was used last", ruleset=ruleset.name))
        return ruleset, last, tuple(words)

    def load_given(self, name: str | None) -> hr.Ruleset | None:
        """The ruleset of an option; None without it."""
        return None if name is None else self.load_ruleset(name)

    def read_text(self, file: Path) -> str:
        """The text of a file that is no larger than a record may be, as a plain text.

        Raises:
            typer.BadParameter: the file is larger, or not UTF-8.
        """
        return plain_text(self.read_as_written(file))

    def read_as_written(self, file: Path) -> str:
        """The text of a file that is no larger than a record may be, with its line ends.

        Raises:
            typer.BadParameter: the file is larger, or not UTF-8.
        """
        most = self.limits.record_bytes
        with file.open("rb") as stream:
            data = stream.read(most + 1)
        if len(data) > most:
            fault = f"file is larger than {most} bytes; {how_to_raise('record_bytes')}"
            raise typer.BadParameter(fault, param_hint="FILE")
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            raise typer.BadParameter("file is not text in UTF-8", param_hint="FILE") from None

    def parse_record(self, text: str) -> hr.Record:
        """The record of a text; an incomplete last line is reported on stderr."""
        return _warned(hr.Record.parse(text, torn="keep", limits=self.limits))

    def read_record(self, file: Path) -> hr.Record:
        """The record of a file; an incomplete last line is reported on stderr."""
        return _warned(hr.Record.read(file, torn="keep", limits=self.limits))

    def replay(
        self, record: hr.Record, rules: hr.Ruleset | None, content: str = "refuse"
    ) -> hr.Game:
        """The game of a record, replayed."""
        with spinner(REPLAYING):
            return hr.replay(record, rules, content=content, limits=self.limits)


def _warned(record: hr.Record) -> hr.Record:
    if record.torn:
        number, rest = record.torn
        echo_error(f"line {number} is incomplete and was ignored: `{rest[:60]}`")
    return record


def is_ruleset_name(word: str) -> bool:
    """Whether a word can only be meant as a ruleset: one is installed or stands there, or it is written as one is.

    >>> is_ruleset_name("hots-4.0"), is_ruleset_name("wallace"), is_ruleset_name("hots-9.9")
    (True, False, True)
    """
    if word in hr.rulesets() or _WRITTEN_AS_RULESET.fullmatch(word):
        return True
    path = Path(word)
    return path.is_file() or (path.is_dir() and any(path.glob("*.rules")))


def resolve_ruleset(name: str) -> str | Path:
    """The argument for `hr.load`: the path of a file or folder, unless a ruleset of that name is installed."""
    return name if name in hr.rulesets() or not Path(name).exists() else Path(name)


# ---------------------------------------------------------------- games
@frozen(kw_only=True)
class GameSource(SettingArguments):
    """A game in a file: a position, or a record replayed up to its end or for `at` actions.

    Options and readings apply to a position; a record has its own, and `content` is what to do if its ruleset has
    changed.
    """

    file: Path = argument(
        NEEDED, "Record of a game, or position (with --ruleset).", "FILE", is_file=True
    )
    ruleset: str | None = option(None, RULESET_OF_FILE, metavar="RULESET")
    at: int | None = option(None, AT, metavar="N", min=0)
    content: Literal["refuse", "pinned"] = option("refuse", CONTENT)

    def load(self, reader: Reader, language: str = "en") -> hr.Game:
        """The game.

        Raises:
            BadRecord: the record does not replay.
            BadPosition: the position does not fit the ruleset.
            typer.BadParameter: a position without a ruleset, or a file that is not text.
        """
        rules = reader.load_given(self.ruleset)
        return self.parse(reader, reader.read_text(self.file), rules).in_language(language)

    def parse(self, reader: Reader, text: str, rules: hr.Ruleset | None) -> hr.Game:
        """The game in a text of a record or a position."""
        if is_record(text):
            record = reader.parse_record(text)
            played = record if self.at is None else record.up_to(self.at)
            return reader.replay(played, rules, self.content)
        if rules is None:
            raise typer.BadParameter("a position needs a ruleset", param_hint="--ruleset")
        options, readings = self.of(rules)
        return rules.position(text, options=options, readings=readings)


def is_record(text: str) -> bool:
    """Whether a text is a record; any other text is parsed as a position."""
    return text.lstrip().startswith("hots_rules record")


def check_new_folder(folder: Path, *, force: bool) -> None:
    """Raise for a folder that holds files of the user, unless they are to stay beside what is written.

    Raises:
        typer.BadParameter: it is not empty.
    """
    try:
        check_unused(folder)
    except OSError as error:
        if error.errno != ENOTEMPTY:
            raise
        if not force:
            raise typer.BadParameter(
                f"the folder `{folder}` is not empty; name a new one, or write into it with --force",
                param_hint="--out",
            ) from None

"""A record: a game as its beginning, its actions, and a seal; as a value, as text, and in a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from os import PathLike
from typing import Literal

from attrs import Attribute, evolve, field, frozen

from hots_rules._files import atomic_write, read_file
from hots_rules._frozen import FrozenDict
from hots_rules._text import plain_text
from hots_rules.diagnostics import (
    DEFAULT_LIMITS,
    BadRecord,
    Limits,
    check_kind,
    check_path,
    check_whole,
    exceeds,
    how_to_raise,
)
from hots_rules.records.body import (
    BodyParser,
    Entry,
    comments_in_lines,
    format_comments,
    format_entries,
    is_line,
    is_whole,
    shown,
)
from hots_rules.report.html_printer import notebook_table

HEADING = "hots_rules record 2"
_SINGLE = ("ruleset", "engine", "rng", "seed", "chance", "scenario")
_REPEATED = ("option", "reading", "position", "text")
_REQUIRED = ("ruleset", "rng", "seed", "chance")
_TEXT_WIDTH = 96

Torn = Literal["refuse", "keep"]


# ------------------------------------------------------------------ what a line of the head can hold
def _expect_line(_: object, attribute: Attribute[str], text: str) -> None:
    if not is_line(text) or text.strip() != text:
        raise BadRecord(f"expected the {attribute.name} as one line, got `{text!r:.60}`")


def _expect_name(record: object, attribute: Attribute[str], text: str) -> None:
    _expect_line(record, attribute, text)
    if " " in text:
        raise BadRecord(f"expected the {attribute.name} as one word, got `{text:.60}`")


def _frozen_choices(choices: Mapping[str, str]) -> Mapping[str, str]:
    return FrozenDict(choices)


def _expect_choices(
    _: object, attribute: Attribute[Mapping[str, str]], choices: Mapping[str, str]
) -> None:
    for name, text in choices.items():
        line = f"{name} {text}"
        if not is_line(line) or line.partition(" ")[0] != name or text.strip() != text:
            raise BadRecord(f"expected {attribute.name} as one line each, got `{line!r:.60}`")


def _in_lines(position: str | None) -> str | None:
    """A position as it is read back: each line with an end."""
    return None if position is None else "".join(f"{line}\n" for line in position.splitlines())


# ------------------------------------------------------------------ the value


@frozen
class Record:
    """A game as its beginning, its actions, and a seal.

    `Record.parse` and `str` are inverses, as are `Record.read` and `write`. A record is only data: nothing in it is
    checked against the rules before `replay`. Comments and variations are kept, but are no part of the game. A text
    that would not be read back from its line is refused; a comment of several lines becomes several comments.

    >>> import hots_rules as hr
    >>> record = hr.load("hots-4.0").start("braveheart", seed=1297).record
    >>> record.ruleset, record.scenario, record.seed
    ('hots-4.0', 'braveheart', '1297')
    >>> hr.Record.parse(str(record)) == record
    True

    Raises:
        BadRecord: a value is not one line.
    """

    ruleset: str = field(validator=_expect_name)
    """The name of the ruleset."""
    content: str = field(validator=_expect_line)
    """The hash of the ruleset that the game was played by."""
    engine: str = field(validator=_expect_line)
    """The version of the library that wrote the record; for information only."""
    rng: str = field(validator=_expect_line)
    """The name of the algorithm that makes dice from the seed."""
    seed: str = field(validator=_expect_line)
    """The seed of the game."""
    chance: str = field(validator=_expect_line)
    """`auto` if the seed decides chance, `ask` if outcomes are actions."""
    scenario: str = field(validator=_expect_line)
    """The scenario; empty if the game began at a position."""
    position: str | None = field(converter=_in_lines)
    """The position at which the game began, as text."""
    options: Mapping[str, str] = field(
        hash=False, converter=_frozen_choices, validator=_expect_choices
    )
    """The value of each option, as text."""
    readings: Mapping[str, str] = field(
        hash=False, converter=_frozen_choices, validator=_expect_choices
    )
    """The value of each reading, as text."""
    entries: tuple[Entry, ...] = ()
    """The actions."""
    comments: tuple[str, ...] = field(default=(), converter=comments_in_lines)
    """The comment lines before the first action."""
    seal: str = field(default="", validator=_expect_name)
    """The last digest of the hash chain; empty if the record has none."""
    texts: str = field(default="", validator=_expect_name)
    """The packed texts of the ruleset, if they were stored in the record."""
    torn: tuple[int, str] | None = None
    """An incomplete last line that `parse` left out, with its number."""

    def _repr_html_(self) -> str:
        """The beginning and the actions, for notebooks."""
        start = [("ruleset", self.ruleset), ("scenario", self.scenario), ("seed", self.seed)]
        start += [*self.options.items(), *self.readings.items()]
        actions = [(str(number), entry.text) for number, entry in enumerate(self.entries, 1)]
        return notebook_table([(name, text) for name, text in start if text] + actions)

    @classmethod
    def parse(cls, text: str, *, torn: Torn = "refuse", limits: Limits = DEFAULT_LIMITS) -> Record:
        """The record that a text holds; the inverse of `str`.

        With `torn="keep"` an incomplete last line, left by a crash, is not an error but kept in `Record.torn`.

        Raises:
            BadRecord: the text is not a record; the message has the line.
        """
        check_kind("limits", limits, Limits, "`Limits(…)`")
        lines, rest = _split(text, torn, limits)
        first = lines.index(HEADING) + 1
        numbered = iter(enumerate(lines[first:], first + 1))
        head = _parse_head(numbered)
        body = BodyParser(limits.record_actions).parse(numbered)
        return evolve(
            head,
            entries=body.entries,
            comments=body.comments,
            seal=body.seal,
            torn=(len(lines) + 1, rest) if rest else None,
        )

    def __str__(self) -> str:
        lines = [
            *_format_head(self),
            "",
            *format_comments(self.comments),
            *format_entries(self.entries),
        ]
        if self.seal:
            lines.append(f"state {self.seal}")
        return "\n".join(lines) + "\n"

    @classmethod
    def read(
        cls, path: str | PathLike[str], *, torn: Torn = "refuse", limits: Limits = DEFAULT_LIMITS
    ) -> Record:
        """The record in a file; see `parse`.

        Raises:
            BadRecord: the file cannot be read, is a pipe or a device, or is not a record.

        >>> import hots_rules as hr
        >>> hr.Record.read("missing.txt")
        Traceback (most recent call last):
          ...
        hots_rules.diagnostics.errors.BadRecord: cannot read `missing.txt`: no such file or directory
        """
        check_path(path)
        check_kind("limits", limits, Limits, "`Limits(…)`")
        try:
            data = read_file(path, limits.record_bytes)
        except (OSError, ValueError) as error:
            cause = (getattr(error, "strerror", None) or str(error)).lower()
            raise BadRecord(f"cannot read `{path!s:.200}`: {cause}") from None
        return parse_bytes(data, torn, limits)

    def write(self, path: str | PathLike[str]) -> None:
        """Write the record to a file, completely or not at all.

        Raises:
            OSError: the file cannot be written, or is a pipe or a device; its old content is unchanged.
        """
        check_path(path)
        atomic_write(path, str(self))

    def up_to(self, count: int) -> Record:
        """The record of the first `count` actions; without a seal, unless these are all.

        Raises:
            BadRecord: it has fewer actions.
        """
        check_whole("count", count)
        if count > len(self.entries):
            raise BadRecord(
                f"expected a number of actions from 0 to {len(self.entries)}, got {count}"
            )
        if count == len(self.entries):
            return self
        return evolve(self, entries=self.entries[:count], seal="")


# ------------------------------------------------------------------ the text
def parse_bytes(data: bytes, torn: Torn, limits: Limits) -> Record:
    """The record in the bytes of a file; see `Record.parse`.

    Raises:
        BadRecord: they are too many, no UTF-8, or not a record.
    """
    _check_size(data, limits)
    return Record.parse(_decoded(data, torn), torn=torn, limits=limits)


def _decoded(data: bytes, torn: Torn) -> str:
    """The text of a file; with `torn="keep"` its last line may end inside a character."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        last_line = max(data.rfind(b"\n"), data.rfind(b"\r")) + 1
        if torn == "keep" and error.start >= last_line:
            return data[:last_line].decode() + data[last_line:].decode(errors="replace")
        raise BadRecord(f"invalid UTF-8 at byte {error.start}") from None


def _check_size(text: str | bytes, limits: Limits) -> None:
    if exceeds(text, limits.record_bytes):
        remedy = how_to_raise("record_bytes")
        raise BadRecord(f"record is larger than {limits.record_bytes} bytes; {remedy}")


def _split(text: str, torn: Torn, limits: Limits) -> tuple[list[str], str]:
    """The complete lines of a text, and an incomplete last one."""
    if not isinstance(text, str):
        raise BadRecord(f"expected a record as text, got {type(text).__name__}")
    _check_size(text, limits)
    if torn not in ("refuse", "keep"):
        raise BadRecord(f"expected torn to be `refuse` or `keep`, got `{torn!s:.60}`")
    lines = [line.rstrip(" \t") for line in plain_text(text).split("\n")]
    number, line = next(((n, line) for n, line in enumerate(lines, 1) if line), (1, ""))
    if line != HEADING:
        raise BadRecord(f"line {number}: expected `{HEADING}`, got `{shown(line)}`")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadRecord("unpaired surrogate in the record; write it as UTF-8") from None
    rest = lines.pop()
    if is_whole(rest) or (torn == "refuse" and rest.lstrip().startswith("#")):
        return [*lines, rest], ""
    # Also where a torn end is allowed, the head must be whole.
    if rest and (torn == "refuse" or "" not in lines[number:]):
        raise BadRecord(
            f"line {len(lines) + 1}: incomplete last line; remove it to read the lines above, "
            "or end it if nothing is missing"
        )
    return lines, rest


# ------------------------------------------------------------------ the head
def _format_head(record: Record) -> list[str]:
    lines = [
        HEADING,
        f"ruleset {record.ruleset} {record.content}",
        *(f"{key} {getattr(record, key)}" for key in ("engine", "rng", "seed", "chance")),
    ]
    if record.position is None:
        lines.append(f"scenario {record.scenario}")
    lines += [f"option {name} {value}" for name, value in record.options.items()]
    lines += [f"reading {name} {value}" for name, value in record.readings.items()]
    if record.position is not None:
        lines += [f"position {line}" for line in record.position.splitlines()]
    starts = range(0, len(record.texts), _TEXT_WIDTH)
    return lines + [f"text {record.texts[start : start + _TEXT_WIDTH]}" for start in starts]


def _parse_head(lines: Iterator[tuple[int, str]]) -> Record:
    single, repeated = _head_values(lines)
    name, _, content = single["ruleset"].partition(" ")
    return Record(
        name,
        content,
        single.get("engine", ""),
        single["rng"],
        single["seed"],
        single["chance"],
        single.get("scenario", ""),
        "\n".join(repeated["position"]) + "\n" if repeated["position"] else None,
        _choices("option", repeated["option"]),
        _choices("reading", repeated["reading"]),
        texts="".join(repeated["text"]),
    )


def _head_values(lines: Iterator[tuple[int, str]]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """The values of the lines up to the first empty one, by key."""
    single: dict[str, str] = {}
    repeated: dict[str, list[str]] = {key: [] for key in _REPEATED}
    number = 0
    for number, line in lines:
        if not line:
            break
        if not is_line(line):
            raise BadRecord(f"line {number}: the head has characters that show nothing")
        key, _, value = line.partition(" ")
        if key in repeated:
            repeated[key].append(value)
        elif key not in _SINGLE:
            raise BadRecord(
                f"line {number}: expected a line of the head such as `seed 1`, got `{shown(line)}`"
            )
        elif key in single:
            raise BadRecord(f"line {number}: second line `{key} …` in the head")
        else:
            single[key] = value
    for key in _REQUIRED if repeated["position"] else (*_REQUIRED, "scenario"):
        if key not in single:
            raise BadRecord(f"missing line `{key} …` in the head, which ends in line {number}")
    if repeated["position"] and "scenario" in single:
        raise BadRecord("the head has a scenario and a position; remove one of them")
    return single, repeated


def _choices(kind: str, lines: list[str]) -> dict[str, str]:
    choices: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(" ")
        if name in choices:
            raise BadRecord(f"second line `{kind} {shown(name)} …` in the head")
        choices[name] = value
    return choices

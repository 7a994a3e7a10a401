"""Test cases in Markdown files: a section of a rulebook, a position, actions, expectations.

A case is a heading of the second level, text with citations, and a fenced block `case`;
docs/reference/coverage.md describes the form. This module reads cases; the tests check their expectations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from os import PathLike
from pathlib import Path

from attrs import define, field

from hots_rules.diagnostics import HotsError

KEYS = ("like", "editions", "shows", "options", "readings", "set", "play", "expect")
KEYS_BY_EDITION = ("set", "play", "expect")
MAX_BYTES = 2_000_000  # of a file of cases, or of a position
_CITATION = r"(?:[\w.-]+)?§\d+(?:\.\d+)*"


class BadCase(HotsError):
    """A case that cannot be read or played; the message has its file and title.

    >>> import hots_rules as hr
    >>> hr.analysis.coverage(hr.load("hots-4.0"), "no-such-folder")
    Traceback (most recent call last):
    hots_rules.analysis.casebook.BadCase: no folder of cases at `no-such-folder`
    """


@define
class Case:
    """One case.

    Attributes:
        file: the name of its file.
        title: its heading.
        sections: the sections that it cites, such as `§5.7` or `2.3§5.7`.
        parts: the lines of each part of its block, by key: `play`, or `play hots-2.3` for an edition.
        position_folders: the folders that contain the position named by `like`.
    """

    file: str
    title: str
    sections: tuple[str, ...]
    parts: dict[str, list[str]] = field(repr=False)
    position_folders: tuple[Path, ...] = field(default=(), repr=False)

    @property
    def editions(self) -> list[str]:
        """The rulesets that it is for; empty for all."""
        return self.items("editions")

    def items(self, key: str) -> list[str]:
        """The items of a part that is a list, such as the declarations of `shows`."""
        return split_list(", ".join(self.parts.get(key, [])))

    def lines(self, key: str, edition: str) -> list[str]:
        """The lines of a part; those for the edition, if it has its own."""
        for name, lines in self.parts.items():
            if name.startswith(f"{key} ") and edition in split_list(name.removeprefix(key)):
                return lines
        return self.parts.get(key, [])

    def edition_parts(self) -> dict[str, list[str]]:
        """The parts for some editions only, each with those editions."""
        return {name: split_list(name.partition(" ")[2]) for name in self.parts if " " in name}

    def error(self, message: str) -> BadCase:
        """An error with the place of this case."""
        return BadCase(f"{self.file}: {self.title}: {message}")


# ------------------------------------------------------------------ files
def read_cases(folder: str | PathLike[str]) -> list[Case]:
    """The cases of all `.md` files of a folder; positions are in `positions` inside it or beside it.

    Raises:
        BadCase: a file cannot be read, or contains a malformed case.
    """
    home = Path(folder)
    if not home.is_dir():
        raise BadCase(f"no folder of cases at `{folder}`")
    position_folders = (home / "positions", home.parent / "positions")
    return [
        case for path in sorted(home.glob("*.md")) for case in _parse_cases(path, position_folders)
    ]


def read_limited(path: Path) -> str:
    """The text of a file.

    Raises:
        BadCase: the file cannot be read, or is larger than the limit.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise BadCase(f"`{path.name}` is larger than {MAX_BYTES} bytes")
        return data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadCase(f"cannot read `{path.name}`: {error}") from None


def _parse_cases(path: Path, position_folders: tuple[Path, ...]) -> Iterator[Case]:
    sections = re.findall(
        r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", read_limited(path), re.MULTILINE | re.DOTALL
    )
    for title, body in sections:
        text, fence, rest = body.partition("```case\n")
        citations = tuple(re.findall(_CITATION, text))
        case = Case(path.name, title, citations, {}, position_folders)
        if not fence:
            raise case.error("no block `case`")
        case.parts = _parse_parts(case, rest.partition("```")[0])
        yield case


def _parse_parts(case: Case, text: str) -> dict[str, list[str]]:
    parts: dict[str, list[str]] = {}
    current = ""
    for line in text.splitlines():
        content = line.split(" #")[0].rstrip()
        head = re.match(r"(\w+)( [\w., -]+)?:(.*)", content)
        if head and head[1] in KEYS and not line.startswith(" "):
            if head[2] and head[1] not in KEYS_BY_EDITION:
                raise case.error(f"`{head[1]}` cannot differ by edition: {line!r}")
            current = head[1] + (head[2] or "")
            if current in parts:
                raise case.error(f"two parts `{current}`")
            parts[current] = [head[3].strip()] if head[3].strip() else []
        elif content.strip():
            if not current:
                raise case.error(f"expected a line such as `play:`, got {line!r}")
            parts[current].append(content.strip())
    return parts


# ------------------------------------------------------------------ lines of a case
def split_list(text: str) -> list[str]:
    """The items of a list separated by commas; commas in brackets do not separate."""
    return [part.strip() for part in re.split(r",(?![^{(]*[})])", text) if part.strip()]


def parse_entries(lines: list[str]) -> dict[tuple[str, str], str]:
    """The lines of a position as (keys, variable) → value; later lines replace earlier ones."""
    entries: dict[tuple[str, str], str] = {}
    for line in lines:
        content = line.split("#")[0].strip()
        keys, colon, rest = content.partition(":")
        for item in split_list(rest if colon else content):
            name, _, value = item.partition(" ")
            entries[", ".join(split_list(keys)) if colon else "", name] = value.strip()
    return entries


def parse_settings(lines: list[str]) -> dict[str, bool | int | str]:
    """Options or readings: `name=value, name=value`."""
    settings: dict[str, bool | int | str] = {}
    for item in (item for line in lines for item in split_list(line)):
        name, _, text = item.partition("=")
        word = text.strip()
        value = {"yes": True, "no": False}.get(word, word)
        settings[name.strip()] = int(word) if word.isdigit() else value
    return settings

"""Cases in Markdown: a section of a rulebook, a position, actions with dictated dice, what must come.

A case is a heading of the second level, some words with its citations, and a fenced block `case`; docs/coverage.md
has the form. Here cases are read and played; whether they come out as expected is for whoever tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

from attrs import define, field

from hots_rules.diagnostics import HotsError
from hots_rules.play.game import BaseGame
from hots_rules.play.ruleset import BaseRuleset

G = TypeVar("G", bound=BaseGame)
KEYS = ("like", "editions", "shows", "options", "readings", "set", "play", "expect")
BY_EDITION = ("set", "play", "expect")
MAX_BYTES = 2_000_000  # of a file with cases, or with a position
_CITED = r"(?:[\w.-]+)?§\d+(?:\.\d+)*"


class BadCase(HotsError):
    """A case that cannot be read or played, with its file and title."""


@define
class Case:
    """One case of a case file. `positions` are the folders in which `like` finds its position."""

    file: str
    title: str
    sections: tuple[str, ...]
    parts: dict[str, list[str]] = field(repr=False)
    positions: tuple[Path, ...] = field(default=(), repr=False)

    @property
    def editions(self) -> list[str]:
        """The rulesets that it names; empty if it names none."""
        return self.listed("editions")

    def listed(self, key: str) -> list[str]:
        """The items of a part that is a list, e.g. the declarations of `shows`."""
        return split(", ".join(self.parts.get(key, [])))

    def said(self, key: str, edition: str) -> list[str]:
        """The lines of a part, for an edition that may have its own."""
        for name, lines in self.parts.items():
            if name.startswith(f"{key} ") and edition in split(name.removeprefix(key)):
                return lines
        return self.parts.get(key, [])

    def own_parts(self) -> dict[str, list[str]]:
        """The parts that are said for some editions alone, with those editions."""
        return {name: split(name.partition(" ")[2]) for name in self.parts if " " in name}

    def fault(self, said: str) -> BadCase:
        """What is wrong with it, placed."""
        return BadCase(f"{self.file}: {self.title}: {said}")


def read_cases(folder: str | PathLike[str]) -> list[Case]:
    """The cases of all `.md` files of a folder; positions lie in `positions` inside or beside it.

    Raises:
        BadCase: a file cannot be read, or holds a case that is none.
    """
    home = Path(folder)
    if not home.is_dir():
        raise BadCase(f"expected a folder with cases at `{folder}`, got none")
    positions = (home / "positions", home.parent / "positions")
    return [case for path in sorted(home.glob("*.md")) for case in _read(path, positions)]


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise BadCase(f"expected at most {MAX_BYTES} bytes in `{path.name}`, got more")
        return data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadCase(f"expected a text in `{path.name}`, got {error}") from None


def _read(path: Path, positions: tuple[Path, ...]) -> Iterator[Case]:
    for title, body in re.findall(
        r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", _text(path), re.MULTILINE | re.DOTALL
    ):
        words, fence, rest = body.partition("```case\n")
        found = Case(path.name, title, tuple(re.findall(_CITED, words)), {}, positions)
        if not fence:
            raise found.fault("expected a block `case`, got none")
        found.parts = _parts(found, rest.partition("```")[0])
        yield found


def _parts(case: Case, text: str) -> dict[str, list[str]]:
    parts: dict[str, list[str]] = {}
    current = ""
    for line in text.splitlines():
        bare = line.split(" #")[0].rstrip()
        head = re.match(r"(\w+)( [\w., -]+)?:(.*)", bare)
        if head and head[1] in KEYS and not line.startswith(" "):
            if head[2] and head[1] not in BY_EDITION:
                raise case.fault(f"expected no editions in {line!r}")
            current = head[1] + (head[2] or "")
            if current in parts:
                raise case.fault(f"expected one part `{current}`, got two")
            parts[current] = [head[3].strip()] if head[3].strip() else []
        elif bare.strip():
            if not current:
                raise case.fault(f"expected a line such as `play:`, got {line!r}")
            parts[current].append(bare.strip())
    return parts


# ------------------------------------------------------------------ words of a case
def split(text: str) -> list[str]:
    """The items of a list that commas part, those inside brackets aside."""
    return [part.strip() for part in re.split(r",(?![^{(]*[})])", text) if part.strip()]


def entries(lines: list[str]) -> dict[tuple[str, str], str]:
    """Position lines as (keys, variable) → value, so that later lines go over earlier ones."""
    found: dict[tuple[str, str], str] = {}
    for line in lines:
        bare = line.split("#")[0].strip()
        keys, colon, rest = bare.partition(":")
        for part in split(rest if colon else bare):
            name, _, value = part.partition(" ")
            found[", ".join(split(keys)) if colon else "", name] = value.strip()
    return found


def settings(lines: list[str]) -> dict[str, Any]:
    """Options or readings: `name=value, name=value`."""
    found: dict[str, Any] = {}
    for item in (item for line in lines for item in split(line)):
        name, _, value = item.partition("=")
        value = value.strip()
        truths = {"yes": True, "no": False}
        found[name.strip()] = truths.get(value, int(value) if value.isdigit() else value)
    return found


# ------------------------------------------------------------------ a case as a game
def position_of(case: Case, edition: str) -> str:
    """The position that a case begins at.

    Raises:
        BadCase: the position that it is like is nowhere.
    """
    known = known_entries(case) | entries(case.said("set", edition))
    said = (f"{keys}: {name}" if keys else name for keys, name in known)
    return "\n".join(f"{who} {value}" for who, value in zip(said, known.values(), strict=True))


def known_entries(case: Case) -> dict[tuple[str, str], str]:
    """What the position says that a case is like: (keys, variable) → value; nothing for a scenario.

    Raises:
        BadCase: the position is nowhere.
    """
    words = " ".join(case.parts.get("like", []))
    if not words or words.startswith("scenario "):
        return {}
    return entries(_position(case, words).splitlines())


def _position(case: Case, name: str) -> str:
    for folder in case.positions:
        if re.fullmatch(r"[\w-]+", name) and (path := folder / f"{name}.txt").is_file():
            return _text(path)
    raise case.fault(f"expected the name of a position after `like:`, got `{name[:60]}`")


def begin(case: Case, ruleset: BaseRuleset[G]) -> G:
    """The game at the beginning of a case, chance asked.

    Raises:
        BadCase: the position that it is like is nowhere.
        BadPosition: the ruleset does not allow the position.
        UnknownOption: the ruleset does not have a scenario, option, reading or value.
    """
    chosen: dict[str, Any] = {
        "options": settings(case.parts.get("options", [])),
        "readings": settings(case.parts.get("readings", [])),
        "chance": "ask",
        "seed": 1,
    }
    words = " ".join(case.parts.get("like", [])).split()
    if words[:1] == ["scenario"]:
        return ruleset.start(" ".join(words[1:]), **chosen)
    return ruleset.position(position_of(case, ruleset.name), **chosen)


def moments(case: Case, game: G) -> Iterator[G]:
    """The game after each action of a case, and after each fall of chance where it says `auto`.

    Raises:
        BadCase: an action cannot be played.
    """
    for line in case.said("play", game.ruleset.name):
        if line == "auto":
            for after in fall(game):
                game = after
                yield game
            continue
        try:
            game = game.play(line)
        except HotsError as error:
            legal = "\n  ".join(action.text for action in game.actions[:40])
            raise case.fault(f"`{line}`: {error}\nlegal now, in {game.phase}:\n  {legal}") from None
        yield game


def fall(game: G) -> Iterator[G]:
    """Chance falls until a player is asked: the middle outcome each time, so that cases are stable."""
    while game.to_move == ("chance",):
        outcomes = game.actions
        game = game.play(outcomes[len(outcomes) // 2])
        yield game


def played(case: Case, game: G) -> G:
    """The game after the actions of a case.

    Raises:
        BadCase: an action cannot be played.
    """
    for after in moments(case, game):
        game = after
    return game

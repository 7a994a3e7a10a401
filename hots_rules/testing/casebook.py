"""Test cases in Markdown files: a section of a rulebook, a position, actions, expectations.

A case is a heading of the second level, text with citations, and a fenced block `case`;
docs/reference/coverage.md describes the form. This module reads and plays cases; `expectations` compares the results.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from os import PathLike
from pathlib import Path

from attrs import define, field

from hots_rules._files import check_link, read_file
from hots_rules._text import plain_text, trimmed_text
from hots_rules.diagnostics import HotsError
from hots_rules.play.game import AnyRuleset, G
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.state.moment import BEGIN
from hots_rules.state.position import LIKE, edited_position, unchecked_state
from hots_rules.testing.errors import BadCase

KEYS = ("like", "editions", "shows", "options", "readings", "set", "play", "expect")
KEYS_BY_EDITION = ("set", "play", "expect")
MAX_BYTES = 2_000_000  # of a file of cases, or of a position
_CITATION = r"(?:[\w.-]+)?§\d+(?:\.\d+)*"
SECTION = re.compile(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
MAX_SHOWN = 40


@define
class Case:
    """One case.

    >>> from hots_rules.testing import Case
    >>> Case("dice.md", "Five", ("§2",), {"editions": ["a-1.0, b-1.0"]}).editions
    ['a-1.0', 'b-1.0']

    Attributes:
        file: the name of its file.
        title: its heading.
        sections: the sections that it cites, such as `§5.7` or `2.3§5.7`.
        parts: the lines of each part of its block, by key: `play`, or `play hots-2.3` for an edition.
        position_folders: the folders that contain the position named by `like`.
        line: the line of its heading in the file.
        places: for each part, the line of the file in which each of its lines is.
    """

    file: str
    title: str
    sections: tuple[str, ...]
    parts: dict[str, list[str]] = field(repr=False)
    position_folders: tuple[Path, ...] = field(default=(), repr=False)
    line: int = 0
    places: dict[str, list[int]] = field(factory=dict, repr=False)

    @property
    def editions(self) -> list[str]:
        """The rulesets that it is for; empty for all."""
        return self.items("editions")

    def items(self, key: str) -> list[str]:
        """The items of a part that is a list, such as the declarations of `shows`."""
        return split_list(", ".join(self.parts.get(key, [])))

    def lines(self, key: str, edition: str) -> list[str]:
        """The lines of a part; those for the edition, if it has its own."""
        return self.parts.get(self._part(key, edition), [])

    def numbered_lines(self, key: str, edition: str) -> list[tuple[int, str]]:
        """The lines of a part as `lines` gives them, each with its number in the file; 0 if it is not known."""
        lines, part = self.lines(key, edition), self._part(key, edition)
        return list(zip(self.places.get(part, [0] * len(lines)), lines, strict=True))

    def _part(self, key: str, edition: str) -> str:
        """The name of a part; that for the edition, if it has its own."""
        own = (name for name in self.parts if name.startswith(f"{key} "))
        return next((n for n in own if edition in split_list(n.removeprefix(key))), key)

    def error(self, message: str, line: int = 0) -> BadCase:
        """An error with the place of this case."""
        return BadCase(f"{self.file}: {self.title}: {message}", line or self.line)


# ------------------------------------------------------------------ files
def read_cases(folder: str | PathLike[str]) -> list[Case]:
    """The cases of all `.md` files of a folder; positions are in `positions` inside it or beside it.

    Raises:
        BadCase: a file cannot be read, or contains a malformed case.
    """
    home = Path(folder)
    if not home.is_dir():
        raise BadCase(f"no folder of cases at `{folder}`")
    return [case for path in sorted(home.glob("*.md")) for case in read_case_file(path)]


def read_case_file(path: Path, text: str | None = None, *, with_prose: bool = False) -> list[Case]:
    """The cases of a file.

    Args:
        path: the file; positions are in `positions` beside it or beside its folder.
        text: its text, if it need not be read.
        with_prose: whether headings may have no block.

    Raises:
        BadCase: the file cannot be read, or contains a malformed case.
    """
    home = path.parent
    position_folders = (home / "positions", home.parent / "positions")
    text = read_limited(path) if text is None else text
    return list(_parse_cases(path, trimmed_text(text), position_folders, with_prose))


def read_limited(path: Path) -> str:
    """The text of a file, as a plain text.

    Raises:
        BadCase: the file cannot be read, or is larger than the limit.
    """
    try:
        check_link(path)
        data = read_file(path, MAX_BYTES)
        if len(data) > MAX_BYTES:
            raise BadCase(f"`{path.name}` is larger than {MAX_BYTES} bytes")
        return plain_text(data.decode("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadCase(f"cannot read `{path.name}`: {error}") from None


def _parse_cases(
    path: Path, text: str, position_folders: tuple[Path, ...], with_prose: bool
) -> Iterator[Case]:
    for section in SECTION.finditer(text):
        words, fence, rest = section[2].partition("```case\n")
        line = text.count("\n", 0, section.start()) + 1
        citations = tuple(re.findall(_CITATION, words))
        case = Case(path.name, section[1], citations, {}, position_folders, line)
        if fence:
            start = text.count("\n", 0, section.start(2) + len(words) + len(fence)) + 1
            _parse_parts(case, rest.partition("```")[0], start)
            yield case
        elif not with_prose:
            raise case.error("no block `case`")


def _parse_parts(case: Case, text: str, start: int) -> None:
    """Read the parts of a case from its block, whose first line is line `start` of the file."""
    current = ""
    for number, line in enumerate(text.split("\n"), start):
        content = line.split(" #")[0].rstrip()
        head = re.match(r"(\w+)( [\w., -]+)?:(.*)", content)
        if head and head[1] in KEYS and not line.startswith(" "):
            if head[2] and head[1] not in KEYS_BY_EDITION:
                raise case.error(f"`{head[1]}` cannot differ by edition: {line!r}", number)
            current = head[1] + (head[2] or "")
            if current in case.parts:
                raise case.error(f"two parts `{current}`", number)
            case.parts[current], case.places[current] = [], []
            content = head[3]
        elif content.strip() and (not current or re.match(r"[a-z]+:", line)):
            raise case.error(f"expected a line such as `play:`, got {line!r}", number)
        if content.strip():
            case.parts[current].append(content.strip())
            case.places[current].append(number)


# ------------------------------------------------------------------ lines of a case
def split_list(text: str) -> list[str]:
    """The items of a list separated by commas; commas in brackets do not separate."""
    return [part.strip() for part in re.split(r",(?![^{(]*[})])", text) if part.strip()]


def parse_entries(line: str) -> list[tuple[str, str, str]]:
    """The keys, the variable and the value of each entry in a line of a position."""
    content = line.split("#")[0].strip()
    keys, colon, rest = content.partition(":")
    above = ", ".join(split_list(keys)) if colon else ""
    entries = (item.partition(" ") for item in split_list(rest if colon else content))
    return [(above, name, written.strip()) for name, _, written in entries]


def parse_settings(lines: list[str]) -> dict[str, bool | int | str]:
    """Options or readings: `name=value, name=value`."""
    settings: dict[str, bool | int | str] = {}
    for item in (item for line in lines for item in split_list(line)):
        name, _, text = item.partition("=")
        word = text.strip()
        value = {"yes": True, "no": False}.get(word, word)
        settings[name.strip()] = int(word) if word.isdigit() else value
    return settings


def is_for(case: Case, ruleset: AnyRuleset) -> bool:
    """Whether a case names a ruleset; if it names none, whether the ruleset has its variables."""
    if case.editions:
        return ruleset.name in case.editions
    entries = (entry for line in _position(case).split("\n") for entry in parse_entries(line))
    words = {*ruleset.schema.variables, LIKE, BEGIN.split()[0]}  # `like SCENARIO`, `begin at PHASE`
    return all(name in words for _, name, _ in entries)


def start_case(case: Case, ruleset: BaseRuleset[G]) -> G:
    """The game at the beginning of a case, with outcomes of chance as actions.

    Raises:
        BadCase: the position that it names does not exist.
        BadPosition: the ruleset does not allow the position.
        ArgumentError: the ruleset does not have a scenario, option, reading or value.
    """
    options = parse_settings(case.parts.get("options", []))
    readings = parse_settings(case.parts.get("readings", []))
    words = " ".join(case.parts.get("like", [])).split()
    changes = "\n".join(case.lines("set", ruleset.name))
    if words[:1] == ["scenario"]:
        scenario = " ".join(words[1:])
        game = ruleset.start(scenario, options=options, readings=readings, chance="ask", seed=1)
        if not changes:
            return game
        position = edited_position(game.machine, game.state, changes, game.seed)
    else:
        position = _position(case)
        if changes:
            settings = ruleset.chosen(options, readings)
            machine, schema = ruleset.machine(settings), ruleset.schema_under(settings)
            state, moment = unchecked_state(schema, machine, position, "1")
            position = edited_position(machine, state, changes, "1", moment)
    return ruleset.position(position, options=options, readings=readings, chance="ask", seed=1)


def _position(case: Case) -> str:
    """The text of the position that a case names; empty for a scenario.

    Raises:
        BadCase: the position does not exist.
    """
    name = " ".join(case.parts.get("like", []))
    if not name or name.startswith("scenario "):
        return ""
    for folder in case.position_folders:
        if re.fullmatch(r"[\w-]+", name) and (path := folder / f"{name}.txt").is_file():
            return trimmed_text(read_limited(path))
    raise case.error(f"no position `{name[:60]}`; `like:` names a file of the folder `positions`")


def case_games(case: Case, game: G) -> Iterator[G]:
    """The game after each action of a case, and after each outcome of chance where it says `auto`.

    Raises:
        BadCase: an action cannot be played.
    """
    for number, line in case.numbered_lines("play", game.ruleset.name):
        if line == "auto":
            for after in _middle_outcomes(game):
                game = after
                yield game
            continue
        try:
            game = game.play(line)
        except HotsError as error:
            legal = "\n  ".join(action.text for action in game.actions[:MAX_SHOWN])
            fault = f"`{line}`: {error}\nlegal now, in {game.phase}:\n  {legal}"
            raise case.error(fault, number) from None
        yield game


def _middle_outcomes(game: G) -> Iterator[G]:
    """The game after each outcome of chance, until a player is to choose.

    The middle one of the possible outcomes is taken, so that cases are deterministic.
    """
    while game.to_move == ("chance",):
        outcomes = game.actions
        game = game.play(outcomes[len(outcomes) // 2])
        yield game


def play_case(case: Case, game: G) -> G:
    """The game after the actions of a case.

    Raises:
        BadCase: an action cannot be played.
    """
    for after in case_games(case, game):
        game = after
    return game

"""The sentences and searches of players: each line of a table in this folder as a value.

`README.md` beside this file says what the columns hold. A line with a fault is refused with its place.
"""

from __future__ import annotations

import csv
import re
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from attrs import AttrsInstance, field, fields, frozen
from attrs.validators import in_

FOLDER = Path(__file__).parent
GRADES = ("right", "miss", "none")
LANGUAGES = ("en", "fr", "es")
EDITIONS = ("4.0", "3.x", "2.3", "player-aid")
RUNS = ("always", "thorough", "nightly")
CITATION = re.compile(r"\([^()]*§[^()]*\)|§[\w.]+")


def parse_alternatives(cell: str) -> tuple[str, ...]:
    """The alternatives of a cell: `6|six`. An empty cell has none; blanks belong to them."""
    alternatives = tuple(cell.split("|")) if cell else ()
    if "" in alternatives:
        raise ValueError(f"an alternative of `{cell}` is empty, and each answer has it: remove it")
    return alternatives


def parse_fact(cell: str) -> tuple[tuple[str, ...], ...]:
    """The words of a cell that must all be in an answer, each with its alternatives: `A3 & 6|six`."""
    return tuple(map(parse_alternatives, cell.split(" & "))) if cell else ()


def parse_share(cell: str) -> float | None:
    """The share of a set; an empty cell has none."""
    share = float(cell) if cell else None
    if share is not None and not 0 < share <= 1:
        raise ValueError(f"expected a share above 0 and up to 1, got {cell}")
    return share


# ------------------------------------------------------------------ the tables
@frozen
class Opening:
    """A position in which sentences are asked, in words; `openings` has its file."""

    opening: str
    edition: str = field(validator=in_(EDITIONS))
    position: str

    @property
    def text(self) -> str:
        """The position as it is read, and after `---` what was played from it."""
        return (FOLDER / "openings" / f"{self.opening}.txt").read_text("utf-8")


@frozen
class SentenceSet:
    """Sentences that were written together, and where they come from.

    `share` is the least share that is answered. Without one, all are answered but those that are graded `miss`.
    """

    set: str
    written: str
    share: float | None = field(converter=parse_share)
    run: str = field(validator=in_(RUNS))
    origin: str


@frozen
class Sentence:
    """A sentence as a player types it, the opening in which it is asked, and what its answer must contain."""

    set: str
    line: str
    language: str = field(validator=in_(LANGUAGES))
    opening: str
    player: str
    grade: str = field(validator=in_(GRADES))
    fact: tuple[tuple[str, ...], ...] = field(converter=parse_fact)
    starts: tuple[str, ...] = field(converter=parse_alternatives)
    section: str
    reason: str

    def __attrs_post_init__(self) -> None:
        for name, table, known in (
            ("set", "sets.csv", sets()),
            ("opening", "openings.csv", openings()),
        ):
            if getattr(self, name) not in known:
                raise ValueError(f"{table} has no {name} `{getattr(self, name)}`: add it there")
        if (self.grade == "miss") != bool(self.reason):
            raise ValueError("a `miss` has a reason, and nothing else has one")
        if self.grade == "none" and (self.fact or self.starts):
            raise ValueError("what is graded `none` has no answer: leave `fact` and `starts` empty")

    def is_met_by(self, answer: str) -> bool:
        """Whether an answer contains each of the words, or one of their alternatives; `none` has no answer."""
        if self.grade == "none":
            return not answer
        begins = not self.starts or answer.lstrip().startswith(self.starts)
        return begins and self.has_fact(answer)

    def has_fact(self, answer: str) -> bool:
        """Whether an answer contains each of the words of the fact, or one of their alternatives."""
        return all(any(_has(answer, word) for word in words) for words in self.fact)


@frozen
class Search:
    """A search as a player types it, and the sections or names of which one is found first."""

    set: str
    line: str
    language: str = field(validator=in_(LANGUAGES))
    edition: str = field(validator=in_(EDITIONS))
    first: tuple[str, ...] = field(converter=parse_alternatives)


def _has(answer: str, word: str) -> bool:
    """Whether an answer contains a word; a number as one of its own, not of a section."""
    if word.isdecimal():
        said = CITATION.sub("", answer)
        return re.search(rf"(?<![\w.]){word}(?!\w)", said) is not None
    return word in answer


# ------------------------------------------------------------------ reading
@cache
def openings() -> dict[str, Opening]:
    return {each.opening: each for each in read_table(FOLDER / "openings.csv", Opening)}


@cache
def sets() -> dict[str, SentenceSet]:
    return {each.set: each for each in read_table(FOLDER / "sets.csv", SentenceSet)}


@cache
def sentences(name: str) -> tuple[Sentence, ...]:
    """The sentences of a set in their order: those of one opening and language in a row are one talk."""
    return tuple(each for each in _all_sentences() if each.set == name)


@cache
def searches(*names: str) -> tuple[Search, ...]:
    """The searches of some sets."""
    table = read_table(FOLDER / "searches.csv", Search)
    return tuple(each for each in table if each.set in names)


@cache
def _all_sentences() -> tuple[Sentence, ...]:
    return tuple(read_table(FOLDER / "sentences.csv", Sentence))


Row = TypeVar("Row", bound=AttrsInstance)


def read_table(path: Path, row_type: type[Row]) -> list[Row]:
    """Each line of a table as a value.

    Raises:
        ValueError: the header has other columns than the type has fields, or a line has a fault.
    """
    columns = [column.name for column in fields(row_type)]
    with path.open(encoding="utf-8", newline="") as text:
        lines = csv.reader(text, strict=True)
        header = next(lines, [])
        if header != columns:
            raise ValueError(f"{path.name}: expected the columns {columns}, got {header}")
        rows = []
        for cells in lines:
            try:
                rows.append(_row(row_type, cells, len(columns)))
            except ValueError as error:
                raise ValueError(f"{path.name}:{lines.line_num}: {error.args[0]}") from error
    return rows


def _row(row_type: type[Row], cells: list[str], width: int) -> Row:
    if len(cells) != width:
        raise ValueError(f"expected {width} cells, got {len(cells)}")
    make: Any = row_type
    row: Row = make(*cells)
    return row

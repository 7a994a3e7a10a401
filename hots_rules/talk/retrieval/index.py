"""The full-text index of the wordings of a ruleset: SQLite's FTS5 in memory, or a plain search where it is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from math import log
from threading import Lock
from typing import TYPE_CHECKING

from attrs import field, frozen

if TYPE_CHECKING:
    import sqlite3

TITLE = 2
"""How often a word in a name or heading counts; one in a sentence counts once."""
MAX_FOUND = 300
K1, B = 1.2, 0.75
"""The parameters of BM25, as FTS5 has them."""
_CREATE = (
    "create virtual table wording using fts5"
    "(text, content='', tokenize=\"ascii tokenchars ':._-'\")"
)
_INSERT = "insert into wording(rowid, text) values (?, ?)"
_SELECT = (
    "select rowid, -bm25(wording) from wording where wording match ? "
    f"order by bm25(wording), rowid limit {MAX_FOUND}"
)


@frozen(slots=False, eq=False)
class Index:
    """The wordings, each as its units and those of its title."""

    texts: Sequence[tuple[str, str]] = field(repr=False)
    _lock: Lock = field(factory=Lock, init=False, repr=False)

    @cached_property
    def _database(self) -> sqlite3.Connection | None:
        """A table with a row for each wording; None where there is no SQLite, or one without full-text search."""
        try:
            import sqlite3
        except ImportError:
            return None
        database = sqlite3.connect(":memory:", check_same_thread=False)
        try:
            database.execute(_CREATE)
        except sqlite3.OperationalError:
            return None
        database.executemany(_INSERT, enumerate(self._joined))
        return database

    @property
    def uses_sqlite(self) -> bool:
        """Whether it is a table of SQLite."""
        return self._database is not None

    def search(self, terms: Iterable[str]) -> list[tuple[int, float]]:
        """The wordings with any of some terms, each with its weight by BM25, the best first."""
        listed = tuple(dict.fromkeys(terms))
        if not listed:
            return []
        with self._lock:
            if self._database is None:
                return sorted(self._plainly(listed), key=lambda found: -found[1])[:MAX_FOUND]
            expression = " OR ".join(f'"{term}"' for term in listed)
            return [*self._database.execute(_SELECT, [expression])]

    def _plainly(self, terms: Sequence[str]) -> Iterator[tuple[int, float]]:
        """The same without SQLite."""
        bags = self._bags
        mean = sum(map(len, bags)) / max(1, len(bags))
        having = {term: [at for at, bag in enumerate(bags) if term in bag] for term in terms}
        weights: dict[int, float] = {}
        for term, places in having.items():
            rarity = max(1e-6, log((len(bags) - len(places) + 0.5) / (len(places) + 0.5)))
            for at in places:
                often = bags[at].count(term)
                length = K1 * (1 - B + B * len(bags[at]) / mean)
                weights[at] = weights.get(at, 0.0) + rarity * often * (K1 + 1) / (often + length)
        yield from weights.items()

    @cached_property
    def _bags(self) -> Sequence[Sequence[str]]:
        return [words.replace("|", " ").split() for words in self._joined]

    @property
    def _joined(self) -> Iterator[str]:
        return (" ".join((text, *(title,) * TITLE)) for text, title in self.texts)

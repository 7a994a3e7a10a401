"""The full-text index of a ruleset: SQLite's FTS5 in memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

from attrs import field, frozen

from hots_rules.diagnostics import without_accents
from hots_rules.play.compiled_ruleset import CompiledRuleset
from hots_rules.talk.lookup.pages import UNKNOWN, Page, Text, pages_of, texts_of
from hots_rules.talk.lookup.query import Stems, Term
from hots_rules.talk.lookup.stems import HAS_STEMS, stems_in, words_in

if TYPE_CHECKING:
    import sqlite3

# A word in a name or heading counts for more than one in a sentence, and this for more than one elsewhere.
_WEIGHTS = (10.0, 4.0, 1.0)
_CREATE = (
    "create virtual table page using fts5(titles, sentences, more, content='', tokenize='ascii')"
)
_INSERT = "insert into page(rowid, titles, sentences, more) values (?, ?, ?, ?)"
_SELECT = (
    "select rowid from page where page match ? "
    f"order by bm25(page, {', '.join(map(str, _WEIGHTS))}), rowid"
)


@frozen
class IndexedStems:
    """The stems of the pages of a ruleset, a row of titles, sentences and the rest for each page.

    `has_stems` tells whether they were made with the library for stems, `words` are all words without accents.
    """

    rows: tuple[tuple[str, str, str], ...]
    words: tuple[str, ...]
    has_stems: bool


def _stemmed(pages: Iterable[Page], languages: tuple[str, ...]) -> IndexedStems:
    listed = tuple(pages)

    def stems(texts: Iterable[Text]) -> str:
        return " ".join(
            stem
            for each in texts
            for stem in stems_in(
                each.text, languages if each.language == UNKNOWN else [each.language]
            )
        )

    rows = tuple((stems(p.titles), stems(p.sentences), stems(p.more)) for p in listed)
    texts = (each.text for page in listed for each in texts_of(page))
    words = {without_accents(word) for text in texts for word in words_in(text)}
    return IndexedStems(rows, tuple(sorted(words)), HAS_STEMS)


@frozen(slots=False, eq=False)
class Index:
    """The pages of a ruleset, to be searched by stems.

    Attributes:
        pages: the pages.
        languages: the languages in which they have texts.
    """

    pages: tuple[Page, ...] = field(repr=False)
    languages: tuple[str, ...]
    _stems: IndexedStems = field(repr=False)
    _lock: Lock = field(factory=Lock, init=False, repr=False)

    @cached_property
    def words(self) -> frozenset[str]:
        """All words of the pages, without accents."""
        return frozenset(self._stems.words)

    @cached_property
    def stems(self) -> frozenset[str]:
        """All stems of the pages."""
        return frozenset(stem for row in self._stems.rows for part in row for stem in part.split())

    @cached_property
    def _database(self) -> sqlite3.Connection | None:
        """A table with a row for each page; None where there is no SQLite, or one without full-text search.

        The stems are all it keeps.
        """
        try:
            import sqlite3
        except ImportError:
            return None
        database = sqlite3.connect(":memory:", check_same_thread=False)
        try:
            database.execute(_CREATE)
        except sqlite3.OperationalError:
            return None
        rows = ((number, *row) for number, row in enumerate(self._stems.rows))
        database.executemany(_INSERT, rows)
        return database

    def search(self, terms: Sequence[Term], *, all_of_them: bool) -> list[int]:
        """The numbers of the pages, the best first: with any term, or with all in what is said of the page itself."""
        with self._lock:
            database = self._database
            if database is None:
                return self._search_plainly(terms, all_of_them=all_of_them)
            expressions = [f"({expression(term)})" for term in terms]
            joined = " OR ".join(expressions)
            if all_of_them:
                joined = f"{{titles sentences}} : ({' AND '.join(expressions)})"
            return [number for [number] in database.execute(_SELECT, [joined])]

    def _search_plainly(self, terms: Sequence[Term], *, all_of_them: bool) -> list[int]:
        """The same without SQLite: the fewer other words a part of a page has, the more a term in it weighs."""
        enough, parts = (all, slice(2)) if all_of_them else (any, slice(3))
        weighed = []
        for number, row in enumerate(self._stems.rows):
            weights = [_weight(term, [part.split() for part in row[parts]]) for term in terms]
            if enough(weights):
                weighed.append((-sum(weights), number))
        return [number for _, number in sorted(weighed)]


def expression(term: Term) -> str:
    """A term in the notation of FTS5; every word is quoted, so none is an operator."""
    return " OR ".join(
        "(" + " AND ".join(f"({_any_of(word)})" for word in phrase) + ")" for phrase in term.phrases
    )


def _any_of(word: Stems) -> str:
    return " OR ".join(f'"{stem}"' for stem in sorted(word))


def _weight(term: Term, parts: Sequence[Sequence[str]]) -> float:
    """The weight of the parts of a page that have a term; 0 if it is not there."""
    whole = {stem for part in parts for stem in part}
    if not any(all(word & whole for word in phrase) for phrase in term.phrases):
        return 0
    wanted = {stem for phrase in term.phrases for word in phrase for stem in word}
    return sum(
        weight * len(wanted & {*part}) / len(part)
        for weight, part in zip(_WEIGHTS, parts, strict=False)
        if part
    )


def index_of(ruleset: CompiledRuleset) -> Index:
    """The index of a ruleset, made on first use; its stems come from the cache if they were found before."""
    return ruleset.memo(Index, lambda: _index(ruleset))


def _index(ruleset: CompiledRuleset) -> Index:
    pages, languages = pages_of(ruleset), tuple(sorted({"en", *ruleset.schema.facts.labels}))
    kept = ruleset.kept(IndexedStems, (), lambda _: _stemmed(pages, languages))
    if kept.has_stems != HAS_STEMS:
        kept = _stemmed(pages, languages)
    return Index(pages, languages, kept)

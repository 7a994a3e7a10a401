"""The search of a ruleset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from attrs import field, frozen

from hots_rules.diagnostics import close_matches, without_accents
from hots_rules.explain.declared.declarations import (
    headings_in_language,
    section_headings,
    without_parameters,
)
from hots_rules.play.game import AnyRuleset
from hots_rules.talk.lookup.index import Index, index_of
from hots_rules.talk.lookup.pages import Page
from hots_rules.talk.lookup.query import Phrase, QueryReader, Term, telling_words
from hots_rules.talk.lookup.ranking import Told, by_meaning, by_words, ranked
from hots_rules.talk.lookup.stems import stems, words_in
from hots_rules.talk.lookup.synonyms import notion_words, search_words

MAX_HITS = 10
MAX_STATEMENTS = 2
"""Statements of one section that are shown; several often say the same."""
MIN_OF_HEADING = 2
"""Words of a heading that make it a hit before others; one word is in too many."""


@frozen
class Hit:
    """Something that a search has found.

    >>> import hots_rules as hr
    >>> hit = hr.talk.find(hr.load("hots-4.0"), "border limit").hits[0]
    >>> hit.sections[0], hit.heading
    ('4.3', 'Border Limits')

    Attributes:
        kind: "section", "rule", "action", "reading" and so on; "statement" for an answer that the ruleset declares for
            questions in words; of a value its type.
        name: the number of a section, the name of a declaration or of a question, the word of a value.
        sections: the sections that it cites, the main one first.
        heading: the heading of the main section; empty if the rulebook has none.
        title: its name in the language of the ruleset.
        text: its sentence in the language of the ruleset; of a section its first one.
    """

    kind: str
    name: str
    sections: tuple[str, ...]
    heading: str
    title: str
    text: str

    def __str__(self) -> str:
        section = f"§{self.sections[0]} {self.heading}".rstrip() if self.sections else ""
        others = "".join(f" §{number}" for number in self.sections[1:3])
        named = "" if self.kind == "section" else self.title
        head = ": ".join(filter(None, (f"{section}{others}", named)))
        return f"{head}\n  {self.text}" if self.text else head


@frozen
class Findings:
    """The result of a search: the hits, the best first, and what to say about them.

    >>> import hots_rules as hr
    >>> print(hr.talk.find(hr.load("hots-4.0"), "xyzzy").note)
    nothing has `xyzzy`

    Attributes:
        asked: the words that were searched for.
        hits: what was found; first what has all words.
        note: a sentence where nothing has all words, or where a word was read as another; else empty.
        near: headings to look at instead, if nothing was found.
    """

    asked: str
    hits: tuple[Hit, ...]
    note: str = ""
    near: tuple[str, ...] = field(default=())

    def __str__(self) -> str:
        return "\n".join(filter(None, (self.note, *map(str, self.hits), *self.near)))


def find(ruleset: AnyRuleset, words: str, *, limit: int = MAX_HITS) -> Findings:
    """What a ruleset says about some words: its sections, rules, readings, tables and names.

    Case, accents, endings and small errors of typing do not matter. The words may be in any language of the
    ruleset, or be other words for the same thing that it declares. A section with just these words as its heading
    comes first; then what has all words or means what they mean, then what has some of them. No word is an operator.

    >>> import hots_rules as hr
    >>> findings = hr.talk.find(hr.load("hots-4.0"), "anglo scottish boarder", limit=1)
    >>> findings.hits[0].sections[0], findings.hits[0].heading
    ('4.4', 'Anglo-Scottish Border')

    Args:
        ruleset: the ruleset; the hits are in its language.
        words: what to look for.
        limit: the most hits.
    """
    return _search(ruleset, words).findings(limit)


def find_by_words(
    ruleset: AnyRuleset, words: str, limit: int, *, with_all: bool = False
) -> tuple[Hit, ...]:
    """The hits of a search that only looks at words: first what has all of them, or only this."""
    return _search(ruleset, words).hits_by_words(limit, only_with_all=with_all)


def _search(ruleset: AnyRuleset, words: str) -> _Search:
    index = index_of(ruleset.compiled)
    return _Search(ruleset, index, words, query_reader(ruleset, index).terms(words))


def query_reader(ruleset: AnyRuleset, index: Index) -> QueryReader:
    """The reader of searches of a ruleset, with the synonyms that it declares."""

    def made() -> QueryReader:
        synonyms = dict(_synonyms(ruleset, index.languages))
        notions = tuple(notion_words(ruleset.source).values())
        return QueryReader(index.languages, index.words, index.stems, synonyms, notions)

    return ruleset.compiled.memo(QueryReader, made)


def _synonyms(
    ruleset: AnyRuleset, languages: Sequence[str]
) -> Iterator[tuple[Phrase, tuple[Phrase, ...]]]:
    """Each phrase that the ruleset lists for its search, with all that it takes for the same thing."""
    meanings: dict[Phrase, list[Phrase]] = {}
    for listed in search_words(ruleset.source).values():
        phrases = [phrase for each in listed if (phrase := _phrase(each, languages))]
        for phrase in phrases:
            meanings.setdefault(phrase, []).extend(phrases)
    for phrase, same in meanings.items():
        yield phrase, tuple(dict.fromkeys(same))


def _phrase(text: str, languages: Sequence[str]) -> Phrase:
    return tuple(
        frozenset(stem for language in languages for stem in stems(word, language))
        for word in words_in(text)
    )


@frozen
class _Search:
    ruleset: AnyRuleset
    index: Index
    asked: str
    terms: tuple[Term, ...]

    def findings(self, limit: int) -> Findings:
        found = self._found()
        hits = tuple(islice(self._hits(found), limit))
        return Findings(self.asked, hits, self._note(bool(found)), () if hits else self._near())

    def hits_by_words(self, limit: int, *, only_with_all: bool) -> tuple[Hit, ...]:
        if not self.terms:
            return ()
        with_all, with_some = self._by_words()
        others = () if only_with_all else with_some
        numbers = dict.fromkeys((*self._headed(), *with_all, *others))
        return tuple(islice(self._hits(numbers), limit))

    def _found(self) -> list[int | Told]:
        """The numbers of pages and the statements, the best first."""
        if not self.terms:
            return []
        headed, (with_all, with_some) = self._headed(), self._by_words()
        if headed:
            return [*dict.fromkeys((*headed, *with_all, *with_some))]
        pages, first = self.index.pages, [*self._partly_headed(), *with_all]
        found = ranked(
            by_words(pages, first, with_some), by_meaning(self.ruleset, pages, self.asked)
        )
        return [*dict.fromkeys((*found[:1], *self._named(), *found))]

    def _by_words(self) -> tuple[list[int], list[int]]:
        """The numbers of the pages with all words, and of those with some."""
        with_all = self.index.search(self.terms, all_of_them=True)
        some = self.index.search(self.terms, all_of_them=False) if len(self.terms) > 1 else []
        return with_all, some

    def _named(self) -> list[int]:
        """The numbers of the values with just the name that was typed."""
        typed = words_in(without_accents(self.asked))
        values = (
            (number, page)
            for number, page in enumerate(self.index.pages)
            if page.kind != "section" and not page.sentences
        )
        return [
            number
            for number, page in values
            if any(words_in(without_accents(each.text)) == typed for each in page.titles)
        ]

    def _headed(self) -> list[int]:
        """The numbers of the sections whose heading in some language has just the words that were typed."""
        typed = self._typed
        return [
            number
            for number, heading in self._headings()
            if len(heading) == len(typed)
            and all(one & other for one, other in zip(heading, typed, strict=True))
        ]

    def _partly_headed(self) -> list[int]:
        """The numbers of the sections whose heading in some language has the words that were typed among others."""
        typed = self._typed
        if len(typed) < MIN_OF_HEADING:
            return []
        return [
            number
            for number, heading in self._headings()
            if all(any(one & other for other in heading) for one in typed)
        ]

    @property
    def _typed(self) -> list[frozenset[str]]:
        return [word for term in self.terms for word in term.phrases[0]]

    def _headings(self) -> list[tuple[int, list[frozenset[str]]]]:
        """The telling words of each heading in each language, as their stems, with the number of its page."""
        return self.ruleset.compiled.memo(
            ("words of headings",), lambda: [*self._words_of_headings()]
        )

    def _words_of_headings(self) -> Iterator[tuple[int, list[frozenset[str]]]]:
        languages = self.index.languages
        known = [headings_in_language(self.ruleset.compiled, each) for each in languages]
        for number, page in enumerate(self.index.pages):
            if page.kind == "section":
                listed = (each[page.name] for each in known if page.name in each)
                for heading in dict.fromkeys((page.titles[0].text, *listed)):
                    words = telling_words(heading.partition("(")[0])
                    yield (
                        number,
                        [frozenset(s for each in languages for s in stems(w, each)) for w in words],
                    )

    # -------------------------------------------------------------- what is said about it
    def _note(self, is_found: bool) -> str:
        t = self.ruleset.labels.translator
        if not self.terms:
            return t.gettext("say what to look for: a word or two of a rule")
        if not is_found:
            return t.gettext("nothing has `{words}`", words=self.asked)
        read = ", ".join(f"{term.typed} → {term.meant[0]}" for term in self.terms if term.meant)
        return t.gettext("read as: {words}", words=read) if read else ""

    def _near(self) -> tuple[str, ...]:
        """Headings that resemble what was asked, else those of the chapters."""
        headings = section_headings(self.ruleset)
        near = close_matches(self.asked, headings.values(), 3)
        shown = [number for number, heading in headings.items() if heading in near]
        chapters = [number for number in headings if number.endswith(".0")]
        return tuple(f"§{number} {headings[number]}" for number in shown or chapters)

    # -------------------------------------------------------------- hits
    def _hits(self, found: Iterable[int | Told]) -> Iterator[Hit]:
        """The hits of pages and statements; a sentence of a section is not repeated."""
        told: set[tuple[tuple[str, ...], str]] = set()
        statements: Counter[str] = Counter()
        for each in found:
            hit = self._told(each) if isinstance(each, Told) else self._hit(self.index.pages[each])
            if hit.text and (hit.sections[:1], hit.text) in told:
                continue
            if hit.kind == "statement":
                statements[hit.sections[0]] += 1
                if statements[hit.sections[0]] > MAX_STATEMENTS:
                    continue
            told.add((hit.sections[:1], hit.text))
            yield hit

    def _told(self, told: Told) -> Hit:
        heading = section_headings(self.ruleset).get(told.sections[0], "")
        return Hit("statement", told.name, told.sections, heading, "", told.text)

    def _hit(self, page: Page) -> Hit:
        headings = section_headings(self.ruleset)
        main = page.sections[0] if page.sections else ""
        heading = headings.get(main, "")
        return Hit(
            page.kind, page.name, page.sections, heading, self._title(page), self._text(page)
        )

    def _title(self, page: Page) -> str:
        """The heading of a section, the label of a value, the name of a declaration."""
        if page.kind == "section":
            return section_headings(self.ruleset)[page.name]
        if page.sentences:
            return page.name
        return self.ruleset.labels.word((page.kind, page.name))

    def _text(self, page: Page) -> str:
        """The sentence of a declaration; of a section the first one of its declarations."""
        if page.kind == "section":
            told = (
                each
                for each in self.index.pages
                if each.sentences and each.sections[:1] == page.sections
            )
            first = next(told, None)
            return "" if first is None else self._text(first)
        if not page.sentences:
            return ""
        text = self.ruleset.labels.sentence(page.kind, page.name, page.sentences[0].text)
        return without_parameters(text) if page.kind == "event" else text

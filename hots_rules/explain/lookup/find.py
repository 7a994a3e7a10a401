"""The search of a ruleset."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from attrs import field, frozen

from hots_rules.diagnostics import close_matches
from hots_rules.explain.declarations import section_headings
from hots_rules.explain.lookup.index import Index, index_of
from hots_rules.explain.lookup.pages import Page
from hots_rules.explain.lookup.query import Phrase, QueryReader, Term, telling_words
from hots_rules.explain.lookup.stems import stems, words_in
from hots_rules.explain.lookup.synonyms import notion_words, search_words
from hots_rules.play.game import AnyRuleset

MAX_HITS = 10
_PARAM = re.compile(r"\{[^{}]*\}")


@frozen
class Hit:
    """Something that a search has found.

    >>> import hots_rules as hr
    >>> hit = hr.explain.find(hr.load("hots-4.0"), "border limit").hits[0]
    >>> hit.sections[0], hit.heading
    ('4.3', 'Border Limits')

    Attributes:
        kind: "section", "rule", "action", "reading" and so on; of a value its type.
        name: the number of a section, the name of a declaration, the word of a value.
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
    >>> print(hr.explain.find(hr.load("hots-4.0"), "xyzzy").note)
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
    ruleset, or be other words for the same thing that it declares. What has all words comes first, then
    what has some of them; no word is an operator.

    >>> import hots_rules as hr
    >>> findings = hr.explain.find(hr.load("hots-4.0"), "anglo scottish boarder", limit=1)
    >>> findings.hits[0].sections[0], findings.hits[0].heading
    ('4.4', 'Anglo-Scottish Border')

    Args:
        ruleset: the ruleset; the hits are in its language.
        words: what to look for.
        limit: the most hits.
    """
    index = index_of(ruleset.compiled)
    terms = query_reader(ruleset, index).terms(words)
    return _Search(ruleset, index, words, terms).findings(limit)


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
        numbers = self._numbers()
        hits = tuple(islice(self._hits(numbers), limit))
        return Findings(self.asked, hits, self._note(numbers), () if hits else self._near())

    def _numbers(self) -> list[int]:
        """The numbers of the pages with a heading of just these words, with all of them, and with some."""
        if not self.terms:
            return []
        tiers = [self._headed(), self.index.search(self.terms, all_of_them=True)]
        if len(self.terms) > 1:
            tiers.append(self.index.search(self.terms, all_of_them=False))
        return list(dict.fromkeys(number for tier in tiers for number in tier))

    def _headed(self) -> list[int]:
        """The numbers of the sections whose heading has just the words that were typed."""
        typed = [word for term in self.terms for word in term.phrases[0]]

        def is_meant(heading: str) -> bool:
            words = telling_words(heading.partition("(")[0])
            return len(words) == len(typed) and all(
                any({*stems(word, each)} & asked for each in self.index.languages)
                for word, asked in zip(words, typed, strict=True)
            )

        sections = (
            (number, page) for number, page in enumerate(self.index.pages) if page.kind == "section"
        )
        return [number for number, page in sections if is_meant(page.titles[0].text)]

    # -------------------------------------------------------------- what is said about it
    def _note(self, numbers: list[int]) -> str:
        t = self.ruleset.labels.translator
        if not self.terms:
            return t.gettext("say what to look for: a word or two of a rule")
        if not numbers:
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
    def _hits(self, numbers: list[int]) -> Iterator[Hit]:
        """The hits of pages; a sentence of a section is not repeated."""
        told = set()
        for number in numbers:
            hit = self._hit(self.index.pages[number])
            if not hit.text or (hit.sections[:1], hit.text) not in told:
                told.add((hit.sections[:1], hit.text))
                yield hit

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
        return _PARAM.sub("…", text) if page.kind == "event" else text

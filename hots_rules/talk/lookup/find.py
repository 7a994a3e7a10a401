"""The search of a ruleset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

from attrs import field, frozen

from hots_rules.diagnostics import check_kind, close_matches
from hots_rules.explain.declared.declarations import (
    headings_in_language,
    section_headings,
    without_parameters,
)
from hots_rules.play.game import AnyRuleset
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.talk.lookup.pages import Page, pages_of
from hots_rules.talk.reading.own_words import own_words
from hots_rules.talk.retrieval.passages import Found, retrieval_of
from hots_rules.talk.retrieval.rows import (
    QUESTION,
    RULEBOOK_STATEMENT,
    SECTION,
    TALK_STATEMENT,
    Passage,
)
from hots_rules.talk.retrieval.terms import stem_terms

MAX_HITS = 10
MAX_STATEMENTS = 2
"""Statements of one section that are shown; several often say the same."""
TOGETHER = 0.2
"""How much it counts that a section has a statement, a rule and a heading with the words."""
IN_A_ROW = 0.25
"""How much it counts that all words stand in a row, as `black cross` does in a rule that says nothing of crossing."""
MAX_READ = 30
"""Matches, the best ones, of which that is looked up."""
ONLY_A_NAME = 0.5
"""By how much a value, or a section without rules, is ranked below a rule with its name."""
_ENDS = (".", "!", "?")


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
        named = "" if self.kind == SECTION else self.title
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
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    check_kind("words", words, str, "a text")
    return _Search(ruleset, words).findings(limit)


def find_by_words(
    ruleset: AnyRuleset, words: str, limit: int, *, with_all: bool = False
) -> tuple[Hit, ...]:
    """The declarations and names whose sentence has any of the words, or only those with all."""
    search = _Search(ruleset, words)
    found = [
        match
        for match in search.found()
        if match.passage.page is not None and match.focus and not (with_all and match.missed)
    ]
    return tuple(islice(search.hits(found), limit))


@frozen
class _Search:
    ruleset: AnyRuleset
    asked: str

    def findings(self, limit: int) -> Findings:
        found = self.found()
        hits = tuple(islice(self.hits(found), limit))
        return Findings(self.asked, hits, self._note(bool(hits)), () if hits else self._near())

    def found(self) -> list[Found]:
        """What is found, the best first.

        Before all others stand the sections with just these words as their heading, or else the best of all; then the
        values with just these words as their name.
        """
        retrieval = retrieval_of(self.ruleset)
        matches = [
            match
            for match in retrieval.find(retrieval.tokens(self.asked))
            if match.passage.kind != RULEBOOK_STATEMENT
        ]
        named = [
            match
            for match in matches
            if match.passage.page is not None and self._is_named(match.passage.page)
        ]
        headed = [match for match in named if match.passage.kind == SECTION]
        ranked = self._ranked(matches)
        return [*dict.fromkeys((*(headed or ranked[:1]), *named, *ranked))]

    def _ranked(self, matches: list[Found]) -> list[Found]:
        """Matches by their scores: more with others of the same section, less for a mere name."""
        best_scores: dict[str, dict[str, float]] = {}  # by section, then by group
        for match in matches:
            best_scores.setdefault(_section(match), {}).setdefault(_group(match), match.score)

        in_a_row = {match for match in matches[:MAX_READ] if self._is_in_a_row(match.passage)}

        def rank(match: Found) -> float:
            section, mere_name = _section(match), self._is_only_a_name(match.passage)
            together = sum(best_scores[section].values()) if section else match.score
            bonus = TOGETHER * together + IN_A_ROW * (match in in_a_row)
            return match.score + bonus - ONLY_A_NAME * mere_name

        return sorted(matches, key=rank, reverse=True)

    def _is_in_a_row(self, passage: Passage) -> bool:
        """Whether a text of a passage, or the heading of its section, has all words that were typed in a row."""
        typed = self._words(self.asked)
        texts = [*passage.intent.text.values()] if passage.intent else []
        for language in self.ruleset.languages:
            headings = headings_in_language(self.ruleset.compiled, language)
            texts += [headings.get(number, "") for number in passage.sections[:1]]
        if passage.page is not None:
            texts += [text.text for text in (*passage.page.titles, *passage.page.sentences)]
        return len(typed) > 1 and any(
            all(map(frozenset.intersection, words[at:], typed))
            for words in map(self._words, texts)
            for at in range(len(words) - len(typed) + 1)
        )

    def _is_only_a_name(self, passage: Passage) -> bool:
        return passage.page is not None and not self._text(passage.page)

    def _is_named(self, page: Page) -> bool:
        """Whether the heading of a section, or the name of a value, has just the words that were typed."""
        if page.sentences:
            return False
        typed = self._words(self.asked)
        headings = (
            headings_in_language(self.ruleset.compiled, language).get(page.name, "")
            for language in (self.ruleset.languages if page.kind == SECTION else ())
        )
        listed = map(self._words, (*(title.text for title in page.titles), *headings))
        return any(
            len(words) == len(typed)
            and all(one & other for one, other in zip(words, typed, strict=True))
            for words in listed
        )

    def _words(self, text: str) -> list[frozenset[str]]:
        """The stems of the words of a text, without brackets and what says nothing."""
        retrieval = retrieval_of(self.ruleset)
        words = map(retrieval.spelled, retrieval.reader.lexicon.words(text.partition("(")[0]))
        return [
            frozenset(stem_terms(word, retrieval.languages))
            for word in words
            if word not in own_words().silent
        ]

    # -------------------------------------------------------------- what is said about it
    def _note(self, is_found: bool) -> str:
        t = self.ruleset.labels.translator
        retrieval = retrieval_of(self.ruleset)
        if not retrieval.reader.lexicon.words(self.asked):
            return t.gettext("say what to look for: a word or two of a rule")
        if not is_found:
            return t.gettext("nothing has `{words}`", words=self.asked)
        read = ", ".join(f"{typed} → {meant}" for typed, meant in retrieval.meant(self.asked))
        return t.gettext("read as: {words}", words=read) if read else ""

    def _near(self) -> tuple[str, ...]:
        """Headings that resemble what was asked, else those of the chapters."""
        headings = section_headings(self.ruleset)
        near = close_matches(self.asked, headings.values(), 3)
        shown = [number for number, heading in headings.items() if heading in near]
        chapters = [number for number in headings if number.endswith(".0")]
        return tuple(f"§{number} {headings[number]}" for number in shown or chapters)

    # -------------------------------------------------------------- hits
    def hits(self, found: Iterable[Found]) -> Iterator[Hit]:
        """The hits of what was found; a sentence of a section is not repeated."""
        shown: set[tuple[tuple[str, ...], str]] = set()
        statements: Counter[str] = Counter()
        for match in found:
            hit = self._hit(match.passage)
            if hit is None or (hit.text and (hit.sections[:1], hit.text) in shown):
                continue
            if hit.kind == TALK_STATEMENT:
                statements[hit.sections[0]] += 1
                if statements[hit.sections[0]] > MAX_STATEMENTS:
                    continue
            shown.add((hit.sections[:1], hit.text))
            yield hit

    def _hit(self, passage: Passage) -> Hit | None:
        """A passage as a hit; None if it has no sentence that holds at every moment of a game."""
        main = next(iter(passage.sections), "")
        heading = section_headings(self.ruleset).get(main, "")
        if passage.page is not None:
            title, text = self._title(passage.page), self._text(passage.page)
        else:
            title, text = "", self._sentence(passage)
            if passage.kind == QUESTION or not (text and passage.sections):
                return None
        return Hit(passage.kind, passage.name, passage.sections, heading, title, text)

    def _sentence(self, passage: Passage) -> str:
        """The sentence of a statement that is true at every moment; empty if it has none."""
        intent, language = passage.intent, self.ruleset.language
        if intent is None or intent.when or intent.each or intent.query:
            return ""
        sentence = intent.text.get(language) or intent.text.get("en", "")
        if not sentence or "<" in sentence or "{" in sentence:
            return ""
        return sentence[0].upper() + sentence[1:] + ("" if sentence.endswith(_ENDS) else ".")

    def _title(self, page: Page) -> str:
        """The heading of a section, the label of a value, the name of a declaration."""
        if page.kind == SECTION:
            return section_headings(self.ruleset)[page.name]
        if page.sentences:
            return page.name
        return self.ruleset.labels.word((page.kind, page.name))

    def _text(self, page: Page) -> str:
        """The sentence of a declaration; of a section the first one of its declarations."""
        if page.kind == SECTION:
            sentences = (
                part
                for part in pages_of(self.ruleset.compiled)
                if part.sentences and part.sections[:1] == page.sections
            )
            first = next(sentences, None)
            return "" if first is None else self._text(first)
        if not page.sentences:
            return ""
        text = self.ruleset.labels.sentence(page.kind, page.name, page.sentences[0].text)
        return without_parameters(text) if page.kind == "event" else text


def _section(found: Found) -> str:
    return next(iter(found.passage.sections), "")


def _group(found: Found) -> str:
    """A statement, a heading, a value, or a declaration."""
    kind = found.passage.kind
    if kind in (TALK_STATEMENT, SECTION):
        return kind
    return "value" if found.passage.is_value else "declaration"

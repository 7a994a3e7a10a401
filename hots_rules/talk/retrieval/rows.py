"""The passages of a ruleset, and a row for each wording of one, kept in the cache."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from attrs import field, frozen

from hots_rules.explain.declared.declaration import Declaration
from hots_rules.explain.declared.declarations import (
    PARAMETER,
    contents_of,
    headings_in_language,
    section_headings,
)
from hots_rules.explain.talk_file import Intent
from hots_rules.play.game import AnyRuleset
from hots_rules.rules.editions.statements import statements_in
from hots_rules.talk.lookup.pages import UNKNOWN, Page, Text, pages_of
from hots_rules.talk.reading.own_words import kept_words
from hots_rules.talk.reading.patterns import ASKING, SLIGHT
from hots_rules.talk.reading.reader import Reader
from hots_rules.talk.retrieval.terms import BAR, CONCEPT_PREFIX, units_in

TALK_STATEMENT, RULEBOOK_STATEMENT = "statement", "stated"
QUESTION, SECTION = "question", "section"
UNTOLD = frozenset({"policy", "invariant", "promise", "event", "scenario"})
"""Kinds of declarations whose sentence answers no question."""
MAX_QUOTED = 1
"""How many rules are quoted for a statement in a language that it is not written in."""
_FORBIDS = re.compile(r"^\s*forbid\b", re.MULTILINE)
CONDITION = f"{CONCEPT_PREFIX}when{BAR}{CONCEPT_PREFIX}can"
"""The terms that a rule with `forbid` gets beside its words: it answers `when can …`."""
_WORD = re.compile(r"[\w-]+")
Wording = tuple[str, bool, str, str]
"""The language of a wording, whether it asks, its units, and those of its title."""
Row = tuple[int, str, bool, str, str]
"""The number of a passage, and a wording of it."""


@frozen
class Passage:
    """Something that a ruleset says, or names.

    Attributes:
        kind: `statement` of the talk of the game, `stated` of what its rulebook states, `section`, the kind of a
            declaration, or the type of a value.
        name: its name.
        sections: its sections, the main one first.
        intent: how it is told as an answer; None for sections, values and declared questions.
        page: a section, a declaration or a value as it is looked up; None for statements and declared questions.
    """

    kind: str
    name: str
    sections: tuple[str, ...]
    intent: Intent | None = field(default=None, eq=False, repr=False)
    page: Page | None = field(default=None, eq=False, repr=False)

    @property
    def is_value(self) -> bool:
        """Whether it is only the name of something."""
        return self.page is not None and self.kind != SECTION and not self.page.sentences


@frozen
class Rows:
    """The wordings of all passages.

    Attributes:
        rows: the wordings.
        counts: in how many passages each term is, apart from statements of rulebooks.
        kinds: what tables say of each value in a word, such as "bird", as concepts.
        words: the words of all texts, without accents.
    """

    rows: tuple[Row, ...]
    counts: Mapping[str, int]
    kinds: Mapping[str, str]
    words: str


def passages_in(ruleset: AnyRuleset, reader: Reader) -> list[Passage]:
    """All passages of a ruleset."""
    listed = [*map(_page_passage, pages_of(ruleset.compiled))]
    for declaration in contents_of(ruleset.compiled).declarations:
        if declaration.kind == QUESTION and declaration.summary:
            listed.append(Passage(QUESTION, declaration.name, declaration.sections))
    for intent in reader.talk.questions:
        # One with a slot has no answer before its value is known; what may not be named is no slot.
        if not any("{" in words.replace("!{", "") for words in intent.patterns):
            sections = tuple(citation.section for citation in reader.sections.of(intent))
            listed.append(Passage(TALK_STATEMENT, intent.name, sections, intent))
    listed += _stated(ruleset)
    return listed


def _stated(ruleset: AnyRuleset) -> Iterator[Passage]:
    """What the rulebook of the topmost layer states; the layers above a lower one may have changed what it states."""
    quotable = {
        declaration.name: declaration.sections
        for declaration in contents_of(ruleset.compiled).declarations
        if declaration.summary and declaration.kind not in UNTOLD
    }
    layer = ruleset.source.layers[-1]
    for statement in statements_in(layer):
        if statement.reason == "heading":
            continue
        section = statement.section
        rules = [name for name in statement.rules if section in quotable.get(name, ())]
        intent = Intent(
            f"{section} {statement.number}",
            text={"en": statement.text},
            rules=tuple(rules[:MAX_QUOTED]),
            sections=(section,),
            edition=layer.name,
        )
        yield Passage(RULEBOOK_STATEMENT, intent.name, (section,), intent)


def _page_passage(page: Page) -> Passage:
    is_told = page.sentences and page.kind not in UNTOLD
    intent = Intent(page.name, rules=(page.name,)) if is_told else None
    return Passage(page.kind, page.name, page.sections, intent, page)


def rows_of(ruleset: AnyRuleset, reader: Reader, listed: Sequence[Passage]) -> Rows:
    """The rows of some passages, from the cache if they were made before."""
    return kept_words(ruleset, Rows, (), partial(_make_rows, ruleset, reader, listed))


def _make_rows(ruleset: AnyRuleset, reader: Reader, listed: Sequence[Passage]) -> Rows:
    maker = _RowMaker(ruleset, reader)
    rows = tuple(
        row for number, passage in enumerate(listed) for row in maker.rows(number, passage)
    )
    bags: dict[int, set[str]] = {}
    for number, _, _, units, title in rows:
        if listed[number].kind == RULEBOOK_STATEMENT:
            continue  # it repeats what rules say, so that its words would seem to be frequent
        bags.setdefault(number, set()).update(re.split(r"[ |]", f"{units} {title}"))
    counts = Counter(term for bag in bags.values() for term in bag if term)
    return Rows(rows, dict(counts), _kinds(ruleset, reader), " ".join(sorted(maker.words)))


@frozen
class _RowMaker:
    ruleset: AnyRuleset
    reader: Reader
    words: set[str] = field(factory=set)

    def rows(self, number: int, passage: Passage) -> Iterator[Row]:
        for wording in self._wordings(passage):
            yield (number, *wording)

    def _units(self, text: str, language: str) -> str:
        languages = self.ruleset.languages if language == UNKNOWN else (language,)
        units = [*units_in(self.reader.lexicon, text, languages)]
        self.words.update(word for word in self.reader.lexicon.words(text) if len(word) > 3)
        return " ".join(units)

    def _wordings(self, passage: Passage) -> Iterator[Wording]:
        if passage.page is not None:
            yield from self._page_wordings(passage.page)
        elif passage.intent is not None and passage.kind == RULEBOOK_STATEMENT:
            text = passage.intent.text["en"]
            yield "en", False, self._units(text, "en"), self._heading(passage.sections)
        elif passage.intent is not None:
            yield from self._statement_wordings(passage.intent, self._heading(passage.sections))
        else:
            yield from self._question_wordings(passage)

    def _page_wordings(self, page: Page) -> Iterator[Wording]:
        titles = [Text(text.language, text.text.partition("(")[0]) for text in page.titles]
        beside = (*titles, *(page.more if page.sentences else ()))
        title = " ".join(self._units(text.text, text.language) for text in beside)
        if not page.sentences:
            for text in dict.fromkeys((*titles, *self._headings(page))):
                yield text.language, False, self._units(text.text, text.language), ""
        by_language: dict[str, list[str]] = {}
        for text in page.sentences:
            by_language.setdefault(text.language, []).append(text.text)
        for language, texts in by_language.items():
            units = self._units(" ".join(texts), language)
            yield language, False, f"{units} {CONDITION}" if self._forbids(page) else units, title

    def _forbids(self, page: Page) -> bool:
        """Whether a rule says when something may not be done."""
        listed = contents_of(self.ruleset.compiled).declarations
        return any(
            _FORBIDS.search(rule.source)
            for rule in listed
            if page.kind == rule.kind == "rule" and rule.name == page.name
        )

    def _headings(self, page: Page) -> Iterator[Text]:
        """The heading of a section in every language, without what is in brackets."""
        for language in self.ruleset.languages if page.kind == SECTION else ():
            listed = headings_in_language(self.ruleset.compiled, language)
            if page.name in listed:
                yield Text(language, listed[page.name].partition("(")[0])

    def _question_wordings(self, passage: Passage) -> Iterator[Wording]:
        question = self.ruleset.compiled.typed.questions[passage.name]
        for language in self.ruleset.languages:
            labels = self.ruleset.in_language(language).labels
            text = labels.label(f"question {passage.name}", question.origin.summary)
            yield language, True, self._units(PARAMETER.sub(" ", text), language), ""

    def _statement_wordings(self, intent: Intent, heading: str) -> Iterator[Wording]:
        for text in intent.examples:
            yield UNKNOWN, True, self._units(text, UNKNOWN), heading
        for language, text in intent.text.items():
            yield language, False, self._units(text, language), heading
        for pattern in intent.patterns:
            yield UNKNOWN, True, " ".join(_units_of_pattern(pattern)), heading
        for rule in self._rules(intent):
            for language in self.ruleset.languages:
                labels = self.ruleset.in_language(language).labels
                text = labels.sentence(rule.kind, rule.name, rule.summary)
                yield language, False, self._units(text, language), heading

    def _rules(self, intent: Intent) -> Iterator[Declaration]:
        listed = contents_of(self.ruleset.compiled).declarations
        return (rule for rule in listed if rule.summary and rule.name in intent.rules)

    def _heading(self, sections: Sequence[str]) -> str:
        headings = section_headings(self.ruleset.in_language("en"))
        found = next((headings[number] for number in sections[:1] if number in headings), "")
        return self._units(found, UNKNOWN)


def _units_of_pattern(pattern: str) -> Iterator[str]:
    """The words of a pattern, which are concepts; of alternatives one will do."""
    for element in pattern.split():
        if element[0] != "!":
            yield BAR.join(CONCEPT_PREFIX + concept for concept in _WORD.findall(element))


def _kinds(ruleset: AnyRuleset, reader: Reader) -> Mapping[str, str]:
    """What tables say of each value in a word, or in a column that holds, as concepts."""
    found: dict[str, str] = {}
    for name, table in ruleset.tables.items():
        for code, cells in enumerate(table.rows.values()):
            words = (
                cell if isinstance(cell, str) else column
                for column, cell in cells.items()
                if isinstance(cell, str) or cell is True
            )
            text = " ".join(words).replace("_", " ")
            tokens = reader.lexicon.read(text, corrects=False)
            concepts = {concept for token in tokens for concept in token.concepts - ASKING - SLIGHT}
            found[f"{name}.{code}"] = " ".join(
                CONCEPT_PREFIX + concept for concept in sorted(concepts)
            )
    return found

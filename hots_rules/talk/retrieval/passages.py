"""The search: what a ruleset says about a sentence, the best first."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from math import log
from types import MappingProxyType

from attrs import evolve, frozen

from hots_rules.diagnostics import close_matches, edit_distance
from hots_rules.play.game import AnyRuleset
from hots_rules.talk.lookup.stems import stems
from hots_rules.talk.reading.lexicon import ANY_ENDING, Token
from hots_rules.talk.reading.patterns import ASKING
from hots_rules.talk.reading.reader import Reader, reader_of
from hots_rules.talk.reading.words import is_near
from hots_rules.talk.retrieval.index import Index
from hots_rules.talk.retrieval.rows import RULEBOOK_STATEMENT, Passage, Rows, passages_in, rows_of
from hots_rules.talk.retrieval.terms import (
    BAR,
    CONCEPT_PREFIX,
    SILENT,
    concept_terms,
    number_term,
    stem_terms,
)

MAX_WORDS = 30
MAX_KEPT = 8
"""How many results are kept: an answer asks several times for the same."""
MIN_CORRECTED = 4
"""Letters of a word that is corrected; a shorter one is near to too many."""
UNKNOWN, NUMBER = 0.5, 0.3
"""How much a word tells that no passage has, and a number; the rarest word of passages tells 1."""
ASKING_WEIGHT, IDLE_WEIGHT, SETTING_WEIGHT = 0.05, 0.1, 0.15
"""How much a word tells that only says how something is asked, one that says nothing, and one of most sentences."""
OTHER_STEM, KIND, IN_TITLE = 0.95, 0.6, 0.5
"""How much of a word is met by another word of its concept, by the kind of what it names, and by one of the title."""
FOCUS, ASKS, TOGETHER = 0.3, 0.1, 0.5
"""What counts beside the share: that a wording is about little else, that it asks, and all other wordings."""
LESS = MappingProxyType({"reading": 0.25, "option": 0.25, "action": 0.15})
"""By how much the rare case of a reading is ranked lower, and what an action says of its choice."""
SUBJECTS = frozenset({"who", "which", "where", "when", "how-many"})
UNASKED = 0.6
"""What it costs that a wording does not ask for a thing of the kind that a sentence asks for."""
OFF_TOPIC = "elsewhere"
"""The concept of words that no question about a game has."""


@frozen
class Ranking:
    """How much names and BM25 count where passages are ranked.

    Attributes:
        names: the part of its weight that a word has which only names something.
        bm25: what BM25 adds to the share.
        acts: how much a common word for an action tells, such as `go`.
    """

    names: float
    bm25: float
    acts: float


QUOTED = Ranking(1.0, 0.3, 0.1)
"""For what is quoted: all that is named is in it."""
OFFERED = Ranking(0.5, 0.6, 0.3)
"""For what is offered: few rules name what a question is asked about."""


@frozen
class QueryTerm:
    """A token of a sentence.

    Attributes:
        typed: as it was read.
        exact: the terms of the very words: values, numbers, stems.
        alike: the concepts, which other words have as well.
        kinds: the concepts of what it names.
        weight: how much it tells.
    """

    typed: str
    exact: frozenset[str]
    alike: frozenset[str]
    kinds: frozenset[str]
    weight: float

    @property
    def terms(self) -> frozenset[str]:
        """All terms."""
        return self.exact | self.alike | self.kinds

    def strength(self, terms: frozenset[str]) -> float:
        """How much of it is met by some terms, from 0 to 1."""
        if not self.exact.isdisjoint(terms):
            return 1.0
        if not self.alike.isdisjoint(terms):
            return OTHER_STEM
        return 0.0 if self.kinds.isdisjoint(terms) else KIND

    @property
    def tells(self) -> bool:
        """Whether it is more than a number, or a word that most sentences have."""
        return self.weight > SETTING_WEIGHT and not self.is_number

    @property
    def is_number(self) -> bool:
        """Whether it is only a number."""
        return bool(self.exact) and all(map(str.isdecimal, self.exact))

    @property
    def is_name(self) -> bool:
        """Whether it only names values."""
        return not self.alike and any("." in term for term in self.exact)


@frozen
class Found:
    """A passage for a sentence.

    Attributes:
        passage: what was found.
        score: by which passages are compared.
        share: how much of what the sentence tells is in the best wording, from 0 to 1.
        focus: how much of that wording is in the sentence.
        asks: whether that wording asks.
        met: the words that tell something and that it shares.
        missed: the other words that tell something.
        other_numbers: the numbers of the sentence that it does not have.
        is_more: whether they share more than names.
        is_asked: whether the wording asks for a thing of the kind that the sentence asks for, such as `where`.
    """

    passage: Passage
    score: float
    share: float
    focus: float
    asks: bool
    met: tuple[str, ...]
    missed: tuple[str, ...]
    other_numbers: tuple[str, ...]
    is_more: bool
    is_asked: bool


@frozen
class _Wording:
    """A wording of a passage.

    Attributes:
        terms: the terms of its words.
        title: those of its title.
        asked: the things that it asks for or tells, such as `where`.
        weight: how much its words tell.
    """

    terms: frozenset[str]
    title: frozenset[str]
    asked: frozenset[str]
    weight: float


@frozen(slots=False, eq=False)
class Retrieval:
    """The passages of a ruleset, to be found by the words of a sentence."""

    reader: Reader
    languages: Sequence[str]
    passages: Sequence[Passage]
    rows: Rows
    index: Index

    @cached_property
    def _places(self) -> Sequence[Sequence[int]]:
        """The places of the wordings of each passage."""
        places: list[list[int]] = [[] for _ in self.passages]
        for at, row in enumerate(self.rows.rows):
            places[row[0]].append(at)
        return places

    @cached_property
    def _words(self) -> Mapping[str, None]:
        return dict.fromkeys(self.rows.words.split())

    @cached_property
    def _counted(self) -> int:
        """The number of passages in which terms are counted."""
        return sum(passage.kind != RULEBOOK_STATEMENT for passage in self.passages)

    @cached_property
    def _parsed(self) -> dict[int, _Wording]:
        return {}

    def _wording(self, at: int) -> _Wording:
        """A wording of a passage, which is parsed on first use."""
        if at not in self._parsed:
            _, _, _, text, title = self.rows.rows[at]
            units = [frozenset(unit.split(BAR)) for unit in text.split()]
            terms = frozenset[str]().union(*units)
            asked = {term.removeprefix(CONCEPT_PREFIX) for term in terms} & SUBJECTS
            if any(map(str.isdecimal, terms)):
                asked.add("how-many")
            self._parsed[at] = _Wording(
                terms,
                frozenset(title.replace(BAR, " ").split()),
                frozenset(asked),
                sum(map(self._unit_weight, units)),
            )
        return self._parsed[at]

    @cached_property
    def _bags(self) -> dict[int, frozenset[str]]:
        return {}

    def _bag(self, number: int) -> frozenset[str]:
        """The terms of all wordings of a passage."""
        if number not in self._bags:
            wordings = map(self._wording, self._places[number])
            self._bags[number] = frozenset[str]().union(*(each.terms for each in wordings))
        return self._bags[number]

    def stated(self, passage: Passage) -> frozenset[str]:
        """The terms of all wordings of a passage that do not ask, in every language."""
        places = self._places[self._numbers[passage]]
        wordings = (self._wording(at) for at in places if not self.rows.rows[at][2])
        return frozenset[str]().union(*(each.terms for each in wordings))

    @cached_property
    def _numbers(self) -> Mapping[Passage, int]:
        return {passage: number for number, passage in enumerate(self.passages)}

    # -------------------------------------------------------------- words
    def tokens(self, sentence: str) -> tuple[Token, ...]:
        """The tokens of a sentence, each word spelled as the texts of the ruleset or its talk have it."""
        words = self.reader.lexicon.words(sentence)
        return self.reader.lexicon.read(" ".join(map(self.spelled, words)), corrects=False)

    def knows(self, words: str) -> bool:
        """Whether a word of the ruleset or its talk is among some words."""
        return any(
            self.reader.lexicon.knows(word) or word in self._words or self._is_indexed(word)
            for word in words.split()
        )

    def spelled(self, word: str) -> str:
        """A word as it is known, or the nearest one."""
        lexicon = self.reader.lexicon
        if lexicon.knows(word) or word in self._words or len(word) < MIN_CORRECTED:
            return word
        alike = close_matches(word, self._words, 3)
        near = [text for text in alike if text[0] == word[0] and is_near(word, text) is not None]
        inflected = lexicon.inflected(word)
        if inflected is not None and self._means(inflected):
            return inflected
        if near and edit_distance(word, near[0], 1) == 1:
            return near[0]
        if self._is_indexed(word):
            return word
        return next(iter(near), None) or inflected or lexicon.nearest(word) or word

    def _means(self, word: str) -> bool:
        """Whether a word has a meaning by itself."""
        token = self.reader.lexicon.read(word, corrects=False)[0]
        return bool(token.concepts or token.values)

    def _is_indexed(self, word: str) -> bool:
        return any(
            stem in self.rows.counts for lang in self.languages for stem in stems(word, lang)
        )

    def meant(self, sentence: str) -> list[tuple[str, str]]:
        """The words that no rule has, each with what it is read as."""
        read = ((word, self._meaning(word)) for word in self.reader.lexicon.words(sentence))
        return [(word, meaning) for word, meaning in read if meaning]

    def _meaning(self, word: str) -> str:
        """What a word is read as that no rule has: another spelling, or another word for the same; else nothing."""
        spelled = self.spelled(word)
        token = self.reader.lexicon.read(spelled, corrects=False)[0]
        if set(self._stems(word)).isdisjoint(self._stems(spelled)):
            return spelled
        is_told = not self._told.isdisjoint(self._stems(word))
        if is_told or token.concepts & SILENT or token.is_idle:
            return ""
        words = self.reader.talk.words
        phrases = [*(phrase for name in token.concepts for phrase in words.get(name, ()))]
        names = [self.reader.types[type_].values[codes[0]][1] for type_, codes in token.values]
        others = (text.rstrip(ANY_ENDING).replace("_", " ") for text in (*names, *phrases))
        return next((text for text in others if not self._told.isdisjoint(self._stems(text))), "")

    def _stems(self, text: str) -> tuple[str, ...]:
        return stem_terms(" ".join(self.reader.lexicon.words(text)), self.languages)

    @cached_property
    def _told(self) -> frozenset[str]:
        """The stems of what rules, sections and names say."""
        pages = {at for at, passage in enumerate(self.passages) if passage.page is not None}
        listed = (f"{row[3]} {row[4]}" for row in self.rows.rows if row[0] in pages)
        return frozenset(term for text in listed for term in re.split(r"[ |]", text))

    # -------------------------------------------------------------- terms
    def query_terms(self, tokens: Iterable[Token]) -> list[QueryTerm]:
        """What the tokens of a sentence tell; what they say twice tells no more."""
        terms = (self._query_term(token) for token in tokens)
        return [*dict.fromkeys(term for term in terms if term is not None)]

    def _query_term(self, token: Token) -> QueryTerm | None:
        number = number_term(token)
        concepts = frozenset(
            term for term in concept_terms(token) if term.startswith(CONCEPT_PREFIX)
        )
        values = frozenset(concept_terms(token)) - concepts
        is_phrase = " " in token.text and bool(token.concepts)
        is_silent = token.is_idle or is_phrase or bool(token.concepts and token.concepts <= SILENT)
        heard = frozenset() if is_silent else frozenset(self._stems(token.text))
        exact = frozenset({number}) if number else values | heard
        if not exact and not concepts:
            return None
        kinds = frozenset(kind for name in values for kind in self.rows.kinds.get(name, "").split())
        return QueryTerm(
            token.text,
            exact,
            concepts,
            kinds,
            self._weight(token, number, concepts | values, heard),
        )

    def _weight(
        self, token: Token, number: str, named: frozenset[str], heard: frozenset[str]
    ) -> float:
        if token.concepts and token.concepts <= SILENT:
            return ASKING_WEIGHT
        if token.concepts and token.concepts <= self.reader.talk.setting:
            return SETTING_WEIGHT
        if number:
            return NUMBER
        if token.is_idle and not token.values:
            return IDLE_WEIGHT
        known = [self.rarity(term) for term in named or heard if term in self.rows.counts]
        if not known:
            return UNKNOWN
        if named:
            return sum(known) / len(known)
        return min(max(known), UNKNOWN)

    def rarity(self, term: str) -> float:
        """How much a term tells: 1 for the rarest, less for one that many passages have."""
        number = self._counted
        return log(1 + number / self.rows.counts.get(term, 1)) / log(1 + number)

    # -------------------------------------------------------------- search
    def find(self, tokens: Sequence[Token], ranking: Ranking = QUOTED) -> list[Found]:
        """The passages for the tokens of a sentence, the best first, each once."""
        return [*self._kept(tuple(tokens), ranking)]

    @cached_property
    def _kept(self) -> Callable[[tuple[Token, ...], Ranking], tuple[Found, ...]]:
        return lru_cache(MAX_KEPT)(self._find)

    def _find(self, tokens: tuple[Token, ...], ranking: Ranking) -> tuple[Found, ...]:
        query_terms = [self._ranked(term, ranking) for term in self.query_terms(tokens[:MAX_WORDS])]
        concepts = frozenset(concept for token in tokens for concept in token.concepts)
        telling = [query_term for query_term in query_terms if query_term.tells]
        if OFF_TOPIC in concepts or not telling:
            return ()
        terms = sorted({term for query_term in telling for term in query_term.terms})
        hits = self.index.search(terms)
        most = max((weight for _, weight in hits), default=1.0) or 1.0
        subjects = concepts & ASKING & SUBJECTS
        best: dict[int, Found] = {}
        for at, bm25 in hits:
            number = self.rows.rows[at][0]
            found = self._compared(at, query_terms, subjects, ranking.bm25 * bm25 / most)
            if number not in best or found.score > best[number].score:
                best[number] = found
        ranked = [self._with_others(found, number, query_terms) for number, found in best.items()]
        return tuple(sorted(ranked, key=lambda found: -found.score))

    def _ranked(self, term: QueryTerm, ranking: Ranking) -> QueryTerm:
        """A term with the weight that it has where passages are ranked so."""
        if term.is_name:
            return evolve(term, weight=term.weight * ranking.names)
        is_act = any(
            concept.removeprefix(CONCEPT_PREFIX) in self.reader.talk.acts for concept in term.alike
        )
        return evolve(term, weight=max(term.weight, ranking.acts)) if is_act else term

    def _compared(
        self, at: int, query_terms: Sequence[QueryTerm], subjects: frozenset[str], bm25: float
    ) -> Found:
        number, _, asks, _, _ = self.rows.rows[at]
        wording = self._wording(at)
        terms, title, asked = wording.terms, wording.title, wording.asked
        in_terms = [query_term.strength(terms) for query_term in query_terms]
        strengths = [
            strength if strength >= IN_TITLE else max(strength, IN_TITLE * term.strength(title))
            for strength, term in zip(in_terms, query_terms, strict=True)
        ]
        pairs = [*zip(strengths, query_terms, strict=True)]
        met = sum(strength * query_term.weight for strength, query_term in pairs)
        whole = sum(query_term.weight for query_term in query_terms) + UNASKED * len(
            subjects - asked
        )
        in_text = sum(
            strength * query_term.weight
            for strength, query_term in zip(in_terms, query_terms, strict=True)
        )
        focus = min(1.0, in_text / wording.weight) if wording.weight else 0.0
        pairs = [(strength, query_term) for strength, query_term in pairs if query_term.tells]
        met_words = tuple(query_term.typed for strength, query_term in pairs if strength)
        is_more = any(strength and not query_term.is_name for strength, query_term in pairs)
        missed = tuple(
            query_term.typed
            for _, query_term in pairs
            if (query_term.exact | query_term.alike).isdisjoint(terms | title)
        )
        other_numbers = tuple(
            query_term.typed
            for query_term in query_terms
            if query_term.is_number and query_term.exact.isdisjoint(terms | title)
        )
        share = met / whole
        passage = self.passages[number]
        score = share + FOCUS * focus + ASKS * asks + bm25 - LESS.get(passage.kind, 0.0)
        return Found(
            passage,
            score,
            share,
            focus,
            asks,
            met_words,
            missed,
            other_numbers,
            is_more,
            subjects <= asked,
        )

    def _unit_weight(self, unit: frozenset[str]) -> float:
        named = [term for term in unit if term.startswith(CONCEPT_PREFIX) or "." in term]
        if named and all(term[len(CONCEPT_PREFIX) :] in SILENT for term in named):
            return 0.0
        return max((self.rarity(term) for term in named or unit), default=0.0) * (
            1 if named else UNKNOWN
        )

    def _with_others(self, found: Found, number: int, query_terms: Sequence[QueryTerm]) -> Found:
        bag = self._bag(number)
        met = sum(query_term.weight * query_term.strength(bag) for query_term in query_terms)
        return evolve(
            found,
            score=found.score
            + TOGETHER * met / sum(query_term.weight for query_term in query_terms),
        )


def retrieval_of(ruleset: AnyRuleset) -> Retrieval:
    """The search of a ruleset, which every language of it shares; it is made on first use."""
    return ruleset.compiled.memo(("retrieval",), lambda: _retrieval(ruleset))


def _retrieval(ruleset: AnyRuleset) -> Retrieval:
    reader = reader_of(ruleset)
    listed = passages_in(ruleset, reader)
    rows = rows_of(ruleset, reader, listed)
    index = Index([row[3:] for row in rows.rows])
    return Retrieval(reader, tuple(ruleset.languages), listed, rows, index)

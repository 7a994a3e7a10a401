"""The search: what a ruleset says about a sentence, the best first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from math import log
from types import MappingProxyType

from attrs import evolve, frozen

from hots_rules.diagnostics import close_matches, edit_distance
from hots_rules.play.game import AnyRuleset
from hots_rules.talk.lookup.stems import stems
from hots_rules.talk.reading.lexicon import ANY_ENDING, Piece
from hots_rules.talk.reading.patterns import ASKING
from hots_rules.talk.reading.reader import Reader, reader_of
from hots_rules.talk.reading.words import is_near
from hots_rules.talk.retrieval.index import Index
from hots_rules.talk.retrieval.rows import Passage, Rows, passages_in, rows_of
from hots_rules.talk.retrieval.tokens import (
    BAR,
    NOTION,
    SILENT,
    notion_tokens,
    number_token,
    stem_tokens,
)

MAX_WORDS = 30
MIN_CORRECTED = 4
"""Letters of a word that is corrected; a shorter one is near to too many."""
UNKNOWN, NUMBER = 0.5, 0.3
"""How much a word tells that no passage has, and a number; the rarest word of passages tells 1."""
ASKING_WEIGHT, IDLE_WEIGHT, SETTING_WEIGHT = 0.05, 0.1, 0.15
"""How much a word tells that only says how something is asked, one that says nothing, and one of most sentences."""
OTHER_STEM, KIND, IN_TITLE = 0.95, 0.6, 0.5
"""How much of a word is met by another word of its notion, by the kind of what it names, and by one of the title."""
FOCUS, ASKS, TOGETHER, BM25 = 0.3, 0.1, 0.5, 0.3
"""What counts beside the share: that a wording is about little else, that it asks, all other wordings, and BM25."""
LESS = MappingProxyType({"reading": 0.25, "option": 0.25, "action": 0.15})
"""By how much the rare case of a reading is ranked lower, and what an action says of its choice."""
SUBJECTS = frozenset({"who", "which", "where", "when", "how-many"})
UNASKED = 0.6
"""What it costs that a wording does not ask for a thing of the kind that a sentence asks for."""
OFF_TOPIC = "elsewhere"
"""The notion of words that no question about a game has."""


@frozen
class Term:
    """A piece of a sentence.

    Attributes:
        typed: as it was read.
        exact: the tokens of the very words: values, numbers, stems.
        alike: the notions, which other words have as well.
        kinds: the notions of what it names.
        weight: how much it tells.
    """

    typed: str
    exact: frozenset[str]
    alike: frozenset[str]
    kinds: frozenset[str]
    weight: float

    @property
    def tokens(self) -> frozenset[str]:
        """All tokens."""
        return self.exact | self.alike | self.kinds

    def strength(self, tokens: frozenset[str]) -> float:
        """How much of it is met by some tokens, from 0 to 1."""
        if not self.exact.isdisjoint(tokens):
            return 1.0
        if not self.alike.isdisjoint(tokens):
            return OTHER_STEM
        return 0.0 if self.kinds.isdisjoint(tokens) else KIND

    @property
    def tells(self) -> bool:
        """Whether it is more than a number, or a word that most sentences have."""
        return self.weight > SETTING_WEIGHT and not (
            self.exact and all(map(str.isdecimal, self.exact))
        )

    @property
    def is_name(self) -> bool:
        """Whether it only names values."""
        return not self.alike and any("." in token for token in self.exact)


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
    is_more: bool
    is_asked: bool


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
    def _parsed(
        self,
    ) -> dict[int, tuple[tuple[frozenset[str], ...], frozenset[str], frozenset[str]]]:
        return {}

    def _row(self, at: int) -> tuple[tuple[frozenset[str], ...], frozenset[str], frozenset[str]]:
        """The units of a wording, all of their tokens, and those of its title."""
        if at not in self._parsed:
            _, _, _, text, title = self.rows.rows[at]
            units = tuple(frozenset(unit.split(BAR)) for unit in text.split())
            named = frozenset(title.replace(BAR, " ").split())
            self._parsed[at] = units, frozenset().union(*units), named
        return self._parsed[at]

    # -------------------------------------------------------------- words
    def pieces(self, sentence: str) -> tuple[Piece, ...]:
        """The pieces of a sentence, each word spelled as the texts of the ruleset or its talk have it."""
        words = self.reader.lexicon.words(sentence)
        return self.reader.lexicon.read(" ".join(map(self.spelled, words)), corrects=False)

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
        piece = self.reader.lexicon.read(word, corrects=False)[0]
        return bool(piece.notions or piece.values)

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
        piece = self.reader.lexicon.read(spelled, corrects=False)[0]
        if set(self._stems(word)).isdisjoint(self._stems(spelled)):
            return spelled
        is_told = not self._told.isdisjoint(self._stems(word))
        if is_told or piece.notions & SILENT or piece.is_idle:
            return ""
        words = self.reader.talk.words
        phrases = [*(phrase for name in piece.notions for phrase in words.get(name, ()))]
        names = [self.reader.types[type_].values[codes[0]][1] for type_, codes in piece.values]
        others = (text.rstrip(ANY_ENDING).replace("_", " ") for text in (*names, *phrases))
        return next((text for text in others if not self._told.isdisjoint(self._stems(text))), "")

    def _stems(self, text: str) -> tuple[str, ...]:
        return stem_tokens(" ".join(self.reader.lexicon.words(text)), self.languages)

    @cached_property
    def _told(self) -> frozenset[str]:
        """The stems of what rules, sections and names say."""
        pages = {at for at, passage in enumerate(self.passages) if passage.page is not None}
        listed = (f"{row[3]} {row[4]}" for row in self.rows.rows if row[0] in pages)
        return frozenset(token for text in listed for token in re.split(r"[ |]", text))

    # -------------------------------------------------------------- terms
    def terms(self, pieces: Iterable[Piece]) -> list[Term]:
        """What the pieces of a sentence tell."""
        return [term for piece in pieces if (term := self._term(piece)) is not None]

    def _term(self, piece: Piece) -> Term | None:
        number = number_token(piece)
        notions = frozenset(token for token in notion_tokens(piece) if token.startswith(NOTION))
        values = frozenset(notion_tokens(piece)) - notions
        is_phrase = " " in piece.text and bool(piece.notions)
        is_silent = piece.is_idle or is_phrase or bool(piece.notions and piece.notions <= SILENT)
        heard = frozenset() if is_silent else frozenset(self._stems(piece.text))
        exact = frozenset({number}) if number else values | heard
        if not exact and not notions:
            return None
        kinds = frozenset(kind for name in values for kind in self.rows.kinds.get(name, "").split())
        return Term(
            piece.text, exact, notions, kinds, self._weight(piece, number, notions | values, heard)
        )

    def _weight(
        self, piece: Piece, number: str, named: frozenset[str], heard: frozenset[str]
    ) -> float:
        if piece.notions and piece.notions <= SILENT:
            return ASKING_WEIGHT
        if piece.notions and piece.notions <= self.reader.talk.setting:
            return SETTING_WEIGHT
        if number:
            return NUMBER
        if piece.is_idle and not piece.values:
            return IDLE_WEIGHT
        known = [self.rarity(token) for token in named or heard if token in self.rows.counts]
        if not known:
            return UNKNOWN
        if named:
            return sum(known) / len(known)
        return min(max(known), UNKNOWN)

    def rarity(self, token: str) -> float:
        """How much a token tells: 1 for the rarest, less for one that many passages have."""
        number = len(self.passages)
        return log(1 + number / self.rows.counts.get(token, 1)) / log(1 + number)

    # -------------------------------------------------------------- search
    def find(self, pieces: Sequence[Piece]) -> list[Found]:
        """The passages for the pieces of a sentence, the best first, each once."""
        terms = self.terms(pieces[:MAX_WORDS])
        notions = frozenset(notion for piece in pieces for notion in piece.notions)
        telling = [term for term in terms if term.tells]
        if OFF_TOPIC in notions or not telling:
            return []
        tokens = sorted({token for term in telling for token in term.tokens})
        hits = self.index.search(tokens)
        most = max((weight for _, weight in hits), default=1.0) or 1.0
        subjects = notions & ASKING & SUBJECTS
        best: dict[int, Found] = {}
        for at, bm25 in hits:
            number = self.rows.rows[at][0]
            found = self._compared(at, terms, subjects, bm25 / most)
            if number not in best or found.score > best[number].score:
                best[number] = found
        ranked = [self._with_others(found, number, terms) for number, found in best.items()]
        return sorted(ranked, key=lambda found: -found.score)

    def _compared(
        self, at: int, terms: Sequence[Term], subjects: frozenset[str], bm25: float
    ) -> Found:
        number, _, asks, _, _ = self.rows.rows[at]
        units, tokens, title = self._row(at)
        strengths = [max(term.strength(tokens), IN_TITLE * term.strength(title)) for term in terms]
        pairs = [*zip(strengths, terms, strict=True)]
        met = sum(strength * term.weight for strength, term in pairs)
        asked = {token.removeprefix(NOTION) for token in tokens}
        if any(map(str.isdecimal, tokens)):
            asked.add("how-many")
        whole = sum(term.weight for term in terms) + UNASKED * len(subjects - asked)
        weight = sum(self._unit_weight(unit) for unit in units)
        in_text = sum(term.strength(tokens) * term.weight for term in terms)
        focus = min(1.0, in_text / weight) if weight else 0.0
        pairs = [(strength, term) for strength, term in pairs if term.tells]
        met_words = tuple(term.typed for strength, term in pairs if strength)
        is_more = any(strength and not term.is_name for strength, term in pairs)
        missed = tuple(
            term.typed for _, term in pairs if (term.exact | term.alike).isdisjoint(tokens | title)
        )
        share = met / whole
        passage = self.passages[number]
        score = share + FOCUS * focus + ASKS * asks + BM25 * bm25 - LESS.get(passage.kind, 0.0)
        return Found(
            passage, score, share, focus, asks, met_words, missed, is_more, subjects <= asked
        )

    def _unit_weight(self, unit: frozenset[str]) -> float:
        named = [token for token in unit if token.startswith(NOTION) or "." in token]
        if named and all(token[len(NOTION) :] in SILENT for token in named):
            return 0.0
        return max((self.rarity(token) for token in named or unit), default=0.0) * (
            1 if named else UNKNOWN
        )

    def _with_others(self, found: Found, number: int, terms: Sequence[Term]) -> Found:
        bag = frozenset().union(*(self._row(at)[1] for at in self._places[number]))
        met = sum(term.weight * term.strength(bag) for term in terms)
        return evolve(
            found, score=found.score + TOGETHER * met / sum(term.weight for term in terms)
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

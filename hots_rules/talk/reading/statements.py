"""The statement of a ruleset that says most of what a sentence asks about: a declared answer, or a rule in words.

Where no pattern reads a sentence, its words are looked up like those of a search, but as what they mean: a notion with
all its phrases in each language, a value, or a stem. A word that few statements have tells more than one of many.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from math import log

from attrs import evolve, frozen

from hots_rules.explain.declared.declaration import Declaration
from hots_rules.explain.declared.declarations import contents_of
from hots_rules.explain.talk_file import Asked
from hots_rules.play.game import AnyRuleset
from hots_rules.talk.reading.kept_words import kept_words
from hots_rules.talk.reading.lexicon import Lexicon, Piece
from hots_rules.talk.reading.patterns import ASKING, SLIGHT
from hots_rules.talk.reading.reader import Reader, reader_of
from hots_rules.talk.reading.wordings import (
    SLIGHTEST,
    Concepts,
    Term,
    View,
    concepts_of,
    stems_of,
)

MIN_SHARE = 0.66
"""The share of what a sentence tells that a statement must have to be its answer."""
CLOSEST = 0.3
"""The share that a statement has which comes close."""
UNKNOWN, NUMBER = 0.5, 0.3
"""How much a word tells that no statement has, and a number; the rarest word of statements tells 1."""
ASKING_WEIGHT, IDLE_WEIGHT = 0.05, 0.1
"""How much a word tells that only says how something is asked, and one that mostly says nothing."""
OFF_TOPIC = "elsewhere"
"""The notion of words that no question about a game has."""
WHOLE = 0.8
"""From which share of a wording it is enough that a sentence shares one word with it that tells something."""
FOCUS = 0.3
"""How much it counts that a wording is about little else."""
TOGETHER = 0.5
"""How much it counts what all wordings of a statement have of a sentence."""
SUBJECTS = frozenset({"who", "which", "where", "when", "how-many"})
UNASKED = 0.6
"""What it costs that a wording does not ask for a thing of the kind that a sentence asks for."""
ASKED = 0.1
"""What it counts that a wording asks, and does not only tell."""
MAX_WORDS = 30
_NO_RULES = frozenset({"question", "policy", "invariant", "event", "reading", "scenario", "option"})
_WORD = re.compile(r"!?\{?[\w-]+\}?")


@frozen
class Found:
    """A statement for a sentence.

    Attributes:
        asked: the statement, as a question that it answers.
        share: how much of what the sentence tells is in it, from 0 to 1.
        rank: by which statements are compared: also whether it is about little else.
        asks: whether it was found by a sentence or pattern that asks for it.
        is_sure: whether it shares enough words with the sentence to be its answer, and does not only come close.
        is_whole: whether the wording by which it was found says hardly more than the sentence.
    """

    asked: Asked
    share: float
    rank: float
    asks: bool
    is_sure: bool
    is_whole: bool = True


@frozen
class StatedWords:
    """What the wordings of all statements of a ruleset mean, and the kinds of its values; to find it takes long."""

    views: tuple[View, ...]
    kinds: Mapping[str, Concepts]


class Statements:
    """What a ruleset states, to be found by the words of a sentence."""

    def __init__(self, reader: Reader, stated: Sequence[Asked], words: StatedWords) -> None:
        self._reader = reader
        self._told = stated
        self._views, self._kinds = words.views, words.kinds

    @cached_property
    def _bags(self) -> Sequence[Concepts]:
        """What all wordings of each statement have."""
        together: list[set[str]] = [set() for _ in self._told]
        for view in self._views:
            together[view.number] |= view.concepts | view.stems
        return [frozenset(bag) for bag in together]

    @cached_property
    def _weights(self) -> Mapping[str, float]:
        """How much each concept tells: 1 for the rarest, less for one that many statements have."""
        counts = Counter(concept for bag in self._bags for concept in bag)
        most = log(1 + len(self._bags))
        return {concept: log(1 + len(self._bags) / n) / most for concept, n in counts.items()}

    @cached_property
    def _places(self) -> Mapping[str, Sequence[int]]:
        """The places of the wordings that have each word."""
        places: dict[str, list[int]] = {}
        for at, view in enumerate(self._views):
            for word in view.concepts | view.stems:
                places.setdefault(word, []).append(at)
        return places

    # -------------------------------------------------------------- search
    def find(self, pieces: Sequence[Piece], language: str) -> list[Found]:
        """The statements for a sentence, the best first, each once.

        Args:
            pieces: the sentence.
            language: the language of who asks; texts in others but English are not looked at.
        """
        terms = [*filter(None, map(self._term, pieces))]
        notions = frozenset(n for piece in pieces for n in piece.notions)
        if not terms or len(terms) > MAX_WORDS or OFF_TOPIC in notions:
            return []
        best: dict[int, Found] = {}
        for view in self._views_with(terms):
            if view.is_read_in(language):
                found = self._compared(view, terms, notions & ASKING)
                if found and (view.number not in best or found.rank > best[view.number].rank):
                    best[view.number] = found
        ranked = [self._with_others(found, number, terms) for number, found in best.items()]
        return sorted(ranked, key=lambda found: -found.rank)

    def _views_with(self, terms: Sequence[Term]) -> Iterator[View]:
        """The wordings that share more with a sentence than names and what most sentences have."""
        telling = (term for term in terms if term.is_telling and not term.is_name)
        shared = (term.concepts | term.stems | term.kinds for term in telling)
        numbers = {at for words in shared for word in words for at in self._places.get(word, ())}
        return (self._views[at] for at in sorted(numbers))

    def _compared(self, view: View, terms: Sequence[Term], asking: Concepts) -> Found | None:
        """A wording as an answer to a sentence that asks so; None if it has little of it."""
        subjects = asking & SUBJECTS
        met = sum(term.met(view) for term in terms)
        unasked = subjects - view.concepts if view.asks else subjects
        whole = sum(term.weight for term in terms) + UNASKED * len(unasked)
        if met < CLOSEST * whole:
            return None
        weight = sum(map(self._telling, view.concepts))
        focus = min(1.0, met / weight) if weight else 0
        shared = [term for term in terms if term.is_telling and term.met(view)]
        if all(term.is_name for term in shared):
            return None
        enough = 1 if view.asks and focus > WHOLE and asking else 2
        is_sure = len(shared) >= enough
        rank = met / whole + FOCUS * focus + ASKED * view.asks
        return Found(self._told[view.number], met / whole, rank, view.asks, is_sure, focus > WHOLE)

    def _with_others(self, found: Found, number: int, terms: Sequence[Term]) -> Found:
        """What was found by one wording of a statement, ranked by the others as well."""
        bag = self._bags[number]
        met = sum(term.weight for term in terms if term.is_in(bag))
        return evolve(found, rank=found.rank + TOGETHER * met / sum(t.weight for t in terms))

    def _telling(self, concept: str) -> float:
        if concept in ASKING or concept in SLIGHT:
            return 0
        return self._weights.get(concept, 0)

    def _term(self, piece: Piece) -> Term | None:
        concepts = concepts_of(piece)
        if not concepts:
            return None
        kinds = (self._kinds.get(concept, frozenset()) for concept in concepts)
        tells = bool(piece.values or piece.notions - ASKING - SLIGHT) and not piece.is_idle
        stems = stems_of(piece) if tells else frozenset()
        return Term(concepts, stems, frozenset().union(*kinds), self._weight(piece, concepts))

    def _weight(self, piece: Piece, concepts: Concepts) -> float:
        if piece.notions and piece.notions <= ASKING | SLIGHT | {"is"}:
            return ASKING_WEIGHT
        known = [self._weights[concept] for concept in concepts if concept in self._weights]
        if piece.notions and piece.notions <= self._reader.talk.setting:
            return SLIGHTEST
        if any(map(str.isdecimal, concepts)):
            return NUMBER
        if piece.is_idle and not piece.values:
            return IDLE_WEIGHT if known else 0
        if not known:
            return UNKNOWN
        mean = sum(known) / len(known)
        return mean if piece.notions or piece.values else min(mean, UNKNOWN)


def statements_of(ruleset: AnyRuleset) -> Statements:
    """What a ruleset states, in all its languages."""
    return ruleset.compiled.memo(("statements",), lambda: _statements(ruleset))


def _statements(ruleset: AnyRuleset) -> Statements:
    reader = reader_of(ruleset)
    rules = [Asked(rule.name, rules=(rule.name,)) for rule in _rules_in_words(ruleset)]
    listed = (*reader.talk.questions, *rules)
    stated = [asked for asked in listed if not any("{" in words for words in asked.patterns)]
    make = partial(_stated_words, ruleset, reader, stated)
    return Statements(reader, stated, kept_words(ruleset, StatedWords, (View,), make))


def _rules_in_words(ruleset: AnyRuleset) -> list[Declaration]:
    """The declarations that state something in a sentence."""
    listed = contents_of(ruleset.compiled).declarations
    return [rule for rule in listed if rule.summary and rule.kind not in _NO_RULES]


def _stated_words(ruleset: AnyRuleset, reader: Reader, stated: Sequence[Asked]) -> StatedWords:
    sentences = {
        rule.name: {
            language: (labels.sentence(key, rule.name, rule.summary),)
            for language in ruleset.languages
            for labels in [ruleset.in_language(language).labels]
        }
        for rule in _rules_in_words(ruleset)
        for key in ["phase" if rule.kind == "stage" else rule.kind]
    }
    views = (
        view
        for number, asked in enumerate(stated)
        for view in _wordings(
            reader.lexicon,
            number,
            asked,
            _together(sentences.get(rule, {}) for rule in asked.rules),
        )
    )
    return StatedWords(tuple(views), _kinds(ruleset, reader))


def _wordings(
    lexicon: Lexicon, number: int, asked: Asked, texts: Mapping[str, Sequence[str]]
) -> Iterator[View]:
    for pattern in asked.patterns:
        words = frozenset(w for w in _WORD.findall(pattern) if w[0] != "!")
        yield View(number, words, frozenset(), "", True)
    for text in asked.examples:
        yield _view(lexicon, number, text, "", asks=True)
    for language, text in asked.text.items():
        yield _view(lexicon, number, text, language, asks=False)
    for language, listed in texts.items():
        for text in listed:
            yield _view(lexicon, number, text, language, asks=False)


def _view(lexicon: Lexicon, number: int, text: str, language: str, *, asks: bool) -> View:
    pieces = lexicon.read(text, corrects=False)
    concepts = frozenset(c for piece in pieces for c in concepts_of(piece))
    stems = frozenset(s for piece in pieces if not piece.is_idle for s in stems_of(piece))
    return View(number, concepts, stems, language, asks)


def _together(listed: Iterable[Mapping[str, Sequence[str]]]) -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for texts in listed:
        for language, sentences in texts.items():
            found.setdefault(language, []).extend(sentences)
    return found


def _kinds(ruleset: AnyRuleset, reader: Reader) -> Mapping[str, Concepts]:
    """What tables say of each value in a word, such as "bird", or in a column that holds, as notions."""
    found: dict[str, Concepts] = {}
    for name, table in ruleset.tables.items():
        for code, cells in enumerate(table.rows.values()):
            words = (
                cell if isinstance(cell, str) else column
                for column, cell in cells.items()
                if isinstance(cell, str) or cell is True
            )
            pieces = (
                p
                for word in words
                for p in reader.lexicon.read(word.replace("_", " "), corrects=False)
            )
            notions = frozenset(n for piece in pieces for n in piece.notions)
            found[f"{name}.{code}"] = notions - ASKING - SLIGHT
    return found

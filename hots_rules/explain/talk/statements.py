"""The statement of a ruleset that says most of what a sentence asks about: a declared answer, or a rule in words.

Where no pattern reads a sentence, its words are looked up like those of a search, but as what they mean: a notion with
all its phrases in each language, a value, or a stem. A word that few statements have tells more than one of many.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import log

from attrs import frozen

from hots_rules._translate import LANGUAGES
from hots_rules.explain.declarations import contents_of
from hots_rules.explain.lookup.stems import stems
from hots_rules.explain.talk.declared import Asked, own_words
from hots_rules.explain.talk.lexicon import Piece
from hots_rules.explain.talk.patterns import ASKING, SLIGHT
from hots_rules.explain.talk.reader import Reader, reader_of
from hots_rules.play.game import AnyRuleset

LEAST = 0.66
"""The share of what a sentence tells that a statement must have."""
SLIGHTEST = 0.15
"""What a word tells at least that counts as one of the two that a statement must share with a sentence."""
CLOSEST = 0.35
"""The share of what a sentence tells that a statement has which comes close."""
UNKNOWN, NUMBER = 0.5, 0.3
"""How much a word tells that no statement has, and a number; the rarest word of statements tells 1."""
ASKING_WEIGHT, IDLE_WEIGHT = 0.05, 0.1
"""How much a word tells that only says how something is asked, and one that mostly says nothing."""
KIND = 0.6
"""How much of a name is met by the kind of what it names, such as "bird"."""
OFF_TOPIC = "elsewhere"
"""The notion of words that no question about a game has."""
WHOLE = 0.8
"""From which share of a wording it is enough that a sentence shares one word with it that tells something."""
FOCUS = 0.25
"""How much it counts that a statement is about little else."""
SUBJECTS = frozenset({"who", "which", "where", "when", "how-many"})
UNASKED = 0.6
"""What it costs that a wording does not ask for a thing of the kind that a sentence asks for."""
ASKED = 0.1
"""What it counts that a wording asks, and does not only tell."""
MOST_WORDS = 30
LEAST_NUMBER = 2
"""From which number on its word says more than an article."""
_NO_RULES = frozenset({"question", "policy", "invariant", "event", "reading", "scenario", "option"})
Concepts = frozenset[str]
_WORD = re.compile(r"!?\{?[\w-]+\}?")


@frozen
class View:
    """One wording of the statement of a number: what its words mean, its language, and whether it asks.

    A pattern and a sentence that asks have no language: they are read in any.
    """

    number: int
    concepts: Concepts
    language: str
    asks: bool


@frozen
class Found:
    """A statement for a sentence.

    Attributes:
        asked: the statement, as a question that it answers.
        share: how much of what the sentence tells is in it, from 0 to 1.
        rank: by which statements are compared: also whether it is about little else.
        asks: whether it was found by a sentence or pattern that asks for it.
    """

    asked: Asked
    share: float
    rank: float
    asks: bool


@frozen
class Term:
    """A piece of a sentence: what it means, what kind of thing it names, and how much it tells."""

    concepts: Concepts
    kinds: Concepts
    weight: float

    def met(self, view: View) -> float:
        """How much of it a wording has."""
        if self.concepts & view.concepts:
            return self.weight
        return KIND * self.weight if self.kinds & view.concepts else 0.0

    @property
    def is_telling(self) -> bool:
        """Whether it is more than a number, or a word that most sentences have."""
        return self.weight > SLIGHTEST and not all(map(str.isdecimal, self.concepts))

    @property
    def is_name(self) -> bool:
        """Whether it only names values, such as a place."""
        return all("." in concept for concept in self.concepts)


class Statements:
    """What a ruleset states, to be found by the words of a sentence."""

    def __init__(
        self,
        reader: Reader,
        told: Sequence[tuple[Asked, Mapping[str, Sequence[str]]]],
        kinds: Mapping[str, Concepts],
    ) -> None:
        self._reader = reader
        self._kinds = kinds
        self._told = [asked for asked, _ in told]
        self._views = [
            view
            for number, (asked, texts) in enumerate(told)
            for view in self._wordings(number, asked, texts)
        ]

    def _wordings(
        self, number: int, asked: Asked, texts: Mapping[str, Sequence[str]]
    ) -> Iterator[View]:
        for pattern in asked.words:
            words = _WORD.findall(pattern)
            yield View(number, frozenset(w for w in words if w[0] != "!"), "", True)
        for text in asked.like:
            yield View(number, self._read(text), "", True)
        for language, text in asked.says.items():
            yield View(number, self._read(text), language, False)
        for language, listed in texts.items():
            for text in listed:
                yield View(number, self._read(text), language, False)

    def _read(self, text: str) -> Concepts:
        pieces = self._reader.lexicon.read(text, corrects=False)
        return frozenset(c for piece in pieces for c in concepts_of(piece))

    @cached_property
    def _weights(self) -> Mapping[str, float]:
        """How much each concept tells: 1 for the rarest, less for one that many statements have."""
        together: dict[int, set[str]] = {}
        for view in self._views:
            together.setdefault(view.number, set()).update(view.concepts)
        counts = Counter(concept for concepts in together.values() for concept in concepts)
        most = log(1 + len(together))
        return {concept: log(1 + len(together) / n) / most for concept, n in counts.items()}

    # -------------------------------------------------------------- search
    def find(self, pieces: Sequence[Piece], language: str) -> list[Found]:
        """The statements for a sentence, the best first, each once.

        Args:
            pieces: the sentence.
            language: the language of who asks; texts in others but English are not looked at.
        """
        terms = [*filter(None, map(self._term, pieces))]
        notions = frozenset(n for piece in pieces for n in piece.notions)
        if not terms or len(terms) > MOST_WORDS or OFF_TOPIC in notions:
            return []
        best: dict[int, Found] = {}
        for view in self._views:
            if view.language in ("", "en", language):
                found = self._compared(view, terms, notions & ASKING)
                if found and (view.number not in best or found.rank > best[view.number].rank):
                    best[view.number] = found
        return sorted(best.values(), key=lambda found: -found.rank)

    def _compared(self, view: View, terms: Sequence[Term], asking: Concepts) -> Found | None:
        """A wording as an answer to a sentence that asks so; None if it has little of it."""
        subjects = asking & SUBJECTS
        met = sum(term.met(view) for term in terms)
        unasked = subjects - view.concepts if view.asks else subjects
        whole = sum(term.weight for term in terms) + UNASKED * len(unasked)
        if met < CLOSEST * whole:
            return None
        told = sum(map(self._telling, view.concepts))
        focus = min(1.0, met / told) if told else 0
        shared = [term for term in terms if term.is_telling and term.met(view)]
        enough = 1 if view.asks and focus > WHOLE and asking else 2
        if len(shared) < enough or all(term.is_name for term in shared):
            return None
        rank = met / whole + FOCUS * focus + ASKED * view.asks
        return Found(self._told[view.number], met / whole, rank, view.asks)

    def _telling(self, concept: str) -> float:
        if concept in ASKING or concept in SLIGHT:
            return 0
        return self._weights.get(concept, 0)

    def _term(self, piece: Piece) -> Term | None:
        concepts = concepts_of(piece)
        if not concepts:
            return None
        kinds = (self._kinds.get(concept, frozenset()) for concept in concepts)
        return Term(concepts, frozenset().union(*kinds), self._weight(piece, concepts))

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
        told = sum(known) / len(known)
        return told if piece.notions or piece.values else min(told, UNKNOWN)


def concepts_of(piece: Piece) -> Concepts:
    """What a piece of a sentence means: notions, values, or the stems of a word that is neither."""
    if piece.notions or piece.values:
        values = {f"{type_}.{code}" for type_, codes in piece.values for code in codes}
        return piece.notions | values
    number = own_words().numbers.get(piece.text, -1)
    if number >= LEAST_NUMBER or piece.text.isdecimal():
        return frozenset({str(max(number, int(piece.text) if piece.text.isdecimal() else 0))})
    if piece.is_idle:
        return frozenset()
    return frozenset(
        f"{language}:{stem}"
        for word in piece.text.split()
        for language in LANGUAGES
        for stem in stems(word, language)
    )


def statements_of(ruleset: AnyRuleset) -> Statements:
    """What a ruleset states, in all its languages."""
    return ruleset.compiled.memo(("statements",), lambda: _statements(ruleset))


def _statements(ruleset: AnyRuleset) -> Statements:
    reader = reader_of(ruleset)
    sentences: dict[str, dict[str, tuple[str, ...]]] = {}
    rules: list[Asked] = []
    for each in contents_of(ruleset.compiled).declarations:
        if each.summary and each.kind not in _NO_RULES:
            key = "phase" if each.kind == "stage" else each.kind
            sentences[each.name] = {
                language: (labels.sentence(key, each.name, each.summary),)
                for language in ruleset.languages
                for labels in [ruleset.in_language(language).labels]
            }
            rules.append(Asked(each.name, rules=(each.name,)))
    told = [
        (asked, _together(sentences.get(rule, {}) for rule in asked.rules))
        for asked in (*reader.talk.asked, *rules)
        if not any("{" in words for words in asked.words)
    ]
    return Statements(reader, told, _kinds(ruleset, reader))


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

"""Wordings of statements, and how much of a sentence one of them has.

Words are compared as what they mean: a notion with all its phrases in each language, a value, or a stem. Two words of
one notion are alike; two with the same stem are more alike.
"""

from __future__ import annotations

from attrs import frozen

from hots_rules._translate import LANGUAGES
from hots_rules.talk.lookup.stems import stems
from hots_rules.talk.reading.lexicon import Piece
from hots_rules.talk.reading.own_words import own_words

Concepts = frozenset[str]
SLIGHTEST = 0.15
"""What a word tells at most that does not count as one that a statement must share with a sentence."""
KIND = 0.6
"""How much of a name is met by the kind of what it names, such as "bird"."""
STEM = 0.5
"""How much of a word is met by one with the same stem, of which no notion is shared."""
OTHER_STEM = 0.75
"""How much of a word is met by another word of the same notion."""
MIN_NUMBER = 2
"""From which number on its word says more than an article."""


@frozen
class View:
    """One wording of the statement of a number: what its words mean, their stems, its language, and whether it asks.

    A pattern and a sentence that asks have no language: they are read in any. A pattern has no stems.
    """

    number: int
    concepts: Concepts
    stems: Concepts
    language: str
    asks: bool

    def is_read_in(self, language: str) -> bool:
        """Whether somebody who asks in a language is answered by it: texts in others but English are not read."""
        return self.language in ("", "en", language)


@frozen
class Term:
    """A piece of a sentence: what it means, its stems, what kind of thing it names, and how much it tells."""

    concepts: Concepts
    stems: Concepts
    kinds: Concepts
    weight: float

    def met(self, view: View) -> float:
        """How much of it a wording has."""
        if self.concepts & view.concepts:
            is_other = self.stems and view.stems and not self.stems & view.stems
            return (OTHER_STEM if is_other else 1.0) * self.weight
        if self.stems & view.stems:
            return STEM * self.weight
        return KIND * self.weight if self.kinds & view.concepts else 0.0

    def is_in(self, bag: Concepts) -> bool:
        """Whether one of several wordings has it."""
        return not bag.isdisjoint(self.concepts) or not bag.isdisjoint(self.stems)

    @property
    def is_telling(self) -> bool:
        """Whether it is more than a number, or a word that most sentences have."""
        return self.weight > SLIGHTEST and not all(map(str.isdecimal, self.concepts))

    @property
    def is_name(self) -> bool:
        """Whether it only names values, such as a place."""
        return all("." in concept for concept in self.concepts)


def concepts_of(piece: Piece) -> Concepts:
    """What a piece of a sentence means: notions, values, or the stems of a word that is neither."""
    if piece.notions or piece.values:
        values = {f"{type_}.{code}" for type_, codes in piece.values for code in codes}
        return piece.notions | values
    number = own_words().numbers.get(piece.text, -1)
    if number >= MIN_NUMBER or piece.text.isdecimal():
        return frozenset({str(max(number, int(piece.text) if piece.text.isdecimal() else 0))})
    return frozenset() if piece.is_idle else stems_of(piece)


def stems_of(piece: Piece) -> Concepts:
    """The stems of the words of a piece, in each language."""
    return frozenset(
        f"{language}:{stem}"
        for word in piece.text.split()
        for language in LANGUAGES
        for stem in stems(word, language)
    )

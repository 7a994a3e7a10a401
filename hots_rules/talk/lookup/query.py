"""The words of a search, with their synonyms and what they were probably meant to be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from attrs import frozen

from hots_rules.diagnostics import close_matches, without_accents
from hots_rules.explain.word_search import IDLE_WORDS
from hots_rules.talk.lookup.stems import stems, words_in

MAX_WORDS = 30
MAX_TEXT = 300  # characters
_MIN_CORRECTED = 4  # letters; a shorter word is near to too many
ANY_ENDING = "*"
_SAME_BEGINNING = 5  # letters
Stems = frozenset[str]
"""The stems that one word may have; any of them will do."""
Phrase = tuple[Stems, ...]
"""Words that all have to be there."""


@frozen
class Term:
    """A word or a phrase of a search, with all that it may be instead.

    Attributes:
        typed: as it was typed.
        phrases: what is searched for: itself, its synonyms, or the words nearest to it.
        meant: the words that it was taken for, if nothing has it as it is typed.
    """

    typed: str
    phrases: tuple[Phrase, ...]
    meant: tuple[str, ...] = ()


# Words of whoever asks, and of how it is asked, in English, French and Spanish.
_ASKING = """
    allowed always am been being could dont each far get got had happen happens he her his how i if into its long
    many may me mean means might much must my not our shall she should so than that their them they this those
    too we will with would you your
    avec avoir ce ces cette combien comment dois doit elle est-ce faut il ils je lui me mes mon nous ou par pas peut
    peux pour puis quand quel quelle quels se si son ses sont tu vous
    al como con cuando cuantas cuanto cuantos debe debo donde esta estan mi mis puede puedo pueden que quien
    quienes se si son su sus tiene yo
    """
_ASKING_WORDS = frozenset(_ASKING.split()) | IDLE_WORDS
# What would be one of them if it had no accent: dice in French.
_TELLING = frozenset({"dés", "dé"})


def telling_words(text: str) -> list[str]:
    """The words of a text without those that say nothing of its subject, unless there are no others."""
    words = words_in(text)
    return [w for w in words if w in _TELLING or without_accents(w) not in _ASKING_WORDS] or words


@frozen
class QueryReader:
    """Reads searches of one ruleset.

    Attributes:
        languages: those in which its texts are, and in which a search may be typed.
        words: all words of its texts, without accents.
        stems: all stems of its texts.
        synonyms: by the stems of a phrase, the phrases that mean the same.
        notions: the words of players for the same thing, one tuple for each thing; a word that ends in `*` has any
            ending. They are looked at where nothing has a word as it is typed.
    """

    languages: tuple[str, ...]
    words: frozenset[str]
    stems: frozenset[str]
    synonyms: Mapping[Phrase, tuple[Phrase, ...]]
    notions: tuple[tuple[str, ...], ...] = ()

    def terms(self, text: str) -> tuple[Term, ...]:
        """The terms of a search; words that say nothing of its subject only where there are no others."""
        return tuple(self._terms(telling_words(text[:MAX_TEXT])[:MAX_WORDS]))

    def _terms(self, words: list[str]) -> Iterator[Term]:
        at = 0
        while at < len(words):
            length = self._length_of_phrase(words[at:])
            yield self._term(words[at : at + length])
            at += length

    def _length_of_phrase(self, words: list[str]) -> int:
        """The number of words of the longest phrase with synonyms that begins here; 1 if there is none."""
        longest = max((len(phrase) for phrase in self.synonyms), default=1)
        for length in range(min(longest, len(words)), 1, -1):
            if self._meanings(words[:length]):
                return length
        return 1

    def _meanings(self, words: list[str]) -> tuple[Phrase, ...]:
        """The synonyms of some words, and the words themselves; empty if they have none."""
        asked = tuple(map(self._stems, words))
        found = [
            meant
            for phrase, same in self.synonyms.items()
            if len(phrase) == len(asked)
            and all(one & other for one, other in zip(phrase, asked, strict=True))
            for meant in same
        ]
        return tuple(dict.fromkeys((asked, *found))) if found else ()

    def _term(self, words: list[str]) -> Term:
        typed = " ".join(words)
        if meanings := self._meanings(words):
            return Term(typed, meanings)
        [word] = words
        plain = without_accents(word)
        if plain in self.words or self._stems(word) & self.stems or len(plain) < _MIN_CORRECTED:
            return Term(typed, ((self._stems(word),),))
        near = self._near(plain)
        # A word that begins alike is probably the same one, in another language or with a slip.
        alike = any(each[:_SAME_BEGINNING] == plain[:_SAME_BEGINNING] for each in near)
        if not alike and (same := self._of_one_notion(plain)):
            return Term(typed, tuple((self._stems(each),) for each in same), same)
        phrases = [(self._stems(each),) for each in near]
        return Term(typed, tuple(phrases) or ((self._stems(word),),), tuple(near))

    def _of_one_notion(self, word: str) -> tuple[str, ...]:
        """The words of the texts that mean what a word means that is in no text."""
        stems_of_word = self._stems(word)

        def is_it(known: str) -> bool:
            if known.endswith(ANY_ENDING):
                return word.startswith(known[:-1])
            return bool(stems_of_word & self._stems(known))

        found = (
            each.rstrip(ANY_ENDING)
            for notion in self.notions
            if any(" " not in known and is_it(known) for known in notion)
            for each in notion
            if " " not in each and self._stems(each.rstrip(ANY_ENDING)) & self.stems
        )
        return tuple(islice(dict.fromkeys(found), MAX_WORDS))

    def _near(self, word: str) -> list[str]:
        """The words that are spelled nearly so; a slip is rarely in the first letter."""
        near = close_matches(word, sorted(self.words), 6)
        return [each for each in near if each[0] == word[0]][:3] or near[:3]

    def _stems(self, word: str) -> Stems:
        return frozenset(stem for language in self.languages for stem in stems(word, language))

"""The words of a search, with their synonyms and what they were probably meant to be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import frozen

from hots_rules.diagnostics import close_matches
from hots_rules.explain.lookup.stems import stems, words_in
from hots_rules.explain.word_search import IDLE_WORDS, without_accents

MAX_WORDS = 30
MAX_TEXT = 300  # characters
_MIN_CORRECTED = 4  # letters; a shorter word is near to too many
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


def telling_words(text: str) -> list[str]:
    """The words of a text without those that say nothing of its subject, unless there are no others."""
    words = words_in(text)
    return [word for word in words if without_accents(word) not in IDLE_WORDS] or words


@frozen
class QueryReader:
    """Reads searches of one ruleset.

    Attributes:
        languages: those in which its texts are, and in which a search may be typed.
        words: all words of its texts, without accents.
        stems: all stems of its texts.
        synonyms: by the stems of a phrase, the phrases that mean the same.
    """

    languages: tuple[str, ...]
    words: frozenset[str]
    stems: frozenset[str]
    synonyms: Mapping[Phrase, tuple[Phrase, ...]]

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
        near = close_matches(plain, sorted(self.words), 3)
        phrases = [(self._stems(each),) for each in near]
        return Term(typed, tuple(phrases) or ((self._stems(word),),), tuple(near))

    def _stems(self, word: str) -> Stems:
        return frozenset(stem for language in self.languages for stem in stems(word, language))

"""A sentence as words: in lower case, without accents, elisions and contractions, spelled as they are known."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from hots_rules.diagnostics import edit_distance
from hots_rules.explain.word_search import plain

MAX_SENTENCE = 300
SHORTEST_STEM = 5
MAX_END_LENGTH = 5
"""Letters that a misspelled word may have after its stem, and one for the slip."""
_WORD = re.compile(r"[a-z0-9]+(?:\.[a-z0-9]+)*")
# French words that lose their vowel before another, and the English genitive.
_ELISION = re.compile(r"\b(?:l|d|j|n|s|c|m|t)'(?=\w)")
_QUE = re.compile(r"\b(lors|puis|jus)?qu'(?=\w)")
# French pronouns after the verb of a question.
_INVERTED = re.compile(r"(?<=\w)(?:-(?:t-)?(?:ils?|elles?)|\s(?:ils|elles))\b")
_NUMBERS = re.compile(r"(?<=\d)s\b")  # several of a number: "two 3s"
_GENITIVE = re.compile(r"(?<=\w)'s\b")


def words_in(text: str, contractions: Mapping[str, str]) -> list[str]:
    """The words of a sentence; a number with points is one.

    >>> words_in("Why can't Fox's friend go?", {"can't": "can not"})
    ['why', 'can', 'not', 'fox', 'friend', 'go']
    >>> words_in("Qu'est-ce qui change en 4.0 ?", {})
    ['que', 'est', 'ce', 'qui', 'change', 'en', '4.0']
    >>> words_in("Les renards changent-ils de camp ?", {})
    ['les', 'renards', 'changent', 'de', 'camp']
    """
    folded = plain(text[:MAX_SENTENCE])
    words = (contractions.get(word, word) for word in folded.split())
    folded = _GENITIVE.sub("", _QUE.sub(r"\1que ", _ELISION.sub("", " ".join(words))))
    return _WORD.findall(_NUMBERS.sub("", _INVERTED.sub("", folded)))


def is_near(word: str, known: str) -> int | None:
    """In how many letters a word differs from a known one; None if it is hardly meant.

    >>> is_near("walace", "wallace"), is_near("bruec", "bruce"), is_near("fife", "five")
    (1, 1, 1)
    >>> is_near("mare", "mar"), is_near("stone", "stands")
    (None, None)
    """
    shorter = min(len(word), len(known))
    most = 0 if shorter < 4 else 1 if shorter < 8 else 2
    if abs(len(word) - len(known)) > most:
        return None
    edits = edit_distance(word, known, most)
    return edits if edits <= most else None


def nearest(word: str, known: Iterable[str], stems: Iterable[str] = ()) -> str | None:
    """The known word that is probably meant, or a stem with the rest of the word; None if none is near.

    A word that begins with another letter is rarely a slip, so it comes last.
    """
    best: tuple[tuple[int, bool], str] | None = None
    for each in known:
        edits = is_near(word, each)
        if edits is not None:
            rank = edits, each[0] != word[0]
            if best is None or rank < best[0]:
                best = rank, each
    if best is not None:
        return best[1]
    return nearest_stem(word, stems)


def nearest_stem(word: str, stems: Iterable[str]) -> str | None:
    """The stem that a word probably begins with.

    >>> nearest_stem("captued", ["captur", "cap"])
    'captur'
    """
    long = (s for s in stems if SHORTEST_STEM <= len(s) <= len(word) + 1 <= len(s) + MAX_END_LENGTH)
    return next((s for s in long if s[:2] == word[:2] and _begins_nearly(word, s)), None)


def _begins_nearly(word: str, stem: str) -> bool:
    """Whether a word begins with a stem but for one letter."""
    return any(edit_distance(word[: len(stem) + more], stem, 1) == 1 for more in (-1, 0, 1))

"""Words as a search compares them: without case, accents and endings."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.util import find_spec
from threading import Lock

from hots_rules.diagnostics import without_accents

_WORD = re.compile(r"[0-9]+(?:\.[0-9]+)+|[^\W_]+")  # the number of a section is one word
# The algorithms of Snowball by language; other languages are compared word by word.
_ALGORITHMS = {
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fr": "french",
    "it": "italian",
    "nl": "dutch",
    "pt": "portuguese",
}
HAS_STEMS = find_spec("snowballstemmer") is not None
MAX_KEPT = 1 << 16
"""Words whose stems are kept: those of a ruleset in all its languages, and of who asks."""
_LOCK = Lock()


def words_in(text: str) -> list[str]:
    """The words of a text in lower case, with their accents, in order.

    >>> from hots_rules.talk.lookup.stems import words_in
    >>> words_in("Frontière anglo-écossaise, §4.4")
    ['frontière', 'anglo', 'écossaise', '4.4']
    """
    return _WORD.findall(unicodedata.normalize("NFC", text.casefold()))


@lru_cache(maxsize=MAX_KEPT)
def stems(word: str, language: str) -> tuple[str, ...]:
    """The stems of a word in lower case: as it is written, and as it would be typed without accents.

    A stem is found first and loses its accents then, since endings depend on accents. Without the library
    `snowballstemmer`, or in a language that it does not know, a word is its own stem.
    """
    plain = without_accents(word)
    stem = _stemmer(language)
    with _LOCK:  # a stemmer holds the word that it works on
        return tuple(dict.fromkeys((without_accents(stem(word)), stem(plain))))


@cache
def _stemmer(language: str) -> Callable[[str], str]:
    if not HAS_STEMS or language not in _ALGORITHMS:
        return without_accents
    import snowballstemmer

    found: Callable[[str], str] = snowballstemmer.stemmer(_ALGORITHMS[language]).stemWord
    return found


def stemming() -> str:
    """How stems are found: the library and its version, or that there is none."""
    if not HAS_STEMS:
        return "none"
    from importlib.metadata import PackageNotFoundError, version  # which takes long to import

    try:
        return f"snowballstemmer {version('snowballstemmer')} {sorted(_ALGORITHMS)}"
    except PackageNotFoundError:  # a copy without its description
        return f"snowballstemmer {sorted(_ALGORITHMS)}"

"""Words as the search compares them: what they mean, as terms.

A term is a concept with all its phrases (`n:retreat`), a value of the ruleset (`Piece.3`), a number, or a stem. A unit
is all that one word or phrase of a text may be, as terms with a bar between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hots_rules.talk.lookup.stems import stems
from hots_rules.talk.reading.lexicon import Lexicon, Token
from hots_rules.talk.reading.own_words import own_words
from hots_rules.talk.reading.patterns import ASKING, SLIGHT

CONCEPT_PREFIX = "n:"
BAR = "|"
SILENT = ASKING | SLIGHT | {"is", "happen", "why"}
"""Concepts that do not tell what a text is about."""
MIN_NUMBER = 2
"""From which number on its word says more than an article."""


def concept_terms(token: Token) -> tuple[str, ...]:
    """The concepts and values that a token of a text may be."""
    values = (f"{type_}.{code}" for type_, codes in token.values for code in codes)
    return (*(CONCEPT_PREFIX + concept for concept in sorted(token.concepts)), *values)


def number_term(token: Token) -> str:
    """The number that a token is, from two on; empty if it is none."""
    number = own_words().numbers.get(token.text, -1)
    if token.text.isdecimal():
        number = int(token.text[:9])
    return str(number) if number >= MIN_NUMBER else ""


def stem_terms(text: str, languages: Iterable[str]) -> tuple[str, ...]:
    """The stems of the words of a token in each of some languages; of a phrase only those that tell something."""
    listed, words = tuple(languages), text.split()
    telling = [word for word in words if word not in own_words().silent] or words
    found = (stem for word in telling for language in listed for stem in stems(word, language))
    return tuple(dict.fromkeys(found))


def units_in(lexicon: Lexicon, text: str, languages: Sequence[str]) -> Iterator[str]:
    """The units of a text of the ruleset, without words that say nothing."""
    for token in lexicon.read(text, corrects=False):
        if number := number_term(token):
            yield number
        elif token.concepts or token.values:
            heard = () if token.is_idle else stem_terms(token.text, languages)
            yield BAR.join(dict.fromkeys((*concept_terms(token), *heard)))
        elif not token.is_idle:
            yield BAR.join(stem_terms(token.text, languages))

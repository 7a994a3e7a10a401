"""Words as the search compares them: what they mean, as tokens.

A token is a notion with all its phrases (`n:retreat`), a value of the ruleset (`Piece.3`), a number, or a stem. A unit
is all that one word or phrase of a text may be, as tokens with a bar between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hots_rules.talk.lookup.stems import stems
from hots_rules.talk.reading.lexicon import Lexicon, Piece
from hots_rules.talk.reading.own_words import own_words
from hots_rules.talk.reading.patterns import ASKING, SLIGHT

NOTION = "n:"
BAR = "|"
SILENT = ASKING | SLIGHT | {"is"}
"""Notions that do not tell what a text is about."""
MIN_NUMBER = 2
"""From which number on its word says more than an article."""


def notion_tokens(piece: Piece) -> tuple[str, ...]:
    """The notions and values that a piece of a text may be."""
    values = (f"{type_}.{code}" for type_, codes in piece.values for code in codes)
    return (*(NOTION + notion for notion in sorted(piece.notions)), *values)


def number_token(piece: Piece) -> str:
    """The number that a piece is, from two on; empty if it is none."""
    number = own_words().numbers.get(piece.text, -1)
    if piece.text.isdecimal():
        number = int(piece.text[:9])
    return str(number) if number >= MIN_NUMBER else ""


def stem_tokens(text: str, languages: Iterable[str]) -> tuple[str, ...]:
    """The stems of the words of a piece in each of some languages; of a phrase only those that tell something."""
    listed, words = tuple(languages), text.split()
    telling = [word for word in words if word not in own_words().silent] or words
    found = (stem for word in telling for language in listed for stem in stems(word, language))
    return tuple(dict.fromkeys(found))


def units_in(lexicon: Lexicon, text: str, languages: Sequence[str]) -> Iterator[str]:
    """The units of a text of the ruleset, without words that say nothing."""
    for piece in lexicon.read(text, corrects=False):
        if number := number_token(piece):
            yield number
        elif piece.notions or piece.values:
            heard = () if piece.is_idle else stem_tokens(piece.text, languages)
            yield BAR.join(dict.fromkeys((*notion_tokens(piece), *heard)))
        elif not piece.is_idle:
            yield BAR.join(stem_tokens(piece.text, languages))

"""Questions about another edition: `in edition 2.3, where did a block go that could not retreat`."""

from __future__ import annotations

from collections.abc import Sequence

from hots_rules.play.game import BaseGame
from hots_rules.talk.reading.reader import reader_of

COMPARING = frozenset({"change", "difference"})
"""Concepts of sentences that ask what editions have differently."""


def edition_asked(game: BaseGame, sentence: str, editions: Sequence[str]) -> tuple[str, str] | None:
    """The edition that a question names by the end of its name, and the question without it; None if it names none.

    What names two editions, or asks for a change, is no question about one of them.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> editions = ["hots-2.3", "hots-3.x", "hots-4.0"]
    >>> edition_asked(game, "In edition 2.3, who is in Fife?", editions)
    ('hots-2.3', 'in who is in fife')
    >>> edition_asked(game, "what changed between 2.3 and 4.0", editions) is None
    True

    Args:
        game: the game at the moment that is asked about.
        sentence: as it was typed.
        editions: the names of the editions, such as `hots-2.3`.
    """
    tokens = reader_of(game.ruleset).lexicon.read(sentence)
    named = [(token, name) for token in tokens for name in editions if ends_in(name, token.text)]
    if len(named) != 1 or any(token.concepts & COMPARING for token in tokens):
        return None
    [(naming, name)] = named
    left = [token for token in tokens if token is not naming and "edition" not in token.concepts]
    return (name, " ".join(token.text for token in left)) if len(left) > 1 else None


def ends_in(edition: str, text: str) -> bool:
    """Whether the name of an edition has a text as its last part: `hots-2.3` has `2.3`."""
    return edition.endswith(f"-{text}")

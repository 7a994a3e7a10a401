"""What a sentence asks to be told about: the card of a piece, a place, a kind of them, or a section."""

from __future__ import annotations

from collections.abc import Sequence

from hots_rules.play.game import BaseGame
from hots_rules.talk.lookup.cards import Card, cards
from hots_rules.talk.reading.lexicon import Piece

ASKED = frozenset({"what", "who", "which", "how", "where", "is"})
"""Notions of a sentence that may ask for a card: `what is Shore`, `who is Fox`, `how about Shore`."""
OPENING = ASKED - {"where", "which"} | {"and"}


def card_meant(game: BaseGame, pieces: Sequence[Piece], player: str | None) -> Card | None:
    """The card of what a sentence asks about; None if it asks for more than what something is.

    All words that tell something must be its name, and one of the others asks what it is.

    Args:
        game: the game, for what holds now.
        pieces: the sentence.
        player: what holds now is told as far as this player may know it.
    """
    asks = [piece for piece in pieces if piece.notions & OPENING and not piece.values]
    named = [piece for piece in pieces if piece not in asks and not _says_nothing(piece)]
    if not named or not (asks or len(named) == 1):
        return None
    subject = " ".join(piece.text for piece in named)
    return next(
        (card for card in cards(game, subject, player=player) if card.is_of_value or asks), None
    )


def _says_nothing(piece: Piece) -> bool:
    return not piece.values and (piece.is_idle or (piece.notions <= ASKED and bool(piece.notions)))

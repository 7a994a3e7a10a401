"""What a sentence asks to be told about: the card of a piece, a place, a kind of them, or a section."""

from __future__ import annotations

from collections.abc import Sequence

from hots_rules.play.game import BaseGame
from hots_rules.talk.lookup.cards import Card, cards
from hots_rules.talk.reading.lexicon import Token

ASKED = frozenset({"what", "who", "which", "how", "where", "is"})
"""Concepts of a sentence that may ask for a card: `what is Shore`, `who is Fox`, `how about Shore`."""
OPENING = ASKED - {"where", "which"} | {"and"}


def card_meant(game: BaseGame, tokens: Sequence[Token], player: str | None) -> Card | None:
    """The card of what a sentence asks about; None if it asks for more than what something is.

    All words that tell something must be its name, and one of the others asks what it is.

    Args:
        game: the game, for what holds now.
        tokens: the sentence.
        player: what holds now is told as far as this player may know it.
    """
    asks = [token for token in tokens if token.concepts & OPENING and not token.values]
    named = [token for token in tokens if token not in asks and not _says_nothing(token)]
    if not named or not (asks or len(named) == 1):
        return None
    subject = " ".join(token.text for token in named)
    return next(
        (card for card in cards(game, subject, player=player) if card.is_of_value or asks), None
    )


def _says_nothing(token: Token) -> bool:
    return not token.values and (
        token.is_idle or (token.concepts <= ASKED and bool(token.concepts))
    )

"""Words for a game as one player may know it."""

from __future__ import annotations

from hots_rules.observe.redact import RedactedFormatter
from hots_rules.play.game import Game


def veil_of(game: Game, player: str) -> RedactedFormatter:
    """The veil before the eyes of a player, at the state of a game.

    Raises:
        UnknownOption: no such player.
    """
    slots = game.state.slots
    return RedactedFormatter(game._onlooker(game._seat(player)).eyes.look(slots), slots)

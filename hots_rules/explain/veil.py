"""Words for a game as one player may know it."""

from __future__ import annotations

from hots_rules.play.game import Game
from hots_rules.state.veil import Veil


def veil_of(game: Game, player: str) -> Veil:
    """The veil before the eyes of a player, at the state of a game.

    Raises:
        UnknownOption: no such player.
    """
    slots = game.state.slots
    return Veil(game._onlooker(game._seat(player)).eyes.look(slots), slots)

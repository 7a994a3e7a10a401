"""Who plays the sides that no person plays."""

from __future__ import annotations

from enum import StrEnum

import hots_rules as hr
from hots_rules.cli.table import by_chance

# How long a bot thinks: a second or so.
ROLLOUTS, WORLDS = 60, 6


class Opponent(StrEnum):
    """By chance, or a bot that thinks in what its side can know."""

    RANDOM = "random"
    MONTE_CARLO = "monte-carlo"

    def choice(self, game: hr.Game, person: str) -> hr.Action:
        """An action of a side that is not the person's; the same for the same seed."""
        if self is Opponent.RANDOM:
            return by_chance(game, but_not=person)
        side = next(player for player in game.to_move if player != person)
        return hr.MonteCarloBot(game.seed, rollouts=ROLLOUTS, worlds=WORLDS).choose(game, side)

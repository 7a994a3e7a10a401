"""Who plays the sides that the person at the prompt does not play."""

from __future__ import annotations

from enum import StrEnum
from random import Random

import hots_rules as hr

# A Monte Carlo bot of this size takes about a second per decision.
ROLLOUTS, WORLDS = 60, 6


class Opponent(StrEnum):
    """A player of random moves, or a bot that uses only what its side can know."""

    RANDOM = "random"
    MONTE_CARLO = "monte-carlo"

    def choose(self, game: hr.Game, person: str) -> hr.Action:
        """An action of a side that is not the person's; the same for the same seed."""
        if self is Opponent.RANDOM:
            return random_action(game, exclude=person)
        side = next(player for player in game.to_move if player != person)
        return hr.MonteCarloBot(game.seed, rollouts=ROLLOUTS, worlds=WORLDS).choose(game, side)


def random_action(game: hr.Game, exclude: str | None = None) -> hr.Action:
    """A random legal action: the same one for the same seed and number of decisions."""
    actions = [action for action in game.actions if action.player != exclude]
    return Random(f"{game.seed}/{len(game.moves)}").choice(actions)

"""Opponents of the person at the prompt, and random moves."""

from __future__ import annotations

from enum import StrEnum
from random import Random

import hots_rules as hr

# With these, a Monte Carlo bot takes about a second per decision.
ROLLOUTS, WORLDS = 60, 6


class Opponent(StrEnum):
    """Random moves, or a bot that uses only what its side can know."""

    RANDOM = "random"
    MONTE_CARLO = "monte-carlo"

    def choose(self, game: hr.Game, person: str) -> hr.Action:
        """An action of a side that the person does not play; the same for the same seed."""
        if self is Opponent.RANDOM:
            return random_action(game, exclude=person)
        side = next(player for player in game.to_move if player != person)
        return hr.MonteCarloBot(game.seed, rollouts=ROLLOUTS, worlds=WORLDS).choose(game, side)


def random_action(game: hr.Game, exclude: str | None = None) -> hr.Action:
    """A random legal action: the same one for the same seed and number of decisions."""
    actions = [action for action in game.actions if action.player != exclude]
    return Random(f"{game.seed}/{len(game.moves)}").choice(actions)

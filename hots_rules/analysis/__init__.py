"""Computations over many possible games.

Takes: a game, or a scenario.
Gives: exact odds, simulations, bots.
Never: looks at hidden state on behalf of a player.
"""

from hots_rules._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)

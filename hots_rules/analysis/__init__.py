"""Computations over many possible games.

Takes: a game, a scenario, or a folder of cases.
Gives: exact odds, simulations, bots, coverage of a ruleset by cases.
Never: looks at hidden state on behalf of a player.
"""

from hots_rules._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)

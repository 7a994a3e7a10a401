"""Positions, results and records as pictures, charts and tables.

Takes: a game, and the player or spectator who looks at it; the file of a ruleset with the shapes of its board.
Gives: SVG and HTML, in the words of the ruleset.
Never: knows a game, or reads more than a view when it draws for a player.
"""

from hots_rules._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)

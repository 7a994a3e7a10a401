"""What one player can know of a game.

Takes: a game and a player, or a spectator.
Gives: the view, the observed trace, the information state, and games consistent with what was observed.
Never: decides a rule, or reads hidden state to choose what to show.
"""

from hots_rules._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)

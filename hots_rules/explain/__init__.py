"""Games, traces and rulebooks in words and pictures.

Takes: games, actions, steps of a trace, rulebooks.
Gives: why and why not, causes, answers to declared questions, tables, maps, narration.
Never: changes a game, or shows a player what is hidden from that player.
"""

from hots_rules._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)

"""Rulebooks as data: played, questioned, compared and embedded.

>>> import hots_rules as hr
>>> rules = hr.load("hots-4.0")
>>> game = rules.start("braveheart", seed=1297)
>>> len(game.actions)
6
"""

from hots_rules._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)

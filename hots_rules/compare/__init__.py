"""Several rulesets, or several ways to play, side by side.

Takes: rulebooks and games.
Gives: differences, histories, the point where a game diverges, the answers of every edition to one question.
Never: knows an edition by name.
"""

from hots_rules._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)

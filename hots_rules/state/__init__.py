"""A game's state as a value.

Takes: the shape of a compiled ruleset, and packed slots or a position in words.
Gives: a frozen `State`, and words for its values and back.
Never: decides legality.
"""

from hots_rules.state.shape import Shape
from hots_rules.state.state import State

__all__ = ["Shape", "State"]

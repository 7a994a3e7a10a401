"""The state of a game as a value.

Takes: the schema of a compiled ruleset, and packed slots or a position in words.
Gives: a frozen `State`, and words for its values and back.
Never: decides legality, or draws pictures.
"""

from hots_rules.state.schema import StateSchema
from hots_rules.state.state import State

__all__ = ["State", "StateSchema"]

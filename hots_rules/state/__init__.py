"""The state of a game as a value.

Takes: the schema of a compiled ruleset, and packed slots or a position as text.
Gives: a frozen `State`, and conversions between its values and text.
Never: decides legality, or draws pictures.
"""

from hots_rules.state.schema import StateSchema
from hots_rules.state.state import State

__all__ = ["State", "StateSchema"]

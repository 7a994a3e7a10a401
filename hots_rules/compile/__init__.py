"""A checked rulebook as Python functions.

Takes: the typed tree of a rulebook, with its options and readings chosen.
Gives: a `Program` of blocks, and the module of plain functions made from it.
Never: knows a game, or touches a file but its cache.
"""

# The compiler itself is imported from `make`, and only when there is something to compile: a game
# that starts from the cache does not wait for it.
from hots_rules.compile.machine import Machine

__all__ = ["Machine"]

"""The compiler: a checked rulebook as Python functions.

Takes: the typed tree of a rulebook, with its options and readings chosen.
Gives: a flat `Program` of basic blocks, and from it a module of plain functions with its metadata.
Never: knows a game, or opens a file other than its cache.
"""

# Import the compiler from `make` only to compile: a game that starts from the cache does not need it.
from hots_rules.compile.machine import Machine

__all__ = ["Machine"]

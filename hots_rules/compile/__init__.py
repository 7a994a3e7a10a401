"""A checked rulebook as Python functions.

Takes: the typed tree of a rulebook, with its options and readings chosen.
Gives: a `Program` of blocks, and the module of plain functions made from it.
Never: knows a game, or touches a file but its cache.
"""

from hots_rules.compile.machine import Machine
from hots_rules.compile.make import compile_rulebook

__all__ = ["Machine", "compile_rulebook"]

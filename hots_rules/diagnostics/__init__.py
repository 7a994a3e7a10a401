"""Faults as data, drawn for a reader or as JSON.

Takes: a place in a text and the fault there.
Gives: a `Fault`, drawn with carets or as JSON, and the errors that a caller may have to catch.
Never: knows a game, opens a file, or raises a fault by itself.
"""

from hots_rules._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)

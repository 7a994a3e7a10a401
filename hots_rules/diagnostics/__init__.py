"""Faults as data, drawn for a reader or as JSON.

Takes: a fault and its place in a text.
Gives: a `Fault`, printed with carets or as JSON, and the exceptions that a caller can catch.
Never: knows a game, opens a file, or raises a fault by itself.
"""

from hots_rules._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)

"""Faults as data, and how they look.

Takes: a place in a text and what is wrong there.
Gives: a `Fault`, drawn with carets or as JSON, and the errors that carry faults to a caller.
Never: knows a game, opens a file, or raises a fault by itself.
"""

from hots_rules._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)

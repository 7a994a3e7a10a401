"""Positions that show a difference of two rulesets.

Takes: a difference of two rulesets.
Gives: a smallest position that shows it, kept witnesses, agreement over many games, or why none was found.
Never: shows a position that does not reproduce the difference.
"""

from hots_rules._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)

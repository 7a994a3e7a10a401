"""The same games under several rulesets: how their figures differ, and which differences of the rules cause that.

Takes: two rulebooks and how their games are played.
Gives: paired figures with intervals, and the differences that cause them.
Never: shows a figure without its interval.
"""

from hots_rules._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)

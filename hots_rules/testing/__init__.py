"""Tests of a ruleset: cases, coverage, assertions on secrets.

Takes: a ruleset and a folder of cases.
Gives: verdicts, coverage, assertions that hold or tell what differs.
Never: decides a rule.
"""

from hots_rules._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)

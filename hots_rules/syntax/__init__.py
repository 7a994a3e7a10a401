"""The text of a ruleset as a tree.

Takes: the text of one file and its name.
Gives: a frozen tree with exact spans, and faults with what was expected; the text in standard form.
Never: looks up a name, opens a second file.
"""

from hots_rules.syntax.parse import parse

__all__ = ["parse"]

"""Files as one checked rulebook.

Takes: the name or the path of a ruleset.
Gives: a `Book`: every declaration with its edition, section and file, and the typed tree of it all.
Never: holds a game in progress.
"""

# `Book` and `load_book` are imported from their files, and only where a text must be read: a game that
# starts from the cache does not wait for the parser.
from hots_rules.rules.sources import Source, find_source, known_rulesets

__all__ = ["Source", "find_source", "known_rulesets"]

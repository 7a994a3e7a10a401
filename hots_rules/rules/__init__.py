"""Files as one checked rulebook.

Takes: the name or the path of a ruleset.
Gives: a `Book`: every declaration with its edition, section and file, and the typed tree of it all.
Never: holds a game in progress.
"""

from hots_rules.rules.book import Book
from hots_rules.rules.load import load_book
from hots_rules.rules.sources import Source, find_source, known_rulesets

__all__ = ["Book", "Source", "find_source", "known_rulesets", "load_book"]

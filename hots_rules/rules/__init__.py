"""Loading: from the files of a ruleset to one checked rulebook.

Takes: the name or the path of a ruleset.
Gives: a `Rulebook`: every declaration with its edition, section and file, and its typed tree.
Never: holds a game in progress.
"""

# `Rulebook` and `load_rulebook` are imported from their files, and only where a text must be read: a game
# that starts from the cache does not wait for the parser.
from hots_rules.rules.sources.find import find_source, known_sources
from hots_rules.rules.sources.locate import known_rulesets
from hots_rules.rules.sources.scenarios import scenario_titles
from hots_rules.rules.sources.source import Source, check_size

__all__ = [
    "Source",
    "check_size",
    "find_source",
    "known_rulesets",
    "known_sources",
    "scenario_titles",
]

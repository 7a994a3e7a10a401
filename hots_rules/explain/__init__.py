"""What happened, what stands and what the book says, in words.

Takes: a ruleset, games, traces and verdicts.
Gives: declarations as they are written, boards, stories, tallies.
Never: changes a game, or tells a player what the secrets of the ruleset keep from that player.
"""

from hots_rules.explain.board import Panel, board
from hots_rules.explain.show import Shown, UnknownRule, cited, find_shown, source_of
from hots_rules.explain.story import Story
from hots_rules.explain.tally import Tally
from hots_rules.explain.veil import reasons_seen

__all__ = [
    "Panel",
    "Shown",
    "Story",
    "Tally",
    "UnknownRule",
    "board",
    "cited",
    "find_shown",
    "reasons_seen",
    "source_of",
]

"""Games.

Takes: a `State` and an action.
Gives: a verdict, events, the next `State`; a record that replays to the same bytes.
Never: prints, or rolls unrecorded dice.
"""

from hots_rules.play.action import Action
from hots_rules.play.game import Game, Outcome
from hots_rules.play.ruleset import Ruleset, load

__all__ = ["Action", "Game", "Outcome", "Ruleset", "load"]

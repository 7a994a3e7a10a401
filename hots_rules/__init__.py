"""Rulebooks as data: played, questioned, compared and embedded.

>>> import hots_rules
>>> [name for name in hots_rules.rulesets() if name == "hots-4.0"]
['hots-4.0']
"""

from hots_rules.diagnostics import (
    AmbiguousAction,
    BadPosition,
    BadRecord,
    EngineError,
    Fault,
    HotsError,
    IllegalAction,
    RulesetError,
    UnknownOption,
    UnreadableAction,
)
from hots_rules.play.action import Action
from hots_rules.play.game import Game, Outcome
from hots_rules.play.record import read, replay
from hots_rules.play.ruleset import Ruleset, load
from hots_rules.play.simulate import simulate
from hots_rules.play.trace import Step
from hots_rules.play.verdict import Reason
from hots_rules.rules import known_rulesets as rulesets
from hots_rules.state.state import State

__all__ = [
    "Action",
    "AmbiguousAction",
    "BadPosition",
    "BadRecord",
    "EngineError",
    "Fault",
    "Game",
    "HotsError",
    "IllegalAction",
    "Outcome",
    "Reason",
    "Ruleset",
    "RulesetError",
    "State",
    "Step",
    "UnknownOption",
    "UnreadableAction",
    "load",
    "read",
    "replay",
    "rulesets",
    "simulate",
]

"""Faults as data, and how they look.

Takes: a place in a text and what is wrong there.
Gives: a `Fault`, drawn with carets or as JSON, and the errors that carry faults to a caller.
Never: knows a game, opens a file, or raises a fault by itself.
"""

from .as_json import as_json
from .codes import CODES
from .draw import draw, draw_all
from .errors import (
    AmbiguousAction,
    BadMessage,
    BadPosition,
    BadRecord,
    BadSecret,
    EngineError,
    HotsError,
    IllegalAction,
    NoConsistentWorld,
    PluginWarning,
    RulesetError,
    UnknownOption,
    UnreadableAction,
    UnreadableQuestion,
)
from .fault import Fault, Place
from .span import Span
from .suggestions import close_matches, closest_match, fold_name

__all__ = [
    "CODES",
    "AmbiguousAction",
    "BadMessage",
    "BadPosition",
    "BadRecord",
    "BadSecret",
    "EngineError",
    "Fault",
    "HotsError",
    "IllegalAction",
    "NoConsistentWorld",
    "Place",
    "PluginWarning",
    "RulesetError",
    "Span",
    "UnknownOption",
    "UnreadableAction",
    "UnreadableQuestion",
    "as_json",
    "close_matches",
    "closest_match",
    "draw",
    "draw_all",
    "fold_name",
]

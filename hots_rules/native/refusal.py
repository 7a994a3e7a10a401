"""The refusal of a ruleset that the integer program cannot express."""

from __future__ import annotations

import ast

from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import HotsError, cropped, printable

_REMEDIES = (
    ("bits", "give its numbers narrower bounds"),
    ("too many parts", "divide it among definitions"),
)
"""What an author can do, for reasons with these words."""


class NotLowered(HotsError):
    """A part of a compiled ruleset that has no counterpart in the integer program; Python plays the ruleset.

    >>> from hots_rules.native.refusal import NotLowered
    >>> print(NotLowered("a number of more than 64 bits", "event_scores"))
    a number of more than 64 bits, in `event_scores`

    Attributes:
        reason: what is not expressed.
        place: the function of the compiled module, and the expression there.
    """

    def __init__(self, reason: str, place: str = "") -> None:
        self.reason, self.place = printable(reason), printable(place)
        super().__init__(f"{reason}, in `{place}`" if place else reason)

    @property
    def remedy(self) -> str:
        """What an author can do about it; empty where nothing is known."""
        return next((remedy for words, remedy in _REMEDIES if words in self.reason), "")


def check_machine(machine: Machine, *, is_counted: bool = False) -> None:
    """Refuse a machine that does more than play; one whose notes are counted has to be traced.

    Raises:
        NotLowered: it is traced and its notes are not counted, or they are counted and it is not traced.
    """
    is_traced = machine.facts.is_traced
    if is_counted and not is_traced:
        raise NotLowered("play without notes that could be counted")
    if is_traced != is_counted:
        raise NotLowered("play that logs what happens")


def refused(node: ast.AST, reason: str = "the form of this code") -> NotLowered:
    """The refusal of a part of the module."""
    text = ast.unparse(node)
    return NotLowered(reason, cropped(text, 80))

"""The errors of comparisons, with their texts."""

from __future__ import annotations

from attrs import define

from hots_rules.diagnostics import HotsError


@define(slots=False, repr=False)
class UnplayableAction(HotsError):
    """An action of a game that another ruleset does not allow, so that the game cannot be followed under it.

    >>> import hots_rules as hr
    >>> print(hr.compare.UnplayableAction(3, "Red: wait", "`Red: wait` is not a legal action"))
    action 3 of the game, `Red: wait`: `Red: wait` is not a legal action

    Attributes:
        number: the number of the action in the game, from 1.
        action: its text.
        cause: why it cannot be played, as text.
    """

    number: int
    action: str
    cause: str

    def __str__(self) -> str:
        return f"action {self.number} of the game, `{self.action}`: {self.cause}"

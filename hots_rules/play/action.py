"""What a player may choose, or what chance may bring, with its text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import field, frozen

if TYPE_CHECKING:
    from fractions import Fraction


@frozen
class Action:
    """One choice at one decision.

    `text` is its notation and parses back: `Red: fire Fox`, or `chance: roll 2 4 5`;
    `name` and `args` are the words of the ruleset. `probability` is set for outcomes of chance
    alone. An action belongs to the moment that listed it, and `Game.play` looks whether it is legal
    at another; it can be hashed, compared and pickled.
    """

    player: str
    name: str
    args: tuple[str, ...]
    text: str
    code: int = field(repr=False)
    probability: Fraction | None = None

    def __str__(self) -> str:
        return self.text

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Its text, as a notebook lists it."""
        printer.text(self.text)

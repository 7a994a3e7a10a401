"""What a player may choose, or what chance may bring, with its text."""

from __future__ import annotations

from fractions import Fraction

from attrs import field, frozen


@frozen
class Action:
    """One choice at one decision.

    `text` is its notation and parses back: `England: fire York Knights`, or `chance: roll 2 4 5`.
    `probability` is set for outcomes of chance alone.
    """

    player: str
    name: str
    args: tuple[str, ...]
    text: str
    code: int = field(repr=False)
    probability: Fraction | None = None

    def __str__(self) -> str:
        return self.text

"""Suspension points of a compiled module: where play waits until a player or chance answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

Slots = list[int]


class DecisionPoint(NamedTuple):
    """Players choose among `legal` codes; `players` is a mask of those who choose, `after` the next block.

    Where several choose in secret, the slot `waiting` holds the mask of those who have not chosen yet.
    """

    legal: Callable[[Slots], list[int]]
    players: Callable[[Slots], int]
    waiting: int | None
    after: int


class DicePoint(NamedTuple):
    """Dice are rolled, `number` of them, into the slot `into`; `most` is None for a single die."""

    number: Callable[[Slots], int]
    key: Callable[[Slots], str]
    sides: int
    most: int | None
    into: int
    after: int


class DrawPoint(NamedTuple):
    """A member of the set `source` is drawn into the slot `into`, by weight where there is a `weight`."""

    source: Callable[[Slots], int]
    key: Callable[[Slots], str]
    weight: Callable[[Slots, int], int] | None
    into: int
    after: int


ChancePoint = DicePoint | DrawPoint
SuspensionPoint = DecisionPoint | DicePoint | DrawPoint

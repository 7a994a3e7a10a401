"""Suspension points of a compiled module: where play may_suspend until a player or chance answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

Slots = list[int]


class DecisionPoint(NamedTuple):
    """Players choose: the legal codes, the players as a mask, and the block that comes next.

    Where several choose in secret, the slot `waiting` has the mask of those who have not chosen yet.
    """

    legal: Callable[[Slots], list[int]]
    players: Callable[[Slots], int]
    waiting: int | None
    after: int


class DicePoint(NamedTuple):
    """DiceRoll are rolled: `number` of them into the slot `into`; `most` is None for a single die."""

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

"""A tree of decisions as one player comes to know them, with the results of the actions that were tried there."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import log, sqrt

from attrs import define, field


@define
class Arm:
    """The results of an action at a decision.

    Attributes:
        visits: how often it was taken.
        chances: how often it could have been taken.
        score: the sum of the values of the games that went on from it.
    """

    visits: int = 0
    chances: int = 0
    score: float = 0.0

    def bound(self, exploration: float) -> float:
        """The upper confidence bound of its value, as it counts the times when it was legal (ISUCB1)."""
        return self.score / self.visits + exploration * sqrt(log(self.chances) / self.visits)

    def add(self, value: float) -> None:
        """Counts a game that went on from it."""
        self.visits += 1
        self.score += value


@define
class Node:
    """What a player knows at one moment: an information set of the search.

    Attributes:
        arms: the actions that were tried here, by code.
        following: what the player may know next, by what he did and saw.
    """

    arms: dict[int, Arm] = field(factory=dict)
    following: dict[Hashable, Node] = field(factory=dict)

    def choose(
        self, codes: Sequence[int], exploration: float, pick: Callable[[Sequence[int]], int]
    ) -> tuple[int, bool]:
        """A legal action, and whether it is new: first all that were never tried, then the most promising."""
        new = [code for code in codes if code not in self.arms]
        if new:
            chosen = pick(new)
            self.arms[chosen] = Arm()
        arms = [self.arms[code] for code in codes if code in self.arms]
        for arm in arms:
            arm.chances += 1
        if new:
            return chosen, True
        bounds = [arm.bound(exploration) for arm in arms]
        return codes[bounds.index(max(bounds))], False

    def next(self, seen: Hashable) -> Node:
        """The node after what the player did and saw."""
        node = self.following.get(seen)
        if node is None:
            node = self.following[seen] = Node()
        return node

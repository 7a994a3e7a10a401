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
        """Count a game that went on from it."""
        self.visits += 1
        self.score += value


@define
class SearchNode:
    """What a player knows at one moment: an information set of the search.

    Attributes:
        arms: the actions that were tried here, by code.
        ranks: a number for each action, the lowest for those to be tried first; empty if all are equal.
        following: what the player may know next, by what he did and saw.
    """

    arms: dict[int, Arm] = field(factory=dict)
    ranks: dict[int, int] = field(factory=dict)
    following: dict[Hashable, SearchNode] = field(factory=dict)

    def choose(
        self, codes: Sequence[int], exploration: float, pick: Callable[[Sequence[int]], int]
    ) -> tuple[int, bool]:
        """A legal action, and whether it is new: first those that are to be tried, then the most promising."""
        tried = [code for code in codes if code in self.arms]
        new = self._to_try(codes, tried)
        if new:
            chosen = pick(new)
            self.arms[chosen] = Arm()
            tried.append(chosen)
        for code in tried:
            self.arms[code].chances += 1
        if new:
            return chosen, True
        return max(tried, key=lambda code: self.arms[code].bound(exploration)), False

    def _to_try(self, codes: Sequence[int], tried: Sequence[int]) -> list[int]:
        """The actions that come first among those that were never tried.

        Those behind the first ones of all are opened one by one: n of them after n squared visits (progressive
        widening), so that an order that is good for something saves visits.
        """
        ranks, tried_codes = self.ranks, set(tried)
        new = [code for code in codes if code not in tried_codes]
        if not new or not ranks:
            return new
        first = min(ranks[code] for code in new)
        if tried and first > min(ranks[code] for code in tried):
            visits = sum(self.arms[code].visits for code in tried)
            if len(tried) ** 2 > visits:
                return []
        return [code for code in new if ranks[code] == first]

    def next(self, seen: Hashable) -> SearchNode:
        """The node after what the player did and saw."""
        node = self.following.get(seen)
        if node is None:
            node = self.following[seen] = SearchNode()
        return node

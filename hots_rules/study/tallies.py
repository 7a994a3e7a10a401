"""What is counted of the games of a study: sums and counts, whose size does not grow with the number of games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from attrs import define, field


class PlayedGame(NamedTuple):
    """What a study keeps of one game."""

    outcome: str
    """The player who won, several as in "North and South", "nobody", or "unfinished"."""
    reason: str
    """The rule that ended it; empty for an unfinished game, "no outcome" where no rule names one."""
    decisions: int
    measures: tuple[int, ...] = ()
    """The values of the measures at its end."""

    @property
    def end(self) -> tuple[str, str]:
        """Its outcome and its reason."""
        return self.outcome, self.reason


class GameDivergence(NamedTuple):
    """Where two games with the same number diverge."""

    decision: int
    """The number of the first decision at which they differ."""
    point: int
    """Its suspension point in the first game; -1 where only the ends differ, or what comes after the trail."""


class Round(NamedTuple):
    """One game of each side, all with the same number."""

    games: tuple[PlayedGame, ...]
    divergences: tuple[GameDivergence | None, ...]
    """Where the games of each pair of sides diverge, in the order of `pairs`; None for games that are equal."""


@define
class Moments:
    """The number, the sum and the sum of the squares of whole numbers.

    >>> from hots_rules.study.tallies import Moments
    >>> moments = Moments()
    >>> for number in (1, 2, 6):
    ...     moments.add(number)
    >>> moments.mean, round(moments.variance, 2)
    (3.0, 4.67)
    """

    number: int = 0
    total: int = 0
    squares: int = 0

    def add(self, value: int) -> None:
        """Count one more."""
        self.number += 1
        self.total += value
        self.squares += value * value

    @property
    def mean(self) -> float:
        """The mean; 0 without numbers."""
        return self.total / self.number if self.number else 0.0

    @property
    def variance(self) -> float:
        """The mean square of the distances from the mean."""
        if not self.number:
            return 0.0
        # In whole numbers, so that nothing is lost where the mean is large.
        return (self.number * self.squares - self.total**2) / self.number**2


MAX_VALUES = 100
"""The values of a measure that are told apart; of one with more, only the mean is told."""


@define
class Tally:
    """The games of one side of a study.

    Attributes:
        ends: the number of games by outcome and reason.
        decisions: the lengths of the games.
        measures: the values of each measure.
        by_value: the number of games by outcome, by the value of each measure; empty for one with too many values.
        shortest: the number of decisions of the shortest game and the number of that game; None without games.
        longest: the same of the longest game.
        lengths: the number of games by their end and their number of decisions.
        first: the number of the first game with each end and number of decisions.
    """

    ends: Counter[tuple[str, str]] = field(factory=Counter)
    decisions: Moments = field(factory=Moments)
    measures: list[Moments] = field(factory=list)
    by_value: list[dict[int, Counter[str]]] = field(factory=list)
    shortest: tuple[int, int] | None = None
    longest: tuple[int, int] | None = None
    lengths: Counter[tuple[tuple[str, str], int]] = field(factory=Counter)
    first: dict[tuple[tuple[str, str], int], int] = field(factory=dict)

    @classmethod
    def of(cls, measures: int) -> Tally:
        """A tally of no games yet, with a number of measures."""
        return cls(
            measures=[Moments() for _ in range(measures)], by_value=[{} for _ in range(measures)]
        )

    @property
    def games(self) -> int:
        """The number of games."""
        return self.decisions.number

    def add(self, game: PlayedGame) -> None:
        """Count one more game."""
        length_and_number = game.decisions, self.games
        end_and_length = game.end, game.decisions
        self.lengths[end_and_length] += 1
        self.first.setdefault(end_and_length, self.games)
        self.shortest = min(self.shortest or length_and_number, length_and_number)
        if self.longest is None or game.decisions > self.longest[0]:
            self.longest = length_and_number
        self.ends[game.end] += 1
        self.decisions.add(game.decisions)
        for number, value in enumerate(game.measures):
            self._add_value(number, value, game.outcome)

    @property
    def typical(self) -> int | None:
        """The number of the first game that ends as most games do, with the median length of those; None without games.

        >>> from hots_rules.study.tallies import PlayedGame, Tally
        >>> tally = Tally()
        >>> for decisions in (3, 9, 5):
        ...     tally.add(PlayedGame("Fox", "den", decisions))
        >>> tally.typical
        2
        """
        if not self.games:
            return None
        most_common_end, games = self.ends.most_common(1)[0]
        left_to_median = (games + 1) // 2
        lengths = sorted(length for end, length in self.lengths if end == most_common_end)
        for decisions in lengths:
            left_to_median -= self.lengths[most_common_end, decisions]
            if left_to_median <= 0:
                return self.first[most_common_end, decisions]
        return None

    def _add_value(self, number: int, value: int, outcome: str) -> None:
        """Count the value of a measure."""
        moments, by_value = self.measures[number], self.by_value[number]
        # Values are counted until there are too many; then they are forgotten, and none is counted again.
        if by_value or not moments.number:
            by_value.setdefault(value, Counter())[outcome] += 1
            if len(by_value) > MAX_VALUES:
                by_value.clear()
        moments.add(value)


@define
class PairTally:
    """Pairs of games with the same number, of two sides of a study.

    Attributes:
        ends: the number of pairs by outcome and reason of both games.
        decisions: how many decisions more the second game has.
        measures: how much larger each measure of the second game is.
        divergence_decisions: the first decision at which games differ, of the pairs that differ in any legal action,
            choice or end.
        first: the number of the first pair that diverges, None if none does.
        points: the number of these pairs by the suspension point of that decision, in the first game; -1 where
            only the ends differ, or what comes after the decisions that a trail has.
    """

    ends: Counter[tuple[tuple[str, str], tuple[str, str]]] = field(factory=Counter)
    decisions: Moments = field(factory=Moments)
    measures: list[Moments] = field(factory=list)
    divergence_decisions: Moments = field(factory=Moments)
    points: Counter[int] = field(factory=Counter)
    first: int | None = None

    @classmethod
    def of(cls, measures: int) -> PairTally:
        """A tally of no pairs yet, with a number of measures."""
        return cls(measures=[Moments() for _ in range(measures)])

    def add(self, first: PlayedGame, second: PlayedGame, divergence: GameDivergence | None) -> None:
        """Count one more pair."""
        self.ends[first.end, second.end] += 1
        self.decisions.add(second.decisions - first.decisions)
        measures = zip(self.measures, first.measures, second.measures, strict=True)
        for moments, value, second_value in measures:
            moments.add(second_value - value)
        if divergence is not None:
            self.first = self.decisions.number - 1 if self.first is None else self.first
            self.divergence_decisions.add(divergence.decision)
            self.points[divergence.point] += 1


def _includes(text: str, name: str) -> bool:
    """Whether an outcome or a reason is a name, or an outcome has it as one of several winners."""
    return name in text.split(" and ")


def share_counts(ends: Counter[tuple[str, str]], at: int, name: str) -> dict[float, int]:
    """How many games have a name as their outcome (0) or reason (1), by 1 and 0."""
    games = sum(count for end, count in ends.items() if _includes(end[at], name))
    return {1: games, 0: ends.total() - games}


def difference_counts(
    ends: Counter[tuple[tuple[str, str], tuple[str, str]]], at: int, name: str
) -> dict[float, int]:
    """How many pairs have a name as the outcome or reason of the second game alone (1), the first alone (-1), or else.

    >>> from collections import Counter
    >>> from hots_rules.study.tallies import difference_counts
    >>> difference_counts(Counter({(("Fox", "x"), ("Hen", "x")): 3, (("Hen", "x"), ("Hen", "y")): 4}), 0, "Hen")
    {-1: 0, 0: 4, 1: 3}
    """
    counts: dict[float, int] = {-1: 0, 0: 0, 1: 0}
    for (first, second), count in ends.items():
        counts[_includes(second[at], name) - _includes(first[at], name)] += count
    return counts


def variance_of(counts: dict[float, int]) -> float:
    """The variance of values by their numbers."""
    total = sum(counts.values())
    if not total:
        return 0.0
    mean = sum(value * count for value, count in counts.items()) / total
    return sum(count * (value - mean) ** 2 for value, count in counts.items()) / total


SidePairs = Sequence[tuple[int, int]]
"""Pairs of numbers of sides, the first one lower."""


def pairs(sides: int) -> SidePairs:
    """All pairs of a number of sides.

    >>> from hots_rules.study.tallies import pairs
    >>> pairs(3)
    [(0, 1), (0, 2), (1, 2)]
    """
    return [(first, second) for second in range(sides) for first in range(second)]

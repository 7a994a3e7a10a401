"""What a study measures: estimates for each side, and the effects between two, all with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from attrs import field, frozen

from hots_rules.diagnostics import UnknownName

OutcomesByValue: TypeAlias = dict[int, dict[str, int]]
"""For each value of a measure at the end, how many games have each outcome."""
LEVEL = 0.95
"""The probability with which an interval holds its mean at all times: intervals are confidence sequences."""


@frozen
class FigureEstimate:
    """A mean over the games of one side, with its interval.

    >>> import hots_rules as hr
    >>> estimate = hr.study.FigureEstimate("White wins", "share", 0.62, 0.55, 0.69)
    >>> estimate.width <= 0.14 + 1e-9
    True

    Attributes:
        figure: what it is the mean of: "White wins", "ends by checkmate", "decisions", or a measure.
        kind: "share" for a part of the games, "mean" for a mean of numbers.
        mean: the estimate.
        low: the lower end of its interval.
        high: the upper end.
    """

    figure: str
    kind: str
    mean: float
    low: float
    high: float

    @property
    def width(self) -> float:
        """The width of its interval."""
        return self.high - self.low


@frozen
class Effect:
    """How much larger a figure is under one side than under another one, in games with equal numbers.

    >>> import hots_rules as hr
    >>> effect = hr.study.Effect("White wins", "share", "a", "b", 0.05, 0.01, 0.09, 0.004, 0.02, 3.1)
    >>> effect.is_significant
    True

    Attributes:
        figure: what differs.
        kind: "share" or "mean".
        one: the side that is compared from.
        other: the side that is compared to.
        difference: by how much the figure of `other` is larger.
        low: the lower end of its interval.
        high: the upper end.
        p: a bound for the probability of such a difference where there is none; it holds at all times (anytime-valid).
        corrected: the same, corrected for all effects of the study by Holm's procedure.
        reduction: how many times as many games without pairs would be needed for the same standard error; None if
            the figure does not vary.
    """

    figure: str
    kind: str
    one: str
    other: str
    difference: float
    low: float
    high: float
    p: float
    corrected: float
    reduction: float | None

    @property
    def width(self) -> float:
        """The width of its interval."""
        return self.high - self.low

    @property
    def is_significant(self) -> bool:
        """Whether it is an effect after the correction, at a level of 5 %."""
        return self.corrected < 0.05


@frozen
class Divergences:
    """Where the games of two sides diverge: the first decision with other legal actions, or another choice.

    >>> import hots_rules as hr
    >>> rules = [*map(hr.load, ["hots-2.3", "hots-4.0"])]
    >>> study = hr.study.study(rules, hr.study.StudyPlan(scenario="braveheart", games=2))
    >>> [part.share.mean for part in study.results[0].divergences]
    [1.0]

    Attributes:
        one: the side that is compared from.
        other: the side that is compared to.
        share: the estimated share of pairs of games that diverge, even if only at the end.
        decision: the mean number of decisions before, of the games that diverge.
        places: how many of the games diverge in each phase, by the phase with its sections; "the end" where only the
            ends differ.
    """

    one: str
    other: str
    share: FigureEstimate
    decision: FigureEstimate
    places: dict[str, int]


@frozen
class RuleCounts:
    """In which share of some games each rule, event, action and phase comes up, and how often.

    >>> import hots_rules as hr
    >>> rules = [hr.load(name) for name in ("hots-3.x", "hots-4.0")]
    >>> counts = hr.study.study(rules, hr.study.StudyPlan(scenario="braveheart", games=1, traced=1)).results[0].rules
    >>> {share.figure: share.mean for share in counts.shares["hots-4.0"]}["phase battles"]
    1.0

    Attributes:
        games: the number of games of each side that were counted, the first ones.
        shares: the estimated share for each side, by its name; the figures are as `rule NAME`.
        effects: the differences of all pairs of sides.
        times: how often it comes up in a game, on average over all games, for each side by its name; empty if that was
            not counted.
    """

    games: int
    shares: dict[str, tuple[FigureEstimate, ...]]
    effects: tuple[Effect, ...]
    times: dict[str, tuple[FigureEstimate, ...]] = field(factory=dict)

    def mean_times(self, side: str, figure: str) -> float:
        """How often a rule comes up in a game of a side, on average.

        Raises:
            UnknownName: there is no such side, or this was not counted.
        """
        listed = _of_side(self.times, side)
        return next((times.mean for times in listed if times.figure == figure), 0.0)


@frozen
class Control:
    """Who holds each place of the board at the end of games of a side.

    >>> import hots_rules as hr
    >>> rules = [hr.load(name) for name in ("hots-3.x", "hots-4.0")]
    >>> study = hr.study.study(rules, hr.study.StudyPlan(scenario="braveheart", games=1, traced=1))
    >>> [(each.side, each.games) for each in study.results[0].control]
    [('hots-3.x', 1), ('hots-4.0', 1)]

    Attributes:
        side: the name of the side.
        value: the value of the first measure at the end of these games; None for all games.
        games: their number.
        places: for each place, by its name in the ruleset, the share of games in which each player holds it: pieces
            of that player alone stand there.
    """

    side: str
    value: int | None
    games: int
    places: dict[str, tuple[FigureEstimate, ...]]


@frozen
class SampleGame:
    """A game of a study to look at; `StudyRun.game` plays it again.

    >>> import hots_rules as hr
    >>> hr.study.SampleGame("longest", "as printed", 17).number
    17

    Attributes:
        kind: "typical" (it ends as most games, with the median length of those), "shortest", "longest", or
            "first divergence: " with the names of both sides, for the first that diverges from that of another side.
        side: the name of the side.
        number: the number of the game.
    """

    kind: str
    side: str
    number: int


@frozen
class PolicyResult:
    """What a study found with one policy.

    >>> import hots_rules as hr
    >>> rules = [*map(hr.load, ["hots-3.x", "hots-4.0"])]
    >>> study = hr.study.study(rules, hr.study.StudyPlan(scenario="braveheart", games=2))
    >>> study.results[0].policy, study.results[0].games
    ('random', 2)

    Attributes:
        policy: the policy.
        games: the number of games of each side.
        estimates: the estimates of each side, by its name.
        effects: the effects of all pairs of sides.
        divergences: where the games of all pairs of sides diverge.
        rules: which rules come up.
        sample_games: typical and extreme games, and those that diverge first.
        by_value: the outcomes by the value at the end, for each side and measure; a measure with more than 100 values
            has none.
        control: who holds what at the end of all games of each side, and of those that end with a value of the first
            measure, for each with which at least 5 % end; empty without a board, or if no game was traced.
    """

    policy: str
    games: int
    estimates: dict[str, tuple[FigureEstimate, ...]]
    effects: tuple[Effect, ...]
    divergences: tuple[Divergences, ...]
    rules: RuleCounts
    sample_games: tuple[SampleGame, ...]
    by_value: dict[str, dict[str, OutcomesByValue]] = field(factory=dict)
    control: tuple[Control, ...] = ()

    def estimate(self, side: str, figure: str) -> FigureEstimate:
        """The estimate of a figure for a side.

        Raises:
            UnknownName: there is no such side, or no such figure.
        """
        listed = _of_side(self.estimates, side)
        for estimate in listed:
            if estimate.figure == figure:
                return estimate
        raise _unknown(figure, listed)

    def effect(self, figure: str, one: str = "", other: str = "") -> Effect:
        """The effect on a figure between two sides; of the first pair if none are named.

        Raises:
            UnknownName: there is no such figure.
        """
        for effect in self.effects:
            if effect.figure == figure and one in ("", effect.one) and other in ("", effect.other):
                return effect
        raise _unknown(figure, self.effects)


@frozen
class SideFacts:
    """What was played on one side of a study.

    >>> import hots_rules as hr
    >>> rules = [*map(hr.load, ["hots-3.x", "hots-4.0"])]
    >>> study = hr.study.study(rules, hr.study.StudyPlan(scenario="braveheart", games=1))
    >>> [side.ruleset for side in study.sides]
    ['hots-3.x', 'hots-4.0']

    Attributes:
        name: the name of the side.
        ruleset: the name of its ruleset.
        digest: the digest of what the ruleset declares.
        settings: the options and readings that are not at their defaults.
    """

    name: str
    ruleset: str
    digest: str
    settings: dict[str, str]


def _of_side(
    by_side: Mapping[str, tuple[FigureEstimate, ...]], side: str
) -> tuple[FigureEstimate, ...]:
    if side not in by_side:
        raise UnknownName("side", side, by_side)
    return by_side[side]


def _unknown(figure: str, estimates: Iterable[FigureEstimate | Effect]) -> UnknownName:
    return UnknownName("figure", figure, dict.fromkeys(estimate.figure for estimate in estimates))

"""The figures of a study: from the counts of its games to estimates and effects with intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import ceil

from attrs import define, evolve, field

from hots_rules.analysis.simulating.confidence import (
    Interval,
    asymptotic_interval,
    asymptotic_p_value,
    holm,
    mean_interval,
    p_value,
)
from hots_rules.study.control import ControlTally
from hots_rules.study.estimates import (
    LEVEL,
    Control,
    Divergences,
    Effect,
    FigureEstimate,
    PolicyResult,
    RuleCounts,
    SampleGame,
)
from hots_rules.study.tallies import (
    Moments,
    PairTally,
    Round,
    Tally,
    difference_counts,
    pairs,
    share_counts,
    variance_of,
)
from hots_rules.study.traced_games import RuleTally, TracedGame

OUTCOME, REASON = 0, 1
MIN_SHARE = 0.05
"""The share of the games that has to end at a value of a measure, so that it has a board of its own."""


@define
class PolicyTallies:
    """The counts of all sides with one policy, and the estimates and effects made of them.

    Attributes:
        policy: the policy.
        sides: the names of the sides.
        places: the names of the suspension points of each side.
        players: the names of the players.
        measures: the measures.
        control: who holds what at the end, for each side; None without a board.
        tallies: the counts of each side.
        pairs: the counts of each pair of sides, by their numbers; the lower one is first.
        rules: which rules come up.
    """

    policy: str
    sides: Sequence[str]
    places: Sequence[Sequence[str]]
    players: Sequence[str]
    measures: Sequence[str]
    control: Sequence[ControlTally] | None = None
    tallies: list[Tally] = field(init=False)
    pairs: dict[tuple[int, int], PairTally] = field(init=False)
    rules: RuleTally = field(init=False)

    def __attrs_post_init__(self) -> None:
        measures = len(self.measures)
        self.tallies = [Tally.of(measures) for _ in self.sides]
        self.rules = RuleTally.of(len(self.sides))
        self.pairs = {pair: PairTally.of(measures) for pair in pairs(len(self.sides))}

    def add(self, played: Round) -> None:
        """Count one game of each side, all with the same number."""
        games = played.games
        for tally, game in zip(self.tallies, games, strict=True):
            tally.add(game)
        pairs_and_divergences = zip(self.pairs.items(), played.divergences, strict=True)
        for ((first, second), pair), divergence in pairs_and_divergences:
            pair.add(games[first], games[second], divergence)

    def add_traced(self, games: Sequence[TracedGame], values: Sequence[tuple[int, ...]]) -> None:
        """Count the same game, traced on each side; `values` has the first measure of each, if there are measures."""
        self.rules.add([game.counts for game in games])
        if self.control is not None:
            for tally, game, measured in zip(self.control, games, values, strict=True):
                tally.add(game.slots, measured[0] if measured else None)

    # -------------------------------------------------------------- results
    def result(self) -> PolicyResult:
        """The estimates and effects so far; the effects are not yet corrected for their number."""
        return PolicyResult(
            self.policy,
            self.tallies[0].games,
            {
                side: tuple(self._estimates(tally))
                for side, tally in zip(self.sides, self.tallies, strict=True)
            },
            tuple(effect for pair in self.pairs for effect in self._effects(*pair)),
            tuple(self._divergences(*pair) for pair in self.pairs),
            self._rules(),
            tuple(self._sample_games()),
            {
                side: {
                    measure: {value: dict(outcomes) for value, outcomes in sorted(by_value.items())}
                    for measure, by_value in zip(self.measures, tally.by_value, strict=True)
                }
                for side, tally in zip(self.sides, self.tallies, strict=True)
            },
            tuple(self._control()),
        )

    def _control(self) -> Iterator[Control]:
        if self.control is None:
            return
        for side, tally in zip(self.sides, self.control, strict=True):
            if not tally.games[None]:
                continue
            for value in tally.groups(ceil(MIN_SHARE * tally.games[None])):
                places = {
                    name: tuple(
                        _share(player, tally.share_counts(value, place, number))
                        for number, player in enumerate(self.players)
                    )
                    for place, name in tally.reader.places.items()
                }
                yield Control(side, value, tally.games[value], places)

    def _sample_games(self) -> Iterator[SampleGame]:
        for side, tally in zip(self.sides, self.tallies, strict=True):
            if tally.typical is not None:
                yield SampleGame("typical", side, tally.typical)
            for kind, extreme in (("shortest", tally.shortest), ("longest", tally.longest)):
                if extreme is not None:
                    yield SampleGame(kind, side, extreme[1])
        for (first, second), pair in self.pairs.items():
            if pair.first is not None:
                kind = f"first divergence: {self.sides[first]}, {self.sides[second]}"
                for side in (self.sides[first], self.sides[second]):
                    yield SampleGame(kind, side, pair.first)

    def _rules(self) -> RuleCounts:
        rules, names = self.rules, self.rules.names()
        return RuleCounts(
            rules.games,
            {
                side: tuple(_share(name, rules.share_counts(at, name)) for name in names)
                for at, side in enumerate(self.sides)
            },
            tuple(
                _share_effect(
                    name,
                    (self.sides[first], self.sides[second]),
                    rules.difference_counts(first, second, name),
                    sum(variance_of(rules.share_counts(at, name)) for at in (first, second)),
                )
                for first, second in self.pairs
                for name in names
            ),
            {
                side: tuple(_mean(name, rules.times_of(at, name)) for name in names)
                for at, side in enumerate(self.sides)
            },
        )

    def widest(self) -> float:
        """The width of the widest interval of a share of wins, or of a difference of such shares."""
        estimates = (self._wins(tally, player) for tally in self.tallies for player in self.players)
        effects = (
            _difference(difference_counts(pair.ends, OUTCOME, player))
            for pair in self.pairs.values()
            for player in self.players
        )
        return max(interval.width for interval in (*estimates, *effects))

    def _wins(self, tally: Tally, player: str) -> Interval:
        return mean_interval(share_counts(tally.ends, OUTCOME, player), 0, 1, LEVEL)

    def _shares(self) -> Iterator[tuple[str, int, str]]:
        """Each share: its name, whether it counts outcomes or reasons, and which; the same ones for all sides."""
        ends = [end for tally in self.tallies for end in tally.ends]
        outcomes, reasons = ({end[at] for end in ends} for at in (OUTCOME, REASON))
        for player in self.players:
            yield f"{player} wins", OUTCOME, player
        for name, words in (("nobody", "nobody wins"), ("unfinished", "unfinished")):
            if name in outcomes:
                yield words, OUTCOME, name
        for reason in sorted(reasons - {""}):
            yield f"ends by {reason}", REASON, reason

    def _estimates(self, tally: Tally) -> Iterator[FigureEstimate]:
        for figure, at, name in self._shares():
            yield _share(figure, share_counts(tally.ends, at, name))
        yield _mean("decisions", tally.decisions)
        for text, moments in zip(self.measures, tally.measures, strict=True):
            yield _mean(text, moments)

    def _effects(self, first: int, second: int) -> Iterator[Effect]:
        pair, sides = self.pairs[first, second], (self.sides[first], self.sides[second])
        both = (self.tallies[first], self.tallies[second])
        for figure, at, name in self._shares():
            counts = difference_counts(pair.ends, at, name)
            unpaired = sum(variance_of(share_counts(tally.ends, at, name)) for tally in both)
            yield _share_effect(figure, sides, counts, unpaired)
        yield _mean_effect("decisions", sides, pair.decisions, [tally.decisions for tally in both])
        for number, text in enumerate(self.measures):
            of_sides = [tally.measures[number] for tally in both]
            yield _mean_effect(text, sides, pair.measures[number], of_sides)

    def _divergences(self, first: int, second: int) -> Divergences:
        pair, places = self.pairs[first, second], self.places[first]
        by_place = Counter[str]()
        for point, count in pair.points.items():
            by_place[places[point] if 0 <= point < len(places) else "the end"] += count
        divergent = pair.divergence_decisions.number
        counts = {1.0: divergent, 0.0: pair.decisions.number - divergent}
        return Divergences(
            self.sides[first],
            self.sides[second],
            _share("games that diverge", counts),
            _mean("decisions before", pair.divergence_decisions),
            dict(by_place.most_common()),
        )


def corrected(results: Sequence[PolicyResult]) -> tuple[PolicyResult, ...]:
    """The results, with the effects of all of them corrected for their number, those on rules included."""
    effects = [(*result.effects, *result.rules.effects) for result in results]
    p_values = iter(holm([effect.p for row in effects for effect in row]))
    corrected_rows = (
        [evolve(effect, corrected=next(p_values)) for effect in row] for row in effects
    )
    return tuple(
        evolve(
            result,
            effects=tuple(row[: len(result.effects)]),
            rules=evolve(result.rules, effects=tuple(row[len(result.effects) :])),
        )
        for result, row in zip(results, corrected_rows, strict=True)
    )


def _share(figure: str, counts: dict[float, int]) -> FigureEstimate:
    """The estimate of a share, from the numbers of games with (1) and without (0) what it counts."""
    interval = mean_interval(counts, 0, 1, LEVEL)
    return FigureEstimate(figure, "share", _mean_of(counts), interval.low, interval.high)


def _mean(figure: str, moments: Moments) -> FigureEstimate:
    """The estimate of a mean of numbers."""
    interval = asymptotic_interval(moments.number, moments.mean, moments.variance, LEVEL)
    return FigureEstimate(figure, "mean", moments.mean, interval.low, interval.high)


def _difference(counts: dict[float, int]) -> Interval:
    """The interval of a mean of differences of 1, 0 and -1."""
    return mean_interval(counts, -1, 1, LEVEL)


def _share_effect(
    figure: str, sides: tuple[str, str], counts: dict[float, int], unpaired: float
) -> Effect:
    """The effect on a share, from the differences in pairs and the variance of games that are no pairs."""
    interval, p = _difference(counts), p_value(counts, -1, 1, 0)
    reduction = _reduction(unpaired, variance_of(counts))
    return Effect(
        figure, "share", *sides, _mean_of(counts), interval.low, interval.high, p, p, reduction
    )


def _mean_effect(
    figure: str, sides: tuple[str, str], moments: Moments, of_sides: Sequence[Moments]
) -> Effect:
    """The effect on a mean, from the differences in pairs and the numbers of both sides."""
    number, mean, variance = moments.number, moments.mean, moments.variance
    interval = asymptotic_interval(number, mean, variance, LEVEL)
    p = asymptotic_p_value(number, mean, variance)
    reduction = _reduction(sum(moments.variance for moments in of_sides), variance)
    return Effect(figure, "mean", *sides, mean, interval.low, interval.high, p, p, reduction)


def _mean_of(counts: dict[float, int]) -> float:
    total = sum(counts.values())
    return sum(value * count for value, count in counts.items()) / total if total else 0.0


def _reduction(unpaired: float, paired: float) -> float | None:
    """By what factor pairs make a variance smaller; None if nothing varies in pairs."""
    return unpaired / paired if paired else None

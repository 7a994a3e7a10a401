"""Studies: the same numbered games under several rulesets, options or readings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import perf_counter

from attrs import define, field

from hots_rules.analysis.batches import Batch, Task, check_backend
from hots_rules.analysis.named_policy import RANDOM, policy_of
from hots_rules.analysis.policy import StateExpression
from hots_rules.compare.studies import GameToLookAt, Study
from hots_rules.compare.study_figures import StudiedPolicy, corrected
from hots_rules.compare.study_games import played_again
from hots_rules.compare.study_plans import StudyPlan
from hots_rules.compare.study_rules import RuleCounter
from hots_rules.compare.study_sides import StudySide
from hots_rules.compare.tallies import Played
from hots_rules.diagnostics import UnknownOption
from hots_rules.native.batch import Ended
from hots_rules.play.game import AnyRuleset, BaseGame

CHECKED_EVERY = 1_000
"""The games after which a study looks whether its intervals are narrow enough."""


@define
class StudyTotals:
    """Plays a study round by round, so that it can stop at any time.

    A round is one game of each side with each policy. Games with the same number have the same seed on all sides, and
    choose the same actions as long as the rules let them.

    >>> import hots_rules as hr
    >>> sides = [hr.compare.StudySide(name, hr.load(name)) for name in ("hots-3.x", "hots-4.0")]
    >>> plan = hr.compare.StudyPlan(("hots-3.x", "hots-4.0"), "braveheart", games=2, seed="7")
    >>> totals = hr.compare.StudyTotals(sides, plan)
    >>> list(totals.play()), totals.result().games
    ([1, 2], 2)

    Attributes:
        sides: what is compared.
        plan: what is played; the names of the sides are those of `sides`.
        backend: "auto", "python", "wasm" or "llvm".
        workers: the number of threads.
        rounds: the number of rounds played so far.
        traced: the number of rounds so far of which it was counted which rules come up.

    Raises:
        UnknownOption: less than one side, two sides of one name, or a side lacks the scenario or a policy.
        RulesetError: a measure or the lines of a policy cannot be read.
    """

    sides: Sequence[StudySide]
    plan: StudyPlan
    backend: str = "auto"
    workers: int = 1
    rounds: int = field(default=0, init=False)
    traced: int = field(default=0, init=False)
    _parts: list[StudiedPolicy] = field(factory=list, init=False)
    _start: float = field(factory=perf_counter, init=False)
    _played_by: str = field(default="python", init=False)

    def __attrs_post_init__(self) -> None:
        self._check()
        names = [side.name for side in self.sides]
        places, players = [side.places() for side in self.sides], self.sides[0].ruleset.players
        self._parts = [
            StudiedPolicy(policy, names, places, players, self.plan.measures)
            for policy in self.plan.policies
        ]

    def _check(self) -> None:
        names = [side.name for side in self.sides]
        if not names or len(set(names)) < len(names):
            raise UnknownOption("side", got=", ".join(names), needed="sides with different names")
        check_backend(self.backend, self.workers)
        first, plan = self.sides[0].ruleset, self.plan
        for side in self.sides:
            ruleset = side.ruleset
            if ruleset.players != first.players:
                needed = f"one of the game of {first.name}"
                raise UnknownOption("ruleset", got=ruleset.name, needed=needed)
            ruleset.start(plan.scenario, seed="0", options=side.options, readings=side.readings)
            for policy in plan.policies:
                if policy != RANDOM:
                    policy_of(ruleset, policy)
            for text in plan.measures:
                side.measure(text)

    def play(self, games: int | None = None) -> Iterator[int]:
        """Plays the next rounds, all that are left if no number is given, and gives their number after each.

        It ends as soon as `is_narrow` holds, if the plan has a width; it looks now and then. Close the iterator to stop
        earlier.

        Raises:
            EngineError: a ruleset violates one of its bounds, or asks somebody who has no legal action.
            MissingLibrary: the back end that is named is not installed, or does not work.
        """
        left = self.plan.games - self.rounds
        games = left if games is None else min(games, left)
        played = [self._rows(part.policy, games) for part in self._parts]
        for rows in zip(*played, strict=True):
            for part, row in zip(self._parts, rows, strict=True):
                part.add(row)
            self.rounds += 1
            yield self.rounds
            is_due = self.plan.until_width and self.rounds % CHECKED_EVERY == 0
            if is_due and self.is_narrow():
                return

    def _rows(self, policy: str, games: int) -> Iterator[tuple[Played, ...]]:
        """The next games of all sides with a policy, number by number."""
        sides = [self._games(side, policy, self.rounds, games) for side in self.sides]
        return zip(*sides, strict=True)

    def _games(self, side: StudySide, policy: str, first: int, games: int) -> Iterator[Played]:
        batch = Batch.of(
            side.ruleset,
            side.options,
            side.readings,
            backend=self.backend,
            workers=self.workers,
            games=games,
            is_paired=True,
            policy=policy,
        )
        self._played_by = batch.backend
        start = batch.machine.begin(self.plan.scenario)
        tasks: Iterator[Task] = (
            (start, f"{self.plan.seed}/{number}") for number in range(first, first + games)
        )
        measures = [side.measure(text) for text in self.plan.measures]
        for end in batch.play(tasks, keeps_slots=bool(measures)):
            yield _played(end, side, batch, measures)

    def trace(self) -> Iterator[int]:
        """Counts in the first rounds which rules come up, as many as the plan has; gives their number after each.

        These games are played in Python, which takes longer.

        Raises:
            EngineError: a ruleset violates one of its bounds.
        """
        counters = [
            [RuleCounter(side, part.policy, self.plan.scenario) for side in self.sides]
            for part in self._parts
        ]
        while self.traced < min(self.plan.traced, self.rounds):
            seed = f"{self.plan.seed}/{self.traced}"
            rows = [[counter.names(seed) for counter in row] for row in counters]
            for part, row in zip(self._parts, rows, strict=True):
                part.rules.add(row)
            self.traced += 1
            yield self.traced

    def game(self, policy: str, found: GameToLookAt) -> BaseGame:
        """A game of the study at its end; its record can be saved and replayed.

        Raises:
            UnknownOption: the study has no such side.
        """
        for side in self.sides:
            if side.name == found.side:
                seed = f"{self.plan.seed}/{found.number}"
                return played_again(side, self.plan.scenario, policy, seed)
        raise UnknownOption("side", tuple(side.name for side in self.sides), found.side)

    def is_narrow(self) -> bool:
        """Whether the intervals of all shares of wins, and of their differences, are as narrow as the plan asks."""
        width = self.plan.until_width
        return self.rounds > 0 and all(part.widest() <= width for part in self._parts)

    def result(self) -> Study:
        """What was found so far."""
        return Study(
            self.plan,
            tuple(side.facts() for side in self.sides),
            corrected([part.result() for part in self._parts]),
            self._played_by,
            perf_counter() - self._start,
        )


def study(
    *sides: AnyRuleset | StudySide,
    scenario: str,
    games: int = 1_000,
    seed: int | str = 0,
    policies: Sequence[str] = (RANDOM,),
    measures: Sequence[str] = (),
    until_width: float = 0.0,
    traced: int = 0,
    backend: str = "auto",
    workers: int = 1,
) -> Study:
    """Plays the same numbered games under several rulesets, options or readings, and compares how they end.

    `StudyTotals` does so round by round. All intervals may be watched: each holds its mean with a probability of 95 %
    at all times at once, so a study may stop because of them.

    >>> import hots_rules as hr
    >>> study = hr.compare.study(hr.load("hots-3.x"), hr.load("hots-4.0"), scenario="braveheart", games=2)
    >>> study.results[0].estimate("hots-4.0", "decisions").mean
    472.5

    Args:
        sides: rulesets, or rulesets under options and readings.
        scenario: the name of the scenario.
        games: the most games of each side with each policy.
        seed: the seed; game number i has the seed `seed/i` on every side.
        policies: what guides the moves: "random", a policy of all rulesets, its lines, or one for each player
            as in `PLAYER=POLICY,PLAYER=POLICY`; see `Batch.of`.
        measures: expressions over the state at the end of a game, such as `year`.
        until_width: stop as soon as the intervals of all shares of wins, and of their differences, are at most so wide;
            0 for never.
        traced: the games of each side, the first ones, of which it is counted which rules come up; Python plays them.
        backend: "auto", "python", "wasm" or "llvm"; the figures are the same with each.
        workers: the number of threads; the figures are the same with any number.

    Raises:
        UnknownOption: a side lacks the scenario, an option, a reading, a value or a policy, or is there twice.
        RulesetError: there is no such ruleset, or it has faults, or a measure cannot be read.
        EngineError: a ruleset violates one of its bounds, or asks somebody who has no legal action.
        MissingLibrary: the back end that is named is not installed, or does not work.
    """
    found = [_side(side) for side in sides]
    plan = StudyPlan(
        tuple(side.name for side in found),
        scenario,
        games,
        str(seed),
        tuple(policies),
        tuple(measures),
        until_width,
        traced,
    )
    totals = StudyTotals(found, plan, backend, workers)
    for _ in totals.play():
        pass
    for _ in totals.trace():
        pass
    return totals.result()


def _side(side: AnyRuleset | StudySide) -> StudySide:
    if isinstance(side, StudySide):
        return side
    return StudySide(side.name, side)


def _played(
    end: Ended, side: StudySide, batch: Batch, measures: Sequence[StateExpression]
) -> Played:
    """What a study keeps of a game."""
    outcome, reason = "unfinished", ""
    if end.is_over:
        outcome = side.ruleset.players[end.outcome - 2] if end.outcome > 1 else "nobody"
        reason = batch.machine.facts.origins[end.reason].rule if end.outcome else "no outcome"
    values = []
    for measure in measures:
        assert end.slots is not None
        measure.evaluator.budget.spent = 0
        values.append(measure.code(end.slots))
    return Played(outcome, reason, end.decisions, tuple(values), end.digest, end.trail)

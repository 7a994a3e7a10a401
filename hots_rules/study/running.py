"""Studies: the same numbered games under several rulesets, options or readings."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, MutableMapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, closing
from time import perf_counter

from attrs import define, evolve, field

from hots_rules.analysis.policies.bot_policies import check_policy
from hots_rules.analysis.simulating.batches import check_backend
from hots_rules.diagnostics import BadArgument, UnknownName, check_kind
from hots_rules.play.game import AnyRuleset, BaseGame
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.study.choosers import played_again
from hots_rules.study.control import StudyBoard, tallies_of
from hots_rules.study.estimates import SampleGame
from hots_rules.study.figures import PolicyTallies, corrected
from hots_rules.study.files import kept_rounds, rounds_file
from hots_rules.study.plan import StudyPlan
from hots_rules.study.result import Study
from hots_rules.study.rounds import RoundPlayer, measured
from hots_rules.study.sides import StudySide
from hots_rules.study.tallies import Round
from hots_rules.study.tasks import StudyTask, played_elsewhere, tasks_of
from hots_rules.study.traced_games import TracedGame, traced_games

CHECKED_EVERY = 1_000
"""The games after which a study looks whether its intervals are narrow enough."""


@define
class StudyRun:
    """Plays a study round by round, so that it can stop at any time.

    A round is one game of each side with each policy. Games with the same number have the same seed on all sides, and
    choose the same actions as long as the rules let them.

    >>> import hots_rules as hr
    >>> sides = [hr.study.StudySide(name, hr.load(name)) for name in ("hots-3.x", "hots-4.0")]
    >>> plan = hr.study.StudyPlan(("hots-3.x", "hots-4.0"), "braveheart", games=2, seed="7")
    >>> study_run = hr.study.StudyRun(sides, plan)
    >>> list(study_run.play()), study_run.result().games
    ([1, 2], 2)

    Attributes:
        sides: what is compared.
        plan: what is played; the names of the sides are those of `sides`.
        backend: "auto", "python", "wasm" or "llvm".
        workers: the number of threads.
        executor: plays the games in parts of 1,000, such as a `ProcessPoolExecutor` or that of a Dask client; without
            it they are played here.
        store: Parquet files of the rounds that were played, by their names; rounds that it has are not played again.
        rounds: the number of rounds played so far.
        traced: the number of rounds that were traced so far.

    Raises:
        ArgumentError: less than one side, two sides of one name, or a side lacks the scenario or a policy.
        RulesetError: a measure or the lines of a policy cannot be read.
        MissingLibrary: a store is given, and pyarrow is not installed.
    """

    sides: Sequence[StudySide]
    plan: StudyPlan
    backend: str = "auto"
    workers: int = 1
    executor: Executor | None = None
    store: MutableMapping[str, bytes] | None = None
    rounds: int = field(default=0, init=False)
    traced: int = field(default=0, init=False)
    _tallies: list[PolicyTallies] = field(factory=list, init=False)
    _start: float = field(factory=perf_counter, init=False)
    _player: RoundPlayer = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._check()
        self._player = RoundPlayer(self.sides, self.plan, self.backend, self.workers)
        names = [side.name for side in self.sides]
        places, players = [side.places() for side in self.sides], self.sides[0].ruleset.players
        self._tallies = [
            PolicyTallies(
                policy,
                names,
                places,
                players,
                self.plan.measures,
                tallies_of(side.ruleset for side in self.sides),
            )
            for policy in self.plan.policies
        ]

    def _check(self) -> None:
        """Check that the sides differ in name, are of one game, and can play the plan.

        Raises:
            ArgumentError: they do not, or cannot.
            RulesetError: a measure or the lines of a policy cannot be read.
        """
        names = [side.name for side in self.sides]
        if not names or len(set(names)) < len(names):
            raise BadArgument("sides", ", ".join(names), "sides with different names")
        check_backend(self.backend, self.workers)
        first, plan = self.sides[0].ruleset, self.plan
        for side in self.sides:
            ruleset = side.ruleset
            if ruleset.players != first.players:
                needed = f"one of the game of {first.name}"
                raise BadArgument("ruleset", ruleset.name, needed)
            ruleset.start(plan.scenario, seed="0", options=side.options, readings=side.readings)
            for policy in plan.policies:
                check_policy(ruleset, policy)
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
        remaining = self.plan.games - self.rounds
        games = remaining if games is None else min(games, remaining)
        with ExitStack() as stack:
            rounds_by_policy = [
                stack.enter_context(closing(self._rounds(tallies.policy, games)))
                for tallies in self._tallies
            ]
            for rounds in zip(*rounds_by_policy, strict=True):
                for tallies, played_round in zip(self._tallies, rounds, strict=True):
                    tallies.add(played_round)
                self.rounds += 1
                yield self.rounds
                is_due = self.plan.until_width and self.rounds % CHECKED_EVERY == 0
                if is_due and self.is_narrow():
                    return

    def _rounds(self, policy: str, games: int) -> Generator[Round]:
        """The next rounds with a policy."""
        if self.executor is None and self.store is None:
            return self._player.play(policy, self.rounds, games)
        return self._rounds_of_tasks(tasks_of(self._player, policy, self.rounds, games))

    def _rounds_of_tasks(self, tasks: Iterable[StudyTask]) -> Generator[Round]:
        """The rounds of tasks: read from the store, or played now and written to it."""
        if self.executor is not None:
            for task, rounds, is_new in played_elsewhere(
                self.executor, self._player, tasks, self._kept
            ):
                if is_new:
                    self._keep(task, rounds)
                yield from rounds
            return
        for task in tasks:
            kept = self._kept(task)
            if kept is not None:
                yield from kept
                continue
            played = []
            for played_round in self._player.play(task.policy, task.first, task.rounds):
                played.append(played_round)
                yield played_round
            self._keep(task, played)

    def _kept(self, task: StudyTask) -> list[Round] | None:
        data = None if self.store is None else self.store.get(task.file)
        return None if data is None else kept_rounds(data, task)

    def _keep(self, task: StudyTask, rounds: Sequence[Round]) -> None:
        if self.store is not None:
            self.store[task.file] = rounds_file(task, rounds)

    def trace(self) -> Iterator[int]:
        """Traces the first rounds, as many as the plan says, and gives their number after each.

        The games are played once more, by a program that counts which rules come up, and who holds what on the board
        at the end.

        Raises:
            EngineError: a ruleset violates one of its bounds.
        """
        plan, end = self.plan, min(self.plan.traced, self.rounds)
        seeds = [f"{plan.seed}/{number}" for number in range(self.traced, end)]
        measures = [[side.measure(text) for text in plan.measures[:1]] for side in self.sides]
        with ExitStack() as stack:
            games_by_policy = [
                [
                    stack.enter_context(closing(self._traced_games(side, tallies.policy, seeds)))
                    for side in self.sides
                ]
                for tallies in self._tallies
            ]
            for _ in seeds:
                for tallies, games_by_side in zip(self._tallies, games_by_policy, strict=True):
                    same_game = [next(games_of_side) for games_of_side in games_by_side]
                    pairs = zip(measures, same_game, strict=True)
                    tallies.add_traced(same_game, [measured(own, end.slots) for own, end in pairs])
                self.traced += 1
                yield self.traced

    def _traced_games(
        self, side: StudySide, policy: str, seeds: Sequence[str]
    ) -> Generator[TracedGame]:
        scenario = self.plan.scenario
        return traced_games(side, policy, scenario, seeds, self.backend, self.workers)

    def game(self, policy: str, sample: SampleGame) -> BaseGame:
        """A game of the study at its end; its record can be saved and replayed.

        Raises:
            UnknownName: the study has no such side.
        """
        for side in self.sides:
            if side.name == sample.side:
                seed = f"{self.plan.seed}/{sample.number}"
                return played_again(side, self.plan.scenario, policy, seed)
        raise UnknownName("side", sample.side, (side.name for side in self.sides))

    def is_narrow(self) -> bool:
        """Whether the intervals of all shares of wins, and of their differences, are as narrow as the plan asks."""
        width = self.plan.until_width
        return self.rounds > 0 and all(tallies.widest() <= width for tallies in self._tallies)

    def result(self) -> Study:
        """What was found so far."""
        return Study(
            self.plan,
            tuple(side.facts() for side in self.sides),
            corrected([tallies.result() for tallies in self._tallies]),
            self._player.played_by,
            perf_counter() - self._start,
            boards={side.name: StudyBoard.of(side.ruleset) for side in self.sides if self.traced},
        )


def study(
    sides: Sequence[AnyRuleset | StudySide],
    plan: StudyPlan,
    *,
    backend: str = "auto",
    workers: int = 1,
    executor: Executor | None = None,
    store: MutableMapping[str, bytes] | None = None,
) -> Study:
    """Plays the same numbered games under several rulesets, options or readings, and compares how they end.

    `StudyRun` does so round by round. All intervals may be watched: each holds its mean with a probability of 95 %
    at all times at once, so a study may stop because of them.

    >>> import hots_rules as hr
    >>> plan = hr.study.StudyPlan(scenario="braveheart", games=2)
    >>> study = hr.study.study([hr.load("hots-3.x"), hr.load("hots-4.0")], plan)
    >>> study.results[0].estimate("hots-4.0", "decisions").mean
    472.5

    Args:
        sides: rulesets, or rulesets under options and readings.
        plan: what is played; its sides are the names of these.
        backend: "auto", "python", "wasm" or "llvm"; the figures are the same with each.
        workers: the number of threads; the figures are the same with any number.
        executor: plays the games in parts, such as a `ProcessPoolExecutor` or that of a Dask client; the figures are
            the same.
        store: Parquet files of the rounds that were played, by their names; rounds that it has are not played again.

    Raises:
        ArgumentError: a side lacks the scenario, an option, a reading, a value or a policy, or is there twice.
        RulesetError: there is no such ruleset, or it has faults, or a measure cannot be read.
        EngineError: a ruleset violates one of its bounds, or asks somebody who has no legal action.
        MissingLibrary: the back end that is named is not installed, or does not work; or pyarrow, for a store.
    """
    check_kind("sides", sides, Iterable, "rulesets")
    check_kind("plan", plan, StudyPlan, "a plan")
    study_sides = [_side(side) for side in sides]
    plan = evolve(plan, sides=tuple(side.name for side in study_sides))
    study_run = StudyRun(study_sides, plan, backend, workers, executor, store)
    for _ in study_run.play():
        pass
    for _ in study_run.trace():
        pass
    return study_run.result()


def _side(side: AnyRuleset | StudySide) -> StudySide:
    if isinstance(side, StudySide):
        return side
    check_kind("sides", side, BaseRuleset, "rulesets")
    return StudySide(side.name, side)

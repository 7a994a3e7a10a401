"""Studies: the same numbered games under several rulesets, options or readings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import perf_counter

from attrs import define, field, frozen

from hots_rules.analysis.batches import Batch, Task, check_backend
from hots_rules.analysis.named_policy import RANDOM
from hots_rules.analysis.policy import StateExpression, parse_state_expression
from hots_rules.compare.studies import LEVEL, SideFacts, Study
from hots_rules.compare.study_figures import StudiedPolicy, corrected
from hots_rules.compare.tallies import Played
from hots_rules.compare.witnesses import choices_of, settings_text
from hots_rules.diagnostics import UnknownOption
from hots_rules.native.batch import Ended
from hots_rules.play.game import AnyRuleset
from hots_rules.play.ruleset import Choices

CHECKED_EVERY = 1_000
"""The games after which a study looks whether its intervals are narrow enough."""


@frozen
class StudySide:
    """One side of a study: a ruleset under options and readings.

    >>> import hots_rules as hr
    >>> hr.compare.StudySide.parse("hots-4.0,schiltroms=yes", hr.load).options
    {'schiltroms': True}

    Attributes:
        name: how the study calls it.
        ruleset: the ruleset.
        options: options by name; the others have their defaults.
        readings: readings by name; the others have their defaults.
    """

    name: str
    ruleset: AnyRuleset = field(repr=False)
    options: Choices = field(factory=dict)
    readings: Choices = field(factory=dict)

    @classmethod
    def parse(cls, text: str, load: Callable[[str], AnyRuleset]) -> StudySide:
        """The side of a text: the name or path of a ruleset, and `NAME=VALUE` for options and readings, after commas.

        Raises:
            UnknownOption: the ruleset lacks an option, a reading or a value.
            RulesetError: there is no such ruleset, or it has faults.
        """
        name, *pairs = text.split(",")
        settings = {}
        for pair in pairs:
            setting, equals, value = pair.partition("=")
            if not equals:
                raise UnknownOption("setting", got=pair, needed="NAME=VALUE")
            settings[setting.strip()] = value.strip()
        ruleset = load(name.strip())
        options, readings = choices_of(ruleset, settings)
        ruleset.chosen(options, readings)
        return cls(text, ruleset, options, readings)

    def facts(self) -> SideFacts:
        """What the report tells of it."""
        settings = self.ruleset.chosen(self.options, self.readings)
        chosen = settings_text(self.ruleset, settings)
        content = self.ruleset.compiled.content_hash
        return SideFacts(self.name, self.ruleset.name, content, chosen)

    def places(self) -> list[str]:
        """The name of each suspension point: its phase, with the sections of the rule that stops there."""
        machine = self.ruleset.machine(self.ruleset.chosen(self.options, self.readings))
        return [
            " ".join([point.phase, *(f"§{section}" for section in point.origin.sections)])
            for point in machine.facts.points
        ]

    def measure(self, text: str) -> StateExpression:
        """An expression over states of this side.

        Raises:
            RulesetError: the text is no expression of its ruleset.
            UnknownOption: its values are no numbers.
        """
        settings = dict(self.ruleset.chosen(self.options, self.readings))
        found = parse_state_expression(self.ruleset, settings, text)
        if not found.is_number:
            raise UnknownOption("measure", got=str(found.type), needed="a number or a condition")
        return found


@define
class StudyTotals:
    """Plays a study round by round, so that it can stop at any time.

    A round is one game of each side with each policy. Games with the same number have the same seed on all sides, and
    choose the same actions as long as the rules let them.

    >>> import hots_rules as hr
    >>> sides = [hr.compare.StudySide(name, hr.load(name)) for name in ("hots-3.x", "hots-4.0")]
    >>> totals = hr.compare.StudyTotals(sides, "braveheart", "7")
    >>> list(totals.play(2)), totals.result().games
    ([1, 2], 2)

    Attributes:
        sides: what is compared.
        scenario: the name of the scenario.
        seed: the seed; game number i has the seed `seed/i`.
        policies: what guides the moves: "random", a policy of all rulesets, or its lines.
        measures: expressions over the state at the end of a game.
        backend: "auto", "python", "wasm" or "llvm".
        workers: the number of threads.

    Raises:
        UnknownOption: less than one side, two sides of one name, or a side lacks the scenario or a policy.
        RulesetError: a measure or the lines of a policy cannot be read.
    """

    sides: Sequence[StudySide]
    scenario: str
    seed: str = "0"
    policies: Sequence[str] = (RANDOM,)
    measures: Sequence[str] = ()
    backend: str = "auto"
    workers: int = 1
    rounds: int = field(default=0, init=False)
    """The number of rounds played so far."""
    _planned: int = field(default=0, init=False)
    _parts: list[StudiedPolicy] = field(factory=list, init=False)
    _start: float = field(factory=perf_counter, init=False)
    _played_by: str = field(default="python", init=False)

    def __attrs_post_init__(self) -> None:
        names = [side.name for side in self.sides]
        if not names or len(set(names)) < len(names):
            raise UnknownOption("side", got=", ".join(names), needed="sides with different names")
        check_backend(self.backend, self.workers)
        for side in self.sides:
            side.ruleset.start(
                self.scenario, seed="0", options=side.options, readings=side.readings
            )
        players = self.sides[0].ruleset.players
        for side in self.sides:
            if side.ruleset.players != players:
                first = self.sides[0].ruleset.name
                needed = f"one of the game of {first}"
                raise UnknownOption("ruleset", got=side.ruleset.name, needed=needed)
        places = [side.places() for side in self.sides]
        self._parts = [
            StudiedPolicy(policy, names, places, players, self.measures) for policy in self.policies
        ]
        for policy in self.policies:
            for side in self.sides:
                self._batch(side, policy, 1, backend="python")
        for text in self.measures:
            for side in self.sides:
                side.measure(text)

    def _batch(self, side: StudySide, policy: str, games: int, *, backend: str) -> Batch:
        return Batch.of(
            side.ruleset,
            side.options,
            side.readings,
            backend=backend,
            workers=self.workers,
            games=games,
            is_paired=True,
            policy=policy,
        )

    def play(self, games: int, *, until_width: float | None = None) -> Iterator[int]:
        """Plays the next rounds, and gives the number of rounds after each; close the iterator to stop earlier.

        With `until_width` it ends as soon as `is_narrow` holds, of which it takes a look now and then.

        Raises:
            EngineError: a ruleset violates one of its bounds, or asks somebody who has no legal action.
            MissingLibrary: the back end that is named is not installed, or does not work.
        """
        self._planned += games
        first = self.rounds
        played = [self._rows(part.policy, first, games) for part in self._parts]
        for rows in zip(*played, strict=True):
            for part, row in zip(self._parts, rows, strict=True):
                part.add(row)
            self.rounds += 1
            yield self.rounds
            is_due = self.rounds % CHECKED_EVERY == 0
            if until_width is not None and is_due and self.is_narrow(until_width):
                return

    def _rows(self, policy: str, first: int, games: int) -> Iterator[tuple[Played, ...]]:
        """The games of all sides with a policy, number by number."""
        sides = [self._games(side, policy, first, games) for side in self.sides]
        return zip(*sides, strict=True)

    def _games(self, side: StudySide, policy: str, first: int, games: int) -> Iterator[Played]:
        batch = self._batch(side, policy, games, backend=self.backend)
        self._played_by = batch.backend
        start = batch.machine.begin(self.scenario)
        tasks: Iterator[Task] = (
            (start, f"{self.seed}/{number}") for number in range(first, first + games)
        )
        measures = [side.measure(text) for text in self.measures]
        for end in batch.play(tasks, keeps_slots=bool(measures)):
            yield _played(end, side, batch, measures)

    def is_narrow(self, width: float) -> bool:
        """Whether the intervals of all shares of wins, and of their differences, are at most so wide."""
        return self.rounds > 0 and all(part.widest() <= width for part in self._parts)

    def result(self) -> Study:
        """What was found so far."""
        return Study(
            self.scenario,
            self.seed,
            self._planned,
            tuple(side.facts() for side in self.sides),
            corrected([part.result() for part in self._parts]),
            LEVEL,
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
    until_width: float | None = None,
    backend: str = "auto",
    workers: int = 1,
) -> Study:
    """Plays the same numbered games under several rulesets, options or readings, and compares how they end.

    `StudyTotals` does so round by round. All intervals may be watched: each holds its mean with a probability of 95 %
    at all times at once, so a study may stop because of them.

    >>> import hots_rules as hr
    >>> study = hr.compare.study(hr.load("hots-3.x"), hr.load("hots-4.0"), scenario="braveheart", games=2)
    >>> study.results[0].estimate("hots-4.0", "decisions").mean
    555.0

    Args:
        sides: rulesets, or rulesets under options and readings.
        scenario: the name of the scenario.
        games: the most games of each side with each policy.
        seed: the seed; game number i has the seed `seed/i` on every side.
        policies: what guides the moves: "random", a policy of all rulesets, or its lines; see `Batch.of`.
        measures: expressions over the state at the end of a game, such as `year`.
        until_width: stop as soon as the intervals of all shares of wins, and of their differences, are at most so wide.
        backend: "auto", "python", "wasm" or "llvm"; the figures are the same with each.
        workers: the number of threads; the figures are the same with any number.

    Raises:
        UnknownOption: a side lacks the scenario, an option, a reading, a value or a policy, or is there twice.
        RulesetError: there is no such ruleset, or it has faults, or a measure cannot be read.
        EngineError: a ruleset violates one of its bounds, or asks somebody who has no legal action.
        MissingLibrary: the back end that is named is not installed, or does not work.
    """
    found = [_side(side) for side in sides]
    totals = StudyTotals(found, scenario, str(seed), policies, measures, backend, workers)
    for _ in totals.play(games, until_width=until_width):
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

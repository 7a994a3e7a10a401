"""Many games with random moves, played on packed states."""

from collections.abc import Iterator
from random import Random
from time import perf_counter

from attrs import asdict, define, field, frozen

from hots_rules.analysis.policies.named_policy import RANDOM, policy_of
from hots_rules.analysis.simulating.batches import Batch, check_backend
from hots_rules.analysis.simulating.playouts import playout
from hots_rules.compile.codes import POINT
from hots_rules.diagnostics import MAX_GAMES, check_kind, check_whole
from hots_rules.draw.picture.charts import bars
from hots_rules.play.game import AnyRuleset
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.play.settings import Choices


@frozen
class Simulation:
    """Statistics of games with random moves: the result of `simulate`.

    >>> import hots_rules as hr
    >>> result = hr.simulate(hr.load("hots-4.0"), "braveheart", games=1)
    >>> result.games, sum(result.wins.values()) == result.finished
    (1, True)

    Attributes:
        ruleset: the name of the ruleset.
        scenario: the name of the scenario.
        seed: the seed; game number i has the seed `seed/i`.
        games: the number of games.
        finished: the number of games that came to an end.
        wins: the number of wins of each player, and of "nobody"; who win together are counted each.
        shared: the number of games that several players won together, by their names.
        absent: the players who won no game and had nothing to choose in the first one, such as those who are not in a
            scenario for fewer players.
        reasons: the number of finished games by the rule that ended them.
        decisions: the number of decisions of all games.
        seconds: the time of all games.
        backend: the back end that played them: "python", "wasm" or "llvm".
        why: why it played them, as a sentence.
        workers: the number of threads that were asked for.
        policy: what guided the moves; "random" for nothing.
    """

    ruleset: str
    scenario: str
    seed: str
    games: int
    finished: int
    wins: dict[str, int]
    reasons: dict[str, int]
    decisions: int
    seconds: float
    backend: str = "python"
    why: str = ""
    workers: int = 1
    policy: str = RANDOM
    shared: dict[tuple[str, ...], int] = field(factory=dict)
    absent: tuple[str, ...] = ()

    def _repr_html_(self) -> str:
        """Bar charts of the winners and of the rules that ended the games, for notebooks."""
        title = f"{self.ruleset} {self.scenario}: {self.finished} / {self.games}"
        charts = ((title, self.wins), ("§", self.reasons))
        return "".join(
            f"<div>{self._bars(name, counts)}</div>" for name, counts in charts if counts
        )

    def _bars(self, name: str, counts: dict[str, int]) -> str:
        total = max(self.finished, 1)
        shares = {key: count / total for key, count in counts.items()}
        return bars(name, shares, {key: str(count) for key, count in counts.items()})

    @property
    def decisions_per_second(self) -> float:
        """The number of decisions per second, each with a list of all legal actions."""
        return self.decisions / self.seconds if self.seconds else 0.0

    def as_json(self) -> dict[str, object]:
        """Plain data with stable keys, for `json`."""
        shared = [{"players": [*names], "games": count} for names, count in self.shared.items()]
        more = {"shared": shared, "decisions_per_second": self.decisions_per_second}
        return {**asdict(self), **more}


@define
class SimulationRun:
    """Counts random games one by one, so that a simulation can stop at any time.

    >>> import hots_rules as hr
    >>> simulation_run = hr.analysis.SimulationRun(hr.load("hots-4.0"), "braveheart", "seed")
    >>> simulation_run.play_one()
    >>> simulation_run.result().games
    1

    Attributes:
        ruleset: the ruleset.
        scenario: the name of the scenario.
        seed: the seed; game number i has the seed `seed/i`.
        options: the chosen options.
        readings: the chosen readings.
        backend: "auto", "python", "wasm" or "llvm".
        workers: the number of threads.
        policy: a policy of the ruleset, or its lines, that guides the moves; see `Batch.of`.
        games: the number of games played so far.

    Raises:
        ArgumentError: no such scenario, option, reading, value, policy or back end.
        RulesetError: the lines of the policy cannot be read.
    """

    ruleset: AnyRuleset
    scenario: str
    seed: str
    options: Choices = field(factory=dict)
    readings: Choices = field(factory=dict)
    backend: str = "auto"
    workers: int = 1
    policy: str = RANDOM
    games: int = field(default=0, init=False)
    _finished: int = field(default=0, init=False)
    _decisions: int = field(default=0, init=False)
    _wins: dict[str, int] = field(factory=dict, init=False)
    _reasons: dict[str, int] = field(factory=dict, init=False)
    _shared: dict[tuple[str, ...], int] = field(factory=dict, init=False)
    _batch: Batch | None = field(default=None, init=False)
    _start: float = field(factory=perf_counter, init=False)

    def __attrs_post_init__(self) -> None:
        check_kind("ruleset", self.ruleset, BaseRuleset, "a ruleset")
        options, readings = self.options, self.readings
        self.ruleset.start(self.scenario, seed=self.seed, options=options, readings=readings)
        check_backend(self.backend, self.workers)
        if self.policy != RANDOM:
            policy_of(self.ruleset, self.policy)
        self._wins = dict.fromkeys([*self.ruleset.players, "nobody"], 0)
        self._start = perf_counter()

    def play_one(self) -> None:
        """Play the next game to its end; a game that is interrupted is not counted.

        Raises:
            EngineError: the ruleset violates one of its bounds, or asks somebody who has no legal action.
        """
        for _ in self.play(1):
            pass

    def play(self, games: int) -> Iterator[int]:
        """Play the next games; yields the number of games after each. Close the iterator to stop earlier.

        The first call chooses the back end, by its number of games.

        Raises:
            EngineError: the ruleset violates one of its bounds, or asks somebody who has no legal action.
            MissingLibrary: the back end that is named is not installed, or does not work.
        """
        check_whole("games", games, most=MAX_GAMES)
        batch = self._batch_for(games)
        numbers = range(self.games, self.games + games)
        for end in batch.play_scenario(self.scenario, (f"{self.seed}/{i}" for i in numbers)):
            self._add(batch, (end.outcome, end.reason, end.is_over), 1)
            self._decisions += end.decisions
            yield self.games

    def play_parts(self, games: int) -> Iterator[int]:
        """As `play`, but yields the number of games only after every few hundred, and takes less time for each.

        Raises:
            EngineError: as `play`.
            MissingLibrary: as `play`.
        """
        check_whole("games", games, most=MAX_GAMES)
        batch = self._batch_for(games)
        start = batch.machine.begin(self.scenario)
        numbers = range(self.games, self.games + games)
        for part in batch.count(start, f"{self.seed}/", numbers):
            for ending, ended in part.ends.items():
                self._add(batch, ending, ended)
            self._decisions += part.decisions
            yield self.games

    def _batch_for(self, games: int) -> Batch:
        self._batch = self._batch or Batch.of(
            self.ruleset,
            self.options,
            self.readings,
            backend=self.backend,
            workers=self.workers,
            games=games,
            policy=self.policy,
        )
        return self._batch

    def _add(self, batch: Batch, ending: tuple[int, int, bool], games: int) -> None:
        """Counts the games that ended in one way; see `hots_rules.native.batch.Counted`."""
        outcome, reason, is_over = ending
        self.games += games
        if not is_over:
            return
        self._finished += games
        winners = batch.machine.facts.winners(outcome)
        for winner in winners or ("nobody",):
            self._wins[winner] += games
        if len(winners) > 1:
            self._shared[winners] = self._shared.get(winners, 0) + games
        rule = batch.machine.facts.origins[reason].rule if outcome else "no outcome"
        self._reasons[rule] = self._reasons.get(rule, 0) + games

    def result(self) -> Simulation:
        """The statistics of the games so far."""
        return Simulation(
            self.ruleset.name,
            self.scenario,
            self.seed,
            self.games,
            self._finished,
            dict(self._wins),
            dict(self._reasons),
            self._decisions,
            perf_counter() - self._start,
            *(("python", "") if self._batch is None else (self._batch.backend, self._batch.why)),
            self.workers,
            self.policy,
            dict(self._shared),
            self._absent(),
        )

    def _absent(self) -> tuple[str, ...]:
        """The players without a win who never choose in the first game, which is played again to find them."""
        batch, players = self._batch, self.ruleset.players
        if batch is None or not self.games or all(self._wins[player] for player in players):
            return ()
        machine, seed, asked = batch.machine, f"{self.seed}/0", set[int]()
        slots = machine.begin(self.scenario)
        machine.run(slots, slots[POINT], seed)
        playout(
            machine,
            slots,
            seed,
            Random(seed),
            lambda legal: asked.update(map(machine.player_of, legal)),
        )
        return tuple(
            player
            for number, player in enumerate(players)
            if number not in asked and not self._wins[player]
        )


def simulate(
    ruleset: AnyRuleset,
    scenario: str,
    *,
    games: int = 100,
    seed: int | str = 0,
    options: Choices | None = None,
    readings: Choices | None = None,
    backend: str = "auto",
    workers: int = 1,
    policy: str = RANDOM,
) -> Simulation:
    """Plays games with random moves; `SimulationRun` does so one by one.

    The counts do not depend on the back end or the number of workers.

    >>> import hots_rules as hr
    >>> hr.simulate(hr.load("hots-4.0"), "braveheart", games=1).finished
    1

    Args:
        ruleset: the ruleset.
        scenario: the name of the scenario.
        games: the number of games.
        seed: the seed; game number i has the seed `seed/i`.
        options: options by name; the others have their defaults.
        readings: readings by name; the others have their defaults.
        backend: "auto", "python", "wasm" or "llvm"; "auto" takes what is installed and pays off.
        workers: the number of threads; Python plays in one.
        policy: a policy of the ruleset, or its lines, that guides the moves; see `Batch.of`.

    Raises:
        ArgumentError: no such scenario, option, reading, value, policy or back end, or less than one worker.
        RulesetError: the lines of the policy cannot be read.
        MissingLibrary: the back end that is named is not installed, or does not work.
        EngineError: the ruleset violates one of its bounds, or asks somebody who has no legal action.
    """
    simulation_run = SimulationRun(
        ruleset, scenario, str(seed), options or {}, readings or {}, backend, workers, policy
    )
    for _ in simulation_run.play_parts(games):
        pass
    return simulation_run.result()

"""Many games with random moves, played on packed states."""

from random import Random
from time import perf_counter

from attrs import asdict, define, field, frozen

from hots_rules.compile.codes import POINT, REASON, Slots
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import EngineError
from hots_rules.play.game import AnyRuleset
from hots_rules.play.ruleset import Choices
from hots_rules.state.position import position_text
from hots_rules.state.schema import StateSchema
from hots_rules.state.state import State

MAX_DECISIONS = 200_000  # of one game
NO_ACTION = "no action is legal in phase `{phase}`: permit one there, or do not ask"


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
        wins: the number of wins of each player, and of "nobody".
        reasons: the number of finished games by the rule that ended them.
        decisions: the number of decisions of all games.
        seconds: the time of all games.
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

    @property
    def decisions_per_second(self) -> float:
        """The number of decisions per second, each with a list of all legal actions."""
        return self.decisions / self.seconds if self.seconds else 0.0

    def as_json(self) -> dict[str, object]:
        """Plain data with stable keys, for `json`."""
        return {**asdict(self), "decisions_per_second": self.decisions_per_second}


def playout(machine: Machine, slots: Slots, seed: str, chooser: Random) -> int:
    """Plays a packed state in place with random moves until the game ends; returns the number of decisions.

    Raises:
        EngineError: nobody has a legal action, or the ruleset violates another of its bounds.
    """
    decisions = 0
    pick = chooser.random
    while slots[POINT] and decisions < MAX_DECISIONS:
        legal = machine.legal(slots)
        if not legal:
            raise dead_end(machine, slots)
        machine.play(slots, legal[int(pick() * len(legal))], seed)
        decisions += 1
    return decisions


def dead_end(machine: Machine, slots: Slots) -> EngineError:
    """The error of a decision at which nobody has a legal action."""
    point, schema = machine.facts.points[-1 - slots[POINT]], StateSchema(machine.facts)
    return EngineError(
        NO_ACTION.format(phase=point.phase), position=position_text(State(tuple(slots), schema))
    )


@define
class SimulationTotals:
    """Counts random games one by one, so that a simulation can stop at any time.

    >>> import hots_rules as hr
    >>> totals = hr.analysis.SimulationTotals(hr.load("hots-4.0"), "braveheart", "seed")
    >>> totals.play_one()
    >>> totals.result().games
    1

    Attributes:
        ruleset: the ruleset.
        scenario: the name of the scenario.
        seed: the seed; game number i has the seed `seed/i`.
        options: the chosen options.
        readings: the chosen readings.
        games: the number of games played so far.

    Raises:
        UnknownOption: no such scenario, option, reading or value.
    """

    ruleset: AnyRuleset
    scenario: str
    seed: str
    options: Choices = field(factory=dict)
    readings: Choices = field(factory=dict)
    games: int = field(default=0, init=False)
    _finished: int = field(default=0, init=False)
    _decisions: int = field(default=0, init=False)
    _wins: dict[str, int] = field(factory=dict, init=False)
    _reasons: dict[str, int] = field(factory=dict, init=False)
    _machine: Machine = field(init=False)
    _start: float = field(factory=perf_counter, init=False)

    def __attrs_post_init__(self) -> None:
        options, readings = self.options, self.readings
        self.ruleset.start(self.scenario, seed=self.seed, options=options, readings=readings)
        self._machine = self.ruleset.machine(self.ruleset.chosen(options, readings))
        self._wins = dict.fromkeys([*self.ruleset.players, "nobody"], 0)
        self._start = perf_counter()

    def play_one(self) -> None:
        """Plays the next game to its end; a game that is interrupted is not counted.

        Raises:
            EngineError: the ruleset violates one of its bounds, or asks somebody who has no legal action.
        """
        machine, seed = self._machine, f"{self.seed}/{self.games}"
        slots = machine.begin(self.scenario)
        machine.run(slots, slots[POINT], seed)
        decisions = playout(machine, slots, seed, Random(seed))
        self.games += 1
        self._decisions += decisions
        if machine.is_over(slots):
            self._count_outcome(slots)

    def _count_outcome(self, slots: Slots) -> None:
        self._finished += 1
        code = self._machine.outcome(slots)
        self._wins[self.ruleset.players[code - 2] if code > 1 else "nobody"] += 1
        origins = self._machine.facts.origins
        reason = origins[slots[REASON]].rule if code else "no outcome"
        self._reasons[reason] = self._reasons.get(reason, 0) + 1

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
        )


def simulate(
    ruleset: AnyRuleset,
    scenario: str,
    *,
    games: int = 100,
    seed: int | str = 0,
    options: Choices | None = None,
    readings: Choices | None = None,
) -> Simulation:
    """Plays games with random moves; `SimulationTotals` does so one by one.

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

    Raises:
        UnknownOption: no such scenario, option, reading or value.
    """
    totals = SimulationTotals(ruleset, scenario, str(seed), options or {}, readings or {})
    for _ in range(games):
        totals.play_one()
    return totals.result()

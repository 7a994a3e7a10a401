"""Many games by chance, on packed states from end to end."""

from __future__ import annotations

from random import Random
from time import perf_counter
from typing import Any

from attrs import asdict, define, field, frozen

from hots_rules.compile.machine import Machine
from hots_rules.compile.points import Slots
from hots_rules.play.game import BaseGame
from hots_rules.play.ruleset import BaseRuleset, Choices

MAX_DECISIONS = 200_000


@frozen
class Simulation:
    """What came of many games: how many finished, who won, why, and how fast."""

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
        """Decisions a second, every list of legal actions built."""
        return self.decisions / self.seconds if self.seconds else 0.0

    def as_json(self) -> dict[str, Any]:
        """The figures under their published keys."""
        return {**asdict(self), "decisions_per_second": self.decisions_per_second}


def playout(machine: Machine, slots: Slots, seed: str, chooser: Random) -> int:
    """Plays a packed state to its end in place, every choice by chance; the number of decisions."""
    made = 0
    pick = chooser.random
    while slots[0] and made < MAX_DECISIONS:
        legal = machine.legal(slots)
        machine.play(slots, legal[int(pick() * len(legal))], seed)
        made += 1
    return made


@define
class SimulationTotals:
    """Games of one scenario, counted one by one, so that whoever stops early has what was counted.

    Game number i has the seed "seed/i", so the same numbers are the same games.

    Raises:
        UnknownOption: no such scenario, option, reading or value.
    """

    ruleset: BaseRuleset[BaseGame]
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
    _began: float = field(factory=perf_counter, init=False)

    def __attrs_post_init__(self) -> None:
        options, readings = self.options, self.readings
        self.ruleset.start(self.scenario, seed=self.seed, options=options, readings=readings)
        self._machine = self.ruleset.machine(self.ruleset.chosen(options, readings))
        self._wins = dict.fromkeys([*self.ruleset.players, "nobody"], 0)
        self._began = perf_counter()

    def play_one(self) -> None:
        """Plays the next game to its end; if it is interrupted, it does not count."""
        machine, own = self._machine, f"{self.seed}/{self.games}"
        slots = machine.begin(self.scenario)
        machine.run(slots, slots[0], own)
        decisions = playout(machine, slots, own, Random(own))
        self.games += 1
        self._decisions += decisions
        if machine.is_over(slots):
            self._count(slots)

    def _count(self, slots: Slots) -> None:
        self._finished += 1
        code = self._machine.outcome(slots)
        self._wins[self.ruleset.players[code - 2] if code > 1 else "nobody"] += 1
        origins = self._machine.facts.origins
        reason = origins[slots[2]].rule if code else "no outcome"
        self._reasons[reason] = self._reasons.get(reason, 0) + 1

    def result(self) -> Simulation:
        """What came of the games so far."""
        return Simulation(
            self.ruleset.name,
            self.scenario,
            self.seed,
            self.games,
            self._finished,
            dict(self._wins),
            dict(self._reasons),
            self._decisions,
            perf_counter() - self._began,
        )


def simulate(
    ruleset: BaseRuleset[BaseGame],
    scenario: str,
    *,
    games: int = 100,
    seed: int | str = 0,
    options: Choices | None = None,
    readings: Choices | None = None,
) -> Simulation:
    """Plays games by chance; a `SimulationTotals` does it game by game.

    Raises:
        UnknownOption: no such scenario, option, reading or value.
    """
    tally = SimulationTotals(ruleset, scenario, str(seed), options or {}, readings or {})
    for _ in range(games):
        tally.play_one()
    return tally.result()

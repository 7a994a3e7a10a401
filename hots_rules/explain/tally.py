"""Many games by chance, counted one by one, so that whoever stops early has what was counted."""

from __future__ import annotations

from random import Random
from time import perf_counter

from attrs import define, field

from hots_rules.compile.machine import Machine
from hots_rules.play.ruleset import Choices, Ruleset
from hots_rules.play.simulate import Simulation, playout


@define
class Tally:
    """Games of one scenario; number i has the seed "seed/i", as in `simulate`.

    Raises:
        UnknownOption: no such scenario, option, reading or value.
    """

    ruleset: Ruleset
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
        self.ruleset.start(
            self.scenario, seed=self.seed, options=self.options, readings=self.readings
        )
        self._machine = self.ruleset.machine(self.ruleset.chosen(self.options, self.readings))
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

    def _count(self, slots: list[int]) -> None:
        self._finished += 1
        code = self._machine.outcome(slots)
        self._wins[self.ruleset.players[code - 2] if code > 1 else "nobody"] += 1
        origins = self._machine.facts["origins"]
        reason = origins[slots[2]]["rule"] if code else "no outcome"
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

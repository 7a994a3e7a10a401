"""Many games by chance, on packed states from end to end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from time import perf_counter
from typing import Any

from attrs import frozen

from hots_rules.compile.machine import Machine, Slots
from hots_rules.play.ruleset import Choices, Ruleset

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
        return {"ruleset": self.ruleset, "scenario": self.scenario, "seed": self.seed, "games": self.games, "finished": self.finished,
                "wins": self.wins, "reasons": self.reasons, "decisions": self.decisions, "seconds": self.seconds,
                "decisions_per_second": self.decisions_per_second}  # fmt: skip


def playout(machine: Machine, slots: Slots, seed: str, chooser: Random) -> int:
    """Plays a packed state to its end in place, every choice by chance; the number of decisions."""
    made = 0
    pick = chooser.random
    while slots[0] and made < MAX_DECISIONS:
        legal = machine.legal(slots)
        machine.play(slots, legal[int(pick() * len(legal))], seed)
        made += 1
    return made


def simulate(ruleset: Ruleset, scenario: str, *, games: int = 100, seed: int | str = 0, options: Choices | None = None,
             readings: Choices | None = None, progress: Callable[[int], None] | None = None) -> Simulation:  # fmt: skip
    """Plays games by chance; game i has the seed "seed/i", so the same call gives the same games.

    `progress` is called with the number of games done. Ctrl-C in it or in the play stops at once.

    Raises:
        UnknownOption: no such scenario, option, reading or value.
    """
    ruleset.start(scenario, seed=seed, options=options, readings=readings)
    settings = ruleset.chosen(options or {}, readings or {})
    machine = ruleset.machine(settings)
    wins = dict.fromkeys([*ruleset.players, "nobody"], 0)
    reasons: dict[str, int] = {}
    finished = decisions = 0
    began = perf_counter()
    for number, (made, slots) in enumerate(_games(machine, scenario, seed, games), 1):
        decisions += made
        if not slots[0]:
            finished += 1
            code = machine.outcome(slots)
            wins[ruleset.players[code - 2] if code > 1 else "nobody"] += 1
            reason = machine.facts["origins"][slots[2]]["rule"] if code else "no outcome"
            reasons[reason] = reasons.get(reason, 0) + 1
        if progress is not None:
            progress(number)
    return Simulation(
        ruleset.name,
        scenario,
        str(seed),
        games,
        finished,
        wins,
        reasons,
        decisions,
        perf_counter() - began,
    )


def _games(
    machine: Machine, scenario: str, seed: int | str, games: int
) -> Iterator[tuple[int, Slots]]:
    for number in range(games):
        own = f"{seed}/{number}"
        slots = machine.begin(scenario)
        machine.run(slots, slots[0], own)
        yield playout(machine, slots, own, Random(own)), slots

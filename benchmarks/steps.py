"""Steps a second of batches of games, in random play, with NumPy arrays of all that a step gives.

    python benchmarks/steps.py [--turns 3] [--games 2048] [--backend llvm] [--json]

The ways take turns; medians are reported. A step is an action that is played in one game; its choice by NumPy counts.
Figures by the clock need a quiet machine; those by processor time, of one processor, do not.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from statistics import median
from time import perf_counter, process_time

import numpy as np
from attrs import asdict, frozen

import hots_rules as hr

SCENARIOS = {("connect-four-1.0", "empty-board"): 1_000_000, ("hots-4.0", "braveheart"): 150_000}
"""Scenarios with the least steps a second of two threads, by the clock and without a dense mask."""
SECONDS = 2.0


@frozen
class Way:
    """How a batch steps."""

    observations: str = "dense"
    workers: int = 2
    has_mask: bool = False

    def __str__(self) -> str:
        mask = ", dense mask" if self.has_mask else ""
        return f"{self.observations} observations, {self.workers} threads{mask}"


WAYS = (
    Way(),
    Way(has_mask=True),
    Way("sparse"),
    Way("sparse", has_mask=True),
    Way("none"),
    Way(workers=1),
    Way("sparse", workers=1),
)


@frozen
class Row:
    """The steps a second of a way, by the clock and by processor time."""

    scenario: str
    way: str
    by_clock: float
    by_processor: float
    least: int | None = None


def speeds(
    batch: hr.formats.GameBatch, way: Way, generator: np.random.Generator
) -> tuple[float, float]:
    """Steps a second of random play, once the memory has been touched."""
    step = batch.reset("warm")
    for seconds in (SECONDS / 2, SECONDS):
        played, clock, processor = 0, perf_counter(), process_time()
        while perf_counter() - clock < seconds:
            actions = step.random_actions(generator)
            step = batch.step(actions)
            if way.has_mask:
                batch.dense_mask()
            played += int((actions >= 0).sum())
    return played / (perf_counter() - clock), played / (process_time() - processor)


def rows(turns: int, games: int, backend: str) -> Iterator[Row]:
    """All ways, in turns."""
    for (name, scenario), least in SCENARIOS.items():
        rules, generator = hr.load(name), np.random.default_rng(1)
        measured: dict[Way, list[tuple[float, float]]] = {way: [] for way in WAYS}
        for _ in range(turns):
            for way in WAYS:
                batch = hr.formats.GameBatch.of(
                    rules,
                    scenario,
                    games,
                    backend=backend,
                    workers=way.workers,
                    observations=way.observations,
                )
                measured[way].append(speeds(batch, way, generator))
        for way, pairs in measured.items():
            clock, processor = (median(column) for column in zip(*pairs, strict=True))
            is_target = way.workers == 2 and not way.has_mask
            yield Row(scenario, str(way), clock, processor, least if is_target else None)


def main() -> None:
    """Print all rows."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--games", type=int, default=2048)
    parser.add_argument("--backend", default="llvm")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    for row in rows(given.turns, given.games, given.backend):
        if given.json:
            print(json.dumps(asdict(row)))
            continue
        target = ""
        if row.least is not None:
            is_met = "met" if row.by_clock >= row.least else "missed"
            target = f"  ≥ {row.least:,}: {is_met}"
        print(
            f"{row.scenario:12} {row.way:45} {row.by_clock:11,.0f} by the clock"
            f" {row.by_processor:11,.0f} a processor{target}",
            flush=True,
        )


if __name__ == "__main__":
    main()

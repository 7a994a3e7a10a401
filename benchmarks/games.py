"""Random games a second of both games, and their decisions a second beside one another in one run.

python benchmarks/games.py [--pairs 7] [--games 20] [--json]
"""

from __future__ import annotations

import argparse
import json
from random import Random
from statistics import median
from time import perf_counter

import hots_rules as hr
from hots_rules.analysis.simulating.playouts import playout

BEGINNINGS = (
    ("hots-4.0", "braveheart"),
    ("lords-of-scotland", "2-players"),
    ("lords-of-scotland", "5-players"),
)


def played(name: str, scenario: str, games: int, pair: int) -> tuple[float, float]:
    """Games a second and decisions a second, on the packed form."""
    ruleset = hr.load(name)
    machine = ruleset.machine(ruleset.chosen({}, {}))
    made, began = 0, perf_counter()
    for game in range(games):
        seed = f"{pair}/{game}"
        slots = machine.begin(scenario)
        machine.run(slots, slots[0], seed)
        made += playout(machine, slots, seed, Random(seed))
    took = perf_counter() - began
    return games / took, made / took


def main() -> None:
    """Prints a row for each beginning; the ratio is that of decisions to the first row's, pair by pair."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    for name, scenario in BEGINNINGS:
        played(name, scenario, 1, 0)  # loads and compiles
    pairs = [[played(*one, args.games, pair) for one in BEGINNINGS] for pair in range(args.pairs)]
    found = [
        {
            "beginning": " ".join(one),
            "games/s": median(pair[i][0] for pair in pairs),
            "decisions/s": median(pair[i][1] for pair in pairs),
            "ratio": median(pair[i][1] / pair[0][1] for pair in pairs),
        }
        for i, one in enumerate(BEGINNINGS)
    ]
    if args.json:
        print(json.dumps(found))
        return
    for row in found:
        print(
            f"{row['beginning']:30} {row['games/s']:8.1f} games/s"
            f" {row['decisions/s']:10,.0f} decisions/s {row['ratio']:6.2f}"
        )


if __name__ == "__main__":
    main()

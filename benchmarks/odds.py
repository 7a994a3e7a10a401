"""How long the exact odds of a battle take: three blocks against three, six against six, eight against eight.

Everybody fires, nobody leaves the field, three rounds. Each time is that of a whole `game.odds`, the
question included, in seconds of the processor; the ruleset is loaded before. The battle of eight is made up in one
line, since no border lets eight blocks cross.

    python benchmarks/odds.py [--runs 3] [--json]
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import process_time

import hots_rules as hr

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.analysis.battles import battle

SCOTS = {"Wallace": 4, "Douglas": 4, "Barclay": 4, "Campbell": 4, "Graham": 4, "Lindsay": 3}
ENGLISH = {"Northumber Infantry": 4, "York Knights": 4, "Lancaster Infantry": 4, "Durham Infantry": 3,
           "Lancaster Archers": 3, "York Infantry": 3}  # fmt: skip
EIGHT = """Fife: Wallace 4, Douglas 4, Barclay 4, Campbell 4, Graham 4, Lindsay 3, Bruce 4, Moray 3 against Edward 4,
Northumber Infantry 4, York Knights 3, Lancaster Infantry 4, Durham Infantry 3, Lancaster Archers 3, York Infantry 3,
Cumbria Infantry 3"""
HELD = "some army(Scotland, Fife)"


def first(blocks: dict[str, int], many: int) -> dict[str, int]:
    """So many of the blocks."""
    return dict(list(blocks.items())[:many])


def games() -> Iterator[tuple[int, hr.Game]]:
    """Each battle at its first decision, after the number of blocks of a side."""
    for many in (3, 6):
        yield many, battle(first(SCOTS, many), first(ENGLISH, many))
    yield 8, hr.talk.battle(hr.load("hots-4.0"), EIGHT, states=1, samples=1).game


def measured(game: hr.Game, runs: int) -> tuple[float, int, float]:
    """The median time in seconds, the number of states, the chance that the defender holds."""
    times = []
    for _ in range(runs):
        began = process_time()
        odds = game.odds(until="battle", policy="fight-on")
        held = odds.chance(HELD)
        times.append(process_time() - began)
    assert odds.exact
    return median(times), odds.states, float(held)


def main() -> None:
    """Prints a row per battle."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    rows = []
    for many, game in games():
        seconds, states, held = measured(game, args.runs)
        rows.append({"blocks a side": many, "seconds": seconds, "states": states, "held": held})
    if args.json:
        print(json.dumps(rows))
        return
    for row in rows:
        print(
            f"{row['blocks a side']} against {row['blocks a side']}: {row['seconds']:.2f} s, "
            f"{row['states']:,} states, held {row['held']:.4f}"
        )


if __name__ == "__main__":
    main()

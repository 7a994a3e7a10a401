"""What an edition costs beside the newest rulebook: loading with an empty and a filled cache, and random play.

Every run is a process of its own with a cache folder of its own; the editions take turns, the first round is thrown
away. Seconds are those of the processor; the ratios are medians, round by round, to the first edition.

    python benchmarks/editions.py [--runs 5] [--decisions 3000, 0 for none] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import hots_rules

HOME = Path(hots_rules.__file__).parent.parent
EDITIONS = ("hots-4.0", "hots-3.x", "hots-2.3", "hots-player-aid")
MEASURES = ("cold load s", "warm load s", "decision us")
WARM = 7  # loads with a filled cache in a round, of which the median counts
LOAD = """
from time import process_time
import hots_rules
began = process_time()
hots_rules.load({ruleset!r})
print(process_time() - began)
"""
PLAY = """
from random import Random
from time import process_time
import hots_rules
rules, luck, done = hots_rules.load({ruleset!r}), Random(1), 0
began = process_time()
while done < {decisions}:
    game = rules.start("braveheart", seed=done)
    while not game.is_over:
        game = game.play(luck.choice(game.actions))
        done += 1
print((process_time() - began) / done * 1e6)
"""


def run(code: str, cache: str) -> float:
    """What a fresh process measures."""
    paths = [str(HOME), *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"HOTS_RULES_CACHE": cache, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def measure(decisions: int) -> list[tuple[float, float, float]]:
    """One round: for each edition a cold load, a warm one, play; at each of them the editions take turns."""
    with TemporaryDirectory() as cache:
        loads, plays = (
            [code.format(ruleset=name, decisions=decisions) for name in EDITIONS]
            for code in (LOAD, PLAY)
        )
        cold = [run(load, cache) for load in loads]
        turns = [[run(load, cache) for load in loads] for _ in range(WARM)]
        warm = [median(times) for times in zip(*turns, strict=True)]
        played = [run(play, cache) if decisions else 0.0 for play in plays]
        return list(zip(cold, warm, played, strict=True))


def main() -> None:
    """Prints a row per edition."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--decisions", type=int, default=3000)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    rounds = [measure(args.decisions) for _ in range(args.runs + 1)][1:]
    found = {}
    for at, name in enumerate(EDITIONS):
        found[name] = {
            what: {
                "median": median(one[at][number] for one in rounds),
                "ratio": median(one[at][number] / (one[0][number] or 1) for one in rounds),
            }
            for number, what in enumerate(MEASURES)
        }
    if args.json:
        print(json.dumps(found))
        return
    print(f"{'':16}" + "".join(f"{what:>14} {'ratio':>6}" for what in MEASURES))
    for name, row in found.items():
        cells = "".join(f"{cell['median']:14.3f} {cell['ratio']:6.2f}" for cell in row.values())
        print(f"{name:16}{cells}")


if __name__ == "__main__":
    main()

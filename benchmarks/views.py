"""Latency of views beside that of legal actions, and worlds a second.

At every decision of a random game the two are asked for in turn, through the public interface, so that
a machine that slows down slows both; medians are reported.

    python benchmarks/views.py [--ruleset hots-4.0] [--scenario braveheart] [--plays 200] [--json]
"""

from __future__ import annotations

import argparse
import json
from random import Random
from statistics import median
from time import perf_counter

import hots_rules as hr


def latencies(ruleset: hr.Ruleset, scenario: str, plays: int) -> dict[str, float]:
    """Milliseconds of a play, of the list of actions, and of a view of the game that came of it."""
    chooser, player = Random(1), ruleset.players[0]
    game = ruleset.start(scenario, seed=1)
    game.view(player)
    played, listed, seen = [], [], []
    for _ in range(plays):
        if game.is_over:
            break
        action = chooser.choice(game.actions)
        began = perf_counter()
        game = game.play(action)
        played.append(perf_counter() - began)
        began = perf_counter()
        _ = game.actions
        listed.append(perf_counter() - began)
        began = perf_counter()
        game.view(player)
        seen.append(perf_counter() - began)
    return {
        "play, ms": 1000 * median(played),
        "actions, ms": 1000 * median(listed),
        "view, ms": 1000 * median(seen),
        "ratio view/actions": median(a / b for a, b in zip(seen, listed, strict=True)),
    }


def imagined(ruleset: hr.Ruleset, scenario: str, plays: int) -> dict[str, float]:
    """Worlds a second at some moments: the first one, and those after it."""
    chooser, player = Random(2), ruleset.players[0]
    game = ruleset.start(scenario, seed=2)
    first, more, proven = [], [], []
    for number in range(plays):
        if game.is_over:
            break
        if number % 20 == 0:
            began = perf_counter()
            game.worlds(player, 1, seed=number)
            first.append(perf_counter() - began)
            began = perf_counter()
            worlds = game.worlds(player, 20, seed=number)
            more.append(20 / (perf_counter() - began))
            proven += [world.course is not None for world in worlds]
        game = game.play(chooser.choice(game.actions))
    return {
        "first world, ms": 1000 * median(first),
        "worlds/s after it": median(more),
        "worlds with a course": sum(proven) / len(proven),
    }


def main() -> None:
    """Prints a row per measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ruleset", default="hots-4.0")
    parser.add_argument("--scenario", default="braveheart")
    parser.add_argument("--plays", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    ruleset = hr.load(args.ruleset)
    found = latencies(ruleset, args.scenario, args.plays)
    found |= imagined(ruleset, args.scenario, args.plays)
    if args.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name:22} {value:10,.3f}")


if __name__ == "__main__":
    main()

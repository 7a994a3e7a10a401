"""What a state costs to copy, and how much a state, a game and a record hold.

The game is a whole random playout; all its states have the same number of slots.

    python benchmarks/memory.py [--repeats 7] [--ruleset hots-4.0] [--scenario braveheart] [--json]
"""

from __future__ import annotations

import argparse
import json
import tracemalloc
from copy import copy
from pickle import dumps
from random import Random
from sys import getsizeof
from timeit import repeat

import hots_rules as hr

TIMES = 100_000


def microseconds(statement: str, names: dict[str, object], repeats: int) -> float:
    """The best time of a statement."""
    return min(repeat(statement, globals=names, repeat=repeats, number=TIMES)) / TIMES * 1e6


def played(ruleset: hr.Ruleset, scenario: str) -> hr.Game:
    """A game by chance, at its end."""
    chooser = Random(1)
    game = ruleset.start(scenario, seed=1)
    while not game.is_over:
        game = game.play(chooser.choice(game.actions))
    return game


def held(ruleset: hr.Ruleset, scenario: str, moves: tuple[int, ...]) -> int:
    """The bytes that a game holds which was played by code, beside its ruleset."""
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    game = ruleset.start(scenario, seed=1)
    for move in moves:
        game = game.play_code(move)
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert game.is_over
    return after - before


def main() -> None:
    """Prints a row per measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--ruleset", default="hots-4.0")
    parser.add_argument("--scenario", default="braveheart")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    ruleset = hr.load(args.ruleset)
    game = played(ruleset, args.scenario)
    packed = list(game.state.slots)
    names = {"copy": copy, "state": game.state, "packed": packed, "State": hr.State}
    own = microseconds("State(tuple(packed), state.schema)", names, args.repeats)
    found = {
        "copy of a State, µs": microseconds("copy(state)", names, args.repeats),
        "packed state to packed state, µs": microseconds("packed.copy()", names, args.repeats),
        "packed state to State, µs": own,
        "slots of a state": len(packed),
        "state, bytes": getsizeof(game.state) + getsizeof(game.state.slots),
        "decisions of the game": len(game.moves),
        "game beside its ruleset, bytes": held(ruleset, args.scenario, game.moves),
        "game's record, bytes": len(str(game.record).encode()),
        "state, pickled slots, bytes": len(dumps(game.state.slots)),
    }
    if args.json:
        print(json.dumps(found, ensure_ascii=False))
        return
    for name, value in found.items():
        print(f"{name:34} {value:12,.2f}")


if __name__ == "__main__":
    main()

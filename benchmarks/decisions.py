"""Decisions a second in random play, beside python-chess in the same run.

Both sides build the whole list of legal actions at every decision and play one of them at random.
The two take turns, so that a machine that slows down slows both; medians are reported.

    python benchmarks/decisions.py [--pairs 7] [--scenario braveheart] [--json]
"""

from __future__ import annotations

import argparse
import json
from random import Random
from statistics import median
from time import perf_counter

import chess

import hots_rules as hr
from hots_rules.analysis.simulating.playouts import playout


def ours(ruleset: hr.Ruleset, scenario: str, games: int, pair: int) -> float:
    """Decisions a second on the packed form."""
    machine = ruleset.machine(ruleset.chosen({}, {}))
    made, began = 0, perf_counter()
    for game in range(games):
        seed = f"{pair}/{game}"
        slots = machine.begin(scenario)
        machine.run(slots, slots[0], seed)
        made += playout(machine, slots, seed, Random(seed))
    return made / (perf_counter() - began)


def public(ruleset: hr.Ruleset, scenario: str, pair: int) -> float:
    """Decisions a second through `game.actions` and `game.play`, with every text."""
    chooser = Random(pair)
    game, made, began = ruleset.start(scenario, seed=pair), 0, perf_counter()
    while not game.is_over:
        game = game.play(chooser.choice(game.actions))
        made += 1
    return made / (perf_counter() - began)


def chess_playouts(games: int, pair: int) -> float:
    """Moves a second of python-chess with `list(board.legal_moves)` and `push`."""
    chooser, made, began = Random(pair), 0, perf_counter()
    for _ in range(games):
        board = chess.Board()
        while len(board.move_stack) < 300 and (moves := list(board.legal_moves)):
            board.push(chooser.choice(moves))
            made += 1
    return made / (perf_counter() - began)


def main() -> None:
    """Prints a row per measure, then the ratio pair by pair."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--ruleset", default="hots-4.0")
    parser.add_argument("--scenario", default="braveheart")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    ruleset = hr.load(args.ruleset)
    mine, theirs, shown = [], [], []
    for pair in range(args.pairs):
        mine.append(ours(ruleset, args.scenario, args.games, pair))
        theirs.append(chess_playouts(5, pair))
        shown.append(public(ruleset, args.scenario, pair))
    found = {
        "packed decisions/s": median(mine),
        "public API decisions/s": median(shown),
        "python-chess moves/s": median(theirs),
        "ratio packed/python-chess": median(a / b for a, b in zip(mine, theirs, strict=True)),
    }
    if args.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name:28} {value:12,.2f}")


if __name__ == "__main__":
    main()

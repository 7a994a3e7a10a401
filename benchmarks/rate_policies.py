"""Rates policies for each side of Hammer of the Scots from games of all pairs, by the model of Bradley and Terry.

Needs the packages `choix` and `wasmtime`:

    python benchmarks/rate_policies.py --games 400

A rating of 400 more is ten times as many wins for each loss, as in chess; random play of England has 0.
"""

from __future__ import annotations

import argparse
from itertools import product
from math import log

import hots_rules as hr

RULES, SCENARIO = "hots-4.0", "braveheart"
SIDES = ("England", "Scotland")
POLICIES = ("random", "fight-on", "attack-before-tuning", "scottish-attack", "english-attack")


def results(games: int, backend: str) -> list[tuple[int, int, int]]:
    """The wins of English policies against Scottish ones: the numbers of both, and how often the first one won."""
    rules, found = hr.load(RULES), []
    for first, second in product(range(len(POLICIES)), repeat=2):
        guide = f"England={POLICIES[first]},Scotland={POLICIES[second]}"
        if POLICIES[first] == POLICIES[second] == "random":
            guide = "random"
        played = hr.simulate(
            rules, SCENARIO, games=games, seed="rating", policy=guide, backend=backend
        )
        found.append((first, second, played.wins["England"]))
    return found


def main() -> None:
    """Play all pairs, and print the ratings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--backend", default="wasm")
    args = parser.parse_args()
    import choix  # only this needs it

    many = len(POLICIES)
    pairs = []
    for first, second, won in results(args.games, args.backend):
        pairs += [(first, many + second)] * won + [(many + second, first)] * (args.games - won)
    # A little regularisation: some pairs never lose.
    strengths = choix.ilsr_pairwise(2 * many, pairs, alpha=0.01)
    print("| policy | England | Scotland |\n| --- | --- | --- |")
    for number, name in enumerate(POLICIES):
        ratings = [
            400 / log(10) * (strengths[number + many * side] - strengths[0]) for side in (0, 1)
        ]
        print(f"| {name} | {ratings[0]:+.0f} | {ratings[1]:+.0f} |")


if __name__ == "__main__":
    main()

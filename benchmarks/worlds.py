"""How long the worlds of a player take, and how many of them come without a course of play.

    python benchmarks/worlds.py [RULESET ...] [--lengths 30 100 300 1000] [--games 1] [--worlds 5] [--along]

Random games of each ruleset, by fixed seeds, at several numbers of plays. For each seat: the processor time of the
first world of a game that nothing is known of yet, and of the ones after it. With `--along`: of one world for the first
seat at each decision of a game, each of which goes on from what the one before it found.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import islice
from random import Random
from statistics import median
from time import process_time

from attrs import evolve

import hots_rules as hr
from hots_rules.observe.worlds import worlds_of


def games_at(rules: hr.Ruleset, lengths: list[int], number: int) -> Iterator[tuple[int, hr.Game]]:
    """A random game after some numbers of plays, with how many these are, as long as it is not over."""
    chance = Random(f"worlds/{rules.name}/{number}")
    game = rules.start(chance.choice(rules.scenarios), seed=f"{rules.name}/{number}")
    for plays in range(max(lengths) + 1):
        if game.is_over:
            return
        if plays in lengths:
            yield plays, evolve(game, derived={})
        game = game.play_code(chance.choice(game.legal_codes))


def seconds_of_worlds(game: hr.Game, player: str, number: int) -> tuple[list[float], int]:
    """The processor time of each world, the first one first, and how many of them have no course."""
    seconds, unproven = list[float](), 0
    worlds = worlds_of(evolve(game, derived={}), player, number, 0)
    began = process_time()
    for world in islice(worlds, number):
        seconds.append(process_time() - began)
        unproven += world.course is None
        began = process_time()
    return seconds, unproven


def row(label: str, first: list[float], later: list[float], unproven: int) -> str:
    """A line of the table, in milliseconds."""
    number = len(first) + len(later)
    figures = " ".join(
        f"{1000 * median(times):7.0f} {1000 * max(times):7.0f}" for times in (first, later or [0])
    )
    return f"{label:32} {figures} {100 * unproven / number:6.1f} % of {number}"


def measure(name: str, args: argparse.Namespace) -> None:
    """Prints the times of one ruleset, for each number of plays."""
    rules = hr.load(name)
    measured = dict[int, list[tuple[list[float], int]]]()
    for number in range(args.games):
        for plays, game in games_at(rules, args.lengths, number):
            for player in game.state.schema.players:
                measured.setdefault(plays, []).append(seconds_of_worlds(game, player, args.worlds))
    for plays, rows in measured.items():
        first = [seconds[0] for seconds, _ in rows]
        later = [each for seconds, _ in rows for each in seconds[1:]]
        print(row(f"{name} {plays}", first, later, sum(count for _, count in rows)), flush=True)


def measure_along(name: str, plays: int) -> None:
    """Prints the times of one ruleset, for a world after each of some plays."""
    rules, seconds, unproven = hr.load(name), list[float](), 0
    game, chance = rules.start(rules.scenarios[0], seed=name), Random(name)
    while not game.is_over and len(seconds) < plays:
        began = process_time()
        (world,) = game.worlds(rules.players[0], 1)
        seconds.append(process_time() - began)
        unproven += world.course is None
        game = game.play_code(chance.choice(game.legal_codes))
    print(row(f"{name} along {len(seconds)}", seconds[:1], seconds[1:], unproven), flush=True)


def main() -> None:
    """Reads what to measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rulesets", nargs="*", default=hr.rulesets())
    parser.add_argument("--lengths", type=int, nargs="+", default=[30, 100, 300, 1000])
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--worlds", type=int, default=5)
    parser.add_argument("--along", action="store_true")
    args = parser.parse_args()
    print(f"{'ms':32} {'first':>7} {'worst':>7} {'later':>7} {'worst':>7}    unproven")
    for name in args.rulesets:
        if args.along:
            measure_along(name, max(args.lengths))
        else:
            measure(name, args)


if __name__ == "__main__":
    main()

"""Tunes a policy for each side of Hammer of the Scots in games against the policy before tuning, by CMA-ES.

The lines of the policy have numbers in them, which the optimiser chooses: the tenths of the enemy's strength that an
attack needs, at how many steps a block retreats, and how many blocks an area needs before one of them leaves it for the
home of an enemy noble. Needs the packages `cma` and `wasmtime`:

    python benchmarks/tune_policies.py Scotland --evaluations 24 --games 300

`--numbers 22 1 1` plays the policy with these numbers against random play and against the policy before tuning instead,
in games with another seed.
"""

from __future__ import annotations

import argparse

import hots_rules as hr
from hots_rules.analysis.simulating.confidence import mean_interval

RULES, SCENARIO = "hots-4.0", "braveheart"
UNTUNED = (15, 0, 1)
STEPS = (6.0, 1.0, 1.0)


def policy(numbers: tuple[int, ...]) -> str:
    """The lines of the policies of rulesets/hots/4.0/policies.rules, with other numbers."""
    attack, steps, blocks = numbers
    return "; ".join(
        (
            "play_card(c) when group_moves[c] = 3",
            "play_card(c) when group_moves[c] = 2",
            "herald",
            f"retreat(b) when strength[b] <= {steps}",
            "fire",
            "take_hit",
            "hold",
            "end_regroup",
            "retreat",
            f"move(a, b, to) when outnumbers(actor, a, to, {attack})",
            f"move(a, b, to) when is_enemy_home(actor, to) and count(army(actor, a)) >= {blocks}",
            "end_moves",
            "draw_block",
        )
    )


def share(rules: hr.Ruleset, side: str, mine: str, theirs: str, games: int, seed: str) -> float:
    """The share of games that a side wins with one policy against another one."""
    other = next(each for each in rules.players if each != side)
    guide = f"{side}={mine},{other}={theirs}"
    played = hr.simulate(rules, SCENARIO, games=games, seed=seed, policy=guide)
    return played.wins[side] / games


def rounded(point: list[float]) -> tuple[int, ...]:
    """The numbers of a point of the optimiser, whose coordinates are steps from the numbers before tuning."""
    low = (1, 0, 1)
    return tuple(
        max(least, round(start + step * each))
        for least, start, step, each in zip(low, UNTUNED, STEPS, point, strict=True)
    )


def check(side: str, numbers: tuple[int, ...], games: int) -> None:
    """Print how often the policy with some numbers wins, with the interval."""
    rules, lines = hr.load(RULES), policy(numbers)
    for name, theirs in (("random", "random"), ("untuned", policy(UNTUNED))):
        won = share(rules, side, lines, theirs, games, "check")
        found = mean_interval({1: round(won * games), 0: games - round(won * games)}, 0, 1)
        print(f"{side} {numbers} against {name}: {won:.3f} ({found.low:.3f} to {found.high:.3f})")


def main() -> None:
    """Tune one side, and print what was tried."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("side", choices=("England", "Scotland"))
    parser.add_argument("--evaluations", type=int, default=24)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--numbers", type=int, nargs=3)
    args = parser.parse_args()
    if args.numbers:
        check(args.side, tuple(args.numbers), args.games)
        return
    import cma  # only this needs it

    rules, known = hr.load(RULES), dict[tuple[int, ...], float]()
    search = cma.CMAEvolutionStrategy([0.0] * 3, 1.0, {"popsize": 5, "seed": 17, "verbose": -9})
    while len(known) < args.evaluations and not search.stop():
        points = search.ask()
        for point in points:
            numbers = rounded(point)
            if numbers not in known:
                lines = policy(numbers), policy(UNTUNED)
                known[numbers] = share(rules, args.side, *lines, args.games, "tuning")
                print(args.side, numbers, f"{known[numbers]:.3f}", flush=True)
        search.tell(points, [-known[rounded(point)] for point in points])
    best = max(known, key=known.__getitem__)
    print("best:", args.side, best, f"{known[best]:.3f}", "\n" + policy(best))


if __name__ == "__main__":
    main()

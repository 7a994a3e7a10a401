"""How strong the bots are, in pairs of games with the sides exchanged, and the time of a choice.

    python benchmarks/bots.py match RULESET SCENARIO [--pairs 50] [--games 200]
                                                   [--bot BOT] [--against BOT] [--policy LINES]
    python benchmarks/bots.py time [--games 1000] [--turns 3]
    python benchmarks/bots.py worlds [RULESET SCENARIO] [--games 200] [--worlds 20] [--turns 10]

`worlds` tells what tree search pays for worlds that are consistent with all that was observed: the worlds of each
choice are made so, and sampled without regard to what was seen before, one after the other.

The policy, of the ruleset or lines of one, guides the first bot alone.
Both games of a pair have the same seed. All bots of a match play as many random games for a choice.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from itertools import pairwise
from math import sqrt
from random import Random
from statistics import median
from time import process_time

import hots_rules as hr
from hots_rules.observe.determinization import sampler_of
from hots_rules.observe.observer import viewer_of
from hots_rules.observe.worlds import PLAYS_FOR_A_BOTS_WORLD, is_settled, worlds_of

Maker = Callable[[str], hr.analysis.Bot]
BACKENDS = ("python", "wasm", "llvm")


def makers(games: int, worlds: int, policy: str | None = None) -> dict[str, Maker]:
    """The bots by name, each made from a seed."""
    search, played = hr.analysis.ISMCTSBot, policy or "random"
    return {
        "ismcts": lambda seed: search(seed, iterations=games, worlds=worlds, policy=policy),
        "monte-carlo": lambda seed: hr.MonteCarloBot(
            seed, rollouts=games, worlds=worlds, policy=played
        ),
        "random": lambda seed: hr.RandomBot(seed),
    }


def winner_of(game: hr.Game, bots: dict[str, hr.analysis.Bot]) -> str | None:
    """The winner of a game that bots play, one of them for each side."""
    while not game.is_over:
        player = game.to_move[0]
        game = game.play(bots[player].choose(game, player))
    return game.outcome.winner if game.outcome else None


def match(args: argparse.Namespace) -> None:
    """Prints the share of points of the first bot; a game that nobody wins is half a point."""
    rules = hr.load(args.ruleset)
    ours = makers(args.games, args.worlds, args.policy)[args.bot]
    theirs = makers(args.games, args.worlds)[args.against]
    points: list[float] = []
    for pair in range(args.pairs):
        begun = rules.start(args.scenario, seed=pair)
        sides = begun.ruleset.players[:2]
        for us, them in (sides, sides[::-1]):
            bots = {us: ours(f"{pair}/us"), them: theirs(f"{pair}/them")}
            winner = winner_of(begun, bots)
            points.append(0.5 if winner is None else float(winner == us))
    pairs = [(one + other) / 2 for one, other in list(pairwise(points))[::2]]
    mean = sum(pairs) / len(pairs)
    spread = sqrt(sum((pair - mean) ** 2 for pair in pairs) / max(len(pairs) - 1, 1) / len(pairs))
    guided = "" if args.policy is None else " with the policy"
    print(
        f"{args.ruleset} {args.scenario}: {args.bot}{guided} against {args.against}, {args.games} random games a "
        f"choice: {100 * mean:.1f} % of the points in {len(points)} games, standard error {100 * spread:.1f}",
        flush=True,
    )


def choice_time(args: argparse.Namespace) -> None:
    """Prints the CPU time of the first choice of braveheart, for each bot and back end, and the ratio to Python."""
    game = hr.load("hots-4.0").start("braveheart", seed=1)
    player = game.to_move[0]
    for name in ("ismcts", "monte-carlo"):
        seconds: dict[str, list[float]] = {backend: [] for backend in BACKENDS}
        for turn in range(args.turns + 1):  # the first one loads
            for backend in BACKENDS:
                began = process_time()
                _bot(name, turn, args, backend).choose(game, player)
                seconds[backend].append(process_time() - began)
        python = median(seconds["python"][1:])
        for backend in BACKENDS:
            spent = median(seconds[backend][1:])
            print(
                f"{name}, {args.games} games, {backend:6} {spent:8.3f} s  {python / spent:5.1f} x Python",
                flush=True,
            )


def cost_of_worlds(args: argparse.Namespace) -> None:
    """Prints the CPU time of tree search, and how much more it is than with worlds that are sampled alone."""
    chooser, bot = Random(1), makers(args.games, args.worlds)["ismcts"]
    game = hr.load(args.ruleset).start(args.scenario, seed=1)
    first, chosen, proven, sampled = [], [], [], []
    while len(chosen) < args.turns and not game.is_over:
        player = game.to_move[0]
        if len(game.view(player).actions) > 1 and is_settled(game):
            first.append(seconds_of(list, worlds_of(game, player, 1, 0)))
            chosen.append(seconds_of(bot("0").choose, game, player))
            proven.append(seconds_of(proven_worlds, game, player, args.worlds))
            sampled.append(seconds_of(sampled_worlds, game, player, args.worlds))
        game = game.play(chooser.choice(game.actions))
    more = sum(proven) - sum(sampled)
    print(
        f"{args.ruleset}: {sum(chosen):.2f} s for {len(chosen)} choices, {100 * more / (sum(chosen) - more):.0f} % "
        f"more than with sampled worlds; the first world after each action {1000 * median(first):.0f} ms, "
        f"at most {1000 * max(first):.0f} ms",
        flush=True,
    )


def proven_worlds(game: hr.Game, player: str, number: int) -> None:
    """Make the worlds that tree search takes."""
    list(worlds_of(game, player, number, 0, PLAYS_FOR_A_BOTS_WORLD))


def sampled_worlds(game: hr.Game, player: str, number: int) -> None:
    """Make as many worlds that look the same now, without regard to what was seen before."""
    sampler, chance = sampler_of(game, viewer_of(game, player)), Random(0)
    for world in range(number):
        sampler.world(chance, str(world))


def seconds_of(work: Callable[..., object], *args: object) -> float:
    """The CPU time that something takes."""
    began = process_time()
    work(*args)
    return process_time() - began


def _bot(name: str, seed: int, args: argparse.Namespace, backend: str) -> hr.analysis.Bot:
    if name == "ismcts":
        return hr.analysis.ISMCTSBot(
            seed, iterations=args.games, worlds=args.worlds, backend=backend
        )
    return hr.MonteCarloBot(seed, rollouts=args.games, worlds=args.worlds, backend=backend)


def main() -> None:
    """Reads what to measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    for name, run in (("match", match), ("time", choice_time), ("worlds", cost_of_worlds)):
        command = commands.add_parser(name)
        command.set_defaults(run=run)
        command.add_argument("--games", type=int, default=1000 if name == "time" else 200)
        command.add_argument("--worlds", type=int, default=20)
        if name == "match":
            command.add_argument("ruleset")
            command.add_argument("scenario")
            command.add_argument("--pairs", type=int, default=50)
            command.add_argument("--bot", default="ismcts")
            command.add_argument("--against", default="monte-carlo")
            command.add_argument("--policy")
        else:
            command.add_argument("--turns", type=int, default=3 if name == "time" else 10)
        if name == "worlds":
            command.add_argument("ruleset", nargs="?", default="hots-4.0")
            command.add_argument("scenario", nargs="?", default="braveheart")
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()

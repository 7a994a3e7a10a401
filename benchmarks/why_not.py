"""How long `why_not` takes, in processor time, so that a busy machine does not matter.

The questions are about random actions, legal or not, at the moments of random games of each scenario: of the kinds that
are offered and of any other, with and without the name of the player. The first question in a process is measured
apart, in fresh processes with a filled cache: it waits for modules and for the tree of the rules.

    python benchmarks/why_not.py [--questions 2000] [--ruleset hots-4.0] [--player] [--json]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from statistics import median
from time import process_time

import hots_rules as hr

EVERY = 5  # one moment of so many is asked about
EACH = 4  # questions at one moment
FIRST = """
from time import process_time
import hots_rules as hr
game = hr.load({ruleset!r}).start({scenario!r}, seed=1)
text = game.actions[0].text
game = game.play(text)
began = process_time()
game.why_not(text).text("tree")
print(process_time() - began)
"""


def moments(ruleset: hr.Ruleset, chooser: Random) -> Iterator[hr.Game]:
    """Moments of random games, of one scenario after the other."""
    seed = 0
    while True:
        for scenario in ruleset.scenarios:
            game, number = ruleset.start(scenario, seed=seed), 0
            while not game.is_over:
                if number % EVERY == 0:
                    yield game
                game, number = game.play(chooser.choice(game.actions)), number + 1
        seed += 1


def questions(game: hr.Game, chooser: Random) -> Iterator[str]:
    """Texts of actions, legal or not."""
    offered = {action.name for action in game.actions}
    near = [form for form in game.notation.forms if form.name in offered]
    for number in range(EACH):
        form = chooser.choice(near if number % 2 else game.notation.forms)
        text = game.notation.exact(form.base + chooser.randrange(form.size))
        yield text if chooser.random() < 0.7 else text.partition(": ")[2]


def answers(ruleset: hr.Ruleset, many: int, *, for_player: bool) -> list[tuple[float, str]]:
    """The seconds of each answer with its text, and the question."""
    chooser, found = Random(1), list[tuple[float, str]]()
    begun = ruleset.start(ruleset.scenarios[0], seed=1)
    warm = ruleset.players[0] if for_player else None
    begun.why_not(begun.actions[0], player=warm)  # the first in a process is measured apart
    for game in moments(ruleset, chooser):
        for text in questions(game, chooser):
            player = chooser.choice(ruleset.players) if for_player else None
            began = process_time()
            with suppress(hr.AmbiguousAction):
                game.why_not(text, player=player).text()
            found.append((process_time() - began, f"{text} at {len(game.moves)}"))
        if len(found) >= many:
            return found[:many]
    return found


def first(ruleset: hr.Ruleset, runs: int = 5) -> float:
    """The median of the seconds of the first answer in a process."""
    code = FIRST.format(ruleset=ruleset.name, scenario=ruleset.scenarios[0])
    command = [sys.executable, "-c", code]
    done = [
        subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(runs)
    ]
    return median(float(run.stdout) for run in done)


def main() -> None:
    """Prints a row per measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--questions", type=int, default=2000)
    parser.add_argument("--ruleset", default="hots-4.0")
    parser.add_argument("--player", action="store_true", help="ask for what a player may know")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    ruleset = hr.load(args.ruleset)
    timed = sorted(answers(ruleset, args.questions, for_player=args.player))
    seconds = [each for each, _ in timed]
    found = {
        "median, ms": 1000 * median(seconds),
        "p99, ms": 1000 * seconds[int(0.99 * len(seconds))],
        "worst, ms": 1000 * seconds[-1],
        "first in a process, ms": 1000 * first(ruleset),
    }
    if args.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name:24} {value:10.1f}")
    print(f"the slowest: {timed[-1][1]}")


if __name__ == "__main__":
    main()

"""Steps a second of the adapters, with random play, in processor time: medians of runs that take turns.

    python benchmarks/adapters.py [--turns 5] [--json]

A step of OpenSpiel lists the legal actions, or the outcomes of chance, and applies one of them. A step of PettingZoo
also builds the observation with its mask, by which Gymnasium's `sample` chooses the action. What is not installed is
left out.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from random import Random
from statistics import median
from time import process_time
from typing import Any

SCENARIO = ("hots-4.0", "braveheart")
STEPS = {"OpenSpiel": 3000, "PettingZoo": 300}
TARGETS = {"OpenSpiel": 15_000, "PettingZoo": 2_000}
Play = Callable[[int, int], int]
"""Plays at least a number of steps under a seed; returns how many."""


def open_spiel() -> Play:
    """Whole games of OpenSpiel."""
    from hots_rules.adapters import open_spiel

    game = open_spiel.game(*SCENARIO)

    def play(steps: int, seed: int) -> int:
        chooser, done = Random(seed), 0
        while done < steps:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                    action = chooser.choices(outcomes, weights)[0]
                else:
                    action = chooser.choice(state.legal_actions())
                state.apply_action(action)
                done += 1
        return done

    return play


def pettingzoo() -> Play:
    """Games of PettingZoo, one after the other."""
    from hots_rules.adapters import pettingzoo

    env = pettingzoo.env(*SCENARIO)

    def play(steps: int, seed: int) -> int:
        done = 0
        env.reset(seed=seed)
        for agent in env.possible_agents:
            env.action_space(agent).seed(seed)
        for _ in env.agent_iter(max_iter=10**9):
            observation, _, is_terminated, is_truncated, _ = env.last()
            if is_terminated or is_truncated:
                env.reset()
                continue
            env.step(env.action_space(env.agent_selection).sample(observation["action_mask"]))
            done += 1
            if done >= steps:
                break
        return done

    return play


def main() -> None:
    """Prints a row per adapter."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    plays: dict[str, Play] = {}
    for name, make in (("OpenSpiel", open_spiel), ("PettingZoo", pettingzoo)):
        try:
            plays[name] = make()
        except ImportError as error:
            print(f"{name}: {error}")
    speeds: dict[str, list[float]] = {name: [] for name in plays}
    for turn in range(args.turns + 1):  # the first one loads
        for name, play in plays.items():
            began = process_time()
            done = play(STEPS[name], turn)
            speeds[name].append(done / (process_time() - began))
    found: dict[str, Any] = {name: median(values[1:]) for name, values in speeds.items()}
    if args.json:
        print(json.dumps(found))
        return
    for name, speed in found.items():
        met = "met" if speed >= TARGETS[name] else "missed"
        print(f"{name:10} {speed:8,.0f} steps/s   ≥ {TARGETS[name]:,}: {met}")


if __name__ == "__main__":
    main()

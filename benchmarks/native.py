"""Random games in machine code beside Python, in CPU time: the back ends take turns, and medians are reported.

    python benchmarks/native.py [--turns 5] [--json]

Ratios are those of decisions a second against Python's in the same turn. `pyspiel` rolls out the boards, if installed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from os import environ
from random import Random
from statistics import median
from time import perf_counter, process_time

import hots_rules as hr
from hots_rules.analysis.playouts import play_in_python
from hots_rules.compile.codes import POINT
from hots_rules.compile.machine import Machine
from hots_rules.native.backend import Backend
from hots_rules.native.batch import NativeGames
from hots_rules.native.complete import complete
from hots_rules.native.kept import BATCH, MOST_DECISIONS, NativeCode, native_code
from hots_rules.native.llvm_code import LlvmBackend
from hots_rules.native.lower import lower
from hots_rules.native.wasm_code import WasmBackend

WHOLE_GAMES = (("hots-4.0", "braveheart"), ("lords-of-scotland", "3-players"))
BOARDS = {
    "breakthrough-1.0": "breakthrough",
    "reversi-1.0": "othello",
    "connect-four-1.0": "connect_four",
}
PUBLISHED = {"breakthrough-1.0": 1.96, "reversi-1.0": 0.86, "connect-four-1.0": 11.9}
"""Million states a second of Regular Boardgames, as its authors report them."""
FIRST_GAME = """
import wasmtime, time, hots_rules as hr
rules = hr.load("hots-4.0")
from hots_rules.analysis.batches import Batch
start = time.process_time()
batch = Batch.of(rules, backend="wasm")
list(batch.play([(batch.machine.begin("braveheart"), "0")]))
print(time.process_time() - start)
"""
Row = tuple[str, float, str]


def machine_of(name: str) -> Machine:
    """The compiled ruleset under its defaults."""
    rules = hr.load(name)
    return rules.machine(rules.chosen({}, {}))


def in_python(machine: Machine, scenario: str, seeds: list[str]) -> float:
    """Decisions a second of CPU time in Python."""
    began = process_time()
    ends = [play_in_python(machine, machine.begin(scenario), seed) for seed in seeds]
    return sum(end.decisions for end in ends) / (process_time() - began)


def in_code(code: NativeCode, machine: Machine, scenario: str, seeds: list[str]) -> float:
    """Decisions a second of CPU time in machine code, with what Python does around it."""
    began, games = process_time(), NativeGames(code)
    start, made = code.slots.pack(machine.begin(scenario)), 0
    for first in range(0, len(seeds), BATCH):
        some = seeds[first : first + BATCH]
        made += sum(end.decisions for end in games.play([start] * len(some), some) if end)
    return made / (process_time() - began)


def whole_games(turns: int) -> Iterator[Row]:
    """Whole random games: each back end against Python."""
    backends: dict[str, Backend] = {
        "wasm": WasmBackend(),
        "LLVM, checked": LlvmBackend(),
        "LLVM, unchecked": LlvmBackend(is_checked=False),
    }
    for name, scenario in WHOLE_GAMES:
        machine = machine_of(name)
        codes = {label: native_code(machine, backend) for label, backend in backends.items()}
        ratios: dict[str, list[float]] = {label: [] for label in backends}
        pythons = []
        for turn in range(turns):
            pythons.append(in_python(machine, scenario, [f"{turn}/{n}" for n in range(15)]))
            for label, code in codes.items():
                found = in_code(code, machine, scenario, [f"{turn}/{n}" for n in range(640)])
                ratios[label].append(found / pythons[-1])
        yield f"{name} {scenario}, Python", median(pythons), "decisions/s"
        for label, found_ratios in ratios.items():
            yield f"{name} {scenario}, {label}", median(found_ratios), "x Python"


def threads(turns: int) -> Iterator[Row]:
    """Two threads against one: wall time, and CPU time for a game."""
    rules, games = hr.load("hots-4.0"), 3000
    walls, cpus = [], []
    for turn in range(turns):
        spent = []
        for workers in (1, 2):
            wall, cpu = perf_counter(), process_time()
            hr.simulate(
                rules, "braveheart", games=games, seed=turn, backend="wasm", workers=workers
            )
            spent.append((perf_counter() - wall, process_time() - cpu))
        walls.append(spent[0][0] / spent[1][0])
        cpus.append(spent[1][1] / spent[0][1])
    yield "games a second, two threads", median(walls), "x one thread"
    yield "CPU time a game, two threads", median(cpus), "x one thread"


def playouts(turns: int) -> Iterator[Row]:
    """One random game at a time from states in the middle of a game, as a bot plays them."""
    batch = hr.analysis.Batch.of(hr.load("hots-4.0"), backend="wasm")
    machine, found = batch.machine, []
    slots, chooser = machine.begin("braveheart"), Random(1)
    machine.run(slots, slots[POINT], "1")
    for _ in range(100):
        legal = machine.legal(slots)
        machine.play(slots, legal[int(chooser.random() * len(legal))], "1")
    for turn in range(turns):
        began = process_time()
        for number in range(15):
            play_in_python(machine, list(slots), f"{turn}/{number}")
        python, began = (process_time() - began) / 15, process_time()
        for number in range(200):
            list(batch.play([(list(slots), f"{turn}/{number}")]))
        found.append(python / ((process_time() - began) / 200))
    yield "playouts from a state, one by one, wasm", median(found), "x Python"


def compilation(turns: int) -> Iterator[Row]:
    """From the loaded Python module to machine code, and the first game from kept code."""
    machine, seconds = machine_of("hots-4.0"), []
    for _ in range(turns):
        began = process_time()
        program = complete(lower(machine), batch=BATCH, most_decisions=MOST_DECISIONS)
        WasmBackend().load(WasmBackend().compile(program), program)
        seconds.append(process_time() - began)
    yield "hots-4.0 to machine code, wasm", median(seconds), "s"
    with tempfile.TemporaryDirectory() as folder:
        ours = environ | {"HOTS_RULES_CACHE": folder}
        times = [_printed(FIRST_GAME, ours) for _ in range(turns + 1)]
    yield "first game from kept code", 1000 * median(times[1:]), "ms"


def _printed(code: str, variables: dict[str, str]) -> float:
    command = [sys.executable, "-c", code]
    return float(subprocess.run(command, env=variables, capture_output=True, check=True).stdout)


def boards(turns: int) -> Iterator[Row]:
    """States a second of random play on boards, by LLVM and by OpenSpiel's own rollouts."""
    for name, theirs in BOARDS.items():
        machine = machine_of(name)
        code = native_code(machine, LlvmBackend())
        scenario = next(iter(machine.facts.scenarios))
        mine, peer = [], []
        for turn in range(turns):
            mine.append(in_code(code, machine, scenario, [f"{turn}/{n}" for n in range(6400)]))
            if rollouts := _open_spiel(theirs):
                peer.append(rollouts())
        yield f"{name}, LLVM", median(mine) / 1e6, "million states/s"
        if peer:
            yield f"{name}, OpenSpiel", median(peer) / 1e6, "million states/s"
        yield f"{name}, Regular Boardgames, published", PUBLISHED[name], "million states/s"


def _open_spiel(name: str) -> Callable[[], float] | None:
    """States a second of rollouts in C++, from the first leaf of a search; None without OpenSpiel."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game(name)

    def run() -> float:
        rollouts = 4000
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=rollouts, seed=1)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, 1, False)
        state, lengths, chooser = game.new_initial_state(), [], Random(1)
        for _ in range(200):
            played = game.new_initial_state()
            while not played.is_terminal():
                played.apply_action(chooser.choice(played.legal_actions()))
            lengths.append(played.move_number())
        began = process_time()
        bot.step(state)
        return rollouts * sum(lengths) / len(lengths) / (process_time() - began)

    return run


def main() -> None:
    """Prints a row per measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    found: list[Row] = []
    for measure in (whole_games, threads, playouts, compilation, boards):
        for row in measure(args.turns):
            found.append(row)
            if not args.json:
                print(f"{row[0]:58} {row[1]:12,.2f} {row[2]}", flush=True)
    if args.json:
        print(
            json.dumps([dict(zip(("measure", "value", "unit"), row, strict=True)) for row in found])
        )


if __name__ == "__main__":
    main()

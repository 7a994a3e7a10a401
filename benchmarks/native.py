"""Random games in machine code beside Python, in CPU time: the back ends take turns, and medians are reported.

    python benchmarks/native.py [--turns 5] [--base FOLDER] [--only PART…] [--json]

Ratios are those of decisions a second against Python's in the same turn: that of the checkout `--base`, or of this
one. `pyspiel` rolls out the boards and python-chess plays chess, if installed. The last column has the target of a
row, and whether it is met. What two threads gain is compared with what two processes gain that share nothing: less
than 2 on a busy or shared machine.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from os import environ, times
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, process_time
from typing import Any

from attrs import asdict, frozen

import hots_rules as hr
from hots_rules.analysis.simulating.playouts import play_in_python
from hots_rules.compile.codes import POINT
from hots_rules.compile.machine import Machine
from hots_rules.native.backend import Backend
from hots_rules.native.batch import NativeGames
from hots_rules.native.cached_code import BATCH, MAX_DECISIONS, NativeCode, native_code
from hots_rules.native.lowering.lower import lower
from hots_rules.native.printing.llvm_code import LlvmBackend
from hots_rules.native.printing.wasm_code import WasmBackend
from hots_rules.native.runtime.complete import complete
from hots_rules.native.runtime.games import NUMBERED

WHOLE_GAMES = {
    ("hots-4.0", "braveheart"): {
        "Python": 1.07,
        "wasm": 55,
        "LLVM, checked": 90,
    },
    ("lords-of-scotland", "3-players"): {"wasm": 50, "LLVM, checked": 80},
}
"""Scenarios with the least that each back end should reach."""
BOARDS = {
    "breakthrough-1.0": ("breakthrough", 5),
    "reversi-1.0": ("othello", 6),
    "connect-four-1.0": ("connect_four", 7),
}
"""Boards, with the names of OpenSpiel and the least ratio to its speed; neither side keeps digests."""
CHESS = {"Python": 0.25, "wasm": 15, "LLVM": 28, "Braveheart, Python": 2.2}
"""The least ratio of decisions a second to the moves of python-chess."""
PUBLISHED = {"breakthrough-1.0": 1.96, "reversi-1.0": 0.86, "connect-four-1.0": 11.9}
"""Million states a second of Regular Boardgames, as its authors report them."""
COMPILED: tuple[tuple[str, Backend, float], ...] = (
    ("hots-4.0", WasmBackend(), 0.5),
    ("hots-4.0", LlvmBackend(), 2.5),
    *((name, backend, 0.5) for name in BOARDS for backend in (WasmBackend(), LlvmBackend())),
)
"""Rulesets, back ends, and the most seconds from the loaded module to machine code."""
HASHING = "import hashlib\nhashlib.pbkdf2_hmac('sha256', b'word', b'salt', 1_000_000)"
FIRST_GAME = """
import wasmtime, time, hots_rules as hr
rules = hr.load("hots-4.0")
start = time.process_time()
from hots_rules.analysis.simulating.batches import Batch
batch = Batch.of(rules, backend="wasm")
list(batch.play([(batch.machine.begin("braveheart"), "0")]))
print(time.process_time() - start)
"""
PYTHON_GAMES = """
import sys, time, inspect, hots_rules as hr
name, scenario, seed, games = sys.argv[1:]
rules = hr.load(name)
in_python = {"backend": "python"} if "backend" in inspect.signature(hr.simulate).parameters else {}
hr.simulate(rules, scenario, games=1, seed="warm", **in_python)
began = time.process_time()
result = hr.simulate(rules, scenario, games=int(games), seed=seed, **in_python)
print(result.decisions / (time.process_time() - began))
"""


@frozen
class Row:
    """A figure; `most` and `least` are its target, where it has one."""

    measure: str
    value: float
    unit: str
    least: float | None = None
    most: float | None = None

    @property
    def target(self) -> str:
        """The target, and whether it is met."""
        if self.least is not None:
            return f"≥ {self.least:g}: {'met' if self.value >= self.least else 'missed'}"
        if self.most is not None:
            return f"≤ {self.most:g}: {'met' if self.value <= self.most else 'missed'}"
        return ""


class Base:
    """Python's decisions a second, in this process or in a new one of another checkout."""

    def __init__(self, folder: str | None) -> None:
        self.folder = folder

    def speed(
        self, machine: Machine, name: str, scenario: str, turn: int, games: int = 15
    ) -> float:
        """Of some random games."""
        if self.folder is None:
            return in_python(machine, scenario, [f"{turn}/{n}" for n in range(games)])
        ours = environ | {"PYTHONPATH": self.folder}
        return _printed(PYTHON_GAMES, ours, name, scenario, str(turn), str(games))


def machine_of(name: str) -> Machine:
    """The compiled ruleset under its defaults."""
    rules = hr.load(name)
    return rules.machine(rules.chosen({}, {}))


def in_python(machine: Machine, scenario: str, seeds: list[str]) -> float:
    """Decisions a second of CPU time in Python."""
    began = process_time()
    ends = [play_in_python(machine, machine.begin(scenario), seed) for seed in seeds]
    return sum(end.decisions for end in ends) / (process_time() - began)


def in_code(code: NativeCode, machine: Machine, scenario: str, prefix: str, games: int) -> float:
    """Decisions a second of CPU time in machine code, with what Python does around it."""
    began, player, made = process_time(), NativeGames(code), 0
    start = code.slots.pack(machine.begin(scenario))
    for first in range(0, games, NUMBERED):
        numbers = range(first, min(first + NUMBERED, games))
        made += player.count(start, prefix, numbers).decisions
    return made / (process_time() - began)


def whole_games(turns: int, base: Base) -> Iterator[Row]:
    """Whole random games: each back end against Python."""
    backends: dict[str, Backend] = {
        "wasm": WasmBackend(),
        "LLVM, checked": LlvmBackend(),
        "LLVM, unchecked": LlvmBackend(is_checked=False),
    }
    for (name, scenario), targets in WHOLE_GAMES.items():
        machine = machine_of(name)
        codes = {label: native_code(machine, backend) for label, backend in backends.items()}
        found: dict[str, list[float]] = {label: [] for label in ("Python", *backends)}
        here = Base(str(Path(hr.__file__).parents[1]))
        for turn in range(turns):
            python = base.speed(machine, name, scenario, turn)
            if base.folder is not None:
                found["Python"].append(here.speed(machine, name, scenario, turn) / python)
            for label, code in codes.items():
                speed = in_code(code, machine, scenario, f"{turn}/", 640)
                found[label].append(speed / python)
        if base.folder is None:
            del found["Python"]
        for label, ratios in found.items():
            yield Row(f"{name} {scenario}, {label}", median(ratios), "x Python", targets.get(label))


def hashing(processes: int) -> tuple[float, float]:
    """Wall and CPU seconds of processes that share nothing, each of which hashes as much as the others."""
    began, used = perf_counter(), times()
    running = [subprocess.Popen([sys.executable, "-c", HASHING]) for _ in range(processes)]
    for process in running:
        process.wait()
    spent = times()
    cpu = spent.children_user + spent.children_system - used.children_user - used.children_system
    return perf_counter() - began, cpu


def machine_for_two(turns: int) -> Iterator[Row]:
    """What this machine gives to two processes that share nothing, against one: the most that threads can reach."""
    walls, cpus = [], []
    for turn in range(turns):
        spent = {many: hashing(many) for many in ((1, 2) if turn % 2 else (2, 1))}
        walls.append(2 * spent[1][0] / spent[2][0])
        cpus.append(spent[2][1] / spent[1][1] / 2)
    yield Row("hashes a second of wall time, two processes", median(walls), "x one process")
    yield Row("CPU time a hash, two processes", median(cpus), "x one process")


def threads(turns: int, base: Base) -> Iterator[Row]:
    """Two threads against one: wall time, and CPU time for a game, after what the machine gives to two processes."""
    yield from machine_for_two(turns)
    rules = hr.load("hots-4.0")
    games = 60 * BATCH  # so many that the start of a thread is no part of it
    hr.simulate(rules, "braveheart", games=1, backend="wasm")
    walls, cpus = [], []
    for turn in range(2 * turns):
        spent = {}
        for workers in (1, 2) if turn % 2 else (2, 1):
            wall, cpu = perf_counter(), process_time()
            hr.simulate(
                rules, "braveheart", games=games, seed=turn, backend="wasm", workers=workers
            )
            spent[workers] = perf_counter() - wall, process_time() - cpu
        walls.append(spent[1][0] / spent[2][0])
        cpus.append(spent[2][1] / spent[1][1])
    yield Row("games a second of wall time, two threads", median(walls), "x one thread", 1.85)
    yield Row("CPU time a game, two threads", median(cpus), "x one thread", most=1.05)


def playouts(turns: int, base: Base) -> Iterator[Row]:
    """Random games from a state in the middle of a game, as a bot plays them: one at a time, and many in a call."""
    name, scenario = next(iter(WHOLE_GAMES))
    batch = hr.analysis.Batch.of(hr.load(name), backend="wasm")
    machine, chooser = batch.machine, Random(1)
    slots, one, many = machine.begin(scenario), [], []
    here = Base(str(Path(hr.__file__).parents[1]))
    machine.run(slots, slots[POINT], "1")
    for _ in range(100):
        legal = machine.legal(slots)
        machine.play(slots, legal[int(chooser.random() * len(legal))], "1")
    for turn in range(turns):
        # What the base is slower or faster in whole games, it is in playouts.
        share = 1.0
        if base.folder is not None:
            share = base.speed(machine, name, scenario, turn) / here.speed(
                machine, name, scenario, turn
            )
        began = process_time()
        for number in range(15):
            play_in_python(machine, list(slots), f"{turn}/{number}")
        python, began = (process_time() - began) / 15 / share, process_time()
        for number in range(200):
            list(batch.play([(list(slots), f"{turn}/{number}")]))
        one.append(python / ((process_time() - began) / 200))
        tasks = [(list(slots), f"{turn}/{number}") for number in range(200)]
        began = process_time()
        list(batch.play(tasks))
        many.append(python / ((process_time() - began) / 200))
    yield Row("playouts from a state, one in a call, wasm", median(one), "x Python", 25)
    yield Row("playouts from states, 200 in a call, wasm", median(many), "x Python", 25)


def compilation(turns: int, base: Base) -> Iterator[Row]:
    """From the loaded Python module to machine code, and the first game from kept code."""
    for name, backend, most in COMPILED:
        machine, seconds = machine_of(name), []
        for _ in range(turns):
            began = process_time()
            program = complete(lower(machine), most_games=BATCH, most_decisions=MAX_DECISIONS)
            backend.load(backend.compile(program), program)
            seconds.append(process_time() - began)
        yield Row(f"{name} to machine code, {backend.name}", median(seconds), "s", most=most)
    with tempfile.TemporaryDirectory() as folder:
        ours = environ | {"HOTS_RULES_CACHE": folder}
        times = [_printed(FIRST_GAME, ours) for _ in range(turns + 1)]
    yield Row("first game from kept code", 1000 * median(times[1:]), "ms", most=50)


def _printed(code: str, variables: dict[str, str], *args: str) -> float:
    """The number that a new process prints."""
    command = [sys.executable, "-c", code, *args]
    # Python finds modules in the working folder first.
    folder = variables.get("PYTHONPATH")
    done = subprocess.run(command, env=variables, cwd=folder, capture_output=True, check=True)
    return float(done.stdout)


def boards(turns: int, base: Base) -> Iterator[Row]:
    """States a second of random play on boards, by LLVM and by OpenSpiel's own rollouts."""
    for name, (theirs, least) in BOARDS.items():
        machine = machine_of(name)
        code = native_code(machine, LlvmBackend())
        scenario = next(iter(machine.facts.scenarios))
        rollouts, mine, peer = _open_spiel(theirs), [], []
        for turn in range(turns):
            mine.append(in_code(code, machine, scenario, f"{turn}/", 64_000))
            if rollouts:
                peer.append(rollouts())
        yield Row(f"{name}, LLVM", median(mine) / 1e6, "million states/s")
        if peer:
            ratios = [one / other for one, other in zip(mine, peer, strict=True)]
            yield Row(f"{name}, OpenSpiel", median(peer) / 1e6, "million states/s")
            yield Row(f"{name}, LLVM against OpenSpiel", median(ratios), "x OpenSpiel", least)
        yield Row(f"{name}, Regular Boardgames, published", PUBLISHED[name], "million states/s")


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


def chess(turns: int, base: Base) -> Iterator[Row]:
    """Random games of chess, of at most so many decisions, against python-chess: decisions a second of CPU time."""
    try:
        import chess as peer
    except ImportError:
        return
    machine = machine_of("chess-1.0")
    scenario = next(iter(machine.facts.scenarios))
    codes = {
        name: native_code(machine, backend)
        for name, backend in (("wasm", WasmBackend()), ("LLVM", LlvmBackend()))
    }
    found: dict[str, list[float]] = {name: [] for name in ("Python", *codes, "Braveheart, Python")}
    braveheart = machine_of("hots-4.0")
    for turn in range(turns):
        theirs = _python_chess(peer.Board, turn, games=4)
        speeds = {"Python": in_python(machine, scenario, [f"{turn}/{n}" for n in range(2)])}
        speeds |= {
            name: in_code(code, machine, scenario, f"{turn}/", 64) for name, code in codes.items()
        }
        speeds["Braveheart, Python"] = in_python(
            braveheart, "braveheart", [f"{turn}/{n}" for n in range(4)]
        )
        for name, speed in speeds.items():
            found[name].append(speed / theirs)
    for name, ratios in found.items():
        yield Row(f"chess-1.0, {name}", median(ratios), "x python-chess", CHESS[name])


def _python_chess(board_of: Callable[[], Any], turn: int, games: int) -> float:
    """Moves a second of random games by python-chess, each with the list of all legal moves."""
    chooser, made, began = Random(turn), 0, process_time()
    for _ in range(games):
        board = board_of()
        while not board.is_game_over() and (legal := list(board.legal_moves)):
            board.push(legal[int(chooser.random() * len(legal))])
            made += 1
    return made / (process_time() - began)


def steps(turns: int, base: Base) -> Iterator[Row]:
    """Steps a second of batches of games, as `steps.py` prints them, by the clock."""
    # A late import: it needs NumPy.
    from steps import rows

    for row in rows(turns, 2048, "llvm"):
        measure = f"{row.scenario}, {row.way}"
        yield Row(measure, row.by_clock / 1000, "thousand steps/s", row.least and row.least / 1000)


PARTS = {
    part.__name__: part
    for part in (whole_games, threads, playouts, compilation, boards, chess, steps)
}


def main() -> None:
    """Prints a row per measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--base", help="the folder of another checkout, whose Python counts")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    found: list[Row] = []
    for part in args.only:
        for row in PARTS[part](args.turns, Base(args.base)):
            found.append(row)
            if not args.json:
                print(f"{row.measure:48} {row.value:9,.2f} {row.unit:17} {row.target}", flush=True)
    if args.json:
        print(json.dumps([asdict(row) for row in found]))


if __name__ == "__main__":
    main()

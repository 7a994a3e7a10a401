"""Machine code touches nothing but its memory: under valgrind, and between unreadable pages."""

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import hots_rules as hr
from hots_rules.native.lowering.lower import lower
from hots_rules.native.printing.guarded_memory import MEMORIES, memory_step
from hots_rules.native.runtime import games
from hots_rules.native.runtime.complete import complete
from tests.needs import needs

# Plays a game in each of several memories, and prints the number of decisions of each.
HARNESS = """
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
int64_t batch(int64_t *cells);
int main(void) {
    int64_t *cells = malloc(8 * CELLS);
    if (fread(cells, 8, CELLS, stdin) != CELLS) return 1;
    batch(cells);
    for (int i = 0; i < MEMORIES; i++) printf("%ld ", (long) cells[FIRST + i * STEP]);
    free(cells);
    return 0;
}
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends processes in another way")
@pytest.mark.parametrize("cell", [-513, 3])
def test_memory_lies_between_unreadable_pages(cell: int) -> None:
    script = (
        "import ctypes; from hots_rules.native.printing.guarded_memory import GuardedMemory; memory = GuardedMemory(3);"
        f"ctypes.c_int64.from_address(memory.address + 8 * {cell}).value"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert done.returncode in (-signal.SIGSEGV, -signal.SIGBUS)


@pytest.mark.nightly
@pytest.mark.parametrize("is_checked", [True, False])
@pytest.mark.parametrize(
    ("name", "scenario"), [("hots-4.0", "braveheart"), ("lords-of-scotland", "5-players")]
)
def test_games_of_machine_code_are_clean_under_valgrind(
    name: str, scenario: str, is_checked: bool, tmp_path: Path
) -> None:
    needs("llvmlite.binding")
    if not shutil.which("valgrind") or not shutil.which("gcc"):
        pytest.skip("valgrind or gcc is not installed")
    from hots_rules.native.printing.llvm_code import LlvmBackend

    # Valgrind knows the instructions of every processor of 64 bits, but not the newest.
    backend = LlvmBackend(is_checked=is_checked, is_portable=True)
    ruleset = hr.load(name)
    lowered = lower(ruleset.machine(ruleset.chosen({}, {})))
    program = complete(lowered, most_games=1, most_decisions=2000)
    _, _, binary = backend.compile(program).partition(b"\n")
    (tmp_path / "rules.o").write_bytes(binary)
    (tmp_path / "main.c").write_text(HARNESS, encoding="ascii")

    start = lowered.slots.words(lowered.machine.begin(scenario))
    step = memory_step(program.cells)
    room = program.cells + (MEMORIES - 1) * step
    cells = memoryview(bytearray(8 * room)).cast("Q")
    for game, memory in enumerate(range(0, room, step)):
        row = memoryview(games.row_of(f"0/{game}")).cast("Q")
        at = memory + program.memory["ROWS"].base
        cells[at : at + len(row)] = row
        at = memory + program.memory["STATES"].base
        for cell, word in enumerate(start, at):
            cells[cell] = word
        cells[memory + program.memory["GAMES"].base] = 1
        cells[memory + program.memory["BUDGET"].base] = 1 << 62
    first = program.memory["ROWS"].base + games.ROW["DECISIONS"]
    numbers = {"CELLS": room, "MEMORIES": MEMORIES, "FIRST": first, "STEP": step}
    defined = [f"-D{name}={number}" for name, number in numbers.items()]
    build = ["gcc", "-no-pie", *defined, "main.c", "rules.o", "-o", "main"]
    subprocess.run(build, cwd=tmp_path, check=True)

    done = subprocess.run(
        ["valgrind", "-q", "--error-exitcode=9", "./main"],
        cwd=tmp_path,
        input=cells.tobytes(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert all(100 < int(decisions) < 2000 for decisions in done.stdout.split())

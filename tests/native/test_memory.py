"""Machine code touches nothing but its memory: under valgrind, and between unreadable pages."""

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import hots_rules as hr
from hots_rules.native.lowering.lower import lower
from hots_rules.native.runtime import games
from hots_rules.native.runtime.complete import complete
from tests.needs import needs

GAMES = 8
# Plays the games of a memory, and prints the number of decisions of each.
HARNESS = """
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
int64_t batch(int64_t *cells);
int main(void) {
    int64_t *cells = malloc(8 * CELLS);
    if (fread(cells, 8, CELLS, stdin) != CELLS) return 1;
    batch(cells);
    for (int i = 0; i < GAMES; i++) printf("%ld ", (long) cells[FIRST + i * ROW]);
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
    program = complete(lowered, most_games=GAMES, most_decisions=2000)
    _, _, binary = backend.compile(program).partition(b"\n")
    (tmp_path / "rules.o").write_bytes(binary)
    (tmp_path / "main.c").write_text(HARNESS, encoding="ascii")

    start = lowered.slots.words(lowered.machine.begin(scenario))
    cells = memoryview(bytearray(8 * program.cells)).cast("Q")
    for game in range(GAMES):
        row = memoryview(games.row_of(f"0/{game}")).cast("Q")
        at = program.memory["ROWS"].base + game * games.ROW_CELLS
        cells[at : at + len(row)] = row
        at = program.memory["STATES"].base + game * len(start)
        for cell, word in enumerate(start, at):
            cells[cell] = word
    cells[program.memory["GAMES"].base] = GAMES
    cells[program.memory["BUDGET"].base] = 1 << 62
    first = program.memory["ROWS"].base + games.ROW["DECISIONS"]
    numbers = {"CELLS": program.cells, "GAMES": GAMES, "FIRST": first, "ROW": games.ROW_CELLS}
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

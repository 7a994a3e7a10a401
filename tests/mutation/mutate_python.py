"""Mutation testing of the library's own Python: do the tests notice a small change of a module?

    pip install 'cosmic-ray>=8.4'
    python -m tests.mutation.mutate_python --sample 40 --seed 1 hots_rules/observe hots_rules/web/games/clocks.py

The changes are those of cosmic-ray; `judged.py` says which modules are judged, by which tests. Each mutant is written
into a copy of the project, and the quick ones of its tests run there until one fails; if they take more than a minute
of processor time, they have noticed it, too. The sample depends only on the seed and the module. With `--keep` the
figures are written to `scores.csv`.

A mutant that no test notices needs a test, a line in `equivalent.csv` if nothing can tell it from the original, or else
one in `unnoticed.csv` that says why there is no test. The status is 1 if fewer than 90 of 100 mutants of a module that
change anything are noticed, or one is in neither list.
"""

from __future__ import annotations

import argparse
import csv
import os
import shutil
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory

from attrs import frozen

from tests.folders import HOME
from tests.mutation.judged import EQUIVALENT, SCORES, UNNOTICED, listed, modules
from tests.mutation.python_mutants import PythonMutant, sample_of

COPIED = ("hots_rules", "rulesets", "grammar", "tests", "docs", "editors", "clients", ".ci")
SECONDS, SECONDS_UNCHANGED = 60, 600  # of processor time
WAITING = 10  # times as long a test may take that uses no processor
MIN_NOTICED = 0.9  # of the mutants that change anything are noticed
PASSED, NO_TESTS = 0, 5  # statuses of pytest


# ------------------------------------------------------------------ judging
@frozen
class Copy:
    """A copy of the project in which mutants are tried, one after the other."""

    folder: Path

    @classmethod
    def at(cls, folder: Path) -> Copy:
        for name in COPIED:
            ignored = shutil.ignore_patterns("__pycache__", "node_modules")
            shutil.copytree(HOME / name, folder / name, ignore=ignored)
        for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md"):
            shutil.copy(HOME / name, folder)
        return cls(folder)

    def fails(self, tests: str, seconds: int) -> bool:
        """Whether a test fails, or takes too long."""
        limited = ["sh", "-c", f'ulimit -t {seconds} && exec "$@"', "sh"]
        command = [sys.executable, "-m", "pytest", "-x", "-q", "--hypothesis-seed=0"]
        try:
            ended = subprocess.run(
                [*limited, *command, *tests.split()],
                cwd=self.folder,
                env=os.environ | {"PYTHONPATH": str(self.folder)},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=WAITING * seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return True
        if ended.returncode == NO_TESTS:
            raise SystemExit(ended.stdout.decode(errors="replace"))
        return ended.returncode != PASSED

    def notices(self, mutant: PythonMutant, tests: str) -> bool:
        """Whether a test fails when a module is replaced by a mutant."""
        path = self.folder / mutant.module
        original = path.read_bytes()
        try:
            self._write(path, mutant.text.encode())
            return self.fails(tests, SECONDS)
        finally:
            self._write(path, original)

    @staticmethod
    def _write(path: Path, data: bytes) -> None:
        """Write a module; its bytecode is removed, as it would pass for that of a text of the same second and size."""
        path.write_bytes(data)
        for compiled in path.parent.glob(f"__pycache__/{path.stem}.*"):
            compiled.unlink()


def judge(mutants: Sequence[PythonMutant], tests: dict[str, str], workers: int) -> list[bool]:
    """Whether each mutant is noticed.

    Raises:
        SystemExit: a test fails without any change.
    """
    copies: SimpleQueue[Copy] = SimpleQueue()

    def notices(numbered: tuple[int, PythonMutant]) -> bool:
        number, mutant = numbered
        copy, began = copies.get(), time.monotonic()
        try:
            is_noticed = copy.notices(mutant, tests[mutant.module])
        finally:
            copies.put(copy)
        word = "noticed" if is_noticed else "NOT NOTICED"
        seconds = time.monotonic() - began
        print(f"{number}/{len(mutants)} {word} in {seconds:.0f} s: {mutant}", flush=True)
        return is_noticed

    with TemporaryDirectory(prefix="hots_rules-mutants-") as place:
        first = Copy.at(Path(place, "0"))
        for each in dict.fromkeys(tests.values()):
            if first.fails(each, SECONDS_UNCHANGED):
                raise SystemExit(f"without any change a test fails: {each}")
        copies.put(first)
        for number in range(1, workers):  # with the rulesets that the first one has compiled
            copies.put(Copy(shutil.copytree(first.folder, Path(place, str(number)))))
        with ThreadPoolExecutor(workers) as pool:
            return list(pool.map(notices, enumerate(mutants, 1)))


# ------------------------------------------------------------------ what came out
def report(
    chosen: Sequence[PythonMutant], noticed: set[PythonMutant], date: str
) -> tuple[list[dict[str, object]], list[str]]:
    """The rows of the scores, and what is wrong."""
    equivalent, unnoticed = listed(EQUIVALENT), listed(UNNOTICED)
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    wrong = []
    for mutant in chosen:
        count = counts[mutant.module]
        count["mutants"] += 1
        count["noticed"] += mutant in noticed
        count["equivalent"] += mutant.change in equivalent
        if mutant not in noticed and mutant.change not in {**equivalent, **unnoticed}:
            wrong.append(f"not noticed: {mutant}")
    for module, count in counts.items():
        effective = count["mutants"] - count["equivalent"]
        if count["noticed"] < MIN_NOTICED * effective:
            wrong.append(f"{module}: {count['noticed']} of {effective} are noticed")
    kinds = ("mutants", "noticed", "equivalent")
    rows = [
        {"module": module, **{kind: count[kind] for kind in kinds}, "date": date}
        for module, count in counts.items()
    ]
    return rows, wrong


def keep(rows: Sequence[dict[str, object]]) -> None:
    """Append rows to the scores."""
    with SCORES.open("a", encoding="utf-8", newline="") as lines:
        csv.DictWriter(lines, rows[0], lineterminator="\n").writerows(rows)


def main() -> int:
    """Judge a sample of the mutants of some modules."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("modules", nargs="*", help="files and folders of `judged.py`, all if none")
    parser.add_argument("--sample", type=int, default=40, help="at most so many of each module")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="add the figures to `scores.csv`")
    args = parser.parse_args()
    tests = modules(args.modules)
    if not tests:
        parser.error(f"no module of `judged.py` is named: {', '.join(args.modules)}")
    chosen = [
        mutant
        for module in tests
        for mutant in sample_of(
            module, (HOME / module).read_text(encoding="utf-8"), args.sample, args.seed
        )
    ]
    equivalent = listed(EQUIVALENT)
    tried = [mutant for mutant in chosen if mutant.change not in equivalent]
    verdicts = zip(tried, judge(tried, tests, args.workers), strict=True)
    noticed = {mutant for mutant, is_noticed in verdicts if is_noticed}
    rows, wrong = report(chosen, noticed, datetime.now(UTC).date().isoformat())
    for row in rows:
        print("{module}: {noticed} noticed of {mutants}, {equivalent} equivalent".format(**row))
    if args.keep and rows:
        keep(rows)
    print("\n".join(wrong) or "all is noticed, or listed")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())

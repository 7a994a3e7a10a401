"""Mutation testing of the library's own Python, with cosmic-ray: do the tests notice a small change of a module?

    pip install 'cosmic-ray>=8.4'
    python -m tests.mutation.mutate_python --module hots_rules/play/game.py --tests "tests/play tests/games"

The folder of the session holds a copy of the project and cosmic-ray's session, so that a run that was stopped continues
where it was. The sample is random and depends only on the seed and the module. The tests run in the given order, stop
at the first failure and use no cache of an earlier run. Whether a survivor changes play is for the reader to judge.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import TestOutcome, WorkerOutcome, WorkResult

from tests.folders import HOME

COPIED = ("hots_rules", "rulesets", "grammar", "tests", "docs")
CONFIG = """\
[cosmic-ray]
module-path = "{module}"
timeout = 600.0
excluded-modules = []
test-command = "{python} -m pytest -x -q -p no:cacheprovider {tests}"
[cosmic-ray.distributor]
name = "local"
"""


def begin(folder: Path, module: str, tests: str, size: int, seed: int) -> None:
    """Copy the project and choose the mutants."""
    for name in COPIED:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(HOME / name, folder / name, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md"):
        shutil.copy(HOME / name, folder)
    config = CONFIG.format(module=module, tests=tests, python=sys.executable)
    (folder / "config.toml").write_text(config, encoding="utf-8")
    run(folder, "init", "config.toml", "session.sqlite")
    with use_db(folder / "session.sqlite", WorkDB.Mode.open) as database:
        jobs = sorted(
            database.pending_work_items, key=lambda item: (str(item.mutations), item.job_id)
        )
        kept = Random(seed).sample(range(len(jobs)), min(size, len(jobs)))
        for number in set(range(len(jobs))) - set(kept):
            skipped = WorkResult(worker_outcome=WorkerOutcome.SKIPPED, output="not in the sample")
            database.set_result(jobs[number].job_id, skipped)


def run(folder: Path, *arguments: str) -> None:
    """Run cosmic-ray in the copy, with the copy's code."""
    program = Path(sys.executable).with_name("cosmic-ray")
    subprocess.run(["env", f"PYTHONPATH={folder}", program, *arguments], cwd=folder, check=True)


def report(folder: Path) -> str:
    """The counts, and the difference that each surviving mutant makes."""
    counts: Counter[str] = Counter()
    survivors = []
    with use_db(folder / "session.sqlite", WorkDB.Mode.open) as database:
        for _, result in database.completed_work_items:
            if result.worker_outcome == WorkerOutcome.SKIPPED:
                continue
            survived = result.test_outcome == TestOutcome.SURVIVED
            counts["survived" if survived else "caught"] += 1
            if survived:
                survivors.append(result.diff)
    return "\n".join([*(f"{word} {counts[word]}" for word in ("caught", "survived")), *survivors])


def main() -> None:
    """Judge a sample of the mutants of a module."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--module", required=True, help="a file or folder below the project")
    parser.add_argument("--tests", required=True, help="test files, the likeliest first")
    parser.add_argument("--sample", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--session", type=Path, default=Path("mutation-session"))
    args = parser.parse_args()
    folder = args.session.resolve()
    if not (folder / "session.sqlite").exists():
        folder.mkdir(parents=True, exist_ok=True)
        begin(folder, args.module, args.tests, args.sample, args.seed)
    run(folder, "exec", "config.toml", "session.sqlite")
    print(report(folder))


if __name__ == "__main__":
    main()

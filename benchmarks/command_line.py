"""Processor time that `hots --help` and other commands take, of one checkout or of several in turn.

Every run is a process of its own. The checkouts take turns, so that a busy machine slows all of them alike; the first
run of each is thrown away, because it may write the `.pyc` files of the library. Medians are reported.

    python benchmarks/command_line.py [TREE…] [--runs 15] [--command "list"] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from statistics import median

HOME = Path(__file__).parent.parent


def seconds(tree: Path, words: list[str]) -> float:
    """The processor time of one run, of this user and of the system."""
    command = [sys.executable, "-m", "hots_rules.cli", *words]
    environment = os.environ | {"PYTHONPATH": str(tree), "PYTHONSAFEPATH": "1"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environment, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure, and print a line for each checkout."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("trees", nargs="*", type=Path, default=[HOME], metavar="TREE")
    parser.add_argument("--runs", type=int, default=15, metavar="N")
    parser.add_argument("--command", default="--help", help="what follows `hots`")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    words = given.command.split()
    times: dict[str, list[float]] = {str(tree.resolve()): [] for tree in given.trees}
    for number in range(given.runs + 1):
        for tree, found in times.items():
            taken = seconds(Path(tree), words)
            if number:
                found.append(taken)
    medians = {tree: median(found) for tree, found in times.items()}
    if given.json:
        print(json.dumps({"command": words, "runs": given.runs, "seconds": medians}))
        return
    for tree, taken in medians.items():
        low, high = min(times[tree]), max(times[tree])
        print(f"{taken:.3f} s ({low:.3f} to {high:.3f})  hots {given.command}  {tree}")


if __name__ == "__main__":
    main()

"""Runs named jobs side by side, and tells at the end how long each took.

    python .ci/jobs.py [--at-once 2] < jobs

A job is a line with its name, a tab and a shell command; they begin in their order. What a job prints is shown when it
ends, beneath its name: all of it if it failed, its last line if not. The status is 1 if a job failed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import NamedTuple


class Done(NamedTuple):
    """A job that has ended: its name, its status, what it printed, and how many seconds it took."""

    name: str
    status: int
    output: str
    seconds: float


def run(name: str, command: str) -> Done:
    """Run a job to its end."""
    start = time.monotonic()
    ended = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    return Done(name, ended.returncode, ended.stdout, time.monotonic() - start)


def show(done: Done) -> None:
    """Print what a job printed: all, if it failed."""
    lines = done.output.rstrip().splitlines() or ["(nothing)"]
    if done.status:
        print(f"\n==== {done.name}: failed with status {done.status}")
        print("\n".join(lines))
    else:
        print(f"{done.seconds:6.0f} s  {done.name}: {lines[-1]}")
    sys.stdout.flush()


def main() -> int:
    """Run the jobs of the standard input."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--at-once", type=int, default=2, help="how many jobs run at a time")
    at_once = parser.parse_args().at_once
    jobs = [line.rstrip("\n").split("\t", 1) for line in sys.stdin if line.strip()]
    start, ended = time.monotonic(), []
    with ThreadPoolExecutor(at_once) as pool:
        for future in as_completed([pool.submit(run, name, command) for name, command in jobs]):
            ended.append(future.result())
            show(ended[-1])

    print(f"\n{len(ended)} jobs in {time.monotonic() - start:.0f} s, the longest first:")
    for done in sorted(ended, key=lambda done: -done.seconds):
        print(f"{done.seconds:6.0f} s  {done.name}{'   FAILED' if done.status else ''}")
    failed = [done.name for done in ended if done.status]
    print(f"failed: {', '.join(failed) or 'none'}")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())

"""What the tests of the README cost, beside those of an older commit: processor time and wall-clock time.

    python benchmarks/suite.py                       this tree: from nothing, again, and after a change
    python benchmarks/suite.py --before 999336f      an older commit first, in the same run

Each tree is copied, and installed as the commands of its README say. Each run is that of its test command; processor
time is that of the command and of all processes that it has waited for. The change is one of a line in
`hots_rules/compile`, which makes every compiled ruleset worthless that was kept.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

HOME = Path(__file__).resolve().parent.parent
CHANGED = Path("hots_rules", "compile", "machine.py")


def copy_of(commit: str, folder: Path) -> Path:
    """A clone at a commit; this tree as it stands, if there is none."""
    subprocess.run(["git", "clone", "--quiet", str(HOME), str(folder)], check=True)
    if commit:
        subprocess.run(["git", "checkout", "--quiet", commit], cwd=folder, check=True)
        return folder
    changed = subprocess.run(
        ["git", "diff", "--binary", "HEAD"], cwd=HOME, capture_output=True, check=True
    ).stdout
    if changed:
        subprocess.run(["git", "apply", "--index"], cwd=folder, input=changed, check=True)
    return folder


def commands(tree: Path) -> list[str]:
    """The shell commands of the first two blocks `console` of the README, which are joined by `&&`."""
    text = (tree / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```console\n(.*?)^```", text, re.M | re.S)[:2]
    return [command.strip() for block in blocks for command in block.split("&&")]


def measured(command: str, tree: Path) -> tuple[float, float, str]:
    """The processor time and the wall-clock time of a command, in seconds, and its last line."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=tree,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, time.monotonic() - start, (done.stdout.splitlines() or [""])[-1]


def run(name: str, command: str, tree: Path) -> float:
    """Run the tests of a tree and tell what they took; the processor time."""
    spent, wall, last = measured(command, tree)
    print(f"{name:<28} {spent:7.0f} s of processor time {wall:6.0f} s   {last}", flush=True)
    return spent


def main() -> None:
    """Measure the tests of this tree, and of an older one."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--before", default="", metavar="COMMIT", help="an older commit to compare with"
    )
    before = parser.parse_args().before
    with TemporaryDirectory(prefix="hots_rules-tests-of-") as place:
        times = {}
        for commit in filter(None, (before, "now")):
            tree = copy_of("" if commit == "now" else commit, Path(place, commit))
            *set_up, test = commands(tree)
            for command in set_up:
                if "hots play" not in command:
                    subprocess.run(
                        ["bash", "-c", command], cwd=tree, check=True, stdout=subprocess.DEVNULL
                    )
            times[commit] = run(f"{commit}: from nothing", test, tree)
        run("now: again", test, tree)
        with (tree / CHANGED).open("a", encoding="utf-8") as file:
            file.write("# A line more.\n")
        times["changed"] = run("now: a line of compile more", test, tree)
        if before:
            for name in ("now", "changed"):
                print(
                    f"{name}: {times[name] / times[before]:.2f} of the processor time of {before}"
                )


if __name__ == "__main__":
    sys.exit(main())

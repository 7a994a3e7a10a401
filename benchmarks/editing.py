"""How much work an editor's questions are, in the largest shipped chain of editions.

The rulesets of one game are the open folder. Each step types a sign in a declaration of the newest rulebook, asks, and
takes the sign back. The times are those of the processor, in one process: what the editor and the streams take is not
in them, and neither is what other programs of a busy machine take.

    python benchmarks/editing.py [--steps 40]
"""

from __future__ import annotations

import argparse
import resource
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import process_time
from typing import TypeVar

from hots_rules import editing
from hots_rules._gc_policy import collect, collect_seldom

HOME = Path(__file__).parent.parent / "rulesets" / "hots"
SLIP = 'rule slip-of-the-pen §1 "A slip."\n  forbid no_such_action\n'
Result = TypeVar("Result")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=40)
    steps = parser.parse_args().steps
    times: dict[str, list[float]] = {}

    def timed(name: str, run: Callable[[], Result]) -> Result:
        start = process_time()
        result = run()
        times.setdefault(name, []).append((process_time() - start) * 1000)
        return result

    collect_seldom()
    space = editing.Workspace()
    for path in (*HOME.rglob("*.rules"), *HOME.rglob("sections.csv")):
        space.open(str(path), path.read_text("utf-8"))
    last = max(space.located(), key=lambda head: len(space.prepare(head).source.layers))
    own = min(space.located(), key=lambda head: len(space.prepare(head).source.layers))
    timed("first check of the chain", lambda: space.check(last))
    space.check(own)
    chance = Random(19)
    files = sorted(path for path in space.texts if "/4.0/" in path and path.endswith(".rules"))
    for _ in range(steps):
        path = chance.choice(files)
        text = space.texts[path]
        rows = text.split("\n")
        row = chance.choice([at for at, line in enumerate(rows) if line.startswith("  ")])
        broken = "\n".join([*rows[:row], f"{rows[row]} (", *rows[row + 1 :]])

        def show(path: str = path, broken: str = broken) -> object:
            space.open(path, broken)
            return space.faults(path)

        timed("faults of a malformed text", show)
        place = row + 1, len(rows[row]) + 1
        timed("completion", lambda path=path, place=place: editing.completions(space, path, *place))
        timed("hover", lambda path=path, place=place: editing.hover(space, path, *place))
        space.open(path, text + SLIP)

        def check_edit(path: str = path) -> None:
            job = editing.prepare_edit(space, path)
            assert job is not None
            assert editing.accept_edit(space, job, editing.run_edit(job))

        timed("faults of the edited declaration", check_edit)
        assert any("no_such_action" in fault.headline for fault in space.faults(path))
        timed("faults of its ruleset", lambda: space.check(own))
        assert any("no_such_action" in fault.headline for fault in space.faults(path))
        timed("faults of the whole chain", lambda: space.check(last))
        space.open(path, text)
        timed("colours", lambda path=path: editing.coloured(space, path))
        collect()  # as the server does while nobody waits
    space.check(last)
    print(
        f"{'':34}{'median':>9}{'95 %':>9}{'most':>9}  milliseconds of the processor, {steps} steps"
    )
    for name, values in times.items():
        ordered = sorted(values)
        shown = (ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)], ordered[-1])
        print(f"{name:34}" + "".join(f"{value:9.0f}" for value in shown))
    print(f"memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most")


if __name__ == "__main__":
    main()

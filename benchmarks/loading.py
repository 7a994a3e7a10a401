"""How long it takes to import the library and to load a ruleset, with an empty and with a filled cache.

Every run is a process of its own, with a temporary cache folder; the first is thrown away, because it may
write the `.pyc` files of the library. Cold and warm take turns; medians are reported.

    python benchmarks/loading.py [--runs 7] [--ruleset hots-4.0] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import hots_rules

HOME = Path(hots_rules.__file__).parent.parent
CODE = """
from time import perf_counter
began = perf_counter()
import hots_rules
imported = perf_counter()
hots_rules.load({ruleset!r})
print(imported - began, perf_counter() - imported)
"""


def run(ruleset: str, cache: str) -> tuple[float, float]:
    """The seconds of an import and of a load, in a fresh process."""
    paths = [str(HOME), *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(ruleset=ruleset)],
        env=os.environ | {"HOTS_RULES_CACHE": cache, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=True,
    )
    imported, loaded = map(float, done.stdout.split())
    return imported, loaded


def main() -> None:
    """Prints a row per measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--ruleset", default="hots-4.0")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    imports, cold, warm = [], [], []
    for number in range(args.runs + 1):
        with TemporaryDirectory() as cache:
            runs = run(args.ruleset, cache), run(args.ruleset, cache)
        if number:
            imports += [imported for imported, _ in runs]
            cold.append(sum(runs[0]))
            warm.append(sum(runs[1]))
    found = {
        "import s": median(imports),
        "import and load, cold cache s": median(cold),
        "import and load, warm cache s": median(warm),
    }
    if args.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name:32} {value:8.3f}")


if __name__ == "__main__":
    main()

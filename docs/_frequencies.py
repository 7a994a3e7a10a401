"""Counts how often the declarations of the editions come up in random games; `.ci/nightly` runs it.

python docs/_frequencies.py            writes rulesets/witnesses/frequencies.json
python docs/_frequencies.py --check    exits with status 1 if the file is out of date

It takes about a quarter of an hour.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import hots_rules as hr

FILE = Path(__file__).parent.parent / "rulesets" / "witnesses" / "frequencies.json"
GAMES = 1000  # of each edition, a third of them of each scenario


def counted() -> str:
    """The text of the file."""
    found = {}
    for edition in hr.atlas.editions_of(hr.load("hots-4.0")):
        counts = hr.analysis.count_frequencies(hr.load(edition), games=GAMES)
        found[counts.ruleset] = {"games": counts.games, "counts": counts.counts}
    return json.dumps(found, indent=1) + "\n"


def main() -> int:
    """Writes the file, or checks it; returns the exit status."""
    text = counted()
    if "--check" not in sys.argv:
        FILE.write_text(text, encoding="utf-8")
    elif FILE.read_text(encoding="utf-8") != text:
        print(f"{FILE} is out of date: run `python docs/_frequencies.py`", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Plays 100,000 games with and without a difference, and lists it in rulesets/agreements.csv if all of them agree.

    python tests/seek_agreements.py OLD NEW DIFFERENCE…

It takes hours for each difference; a game that parts ends it at once.
"""

import sys
from pathlib import Path

import hots_rules as hr
from hots_rules.compare.agreements import digest_of
from hots_rules.compare.sides import Side
from hots_rules.diagnostics import DEFAULT_LIMITS

LIST = Path(__file__).parent.parent / "rulesets" / "agreements.csv"


def main(old: str, new: str, *names: str) -> None:
    """Seek the agreements of some differences."""
    sides = [Side.of(name, DEFAULT_LIMITS) for name in (old, new)]
    differences = hr.diff(old, new)
    for name in names:
        difference = differences.find(name)
        found = hr.compare.agreement(hr.load(old), hr.load(new), difference.id)
        if found is None:
            print(f"{difference.id}: a game parts; `hots witness` shows where")
            continue
        row = old, new, difference.id, found.games, found.decisions, found.seed, digest_of(*sides)
        with LIST.open("a", encoding="utf-8") as file:
            file.write(",".join(map(str, row)) + "\n")
        print(f"{difference.id}: {found.games} games agree")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Plays 100,000 games with and without each difference of play that has no witness, and lists those without effect.

    python -m tests.compare.seek_agreements                                   all pairs of neighbours
    python -m tests.compare.seek_agreements hots-3.x hots-2.3                 one pair
    python -m tests.compare.seek_agreements hots-3.x hots-2.3 "rule landing"  some differences

A difference is listed in rulesets/agreements.csv if all games agree with and without it: those of the ruleset that has
the declaration, or of both. A game that parts ends the trial at once, and so does a mixture of rules that cannot be
played.
"""

import csv
import sys
from itertools import pairwise

import hots_rules as hr
from hots_rules.compare.agreements import ENOUGH, Agreement, digest_of
from hots_rules.compare.sides import Side
from hots_rules.diagnostics import DEFAULT_LIMITS
from tests.casebook import HAMMER
from tests.folders import HOME

LIST = HOME / "rulesets" / "agreements.csv"


def unwitnessed(old: str, new: str) -> list[str]:
    """The differences of play between two rulesets of which no witness is kept."""
    kept = hr.witness.kept_witnesses(old, new).witnesses
    return [each.id for each in hr.diff(old, new).differences if each.plays and each.id not in kept]


def seek(old: str, new: str, name: str) -> dict[tuple[str, str], Agreement]:
    """The agreements of a difference by the ruleset that was played and the other one; none if a game parts."""
    found = {}
    difference = hr.diff(old, new).find(name)
    for pair, own in (((new, old), difference.new), ((old, new), difference.old)):
        if own is None:
            continue
        try:
            agreed = hr.witness.agreement(*map(hr.load, pair), name, progress=tell)
        except hr.EngineError as error:
            print(f"{name}: {pair[0]} cannot be played so: {error}", flush=True)
            return {}
        if agreed is None:
            print(f"{name}: a game of {pair[0]} parts", flush=True)
            return {}
        found[pair] = agreed
    print(f"{name}: all games agree", flush=True)
    return found


def tell(games: int) -> None:
    """Say how many games were played, now and then."""
    if not games % (ENOUGH // 10):
        print(f"  {games} games agree", flush=True)


def write(old: str, new: str, name: str, found: dict[tuple[str, str], Agreement]) -> None:
    """Put what was found of a difference into the list, in the place of what stands there."""
    lines = list(csv.reader(LIST.read_text(encoding="utf-8").splitlines()))
    rows = {tuple(row[:3]): row for row in lines[1:]}
    digest = digest_of(*(Side.of(each, DEFAULT_LIMITS) for each in (old, new)))
    for pair in ((old, new), (new, old)):
        rows.pop((*pair, name), None)
        if each := found.get(pair):
            counts = [str(each.games), str(each.decisions), each.seed]
            rows[*pair, name] = [*pair, name, *counts, digest]
    text = "".join(",".join(row) + "\n" for row in (lines[0], *sorted(rows.values())))
    LIST.write_text(text, encoding="utf-8")


def main(*arguments: str) -> None:
    """Seek the agreements of some differences."""
    pairs = [(arguments[0], arguments[1])] if arguments else list(pairwise(HAMMER))
    for old, new in pairs:
        names = [hr.diff(old, new).find(name).id for name in arguments[2:]]
        for name in names or unwitnessed(old, new):
            write(old, new, name, seek(old, new, name))


if __name__ == "__main__":
    main(*sys.argv[1:])

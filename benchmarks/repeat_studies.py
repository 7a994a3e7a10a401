"""Repeats the studies of what 4.0 changed under several seeds, and counts how often two runs agree.

Needs a native back end; with `--results`, also the extra `cluster`:

    python benchmarks/repeat_studies.py 1297 1314 1328 --results games

Two runs agree on a figure if zero lies in the usual 95 % interval of the difference between their estimates: 1.96
standard errors to both sides. About 95 of 100 figures should. All figures of the reports with an interval count: the
shares and means of each side, the effects between both, and the share of pairs that part with the decisions before.

Many figures say the same, so that they agree or differ together. The second count of each line leaves out what
another figure tells exactly: of shares that add up to 1, the last one, and the figures of 4.0 in the second and third
study, which are those in the first one.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from itertools import combinations
from math import hypot, sqrt
from pathlib import Path
from typing import NamedTuple

import hots_rules as hr
from hots_rules.analysis.simulating.confidence import asymptotic_interval
from hots_rules.cli.results_folder import ResultsFolder
from hots_rules.study.estimates import Effect, Estimate, PolicyResult

NEW, OLDER = "hots-4.0", ("hots-3.x", "hots-2.3", "hots-player-aid")
SCENARIO, MEASURE = "braveheart", "year"
POLICIES = ("random", "fight-on", "retreat-at-one")
KINDS = ("share of a side", "mean of a side", "effect on a share", "effect on a mean", "parting")
Z = 1.96


class Figure(NamedTuple):
    """What an estimate of a report is about."""

    study: str
    policy: str
    kind: str
    of: str
    name: str


class Found(NamedTuple):
    """An estimate with its standard error."""

    value: float
    error: float


NEVER = Found(0.0, 0.0)
"""A share that a report does not name, since no game ends so."""
Run = Mapping[Figure, Found]


# ------------------------------------------------------------------ the figures of a run
def run(seed: str, games: int, backend: str, store: MutableMapping[str, bytes] | None) -> Run:
    """All figures of the three studies under a seed."""
    found: dict[Figure, Found] = {}
    for old in OLDER:
        plan = hr.study.StudyPlan((), SCENARIO, games, seed, POLICIES, (MEASURE,))
        study = hr.study.study([hr.load(old), hr.load(NEW)], plan, backend=backend, store=store)
        for result in study.results:
            for kind, of, name, each in figures(result):
                found[Figure(old, result.policy, kind, of, name)] = each
    return found


def figures(result: PolicyResult) -> Iterator[tuple[str, str, str, Found]]:
    """The figures of a study with one policy: kind, side or pair, name, and what was found."""
    games = result.games
    for side, estimates in result.estimates.items():
        for each in estimates:
            error = sqrt(variance(each, games) / games)
            yield f"{each.kind} of a side", side, each.figure, Found(each.mean, error)
    for effect in result.effects:
        of = f"{effect.one}, {effect.other}"
        error = sqrt(effect_variance(effect, result) / games)
        yield f"effect on a {effect.kind}", of, effect.figure, Found(effect.difference, error)
    for part in result.divergences:
        of, parted = f"{part.one}, {part.other}", round(part.share.mean * games)
        for each, number in ((part.share, games), (part.decision, parted)):
            if number > 1:
                error = sqrt(variance(each, number) / number)
                yield "parting", of, each.figure, Found(each.mean, error)


def variance(found: Estimate | Effect, number: int) -> float:
    """The variance of the values behind an estimate; that of numbers from the width of their interval."""
    if isinstance(found, Estimate) and found.kind == "share":
        return found.mean * (1 - found.mean)
    unit = asymptotic_interval(number, mean=0, variance=1)
    return (found.width / unit.width) ** 2


def effect_variance(effect: Effect, result: PolicyResult) -> float:
    """The variance of the differences of pairs; of shares, from what the pairing reduced it by."""
    if effect.kind == "mean":
        return variance(effect, result.games)
    if effect.reduction is None:
        return 0.0
    sides = (result.estimate(side, effect.figure) for side in (effect.one, effect.other))
    return sum(variance(each, result.games) for each in sides) / effect.reduction


# ------------------------------------------------------------------ two runs
def agreement(one: Run, other: Run) -> dict[Figure, bool]:
    """For each figure that both runs have whether zero lies in the interval of the difference."""
    known = [each for each in dict.fromkeys((*one, *other)) if is_known(each, one, other)]
    return {
        each: abs(a.value - b.value) <= Z * hypot(a.error, b.error)
        for each, a, b in ((each, one.get(each, NEVER), other.get(each, NEVER)) for each in known)
    }


def is_known(figure: Figure, one: Run, other: Run) -> bool:
    """Whether both runs have a figure; one that has no share of its name has a share of 0."""
    return (figure in one and figure in other) or "share" in figure.kind


def told_elsewhere(found: Mapping[Figure, bool]) -> set[Figure]:
    """The figures that others tell exactly."""
    again = {
        each for each in found if each.of == NEW and each.study != OLDER[0] and "of a" in each.kind
    }
    last: dict[tuple[str, ...], Figure] = {}
    for each in found:
        if "share" in each.kind:
            # Who wins adds up to 1, and so does how games end.
            last[*each[:4], "ends" if each.name.startswith("ends by") else "wins"] = each
    return again | set(last.values())


def line(found: Iterable[Mapping[Figure, bool]]) -> str:
    """How many figures agree, of all and of those that no other tells."""
    every: list[bool] = []
    own: list[bool] = []
    for pair in found:
        apart = told_elsewhere(pair)
        every += pair.values()
        own += [agrees for each, agrees in pair.items() if each not in apart]
    return f"{_count(every)} | {_count(own)}"


def of_kind(found: Mapping[Figure, bool], kind: str) -> dict[Figure, bool]:
    """The figures of a kind."""
    return {each: agrees for each, agrees in found.items() if each.kind == kind}


def _count(agree: list[bool]) -> str:
    return f"{sum(agree)} of {len(agree)}, {100 * sum(agree) / len(agree):.1f} %"


# ------------------------------------------------------------------ all runs
def main() -> None:
    """Play the studies under all seeds, and print how many figures agree for each pair of runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seeds", nargs="+")
    parser.add_argument("--games", type=int, default=3_000)
    parser.add_argument("--backend", default="llvm")
    parser.add_argument("--results", type=Path)
    parser.add_argument("--list", action="store_true", help="name the figures that differ")
    args = parser.parse_args()
    store = None if args.results is None else ResultsFolder(args.results)
    runs = {seed: run(seed, args.games, args.backend, store) for seed in args.seeds}
    pairs = {both: agreement(*(runs[seed] for seed in both)) for both in combinations(runs, 2)}

    print("| runs | all figures | without those told by others |\n| --- | --- | --- |")
    for (one, other), found in pairs.items():
        print(f"| {one}, {other} | {line([found])} |")
    with_first = [found for both, found in pairs.items() if args.seeds[0] in both]
    print(f"| {args.seeds[0]} and each other | {line(with_first)} |")
    print(f"| all pairs | {line(pairs.values())} |")
    for kind in KINDS:
        chosen = (of_kind(found, kind) for found in pairs.values())
        print(f"| all pairs: {kind} | {line(chosen)} |")
    if args.list:
        for both, found in pairs.items():
            for each in (each for each, agrees in found.items() if not agrees):
                numbers = (runs[seed].get(each, NEVER) for seed in both)
                shown = ", ".join(f"{value:.4f} ± {Z * error:.4f}" for value, error in numbers)
                print(f"{' '.join(both)}: {' / '.join(each)}: {shown}")


if __name__ == "__main__":
    main()

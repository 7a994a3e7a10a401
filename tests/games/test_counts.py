"""How many ways lead on from a position, counted to a depth, as chess programs do with perft.

A file of tests/counts says where to begin, as a case does, and how many lines of actions and outcomes
of chance there are after one, two and three of them. A count that changes tells of a rule that did.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import hots_rules as hr
from hots_rules.compile.codes import DecisionPoint
from tests.casebook import Case, play_case, start_case
from tests.folders import TESTS

FILES = sorted((TESTS / "counts").glob("*.txt"))


@cache
def _loaded(name: str) -> hr.Ruleset:
    return hr.load(name)


def counts(path: Path) -> tuple[Case, dict[int, int]]:
    """The beginning that a file names, and its counts by depth."""
    parts: dict[str, list[str]] = {}
    found: dict[int, int] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition(" ")
        if key == "depth":
            depth, _, number = value.partition(" ")
            found[int(depth)] = int(number)
        elif key and key != "#":
            parts.setdefault(key, []).append(value.strip())
    return Case(path.name, path.stem, (), parts, (TESTS / "positions",)), found


def lines_of(game: hr.Game, depth: int) -> int:
    """How many sequences of that many actions and outcomes go on from a game, the same end or not."""
    machine = game.ruleset.machine(game.settings)

    def ways(slots: list[int]) -> list[int]:
        point = machine.point(slots)
        if point is None:
            return []
        if isinstance(point, DecisionPoint):
            return list(machine.legal(slots))
        return [-1 - outcome for outcome, _ in machine.outcomes(slots)]

    def count(slots: list[int], depth: int) -> int:
        found = ways(slots)
        if depth == 1:
            return len(found)
        total = 0
        for way in found:
            then = list(slots)
            if way < 0:
                machine.resume(then, -1 - way, None)
            else:
                machine.play(then, way, None)
            total += count(then, depth - 1)
        return total

    return count(list(game.state.slots), depth)


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in FILES])
def test_count_of_lines_stands(path: Path) -> None:
    case, expected = counts(path)
    game = play_case(case, start_case(case, _loaded(case.editions[0])))

    assert expected == {depth: lines_of(game, depth) for depth in expected}

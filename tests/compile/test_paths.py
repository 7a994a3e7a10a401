"""`reach` and `distance`: every machine gives what a plain search gives."""

from __future__ import annotations

from collections import deque
from random import Random

import pytest

import hots_rules as hr
from tests.compile.test_conditions import assert_every_machine_means
from tests.playing import ruleset_of

CONDITIONS = {
    "a region": "(a in (reach x from seen[side[p]]: next[x]))",
    "a region that ends at some": "(a in (reach x from {spot}: {y in next[x] where holder[y] = none}))",
    "from nothing": "(a in (reach x from {b in next[a] where worth[b] > 5}: next[x]))",
    "a distance": "((distance x from {a} to seen[side[p]]: next[x]) < j)",
    "a distance of none": "((distance x from {a} to {b in Area where worth[b] > m + 4}: next[x]) = 4)",
    "under a quantifier": "(some q in Piece: q in (reach r from {p}: {s in Piece where mood[s] > mood[r]}))",
    "a step that may fail": "(n > 2 and a in (reach x from {spot}: {the(next[x])}))",
    "numbers": "(j in (reach i from lows[a]: {k in Low where k = i + 1}))",
    "one in another": "(a in (reach x from {spot}: {y in Area where y in (reach z from {x}: near(z))}))",
}


@pytest.mark.parametrize("kind", CONDITIONS)
def test_paths_mean_what_the_evaluator_says(kind: str) -> None:
    assert_every_machine_means(CONDITIONS[kind], kind)


BOARD = """ruleset walls-1.0 "Walls"
players Side
type Side = White | Black
type Board = Cell(file: 1..9, rank: 1..9)
state
  at    : Board = Cell_1_1
  walls : set of Board
define near(x: Board) = {y in Board where abs(file[x] - file[y]) + abs(rank[x] - rank[y]) = 1}
define open = Board - walls
define region = reach x from {at}: near(x) & open
define way = distance x from {at} to {y in Board where rank[y] = 9}: near(x) & open
action wall(to: Board) §1 "Build."
  permit when to in open - {at}
  add to to walls
rule shut-in §1 "Nobody is shut in."
  forbid wall(to) when count(region) < 40 and to in region
    because "{way} steps"
phase game §1 "Turns."
  for i in 1..40
    choose White: wall
  win none
question region_now = region §1 "What is reached?"
question way_now = way §1 "How far is it?"
scenario first §1 "One"
  game()
"""


def searched(walls: set[tuple[int, int]]) -> tuple[set[tuple[int, int]], int]:
    """What is reached from the first corner, and the steps to the last row."""
    steps, queue = {(1, 1): 0}, deque([(1, 1)])
    while queue:
        file, rank = queue.popleft()
        for there in ((file + 1, rank), (file - 1, rank), (file, rank + 1), (file, rank - 1)):
            if min(there) > 0 and max(there) < 10 and there not in walls | steps.keys():
                steps[there] = steps[file, rank] + 1
                queue.append(there)
    return set(steps), min((n for (_, rank), n in steps.items() if rank == 9), default=81)


def test_paths_on_a_board_are_those_of_a_plain_search() -> None:
    game, chooser, lengths = ruleset_of(BOARD).start("first", seed=1), Random(5), set()
    while not game.is_over:
        game = game.play(chooser.choice(game.actions))
        walls = {cell(text) for text in game.state["walls"]}
        reached, steps = searched(walls)
        assert game.ask("How far is it?").value == steps
        assert {cell(text) for text in game.ask("What is reached?").value} == reached
        lengths.add(steps)
    assert len(lengths) > 1


def cell(text: object) -> tuple[int, int]:
    _, file, rank = str(text).split("_")
    return int(file), int(rank)


def test_the_steps_are_of_the_type_of_the_set() -> None:
    with pytest.raises(hr.RulesetError, match="wrong-type"):
        ruleset_of(BOARD.replace("near(x) & open\ndefine way", "file[x]\ndefine way"))

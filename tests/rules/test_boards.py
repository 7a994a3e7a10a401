"""Boards: what a line `board … as …` gives is what a plain search over the places gives."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

import hots_rules as hr
from hots_rules import editing
from tests.needs import needs
from tests.playing import ruleset_of

GAME = """ruleset board-1.0 "A board"
players Side
type Side = White | Black
type Board = Cell(file: 1..5, rank: 0..4)
board Board as SHAPE §1
state
  at : Board = Cell_1_1
action go(to: Board) §1 "Go."
  permit when to in near(at)
  at := to
phase game §1 "Turns."
  for i in 1..9
    choose White: go
  win none
question near_to(x: Board) = near(x) §1 "What is near {x}?"
question between_them(x: Board, y: Board) = between(x, y) §1 "What is between {x} and {y}?"
question apart_from(x: Board, y: Board) = apart(x, y) §1 "How far is {x} from {y}?"
question in_line(x: Board) = line(x, Direction.north) §1 "What is in line with {x}?"
scenario first §1 "One"
  game()
"""
Place = tuple[int, int]
PLACES = [(file, rank) for file in range(1, 6) for rank in range(5)]
SHAPES = ("squares", "squares with diagonals", "hexes")


def corner(place: Place) -> tuple[float, float]:
    """The middle of a hex: odd columns stand half a hex higher."""
    file, rank = place
    return file * 3**0.5 / 2, rank + file % 2 / 2


def are_near(shape: str, x: Place, y: Place) -> bool:
    if shape == "hexes":
        (a, b), (c, d) = corner(x), corner(y)
        return abs((a - c) ** 2 + (b - d) ** 2 - 1) < 0.01
    over, up = abs(x[0] - y[0]), abs(x[1] - y[1])
    return over + up == 1 if shape == "squares" else max(over, up) == 1


def distances(shape: str, start: Place) -> dict[Place, int]:
    steps, newest = {start: 0}, [start]
    while newest:
        following = [
            p for p in PLACES if p not in steps and any(are_near(shape, x, p) for x in newest)
        ]
        steps |= dict.fromkeys(following, max(steps.values()) + 1)
        newest = following
    return steps


def name(place: Place) -> str:
    return f"Cell_{place[0]}_{place[1]}"


def between(shape: str, x: Place, y: Place) -> Iterator[Place]:
    """The places on the straight line from one to another along neighbours, if there is one."""
    (a, b), (c, d) = (corner(place) if shape == "hexes" else place for place in (x, y))
    steps = distances(shape, x)[y]
    if not steps:
        return
    here = {(corner(p) if shape == "hexes" else p): p for p in PLACES}
    path = []
    for number in range(1, steps):
        at = a + (c - a) * number / steps, b + (d - b) * number / steps
        found = [
            p for spot, p in here.items() if abs(spot[0] - at[0]) + abs(spot[1] - at[1]) < 0.01
        ]
        if not found:
            return
        path += found
    chain = [x, *path, y]
    if all(are_near(shape, p, q) for p, q in pairwise(chain)):
        yield from path


@pytest.mark.parametrize("shape", SHAPES)
def test_the_geometry_of_a_board_is_that_of_its_shape(shape: str) -> None:
    game = ruleset_of(GAME.replace("SHAPE", shape)).start("first", seed=1)
    for x in PLACES[::3]:
        near = {name(p) for p in PLACES if are_near(shape, x, p)}
        assert set(map(str, game.ask(f"What is near {name(x)}?").value)) == near
        steps = distances(shape, x)
        column = {name(p) for p in PLACES if p[0] == x[0]}
        assert set(map(str, game.ask(f"What is in line with {name(x)}?").value)) == column
        for y in PLACES[::2]:
            assert game.ask(f"How far is {name(x)} from {name(y)}?").value == steps[y]
            answer = game.ask(f"What is between {name(x)} and {name(y)}?").value
            assert set(map(str, answer)) == {name(p) for p in between(shape, x, y)}, (x, y)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "letters",
    [
        "type Letter = a | b | c | d | e",
        "table Letter §1 (n: 0..9)\n  a  0\n  b  1\n  c  2\n  d  3\n  e  4",
    ],
)
def test_words_are_coordinates_in_the_order_of_their_type(shape: str, letters: str) -> None:
    numbers = GAME.replace("SHAPE", shape)
    words = numbers.replace("file: 1..5", "file: Letter").replace("Cell_1_1", "Cell_a_1")
    words = words.replace("players Side", f"players Side\n{letters}")
    if "table" in letters:
        words += 'question number(x: Letter) = n[x] §1 "What is the number of {x}?"\n'
    asked, meant = (ruleset_of(text).start("first", seed=1) for text in (words, numbers))

    def lettered(cell: str) -> str:
        _, file, rank = cell.split("_")
        return f"Cell_{'abcde'[int(file) - 1]}_{rank}"

    for x in map(name, PLACES[::4]):
        cells = meant.ask(f"What is near {x}?").value
        assert {lettered(f"{cell}") for cell in cells} == {
            f"{cell}" for cell in asked.ask(f"What is near {lettered(x)}?").value
        }
        for y in map(name, PLACES[::3]):
            steps = meant.ask(f"How far is {x} from {y}?").value
            assert asked.ask(f"How far is {lettered(x)} from {lettered(y)}?").value == steps


def test_a_coordinate_may_be_a_named_range() -> None:
    text = GAME.replace("SHAPE", "squares").replace("file: 1..5", "file: Letter")
    text = text.replace("players Side", "players Side\ntype Letter = 1..5")
    assert len(ruleset_of(text).start("first", seed=1).actions) == 3


@pytest.mark.parametrize("backend", ["python", "wasm", "llvm"])
def test_all_machines_play_on_a_board_alike(backend: str) -> None:
    if backend != "python":
        needs({"wasm": "wasmtime", "llvm": "llvmlite"}[backend])
    rules = ruleset_of(GAME.replace("SHAPE", "hexes"))
    played = hr.simulate(rules, "first", games=20, seed=3, backend=backend)
    assert played.decisions == 180


def test_a_large_board_loads() -> None:
    large = GAME.replace("1..5", "1..19").replace("0..4", "0..18").replace("SHAPE", "squares")
    assert len(ruleset_of(large).start("first", seed=1).actions) == 3


def test_a_definition_of_the_ruleset_takes_the_place_of_one_of_the_board() -> None:
    own = GAME.replace("SHAPE", "squares").replace(
        "state\n", "define near(x: Board) = {y in Board where file[y] = file[x] + 2}\nstate\n", 1
    )
    game = ruleset_of(own).start("first", seed=1)
    assert len(game.actions) == 5


@pytest.mark.parametrize(
    ("own", "fault"),
    [
        ("table Direction §1 (turns: 0..3)\n  up 1\n  down 2\n", "`north` is not a value of"),
        ('event near(x: Board) §1 "Near."\n', "expected a value, got the event `near`"),
        ("state\n  apart : 0..3\n", "expected a definition, got the variable `apart`"),
    ],
)
def test_a_board_gives_nothing_that_has_the_name_of_a_declaration(own: str, fault: str) -> None:
    with pytest.raises(hr.RulesetError, match=fault):
        ruleset_of(GAME.replace("SHAPE", "squares") + own)


def test_an_edition_changes_the_shape() -> None:
    source = GAME.replace("SHAPE", "squares")
    other = GAME.replace("SHAPE", "squares with diagonals").replace("board-1.0", "board-2.0")
    first, second = ruleset_of(source), ruleset_of(other)
    changed = {str(difference) for difference in hr.diff(first, second).differences}
    assert any("board" in text for text in changed)
    assert first.content_hash != second.content_hash


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("board Board as circles §1", "expected the shape of a board"),
        ("board Side as squares §1", "whose values have two coordinates, got `Side`"),
        ("type Odd = Z(a: bool, b: 1..2)\nboard Odd as squares §1", "two coordinates, got `Odd`"),
        ("board Board as hexes with diagonals §1", "expected the shape of a board"),
    ],
)
def test_a_board_needs_a_shape_and_two_coordinates(line: str, fault: str) -> None:
    with pytest.raises(hr.RulesetError, match=fault):
        ruleset_of(GAME.replace("board Board as SHAPE §1", line))


def test_an_editor_shows_the_board_at_what_it_declares() -> None:
    space = editing.Workspace()
    text = GAME.replace("SHAPE", "squares")
    space.open("/board.rules", text)
    space.check("/board.rules")
    line = next(n for n, row in enumerate(text.splitlines(), 1) if "to in near" in row)
    column = text.splitlines()[line - 1].index("near") + 2
    shown = editing.hover(space, "/board.rules", line, column)
    assert shown is not None
    assert "board Board as squares §1" in shown[0]
    name, _ = editing.name_at(space, "/board.rules", line, column) or pytest.fail("no name")
    (place,) = editing.definitions(space, "/board.rules", name)
    assert text.splitlines()[place.span.line - 1].startswith("board ")
    with pytest.raises(editing.CannotRename, match="the board gives"):
        editing.renamed(space, "/board.rules", name, "beside")


def test_a_house_rule_changes_the_shape(tmp_path: Path) -> None:
    (tmp_path / "board-1.0.rules").write_text(GAME.replace("SHAPE", "squares"), "utf-8")
    house = tmp_path / "house.rules"
    house.write_text(
        'ruleset house-1.0 "Hexes"\n  extends board-1.0\namend board Board as hexes board-1.0§1\n',
        "utf-8",
    )
    rules = hr.load(house)
    assert len(rules.start("first", seed=1).actions) == 4
    assert len(hr.load(tmp_path / "board-1.0.rules").start("first", seed=1).actions) == 3

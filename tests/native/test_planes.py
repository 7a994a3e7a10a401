"""Conditions on all members of a set at once: without a loop where a board is regular, and as Python has them."""

import operator

import pytest

import hots_rules as hr
from hots_rules.compile.codes import bits
from hots_rules.native.lowering import program as p
from hots_rules.native.lowering.chains import behind, chains_of
from hots_rules.native.lowering.lower import lower
from hots_rules.native.lowering.static_values import NoPlaneError
from hots_rules.native.printing.python import load_python
from hots_rules.rules import find_source
from tests.native.test_lowering import assert_plays_alike, machine_of
from tests.playing import ruleset_of

BOARD = """ruleset board-1.0 "A board"
players Player
type Player = Red | Blue
type File = {files}
type Board = Cell(file: File, row: 1..{rows})
state
  disc[Cell] : Player?
  mover      : Player
define discs(p: Player) = {{c in Cell where disc[c] = p}}
define empty = {{c in Cell where disc[c] = none}}
define across(a: Cell, b: Cell) = ordinal(file[b]) - ordinal(file[a])
define up(a: Cell, b: Cell) = row[b] - row[a]
define far(a: Cell, b: Cell) = max(abs(across(a, b)), abs(up(a, b)))
define near(a: Cell) = {{b in Cell where far(a, b) = 1 or across(a, b) = 3 and up(a, b) = -1}}
define leap(a: Cell) = {{b in Cell where abs(across(a, b)) = 1 and abs(up(a, b)) = 2}}
define in_line(a: Cell) = {{b in Cell where a != b and (across(a, b) = 0 or up(a, b) = 0
  or abs(across(a, b)) = abs(up(a, b)))}}
define between(a: Cell, b: Cell) = {{x in in_line(a) & in_line(b) where
  across(a, x) * up(a, b) = across(a, b) * up(a, x) and far(a, x) + far(x, b) = far(a, b)}}
define foe(p: Player): Player = if p = Red then Blue else Red
define seen(p: Player, c: Cell) = {{x in in_line(c) & discs(p) where no between(c, x) - empty}}
define flanked(p: Player, c: Cell) =
  some x in in_line(c) & discs(p): some between(c, x) and no between(c, x) - discs(foe(p))
define threatened(p: Player) = {{c in Cell where some leap(c) & discs(p) and file[c] != a}}
action put(cell: Cell) §1 "Put a disc."
  permit when cell in empty and row[cell] > 1
  permit when cell in empty and not some near(cell) & discs(foe(actor))
  for c in discs(foe(actor))
    if flanked(actor, c)
      disc[c] := actor
  disc[cell] := actor
rule quiet §2 "A cell that a line of discs flanks is left alone."
  forbid put(c) when flanked(actor, c) and some seen(actor, c)
rule leaping §2 "A third leap is none."
  forbid put(c) when count(threatened(actor)) > 2 and c in threatened(actor)
action pass §1 "Pass."
  permit
phase game §1 "Turns."
  for n in 1..40
    choose mover: put, pass
    mover := foe(mover)
  if some c in empty: some leap(c) & discs(Red) or row[c] = 2 and no near(c) & discs(Blue)
    win Red
  win none
scenario empty-board §1 "No disc"
  game()
positions begin at game
"""
SIZES = {15: ("abc", 5), 64: ("abcdefgh", 8)}


def has_loop(functions: tuple[p.Function, ...], name: str) -> bool:
    (function,) = (function for function in functions if function.name == name)
    return any(isinstance(node, p.ForBits | p.While) for node in p.walk(function.body))


@pytest.mark.parametrize(
    ("ruleset", "function"),
    [
        ("connect-four-1.0", "some_0"),
        ("connect-four-1.0", "union_1"),
        ("reversi-1.0", "union_1"),
        ("reversi-1.0", "members_3"),
        ("reversi-1.0", "members_7"),
        ("chess-1.0", "members_6"),
    ],
)
def test_what_a_sample_asks_of_its_whole_board_needs_no_loop(ruleset: str, function: str) -> None:
    assert not has_loop(lower(machine_of(hr.load(ruleset))).functions, function)


@pytest.mark.parametrize("size", [15, pytest.param(64, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("backend", ["wasm", pytest.param("llvm", marks=pytest.mark.thorough)])
def test_planes_of_rays_and_neighbours_are_those_of_python(size: int, backend: str) -> None:
    files, rows = SIZES[size]
    machine = machine_of(ruleset_of(BOARD.format(files=" | ".join(files), rows=rows)))
    assert not has_loop(lower(machine).functions, "union_1")
    assert_plays_alike(machine, "empty-board", ("0", "1", "2"), [backend])


@pytest.mark.thorough
@pytest.mark.parametrize(("rows", "is_wide"), [(9, False), (10, True)])
def test_lines_of_a_larger_board_are_those_of_python(rows: int, is_wide: bool) -> None:
    (text,) = find_source("connect-four-1.0").layers[-1].files.values()
    text = text[text.index("ruleset") :].replace("row: 1..6", f"row: 1..{rows}")
    machine = machine_of(ruleset_of(text))
    assert has_loop(lower(machine).functions, "union_1") is is_wide
    assert_plays_alike(machine, "empty-board", map(str, range(6)))


@pytest.mark.parametrize("goes_up", [True, False])
def test_what_is_behind_the_first_obstacle_of_a_chain(goes_up: bool) -> None:
    body = (p.Return(behind(p.Local("obstacles"), goes_up=goes_up)),)
    function = p.Function("behind", ("obstacles",), body, is_exported=True)
    memory, run = load_python(p.Program((function,), {}, p.lay_out({"SLOTS": 1, "ERROR": 1})))
    for obstacles in (0, 1, 0b1100, 1 << 63, 1 | 1 << 63):
        first = (min if goes_up else max)(bits(obstacles), default=None)
        is_behind = operator.gt if goes_up else operator.lt
        places = [place for place in range(64) if first is not None and is_behind(place, first)]
        assert run["behind"](memory, obstacles) & p.FULL == sum(1 << place for place in places)


def test_the_sum_of_small_numbers_over_a_large_set_needs_no_loop() -> None:
    functions = lower(hr.load("lords-of-scotland").compiled.default_machine).functions
    assert any(function.name.startswith("sum_") for function in functions)
    for function in functions:
        if function.name.startswith("sum_"):
            assert not any(isinstance(node, p.While | p.ForBits) for node in p.walk(function.body))


def test_a_table_whose_members_are_in_no_order_has_no_chains() -> None:
    with pytest.raises(NoPlaneError):
        chains_of((0, 0b1000, 0b1010, 0), 4)

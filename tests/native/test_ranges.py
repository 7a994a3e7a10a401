"""What words can be: no bound is too narrow, and those on which checks of indexes depend are as narrow as can be."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from itertools import product

import pytest

from hots_rules.native.lowering import program as p
from hots_rules.native.lowering.ranges import Ranges

ROOMS = {"SLOTS": 2, "ERROR": 1}
WIDTHS = [(-2, -1), (-2, 3), (-1, 0), (0, 0), (0, 1), (0, 5), (1, 1), (1, 4), (2, 3), (3, 5)]
X, Y = p.Load(0), p.Load(1)
Pair = tuple[int, int]


def word(value: int) -> int:
    """A word without a sign."""
    return value & p.FULL


def signed(value: int) -> int:
    value = word(value)
    return value - (1 << p.WORD) if value >> (p.WORD - 1) else value


def rotated(value: int, distance: int) -> int:
    value = word(value)
    return word(value >> distance | value << (p.WORD - distance))


MEANINGS: dict[p.BinaryOp, Callable[[int, int], int]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": lambda x, y: word(x) // word(y),
    "rem": lambda x, y: word(x) % word(y),
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "shl": lambda x, y: x << y,
    "shr": lambda x, y: word(x) >> y,
    "rotr": rotated,
    "min": min,
    "max": max,
    "pick": lambda x, y: int(x / 2**53 * y),
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}
HAS_MEANING: dict[str, Callable[[int, int], bool]] = {
    "div": lambda x, y: y != 0,
    "rem": lambda x, y: y != 0,
    "shl": lambda x, y: 0 <= y < p.WORD,
    "shr": lambda x, y: 0 <= y < p.WORD,
    "rotr": lambda x, y: 0 <= y < p.WORD,
    "pick": lambda x, y: x >= 0 and y > 0,
}


def ranges(*body: p.Statement, bounds: tuple[Pair | None, ...] = (), **more: p.Function) -> Ranges:
    """The ranges of a program whose main function has a body."""
    main = p.Function("main", (), body, is_exported=True)
    return Ranges(p.Program((main, *more.values()), TABLES, p.lay_out(ROOMS), bounds))


TABLES = {"squares": (0, 1, 4, 9), "signs": (-1, 1)}


def narrowest(found: Ranges, node: p.Expr, most: int = 200) -> int | None:
    """The least room in which an index is certainly; None if it may be below 0 or is not in so much room."""
    return next((room for room in range(most) if found.is_below("main", node, room)), None)


def results(op: p.BinaryOp, left: Pair, right: Pair) -> Iterator[int]:
    has_meaning = HAS_MEANING.get(op, lambda x, y: True)
    for x, y in product(range(left[0], left[1] + 1), range(right[0], right[1] + 1)):
        if has_meaning(x, y):
            yield signed(MEANINGS[op](x, y))


# ------------------------------------------------------------------ expressions
@pytest.mark.parametrize("op", MEANINGS)
def test_no_result_is_outside_of_its_bounds(op: p.BinaryOp) -> None:
    node = p.Binary(op, X, Y)
    for left, right in product(WIDTHS, WIDTHS):
        room = narrowest(ranges(p.Do(node), bounds=(left, right)), node, 70)
        values = list(results(op, left, right))
        if room is not None:
            assert all(0 <= value < room for value in values), (op, left, right)
        if ranges(p.Do(node), bounds=(left, right)).is_positive("main", node):
            assert all(value > 0 for value in values), (op, left, right)


@pytest.mark.parametrize(
    ("op", "left", "right", "room"),
    [
        ("add", (0, 3), (2, 4), 8),
        ("sub", (4, 7), (0, 4), 8),
        ("mul", (0, 3), (0, 5), 16),
        ("div", (0, 9), (2, 4), 5),
        ("rem", (-9, 9), (1, 7), 7),
        ("rem", (0, 99), (0, 1), 1),
        ("pick", (0, 2**53 - 1), (1, 6), 6),
        ("and", (-5, 90), (0, 7), 8),
        ("or", (0, 5), (0, 2), 8),
        ("xor", (0, 5), (0, 2), 8),
        ("shl", (0, 3), (0, 2), 13),
        ("shr", (0, 12), (1, 3), 7),
        ("shr", (-1, 0), (60, 63), 16),
        ("min", (0, 9), (0, 3), 4),
        ("max", (0, 2), (-4, 5), 6),
        ("lt", (0, 9), (0, 9), 2),
    ],
)
def test_an_index_needs_this_much_room(op: p.BinaryOp, left: Pair, right: Pair, room: int) -> None:
    node = p.Binary(op, X, Y)

    assert narrowest(ranges(p.Do(node), bounds=(left, right)), node) == room


@pytest.mark.parametrize(
    ("op", "left", "right"),
    [
        ("sub", (0, 3), (1, 1)),
        ("rem", (0, 9), (-1, 7)),  # a divisor below 0 is a large number without its sign
        ("div", (-1, 9), (2, 3)),
        ("div", (0, 9), (-1, 3)),
        ("shl", (0, 3), (0, p.WORD)),
        ("shl", (-1, 3), (0, 2)),
        ("shr", (-1, 3), (0, 2)),
        ("shr", (0, 3), (-1, 2)),
        ("rotr", (0, 3), (1, 2)),
        ("add", (0, 2**62), (0, 2**62)),  # it wraps around
    ],
)
def test_an_index_that_may_be_anything_is_in_no_room(
    op: p.BinaryOp, left: Pair, right: Pair
) -> None:
    node = p.Binary(op, X, Y)

    assert not ranges(p.Do(node), bounds=(left, right)).is_below("main", node, 2**62)


@pytest.mark.parametrize(
    ("node", "room"),
    [
        (p.Const(5), 6),
        (X, 4),
        (p.Load(0, Y, 2), 4),  # of both cells
        (p.Lookup("squares", X), 10),
        (p.Unary("not", X), 2),
        (p.Unary("count", X), 65),
        (p.Unary("length", X), 65),
        (p.Unary("first", X), 65),
        (p.Logic("and", (X, Y)), 2),
        (p.Conditional(X, p.Const(7), Y), 8),
        (p.Within(X, 0, 2, 1), 3),
        (p.Block((), p.Const(2)), 3),
        (p.Lookup("signs", X), None),
        (p.Unary("swap", X), None),
        (p.Within(X, -1, 2, 1), None),
        (p.Conditional(X, p.Const(-1), Y), None),
        (p.Load(2), None),  # a cell without bounds
        (p.Load(1, X, 2), None),
    ],
)
def test_each_kind_of_expression_has_its_bounds(node: p.Expr, room: int | None) -> None:
    found = ranges(p.Do(node), bounds=((0, 3), (0, 1)))

    assert narrowest(found, node) == room


def test_a_number_is_positive_where_it_is_at_least_one() -> None:
    found = ranges(bounds=((1, 3), (0, 3)))

    assert found.is_positive("main", X)
    assert not found.is_positive("main", Y)


# ------------------------------------------------------------------ names
@pytest.mark.parametrize(("first", "stop", "room"), [(0, 4, 4), (3, 4, 4), (-2, 4, None)])
def test_the_name_of_a_loop_ends_before_its_stop(first: int, stop: int, room: int | None) -> None:
    loop = p.ForRange("i", p.Const(first), p.Const(stop), (p.Do(p.Local("i")),))

    assert narrowest(ranges(loop), p.Local("i")) == room


def test_the_name_of_a_loop_that_never_runs_has_no_bounds() -> None:
    loop = p.ForRange("i", p.Const(4), p.Const(4), (p.Assign("j", p.Local("i")),))

    assert narrowest(ranges(loop), p.Local("j")) is None


@pytest.mark.parametrize(("high", "room"), [(1, 1), (7, 3), (8, 4), (0, 1)])
def test_the_bits_of_a_set_are_those_of_its_largest_number(high: int, room: int) -> None:
    loop = p.ForBits("i", X, (p.Do(p.Local("i")),))

    assert narrowest(ranges(loop, bounds=((0, high),)), p.Local("i")) == room
    assert narrowest(ranges(loop, bounds=((-1, high),)), p.Local("i")) == p.WORD


def test_a_name_is_all_that_is_assigned_to_it() -> None:
    x = p.Local("x")
    assert narrowest(ranges(p.Assign("x", p.Const(2)), p.Assign("x", p.Const(5))), x) == 6
    assert narrowest(ranges(p.Assign("x", p.Const(-2)), p.Assign("x", p.Const(5))), x) is None


def test_a_name_that_grows_may_be_anything() -> None:
    x = p.Local("x")
    grows = p.Assign("x", p.Binary("add", x, p.Const(1)))
    wraps = p.Assign("x", p.Binary("rem", p.Binary("add", x, p.Const(1)), p.Const(5)))

    assert not ranges(p.Assign("x", p.Const(0)), p.While(X, (grows,))).is_below("main", x, 2**62)
    assert narrowest(ranges(p.Assign("x", p.Const(0)), p.While(X, (wraps,))), x) == 5


# ------------------------------------------------------------------ functions
def test_a_parameter_is_all_that_calls_pass_and_a_result_all_that_is_returned() -> None:
    body = (p.Branch(X, (p.Return(p.Binary("add", p.Local("a"), p.Const(1))),)), p.Return(X))
    twice = p.Function("twice", ("a",), body)
    calls = [p.Call("twice", (p.Const(value),)) for value in (3, 8)]
    found = ranges(*map(p.Do, calls), bounds=((0, 4),), twice=twice)

    assert narrowest(found, calls[0]) == 10
    assert not found.is_below("twice", p.Local("a"), 8)
    assert found.is_below("twice", p.Local("a"), 9)


def test_a_call_from_outside_may_pass_anything() -> None:
    shown = p.Function("shown", ("a",), (p.Return(p.Local("a")),), is_exported=True)
    call = p.Call("shown", (p.Const(3),))

    assert not ranges(p.Do(call), shown=shown).is_below("main", call, 2**62)

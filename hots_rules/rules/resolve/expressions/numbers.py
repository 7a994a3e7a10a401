"""Whole numbers: the type of each expression is the range of its value."""

from __future__ import annotations

from hots_rules.diagnostics import Span
from hots_rules.rules.resolve.expressions.scope import Scope
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import INVALID, Const, Expr, Operation
from hots_rules.syntax import tree

Arithmetic = tree.Plus | tree.Times | tree.Div | tree.Mod

_OPERATORS = {tree.Plus: "add", tree.Times: "mul", tree.Div: "div", tree.Mod: "mod"}


def number(scope: Scope, node: tree.Number) -> Expr:
    """A number as written."""
    value = int(node.value.text)
    if value > types.MAX_NUMBER:
        scope.symbols.fault(
            "out-of-range",
            f"expected a number up to {types.MAX_NUMBER:,}, got {value:,}",
            node.span,
            help_="no number in a game is that large",
        )
        return INVALID
    return Const(value, types.IntType(value, value))


def arithmetic(scope: Scope, node: Arithmetic | tree.Negative) -> Expr:
    """`a + b`, `-a` and the like."""
    if isinstance(node, tree.Negative):
        body = scope.resolve(node.body)
        if isinstance(body, Const) and isinstance(body.type, types.IntType):
            return Const(-body.value, types.IntType(-body.value, -body.value))
        return calculation(scope, "neg", (body,), (node.body.span,))
    operands = scope.resolve(node.left), scope.resolve(node.right)
    return calculation(scope, _OPERATORS[type(node)], operands, (node.left.span, node.right.span))


def calculation(scope: Scope, op: str, args: tuple[Expr, ...], spans: tuple[Span, ...]) -> Expr:
    """An operator on numbers; a fault where an operand is not a number, or the result may be too large."""
    ranges: list[types.IntType] = []
    for arg, span in zip(args, spans, strict=True):
        if not isinstance(arg.type, types.IntType):
            scope.type_mismatch("a number", arg, span)
            return INVALID
        ranges.append(arg.type)
    if op in {"div", "mod"} and ranges[1].low <= 0:
        scope.symbols.fault(
            "out-of-range",
            f"expected a divisor above 0, got {_range_text(ranges[1])}",
            spans[1],
            help_="divide by a number that cannot be 0, e.g. `max(n, 1)`",
        )
        return INVALID
    type_ = types.IntType(*_bounds(op, ranges))
    return Operation(op, args, type_) if is_bounded(scope, type_, spans[0]) else INVALID


def is_bounded(scope: Scope, type_: types.IntType, span: Span) -> bool:
    """Whether all numbers of a type are small enough; a fault where they are not."""
    largest = max(abs(type_.low), abs(type_.high))
    if largest > types.MAX_NUMBER:
        scope.symbols.fault(
            "out-of-range",
            f"expected numbers up to {types.MAX_NUMBER:,}, got up to {largest:,}",
            span,
            help_="declare types no wider than the numbers of the game",
        )
    return largest <= types.MAX_NUMBER


def _range_text(type_: types.IntType) -> str:
    return str(type_.low) if type_.low == type_.high else str(type_)


def _bounds(op: str, ranges: list[types.IntType]) -> tuple[int, int]:
    """The lowest and the highest value that an operator gives for operands of some ranges."""
    first = ranges[0]
    if op == "neg":
        return -first.high, -first.low
    if op == "abs":
        lowest = 0 if first.low <= 0 <= first.high else min(abs(first.low), abs(first.high))
        return lowest, max(abs(first.low), abs(first.high))
    second = ranges[1]
    match op:
        case "add":
            return first.low + second.low, first.high + second.high
        case "sub":
            return first.low - second.high, first.high - second.low
        case "min":
            return min(first.low, second.low), min(first.high, second.high)
        case "max":
            return max(first.low, second.low), max(first.high, second.high)
        case "mod":
            return 0, second.high - 1
        case "div":
            corners = [a // b for a in (first.low, first.high) for b in (second.low, second.high)]
        case _:
            corners = [a * b for a in (first.low, first.high) for b in (second.low, second.high)]
    return min(corners), max(corners)

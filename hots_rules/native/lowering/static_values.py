"""Expressions that need constants and tables alone, evaluated when they are lowered."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from itertools import chain

from hots_rules.compile.codes import bits
from hots_rules.native.lowering.read import ARITHMETIC, COMPARISONS

Row = tuple[int | None, ...]
"""A value for each member; None for a member that is not asked for."""


class NoPlaneError(Exception):
    """A condition must be tested member by member."""


_RENAMED = {
    "div": "floordiv",
    "rem": "mod",
    "and": "and_",
    "or": "or_",
    "shl": "lshift",
    "shr": "rshift",
}
_OPERATIONS: Mapping[type[ast.AST], Callable[[int, int], int]] = {
    kind: getattr(operator, _RENAMED.get(name, name))
    for kind, name in chain(ARITHMETIC.items(), COMPARISONS.items())
}
_UNARY: Mapping[type[ast.AST], Callable[[int], int]] = {
    ast.Not: operator.not_,
    ast.USub: operator.neg,
    ast.Invert: operator.invert,
}


def evaluated(
    node: ast.expr, scope: Mapping[str, int], tables: Mapping[str, Sequence[Sequence[int]]]
) -> int:
    """What an expression of numbers and tables gives.

    Raises:
        NoPlaneError: it fails, or needs more.
    """

    def of(part: ast.expr) -> int:
        match part:
            case ast.Constant(int(number)):
                return int(number)
            case ast.Name(name):
                return scope[name]
            case ast.Subscript(ast.Name(table), index) if (at := of(index)) >= 0:
                return tables[table][at][0]
            case ast.BinOp(left, op, right) | ast.Compare(left, [op], [right]) if (
                type(op) in _OPERATIONS
            ):
                return int(_OPERATIONS[type(op)](of(left), of(right)))
            case ast.UnaryOp(op, operand):
                return int(_UNARY[type(op)](of(operand)))
            case ast.BoolOp(op, values):
                return int((all if isinstance(op, ast.And) else any)(map(of, values)))
            case ast.IfExp(test, then, otherwise):
                return of(then if of(test) else otherwise)
        raise NoPlaneError

    try:
        return of(node)
    except (ArithmeticError, LookupError, ValueError):
        raise NoPlaneError from None


def distances_of(row: Row, asked: int) -> dict[int, int]:
    """For each distance, the nearest first, the members of `asked` whose set has the member at this distance."""
    masks = dict[int, int]()
    for member in bits(asked):
        for other in bits(row[member] or 0):
            masks[other - member] = masks.get(other - member, 0) | 1 << member
    return dict(sorted(masks.items(), key=lambda item: (abs(item[0]), item[0])))

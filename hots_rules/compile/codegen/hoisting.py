"""Computes before a loop what is the same for each member (loop-invariant code motion).

It works on Python source, because masks exist there alone.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterator
from typing import NamedTuple

MAX_SOURCE = 8_000  # characters of an expression: the time to read it grows with their square


def hoist(
    text: str, bound: Container[str], name_of: Callable[[str], str], *, is_certain: bool = False
) -> str:
    """An expression whose largest parts without the `bound` names are replaced by names.

    `name_of` gives the name of such a part from its source. The expression must not fail in any state: its parts
    are computed where conditions before them do not hold. A call is replaced only where every evaluation of the
    expression needs it, and only if `is_certain`: some member needs the expression. What is too long or too deep
    stays as it is.
    """
    if len(text) > MAX_SOURCE:
        return text
    hoisting = _Hoisting(bound, name_of, is_certain=is_certain)
    try:
        whole = ast.unparse(hoisting.visit(ast.parse(text, mode="eval").body))
    except RecursionError:
        return text
    return f"({whole})" if " " in whole else whole


class _Hoisting(ast.NodeTransformer):
    def __init__(
        self, bound: Container[str], name_of: Callable[[str], str], *, is_certain: bool
    ) -> None:
        self._bound = bound
        self._name_of = name_of
        self._is_certain = is_certain
        self._contents: dict[ast.AST, _Contents] = {}

    def visit(self, node: ast.AST) -> ast.AST:
        return self.expr(node) if isinstance(node, ast.expr) else self.generic_visit(node)

    def expr(self, node: ast.expr) -> ast.expr:
        if self._is_worthwhile(node):
            return ast.Name(self._name_of(ast.unparse(node)))
        match node:
            case ast.BinOp(op=ast.BitAnd() | ast.Add() as op):
                return self._chain(node, op)
            case ast.BoolOp(op, [first, *others]):
                return ast.BoolOp(op, [self.expr(first), *self._perhaps(others)])
            case ast.IfExp(test, then, otherwise):
                return ast.IfExp(self.expr(test), *self._perhaps([then, otherwise]))
        changed = self.generic_visit(node)
        assert isinstance(changed, ast.expr)
        return changed

    def _perhaps(self, nodes: list[ast.expr]) -> list[ast.expr]:
        """Parts that are evaluated under a condition."""
        outer, self._is_certain = self._is_certain, False
        changed = [self.expr(node) for node in nodes]
        self._is_certain = outer
        return changed

    def _chain(self, node: ast.BinOp, op: ast.BitAnd | ast.Add) -> ast.expr:
        """`a & x & b` as `(a & b) & x`, where `a & b` is the same for all members, so that it can be hoisted."""
        parts = list(_operands(node, type(op)))
        same = [part for part in parts if self._is_same(part)]
        if same and self._is_worthwhile(_join(same, op)):
            parts = [_join(same, op), *(part for part in parts if part not in same)]
        return _join([self.expr(part) for part in parts], op)

    def _is_worthwhile(self, node: ast.expr) -> bool:
        # A row that is written out has no name in an integer program.
        is_plain = isinstance(node, ast.Name | ast.Attribute | ast.Tuple)
        return not is_plain and self._content(node).has_names and self._is_same(node)

    def _is_same(self, node: ast.AST) -> bool:
        """Whether a part has one value for all members, and is quick to compute or needed.

        A call is quick if it is of a method of numbers.
        """
        content = self._content(node)
        return not content.is_bound and (self._is_certain or not content.has_calls)

    def _content(self, node: ast.AST) -> _Contents:
        """What is in a part, found once for each."""
        contents = self._contents.get(node)
        if contents is None:
            inside = [self._content(part) for part in ast.iter_child_nodes(node)]
            is_name = isinstance(node, ast.Name)
            is_call = isinstance(node, ast.Call) and not isinstance(node.func, ast.Attribute)
            contents = self._contents[node] = _Contents(
                is_name or any(part.has_names for part in inside),
                (isinstance(node, ast.Name) and node.id in self._bound)
                or any(part.is_bound for part in inside),
                is_call or any(part.has_calls for part in inside),
            )
        return contents


class _Contents(NamedTuple):
    """Whether a part has names, names that are bound, and calls of functions."""

    has_names: bool
    is_bound: bool
    has_calls: bool


def _operands(node: ast.expr, op: type[ast.operator]) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, op):
        yield from _operands(node.left, op)
        yield from _operands(node.right, op)
    else:
        yield node


def _join(parts: list[ast.expr], op: ast.operator) -> ast.expr:
    whole = parts[0]
    for part in parts[1:]:
        whole = ast.BinOp(whole, op, part)
    return whole

"""What a loop would compute for each member alike, computed once before it (loop-invariant code motion).

It works on Python source, because masks exist there alone.
"""

import ast
from collections.abc import Callable, Container, Iterator

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
        """`a & x & b` as `(a & b) & x`, if `a & b` is the same for all members."""
        parts = list(_operands(node, type(op)))
        same = [part for part in parts if self._is_same(part)]
        if same and self._is_worthwhile(_join(same, op)):
            parts = [_join(same, op), *(part for part in parts if part not in same)]
        return _join([self.expr(part) for part in parts], op)

    def _is_worthwhile(self, node: ast.expr) -> bool:
        has_names = any(isinstance(part, ast.Name) for part in ast.walk(node))
        is_plain = isinstance(node, ast.Name | ast.Attribute)
        return has_names and not is_plain and self._is_same(node)

    def _is_same(self, node: ast.AST) -> bool:
        """Whether a part has one value for all members, and is quick to compute or needed."""
        return not any(
            (isinstance(part, ast.Name) and part.id in self._bound)
            or (isinstance(part, ast.Call) and not self._is_quick(part))
            for part in ast.walk(node)
        )

    def _is_quick(self, call: ast.Call) -> bool:
        """Whether a call is of a method of numbers, or its value is needed."""
        return isinstance(call.func, ast.Attribute) or self._is_certain


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

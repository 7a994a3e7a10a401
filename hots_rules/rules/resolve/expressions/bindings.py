"""Names for the values of expressions: `let`, in a statement, a clause or an expression."""

from __future__ import annotations

from collections.abc import Iterable

from hots_rules.rules.resolve.expressions.scope import Scope
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr, Local
from hots_rules.rules.typed.visitor import walk
from hots_rules.syntax import tree

Bound = tuple[Local, Expr]
"""A local name and the expression of its value."""


def bind_value(scope: Scope, node: tree.Let | tree.Binding, expr: Expr) -> Local:
    """The local name of a value, with what is known about the value."""
    local = scope.bind(node.name, expr.type)
    possible = scope.possible_values(expr) if isinstance(expr.type, types.WordType) else None
    if possible is not None:
        words = types.WordType(node.name.text, tuple(possible))
        scope.assume(tast.TypeTest(local, words, types.BOOL))
    return local


def bind_lets(scope: Scope, lets: Iterable[tree.Binding] | None) -> list[Bound]:
    """The names of a `let`, each with its value; a value may use the names before it."""
    bound: list[Bound] = []
    scope.symbols.check_distinct([binding.name for binding in lets or ()], "name")
    for binding in lets or ():
        expr = scope.resolve(binding.value)
        bound.append((bind_value(scope, binding, expr), expr))
    return bound


def with_lets(bound: list[Bound], body: Expr) -> Expr:
    """An expression behind the names that it may use; those that it does not use are left out."""
    for local, expr in reversed(bound):
        if any(part == local for part in walk(body)):
            body = tast.LetIn(local, expr, body, body.type)
    return body


def let_in(scope: Scope, node: tree.LetIn, expected: types.Type | None) -> Expr:
    """`let x = v, y = w: e`."""
    inner = scope.inner()
    bound = bind_lets(inner, node.lets)
    return with_lets(bound, inner.resolve(node.body, expected))

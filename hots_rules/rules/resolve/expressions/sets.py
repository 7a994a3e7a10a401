"""Sets, pairs, and what is said of all members of a set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hots_rules.diagnostics import Span
from hots_rules.rules.resolve.expressions.numbers import calculated, is_bounded
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import INVALID, Const, Expr, Operation
from hots_rules.syntax import tree

if TYPE_CHECKING:
    from hots_rules.rules.resolve.expressions.scope import Scope


def of_sets(scope: Scope, node: tree.Expr, expected: types.Type | None) -> Expr:
    """The forms that make sets or speak of them."""
    match node:
        case tree.Some() | tree.NoneOf():
            op = "some" if isinstance(node, tree.Some) else "no"
            return Operation(op, (set_of(scope, node.body),), types.BOOL)
        case tree.Quantifier():
            return _quantifier(scope, node)
        case tree.UnionOf():
            return _joined(scope, "union", node.parts, expected)
        case tree.Intersection():
            return _joined(scope, "intersection", node.parts, expected)
        case tree.Pair():
            return _pair(scope, node, expected)
        case tree.Set():
            return _set(scope, node, expected)
        case tree.Comprehension():
            return _comprehension(scope, node)
    raise AssertionError(node)


def set_of(scope: Scope, node: tree.Expr, member: types.Type | None = None) -> Expr:
    """An expression that must be a set."""
    found = scope.expr(node, types.SetType(member) if member is not None else None)
    if isinstance(found.type, types.SetType | types.AnyType):
        return found
    scope.wrong("a set", found, node.span)
    return INVALID


def member_of(source: Expr) -> types.Type:
    """The type of the members of a set."""
    return source.type.member if isinstance(source.type, types.SetType) else types.ANY


def minus(scope: Scope, node: tree.Minus, expected: types.Type | None) -> Expr:
    """`S - T`, or a difference of numbers."""
    left = scope.expr(node.left, expected if isinstance(expected, types.SetType) else None)
    if isinstance(left.type, types.SetType):
        return Operation("difference", (left, scope.fitted(node.right, left.type)), left.type)
    return calculated(
        scope, "sub", (left, scope.expr(node.right)), (node.left.span, node.right.span)
    )


def _joined(
    scope: Scope, op: str, nodes: tuple[tree.Expr, ...], expected: types.Type | None
) -> Expr:
    guide = expected.member if isinstance(expected, types.SetType) else None
    parts = [set_of(scope, node, guide) for node in nodes]
    type_ = _one_type(scope, [(part, node.span) for part, node in zip(parts, nodes, strict=True)])
    if type_ is None:
        return INVALID
    fitted = tuple(scope.fit(p, type_, n.span) for p, n in zip(parts, nodes, strict=True))
    return Operation(op, fitted, type_)


def _one_type(scope: Scope, found: list[tuple[Expr, Span]]) -> types.Type | None:
    """The type that holds all of some values; a fault where there is none."""
    type_: types.Type = found[0][0].type
    for part, span in found[1:]:
        joined = types.least_upper_bound(type_, part.type)
        if joined is None:
            scope.wrong(types.describe(type_), part, span)
            return None
        type_ = joined
    return type_


# ---------------------------------------------------------------- members one by one
def _set(scope: Scope, node: tree.Set, expected: types.Type | None) -> Expr:
    member = expected.member if isinstance(expected, types.SetType) else None
    if isinstance(member, types.AnyType):
        member = None
    found = [scope.expr(part, member) for part in node.members]
    if not found:
        return Const(0, types.SetType(member or types.ANY))
    fits = member is not None and all(types.is_within(part.type, member) for part in found)
    spans = [part.span for part in node.members]
    type_ = member if fits else _one_type(scope, list(zip(found, spans, strict=True)))
    if type_ is None or not _is_countable(scope, type_, node.span):
        return INVALID
    parts = tuple(scope.fit(p, type_, span) for p, span in zip(found, spans, strict=True))
    if all(isinstance(part, Const) for part in parts):
        codes = {part.value for part in parts if isinstance(part, Const)}
        return Const(sum(1 << code for code in codes), types.SetType(type_))
    return Operation("set", parts, types.SetType(type_))


def _is_countable(scope: Scope, type_: types.Type, span: Span) -> bool:
    """Whether there can be sets of a type: a member is a bit."""
    if isinstance(type_, types.AnyType):
        return True
    if isinstance(type_, types.BoolType | types.SetType | types.DiceType):
        scope.names.fault(
            "wrong-type",
            f"expected members that can be in a set, got {types.describe(type_)}",
            span,
            help_="a set is made of words, numbers or pairs",
        )
        return False
    if not types.is_countable(type_):
        scope.names.fault(
            "too-large",
            f"expected at most {types.MAX_VALUES} values for a set, numbers below {types.MAX_BITS}, "
            f"got {types.describe(type_)}",
            span,
            help_="make sets of a smaller type",
        )
        return False
    return True


def _pair(scope: Scope, node: tree.Pair, expected: types.Type | None) -> Expr:
    guide = expected if isinstance(expected, types.PairType) else None
    left = scope.fitted(node.left, guide.left) if guide else scope.expr(node.left)
    right = scope.fitted(node.right, guide.right) if guide else scope.expr(node.right)
    if isinstance(left.type, types.AnyType) or isinstance(right.type, types.AnyType):
        return INVALID
    type_ = guide or types.PairType(left.type, right.type)
    if isinstance(left, Const) and isinstance(right, Const):
        return Const(types.pair_code(type_, left.value, right.value), type_)
    return Operation("pair", (left, right), type_)


# ---------------------------------------------------------------- all members
def _comprehension(scope: Scope, node: tree.Comprehension) -> Expr:
    source = set_of(scope, node.source)
    inner = scope.inner()
    local = inner.bind(node.name.text, member_of(source))
    if node.condition is None:
        return source
    return tast.Comprehension(local, source, inner.fitted(node.condition, types.BOOL), source.type)


def _quantifier(scope: Scope, node: tree.Quantifier) -> Expr:
    kind = type(node).__name__.removesuffix("In").lower()
    source = set_of(scope, node.source)
    inner = scope.inner()
    local = inner.bind(node.name.text, member_of(source))
    if kind in {"some", "all", "none"}:
        return tast.Quantified(kind, local, source, inner.fitted(node.body, types.BOOL), types.BOOL)
    body = inner.expr(node.body)
    if not isinstance(body.type, types.IntType):
        scope.wrong("a number", body, node.body.span)
        return INVALID
    times = types.size(local.type) if kind == "sum" else 1
    type_ = types.IntType(min(0, body.type.low * times), max(0, body.type.high * times))
    return (
        tast.Quantified(kind, local, source, body, type_)
        if is_bounded(scope, type_, node.span)
        else INVALID
    )

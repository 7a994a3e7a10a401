"""Sets, pairs, and expressions over all members of a set."""

from __future__ import annotations

from hots_rules.diagnostics import Span
from hots_rules.rules.resolve.expressions.numbers import calculation, is_bounded
from hots_rules.rules.resolve.expressions.scope import Scope, member_type
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import INVALID, Const, Expr, Operation
from hots_rules.syntax import tree


def minus(scope: Scope, node: tree.Minus, expected: types.Type | None) -> Expr:
    """`S - T`, or a difference of numbers."""
    left = scope.resolve(node.left, expected if isinstance(expected, types.SetType) else None)
    if isinstance(left.type, types.SetType):
        return Operation("difference", (left, scope.resolve_as(node.right, left.type)), left.type)
    operands = left, scope.resolve(node.right)
    return calculation(scope, "sub", operands, (node.left.span, node.right.span))


def combined(
    scope: Scope, op: str, nodes: tuple[tree.Expr, ...], expected: types.Type | None
) -> Expr:
    """`S | T` or `S & T`."""
    guide = expected.member if isinstance(expected, types.SetType) else None
    parts = [scope.resolve_set(node, guide) for node in nodes]
    type_ = _common_type(
        scope, [(part, node.span) for part, node in zip(parts, nodes, strict=True)]
    )
    if type_ is None:
        return INVALID
    operands = (scope.coerce(p, type_, n.span) for p, n in zip(parts, nodes, strict=True))
    return Operation(op, tuple(operands), type_)


def _common_type(scope: Scope, parts: list[tuple[Expr, Span]]) -> types.Type | None:
    """The type that holds the values of all expressions; a fault where there is none."""
    type_: types.Type = parts[0][0].type
    for part, span in parts[1:]:
        wider = types.least_upper_bound(type_, part.type)
        if wider is None:
            scope.type_mismatch(types.describe(type_), part, span)
            return None
        type_ = wider
    return type_


# ---------------------------------------------------------------- members one by one
def set_literal(scope: Scope, node: tree.Set, expected: types.Type | None) -> Expr:
    """`{a, b}`."""
    member = expected.member if isinstance(expected, types.SetType) else None
    if isinstance(member, types.AnyType):
        member = None
    members = [scope.resolve(part, member) for part in node.members]
    if not members:
        return Const(0, types.SetType(member or types.ANY))
    fits = member is not None and all(scope.fits(part, member) for part in members)
    spans = [part.span for part in node.members]
    type_ = member if fits else _common_type(scope, list(zip(members, spans, strict=True)))
    if type_ is None or not scope.symbols.can_be_member(type_, node.span):
        return INVALID
    parts = tuple(scope.coerce(p, type_, span) for p, span in zip(members, spans, strict=True))
    if all(isinstance(part, Const) for part in parts):
        codes = {part.value for part in parts if isinstance(part, Const)}
        return Const(sum(1 << code for code in codes), types.SetType(type_))
    return Operation("set", parts, types.SetType(type_))


def pair(scope: Scope, node: tree.Pair, expected: types.Type | None) -> Expr:
    """`(a, b)`."""
    guide = expected if isinstance(expected, types.PairType) else None
    left = scope.resolve_as(node.left, guide.left) if guide else scope.resolve(node.left)
    right = scope.resolve_as(node.right, guide.right) if guide else scope.resolve(node.right)
    if isinstance(left.type, types.AnyType) or isinstance(right.type, types.AnyType):
        return INVALID
    type_ = guide or types.PairType(left.type, right.type)
    if isinstance(left, Const) and isinstance(right, Const):
        return Const(types.pair_code(type_, left.value, right.value), type_)
    return Operation("pair", (left, right), type_)


# ---------------------------------------------------------------- all members
def _bound_member(
    scope: Scope, node: tree.Comprehension | tree.Quantifier
) -> tuple[Expr, Scope, tast.Local]:
    """A set, a scope inside that of it, and the name of a member there."""
    source = scope.resolve_set(node.source)
    inner = scope.inner()
    local = inner.bind(node.name, member_type(source))
    inner.assume_member(local, source)
    return source, inner, local


def comprehension(scope: Scope, node: tree.Comprehension) -> Expr:
    """`{x in S where c}`."""
    source, inner, local = _bound_member(scope, node)
    if node.condition is None:
        return source
    condition = inner.resolve_as(node.condition, types.BOOL)
    return tast.Comprehension(local, source, condition, source.type)


def paths(scope: Scope, node: tree.ReachIn | tree.DistanceIn, expected: types.Type | None) -> Expr:
    """`reach x from S: T` and `distance x from S to G: T`; `T` are the members that follow `x`."""
    guide = expected.member if isinstance(expected, types.SetType) else None
    source = scope.resolve_set(node.source, guide)
    if not isinstance(source.type, types.SetType) or isinstance(source.type.member, types.AnyType):
        return INVALID
    inner = scope.inner()
    local = inner.bind(node.name, source.type.member)
    body = inner.resolve_as(node.body, source.type)
    if isinstance(node, tree.ReachIn):
        return tast.Quantified("reach", local, source, body, source.type)
    goal = scope.resolve_as(node.goal, source.type)
    # The distance to a place that is never reached is one more than the longest possible one.
    type_ = types.IntType(0, types.size(source.type.member))
    return tast.Quantified("distance", local, source, body, type_, goal)


def quantifier(scope: Scope, node: tree.Quantifier) -> Expr:
    """`some x in S: c`, `sum x in S: n` and the like."""
    kind = type(node).__name__.removesuffix("In").lower()
    source, inner, local = _bound_member(scope, node)
    if kind in {"some", "all", "none"}:
        condition = inner.resolve_as(node.body, types.BOOL)
        return tast.Quantified(kind, local, source, condition, types.BOOL)
    body = inner.resolve(node.body)
    if not isinstance(body.type, types.IntType):
        scope.type_mismatch("a number", body, node.body.span)
        return INVALID
    times = types.size(local.type) if kind == "sum" else 1
    type_ = types.IntType(min(0, body.type.low * times), max(0, body.type.high * times))
    if not is_bounded(scope, type_, node.span):
        return INVALID
    return tast.Quantified(kind, local, source, body, type_)

"""Comparisons and choices between values: both sides must be of one type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hots_rules.diagnostics import Place
from hots_rules.rules.resolve.expressions.sets import set_of
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.operators import COMPARISONS
from hots_rules.rules.typed.tast import INVALID, Const, Expr, Operation
from hots_rules.syntax import tree

if TYPE_CHECKING:
    from hots_rules.rules.resolve.expressions.scope import Scope


def compare(scope: Scope, node: tree.Compare) -> Expr:
    """`a = b`, `a <= b`, `a in S`."""
    operator = " ".join(node.operator.text.split())
    if operator in {"in", "not in"}:
        found = _member(scope, node)
        return Operation("not", (found,), types.BOOL) if operator == "not in" else found
    left, right = _two(scope, node.left, node.right, None)
    type_ = types.least_upper_bound(left.type, right.type)
    if type_ is None:
        _say_differ(scope, left, right, node.left, node.right)
        return INVALID
    op = COMPARISONS[operator].name
    ordered = op not in {"eq", "ne"} or isinstance(type_, types.DiceType)
    if ordered and not isinstance(type_, types.IntType | types.AnyType):
        scope.names.fault(
            "wrong-type",
            f"expected numbers around `{operator}`, got {types.describe(type_)}",
            node.span,
            help_="only numbers have an order",
        )
        return INVALID
    if isinstance(type_, types.IntType):
        _check_constant(scope, left, right, node)
        return Operation(op, (left, right), types.BOOL)
    both = scope.fit(left, type_, node.left.span), scope.fit(right, type_, node.right.span)
    return Operation(op, both, types.BOOL)


def _say_differ(scope: Scope, left: Expr, right: Expr, first: tree.Expr, second: tree.Expr) -> None:
    scope.names.fault(
        "wrong-type",
        f"expected two values of one type, got {types.describe(left.type)} and {types.describe(right.type)}",
        second.span,
        [Place(first.span, f"this is {types.describe(left.type)}")],
    )


def _check_constant(scope: Scope, left: Expr, right: Expr, node: tree.Compare) -> None:
    """A comparison with a number that can never be is a slip of the pen."""
    for one, other, span in ((left, right, node.left.span), (right, left, node.right.span)):
        if not isinstance(one, Const) or isinstance(other, Const):
            continue
        type_ = other.type
        if isinstance(type_, types.IntType) and not type_.low - 1 <= one.value <= type_.high + 1:
            scope.names.fault(
                "out-of-range",
                f"expected a comparison with a number of {type_}, got {one.value}",
                span,
                help_="as it stands, it is always true, or never",
            )


# ---------------------------------------------------------------- which side guides the other
def _two(
    scope: Scope, left: tree.Expr, right: tree.Expr, expected: types.Type | None
) -> tuple[Expr, Expr]:
    """Two expressions of one type: the one that is not made of bare words guides the other."""
    if expected is None and _is_bare(scope, left) and not _is_bare(scope, right):
        second = scope.expr(right)
        return scope.expr(left, second.type), second
    first = scope.expr(left, expected)
    return first, scope.expr(right, expected if expected is not None else first.type)


def _is_bare(scope: Scope, node: tree.Expr) -> bool:
    """Whether the meaning of an expression hangs on the type that is expected of it."""
    match node:
        case tree.Set():
            return all(_is_bare(scope, member) for member in node.members)
        case tree.Pair():
            return True
        case tree.Reference():
            word, names = node.name.text, scope.names
            known = word in scope.locals or word in names.variables or word in names.settings
            return not known and ("define", word) not in names.signatures
    return False


def conditional(scope: Scope, node: tree.Conditional, expected: types.Type | None) -> Expr:
    """`if c then x else y`."""
    condition = scope.fitted(node.condition, types.BOOL)
    then, otherwise = _two(scope, node.then, node.otherwise, expected)
    type_ = types.least_upper_bound(then.type, otherwise.type)
    if type_ is None and expected is not None:
        both = all(types.is_within(value.type, expected) for value in (then, otherwise))
        type_ = expected if both else None
    if type_ is None:
        _say_differ(scope, then, otherwise, node.then, node.otherwise)
        return INVALID
    values = (
        scope.fit(then, type_, node.then.span),
        scope.fit(otherwise, type_, node.otherwise.span),
    )
    return tast.Conditional(condition, *values, type_)


# ---------------------------------------------------------------- membership
def _member(scope: Scope, node: tree.Compare) -> Expr:
    if _is_bare(scope, node.left) and not _is_bare(scope, node.right):
        right = set_of(scope, node.right)
        member = right.type.member if isinstance(right.type, types.SetType) else types.ANY
        left = scope.fitted(node.left, member)
    else:
        left = scope.expr(node.left)
        right = set_of(
            scope, node.right, None if isinstance(left.type, types.IntType) else left.type
        )
    if not isinstance(right.type, types.SetType) or isinstance(left.type, types.AnyType):
        return INVALID
    member = right.type.member
    match left.type, member:
        case types.IntType(), types.IntType():
            found = Operation("in", (left, right), types.BOOL)
            above = Operation("ge", (left, Const(0, types.IntType(0, 0))), types.BOOL)
            return found if left.type.low >= 0 else Operation("and", (above, found), types.BOOL)
        case types.WordType(), types.WordType() if types.is_prefix(member, left.type):
            return Operation("in", (left, right), types.BOOL)
    if types.least_upper_bound(left.type, member) is None:
        scope.wrong(types.describe(types.SetType(left.type)), right, node.right.span)
        return INVALID
    return Operation("in", (scope.fit(left, member, node.left.span), right), types.BOOL)


# ---------------------------------------------------------------- narrower types
def is_a(scope: Scope, node: tree.IsA) -> Expr:
    """`x is T`."""
    body, tested = scope.expr(node.body), scope.names.word_type(node.type)
    if tested is None or not _can_be(scope, body, tested, node.body):
        return INVALID
    return tast.TypeTest(body, tested, types.BOOL)


def cast(scope: Scope, node: tree.Cast) -> Expr:
    """`x as T`."""
    body, tested = scope.expr(node.body), scope.names.word_type(node.type)
    if tested is None or not _can_be(scope, body, tested, node.body):
        return INVALID
    return tast.Narrow(body, tested, node.span)


def _can_be(scope: Scope, body: Expr, tested: types.WordType, node: tree.Expr) -> bool:
    if isinstance(body.type, types.WordType) and set(tested.values) & set(body.type.values):
        return True
    scope.wrong(f"a value that can be one of {types.describe(tested)}", body, node.span)
    return False

"""Comparisons and choices between values: both sides are of one type."""

from __future__ import annotations

from hots_rules.diagnostics import RelatedPlace
from hots_rules.rules.resolve.expressions.references import check_hidden_value
from hots_rules.rules.resolve.expressions.scope import Scope, member_type
from hots_rules.rules.rulebook import words_in
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.operators import COMPARISONS
from hots_rules.rules.typed.tast import INVALID, Const, Expr, Operation
from hots_rules.syntax import tree


def junction(scope: Scope, node: tree.And | tree.Or) -> Expr:
    """`a and b`, or `a or b`: a part is evaluated only if all parts before it are true, or false."""
    holds = isinstance(node, tree.And)
    inner = scope.inner()
    conditions = []
    for part in node.parts:
        conditions.append(inner.resolve_as(part, types.BOOL))
        inner.assume(conditions[-1], holds=holds)
    return Operation("and" if holds else "or", tuple(conditions), types.BOOL)


def compare(scope: Scope, node: tree.Compare) -> Expr:
    """`a = b`, `a <= b`, `a in S`."""
    operator = node.operator.text
    if operator in {"in", "not in"}:
        membership = _membership(scope, node)
        if operator == "in":
            return membership
        return Operation("not", (membership,), types.BOOL)
    left, right = _resolve_both((scope, scope), node.left, node.right, None)
    type_ = types.least_upper_bound(left.type, right.type)
    if type_ is None:
        _report_differing_types(scope, left, right, node.left, node.right)
        return INVALID
    op = COMPARISONS[operator].name
    is_order = op not in {"eq", "ne"}
    has_no_equality = isinstance(type_, types.DiceType)
    if (is_order or has_no_equality) and not isinstance(type_, types.IntType | types.AnyType):
        scope.symbols.fault(
            "wrong-type",
            f"expected numbers around `{operator}`, got {types.describe(type_)}",
            node.span,
            help_="only numbers have an order" if is_order else "count the dice with `at_most`",
        )
        return INVALID
    if isinstance(type_, types.IntType):
        _check_constant(scope, left, right, node)
        return Operation(op, (left, right), types.BOOL)
    operands = (
        scope.coerce(left, type_, node.left.span),
        scope.coerce(right, type_, node.right.span),
    )
    return Operation(op, operands, types.BOOL)


def _report_differing_types(
    scope: Scope, left: Expr, right: Expr, first: tree.Expr, second: tree.Expr
) -> None:
    left_type, right_type = types.describe(left.type), types.describe(right.type)
    scope.symbols.fault(
        "wrong-type",
        f"expected two values of one type, got {left_type} and {right_type}",
        second.span,
        [RelatedPlace(first.span, f"this is {left_type}")],
    )


def _check_constant(scope: Scope, left: Expr, right: Expr, node: tree.Compare) -> None:
    """Reports a comparison with a constant that the other side can never reach."""
    for const, compared, span in ((left, right, node.left.span), (right, left, node.right.span)):
        if not isinstance(const, Const) or isinstance(compared, Const):
            continue
        type_ = compared.type
        if isinstance(type_, types.IntType) and not type_.low - 1 <= const.value <= type_.high + 1:
            scope.symbols.fault(
                "out-of-range",
                f"expected a comparison with a number of {type_}, got {const.value}",
                span,
                help_="this comparison is always true, or always false",
            )


# ---------------------------------------------------------------- which side guides the other
def _resolve_both(
    scopes: tuple[Scope, Scope], left: tree.Expr, right: tree.Expr, expected: types.Type | None
) -> tuple[Expr, Expr]:
    """Two expressions of one type: the one that is not made of bare words guides the other."""
    of_left, of_right = scopes
    if expected is None and _is_bare(of_left, left) and not _is_bare(of_right, right):
        second = of_right.resolve(right)
        return of_left.resolve(left, second.type), second
    first = of_left.resolve(left, expected)
    second = of_right.resolve(right, expected if expected is not None else first.type)
    if expected is None:
        _check_left_name(of_left, left, right, second, second.type)
    return first, second


def _check_left_name(
    scope: Scope, left: tree.Expr, right_node: tree.Expr, right: Expr, type_: types.Type
) -> None:
    """Reports the left side if it is a local name that hides a value of the right side's type.

    Beside a constant only the local can be meant. A name that the right side has as well is reported there.
    """
    if not isinstance(left, tree.Reference) or isinstance(right, Const):
        return
    if left.name.text not in words_in(right_node):
        check_hidden_value(scope, left, type_)


def _is_bare(scope: Scope, node: tree.Expr) -> bool:
    """Whether the meaning of an expression depends on the type that its place expects."""
    match node:
        case tree.Set():
            return all(_is_bare(scope, member) for member in node.members)
        case tree.Pair():
            return True
        case tree.Reference():
            word, symbols = node.name.text, scope.symbols
            declared = (scope.locals, symbols.variables, symbols.settings, symbols.settled)
            is_declared = any(word in names for names in declared)
            return not is_declared and ("define", word) not in symbols.signatures
    return False


def conditional(scope: Scope, node: tree.Conditional, expected: types.Type | None) -> Expr:
    """`if c then x else y`."""
    condition = scope.resolve_as(node.condition, types.BOOL)
    scopes = scope.assuming(condition), scope.assuming(condition, holds=False)
    then, otherwise = _resolve_both(scopes, node.then, node.otherwise, expected)
    type_ = types.least_upper_bound(then.type, otherwise.type)
    if expected is not None and (type_ is None or not types.is_within(type_, expected)):
        both_fit = scopes[0].fits(then, expected) and scopes[1].fits(otherwise, expected)
        type_ = expected if both_fit else type_
    if type_ is None:
        _report_differing_types(scope, then, otherwise, node.then, node.otherwise)
        return INVALID
    return tast.Conditional(
        condition,
        scopes[0].coerce(then, type_, node.then.span),
        scopes[1].coerce(otherwise, type_, node.otherwise.span),
        type_,
    )


def first_of(node: tree.FirstOf) -> tree.Expr:
    """`first of` as `if … then … else …`, each inside the one before."""
    *cases, last = node.cases
    chosen = last.value
    for case in reversed(cases):
        if case.when is not None:
            chosen = tree.Conditional(case.when, case.value, chosen, span=case.span)
    return chosen


# ---------------------------------------------------------------- membership
def _membership(scope: Scope, node: tree.Compare) -> Expr:
    if _is_bare(scope, node.left) and not _is_bare(scope, node.right):
        right = scope.resolve_set(node.right)
        member = right.type.member if isinstance(right.type, types.SetType) else types.ANY
        left = scope.resolve_as(node.left, member)
    else:
        left = scope.resolve(node.left)
        guide = None if isinstance(left.type, types.IntType) else left.type
        right = scope.resolve_set(node.right, guide)
        _check_left_name(scope, node.left, node.right, right, member_type(right))
    if not isinstance(right.type, types.SetType) or isinstance(left.type, types.AnyType):
        return INVALID
    member = right.type.member
    match left.type, member:
        case types.IntType(), types.IntType():
            test = Operation("in", (left, right), types.BOOL)
            if left.type.low >= 0:
                return test
            # A set of numbers counts its bits from 0.
            natural = Operation("ge", (left, Const(0, types.IntType(0, 0))), types.BOOL)
            return Operation("and", (natural, test), types.BOOL)
        case types.WordType(), types.WordType() if types.is_prefix(member, left.type):
            # The codes are the same, and the bit of a value that the type of the members lacks is in no set.
            return Operation("in", (left, right), types.BOOL)
    if types.least_upper_bound(left.type, member) is None:
        scope.type_mismatch(types.describe(types.SetType(left.type)), right, node.right.span)
        return INVALID
    return Operation("in", (scope.coerce(left, member, node.left.span), right), types.BOOL)


# ---------------------------------------------------------------- narrower types
def type_test(scope: Scope, node: tree.IsA) -> Expr:
    """`x is T`."""
    body, tested = scope.resolve(node.body), scope.symbols.word_type(node.type)
    if tested is None or not _may_be(scope, body, tested, node.body):
        return INVALID
    return tast.TypeTest(body, tested, types.BOOL)


def cast(scope: Scope, node: tree.Cast) -> Expr:
    """`x as T`."""
    body, target = scope.resolve(node.body), scope.symbols.word_type(node.type)
    if target is None or not _may_be(scope, body, target, node.body):
        return INVALID
    return tast.Narrow(body, target, node.span)


def _may_be(scope: Scope, body: Expr, tested: types.WordType, node: tree.Expr) -> bool:
    if isinstance(body.type, types.WordType) and set(tested.values) & set(body.type.values):
        return True
    scope.type_mismatch(f"a value that can be one of {types.describe(tested)}", body, node.span)
    return False

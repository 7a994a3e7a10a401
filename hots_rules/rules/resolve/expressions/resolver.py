"""Every form of expression, and the function that resolves it."""

from __future__ import annotations

from attrs import define

from hots_rules.rules.resolve.expressions import (
    bindings,
    comparisons,
    effects,
    numbers,
    references,
    scenarios,
    sets,
)
from hots_rules.rules.resolve.expressions.scope import Scope
from hots_rules.rules.resolve.named_numbers import number_of
from hots_rules.rules.resolve.symbols import SymbolTable
from hots_rules.rules.rulebook import words_in
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Const, Expr, Operation
from hots_rules.syntax import tree


def resolve_constant(symbols: SymbolTable, node: tree.Expr, type_: types.Type) -> int:
    """The code of an expression whose value must not depend on the state; a fault where it does."""
    scope = ExpressionResolver(symbols)
    value = None if isinstance(node, tree.Number) else number_of(node, symbols.entries)
    if value is None:
        expr = scope.resolve_as(node, type_)
    else:
        symbols.used |= {("define", word) for word in words_in(node)}
        expr = scope.coerce(Const(value, types.IntType(value, value)), type_, node.span)
    while isinstance(expr, tast.Convert | tast.Narrow):
        expr = expr.body
    if isinstance(expr, Const):
        return expr.value
    symbols.fault(
        "wrong-type",
        f"expected a constant of type {type_}",
        node.span,
        help_="write a number, a word, or a set of words",
    )
    return 0


@define
class ExpressionResolver(Scope):
    """A scope that resolves every form of expression."""

    def resolve(self, node: tree.Expr, expected: types.Type | None = None) -> Expr:
        """The typed form of an expression, with a type to guide its words."""
        match node:
            case tree.Number():
                return numbers.number(self, node)
            case tree.Unlimited():
                return Const(types.MAX_NUMBER, types.IntType(types.MAX_NUMBER, types.MAX_NUMBER))
            case tree.ScenarioIs():
                return scenarios.scenario_is(self, node)
            case tree.Truth():
                return Const(int(node.value.text == "true"), types.BOOL)
            case tree.Reference():
                return references.reference(self, node, expected)
            case tree.Qualified():
                return references.qualified(self, node)
            case tree.Apply():
                return references.apply(self, node, expected)
            case tree.Index():
                return references.index(self, node)
            case tree.Or() | tree.And():
                return comparisons.junction(self, node)
            case tree.Not():
                return Operation("not", (self.resolve_as(node.body, types.BOOL),), types.BOOL)
            case tree.Compare():
                return comparisons.compare(self, node)
            case tree.Conditional():
                return comparisons.conditional(self, node, expected)
            case tree.FirstOf():
                return self.resolve(comparisons.first_of(node), expected)
            case tree.IsA():
                return comparisons.type_test(self, node)
            case tree.Cast():
                return comparisons.cast(self, node)
            case tree.Plus() | tree.Times() | tree.Div() | tree.Mod() | tree.Negative():
                return numbers.arithmetic(self, node)
            case tree.Minus():
                return sets.minus(self, node, expected)
            case tree.Some() | tree.NoneOf():
                op = "some" if isinstance(node, tree.Some) else "no"
                return Operation(op, (self.resolve_set(node.body),), types.BOOL)
            case tree.ReachIn() | tree.DistanceIn():
                return sets.paths(self, node, expected)
            case tree.Quantifier():
                return sets.quantifier(self, node)
            case tree.LetIn():
                return bindings.let_in(self, node, expected)
            case tree.AfterIn():
                return effects.after_in(self, node, expected)
            case tree.UnionOf():
                return sets.combined(self, "union", node.parts, expected)
            case tree.Intersection():
                return sets.combined(self, "intersection", node.parts, expected)
            case tree.Pair():
                return sets.pair(self, node, expected)
            case tree.Set():
                return sets.set_literal(self, node, expected)
            case tree.Comprehension():
                return sets.comprehension(self, node)

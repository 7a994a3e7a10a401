"""Expressions: from the tree to the typed tree.

Types flow both ways: a word such as `North` takes its meaning from what is expected where it stands.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, evolve, field

from hots_rules.diagnostics import Span
from hots_rules.rules.resolve.expressions import comparisons, numbers, references, sets
from hots_rules.rules.resolve.symbols import SymbolTable
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import INVALID, Const, Expr, Local, Operation
from hots_rules.syntax import tree


def constant(names: SymbolTable, node: tree.Expr, type_: types.Type) -> int:
    """The code of an expression that must be known when the ruleset is loaded."""
    found = Scope(names).fitted(node, type_)
    while isinstance(found, tast.Convert | tast.Narrow):
        found = found.body
    if isinstance(found, Const):
        return found.value
    names.fault(
        "wrong-type",
        f"expected {types.describe(type_)} that is known at once, got what must be worked out",
        node.span,
        help_="write a number, a word, or a set of words",
    )
    return 0


@define
class Scope:
    """The local names at one place, and how an expression there is resolved."""

    names: SymbolTable
    locals: dict[str, Local] = field(factory=dict)
    counter: list[int] = field(factory=lambda: [0])
    define_type: Callable[[str], types.Type] = lambda _name: types.ANY

    def bind(self, word: str, type_: types.Type) -> Local:
        """A new local name; inside the typed tree each has a name of its own."""
        self.counter[0] += 1
        local = Local(f"{word}_{self.counter[0]}", type_)
        self.locals[word] = local
        return local

    def inner(self) -> Scope:
        """A scope within this one."""
        return evolve(self, locals=dict(self.locals), counter=self.counter)

    # -------------------------------------------------------------- agreement of types
    def fitted(self, node: tree.Expr, expected: types.Type) -> Expr:
        """The expression, seen as a value of the expected type."""
        return self.fit(self.expr(node, expected), expected, node.span)

    def fit(self, found: Expr, expected: types.Type, span: Span) -> Expr:
        """An expression seen as a value of another type; a fault where that cannot be."""
        actual = found.type
        if (
            isinstance(actual, types.AnyType)
            or isinstance(expected, types.AnyType)
            or actual == expected
        ):
            return found
        match actual, expected:
            case types.IntType(), types.IntType():
                return self._fit_number(found, actual, expected, span)
            case types.SetType(), types.SetType() if types.has_same_bits(
                actual.member, expected.member
            ):
                return tast.Convert(found, expected)
            case types.WordType(), types.WordType() if types.is_within(actual, expected):
                if isinstance(found, Const):
                    return Const(expected.codes[actual.values[found.value]], expected)
                return tast.Convert(found, expected)
            case types.DiceType(), types.DiceType() if actual.sides == expected.sides:
                return found
        self.wrong(types.describe(expected), found, span, _mend(actual, expected))
        return INVALID

    def _fit_number(
        self, found: Expr, actual: types.IntType, expected: types.IntType, span: Span
    ) -> Expr:
        if actual.low > expected.high or actual.high < expected.low:
            said = str(found.value) if isinstance(found, Const) else str(actual)
            self.names.fault(
                "out-of-range",
                f"expected a number of {expected}, got {said}",
                span,
                help_="widen the declared range, or mend the number",
            )
            return INVALID
        if expected.low <= actual.low and actual.high <= expected.high:
            return found
        return tast.Narrow(found, expected, span)

    def wrong(self, expected: str, found: Expr, span: Span, help_: str = "") -> None:
        """A value of one kind where another is needed."""
        if not isinstance(found.type, types.AnyType):
            self.names.fault(
                "wrong-type",
                f"expected {expected}, got {types.describe(found.type)}",
                span,
                help_=help_,
            )

    # -------------------------------------------------------------- all forms
    def expr(self, node: tree.Expr, expected: types.Type | None = None) -> Expr:
        """The typed form of an expression, with a type to guide its words."""
        match node:
            case tree.Number():
                return numbers.number(self, node)
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
                op = "or" if isinstance(node, tree.Or) else "and"
                return Operation(
                    op, tuple(self.fitted(part, types.BOOL) for part in node.parts), types.BOOL
                )
            case tree.Not():
                return Operation("not", (self.fitted(node.body, types.BOOL),), types.BOOL)
            case tree.Compare():
                return comparisons.compare(self, node)
            case tree.Conditional():
                return comparisons.conditional(self, node, expected)
            case tree.IsA():
                return comparisons.is_a(self, node)
            case tree.Cast():
                return comparisons.cast(self, node)
            case tree.Plus() | tree.Times() | tree.Div() | tree.Mod() | tree.Negative():
                return numbers.arithmetic(self, node)
            case tree.Minus():
                return sets.minus(self, node, expected)
            case _:
                return sets.of_sets(self, node, expected)


def _mend(actual: types.Type, expected: types.Type) -> str:
    match actual, expected:
        case types.WordType(), types.WordType() if types.is_within(expected, actual):
            return f"where it is known to be one, write `… as {expected}`"
        case types.SetType(), types.BoolType():
            return "write `some …` or `no …`"
        case types.IntType(), types.BoolType():
            return "compare it with a number"
        case types.SetType(), _ if types.is_within(actual.member, expected):
            return "write `the(…)` for the only member of a set"
        case _, types.SetType() if types.is_within(actual, expected.member):
            return "write it in braces, as a set"
    return ""

"""The names at one place of a ruleset, and when a value of one type can be used as another."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable

from attrs import define, evolve, field

from hots_rules.diagnostics import Fix, Span
from hots_rules.rules.resolve.expressions.narrowing import Assumption, possible_values
from hots_rules.rules.resolve.symbols import SymbolTable
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import INVALID, Const, Expr, Local, Operation
from hots_rules.rules.typed.visitor import variables_read
from hots_rules.syntax import tree


@define
class Scope(ABC):
    """The local names at one place, and how an expression there is resolved.

    Types flow both ways: a word such as `North` takes its meaning from the type that its place expects.
    `assumptions` are the conditions that hold there, which narrow the types of expressions.
    """

    symbols: SymbolTable
    locals: dict[str, Local] = field(factory=dict)
    counter: list[int] = field(factory=lambda: [0])
    type_of_definition: Callable[[str], types.Type] = lambda _name: types.ANY
    definition_of: Callable[[str], tast.Definition | None] = lambda _name: None
    assumptions: tuple[Assumption, ...] = ()

    @abstractmethod
    def resolve(self, node: tree.Expr, expected: types.Type | None = None) -> Expr:
        """The typed form of an expression, with a type to guide its words."""

    def bind(self, word: tree.Word | str, type_: types.Type) -> Local:
        """A new local name; in the typed tree no two locals of a declaration share a name."""
        self.counter[0] += 1
        text = word if isinstance(word, str) else word.text
        local = Local(text, type_).numbered(self.counter[0])
        self.locals[text] = local
        if not isinstance(word, str):
            self.symbols.bound.append((word.span, type_))
        return local

    def inner(self) -> Scope:
        """A scope inside this one: what it binds stays in it."""
        return evolve(self, locals=dict(self.locals), counter=self.counter)

    # -------------------------------------------------------------- what is known
    def assume(self, condition: Expr, *, holds: bool = True) -> None:
        """Takes a condition as known, for what is resolved from here on."""
        is_junction = isinstance(condition, Operation) and condition.op == (
            "and" if holds else "or"
        )
        parts = condition.args if is_junction and isinstance(condition, Operation) else (condition,)
        self.assumptions += tuple(Assumption(part, holds) for part in parts)

    def assuming(self, condition: Expr, *, holds: bool = True) -> Scope:
        """A scope inside this one in which a condition is known."""
        inner = self.inner()
        inner.assume(condition, holds=holds)
        return inner

    def assume_member(self, local: Local, source: Expr) -> None:
        """Takes a local name as one of the members of a set."""
        self.assume(Operation("in", (local, source), types.BOOL))

    def forget(self, changed: frozenset[str] | None) -> None:
        """Drops what is known about variables that change; None for any variable."""
        if changed is not None and not changed:
            return
        self.assumptions = tuple(
            assumed
            for assumed in self.assumptions
            if not (read := self._read(assumed.condition))
            or (changed is not None and not read & changed)
        )

    def _read(self, condition: Expr) -> set[str]:
        """The variables that a condition reads; all of them if it is about what follows an action."""
        everything = [tast.Load(name, (), types.ANY) for name in self.symbols.variables]
        return variables_read([condition], self.definition_of, lambda _action: everything)

    def possible_values(self, expr: Expr) -> frozenset[types.Value] | None:
        """The words that an expression can have here; None if nothing is known but its type."""
        return possible_values(expr, self.assumptions, self.definition_of)

    def fits(self, expr: Expr, type_: types.Type) -> bool:
        """Whether an expression has a value of a type, by its own type or by what is known."""
        if types.is_within(expr.type, type_):
            return True
        if not isinstance(expr.type, types.WordType) or not isinstance(type_, types.WordType):
            return False
        values = self.possible_values(expr)
        return values is not None and values <= type_.codes.keys()

    # -------------------------------------------------------------- agreement of types
    def resolve_as(self, node: tree.Expr, expected: types.Type) -> Expr:
        """The typed form of an expression, as a value of the expected type."""
        return self.coerce(self.resolve(node, expected), expected, node.span)

    def resolve_set(self, node: tree.Expr, member: types.Type | None = None) -> Expr:
        """The typed form of an expression that must be a set."""
        expr = self.resolve(node, types.SetType(member) if member is not None else None)
        if isinstance(expr.type, types.SetType | types.AnyType):
            return expr
        self.type_mismatch("a set", expr, node.span)
        return INVALID

    def coerce(self, expr: Expr, expected: types.Type, span: Span) -> Expr:
        """An expression as a value of another type; a fault where that is impossible."""
        actual = expr.type
        if (
            isinstance(actual, types.AnyType)
            or isinstance(expected, types.AnyType)
            or actual == expected
        ):
            return expr
        match actual, expected:
            case types.IntType(), types.IntType():
                return self._coerce_number(expr, actual, expected, span)
            case types.SetType(), types.SetType() if types.has_same_bits(
                actual.member, expected.member
            ):
                return tast.Convert(expr, expected)
            case types.WordType(), types.WordType() if types.is_within(actual, expected):
                if isinstance(expr, Const):
                    return Const(expected.codes[actual.values[expr.value]], expected)
                return tast.Convert(expr, expected)
            case types.WordType(), types.WordType() if self.fits(expr, expected):
                return tast.Narrow(expr, expected, span, checked=False, guarded=True)
            case types.DiceType(), types.DiceType() if actual.sides == expected.sides:
                return expr
        remedy, fixes = _remedy(actual, expected, span)
        self.type_mismatch(types.describe(expected), expr, span, remedy, fixes)
        return INVALID

    def _coerce_number(
        self, expr: Expr, actual: types.IntType, expected: types.IntType, span: Span
    ) -> Expr:
        if actual.low > expected.high or actual.high < expected.low:
            got = str(expr.value) if isinstance(expr, Const) else str(actual)
            self.symbols.fault(
                "out-of-range",
                f"expected a number of {expected}, got {got}",
                span,
                help_="widen the declared range, or correct the number",
            )
            return INVALID
        if expected.low <= actual.low and actual.high <= expected.high:
            return expr
        return tast.Narrow(expr, expected, span)

    def type_mismatch(
        self, expected: str, expr: Expr, span: Span, help_: str = "", fixes: Iterable[Fix] = ()
    ) -> None:
        """Reports a value of one type where another is needed."""
        if not isinstance(expr.type, types.AnyType):
            headline = f"expected {expected}, got {types.describe(expr.type)}"
            self.symbols.fault("wrong-type", headline, span, (), help_, fixes)


def member_type(source: Expr) -> types.Type:
    """The type of the members of a set."""
    return source.type.member if isinstance(source.type, types.SetType) else types.ANY


def _remedy(actual: types.Type, expected: types.Type, span: Span) -> tuple[str, list[Fix]]:
    """One way to make a value of one type a value of another, and the changes that do it."""
    match actual, expected:
        case types.WordType(), types.WordType() if types.is_within(expected, actual):
            return (
                f"test it before with `… is {expected}`, or, where it is certain, write `… as {expected}`",
                [],
            )
        case types.SetType(), types.BoolType():
            fixes = [Fix.put_before(span, f"{word} ") for word in ("some", "no")]
            return "write `some …` or `no …`", fixes
        case types.IntType(), types.BoolType():
            return "compare it with a number", []
        case types.SetType(), _ if types.is_within(actual.member, expected):
            fixes = [Fix.put_around(span, "the(", ")")]
            return "write `the(…)` for the only member of a set", fixes
        case _, types.SetType() if types.is_within(actual, expected.member):
            return "write it in braces, as a set", [Fix.put_around(span, "{", "}")]
    return "", []

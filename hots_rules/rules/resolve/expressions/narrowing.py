"""What conditions say about the value of an expression: after `place[b] is Area`, `place[b]` is an area.

The values that remain possible are found only where the declared type does not fit, so that other
expressions keep their types.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from attrs import define, field, frozen

from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Const, Expr, Local, Operation
from hots_rules.rules.typed.visitor import rewrite, walk

MAX_STEPS = 500  # parts of conditions that one question goes through

Values = frozenset[types.Value]
DefinitionOf = Callable[[str], tast.Definition | None]


@frozen
class Assumption:
    """A condition that is known to hold, or known not to."""

    condition: Expr
    holds: bool


@frozen
class Bindings:
    """The expressions that local names of a condition stand for; other locals of a definition mean nothing outside."""

    values: Mapping[str, Expr] = field(factory=dict)
    is_definition: bool = False

    def outside(self, node: Expr) -> Expr:
        """An expression of the condition, in terms of the place where it is assumed."""

        def change(part: Expr) -> Expr:
            if not isinstance(part, Local):
                return part
            unknown = Local(f"{part.name} inside", part.type) if self.is_definition else part
            return self.values.get(part.name, unknown)

        return core(rewrite(node, change))

    def with_let(self, node: tast.LetIn) -> Bindings:
        """The bindings in the body of a `let`."""
        return Bindings(
            {**self.values, node.local.name: self.outside(node.value)}, self.is_definition
        )

    def inside(
        self, call: tast.DefinitionCall, definition_of: DefinitionOf
    ) -> tuple[Expr, Bindings] | None:
        """The value of a definition, and the bindings in it; None if it has a fault."""
        definition = definition_of(call.define)
        if definition is None or len(definition.params) != len(call.args):
            return None
        names = (param.name for param in definition.params)
        args = map(self.outside, call.args)
        return definition.body, Bindings(dict(zip(names, args, strict=True)), True)


@define
class _ValueSearch:
    """The search for the values that one expression may have."""

    wanted: Expr
    definition_of: DefinitionOf
    steps: int = 0

    def values(self, condition: Expr, holds: bool, bound: Bindings) -> Values | None:
        """The values that a condition leaves to the expression; None if it leaves all of them."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            return None
        match condition:
            case Operation(op="not"):
                return self.values(condition.args[0], not holds, bound)
            case Operation(op="and" | "or"):
                parts = [self.values(part, holds, bound) for part in condition.args]
                return _intersection(parts) if holds == (condition.op == "and") else _union(parts)
            case Operation(op="eq" | "ne"):
                return self._equality(condition.args, holds == (condition.op == "eq"), bound)
            case Operation(op="in"):
                return self._membership(condition.args, holds, bound)
            case tast.TypeTest() if bound.outside(condition.body) == self.wanted:
                return self._among(_words(condition.tested), holds)
            case tast.DefinitionCall():
                inside = bound.inside(condition, self.definition_of)
                return self.values(inside[0], holds, inside[1]) if inside else None
            case tast.LetIn():
                return self.values(condition.body, holds, bound.with_let(condition))
            case tast.Conditional():
                branches = (condition.then, condition.otherwise)
                return _union([self.values(part, holds, bound) for part in branches])
        return None

    def _among(self, values: Values, holds: bool) -> Values:
        """Some values, or if that does not hold, all others of the type."""
        return values if holds else _words(self.wanted.type) - values

    def _equality(self, args: tuple[Expr, ...], equal: bool, bound: Bindings) -> Values | None:
        for left, right in (args, args[::-1]):
            if bound.outside(left) == self.wanted and (equal or isinstance(right, Const)):
                return self._among(_values_of(right), equal)
        return None

    def _membership(self, args: tuple[Expr, ...], holds: bool, bound: Bindings) -> Values | None:
        member, source = args
        limits: list[Values | None] = []
        if bound.outside(member) == self.wanted and (holds or isinstance(source, Const)):
            limits.append(self._among(_members_of(source), holds))
        if holds:
            limits.append(self._of_member(bound.outside(member), source, bound))
        return _intersection(limits)

    def _of_member(self, member: Expr, source: Expr, bound: Bindings) -> Values | None:
        """What the membership of a value in a set says."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            return None
        match source:
            case tast.Comprehension():
                inner = Bindings({**bound.values, source.local.name: member}, bound.is_definition)
                of_condition = self.values(source.condition, True, inner)
                return _intersection([of_condition, self._of_member(member, source.source, bound)])
            case Operation(op="difference"):
                return self._of_member(member, source.args[0], bound)
            case Operation(op="intersection"):
                return _intersection([self._of_member(member, s, bound) for s in source.args])
            case tast.Convert():
                return self._of_member(member, source.body, bound)
            case tast.DefinitionCall():
                inside = bound.inside(source, self.definition_of)
                return self._of_member(member, *inside) if inside else None
            case tast.LetIn():
                return self._of_member(member, source.body, bound.with_let(source))
            case tast.Conditional():
                branches = (source.then, source.otherwise)
                return _union([self._of_member(member, part, bound) for part in branches])
        return None


def possible_values(
    node: Expr, assumptions: Iterable[Assumption], definition_of: DefinitionOf
) -> Values | None:
    """The words that an expression can have under some assumptions; None if they say nothing about it."""
    wanted = core(node)
    if any(tast.bound_by(part) or isinstance(part, tast.After) for part in walk(wanted)):
        return None
    return _intersection(
        _ValueSearch(wanted, definition_of).values(assumed.condition, assumed.holds, Bindings())
        for assumed in assumptions
    )


def core(node: Expr) -> Expr:
    """An expression without conversions to another type."""
    while isinstance(node, tast.Convert | tast.Narrow):
        node = node.body
    return node


def _words(type_: types.Type) -> Values:
    return frozenset(type_.values) if isinstance(type_, types.WordType) else frozenset()


def _values_of(node: Expr) -> Values:
    """The values of an expression by its type; that of a constant alone."""
    node = core(node)
    if isinstance(node, Const) and isinstance(node.type, types.WordType):
        return frozenset({node.type.values[node.value]})
    return _words(node.type)


def _members_of(node: Expr) -> Values:
    """The values that a set can have as members."""
    member = node.type.member if isinstance(node.type, types.SetType) else node.type
    if isinstance(node, Const) and isinstance(member, types.WordType):
        return frozenset(v for code, v in enumerate(member.values) if node.value >> code & 1)
    return _words(member)


def _intersection(limits: Iterable[Values | None]) -> Values | None:
    limiting = [values for values in limits if values is not None]
    return frozenset.intersection(*limiting) if limiting else None


def _union(limits: list[Values | None]) -> Values | None:
    limiting = [values for values in limits if values is not None]
    return frozenset[types.Value]().union(*limiting) if len(limiting) == len(limits) else None

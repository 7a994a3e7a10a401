"""Upper bounds of how many members a set has.

A set that reads no state is computed for all values of the names in it, and the largest counts. What else is known
follows from the operators: no intersection is larger than its smallest operand, and a set of the members for which a
condition holds is no larger than the sets in which the condition has them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import product
from math import prod
from typing import Protocol

from attrs import define, evolve, field

from hots_rules.diagnostics import HotsError
from hots_rules.rules.graph import dependency_order
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.call_graph import procedures
from hots_rules.rules.typed.tast import Expr, Local, Operation
from hots_rules.rules.typed.visitor import expressions, free_locals, mentions, walk

MAX_COMBINATIONS = types.MAX_TABLE  # of the values of names for which a set is computed
Bounds = Mapping[str, int]
"""The most members of the sets that some local names stand for."""
_NOTHING_KNOWN: Bounds = {}
_STATE = tast.Load | tast.After | tast.PositionNumber


class StaticValues(Protocol):
    """What computes expressions that read no state: `evaluate.Evaluator`."""

    def value(self, node: Expr, local: Mapping[str, int]) -> int: ...


StaticValuesOf = Callable[[tast.TypedRuleset], StaticValues]


@define(slots=False)
class SetSizes:
    """Bounds the sets of a ruleset.

    Attributes:
        typed: the ruleset.
        values: what computes static sets; without it, only the operators count.
        more: expressions that are asked about besides those of the ruleset.
        renamed: the most members of parameters that have got names of their own.
    """

    typed: tast.TypedRuleset
    values: StaticValues | None = None
    more: tuple[Expr, ...] = ()
    renamed: dict[str, int] = field(factory=dict)
    _static: dict[str, bool] = field(factory=dict)
    _computed: dict[int, tuple[Expr, int | None]] = field(factory=dict)
    _of_definitions: dict[tuple[str, tuple[int, ...]], int] = field(factory=dict)

    def most(self, node: Expr, bounds: Bounds = _NOTHING_KNOWN) -> int:
        """The most members of a set; `bounds` are those of the local names that stand for sets."""
        full = _all_members(node.type)
        if (computed := self._most_computed(node)) is not None:
            return min(computed, full)
        return min(self._by_operators(node, bounds), full)

    def members(
        self, local: Local, source: Expr, condition: Expr | None, bounds: Bounds = _NOTHING_KNOWN
    ) -> int:
        """The most members of a source that satisfy a condition."""
        parts = () if condition is None else conjuncts(condition)
        static = tuple(part for part in parts if self.is_static(part))
        most = None
        if static and self.is_static(source):
            together = Operation("and", static, types.BOOL)
            filtered = tast.Comprehension(local, source, together, types.SetType(local.type))
            most = self._most_computed(filtered)
        if most is None:
            most = min(self.most(source, bounds), types.size(local.type))
        else:
            parts = tuple(part for part in parts if part not in static)
        return min([most, *(self.satisfying(local, part, bounds) for part in parts)])

    def satisfying(self, local: Local, condition: Expr, bounds: Bounds = _NOTHING_KNOWN) -> int:
        """The most values of a local name for which a condition holds, whatever the other names are."""
        full = types.size(local.type)
        match condition:
            case Operation(op="and", args=args):
                return min(self.satisfying(local, arg, bounds) for arg in args)
            case Operation(op="or", args=args):
                return min(full, sum(self.satisfying(local, arg, bounds) for arg in args))
            case Operation(op="in", args=(member, members)):
                if _same_value(member) == local and not mentions(members, local):
                    return min(full, self.most(members, bounds))
            case Operation(op="eq", args=(left, right)):
                for this, that in ((left, right), (right, left)):
                    if _same_value(this) == local and not mentions(that, local):
                        return 1
            case tast.Conditional():
                cases = [
                    self.satisfying(local, case, bounds)
                    for case in (condition.then, condition.otherwise)
                ]
                is_same = not mentions(condition.condition, local)
                return min(full, max(cases) if is_same else sum(cases))
            case tast.LetIn() if not mentions(condition.value, local):
                return self.satisfying(local, condition.body, self._with_let(condition, bounds))
            case tast.DefinitionCall() if condition.define in self.typed.definitions:
                return min(full, self._satisfying_call(local, condition, bounds))
        if self.is_static(condition):
            every = tast.Const(types.all_values(local.type), types.SetType(local.type))
            chosen = tast.Comprehension(local, every, condition, every.type)
            computed = self._most_computed(chosen)
            return full if computed is None else computed
        return full

    @cached_property
    def parameters(self) -> Mapping[str, Bounds]:
        """The most members of the parameters that are sets, by definition: the most of any call."""
        definitions = self.typed.definitions
        most_of: dict[str, dict[str, int]] = {
            name: {param.name: 0 for param in definition.params if _is_set(param)}
            for name, definition in definitions.items()
        }
        if not any(most_of.values()):
            return most_of
        for node in (*_outside_definitions(self.typed), *self.more):
            self._note_calls(node, most_of, _NOTHING_KNOWN)
        graph = {name: _called(definition.body) for name, definition in definitions.items()}
        for name in reversed(dependency_order(graph).nodes):
            self._note_calls(definitions[name].body, most_of, most_of[name])
        return most_of

    def rename(self, name: str, params: tuple[Local, ...]) -> None:
        """Note other names of the parameters of a definition, which no other name of the ruleset is."""
        for old, new in zip(self.typed.definitions[name].params, params, strict=True):
            if _is_set(old):
                self.renamed[new.name] = self.parameters[name][old.name]

    def _note_calls(
        self, node: Expr, most_of: Mapping[str, dict[str, int]], bounds: Bounds
    ) -> None:
        for part in walk(node):
            if isinstance(part, tast.DefinitionCall) and (most := most_of.get(part.define)):
                for param, members in self.arguments(part, bounds).items():
                    most[param] = max(most[param], members)

    def is_static(self, node: Expr) -> bool:
        """Whether an expression reads no state: it depends on its local names and the tables alone."""
        return not any(
            isinstance(part, _STATE)
            or (
                isinstance(part, tast.DefinitionCall) and not self.is_static_definition(part.define)
            )
            for part in walk(node)
        )

    def is_static_definition(self, name: str) -> bool:
        """Whether a definition reads no state, itself or through others."""
        if name not in self.typed.definitions:
            return False
        if name not in self._static:
            self._static[name] = False  # ends the recursion of a faulty definition
            self._static[name] = self.is_static(self.typed.definitions[name].body)
        return self._static[name]

    # -------------------------------------------------------------- by the operators
    def _by_operators(self, node: Expr, bounds: Bounds) -> int:
        full = _all_members(node.type)
        match node:
            case Local():
                return bounds.get(node.name, self.renamed.get(node.name, full))
            case Operation(op="union", args=args):
                return sum(self.most(arg, bounds) for arg in args)
            case Operation(op="intersection", args=args):
                return min(self.most(arg, bounds) for arg in args)
            case Operation(op="difference" | "rest_of", args=(first, *_)):
                return self.most(first, bounds)
            case Operation(op="set", args=args):
                return len(args)
            case tast.Conditional():
                return max(self.most(node.then, bounds), self.most(node.otherwise, bounds))
            case tast.LetIn():
                return self.most(node.body, self._with_let(node, bounds))
            case tast.Comprehension():
                return self.members(node.local, node.source, node.condition, bounds)
            case tast.Convert() | tast.Narrow():
                return self.most(node.body, bounds)
            case tast.DefinitionCall() if node.define in self.typed.definitions:
                return self._most_of_call(node, bounds)
        return full

    def _with_let(self, node: tast.LetIn, bounds: Bounds) -> Bounds:
        if not _is_set(node.local):
            return bounds
        return {**bounds, node.local.name: self.most(node.value, bounds)}

    def _most_of_call(self, node: tast.DefinitionCall, bounds: Bounds) -> int:
        """The most members that a definition gives for some arguments."""
        if self.is_static_definition(node.define):
            computed = self._most_computed(self._for_all_arguments(node))
            if computed is not None:
                return computed
        arguments = self.arguments(node, bounds)
        key = node.define, tuple(arguments.values())
        if key not in self._of_definitions:
            self._of_definitions[key] = _all_members(node.type)  # ends a faulty recursion
            body = self.typed.definitions[node.define].body
            self._of_definitions[key] = self.most(body, arguments)
        return self._of_definitions[key]

    def arguments(self, node: tast.DefinitionCall, bounds: Bounds) -> Bounds:
        """The most members of the parameters of a definition that are sets, in a call."""
        params = self.typed.definitions[node.define].params
        return {
            param.name: self.most(arg, bounds)
            for param, arg in zip(params, node.args, strict=True)
            if _is_set(param)
        }

    def _for_all_arguments(self, node: tast.DefinitionCall) -> Expr:
        """The call of a definition for all values of the arguments that are no constants."""
        params = self.typed.definitions[node.define].params
        args = tuple(
            arg if isinstance(arg, tast.Const) else param
            for param, arg in zip(params, node.args, strict=True)
        )
        return evolve(node, args=args)

    def _satisfying_call(self, local: Local, node: tast.DefinitionCall, bounds: Bounds) -> int:
        """The most values of a local name for which a definition holds, of which it is an argument."""
        definition = self.typed.definitions[node.define]
        places = [number for number, arg in enumerate(node.args) if mentions(arg, local)]
        full = types.size(local.type)
        if len(places) != 1 or _same_value(node.args[places[0]]) != local:
            return full
        arguments = self.arguments(node, bounds)
        return self.satisfying(definition.params[places[0]], definition.body, arguments)

    # -------------------------------------------------------------- computed
    def _most_computed(self, node: Expr) -> int | None:
        """The size of the largest value of a static set; None if it is not computed."""
        if isinstance(node, tast.Const):
            return node.value.bit_count()
        if self.values is None:
            return None
        # By its id, with the expression to keep it alive: hashing a long one costs more.
        known_size = self._computed.get(id(node))
        if known_size is None:
            size = self._computed_anew(node) if self.is_static(node) else None
            known_size = self._computed[id(node)] = node, size
        return known_size[1]

    def _computed_anew(self, node: Expr) -> int | None:
        assert self.values is not None
        names = tuple(free_locals(node).values())
        if prod(types.size(name.type) for name in names) > MAX_COMBINATIONS:
            return None
        ranges = [
            range(low := types.lowest_code(name.type), low + types.size(name.type))
            for name in names
        ]
        most, full = 0, _all_members(node.type)
        try:
            for codes in product(*ranges):
                named = {name.name: code for name, code in zip(names, codes, strict=True)}
                most = max(most, self.values.value(node, named).bit_count())
                if most == full:
                    break
        except (HotsError, LookupError, ArithmeticError):
            return None
        return most


def _all_members(type_: types.Type) -> int:
    """How many members a set of a type can have."""
    return types.size(type_.member) if isinstance(type_, types.SetType) else types.size(type_)


def conjuncts(condition: Expr) -> tuple[Expr, ...]:
    """The parts of a conjunction."""
    if isinstance(condition, Operation) and condition.op == "and":
        return tuple(part for arg in condition.args for part in conjuncts(arg))
    return (condition,)


def _same_value(node: Expr) -> Expr:
    while isinstance(node, tast.Convert):
        node = node.body
    return node


def _is_set(local: Local) -> bool:
    return isinstance(local.type, types.SetType)


def _called(node: Expr) -> set[str]:
    return {part.define for part in walk(node) if isinstance(part, tast.DefinitionCall)}


def _outside_definitions(typed: tast.TypedRuleset) -> Iterator[Expr]:
    """Every expression of a ruleset outside its definitions."""
    for action in typed.actions.values():
        for clause in action.clauses:
            parts: tuple[tast.Clause | tast.Exemption, ...] = (clause, *clause.exemptions)
            for part in parts:
                yield from (node for node in (part.guard, part.when) if node is not None)
    for body in procedures(typed).values():
        yield from expressions(body)
    for secret in typed.secrets:
        for audience in secret.audiences:
            yield from audience.conditions
    for policy in typed.policies.values():
        yield from (preference.when for preference in policy.clauses)
    yield from (question.body for question in typed.questions.values())
    yield from (invariant.condition for invariant in typed.invariants.values())
    yield from (promise.condition for promise in typed.promises.values())

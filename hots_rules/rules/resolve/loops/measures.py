"""What decreases with each iteration of a loop: members of a set, a number, entries of a map.

A measure is a state variable that everything in a loop changes in one direction only, if at all. A loop
ends if each iteration changes it at least once, and the condition of the loop depends on it.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

from attrs import field, frozen

from hots_rules.rules.resolve.expressions.narrowing import (
    Assumption,
    Bindings,
    DefinitionOf,
    core,
    possible_values,
)
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Const, Expr, Local, Operation
from hots_rules.rules.typed.visitor import walk

MAX_LEVELS = 20  # definitions inside one another

CountingNames = frozenset[str]
"""Local names whose values are certain to count, see `Measure`."""


@frozen
class Measure(ABC):
    """A variable that can only come closer to its end.

    A value *counts* if a change with it brings the variable closer: a member that can be taken from the set, or a key
    whose entry still has the value that the loop replaces.
    """

    variable: tast.Variable
    condition: Expr
    definition_of: DefinitionOf

    @property
    @abstractmethod
    def iterations(self) -> int:
        """How often it can come closer."""

    @abstractmethod
    def allows(self, change: tast.Store | tast.Reset) -> bool:
        """Whether a change of the variable does not lead away from the end."""

    @abstractmethod
    def advances(self, change: tast.Store | tast.Reset, counting: CountingNames) -> bool:
        """Whether a change of the variable is certain to come closer to the end."""

    def counts(self, local: Local, condition: Expr, *, holds: bool = True) -> bool:
        """Whether the value of a local name counts where a condition holds, or where it does not."""
        return False

    def holds_only_counting(self, source: Expr, bound: Bindings, level: int = 0) -> bool:
        """Whether all members of a set count."""
        return False


@frozen
class NumberMeasure(Measure):
    """A number, or the numbers of a map, that only fall or only rise."""

    falls: bool = field(kw_only=True)

    @property
    def iterations(self) -> int:
        """One for each value of each entry."""
        entries = math.prod(types.size(key) for key in self.variable.keys)
        return entries * types.size(self.variable.type)

    def allows(self, change: tast.Store | tast.Reset) -> bool:
        """`x -= n` with n of at least 0, or `clear x`, if it falls; `x += n`, if it rises."""
        if isinstance(change, tast.Reset):
            return self.falls
        return self._step(change) is not None

    def advances(self, change: tast.Store | tast.Reset, counting: CountingNames) -> bool:
        """A step of at least 1, or `clear` of a number of which the condition needs some.

        A number that rises is one that the condition compares. Which number of a map falls is not asked: a condition
        such as `some b in Block: strength[b] > 0` names none of them.
        """
        if isinstance(change, tast.Reset):
            return not change.keys and _is_positive(self, self.condition, Bindings())
        step = self._step(change)
        if step is None or step.low < 1:
            return False
        loads = (part for part in walk(self.condition) if isinstance(part, tast.Load))
        compared = [load.keys for load in loads if load.variable == self.variable.name]
        return self.falls or not change.keys or change.keys in compared

    def _step(self, change: tast.Store) -> types.IntType | None:
        value = core(change.value)
        if not isinstance(value, Operation) or value.op != ("sub" if self.falls else "add"):
            return None
        before, step = value.args
        is_own = before == tast.Load(self.variable.name, change.keys, self.variable.type)
        if is_own and isinstance(step.type, types.IntType) and step.type.low >= 0:
            return step.type
        return None


@frozen
class SetMeasure(Measure):
    """A set from which members are only taken."""

    @property
    def iterations(self) -> int:
        """One for each value that can be a member."""
        assert isinstance(self.variable.type, types.SetType)
        return types.size(self.variable.type.member)

    def allows(self, change: tast.Store | tast.Reset) -> bool:
        """`remove x from S`, `clear S`, `S := S - T` and the like."""
        return isinstance(change, tast.Reset) or self.holds_only_counting(change.value, Bindings())

    def advances(self, change: tast.Store | tast.Reset, counting: CountingNames) -> bool:
        """A member is taken, or all of them where the condition needs some."""
        if isinstance(change, tast.Reset) or core(change.value) == Const(0, change.value.type):
            return _is_nonempty(self, self.condition, Bindings())
        value = core(change.value)
        if not isinstance(value, Operation) or value.op != "difference":
            return False
        taken = core(value.args[1])
        members = taken.args if isinstance(taken, Operation) and taken.op == "set" else ()
        return any(
            isinstance(part := core(member), Local) and part.name in counting for member in members
        )

    def counts(self, local: Local, condition: Expr, *, holds: bool = True) -> bool:
        """`b in ready and …`, or, where it does not hold, `b not in ready or …`."""
        match condition:
            case Operation(op="not"):
                return self.counts(local, condition.args[0], holds=not holds)
            case Operation(op="and" | "or") if holds == (condition.op == "and"):
                return any(self.counts(local, part, holds=holds) for part in condition.args)
        return holds and self._is_member(local, condition, Bindings())

    def _is_member(self, local: Local, condition: Expr, bound: Bindings, level: int = 0) -> bool:
        """Whether a local name is in the set where a condition holds, also by the definitions that it calls."""
        match condition:
            case Operation(op="and"):
                return any(self._is_member(local, part, bound, level) for part in condition.args)
            case Operation(op="in", args=(member, source)) if bound.outside(member) == local:
                return self.holds_only_counting(source, bound, level)
            case tast.DefinitionCall() if level < MAX_LEVELS:
                inside = bound.inside(condition, self.definition_of)
                return inside is not None and self._is_member(local, *inside, level + 1)
        return False

    def holds_only_counting(self, source: Expr, bound: Bindings, level: int = 0) -> bool:
        """Whether a set is a part of the one that is measured."""
        match source:
            case tast.Load(keys=()):
                return source.variable == self.variable.name
            case Const():
                return source.value == 0
            case Local():
                outside = bound.outside(source)
                is_new = outside != source
                return is_new and self.holds_only_counting(outside, Bindings(), level)
            case Operation(op="difference"):
                return self.holds_only_counting(source.args[0], bound, level)
            case Operation(op="intersection"):
                return any(self.holds_only_counting(part, bound, level) for part in source.args)
            case Operation(op="union"):
                return all(self.holds_only_counting(part, bound, level) for part in source.args)
            case tast.Comprehension():
                return self.holds_only_counting(source.source, bound, level)
            case tast.Convert():
                return self.holds_only_counting(source.body, bound, level)
            case tast.Conditional():
                parts = (source.then, source.otherwise)
                return all(self.holds_only_counting(part, bound, level) for part in parts)
            case tast.DefinitionCall() if level < MAX_LEVELS:
                inside = bound.inside(source, self.definition_of)
                return inside is not None and self.holds_only_counting(*inside, level + 1)
        return False


@frozen
class MapMeasure(Measure):
    """A map whose entries with one value get others, as the empty squares of a board do."""

    going_code: int = field(kw_only=True)

    @property
    def iterations(self) -> int:
        """One for each entry."""
        return types.size(self.variable.keys[0])

    def allows(self, change: tast.Store | tast.Reset) -> bool:
        """An entry gets another value than the one that the loop replaces."""
        if isinstance(change, tast.Reset):
            return False
        return self._going not in _values_of(core(change.value))

    def advances(self, change: tast.Store | tast.Reset, counting: CountingNames) -> bool:
        """An entry that had the value gets another."""
        key = core(change.keys[0]) if change.keys else None
        return self.allows(change) and isinstance(key, Local) and key.name in counting

    def counts(self, local: Local, condition: Expr, *, holds: bool = True) -> bool:
        """`owner[a] = none and …`."""
        entry = tast.Load(self.variable.name, (local,), self.variable.type)
        left = possible_values(entry, [Assumption(condition, holds)], self.definition_of)
        return left == frozenset({self._going})

    def holds_only_counting(self, source: Expr, bound: Bindings, level: int = 0) -> bool:
        """`{a in Area where owner[a] = none}`."""
        member = Local("any member", self.variable.keys[0])
        outside = bound.outside(source)
        return self.counts(member, Operation("in", (member, outside), types.BOOL))

    @property
    def _going(self) -> types.Value:
        """The value that the loop replaces."""
        assert isinstance(self.variable.type, types.WordType)
        return self.variable.type.values[self.going_code]


def _values_of(node: Expr) -> frozenset[types.Value]:
    """The words that an expression can have by its form."""
    if not isinstance(node.type, types.WordType):
        return frozenset()
    values = node.type.values
    match node:
        case Const():
            return frozenset({values[node.value]})
        case tast.Construct():
            parts = list(zip(node.strides, node.args, strict=True))
            first = node.first + sum(s * types.lowest_code(arg.type) for s, arg in parts)
            last = first + sum(s * (types.size(arg.type) - 1) for s, arg in parts)
            return frozenset(values[first : last + 1])
    return frozenset(values)


def _is_nonempty(measure: SetMeasure, condition: Expr, bound: Bindings, level: int = 0) -> bool:
    """Whether a condition holds only while a set has members."""
    match condition:
        case Operation(op="and"):
            return any(_is_nonempty(measure, part, bound, level) for part in condition.args)
        case Operation(op="or"):
            return all(_is_nonempty(measure, part, bound, level) for part in condition.args)
        case Operation(op="some"):
            return measure.holds_only_counting(condition.args[0], bound, level)
        case tast.Quantified(kind="some"):
            return measure.holds_only_counting(condition.source, bound, level)
        case tast.DefinitionCall() if level < MAX_LEVELS:
            inside = bound.inside(condition, measure.definition_of)
            return inside is not None and _is_nonempty(measure, *inside, level + 1)
    return False


def _is_positive(measure: NumberMeasure, node: Expr, bound: Bindings, level: int = 0) -> bool:
    """Whether a condition holds, or a set has members, only while a number is above its lowest value."""
    low = types.lowest_code(measure.variable.type)
    match node:
        case Operation(op="and"):
            return any(_is_positive(measure, part, bound, level) for part in node.args)
        case Operation(op="or"):
            return all(_is_positive(measure, part, bound, level) for part in node.args)
        case Operation(op="gt" | "ge" | "ne" as op, args=(tast.Load() as load, Const() as limit)):
            excludes_lowest = {
                "gt": limit.value >= low,
                "ge": limit.value > low,
                "ne": limit.value == low,
            }
            return load.variable == measure.variable.name and excludes_lowest[op]
        case Operation(op="some"):
            return _is_positive(measure, node.args[0], bound, level)
        case tast.Comprehension():
            parts = (node.source, node.condition)
            return any(_is_positive(measure, part, bound, level) for part in parts)
        case tast.Quantified(kind="some"):
            parts = (node.source, node.body)
            return any(_is_positive(measure, part, bound, level) for part in parts)
        case Operation(op="difference" | "intersection"):
            kept = node.args[:1] if node.op == "difference" else node.args
            return any(_is_positive(measure, part, bound, level) for part in kept)
        case Operation(op="union"):
            return all(_is_positive(measure, part, bound, level) for part in node.args)
        case tast.DefinitionCall() if level < MAX_LEVELS:
            inside = bound.inside(node, measure.definition_of)
            return inside is not None and _is_positive(measure, *inside, level + 1)
    return False

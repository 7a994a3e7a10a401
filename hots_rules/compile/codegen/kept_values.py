"""Computes before a loop the calls of definitions that are the same for each member.

It works on the typed tree, where it is known what may fail: a call that no member guards can be computed before the
first. A call whose arguments depend on the member, but have few values, is computed for each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from attrs import define, evolve, field, frozen

from hots_rules.compile.codegen.definitions import CompiledDefinitions
from hots_rules.compile.codes import codes_of
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import (
    After,
    Comprehension,
    Conditional,
    Const,
    DefinitionCall,
    Expr,
    LetIn,
    Local,
    Operation,
    Quantified,
)
from hots_rules.rules.typed.visitor import children, free_locals, map_children, walk

MIN_STEPS = 300  # of a call that is kept
MIN_STEPS_FOR_EACH = 1_000  # of a call that is kept for each value of its arguments
MAX_VALUES = 16  # of the arguments of a call that is kept for each
MIN_PERHAPS = 8  # turns of a loop before which a call is computed that a condition may spare them
MAX_PARTS = 200  # of a definition that is written out, for the calls in it


@frozen
class Members:
    """The names that vary in a loop, and how many combinations of their values there are.

    `turns` are those of the loop, which may be inside others whose names a condition does not have.
    """

    names: frozenset[str]
    count: int
    turns: int

    @classmethod
    def of(cls, *members: Local, inside: Sequence[Local] = ()) -> Members:
        """The members of loops inside one another, and inside others."""
        names = frozenset(member.name for member in members)
        count, turns = (
            prod(types.size(local.type) for local in loops)
            for loops in (members, {*members, *inside})
        )
        return cls(names, count, turns)

    def within(self, local: Local) -> Members:
        """The same in a part that binds a further name, which is not known before the loop either."""
        return evolve(self, names=self.names | {local.name})

    @property
    def perhaps(self) -> Members:
        """The same in a part that a condition may spare: it may spare all of a few turns."""
        return self if self.turns >= MIN_PERHAPS else evolve(self, count=1)


@define
class KeptCalls:
    """The calls that are computed before a loop, each with the name of its value."""

    definitions: CompiledDefinitions
    names: dict[Expr, Local] = field(factory=dict)

    def replace(self, node: Expr, members: Members) -> Expr:
        """An expression of a loop, in which names replace the calls that are kept."""
        if members.count < 2:
            return node
        if isinstance(node, DefinitionCall):
            return self._replaced_call(node, members)
        if isinstance(node, After):
            return node  # its body has no names of the loop, and is computed in another state
        if isinstance(node, Quantified | Comprehension | LetIn):
            members = members.within(node.local)
        certain = children(node)[:1] if _has_spared_parts(node) else children(node)

        def changed_part(part: Expr) -> Expr:
            is_certain = any(part is needed for needed in certain)
            return self.replace(part, members if is_certain else members.perhaps)

        changed = map_children(node, changed_part)
        # The same node where nothing changes: the compiler remembers quantified expressions by their identity.
        return node if children(changed) == children(node) else changed

    def _replaced_call(self, node: DefinitionCall, members: Members) -> Expr:
        steps = self.definitions.estimator.cost_of_definition(node.define).steps
        if steps < MIN_STEPS or self.definitions.is_precomputed(node.define):
            return map_children(node, lambda child: self.replace(child, members))
        if not free_locals(node).keys() & members.names:
            return node if self.definitions.may_fail(node) else self._name(node)
        if steps >= MIN_STEPS_FOR_EACH:
            if (looked_up := self._looked_up(node, members)) is not None:
                return looked_up
            if (written_out := self._written_out(node, members)) is not None:
                return written_out
        return map_children(node, lambda child: self.replace(child, members))

    def _name(self, call: Expr) -> Local:
        if call not in self.names:
            self.names[call] = self.definitions.renamer.fresh(Local("kept", call.type))
        return self.names[call]

    def _looked_up(self, node: DefinitionCall, members: Members) -> Expr | None:
        """A look-up in place of a call, which is kept for each combination of its arguments that vary.

        None if there are too many for the members of the loop, or if one may fail.
        """
        varying = [
            number
            for number, arg in enumerate(node.args)
            if free_locals(arg).keys() & members.names
        ]
        params = self.definitions.params_of(node.define)
        sizes = [types.size(params[number].type) for number in varying]
        # For more than half of the members it would not pay.
        if prod(sizes) > min(MAX_VALUES, members.count // 2):
            return None
        calls = []
        for codes in product(*(codes_of(params[number].type) for number in varying)):
            args = list(node.args)
            for number, code in zip(varying, codes, strict=True):
                args[number] = Const(code, params[number].type)
            calls.append(DefinitionCall(node.define, tuple(args), node.type))
        if any(map(self.definitions.may_fail, calls)):
            return None
        index = _mixed_radix(
            [_place(node.args[number], params[number].type) for number in varying], sizes
        )
        return Operation("nth", (index, *map(self._name, calls)), node.type)

    def _written_out(self, node: DefinitionCall, members: Members) -> Expr | None:
        """The body of a definition in place of its call, if calls in it are kept."""
        body = self.definitions.body_of(node.define)
        parts = list(walk(body))
        if len(parts) > MAX_PARTS or not all(map(_is_cheap, node.args)):
            return None
        if not any(isinstance(part, DefinitionCall) for part in parts):
            return None
        before = len(self.names)
        replaced = self.replace(self.definitions.inlined(node), members)
        if len(self.names) > before and self.definitions.may_fail(
            replaced
        ) == self.definitions.may_fail(node):
            return replaced
        for call in list(self.names)[before:]:
            del self.names[call]
        return None


def _place(arg: Expr, type_: types.Type) -> Expr:
    """The place of the value of an argument among all values of its type."""
    low = types.lowest_code(type_)
    if not low:
        return arg
    return Operation("sub", (arg, _number(low)), types.IntType(0, types.size(type_) - 1))


def _mixed_radix(digits: Sequence[Expr], sizes: Sequence[int]) -> Expr:
    """The place of a combination of digits among all that there are, the last digit fastest."""
    place = digits[0]
    for digit, size in zip(digits[1:], sizes[1:], strict=True):
        shifted = Operation("mul", (place, _number(size)), types.IntType(0, MAX_VALUES))
        place = Operation("add", (shifted, digit), types.IntType(0, MAX_VALUES))
    return place


def _number(number: int) -> Const:
    return Const(number, types.IntType(number, number))


def _has_spared_parts(node: Expr) -> bool:
    """Whether all parts but the first are computed under a condition."""
    match node:
        case Operation(op="and" | "or") | Conditional():
            return True
    return False


def _is_cheap(arg: Expr) -> bool:
    """Whether an argument may be computed each time that a definition names it."""
    return not any(
        isinstance(part, DefinitionCall | Quantified | Comprehension | LetIn | After)
        for part in walk(arg)
    )

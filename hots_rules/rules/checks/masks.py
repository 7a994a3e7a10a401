"""Conditions that one operation on sets tests for all members at once.

For a variable that is searched by value, the compiler keeps the set of the keys of each value: `side[b] = s and
place[b] = a` is then an intersection of two sets, however many blocks there are. This module finds such conditions as
far as they do not depend on settings.
"""

from __future__ import annotations

from itertools import compress
from operator import not_

from attrs import define, field

from hots_rules.rules.checks.set_sizes import SetSizes, conjuncts
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr, Local, Operation
from hots_rules.rules.typed.visitor import mentions, walk

MAX_INDEXED_WORDS, MAX_INDEXED_NUMBERS = 64, 8


def can_be_searched(variable: tast.Variable) -> bool:
    """Whether a variable with one key can have the set of the keys of each value."""
    most = MAX_INDEXED_NUMBERS if isinstance(variable.type, types.IntType) else MAX_INDEXED_WORDS
    return (
        isinstance(variable.keys[0], types.WordType)
        and isinstance(variable.type, types.WordType | types.BoolType | types.IntType)
        and types.size(variable.type) <= most
    )


@define
class MaskTest:
    """Tells which conditions on the members of a set are tested for all of them at once.

    Attributes:
        typed: the ruleset.
        sizes: what knows which definitions read no state: these are looked up in tables.
    """

    typed: tast.TypedRuleset
    sizes: SetSizes
    _failing: dict[str, bool] = field(factory=dict)

    def split(
        self, node: tast.Quantified | tast.Comprehension
    ) -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
        """The parts of the condition of a loop that are tested for all members at once, and the others."""
        if isinstance(node, tast.Comprehension):
            parts = conjuncts(node.condition)
        elif node.kind == "all":
            parts = _negated(node.body)
        else:
            parts = conjuncts(node.body) if node.kind in {"some", "none"} else (node.body,)
        if isinstance(node, tast.Quantified) and node.kind not in {"some", "none", "all"}:
            return (), parts
        are_masks = [self.is_mask(part, node.local) for part in parts]
        return tuple(compress(parts, are_masks)), tuple(compress(parts, map(not_, are_masks)))

    def is_mask(self, node: Expr, local: Local) -> bool:
        """Whether a condition is tested for all values of a local name at once."""
        return not self._may_fail(node) and self._is_mask(node, local)

    def _is_mask(self, node: Expr, local: Local) -> bool:
        if not mentions(node, local):
            return True
        match node:
            case Operation(op="and" | "or" | "not", args=args):
                return all(self._is_mask(arg, local) for arg in args)
            case tast.DefinitionCall() if not self.sizes.is_static(node):
                definition = self.typed.definitions[node.define]
                params = [
                    param
                    for param, arg in zip(definition.params, node.args, strict=True)
                    if mentions(arg, local)
                ]
                is_plain = all(arg == local or not mentions(arg, local) for arg in node.args)
                return len(params) == 1 and is_plain and self._is_mask(definition.body, params[0])
            case Operation(op="eq" | "ne", args=(left, right)):
                return self._is_equality(left, right, local) or self._is_equality(
                    right, left, local
                )
            case Operation(op="in", args=(member, members)):
                return member == local and not mentions(members, local)
            case tast.TypeTest():
                return self._is_searched(node.body, local)
            case tast.Load(type=types.BoolType()):
                return self._is_searched(node, local)
        return False

    def _is_equality(self, left: Expr, right: Expr, local: Local) -> bool:
        """Whether a value of each member is compared with one value for all, in a way that is tested at once."""
        if mentions(right, local):
            return False
        wide = left.type
        while isinstance(left, tast.Convert):
            left = left.body
        if left == local:
            return right.type == local.type
        if not self._is_searched(left, local) or not keeps_codes(left.type, wide):
            return False
        return isinstance(right, tast.Const) or (
            types.is_within(right.type, left.type) and types.has_same_bits(right.type, left.type)
        )

    def _is_searched(self, node: Expr, local: Local) -> bool:
        return (
            isinstance(node, tast.Load)
            and node.keys == (local,)
            and can_be_searched(self.typed.variables[node.variable])
        )

    def _may_fail(self, node: Expr) -> bool:
        """Whether an expression can fail in some state, or relies on a condition before it."""
        return any(
            isinstance(part, tast.After)
            or (isinstance(part, tast.Narrow) and (part.checked or part.guarded))
            or (isinstance(part, Operation) and part.op == "the")
            or (isinstance(part, tast.DefinitionCall) and self._fails(part.define))
            for part in walk(node)
        )

    def _fails(self, name: str) -> bool:
        if name not in self._failing:
            definition = self.typed.definitions.get(name)
            self._failing[name] = True  # ends the recursion of a faulty definition
            self._failing[name] = definition is None or self._may_fail(definition.body)
        return self._failing[name]


def _negated(condition: Expr) -> tuple[Expr, ...]:
    """The parts of the conjunction that holds where a condition does not."""
    if isinstance(condition, Operation) and condition.op == "or":
        return tuple(part for arg in condition.args for part in _negated(arg))
    return (Operation("not", (condition,), types.BOOL),)


def keeps_codes(narrow: types.Type, wide: types.Type) -> bool:
    """Whether each value of a type has the same code in a wider one."""
    if narrow == wide:
        return True
    return (
        isinstance(narrow, types.WordType)
        and isinstance(wide, types.WordType)
        and types.is_prefix(narrow, wide)
    )

"""Conditions on a member of a set as arithmetic on masks.

`side[b] = s and place[b] = a` for all blocks `b` at once is `S[40 + s] & S[60 + a]`: the index of
a map says who holds each value. What cannot be said so is tested member by member.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from hots_rules.compile.codes import bits, codes_of, lowest_code
from hots_rules.diagnostics import EngineError
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Const, Expr, Local, Operation
from hots_rules.rules.typed.visitor import rewrite, walk

if TYPE_CHECKING:
    from hots_rules.compile.express import Express


def full(type_: types.Type) -> int:
    """The set of all values of a type."""
    return ((1 << types.size(type_)) - 1) << lowest_code(type_)


def mentions(node: Expr, local: Local) -> bool:
    """Whether a local name occurs in an expression."""
    return any(isinstance(found, Local) and found.name == local.name for found in walk(node))


@frozen
class Mask:
    """A set as source text; `inverted` where the text is what is *not* in it, `known` where it is a number."""

    text: str
    inverted: bool = False
    known: int | None = None


@frozen
class Scalar:
    """A condition that does not depend on the member: all are in, or none."""

    text: str


Found = Mask | Scalar


class Masks:
    """Finds the mask of a condition for the values of one local name."""

    def __init__(self, express: Express, local: Local) -> None:
        self.express = express
        self.local = local
        self.full = full(local.type)

    # -------------------------------------------------------------- together
    def all_of(self, found: list[Found]) -> str:
        """Source of the set of values for which all hold; what costs nothing to ask comes first."""
        known = self.full
        kept: list[str] = []
        taken: list[str] = []
        for mask in found:
            if isinstance(mask, Mask) and mask.known is not None:
                known &= mask.known
            elif isinstance(mask, Mask):
                (taken if mask.inverted else kept).append(mask.text)
        scalars = [mask.text for mask in found if isinstance(mask, Scalar)]
        if not known:
            return "0"
        if known != self.full or not kept:
            kept.append(str(known))
        text = " & ".join([*kept, *(f"~{part}" for part in taken)])
        if len(kept) + len(taken) > 1:
            text = f"({text})"
        return f"({text} if {' and '.join(scalars)} else 0)" if scalars else text

    def any_of(self, found: list[Found]) -> str:
        """Source of the set of values for which one holds."""
        scalars = [mask.text for mask in found if isinstance(mask, Scalar)]
        known = 0
        texts = []
        for mask in found:
            if isinstance(mask, Mask) and mask.known is not None:
                known |= mask.known
            elif isinstance(mask, Mask):
                texts.append(self.positive(mask))
        if known or not texts:
            texts.append(str(known))
        text = f"({' | '.join(texts)})" if len(texts) > 1 else texts[0]
        return f"({self.full} if {' or '.join(scalars)} else {text})" if scalars else text

    def positive(self, mask: Found) -> str:
        """Source of a mask as what is in it."""
        if isinstance(mask, Scalar):
            return f"({self.full} if {mask.text} else 0)"
        return f"({self.full} & ~{mask.text})" if mask.inverted else mask.text

    # -------------------------------------------------------------- conditions
    def mask(self, node: Expr, *, negated: bool = False) -> Found | None:
        """The set of values for which a condition holds; None where it is no arithmetic on masks.

        What may fail is none: it must be looked at for one member after the other, in the order written.
        """
        if self.express.may_fail(node):
            return None
        if not mentions(node, self.local):
            text = self.express.condition(node)
            return Scalar(f"(not {text})" if negated else text)
        if self._only(node):
            return self._worked_out(node, negated=negated)
        match node:
            case tast.DefinitionCall() if not self.express.is_tabled(node.define):
                return self.mask(self.express.unfolded(node), negated=negated)
            case Operation(op="not"):
                return self.mask(node.args[0], negated=not negated)
            case Operation(op="and" | "or"):
                return self._junction(node, negated=negated)
            case tast.Conditional():
                return self._choice(node, negated=negated)
        found = self._by_value(node) or self._atom(node)
        return self._opposite(found) if negated and found is not None else found

    def _opposite(self, found: Mask) -> Mask:
        if found.known is not None:
            return Mask(str(self.full & ~found.known), known=self.full & ~found.known)
        return Mask(found.text, not found.inverted)

    def _junction(self, node: Operation, *, negated: bool) -> Found | None:
        found = []
        for arg in node.args:
            part = self.mask(arg, negated=negated)
            if part is None:
                return None
            found.append(part)
        return Mask(self.all_of(found) if (node.op == "and") != negated else self.any_of(found))

    def _choice(self, node: tast.Conditional, *, negated: bool) -> Found | None:
        if mentions(node.condition, self.local):
            return None
        then, other = (
            self.mask(node.then, negated=negated),
            self.mask(node.otherwise, negated=negated),
        )
        if then is None or other is None:
            return None
        asked = self.express.condition(node.condition)
        return Mask(f"({self.positive(then)} if {asked} else {self.positive(other)})")

    def _only(self, node: Expr) -> bool:
        """Whether a condition depends on the local and the tables alone."""
        bound = {
            found.local.name
            for found in walk(node)
            if isinstance(found, tast.Quantified | tast.Comprehension)
        }
        names = {found.name for found in walk(node) if isinstance(found, Local)}
        return names - bound == {self.local.name} and self.express.folder.is_static(node)

    def _worked_out(self, node: Expr, *, negated: bool) -> Mask | None:
        low = lowest_code(self.local.type)
        evaluate = self.express.evaluator.value
        try:
            known = sum(
                1 << v
                for v in range(low, low + types.size(self.local.type))
                if bool(evaluate(node, {self.local.name: v})) != negated
            )
        except EngineError:
            return None
        return Mask(str(known), known=known)

    def _by_value(self, node: Expr) -> Mask | None:
        """A condition on one indexed map and the tables: for each value who holds it, and whether it may."""
        loads = {found for found in walk(node) if isinstance(found, tast.Load)}
        load = next(iter(loads), None)
        if len(loads) != 1 or load is None or not self._indexed(load) or types.size(load.type) > 8:
            return None
        stand_in = Local("value_", load.type)
        tested = _replaced(node, load, stand_in)
        if not self.express.folder.is_static(tested):
            return None
        names = {found.name for found in walk(tested) if isinstance(found, Local)}
        bound = {
            found.local.name
            for found in walk(tested)
            if isinstance(found, tast.Quantified | tast.Comprehension)
        }
        if not names - bound <= {self.local.name, stand_in.name}:
            return None
        return self._tabled_by_value(tested, load, stand_in)

    def _tabled_by_value(self, tested: Expr, load: tast.Load, stand_in: Local) -> Mask | None:
        first = lowest_code(load.type)
        base = self.express.layout.indexes[load.variable] + first
        evaluate = self.express.evaluator.value
        masks = []
        try:
            for value in range(first, first + types.size(load.type)):
                rows = (
                    row
                    for row in codes_of(self.local.type)
                    if evaluate(tested, {self.local.name: row, stand_in.name: value})
                )
                masks.append(sum(1 << row for row in rows))
        except EngineError:
            return None
        wholly = [i for i, mask in enumerate(masks) if mask == self.full]
        if len(wholly) * 2 > len(masks) and set(masks) <= {0, self.full}:
            left = [f"S[{base + i}]" for i in range(len(masks)) if i not in wholly]
            known = None if left else self.full
            return Mask(f"({' | '.join(left)})" if left else str(self.full), bool(left), known)
        parts = [
            f"S[{base + i}]" if mask == self.full else f"S[{base + i}] & {mask}"
            for i, mask in enumerate(masks)
            if mask
        ]
        return Mask(f"({' | '.join(parts)})" if parts else "0", known=None if parts else 0)

    # -------------------------------------------------------------- atoms
    def _atom(self, node: Expr) -> Mask | None:
        match node:
            case tast.Load(type=types.BoolType()) if self._indexed(node):
                return Mask(f"S[{self.express.layout.indexes[node.variable] + 1}]")
            case tast.TypeTest():
                return self._is_in(node)
            case Operation(op="eq" | "ne"):
                return self._eq(node)
            case Operation(op="in"):
                return self._in(node)
        return None

    def _eq(self, node: Operation) -> Mask | None:
        for one, other in (node.args, node.args[::-1]):
            if mentions(other, self.local):
                continue
            found = self._where_equal(one, other)
            if found is not None:
                return Mask(found, inverted=node.op == "ne")
        return None

    def _where_equal(self, one: Expr, other: Expr) -> str | None:
        wide = one.type
        while isinstance(one, tast.Convert):
            one = one.body
        if one == self.local:
            return self._the_one(other, wide)
        if isinstance(one, tast.Load) and self._indexed(one) and _prefixed(one.type, wide):
            base = self.express.layout.indexes[one.variable]
            if isinstance(other, Const):
                return (
                    f"S[{base + other.value}]"
                    if other.value < types.size(one.type) + lowest_code(one.type)
                    else "0"
                )
            if not types.is_within(other.type, one.type) or not _inside(other.type, one.type):
                return None
            return f"S[{base} + {self.express.value(other)}]"
        if (
            isinstance(one, tast.ColumnLookup)
            and one.key == self.local
            and _prefixed(one.type, wide)
        ):
            return self._by_column(one, other, wide)
        return None

    def _the_one(self, other: Expr, wide: types.Type) -> str | None:
        """The set of the one value that equals another; empty where that one is outside the type."""
        value = self.express.value(other)
        inside = isinstance(other, Const) and other.value < types.size(self.local.type)
        if inside or other.type == self.local.type or not isinstance(other.type, types.WordType):
            return f"(1 << {value})"
        return f"(1 << {value} & {self.full})" if _prefixed(self.local.type, wide) else None

    def _by_column(self, one: tast.ColumnLookup, other: Expr, wide: types.Type) -> str:
        values = self.express.typed.tables[one.table].columns[one.column][1]
        span = range(lowest_code(wide), lowest_code(wide) + types.size(wide))
        masks = tuple(sum(1 << row for row, v in enumerate(values) if v == code) for code in span)
        shift = f" - {span.start}" if span.start else ""
        name = self.express.constant(f"where_{one.table}_{one.column}", repr(masks))
        return f"{name}[{self.express.value(other)}{shift}]"

    def _indexed(self, node: tast.Load) -> bool:
        return node.variable in self.express.layout.indexes and node.keys == (self.local,)

    def _in(self, node: Operation) -> Mask | None:
        one, other = node.args
        if mentions(other, self.local):
            return None
        while isinstance(one, tast.Convert) and _prefixed(one.body.type, one.type):
            one = one.body
        if one == self.local:
            return Mask(self.express.value(other))
        if isinstance(one, tast.Load) and self._indexed(one) and isinstance(other, Const):
            return self._holding(one, list(bits(other.value)))
        return None

    def _holding(self, node: tast.Load, values: list[int]) -> Mask:
        """Who holds one of some values: of many values it is shorter to say who does not."""
        base, many = self.express.layout.indexes[node.variable], types.size(node.type)
        values = [value for value in values if value < many]
        fewer = [v for v in range(many) if v not in values] if len(values) * 2 > many else values
        text = " | ".join(f"S[{base + v}]" for v in fewer) or "0"
        return Mask(f"({text})", inverted=fewer is not values)

    def _is_in(self, node: tast.TypeTest) -> Mask | None:
        body = node.body
        if not isinstance(body, tast.Load) or not self._indexed(body):
            return None
        assert isinstance(body.type, types.WordType)
        assert isinstance(node.tested, types.WordType)
        return self._holding(
            body, [c for v, c in body.type.codes.items() if v in node.tested.codes]
        )


def _replaced(node: Expr, load: tast.Load, local: Local) -> Expr:
    return rewrite(node, lambda found: local if found == load else found)


def _prefixed(narrow: types.Type, wide: types.Type) -> bool:
    if narrow == wide:
        return True
    return (
        isinstance(narrow, types.WordType)
        and isinstance(wide, types.WordType)
        and types.is_prefix(narrow, wide)
    )


def _inside(narrow: types.Type, wide: types.Type) -> bool:
    """Whether each code of one type is a code of the other, with the same meaning."""
    if isinstance(narrow, types.IntType) and isinstance(wide, types.IntType):
        return wide.low <= narrow.low and narrow.high <= wide.high
    return _prefixed(narrow, wide)

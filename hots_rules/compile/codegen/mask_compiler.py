"""Conditions on the members of a set as arithmetic on masks (vectorization).

`side[b] = s and place[b] = a` for all blocks `b` at once is `S[40 + s] & S[60 + a]`: the index of a map has the
set of keys for each value. Other conditions are tested member by member.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from attrs import frozen

from hots_rules.compile.codes import bits, codes_of
from hots_rules.diagnostics import EngineError
from hots_rules.rules.checks.masks import keeps_codes
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Const, Expr, Local, Operation
from hots_rules.rules.typed.visitor import free_locals, mentions, rewrite, walk

if TYPE_CHECKING:
    from hots_rules.compile.codegen.definitions import CompiledDefinitions
    from hots_rules.compile.layout import Layout

MAX_VALUES = 8  # of an indexed map that are tried one by one
MAX_RELATED = 0.4  # of all pairs: where more are related, the first members that are tried decide


@frozen
class Mask:
    """A set as Python source, or its complement if `inverted`; `constant` is its value if that is known."""

    text: str
    inverted: bool = False
    constant: int | None = None


@frozen
class Scalar:
    """A condition that does not depend on the member, as Python source: all members satisfy it, or none."""

    text: str


MemberCondition = Mask | Scalar


class ScalarCompiler(Protocol):
    """What compiles the expressions around a mask and in it: `expression_compiler.ExpressionCompiler`."""

    definitions: CompiledDefinitions
    layout: Layout
    unions: dict[tuple[int, Local, bool], tuple[tast.Quantified, MemberCondition | None]]

    def value(self, node: Expr) -> str: ...
    def condition(self, node: Expr) -> str: ...
    def constant(self, name: str, text: str) -> str: ...
    def union(self, node: tast.Quantified, mask: str) -> str: ...
    def split(self, condition: Expr, local: Local) -> tuple[list[MemberCondition], list[Expr]]: ...


class MaskCompiler:
    """Compiles conditions on one local name to masks of its values."""

    def __init__(self, compiler: ScalarCompiler, local: Local) -> None:
        self.compiler = compiler
        self.local = local
        self.full = types.all_values(local.type)

    # -------------------------------------------------------------- combinations
    def all_of(self, conditions: list[MemberCondition]) -> str:
        """Python source of the intersection; scalar conditions are tested first."""
        constant = self.full
        included: list[str] = []
        excluded: list[str] = []
        for mask in conditions:
            if isinstance(mask, Mask) and mask.constant is not None:
                constant &= mask.constant
            elif isinstance(mask, Mask):
                (excluded if mask.inverted else included).append(mask.text)
        scalars = [scalar.text for scalar in conditions if isinstance(scalar, Scalar)]
        if not constant:
            return "0"
        if constant != self.full or not included:
            included.append(str(constant))
        text = " & ".join([*included, *(f"~{mask}" for mask in excluded)])
        if len(included) + len(excluded) > 1:
            text = f"({text})"
        return f"({text} if {' and '.join(scalars)} else 0)" if scalars else text

    def any_of(self, conditions: list[MemberCondition]) -> str:
        """Python source of the union; scalar conditions are tested first."""
        scalars = [scalar.text for scalar in conditions if isinstance(scalar, Scalar)]
        constant = 0
        masks = []
        for mask in conditions:
            if isinstance(mask, Mask) and mask.constant is not None:
                constant |= mask.constant
            elif isinstance(mask, Mask):
                masks.append(self.mask_source(mask))
        if constant or not masks:
            masks.append(str(constant))
        text = f"({' | '.join(masks)})" if len(masks) > 1 else masks[0]
        return f"({self.full} if {' or '.join(scalars)} else {text})" if scalars else text

    def mask_source(self, condition: MemberCondition) -> str:
        """Python source of the mask of a condition."""
        if isinstance(condition, Scalar):
            return f"({self.full} if {condition.text} else 0)"
        return f"({self.full} & ~{condition.text})" if condition.inverted else condition.text

    # -------------------------------------------------------------- conditions
    def mask(self, node: Expr, *, negated: bool = False) -> MemberCondition | None:
        """The values that satisfy a condition; None if this is not possible with masks.

        This is not possible if the condition may fail: members must be tested one by one, and its conjuncts in order.
        """
        if self.compiler.definitions.may_fail(node):
            return None
        if not mentions(node, self.local):
            text = self.compiler.condition(node)
            return Scalar(f"(not {text})" if negated else text)
        if self._is_constant(node):
            return self._constant_mask(node, negated=negated)
        match node:
            case tast.DefinitionCall() if not self.compiler.definitions.is_precomputed(node.define):
                return self.mask(self.compiler.definitions.inlined(node), negated=negated)
            case Operation(op="not"):
                return self.mask(node.args[0], negated=not negated)
            case Operation(op="and" | "or"):
                return self._junction(node, negated=negated)
            case tast.Conditional():
                return self._conditional(node, negated=negated)
            case tast.LetIn() if (
                written_out := self.compiler.definitions.written_out(node)
            ) is not None:
                return self.mask(written_out, negated=negated)
            case tast.Quantified():
                # By its id, with the node to keep it alive: nested ones come here twice on each level.
                key, unions = (id(node), self.local, negated), self.compiler.unions
                if key not in unions:
                    unions[key] = node, self._quantified(node, negated=negated)
                return unions[key][1]
        mask = self._by_value(node) or self._atom(node)
        return self._complement(mask) if negated and mask is not None else mask

    def _complement(self, mask: Mask) -> Mask:
        if mask.constant is not None:
            return _constant(self.full & ~mask.constant)
        return Mask(mask.text, not mask.inverted)

    def _junction(self, node: Operation, *, negated: bool) -> MemberCondition | None:
        masks = []
        for arg in node.args:
            mask = self.mask(arg, negated=negated)
            if mask is None:
                return None
            masks.append(mask)
        return Mask(self.all_of(masks) if (node.op == "and") != negated else self.any_of(masks))

    def _conditional(self, node: tast.Conditional, *, negated: bool) -> MemberCondition | None:
        if mentions(node.condition, self.local):
            return None
        then = self.mask(node.then, negated=negated)
        otherwise = self.mask(node.otherwise, negated=negated)
        if then is None or otherwise is None:
            return None
        test = self.compiler.condition(node.condition)
        return Mask(f"({self.mask_source(then)} if {test} else {self.mask_source(otherwise)})")

    def _quantified(self, node: tast.Quantified, *, negated: bool) -> Mask | None:
        """The union of the masks for each member, where the members must be gone through one by one."""
        if node.kind not in {"some", "none", "all"} or mentions(node.source, self.local):
            return None
        if not self.compiler.split(node.body, node.local)[1]:
            return None
        mask = self.mask(node.body, negated=node.kind == "all")
        if mask is None:
            return None
        union = self.compiler.union(node, self.mask_source(mask))
        return Mask(union, inverted=(node.kind == "some") == negated)

    def _is_constant(self, node: Expr) -> bool:
        """Whether a condition depends on the local and the tables alone."""
        return free_locals(node).keys() == {
            self.local.name
        } and self.compiler.definitions.folder.is_static(node)

    def _constant_mask(self, node: Expr, *, negated: bool) -> Mask | None:
        evaluate = self.compiler.definitions.folder.evaluator.value
        try:
            return _constant(
                sum(
                    1 << code
                    for code in codes_of(self.local.type)
                    if bool(evaluate(node, {self.local.name: code})) != negated
                )
            )
        except EngineError:
            return None

    def _by_value(self, node: Expr) -> Mask | None:
        """A condition on one indexed map and the tables: the keys that satisfy it, for each value of the map."""
        loads = {part for part in walk(node) if isinstance(part, tast.Load)}
        load = next(iter(loads), None)
        if len(loads) != 1 or load is None or not self._is_indexed(load):
            return None
        placeholder = Local("value_", load.type)
        condition = rewrite(node, lambda part: placeholder if part == load else part)
        if (
            types.size(load.type) > MAX_VALUES
            or not self.compiler.definitions.folder.is_static(condition)
            or not free_locals(condition).keys() <= {self.local.name, placeholder.name}
        ):
            return None
        try:
            return self._union_by_value(condition, load, placeholder)
        except EngineError:
            return None

    def _union_by_value(self, condition: Expr, load: tast.Load, placeholder: Local) -> Mask:
        evaluate = self.compiler.definitions.folder.evaluator.value
        values = codes_of(load.type)
        masks = [
            sum(
                1 << key
                for key in codes_of(self.local.type)
                if evaluate(condition, {self.local.name: key, placeholder.name: value})
            )
            for value in values
        ]
        base = self.compiler.layout.indexes[load.variable] + values.start
        whole = [i for i, mask in enumerate(masks) if mask == self.full]
        if len(whole) * 2 > len(masks) and set(masks) <= {0, self.full}:
            others = [f"S[{base + i}]" for i in range(len(masks)) if i not in whole]
            return (
                Mask(f"({' | '.join(others)})", inverted=True) if others else _constant(self.full)
            )
        parts = [
            f"S[{base + i}]" if mask == self.full else f"S[{base + i}] & {mask}"
            for i, mask in enumerate(masks)
            if mask
        ]
        return Mask(f"({' | '.join(parts)})") if parts else _constant(0)

    # -------------------------------------------------------------- atoms
    def _atom(self, node: Expr) -> Mask | None:
        match node:
            case tast.Load(type=types.BoolType()) if self._is_indexed(node):
                return Mask(f"S[{self.compiler.layout.indexes[node.variable] + 1}]")
            case tast.TypeTest():
                return self._type_test(node)
            case Operation(op="eq" | "ne"):
                return self._equality(node)
            case Operation(op="in"):
                return self._membership(node)
            case Operation(op="some" | "no"):
                return self._related(node)
        return None

    def _equality(self, node: Operation) -> Mask | None:
        for left, right in (node.args, node.args[::-1]):
            if mentions(right, self.local):
                continue
            text = self._where_equal(left, right)
            if text is not None:
                return Mask(text, inverted=node.op == "ne")
        return None

    def _where_equal(self, left: Expr, right: Expr) -> str | None:
        wide = left.type
        while isinstance(left, tast.Convert):
            left = left.body
        if left == self.local:
            return self._singleton(right, wide)
        if isinstance(left, tast.Load) and self._is_indexed(left) and keeps_codes(left.type, wide):
            base = self.compiler.layout.indexes[left.variable]
            if isinstance(right, Const):
                return f"S[{base + right.value}]" if right.value in codes_of(left.type) else "0"
            if not types.is_within(right.type, left.type) or not types.has_same_bits(
                right.type, left.type
            ):
                return None
            return f"S[{base} + {self.compiler.value(right)}]"
        if (
            isinstance(left, tast.ColumnLookup)
            and left.key == self.local
            and keeps_codes(left.type, wide)
        ):
            return self._by_column(left, right, wide)
        return None

    def _singleton(self, value_node: Expr, wide: types.Type) -> str | None:
        """The set of the one value that equals another; empty if that value is outside the type of the local."""
        value = self.compiler.value(value_node)
        inside = isinstance(value_node, Const) and value_node.value in codes_of(self.local.type)
        if inside or value_node.type == self.local.type:
            return f"(1 << {value})"
        if isinstance(value_node.type, types.IntType):
            codes = codes_of(value_node.type)
            has_bits = codes.start >= 0 and codes.stop <= types.MAX_BITS
            return f"(1 << {value} & {self.full})" if has_bits else None
        if not isinstance(value_node.type, types.WordType):
            return f"(1 << {value})"
        return f"(1 << {value} & {self.full})" if keeps_codes(self.local.type, wide) else None

    def _by_column(self, lookup: tast.ColumnLookup, compared: Expr, wide: types.Type) -> str | None:
        values = self.compiler.definitions.typed.tables[lookup.table].columns[lookup.column].values
        codes = codes_of(wide)
        if isinstance(compared.type, types.IntType):
            # The number may be one that the column cannot hold.
            possible = codes_of(compared.type)
            codes = range(min(codes.start, possible.start), max(codes.stop, possible.stop))
            if len(codes) > types.MAX_BITS:
                return None
        masks = tuple(sum(1 << row for row, v in enumerate(values) if v == code) for code in codes)
        shift = f" - {codes.start}" if codes.start else ""
        name = self.compiler.constant(f"where_{lookup.table}_{lookup.column}", repr(masks))
        return f"{name}[{self.compiler.value(compared)}{shift}]"

    def _is_indexed(self, node: tast.Load) -> bool:
        return node.variable in self.compiler.layout.indexes and node.keys == (self.local,)

    def _related(self, node: Operation) -> Mask | None:
        """`some near(h) & S`: the union, for the members of `S`, of all `h` whose set has the member."""
        body = node.args[0]
        if not isinstance(body, Operation) or body.op != "intersection":
            return None
        own = [arg for arg in body.args if mentions(arg, self.local)]
        others = tuple(arg for arg in body.args if arg not in own)
        if len(own) != 1 or not others or (table := self._transposed(own[0], MAX_RELATED)) is None:
            return None
        source = others[0] if len(others) == 1 else Operation("intersection", others, body.type)
        assert isinstance(body.type, types.SetType)
        member = self.compiler.definitions.renamer.fresh(Local("member", body.type.member))
        some = tast.Quantified("some", member, source, tast.Const(1, types.BOOL), types.BOOL)
        union = self.compiler.union(some, f"{table}[{member.name}]")
        return Mask(union, inverted=node.op == "no")

    def _transposed(self, node: Expr, max_share: float = 1.0) -> str | None:
        """For a set that depends on the local and the tables: for each member, the locals whose set has it.

        None if more than a share of all pairs is related.
        """
        if not isinstance(node.type, types.SetType) or not self._is_constant(node):
            return None
        if types.lowest_code(node.type.member) < 0:
            return None
        evaluate = self.compiler.definitions.folder.evaluator.value
        rows = [0] * codes_of(node.type.member).stop
        try:
            for code in codes_of(self.local.type):
                for member in bits(evaluate(node, {self.local.name: code})):
                    rows[member] |= 1 << code
        except EngineError:
            return None
        pairs = len(codes_of(self.local.type)) * len(codes_of(node.type.member))
        if sum(row.bit_count() for row in rows) > max_share * pairs:
            return None
        return self.compiler.constant("related", repr(tuple(rows)))

    def _membership(self, node: Operation) -> Mask | None:
        member, members_node = node.args
        if mentions(members_node, self.local):
            if mentions(member, self.local) or not _is_code_of(member.type, members_node.type):
                return None
            table = self._transposed(members_node)
            return Mask(f"{table}[{self.compiler.value(member)}]") if table else None
        while isinstance(member, tast.Convert) and keeps_codes(member.body.type, member.type):
            member = member.body
        if member == self.local:
            members = self.compiler.value(members_node)
            is_wider = members_node.type != types.SetType(self.local.type)
            return Mask(f"({members} & {self.full})" if is_wider else members)
        if isinstance(member, tast.Load) and self._is_indexed(member):
            if isinstance(members_node, Const):
                return self._with_values(member, list(bits(members_node.value)))
            if isinstance(members_node, Operation) and members_node.op == "set":
                return self._with_any_of(member, members_node.args)
        return None

    def _with_any_of(self, node: tast.Load, values: tuple[Expr, ...]) -> Mask | None:
        """The keys with one of some values that depend on the state."""
        texts = [text for value in values if (text := self._where_equal(node, value)) is not None]
        return Mask(f"({' | '.join(texts)})") if len(texts) == len(values) else None

    def _with_values(self, node: tast.Load, values: list[int]) -> Mask:
        """The keys with one of some values; with many values, the complement of the others is shorter."""
        base, size = self.compiler.layout.indexes[node.variable], types.size(node.type)
        values = [value for value in values if value < size]
        others = [value for value in range(size) if value not in values]
        inverted = len(values) * 2 > size
        text = " | ".join(f"S[{base + value}]" for value in (others if inverted else values)) or "0"
        return Mask(f"({text})", inverted=inverted)

    def _type_test(self, node: tast.TypeTest) -> Mask | None:
        body = node.body
        if not isinstance(body, tast.Load) or not self._is_indexed(body):
            return None
        assert isinstance(body.type, types.WordType)
        assert isinstance(node.tested, types.WordType)
        return self._with_values(
            body, [c for v, c in body.type.codes.items() if v in node.tested.codes]
        )


def _constant(mask: int) -> Mask:
    return Mask(str(mask), constant=mask)


def _is_code_of(member: types.Type, members: types.Type) -> bool:
    """Whether each value of a type may be a member of a set."""
    return isinstance(members, types.SetType) and keeps_codes(member, members.member)

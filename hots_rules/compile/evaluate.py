"""The plain meaning of typed expressions: slow, without compilation.

It computes what is known at compile time, and explains; compiled code must agree with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from attrs import frozen

from hots_rules.compile.codes import bits as bits
from hots_rules.compile.codes import codes_of as codes_of
from hots_rules.compile.codes import lowest_code as lowest_code
from hots_rules.compile.codes import throws as throws
from hots_rules.diagnostics import EngineError
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr


@frozen
class Evaluator:
    """Evaluates expressions of one ruleset.

    `load(variable, keys)` gives the value of a state variable, `settings` the chosen options and
    readings. A `memo` keeps the values of definitions: only for one state, or none. `of_tables` knows
    those that look at no state.
    """

    typed: tast.TypedRuleset
    settings: Mapping[str, int]
    load: Callable[[str, tuple[int, ...]], int]
    memo: dict[tuple[str, tuple[int, ...]], int] | None = None
    of_tables: Callable[[str, tuple[int, ...]], int | None] | None = None

    def value(self, node: Expr, local: Mapping[str, int]) -> int:
        """The code of the value; a truth is 0 or 1, a set a mask.

        Raises:
            EngineError: a narrowing that does not hold, or `the` of a set without exactly one member.
        """
        match node:
            case tast.Const():
                return node.value
            case tast.Local():
                return local[node.name]
            case tast.Load():
                return self.load(node.variable, tuple(self.value(key, local) for key in node.keys))
            case tast.ColumnLookup():
                return self.typed.tables[node.table].columns[node.column][1][
                    self.value(node.key, local)
                ]
            case tast.Setting():
                return self.settings[node.name]
            case tast.Conditional():
                return self.value(
                    node.then if self.value(node.condition, local) else node.otherwise, local
                )
            case tast.DefinitionCall():
                return self._named(node, local)
            case tast.Convert():
                return converted(self.value(node.body, local), node.body.type, node.type)
            case tast.Narrow():
                return self._narrow(node, self.value(node.body, local))
            case tast.TypeTest():
                return int(
                    _value_of(self.value(node.body, local), node.body.type) in _codes(node.tested)
                )
            case tast.Quantified():
                return self._quantified(node, local)
            case tast.Comprehension():
                members = bits(self.value(node.source, local))
                return sum(
                    1 << m
                    for m in members
                    if self.value(node.condition, {**local, node.local.name: m})
                )
            case tast.Operation():
                return self._prim(node, local)

    def _named(self, node: tast.DefinitionCall, local: Mapping[str, int]) -> int:
        definition = self.typed.definitions[node.define]
        args = tuple(self.value(arg, local) for arg in node.args)
        if self.memo is None:
            values = {p.name: arg for p, arg in zip(definition.params, args, strict=True)}
            return self.value(definition.body, values)
        key = (node.define, args)
        if self.of_tables is not None and (known := self.of_tables(*key)) is not None:
            return known
        if key not in self.memo:
            values = {p.name: arg for p, arg in zip(definition.params, args, strict=True)}
            self.memo[key] = self.value(definition.body, values)
        return self.memo[key]

    def _narrow(self, node: tast.Narrow, value: int) -> int:
        if isinstance(node.type, types.IntType):
            if node.type.low <= value <= node.type.high:
                return value
            raise EngineError(f"expected a number of {node.type}, got {value}, at {node.span}")
        assert isinstance(node.type, types.WordType)
        word = _value_of(value, node.body.type)
        if word not in node.type.codes:
            raise EngineError(f"expected a value of {node.type}, got `{word[1]}`, at {node.span}")
        return node.type.codes[word]

    def _quantified(self, node: tast.Quantified, local: Mapping[str, int]) -> int:
        found = (
            self.value(node.body, {**local, node.local.name: m})
            for m in bits(self.value(node.source, local))
        )
        match node.kind:
            case "some":
                return int(any(found))
            case "all":
                return int(all(found))
            case "none":
                return int(not any(found))
            case "sum":
                return sum(found)
            case "most":
                return max(found, default=0)
        return min(found, default=0)

    def _prim(self, node: tast.Operation, local: Mapping[str, int]) -> int:
        if node.op == "and":
            return int(all(self.value(arg, local) for arg in node.args))
        if node.op == "or":
            return int(any(self.value(arg, local) for arg in node.args))
        args = [self.value(arg, local) for arg in node.args]
        if node.op == "at_most":
            dice = node.args[0].type
            assert isinstance(dice, types.DiceType)
            return sum(die <= args[1] for die in throws(dice.most, dice.sides)[args[0]])
        if node.op in {"pair", "left", "right"}:
            return _pair(node, args)
        return _simple(node.op, args)


def _pair(node: tast.Operation, args: list[int]) -> int:
    type_ = node.type if node.op == "pair" else node.args[0].type
    assert isinstance(type_, types.PairType)
    low_left, low_right, many = (
        lowest_code(type_.left),
        lowest_code(type_.right),
        types.size(type_.right),
    )
    if node.op == "pair":
        return (args[0] - low_left) * many + args[1] - low_right
    return args[0] // many + low_left if node.op == "left" else args[0] % many + low_right


def _simple(op: str, args: list[int]) -> int:
    one, other = args[0], args[-1]
    match op:
        case "not" | "no":
            return int(not one)
        case "some":
            return int(one != 0)
        case "eq":
            return int(one == other)
        case "ne":
            return int(one != other)
        case "lt":
            return int(one < other)
        case "le":
            return int(one <= other)
        case "gt":
            return int(one > other)
        case "ge":
            return int(one >= other)
        case "add":
            return one + other
        case "sub":
            return one - other
        case "mul":
            return one * other
        case "div":
            return one // other
        case "mod":
            return one % other
        case "neg":
            return -one
        case "min":
            return min(args)
        case "max":
            return max(args)
        case "in":
            return other >> one & 1
        case "union":
            return _folded(args, lambda a, b: a | b)
        case "intersection":
            return _folded(args, lambda a, b: a & b)
        case "difference":
            return one & ~other
        case "count":
            return one.bit_count()
        case "set":
            return sum({1 << arg for arg in args})
        case "the":
            if one.bit_count() != 1:
                raise EngineError(f"expected a set with one member, got {one.bit_count()}")
            return one.bit_length() - 1
    raise AssertionError(op)


def _folded(args: list[int], join: Callable[[int, int], int]) -> int:
    found = args[0]
    for arg in args[1:]:
        found = join(found, arg)
    return found


def _value_of(code: int, type_: types.Type) -> types.Value:
    assert isinstance(type_, types.WordType)
    return type_.values[code]


def _codes(type_: types.Type) -> Mapping[types.Value, int]:
    assert isinstance(type_, types.WordType)
    return type_.codes


def converted(code: int, from_: types.Type, to: types.Type) -> int:
    """The code of a value in a wider type."""
    if isinstance(from_, types.WordType) and isinstance(to, types.WordType):
        return to.codes[from_.values[code]]
    return code

"""Operations as Python source, but for those with an operator of Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from hots_rules.compile.codes import dice_rolls
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Const, Operation


class OperationModule(Protocol):
    """The module that is written: operations add constants and checks to it."""

    def constant(self, name: str, text: str) -> str: ...
    def check(self, text: str, type_: types.Type | None) -> int: ...


def operation_source(node: Operation, values: Sequence[str], module: OperationModule) -> str:
    """Python source of an operation on values that are given as Python source."""
    match node.op:
        case "in":
            member = values[0]
            if types.lowest_code(node.args[0].type) < 0:
                # A condition before this guards it, but a loop may compute it earlier: no shift may fail.
                member = f"max({member}, 0)"
            return f"({values[1]} >> {member} & 1)"
        case "difference":
            return f"({values[0]} & ~{values[1]})"
        case "neg":
            return f"(-{values[0]})"
        case "abs":
            return f"abs({values[0]})"
        case "ordinal":
            return f"({values[0]} + 1)"
        case "min" | "max":
            sign = "<" if node.op == "min" else ">"
            if all(v.isidentifier() or v.lstrip("-").isdigit() for v in values):
                return f"({values[0]} if {values[0]} {sign} {values[1]} else {values[1]})"
            return f"{node.op}({values[0]}, {values[1]})"
        case "count":
            return f"({values[0]}).bit_count()"
        case "set":
            return "(" + " | ".join(f"1 << {v}" for v in values) + ")" if values else "0"
        case "the":
            number = module.check("expected a set with one member", node.args[0].type)
            return f"the({values[0]}, {number})"
        case "first_of":
            return f"(({values[0]} & -{values[0]}).bit_length() - 1)"
        case "rest_of":
            return f"({values[0]} & {values[0]} - 1)"
        case "nth":
            return f"({', '.join(values[1:])},)[{values[0]}]"
        case "at_most":
            return _at_most(node, values, module)
    return _pair(node, values)


def _at_most(node: Operation, values: Sequence[str], module: OperationModule) -> str:
    dice = node.args[0].type
    assert isinstance(dice, types.DiceType)
    # Bytes, because the compiler of Python takes hundreds of times the memory for numbers one by one.
    rows = tuple(
        bytes(sum(die <= limit for die in roll) for limit in range(dice.sides + 1))
        for roll in dice_rolls(dice.most, dice.sides)
    )
    table = module.constant(f"at_most_{dice.most}d{dice.sides}", repr(rows))
    if isinstance(node.args[1], Const):
        return f"{table}[{values[0]}][{min(max(node.args[1].value, 0), dice.sides)}]"
    limit = node.args[1].type
    if isinstance(limit, types.IntType) and 0 <= limit.low and limit.high <= dice.sides:
        return f"{table}[{values[0]}][{values[1]}]"
    return f"{table}[{values[0]}][min(max({values[1]}, 0), {dice.sides})]"


def _pair(node: Operation, values: Sequence[str]) -> str:
    """Python source that mirrors `pair_code` and `pair_parts`."""
    op = node.op
    type_ = node.type if op == "pair" else node.args[0].type
    assert isinstance(type_, types.PairType)
    low_left, low_right = types.lowest_code(type_.left), types.lowest_code(type_.right)
    size = types.size(type_.right)
    if op == "pair":
        return f"(({values[0]} - {low_left}) * {size} + {values[1]} - {low_right})"
    if op == "left":
        return f"({values[0]} // {size} + {low_left})"
    return f"({values[0]} % {size} + {low_right})"

"""Functions of the runtime for which some processors have better instructions than those on single words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from llvmlite import ir

from hots_rules.native.lowering import program as p
from hots_rules.native.runtime.blake2b import IV, KEY_BLOCKS, ROUND_ORDERS

_WORD, _FLAG = ir.IntType(p.WORD), ir.IntType(1)
_LANES = 4
_VECTOR = ir.VectorType(_WORD, _LANES)
_PLACES = ir.VectorType(ir.IntType(32), _LANES)
Value = Any
"""A value of llvmlite, which has no types."""
Writer = Callable[[ir.Module, Value, Mapping[str, p.Region]], None]
"""Writes the body of a declared function."""


def writers(features: Mapping[str, bool], processor: str) -> Mapping[str, Writer]:
    """The functions that a processor with some features computes in another way, by name."""
    found: dict[str, Writer] = {}
    if features.get("bmi2", False) and processor not in _SLOW_DEPOSITS:
        found["nth_bit"] = _write_nth_bit
    if features.get("avx512vl", False):
        found["compress"] = _write_compress
    return found


_SLOW_DEPOSITS: Final = frozenset({"bdver4", "znver1", "znver2"})
"""Processors that deposit bits one by one."""


def _write_nth_bit(module: ir.Module, printed: Value, memory: Mapping[str, p.Region]) -> None:
    """The n-th bit of a word: one bit at n, deposited into the word."""
    builder = ir.IRBuilder(printed.append_basic_block())
    _, members, number = printed.args
    kind = ir.FunctionType(_WORD, [_WORD, _WORD])
    deposit = ir.Function(module, kind, "llvm.x86.bmi.pdep.64")
    number = builder.and_(number, _WORD(p.WORD - 1))
    member = builder.call(deposit, [builder.shl(_WORD(1), number), members])
    place = builder.cttz(member, _FLAG(0))
    builder.ret(builder.and_(place, _WORD(p.WORD - 1)))


def _write_compress(module: ir.Module, printed: Value, memory: Mapping[str, p.Region]) -> None:
    """The compression of BLAKE2b, whose four columns, and four diagonals, are the lanes of a vector."""
    builder = ir.IRBuilder(printed.append_basic_block())
    cells, at, count, final = printed.args
    # A key has whole blocks, so this changes no place: it keeps every place inside.
    at = builder.and_(at, _WORD((KEY_BLOCKS - 1) << 4))
    kind = ir.FunctionType(_VECTOR, [_VECTOR] * 3)
    rotate = ir.Function(module, kind, f"llvm.fshr.v{_LANES}i{p.WORD}")

    def place(cell: Value) -> Value:
        return builder.gep(cells, [cell], source_etype=_WORD)

    def turned(vector: Value, lanes: int) -> Value:
        order = ir.Constant(_PLACES, [(lane + lanes) % _LANES for lane in range(_LANES)])
        return builder.shuffle_vector(vector, ir.Constant(_VECTOR, ir.Undefined), order)

    def gathered(words: list[Value]) -> Value:
        vector = ir.Constant(_VECTOR, ir.Undefined)
        for lane, word in enumerate(words):
            vector = builder.insert_element(vector, word, ir.IntType(32)(lane))
        return vector

    key = memory["KEY"].base
    message = [
        builder.load(place(builder.add(at, _WORD(key + word))), typ=_WORD) for word in range(16)
    ]
    halves = [place(_WORD(memory["DIGEST"].base + half)) for half in (0, _LANES)]
    before = [builder.load(half, align=8, typ=_VECTOR) for half in halves]
    (row_a, row_b), row_c, row_d = before, _constants(IV[:_LANES]), _constants(IV[_LANES:])
    row_d = builder.xor(row_d, gathered([count, _WORD(0), final, _WORD(0)]))
    for order in ROUND_ORDERS:
        for half, turns in ((0, (-1, 2, 1)), (8, (1, 2, -1))):
            for step, (first, second) in enumerate(((32, 24), (16, 63))):
                lanes = [half // 2 + lane for lane in range(_LANES)]
                if half:  # the lanes of `row_b` stay, so the diagonals begin with the last one
                    lanes = [*lanes[-1:], *lanes[:-1]]
                row_a = builder.add(
                    row_a, gathered([message[order[2 * lane + step]] for lane in lanes])
                )
                row_a = builder.add(row_a, row_b)
                mixed = builder.xor(row_d, row_a)
                row_d = builder.call(rotate, [mixed, mixed, _constants([first] * _LANES)])
                row_c = builder.add(row_c, row_d)
                mixed = builder.xor(row_b, row_c)
                row_b = builder.call(rotate, [mixed, mixed, _constants([second] * _LANES)])
            row_a, row_d, row_c = (
                turned(part, by) for part, by in zip((row_a, row_d, row_c), turns, strict=True)
            )
    for half, old, left, right in zip(halves, before, (row_a, row_b), (row_c, row_d), strict=True):
        builder.store(builder.xor(old, builder.xor(left, right)), half, align=8)
    builder.ret(_WORD(0))


def _constants(words: Sequence[int]) -> Value:
    return ir.Constant(_VECTOR, [word - (1 << p.WORD) if word >> 63 else word for word in words])

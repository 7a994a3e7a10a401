"""Functions of the runtime for which some processors have better instructions than those on single words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any, Final

from llvmlite import ir

from hots_rules.native.lowering import program as p
from hots_rules.native.printing.guarded_memory import MEMORIES, memory_step
from hots_rules.native.runtime.blake2b import IV, KEY_BLOCKS, MIXED, ROUND_ORDERS, TURNS

_WORD, _FLAG, _BYTE, _LANE = map(ir.IntType, (p.WORD, 1, 8, 32))
_VECTOR = ir.VectorType(_WORD, MEMORIES)
Value = Any
"""A value of llvmlite, which has no types."""
Writer = Callable[[ir.Module, Value, Mapping[str, p.Region]], None]
"""Writes the body of a declared function."""


def writers(features: Mapping[str, bool], processor: str, memories: int) -> Mapping[str, Writer]:
    """The functions that a processor with some features computes in another way, by name."""
    found: dict[str, Writer] = {"batch": _write_batch} if memories > 1 else {}
    if features.get("bmi2", False) and processor not in _SLOW_DEPOSITS:
        found["nth_bit"] = _write_nth_bit
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


def _write_batch(module: ir.Module, printed: Value, memory: Mapping[str, p.Region]) -> None:
    """The games of all memories in turns, each up to a key; the next blocks of these keys are hashed together."""
    builder = ir.IRBuilder(printed.append_basic_block())
    play, next_block, hash_one = map(module.get_global, ("play_to_key", "next_block", "hash_key"))
    step = memory_step(p.end_of(memory))
    memories = [_place(builder, printed.args[0], lane * step) for lane in range(MEMORIES)]
    turn, one, many, end = (printed.append_basic_block() for _ in range(4))
    builder.branch(turn)
    builder.position_at_end(turn)
    waiting = [builder.call(play, [cells]) for cells in memories]
    ways = builder.switch(reduce(builder.add, waiting), many)
    ways.add_case(_WORD(0), end)
    ways.add_case(_WORD(1), one)
    builder.position_at_end(one)
    single = memories[0]
    for is_waiting, cells in zip(waiting[1:], memories[1:], strict=True):
        single = builder.select(builder.trunc(is_waiting, _FLAG), cells, single)
    builder.call(hash_one, [single])
    builder.branch(turn)
    builder.position_at_end(many)
    _compress(builder, memory, memories, [builder.call(next_block, [cells]) for cells in memories])
    builder.branch(turn)
    builder.position_at_end(end)
    builder.ret(_WORD(0))


def _compress(
    builder: ir.IRBuilder,
    memory: Mapping[str, p.Region],
    memories: Sequence[Value],
    starts: Sequence[Value],
) -> None:
    """The compression of BLAKE2b for a block of each memory, whose words are the lanes of vectors."""
    kind = ir.FunctionType(_VECTOR, [_VECTOR] * 3)
    rotate = ir.Function(builder.module, kind, f"llvm.fshr.v{MEMORIES}i{p.WORD}")
    key, digest = memory["KEY"].base, memory["DIGEST"].base

    def gathered(cells: Sequence[Value], word: int) -> Value:
        vector = ir.Constant(_VECTOR, ir.Undefined)
        for lane, start in enumerate(cells):
            loaded = builder.load(_place(builder, start, word), typ=_WORD)
            vector = builder.insert_element(vector, loaded, _LANE(lane))
        return vector

    def turned(vector: Value, bits: int) -> Value:
        return builder.call(rotate, [vector, vector, _lanes(bits)])

    with builder.goto_entry_block():
        message = builder.alloca(_VECTOR, 16)
    # A key has whole blocks, so this changes no place: it keeps every place inside.
    inside = [builder.and_(start, _WORD((KEY_BLOCKS - 1) << 4)) for start in starts]
    blocks = [_place(builder, *both) for both in zip(memories, inside, strict=True)]
    for word in range(16):
        builder.store(gathered(blocks, key + word), _place(builder, message, word, _VECTOR))
    before = [gathered(memories, digest + word) for word in range(8)]
    starting = [_WORD(0), *before, *map(_lanes, IV)]
    starting[13] = builder.xor(starting[13], gathered(memories, memory["HASHED"].base))
    starting[15] = builder.xor(starting[15], gathered(memories, memory["IS_LAST"].base))
    before_loop, loop, end = (builder.block, *(builder.append_basic_block() for _ in range(2)))
    builder.branch(loop)
    builder.position_at_end(loop)
    round_start, *words = phis = [builder.phi(start.type) for start in starting]
    orders = _bytes(builder.module, [word for order in ROUND_ORDERS for word in order])
    for step, (at_a, at_b, at_c, at_d) in enumerate(MIXED):
        for half, (first, second) in enumerate(TURNS, 2 * step):
            at = _place(builder, orders, builder.add(round_start, _WORD(half)), _BYTE)
            word = builder.zext(builder.load(at, typ=_BYTE), _WORD)
            word = builder.load(_place(builder, message, word, _VECTOR), typ=_VECTOR)
            words[at_a] = builder.add(builder.add(words[at_a], word), words[at_b])
            words[at_d] = turned(builder.xor(words[at_d], words[at_a]), first)
            words[at_c] = builder.add(words[at_c], words[at_d])
            words[at_b] = turned(builder.xor(words[at_b], words[at_c]), second)
    next_round = builder.add(round_start, _WORD(16))
    for phi, start, after in zip(phis, starting, (next_round, *words), strict=True):
        phi.add_incoming(start, before_loop)
        phi.add_incoming(after, loop)
    is_left = builder.icmp_unsigned("<", next_round, _WORD(16 * len(ROUND_ORDERS)))
    builder.cbranch(is_left, loop, end)
    builder.position_at_end(end)
    for word, old in enumerate(before):
        new = builder.xor(old, builder.xor(words[word], words[word + 8]))
        for lane, cells in enumerate(memories):
            part = builder.extract_element(new, _LANE(lane))
            builder.store(part, _place(builder, cells, digest + word))


def _place(builder: ir.IRBuilder, start: Value, place: Value | int, kind: Value = _WORD) -> Value:
    """The address of a part of an array."""
    return builder.gep(
        start, [_WORD(place) if isinstance(place, int) else place], source_etype=kind
    )


def _bytes(module: ir.Module, numbers: list[int]) -> Value:
    """A constant table."""
    table = ir.GlobalVariable(module, ir.ArrayType(_BYTE, len(numbers)), "orders of words")
    table.global_constant, table.linkage = True, "internal"
    table.initializer = ir.Constant(table.value_type, numbers)
    return table


def _lanes(word: int) -> Value:
    """A vector with the same word in each lane."""
    return ir.Constant(_VECTOR, [word - (1 << p.WORD) if word >> 63 else word] * MEMORIES)

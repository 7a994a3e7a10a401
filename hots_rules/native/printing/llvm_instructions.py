"""Functions of the runtime for which some processors have better instructions than those on single words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any, Final

from llvmlite import ir

from hots_rules.native.lowering import program as p
from hots_rules.native.printing.guarded_memory import MEMORIES, memory_step
from hots_rules.native.runtime.blake2b import IV, KEY_BLOCKS, MIXED, ROUND_ORDERS, TURNS

_WORD, _FLAG = ir.IntType(p.WORD), ir.IntType(1)
_VECTOR = ir.VectorType(_WORD, MEMORIES)
Value = Any
"""A value of llvmlite, which has no types."""
Writer = Callable[[ir.Module, Value, Mapping[str, p.Region]], None]
"""Writes the body of a declared function."""


def writers(features: Mapping[str, bool], processor: str) -> Mapping[str, Writer]:
    """The functions that a processor with some features computes in another way, by name."""
    found: dict[str, Writer] = {"batch": _write_batch}
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
    """The games of all memories in turns, each up to a key: these keys are hashed together."""
    builder = ir.IRBuilder(printed.append_basic_block())
    play, start, hash_one = map(module.get_global, ("play_to_key", "hash_start", "hash_key"))
    step = memory_step(p.end_of(memory))
    memories = [
        builder.gep(printed.args[0], [_WORD(lane * step)], source_etype=_WORD)
        for lane in range(MEMORIES)
    ]
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
    starts = [builder.call(start, [cells]) for cells in memories]
    _compress(builder, memory, memories, starts)
    builder.branch(turn)
    builder.position_at_end(end)
    builder.ret(_WORD(0))


def _compress(
    builder: ir.IRBuilder,
    memory: Mapping[str, p.Region],
    memories: Sequence[Value],
    starts: Sequence[Value],
) -> None:
    """The compression of BLAKE2b for the last block of each memory, whose words are the lanes of vectors."""
    kind = ir.FunctionType(_VECTOR, [_VECTOR] * 3)
    rotate = ir.Function(builder.module, kind, f"llvm.fshr.v{MEMORIES}i{p.WORD}")
    # A key has whole blocks, so this changes no place: it keeps every place inside.
    inside = _WORD((KEY_BLOCKS - 1) << 4)
    blocks = [
        builder.gep(cells, [builder.and_(start, inside)], source_etype=_WORD)
        for cells, start in zip(memories, starts, strict=True)
    ]

    def places(cells: Sequence[Value], region: str, word: int) -> list[Value]:
        place = _WORD(memory[region].base + word)
        return [builder.gep(start, [place], source_etype=_WORD) for start in cells]

    def words(cells: Sequence[Value], region: str, word: int = 0) -> Value:
        vector = ir.Constant(_VECTOR, ir.Undefined)
        for lane, place in enumerate(places(cells, region, word)):
            vector = builder.insert_element(
                vector, builder.load(place, typ=_WORD), ir.IntType(32)(lane)
            )
        return vector

    def turned(vector: Value, bits: int) -> Value:
        return builder.call(rotate, [vector, vector, _lanes(bits)])

    with builder.goto_entry_block():
        message = builder.alloca(_VECTOR, 16)
    for word in range(16):
        place = builder.gep(message, [_WORD(word)], source_etype=_VECTOR)
        builder.store(words(blocks, "KEY", word), place)
    before = [words(memories, "DIGEST", word) for word in range(8)]
    v = [*before, *map(_lanes, IV)]
    v[12] = builder.xor(v[12], words(memories, "KEY_SIZE"))
    v[14] = builder.not_(v[14])
    kind = ir.ArrayType(ir.IntType(16), 16 * len(ROUND_ORDERS))
    table = ir.GlobalVariable(builder.module, kind, "places of words")
    table.global_constant, table.linkage = True, "internal"
    table.initializer = ir.Constant(kind, [word for order in ROUND_ORDERS for word in order])
    before_loop, loop, end = (
        builder.block,
        builder.append_basic_block(),
        builder.append_basic_block(),
    )
    builder.branch(loop)
    builder.position_at_end(loop)
    at = builder.phi(_WORD)
    at.add_incoming(_WORD(0), before_loop)
    phis = [builder.phi(_VECTOR) for _ in v]
    for phi, value in zip(phis, v, strict=True):
        phi.add_incoming(value, before_loop)
    v = list(phis)
    for step, (a, b, c, d) in enumerate(MIXED):
        for half, (first, second) in enumerate(TURNS):
            place = builder.gep(
                table, [_WORD(0), builder.add(at, _WORD(2 * step + half))], source_etype=kind
            )
            place = builder.zext(builder.load(place, typ=ir.IntType(16)), _WORD)
            place = builder.gep(message, [place], source_etype=_VECTOR)
            v[a] = builder.add(builder.add(v[a], builder.load(place, typ=_VECTOR)), v[b])
            v[d] = turned(builder.xor(v[d], v[a]), first)
            v[c] = builder.add(v[c], v[d])
            v[b] = turned(builder.xor(v[b], v[c]), second)
    after = builder.add(at, _WORD(16))
    at.add_incoming(after, loop)
    for phi, value in zip(phis, v, strict=True):
        phi.add_incoming(value, loop)
    builder.cbranch(builder.icmp_signed("<", after, _WORD(16 * len(ROUND_ORDERS))), loop, end)
    builder.position_at_end(end)
    for word, old in enumerate(before):
        new = builder.xor(old, builder.xor(v[word], v[word + 8]))
        for lane, place in enumerate(places(memories, "DIGEST", word)):
            builder.store(builder.extract_element(new, ir.IntType(32)(lane)), place)


def _lanes(word: int) -> Value:
    """A vector with the same word in each lane."""
    return ir.Constant(_VECTOR, [word - (1 << p.WORD) if word >> 63 else word] * MEMORIES)

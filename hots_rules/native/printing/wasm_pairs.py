"""A module of WebAssembly that plays the games of two memories in turns, each up to a key of chance.

The next blocks of both keys are hashed together: their words are the lanes of vectors. The program itself is loaded
once for each memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hots_rules.native.lowering import program as p
from hots_rules.native.printing import wasm_bytes as w
from hots_rules.native.runtime.blake2b import BLOCK_CELLS, IV, MIXED, ROUND_ORDERS, TURNS

MEMORIES = 2
"""How many memories of a program play their games in turns, where the processor has vectors."""
CALLED = ("play_to_key", "next_block", "hash_key")
"""The functions of a program that the module calls."""
_PLAY, _NEXT, _HASH = range(
    0, MEMORIES * len(CALLED), MEMORIES
)  # numbers of functions, for the first memory
_BATCH = MEMORIES * len(CALLED)
_STARTS, _MESSAGE, _WORDS = 0, MEMORIES, MEMORIES + BLOCK_CELLS  # the first locals
_LOAD, _LOAD_LANE, _STORE_LANE = b"\xfd\x5d", b"\xfd\x57", b"\xfd\x5b"
_SHUFFLE, _OR, _XOR = b"\xfd\x0d", b"\xfd\x50", b"\xfd\x51"
_SHIFT_RIGHT, _ADD = b"\xfd\xcd\x01", b"\xfd\xce\x01"


def to_pairs(memory: Mapping[str, p.Region]) -> bytes:
    """The module for the memory of a program: it exports `batch`, and imports what instances of the program export."""
    numbers = [str(number).encode() for number in range(MEMORIES)]
    imported = [
        w.sized(number) + w.sized(name.encode()) + b"\x00\x00"
        for name in CALLED
        for number in numbers
    ] + [w.sized(number) + w.sized(b"memory") + b"\x02\x00\x01" for number in numbers]
    own = w.vector([w.unsigned(MEMORIES) + w.I64, w.unsigned(2 * BLOCK_CELLS) + w.V128])
    return b"".join(
        [
            b"\x00asm\x01\x00\x00\x00",
            w.section(1, [w.function_type(0)]),
            w.section(2, imported),
            w.section(3, [b"\x00"]),
            w.section(7, [w.sized(b"batch") + b"\x00" + w.unsigned(_BATCH)]),
            w.section(10, [w.sized(own + _batch(memory) + w.constant(0) + w.END)]),
        ]
    )


def _batch(memory: Mapping[str, p.Region]) -> bytes:
    """Turns as long as a key waits. A key that waits alone is hashed by its program."""
    first, second = map(w.get, (_STARTS, _STARTS + 1))
    again = w.BR + w.unsigned(1)

    def both(function: int) -> bytes:
        calls = ((w.CALL + w.unsigned(function + lane), _STARTS + lane) for lane in range(MEMORIES))
        return b"".join(call + w.put(local) for call, local in calls)

    def when(condition: bytes, body: bytes) -> bytes:
        return condition + w.WRAP + w.IF + w.NOTHING + body + again + w.END

    alone = [w.CALL + w.unsigned(_HASH + lane) + w.DROP for lane in range(MEMORIES)]
    turn = (
        both(_PLAY)
        + when(first + second + w.ARITHMETIC["and"], both(_NEXT) + _compress(memory))
        + when(first, alone[0])
        + when(second, alone[1])
    )
    return w.LOOP + w.NOTHING + turn + w.END


def _compress(memory: Mapping[str, p.Region]) -> bytes:
    """The compression of BLAKE2b for a block of each memory."""
    key, digest = memory["KEY"].base, memory["DIGEST"].base
    hashed, last = (_gathered(memory[name].base) for name in ("HASHED", "IS_LAST"))
    code = [
        _gathered(key + word, is_from_start=True) + w.put(_MESSAGE + word)
        for word in range(BLOCK_CELLS)
    ]
    code += [_gathered(digest + word) + w.put(_WORDS + word) for word in range(8)]
    starting = [w.lanes(word) for word in IV]
    starting[4] += hashed + _XOR
    starting[6] += last + _XOR
    code += [start + w.put(_WORDS + 8 + word) for word, start in enumerate(starting)]
    for order in ROUND_ORDERS:
        for step, words in enumerate(MIXED):
            code += [
                _mix([_WORDS + word for word in words], _MESSAGE + order[half], turns)
                for half, turns in enumerate(TURNS, 2 * step)
            ]
    for word in range(8):
        new = w.get(_WORDS + word) + w.get(_WORDS + word + 8) + _XOR
        new += _gathered(digest + word) + _XOR
        code.append(new + w.put(_WORDS + word))
        code += [
            w.small(0)
            + w.get(_WORDS + word)
            + _place(_STORE_LANE, lane, digest + word)
            + bytes([lane])
            for lane in range(MEMORIES)
        ]
    return b"".join(code)


def _mix(words: Sequence[int], message: int, turns: Sequence[int]) -> bytes:
    """Half of a step, on locals."""
    (at_a, at_b, at_c, at_d), (first, second) = words, turns
    return b"".join(
        [
            w.get(at_a) + w.get(message) + _ADD + w.get(at_b) + _ADD + w.put(at_a),
            w.get(at_d) + w.get(at_a) + _XOR + w.put(at_d) + _turned(at_d, first) + w.put(at_d),
            w.get(at_c) + w.get(at_d) + _ADD + w.put(at_c),
            w.get(at_b) + w.get(at_c) + _XOR + w.put(at_b) + _turned(at_b, second) + w.put(at_b),
        ]
    )


def _turned(local: int, bits: int) -> bytes:
    """A vector with the bits of each lane rotated to the right: by whole bytes, or by all but one."""
    vector = w.get(local)
    if bits % 8:
        return vector + vector + _ADD + vector + w.small(bits) + _SHIFT_RIGHT + _OR
    places = [lane * 8 + (byte + bits // 8) % 8 for lane in range(MEMORIES) for byte in range(8)]
    return vector + vector + _SHUFFLE + bytes(places)


def _gathered(cell: int, *, is_from_start: bool = False) -> bytes:
    """A vector of the words of a cell in both memories; it may lie behind the place in the local of each memory."""

    def address(lane: int) -> bytes:
        if is_from_start:
            return w.get(_STARTS + lane) + w.WRAP + w.small(3) + w.I32_SHL
        return w.small(0)

    one = address(0) + _place(_LOAD, 0, cell)
    return address(1) + one + _place(_LOAD_LANE, 1, cell) + b"\x01"


def _place(instruction: bytes, memory: int, cell: int) -> bytes:
    """An instruction on eight bytes of a cell, in one of several memories."""
    return instruction + b"\x43" + w.unsigned(memory) + w.unsigned(8 * cell)

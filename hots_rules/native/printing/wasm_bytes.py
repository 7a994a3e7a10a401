"""The binary format of WebAssembly: numbers, sections and the instructions that the printer uses."""

from collections.abc import Sequence
from struct import pack

I32, I64, F64, V128 = b"\x7f", b"\x7e", b"\x7c", b"\x7b"
NOTHING = b"\x40"
END, ELSE, RETURN, DROP, SELECT = b"\x0b", b"\x05", b"\x0f", b"\x1a", b"\x1b"
BLOCK, LOOP, IF, BR, BR_IF, BR_TABLE, CALL = (bytes([code]) for code in (2, 3, 4, 12, 13, 14, 16))
I32_EQZ, I32_SHL = b"\x45", b"\x74"
WRAP, EXTEND = b"\xa7", b"\xad"  # i32.wrap_i64, i64.extend_i32_u
EQZ, LT_U, LE_U, CLZ, CTZ, POPCNT = b"\x50", b"\x54", b"\x58", b"\x79", b"\x7a", b"\x7b"
F64_MUL, TO_F64, FROM_F64 = b"\xa2", b"\xb9", b"\xb0"  # of numbers with signs
SHARE = b"\x44" + pack("<d", 2.0**-53)  # f64.const
COMPARISONS = {
    "eq": b"\x51",
    "ne": b"\x52",
    "lt": b"\x53",
    "gt": b"\x55",
    "le": b"\x57",
    "ge": b"\x59",
}
ARITHMETIC = {
    "add": b"\x7c",
    "sub": b"\x7d",
    "mul": b"\x7e",
    "div": b"\x80",
    "rem": b"\x82",
    "and": b"\x83",
    "or": b"\x84",
    "xor": b"\x85",
    "shl": b"\x86",
    "shr": b"\x88",
    "rotr": b"\x8a",
}
LOADS = {1: b"\x31\x00", 2: b"\x33\x01", 4: b"\x34\x02", 8: b"\x29\x03"}
"""Loads of an entry of a table by its bytes: without a sign for one and two, with one for four."""
_LOAD, _STORE = b"\x29\x03", b"\x37"  # of eight bytes


def unsigned(number: int) -> bytes:
    """A number without a sign, in LEB128."""
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*encoded, number])


def signed(number: int) -> bytes:
    """A number with a sign, in LEB128."""
    encoded = bytearray()
    while not -0x40 <= number < 0x40:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*encoded, number & 0x7F])


def vector(items: Sequence[bytes]) -> bytes:
    """How many items there are, then the items."""
    return unsigned(len(items)) + b"".join(items)


def sized(content: bytes) -> bytes:
    """How many bytes there are, then the bytes."""
    return unsigned(len(content)) + content


def section(number: int, items: Sequence[bytes]) -> bytes:
    """A section of a module."""
    return bytes([number]) + sized(vector(items))


def constant(number: int) -> bytes:
    """Pushes a 64-bit constant (`i64.const`), from -2**63 to 2**64 - 1."""
    return b"\x42" + signed(number - (1 << 64) if number >> 63 > 0 else number)


def lanes(word: int) -> bytes:
    """Pushes a vector with the same word in both lanes (`v128.const`)."""
    return b"\xfd\x0c" + 2 * word.to_bytes(8, "little")


def small(number: int) -> bytes:
    """Pushes a 32-bit constant (`i32.const`)."""
    return b"\x41" + signed(number)


def load(address: int) -> bytes:
    """Pushes a word of the memory (`i64.load`), at an offset from the address on the stack."""
    return _LOAD + unsigned(address)


def store(address: int, *, is_aligned: bool = True) -> bytes:
    """Stores the word on the stack (`i64.store`), at an offset from the address below it."""
    return _STORE + (b"\x03" if is_aligned else b"\x00") + unsigned(address)


def get(local: int) -> bytes:
    """Pushes a local (`local.get`)."""
    return b"\x20" + unsigned(local)


def put(local: int) -> bytes:
    """Pops a word into a local (`local.set`)."""
    return b"\x21" + unsigned(local)


def tee(local: int) -> bytes:
    """Copies the word on the stack to a local, and leaves it there (`local.tee`)."""
    return b"\x22" + unsigned(local)


def function_type(params: int) -> bytes:
    """The type of a function that takes `params` words and returns one."""
    return b"\x60" + vector([I64] * params) + vector([I64])

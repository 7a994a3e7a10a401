"""SHA-512 of the seeds of several games, the *lanes*, side by side, as restricted Python.

A seed has one block at most, since `row_of` refuses a longer one. Word i of a lane is at `i * LANES + lane`, and a
processor with vectors does each step for several lanes at once.
"""

from itertools import count, islice

from hots_rules.native.runtime.blake2b import IV

ROUNDS = 80
MAX_SEED_BYTES = 111
"""The bytes of the longest text of one block."""
_BEFORE = 4  # rows of words before those of the first round
CONSTANTS = {"END_OF_SEED": ord("\n") ^ 0x80}
"""The new line after a seed becomes the bit that ends a message."""
REGIONS = {"MESSAGE": ROUNDS, "LEFT": ROUNDS + _BEFORE, "RIGHT": ROUNDS + _BEFORE}
"""Rows of words, with a word for each lane."""


def sha512_source() -> str:
    """`write_message(row, lane)` takes the seed of a row, and `hash_lanes(first, stop)` hashes those of some lanes.

    The first four words of a digest are then in the last rows of `LEFT`, the others in those of `RIGHT`, each the last
    one first.
    """
    edges = [
        (name, row, IV[place + _BEFORE - 1 - row])
        for name, place in (("LEFT", 0), ("RIGHT", _BEFORE))
        for row in range(_BEFORE)
    ]
    starts = [f"S[{name} + {row} * LANES + lane] = {word}" for name, row, word in edges]
    cells = [(f"S[{name} + {ROUNDS + row} * LANES + lane]", word) for name, row, word in edges]
    ends = [f"{cell} = {cell} + {word}" for cell, word in cells]
    return f"""
def write_message(row, lane):
    size = S[ROWS + row + ROW_SEED_SIZE] - 1
    for at in range(0, 15):
        S[MESSAGE + at * LANES + lane] = swap(S[ROWS + row + at])
    end = S[ROWS + row + (size >> 3)] ^ END_OF_SEED << ((size & 7) << 3)
    S[MESSAGE + (size >> 3) * LANES + lane] = swap(end)
    S[MESSAGE + 15 * LANES + lane] = size << 3

def hash_lanes(first, stop):
    for lane in range(first, stop):
        {"; ".join(starts)}
    for at in range(16, {ROUNDS}):
        for lane in range(first, stop):
            early = S[MESSAGE + (at - 15) * LANES + lane]
            late = S[MESSAGE + (at - 2) * LANES + lane]
            word = (rotr(early, 1) ^ rotr(early, 8) ^ early >> 7) + (rotr(late, 19) ^ rotr(late, 61) ^ late >> 6)
            word = word + S[MESSAGE + (at - 16) * LANES + lane] + S[MESSAGE + (at - 7) * LANES + lane]
            S[MESSAGE + at * LANES + lane] = word
    for at in range(0, {ROUNDS}):
        for lane in range(first, stop):
            a = S[LEFT + (at + 3) * LANES + lane]
            b = S[LEFT + (at + 2) * LANES + lane]
            c = S[LEFT + (at + 1) * LANES + lane]
            e = S[RIGHT + (at + 3) * LANES + lane]
            f = S[RIGHT + (at + 2) * LANES + lane]
            g = S[RIGHT + (at + 1) * LANES + lane]
            word = S[RIGHT + at * LANES + lane] + (rotr(e, 14) ^ rotr(e, 18) ^ rotr(e, 41)) + (g ^ e & (f ^ g))
            word = word + SHA512_WORDS[at] + S[MESSAGE + at * LANES + lane]
            S[RIGHT + (at + 4) * LANES + lane] = word + S[LEFT + at * LANES + lane]
            word = word + (rotr(a, 28) ^ rotr(a, 34) ^ rotr(a, 39)) + (a & b | c & (a | b))
            S[LEFT + (at + 4) * LANES + lane] = word
    for lane in range(first, stop):
        {"; ".join(ends)}
"""


def round_words() -> tuple[int, ...]:
    """The constants of the rounds: 64 bits after the point of the cube roots of the first primes."""
    primes = (number for number in count(2) if all(number % below for below in range(2, number)))
    return tuple(_cube_root(prime << 192) & (1 << 64) - 1 for prime in islice(primes, ROUNDS))


def _cube_root(number: int) -> int:
    """The whole part of a cube root."""
    root = 1 << (number.bit_length() + 2) // 3
    while (better := (2 * root + number // root**2) // 3) < root:
        root = better
    return root

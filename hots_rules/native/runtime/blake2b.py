"""The digest of the key of a chance point, as restricted Python: BLAKE2b with 64 bytes, as `hashlib` has it."""

from collections.abc import Iterator

IV = (
    0x6A09E667F3BCC908,
    0xBB67AE8584CAA73B,
    0x3C6EF372FE94F82B,
    0xA54FF53A5F1D36F1,
    0x510E527FADE682D1,
    0x9B05688C2B3E6C1F,
    0x1F83D9ABFB41BD6B,
    0x5BE0CD19137E2179,
)
_PARAMETERS = 0x01010040  # no key, no tree, a digest of 64 bytes
_ORDERS = (  # of the 16 words of a block, in each round; rounds 10 and 11 repeat the first two
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
    (14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3),
    (11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4),
    (7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8),
    (9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13),
    (2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9),
    (12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11),
    (13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10),
    (6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5),
    (10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0),
)
BLOCK_CELLS = 16
KEY_BLOCKS = 8
"""Blocks of 128 bytes in the longest key."""
ROUND_ORDERS = (*_ORDERS, *_ORDERS[:2])
"""The order of the words of a block in each of the twelve rounds."""
MIXED = (  # the four words of each step of a round: columns, then diagonals
    (0, 4, 8, 12),
    (1, 5, 9, 13),
    (2, 6, 10, 14),
    (3, 7, 11, 15),
    (0, 5, 10, 15),
    (1, 6, 11, 12),
    (2, 7, 8, 13),
    (3, 4, 9, 14),
)
TURNS = ((32, 24), (16, 63))
"""How far the words of a step are rotated, in each of its halves."""


def blake2b_source() -> str:
    """`hash_key()` puts the digest of the key into the region `DIGEST`; `hash_digest()` that of the digest itself.

    `next_block()` says where in the key the next block is. It notes in `HASHED` how many bytes end with it, and in
    `IS_LAST` whether no other follows: -1, else 0. A key begins with 0 in both cells.
    """
    return f"""
def next_block():
    size = min(max(S[KEY_SIZE], 0), {8 * BLOCK_CELLS * KEY_BLOCKS})
    at = S[HASHED] & {8 * BLOCK_CELLS * (KEY_BLOCKS - 1)}
    if at == 0:
        for i in range(0, {BLOCK_CELLS}):
            B[KEY + size + 8 * i] = 0
        S[DIGEST] = {IV[0] ^ _PARAMETERS}
        for word in range(1, 8):
            S[DIGEST + word] = BLAKE2B_IV[word]
    S[HASHED] = min(at + {8 * BLOCK_CELLS}, size)
    S[IS_LAST] = -(S[HASHED] == size)
    return at >> 3

def hash_key():
    while S[IS_LAST] == 0:
        compress(next_block())

def hash_digest():
    for i in range(0, 8):
        S[KEY + i] = S[DIGEST + i]
    S[KEY_SIZE] = 64
    S[HASHED] = 0
    S[IS_LAST] = 0
    hash_key()

def compress(at):
{_lines(_compress())}
"""


def _lines(statements: Iterator[str]) -> str:
    return "\n".join("    " + statement for statement in statements)


def _compress() -> Iterator[str]:
    for i in range(8):
        yield f"v{i} = S[DIGEST + {i}]"
        yield f"v{8 + i} = {IV[i]}"
    yield "v12 = v12 ^ S[HASHED]"
    yield "v14 = v14 ^ S[IS_LAST]"
    for order in ROUND_ORDERS:
        for step, words in enumerate(MIXED):
            yield from _mix(*words, *order[2 * step : 2 * step + 2])
    for i in range(8):
        yield f"S[DIGEST + {i}] = S[DIGEST + {i}] ^ v{i} ^ v{8 + i}"


def _mix(a: int, b: int, c: int, d: int, x: int, y: int) -> Iterator[str]:
    for word, (first, second) in zip((x, y), TURNS, strict=True):
        yield f"v{a} = v{a} + v{b} + S[KEY + at + {word}]"
        yield f"v{d} = rotr(v{d} ^ v{a}, {first})"
        yield f"v{c} = v{c} + v{d}"
        yield f"v{b} = rotr(v{b} ^ v{c}, {second})"

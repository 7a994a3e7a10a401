"""Chance as restricted Python: the keys of chance points, and outcomes from the digests of keys.

The bytes are those of `Machine.sample`, so every back end has the same dice.
"""

from __future__ import annotations

from collections.abc import Sequence

from hots_rules.compile.codes import dice_rolls
from hots_rules.native.runtime.blake2b import BLOCK_CELLS, KEY_BLOCKS, blake2b_source

KEY_CELLS = BLOCK_CELLS * KEY_BLOCKS
"""Cells of the longest key of a chance point; a longer one stops the game."""
SHORT_TEXT = 16
"""The most bytes of a text that is written at once."""
MAX_NUMBER_BYTES = 21
"""The bytes of the longest number, with a space before it."""
SEED_CELLS = 16
"""Cells of the longest seed, with the new line after it."""
DECISION, DICE, DRAW = 0, 1, 2
"""The kinds of suspension points, as numbers in the tables of the program."""
TOO_LONG_KEY, NOTHING_TO_DRAW = 1_000_001, 1_000_002
"""Faults as numbers in the cell `ERROR`; smaller numbers are those of checks."""
ROOMS = {
    "SEED": SEED_CELLS,
    "SEED_SIZE": 1,
    "KEY": KEY_CELLS + BLOCK_CELLS,
    "KEY_SIZE": 1,
    "HASHED": 1,
    "IS_LAST": 1,
    "DIGEST": 8,
    "IS_WAITING": 1,
}
CONSTANTS = {
    "KEY_BYTES": 8 * KEY_CELLS,
    "LAST_KEY_BYTE": 8 * KEY_CELLS - 1,
    "LAST_SEED_CELL": SEED_CELLS - 1,
    "TOO_LONG_KEY": TOO_LONG_KEY,
    "NOTHING_TO_DRAW": NOTHING_TO_DRAW,
    "DICE": DICE,
}
# A chunk is up to eight bytes, the first one lowest. It is written with what follows it, which is overwritten later.
_KEYS = """
def start_key():
    size = S[SEED_SIZE]
    for i in range(0, (size >> 3 & LAST_SEED_CELL) + 1):
        S[KEY + i] = S[SEED + i]
    S[KEY_SIZE] = size
    S[HASHED] = 0
    S[IS_LAST] = 0

def put_chunk(chunk, size):
    end = S[KEY_SIZE]
    if end + size >= KEY_BYTES:
        S[ERROR] = TOO_LONG_KEY
        return
    B[KEY + (end & LAST_KEY_BYTE)] = chunk
    S[KEY_SIZE] = end + size

def put_text(text):
    S[KEY_SIZE] = with_text(S[KEY_SIZE], text)

def with_text(end, text):
    at = TEXT_AT[text]
    size = TEXT_SIZE[text]
    start = end
    end = end + size
    if end >= KEY_BYTES:
        S[ERROR] = TOO_LONG_KEY
        return start
    while 1:
        B[KEY + (start & LAST_KEY_BYTE)] = TEXT_CHUNKS[at]
        B[KEY + (start & LAST_KEY_BYTE) + 8] = TEXT_CHUNKS[at + 1]
        if size <= 16:
            break
        at = at + 2
        start = start + 16
        size = size - 16
    return end

def put_digits(number, least):
    chunk = 0
    size = 0
    while number > 0 or size < least:
        chunk = chunk << 8 | 48 + number % 10
        number = number // 10
        size = size + 1
    put_chunk(chunk, size)

def put_number(number):
    if 0 <= number and number < 10:
        put_chunk(48 + number, 1)
        return
    if number < 0:
        put_chunk(45, 1)
        number = 0 - number
    least = 1
    if number >= 10000000000000000:
        put_digits(number // 10000000000000000, 1)
        number = number % 10000000000000000
        least = 8
    if least == 8 or number >= 100000000:
        put_digits(number // 100000000, least)
        number = number % 100000000
        least = 8
    put_digits(number, least)
"""
_SAMPLE = """
def put_point(point):
    start_key()
    key(point)

def hash_waiting():
    hash_key()

def outcome(point):
    note_chance()
    if KIND[point] == DICE:
        if ROLLS[point] < 0:
            return roll_die(0, SIDES[point])
        return sample_dice(ROLLS[point], number(point), SIDES[point])
    members = source(point)
    if members == 0:
        S[ERROR] = NOTHING_TO_DRAW
        return 0
    if WEIGHED[point]:
        return draw_weighed(point, members)
    return draw(members)
"""
_NO_SAMPLE = """
def put_point(point):
    return

def hash_waiting():
    return

def outcome(point):
    return 0
"""
NTH_BIT_SOURCE = """
def nth_bit(members, number):
    at = 0
    for i in range(0, 6):
        half = 32 >> i
        low = count(members & (1 << half) - 1)
        is_above = number >= low
        number = number - low * is_above
        members = members >> half * is_above
        at = at + half * is_above
    return at
"""
"""`nth_bit(members, number)` where a processor has no instruction for it."""
_DRAWS = """
def roll_die(number, sides):
    return swap(S[DIGEST + number]) % sides + 1

def sample_dice(roll, number, sides):
    for i in range(0, number):
        if i == 8:
            hash_digest()
        roll = NEXT_ROLL[roll + roll_die(i & 7, sides)]
    return NEXT_ROLL[roll]

def digest_below(total):
    step = 32 if total <= 4294967296 else 8
    left = swap(S[DIGEST]) % total
    low = swap(S[DIGEST + 1])
    at = 64
    while at > 0:
        at = at - step
        left = (left << step | low >> at & (1 << step) - 1) % total
    return left

def draw(members):
    left = digest_below(members)
    word = 0
    while left >= count(S[SOURCE + word]):
        left = left - count(S[SOURCE + word])
        word = word + 1
    return (word << 6) + nth_bit(S[SOURCE + word], left)

def total_weight(point, members):
    total = 0
    word = 0
    while members > 0:
        for member in bits(S[SOURCE + word]):
            total = total + weight(point, (word << 6) + member)
        members = members - count(S[SOURCE + word])
        word = word + 1
    return total

def draw_weighed(point, members):
    total = total_weight(point, members)
    if total == 0:
        S[ERROR] = NOTHING_TO_DRAW
        return 0
    left = digest_below(total)
    word = 0
    while 1:
        for member in bits(S[SOURCE + word]):
            left = left - weight(point, (word << 6) + member)
            if left < 0:
                return (word << 6) + member
        word = word + 1
"""


def chance_source(*, has_outcomes: bool = True) -> str:
    """`put_point(point)` writes the key of a chance point; `outcome(point)` is its outcome, once the key is hashed.

    It calls `key`, `number`, `source` and `weight`, which are those of a ruleset, and `note_chance` of the chooser.
    """
    sample = _SAMPLE if has_outcomes else _NO_SAMPLE
    return _KEYS + blake2b_source() + NTH_BIT_SOURCE + _DRAWS + sample


def chunks_of(text: bytes) -> list[int]:
    """The chunks of a text, two for each 16 bytes of it and at least two."""
    pieces = range(0, -(-max(len(text), 1) // SHORT_TEXT) * SHORT_TEXT, 8)
    return [int.from_bytes(text[at : at + 8], "little") for at in pieces]


def chunk_tables(texts: Sequence[bytes]) -> dict[str, tuple[int, ...]]:
    """The tables from which `put_text` takes a text by its number.

    >>> from hots_rules.native.runtime.chance import chunk_tables
    >>> chunk_tables([b"levy", b"winter"])["TEXT_SIZE"]
    (4, 6)
    """
    chunks: list[int] = []
    starts = []
    for text in texts:
        starts.append(len(chunks))
        chunks.extend(chunks_of(text))
    return {
        "TEXT_SIZE": tuple(map(len, texts)),
        "TEXT_AT": tuple(starts),
        "TEXT_CHUNKS": tuple(chunks),
    }


def roll_tables(points: Sequence[tuple[int, int] | None]) -> dict[str, tuple[int, ...]]:
    """The tables from which `sample_dice` takes the code of a roll, for the most dice and the sides of each point.

    A row of `NEXT_ROLL` is a sorted roll: its code, and for each die the row of the roll with one die more.
    `ROLLS` has the row of no dice, or -1 for a point without one.

    >>> from hots_rules.native.runtime.chance import roll_tables
    >>> roll_tables([None, (1, 2)])
    {'ROLLS': (-1, 0), 'NEXT_ROLL': (0, 3, 4, 1, 2)}
    """
    rows: list[int] = []
    first: dict[tuple[int, int], int] = {}
    for most, sides in dict.fromkeys(point for point in points if point is not None):
        first[most, sides] = len(rows)
        rolls, starts = dice_rolls(most, sides), {}
        at = len(rows)
        for roll in rolls:
            starts[roll] = at
            at += 1 + (sides if len(roll) < most else 0)
        for code, roll in enumerate(rolls):
            rows.append(code)
            if len(roll) < most:
                rows.extend(starts[tuple(sorted((*roll, die)))] for die in range(1, sides + 1))
    return {
        "ROLLS": tuple(-1 if point is None else first[point] for point in points),
        "NEXT_ROLL": tuple(rows) or (0,),
    }

"""The chooser of `simulate` as restricted Python: the Mersenne Twister of `random.Random`.

Numbers have 32 bits here. Each draw makes one number, where the usual code makes 624 at a time: a short game needs
few. The key of a seed is its bytes and their SHA-512, as one large number.

Seeding is a long chain of operations, each of which waits for the one before. So the choosers of several games, the
*lanes*, are seeded side by side. Number i of a lane is at `i * LANES + lane`, and the key lies likewise.
"""

from hots_rules.native.runtime import sha512

LENGTH = 624
LANES = 32
"""How many choosers are seeded together."""
_DIGEST = 16  # numbers of a key that are those of the digest
_KEY_ROWS = 64  # a power of 2, above the numbers of the longest key
ROOMS = {
    name: LANES * rows
    for name, rows in (
        sha512.REGIONS | {"KEYS": _KEY_ROWS, "KEY_LENGTH": 1, "TWISTER": LENGTH}
    ).items()
} | {"LANE": 1, "TWISTER_AT": 1}
"""The cells of the choosers."""


def twister_source() -> str:
    """`choose_below(number)` draws with the chooser of the lane in the cell `LANE`.

    `seed_lanes(row, stop)` seeds the choosers of the lanes below `stop`, with the seeds of the rows from a cell on.
    """
    return (
        sha512.sha512_source()
        + f"""
def write_key(row, lane):
    for i in range(0, 4):
        for half in range(0, 2):
            word = S[RIGHT + ({sha512.ROUNDS} + i) * LANES + lane] >> (half << 5) & 4294967295
            S[KEYS + (2 * i + half) * LANES + lane] = word
            word = S[LEFT + ({sha512.ROUNDS} + i) * LANES + lane] >> (half << 5) & 4294967295
            S[KEYS + (2 * i + half + 8) * LANES + lane] = word
    size = S[ROWS + row + ROW_SEED_SIZE] - 1
    for i in range(0, size + 3 >> 2):
        S[KEYS + ({_DIGEST} + i) * LANES + lane] = 0
    for i in range(0, size):
        at = size - 1 - i
        byte = S[ROWS + row + (at >> 3)] >> ((at & 7) << 3) & 255
        place = ({_DIGEST} + (i >> 2)) * LANES + lane
        S[KEYS + place] = S[KEYS + place] | byte << ((i & 3) << 3)
    length = {_DIGEST} + (size + 3 >> 2)
    while length > 1 and S[KEYS + (length - 1) * LANES + lane] == 0:
        length = length - 1
    S[KEY_LENGTH + lane] = length

def seed_lanes(row, stop):
    for lane in range(0, stop):
        write_message(row + lane * ROW_CELLS, lane)
    hash_lanes(0, stop)
    is_shared = 1
    for lane in range(0, stop):
        write_key(row + lane * ROW_CELLS, lane)
        if S[KEY_LENGTH + lane] != S[KEY_LENGTH]:
            is_shared = 0
    if is_shared:
        mix_key(0, stop)
        return
    for lane in range(0, stop):
        mix_key(lane, lane + 1)

def mix_key(first, stop):
    length = S[KEY_LENGTH + first]
    for lane in range(first, stop):
        S[TWISTER + lane] = FRESH_TWISTER[0]
    word = 0
    for at in range(1, {LENGTH}):
        mix_word(at, at - 1, word, FRESH_TWISTER[at], first, stop)
        word = word + 1
        if word == length:
            word = 0
    for lane in range(first, stop):
        before = S[TWISTER + {LENGTH - 1} * LANES + lane] & 4294967295
        mixed = S[TWISTER + LANES + lane] ^ (before ^ before >> 30) * 1664525
        S[TWISTER + LANES + lane] = mixed + S[KEYS + (word & {_KEY_ROWS - 1}) * LANES + lane] + word & 4294967295
    for at in range(2, {LENGTH}):
        mix_again(at, at - 1, first, stop)
    mix_again(1, {LENGTH - 1}, first, stop)
    for lane in range(first, stop):
        S[TWISTER + lane] = 2147483648

def mix_word(at, last, word, fresh, first, stop):
    for lane in range(first, stop):
        before = S[TWISTER + last * LANES + lane] & 4294967295
        mixed = (fresh ^ (before ^ before >> 30) * 1664525) + S[KEYS + (word & {_KEY_ROWS - 1}) * LANES + lane] + word
        S[TWISTER + at * LANES + lane] = mixed & 4294967295

def mix_again(at, last, first, stop):
    for lane in range(first, stop):
        before = S[TWISTER + last * LANES + lane] & 4294967295
        mixed = S[TWISTER + at * LANES + lane] ^ (before ^ before >> 30) * 1566083941
        S[TWISTER + at * LANES + lane] = mixed - at & 4294967295

def twist():
    lane = S[LANE]
    at = S[TWISTER_AT]
    after = at + LANES
    if after == {LANES * LENGTH}:
        after = 0
    far = at + {LANES * 397}
    if far >= {LANES * LENGTH}:
        far = far - {LANES * LENGTH}
    both = S[TWISTER + at + lane] & 2147483648 | S[TWISTER + after + lane] & 2147483647
    number = S[TWISTER + far + lane] ^ both >> 1
    if both & 1:
        number = number ^ 2567483615
    S[TWISTER + at + lane] = number
    S[TWISTER_AT] = after
    number = number ^ number >> 11
    number = number ^ number << 7 & 2636928640
    number = number ^ number << 15 & 4022730752
    return number ^ number >> 18

def choose_below(number):
    high = twist() >> 5
    low = twist() >> 6
    return pick(high * 67108864 + low, number)
"""
    )


def fresh_twister() -> tuple[int, ...]:
    """The numbers from which every seeding with a key starts."""
    numbers = [19650218]
    for i in range(1, LENGTH):
        numbers.append(1812433253 * (numbers[-1] ^ numbers[-1] >> 30) + i & 0xFFFFFFFF)
    return tuple(numbers)

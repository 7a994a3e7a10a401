"""The chooser of `simulate` as restricted Python: the Mersenne Twister of `random.Random`.

Numbers have 32 bits here. The usual code makes 624 at a time; here it is few, since a short game needs few. The key of
a seed is its bytes and their SHA-512, as one large number.

Seeding is a long chain of operations, each of which waits for the one before. So the choosers of several games, the
*lanes*, are seeded side by side. Number i of a lane is at `i * LANES + lane`, and the key lies likewise. Draws are made
side by side too, as soon as one of the games needs more; a long game makes its last draws alone. New numbers are
written behind the old ones, so all distances are constant. The draws of a lane lie next to each other.
"""

from hots_rules.native.runtime import sha512

LENGTH = 624
LANES = 32
"""How many choosers are seeded together."""
MIN_GAMES = 4  # with fewer games it takes longer to seed all lanes
_BLOCK = 16  # draws that are made together
_MAX_SHARED = 512  # draws of a lane that are made with those of others; a power of 2, for masks
_DIGEST = 16  # numbers of a key that are those of the digest
_APART = (
    _MAX_SHARED + 8
)  # cells from the draws of a lane to those of the next: not the same lines of a cache
_TWISTER_ROWS = 2048  # a power of 2 too, above the numbers of so many draws and those with which the twister begins
_KEY_ROWS = 64  # a power of 2, above the numbers of the longest key
_ROWS = {
    **sha512.REGIONS,
    "KEYS": _KEY_ROWS,
    "KEY_LENGTH": 1,
    "TWISTER": _TWISTER_ROWS,
    "ROW": 1,
    "DRAWN": _APART,
}
ROOMS = {"LANE": 1, "TWISTER_AT": 1, "DRAWS": 1, "MADE": 1, "MOST_MADE": 1} | {
    name: LANES * rows for name, rows in _ROWS.items()
}
"""The cells of the choosers. Rows come last: memory ends where a page does, so no vector of a row is in two lines."""


def twister_source() -> str:
    """`choose_below(number)` draws with the chooser of the lane in the cell `LANE`, which `start_draws(lane)` sets.

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
    for i in range(0, length):  # mixing adds its number to each word of a key
        S[KEYS + i * LANES + lane] = S[KEYS + i * LANES + lane] + i

def seed_lanes(row, stop):
    for lane in range(0, stop):
        write_message(row + lane * ROW_CELLS, lane)
    hash_lanes(0, stop)
    is_shared = stop >= {MIN_GAMES}
    for lane in range(0, stop):
        write_key(row + lane * ROW_CELLS, lane)
        if S[KEY_LENGTH + lane] != S[KEY_LENGTH]:
            is_shared = 0
    if is_shared:
        mix_lanes(0)
        make_draws(0)
        S[MOST_MADE] = {_MAX_SHARED}
        return
    for lane in range(0, stop):
        mix_lane(lane)
        make_own_draws(lane)
    S[MADE] = {_BLOCK}
    S[MOST_MADE] = {_BLOCK}
{_mixing("mix_lanes(lane)", "for lane in range(0, LANES)")}
{_mixing("mix_lane(lane)", "if 1")}
def make_draws(made):
    made = made & {_MAX_SHARED - _BLOCK}
    for at in range(made, made + {_BLOCK}):
        {_drawing("for lane in range(0, LANES)")}
    S[MADE] = made + {_BLOCK}

def make_own_draws(lane):
    for at in range(0, {_BLOCK}):
        {_drawing("if 1")}

def start_draws(lane):
    S[LANE] = lane
    S[DRAWS] = 0
    S[TWISTER_AT] = 0

def twist():
    lane = S[LANE]
    at = S[TWISTER_AT]
    after = at + LANES
    if after == {LANES * LENGTH}:
        after = 0
    far = at + {LANES * 397}
    if far >= {LANES * LENGTH}:
        far = far - {LANES * LENGTH}
    S[TWISTER_AT] = after
    lane = lane + S[MOST_MADE] * {2 * LANES}
    place = at + lane & {_TWISTER_ROWS * LANES - 1}
    next = after + lane & {_TWISTER_ROWS * LANES - 1}
    far = far + lane
    number = S[TWISTER + (far & {_TWISTER_ROWS * LANES - 1})] ^ turned(S[TWISTER + place], S[TWISTER + next])
    S[TWISTER + place] = number
    return tempered(number)

def turned(word, after):
    both = word & 2147483648 | after & 2147483647
    return both >> 1 ^ -(both & 1) & 2567483615

def tempered(number):
    number = number ^ number >> 11
    number = number ^ number << 7 & 2636928640
    number = number ^ number << 15 & 4022730752
    return number ^ number >> 18

def choose_below(number):
    at = S[DRAWS]
    if at == S[MADE] and at < S[MOST_MADE]:
        make_draws(at)
    if at < S[MADE]:
        S[DRAWS] = at + 1
        return pick(S[DRAWN + (S[LANE] & {LANES - 1}) * {_APART} + (at & {_MAX_SHARED - 1})], number)
    high = twist() >> 5
    low = twist() >> 6
    return pick(high * 67108864 + low, number)
"""
    )


def _mixing(name: str, lanes: str) -> str:
    """A function that mixes the keys of some lanes into their numbers."""
    return f"""
def {name}:
    length = S[KEY_LENGTH + lane]
    {lanes}:
        S[TWISTER + lane] = FRESH_TWISTER[0]
    word = 0
    for at in range(1, {LENGTH}):
        {lanes}:
            before = S[TWISTER + (at - 1) * LANES + lane] & 4294967295
            mixed = FRESH_TWISTER[at] ^ (before ^ before >> 30) * 1664525
            key = S[KEYS + (word & {_KEY_ROWS - 1}) * LANES + lane]
            S[TWISTER + at * LANES + lane] = mixed + key
        word = word + 1
        if word == length:
            word = 0
    {lanes}:
        before = S[TWISTER + {LENGTH - 1} * LANES + lane] & 4294967295
        mixed = S[TWISTER + LANES + lane] ^ (before ^ before >> 30) * 1664525
        key = S[KEYS + (word & {_KEY_ROWS - 1}) * LANES + lane]
        S[TWISTER + LANES + lane] = mixed + key & 4294967295
    for at in range(2, {LENGTH}):
        {lanes}:
            before = S[TWISTER + (at - 1) * LANES + lane]
            mixed = S[TWISTER + at * LANES + lane] ^ (before ^ before >> 30) * 1566083941
            S[TWISTER + at * LANES + lane] = mixed - at & 4294967295
    {lanes}:
        before = S[TWISTER + {LENGTH - 1} * LANES + lane] & 4294967295
        mixed = S[TWISTER + LANES + lane] ^ (before ^ before >> 30) * 1566083941
        S[TWISTER + LANES + lane] = mixed - 1 & 4294967295
        S[TWISTER + lane] = 2147483648
"""


def _drawing(lanes: str) -> str:
    """Statements that make the draw `at` of some lanes, of two numbers."""
    return f"""{lanes}:
            first = S[TWISTER + 2 * at * LANES + lane]
            second = S[TWISTER + (2 * at + 1) * LANES + lane]
            high = turned(first, second) ^ S[TWISTER + (2 * at + 397) * LANES + lane]
            S[TWISTER + (2 * at + {LENGTH}) * LANES + lane] = high
            low = turned(second, S[TWISTER + (2 * at + 2) * LANES + lane])
            low = low ^ S[TWISTER + (2 * at + 398) * LANES + lane]
            S[TWISTER + (2 * at + {LENGTH + 1}) * LANES + lane] = low
            S[ROW + lane] = (tempered(high) >> 5) * 67108864 + (tempered(low) >> 6)
        {lanes}:
            S[DRAWN + lane * {_APART} + at] = S[ROW + lane]"""


def fresh_twister() -> tuple[int, ...]:
    """The numbers from which every seeding with a key starts."""
    numbers = [19650218]
    for i in range(1, LENGTH):
        numbers.append(1812433253 * (numbers[-1] ^ numbers[-1] >> 30) + i & 0xFFFFFFFF)
    return tuple(numbers)

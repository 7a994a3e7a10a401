"""The chooser of `simulate` as restricted Python: the Mersenne Twister of `random.Random`.

Numbers have 32 bits here. Each draw makes one number, where the usual code makes 624 at a time: a short game needs
few. The key of a seed is its bytes and their SHA-512, as one large number; Python computes it (`twister_key`).

Seeding is a long chain of operations, each of which waits for the one before. So the choosers of several games, the
*lanes*, are seeded side by side. Number i of a lane is at `i * LANES + lane`.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha512

LENGTH = 624
LANES = 4
"""How many choosers are seeded together."""


def twister_source() -> str:
    """`choose_below(number)` draws with the chooser of the lane in the cell `LANE`.

    `seed_one(game)` seeds the chooser of a game from its row, and `seed_lanes(game)` those of `LANES` games from one
    on, whose keys have equally many numbers.
    """
    lanes = range(LANES)
    rows = [f"row + {lane} * ROW_CELLS" for lane in lanes]
    return f"""
def seed_one(game):
    lane = game & {LANES - 1}
    row = game * ROW_CELLS + ROW_TWISTER_KEY
    length = S[ROWS + game * ROW_CELLS + ROW_TWISTER_WORDS]
{_lines(_seeding(["lane"], ["row"]))}

def seed_lanes(game):
    row = game * ROW_CELLS + ROW_TWISTER_KEY
    length = S[ROWS + game * ROW_CELLS + ROW_TWISTER_WORDS]
{_lines(_seeding([str(lane) for lane in lanes], rows))}

def twist():
    lane = S[LANE]
    at = S[TWISTER_AT]
    after = at + {LANES}
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


def _indented(statements: Iterable[str]) -> Iterator[str]:
    return ("    " + statement for statement in statements)


def _lines(statements: Iterable[str]) -> str:
    return "\n".join(_indented(statements))


def _seeding(lanes: Sequence[str], keys: Sequence[str]) -> Iterator[str]:
    """The statements that seed some lanes, with the first cells of their keys.

    Keys are shorter than the numbers. Each round goes over all numbers but the first, and the second comes twice.
    """
    yield "word = 0"
    for i in range(len(lanes)):
        yield f"before{i} = FRESH_TWISTER[0]"
    yield f"for at in range(1, {LENGTH}):"
    yield from _indented(_mixed_with_key("FRESH_TWISTER[at]", "at", lanes, keys))
    yield from _mixed_with_key("", "1", lanes, keys)
    yield f"for at in range(2, {LENGTH}):"
    yield from _indented(_mixed("at", lanes))
    yield from _mixed("1", lanes)
    for lane in lanes:
        yield f"S[TWISTER + {lane}] = 2147483648"


def _mixed_with_key(old: str, at: str, lanes: Sequence[str], keys: Sequence[str]) -> Iterator[str]:
    """A step of the first round; the old number is that of the lane, unless it is given."""
    yield "half = word >> 1"
    yield "shift = (word & 1) << 5"
    for i, (lane, key) in enumerate(zip(lanes, keys, strict=True)):
        cell = f"S[TWISTER + {at} * {LANES} + {lane}]"
        part = f"(S[ROWS + {key} + half] >> shift & 4294967295) + word"
        mixed = f"({old or cell} ^ (before{i} ^ before{i} >> 30) * 1664525)"
        yield f"before{i} = {mixed} + {part} & 4294967295"
        yield f"{cell} = before{i}"
    yield "word = word + 1"
    yield "if word == length:"
    yield "    word = 0"


def _mixed(at: str, lanes: Sequence[str]) -> Iterator[str]:
    """A step of the second round."""
    for i, lane in enumerate(lanes):
        cell = f"S[TWISTER + {at} * {LANES} + {lane}]"
        mixed = f"({cell} ^ (before{i} ^ before{i} >> 30) * 1566083941)"
        yield f"before{i} = {mixed} - {at} & 4294967295"
        yield f"{cell} = before{i}"


def fresh_twister() -> tuple[int, ...]:
    """The numbers from which every seeding with a key starts."""
    numbers = [19650218]
    for i in range(1, LENGTH):
        numbers.append(1812433253 * (numbers[-1] ^ numbers[-1] >> 30) + i & 0xFFFFFFFF)
    return tuple(numbers)


def twister_key(seed: bytes) -> tuple[int, bytes]:
    """How many numbers of 32 bits the key of `random.Random(seed)` has, and the key, the lowest byte first."""
    key = seed + sha512(seed).digest()
    return (len(key.lstrip(b"\0")) + 3) // 4, key[::-1]

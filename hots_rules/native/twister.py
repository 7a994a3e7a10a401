"""The chooser of `simulate` as restricted Python: the Mersenne Twister of `random.Random`.

Numbers have 32 bits here. Each draw makes one number, where the usual code makes 624 at a time: a short game needs
few. The key of a seed is its bytes and their SHA-512, as one large number; Python computes it (`twister_key`).
"""

from hashlib import sha512

LENGTH = 624
SOURCE = """
def seed_twister(key, length):
    for i in range(0, 624):
        S[TWISTER + i] = FRESH_TWISTER[i]
    at = 1
    word = 0
    before = S[TWISTER]
    for step in range(0, max(length, 624)):
        part = S[ROWS + key + (word >> 1)] >> ((word & 1) << 5) & 4294967295
        before = (S[TWISTER + at] ^ (before ^ before >> 30) * 1664525) + part + word & 4294967295
        S[TWISTER + at] = before
        at = at + 1
        word = word + 1
        if at == 624:
            S[TWISTER] = before
            at = 1
        if word == length:
            word = 0
    for step in range(0, 623):
        before = (S[TWISTER + at] ^ (before ^ before >> 30) * 1566083941) - at & 4294967295
        S[TWISTER + at] = before
        at = at + 1
        if at == 624:
            S[TWISTER] = before
            at = 1
    S[TWISTER] = 2147483648
    S[TWISTER_AT] = 0


def twist():
    at = S[TWISTER_AT]
    after = at + 1
    if after == 624:
        after = 0
    far = at + 397
    if far >= 624:
        far = far - 624
    both = S[TWISTER + at] & 2147483648 | S[TWISTER + after] & 2147483647
    number = S[TWISTER + far] ^ both >> 1
    if both & 1:
        number = number ^ 2567483615
    S[TWISTER + at] = number
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


def fresh_twister() -> tuple[int, ...]:
    """The numbers from which every seeding with a key starts."""
    numbers = [19650218]
    for i in range(1, LENGTH):
        numbers.append(1812433253 * (numbers[-1] ^ numbers[-1] >> 30) + i & 0xFFFFFFFF)
    return tuple(numbers)


def twister_key(seed: str) -> tuple[bytes, int]:
    """The key of `random.Random(seed)`, the lowest byte first, and its numbers of 32 bits."""
    text = seed.encode()
    key = text + sha512(text).digest()
    return key[::-1], (len(key.lstrip(b"\0")) + 3) // 4

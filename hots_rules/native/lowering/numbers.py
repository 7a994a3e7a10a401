"""Whole numbers and sets in words: a number with bounds has one word, or several, the lowest first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from attrs import frozen

from hots_rules.native.lowering import program as p
from hots_rules.native.lowering.bounds import BIT, Bounds

if TYPE_CHECKING:
    from collections.abc import Iterable

ZERO, ONE, ALL = p.Const(0), p.Const(1), p.Const(p.FULL)
SHIFT, WITHIN_WORD = 6, 63  # a member m is bit m & 63 of word m >> 6


@frozen
class Number:
    """The words of a value, and its bounds; it has as many words as its bounds need."""

    words: tuple[p.Expr, ...]
    bounds: Bounds

    @property
    def word(self) -> p.Expr:
        """The word of a number that has one word."""
        (word,) = self.words
        return word

    def widened(self, cells: int) -> tuple[p.Expr, ...]:
        """The lowest `cells` words; missing ones repeat the sign, which is 0 for a set."""
        if cells <= len(self.words):
            return self.words[:cells]
        fill: p.Expr = ZERO
        if self.bounds.low < 0:
            fill = p.Conditional(compare("lt", self.words[-1], ZERO), ALL, ZERO)
        return (*self.words, *[fill] * (cells - len(self.words)))


def constant(value: int) -> Number:
    """The number of a constant, in as many words as it needs."""
    bounds = Bounds(value, value)
    shifts = range(0, bounds.cells * p.WORD, p.WORD)
    return Number(tuple(p.Const(value >> shift & p.FULL) for shift in shifts), bounds)


def bit(word: p.Expr) -> Number:
    """A condition as a number: the word is 0 or 1."""
    return Number((word,), BIT)


# -------------------------------------------------------------- words
def binary(op: p.BinaryOp, left: p.Expr, right: p.Expr) -> p.Expr:
    """An operation on two words; one that changes nothing, such as adding 0, is left out."""
    match op, left, right:
        case "add" | "sub" | "or" | "xor" | "shl" | "shr", _, p.Const(0):
            return left
        case "add" | "or" | "xor", p.Const(0), _:
            return right
        case "and", p.Const(0), _:
            return ZERO
        case "and", _, p.Const(0):
            return ZERO
        case "and", p.Const(p.FULL), _:
            return right
        case ("mul", _, p.Const(1)) | ("and", _, p.Const(p.FULL)):
            return left
        case "add", p.Const(left_word), p.Const(right_word):
            return p.Const(left_word + right_word)
    return p.Binary(op, left, right)


def compare(op: p.CompareOp, left: p.Expr, right: p.Expr) -> p.Expr:
    """1 if the comparison of two words, as numbers with a sign, is true, else 0."""
    return p.Binary(op, left, right)


def any_of(words: Iterable[p.Expr]) -> p.Expr:
    """A word that is not 0 if some word is not 0."""
    union: p.Expr = ZERO
    for word in words:
        union = binary("or", union, word)
    return union


def is_condition(word: p.Expr) -> bool:
    """Whether a word is 0 or 1 by its form."""
    match word:
        case p.Unary(op="not") | p.Logic() | p.Binary(op="and", right=p.Const(1)):
            return True
        case p.Binary():
            return word.op in {"eq", "ne", "lt", "le", "gt", "ge"}
    return False


def as_bit(word: p.Expr) -> p.Expr:
    """1 for a word that is not 0."""
    return word if is_condition(word) else compare("ne", word, ZERO)


# -------------------------------------------------------------- members of sets
def bit_in_word(member: p.Expr, bounds: Bounds, place: int, bit: p.Expr = ONE) -> p.Expr:
    """The word of the set `{member}` at a place, empty where the bit is 0; the bounds of the member are not below 0."""
    lowest, highest = (edge >> SHIFT for edge in bounds)
    if not lowest <= place <= highest:
        return ZERO
    if lowest == highest:
        return binary("shl", bit, binary("sub", member, p.Const(place * p.WORD)))
    here = compare("eq", binary("shr", member, p.Const(SHIFT)), p.Const(place))
    shifted = p.Binary("shl", bit, binary("and", member, p.Const(WITHIN_WORD)))
    return p.Conditional(here, shifted, ZERO)


def word_of_member(words: Sequence[p.Expr], member: p.Expr) -> p.Expr:
    """The word that has the bit of a member; 0 where there is none."""
    selected: p.Expr = ZERO
    for place in reversed(range(len(words))):
        here = compare("eq", binary("shr", member, p.Const(SHIFT)), p.Const(place))
        selected = p.Conditional(here, words[place], selected)
    return selected


def total_count(words: Sequence[p.Expr]) -> p.Expr:
    """How many members a set has."""
    total: p.Expr = ZERO
    for word in words:
        total = binary("add", total, p.Unary("count", word))
    return total


def bit_length(words: Sequence[p.Expr]) -> p.Expr:
    """One more than the highest member, 0 for the empty set."""
    length: p.Expr = p.Unary("length", words[0])
    for place, word in enumerate(words[1:], 1):
        above = binary("add", p.Unary("length", word), p.Const(place * p.WORD))
        length = p.Conditional(word, above, length)
    return length


def first_member(words: Sequence[p.Expr]) -> p.Expr:
    """The lowest member; as many as there are bits, for the empty set."""
    last = len(words) - 1
    first: p.Expr = binary("add", p.Unary("first", words[last]), p.Const(last * p.WORD))
    for place in reversed(range(last)):
        here = binary("add", p.Unary("first", words[place]), p.Const(place * p.WORD))
        first = p.Conditional(words[place], here, first)
    return first


def without_first(words: Sequence[p.Expr]) -> tuple[p.Expr, ...]:
    """A set without its lowest member."""
    reduced: list[p.Expr] = []
    for place, word in enumerate(words):
        rest = binary("and", word, p.Binary("sub", word, ONE))
        reduced.append(p.Conditional(any_of(words[:place]), word, rest) if place else rest)
    return tuple(reduced)


def is_member(number: Number, member: p.Expr, highest: int) -> p.Expr:
    """1 if a set has a member, which is 0 to `highest`."""
    if highest < p.WORD and len(number.words) == 1:
        return binary("and", binary("shr", number.word, member), ONE)
    place = binary("and", member, p.Const(WITHIN_WORD))
    word = word_of_member(number.words, member)
    return binary("and", binary("shr", word, place), ONE)


Extreme = Literal["min", "max"]

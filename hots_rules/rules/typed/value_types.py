"""The finite types of the language.

A word type is an ordered list of values; a value contains the type that first named it, so that
`Area` and `Place = Area | Pool` share the value `Shore`. A value's code is its index in the list.
"""

from __future__ import annotations

from functools import cached_property
from math import comb, prod

from attrs import field, frozen

Value = tuple[str, str]
"""The type that first named a word, and the word, e.g. ("Area", "Shore")."""

NONE: Value = ("", "none")


@frozen(slots=False)
class WordType:
    """An enumeration, the rows of a table, or a union of such."""

    name: str = field(eq=False)
    values: tuple[Value, ...]

    @cached_property
    def codes(self) -> dict[Value, int]:
        """The code of each value."""
        return {value: code for code, value in enumerate(self.values)}

    @cached_property
    def words(self) -> dict[str, list[Value]]:
        """The values that a word can mean here."""
        values: dict[str, list[Value]] = {}
        for value in self.values:
            values.setdefault(value[1], []).append(value)
        return values

    def __str__(self) -> str:
        return self.name


@frozen
class IntType:
    """Whole numbers from `low` to `high`, both included."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"


@frozen
class BoolType:
    """`true` and `false`."""

    def __str__(self) -> str:
        return "bool"


@frozen
class SetType:
    """Sets of words, of numbers from 0 on, or of pairs."""

    member: Type

    def __str__(self) -> str:
        return f"set of {self.member}"


@frozen
class PairType:
    """Two values."""

    left: Type
    right: Type

    def __str__(self) -> str:
        return f"({self.left}, {self.right})"


@frozen
class DiceType:
    """Up to `most` dice of `sides` sides; the order in which they fell does not matter."""

    most: int
    sides: int

    def __str__(self) -> str:
        return f"dice d{self.sides}"


@frozen
class AnyType:
    """The type of an expression that has a fault already: it agrees with everything."""

    def __str__(self) -> str:
        return "anything"


Type = WordType | IntType | BoolType | SetType | PairType | DiceType | AnyType
BOOL = BoolType()
ANY = AnyType()
MAX_NUMBER = 1 << 31
MAX_VALUES = 1024  # of a type of words, and of a type of which there are sets
MAX_BITS = 4096  # of a set of numbers
MAX_TABLE = 4096  # combinations of arguments for which the compiler keeps the value of a definition


def size(type_: Type) -> int:
    """How many codes a type has; a set of n words has 2**n."""
    match type_:
        case WordType():
            return len(type_.values)
        case IntType():
            return type_.high - type_.low + 1
        case PairType():
            return size(type_.left) * size(type_.right)
        case SetType():
            # A set of numbers has a bit for each number below its first, too.
            bits = lowest_code(type_.member) + size(type_.member)
            return 1 << min(bits, MAX_BITS)
        case DiceType():
            return comb(type_.most + type_.sides, type_.sides)
        case BoolType():
            return 2
    return 1


def is_countable(type_: Type) -> bool:
    """Whether there can be sets of a type: a value is a bit, and numbers count from 0."""
    if isinstance(type_, IntType):
        return 0 <= type_.low and type_.high < MAX_BITS and size(type_) <= MAX_VALUES
    return size(type_) <= MAX_VALUES


def is_enumerable(type_: Type) -> bool:
    """Whether the name of a type is also the set of its values."""
    return isinstance(type_, WordType | IntType | PairType) and is_countable(type_)


def all_values(type_: Type) -> int:
    """The set of all values of a type, as bits."""
    return ((1 << size(type_)) - 1) << lowest_code(type_)


def is_natural(type_: Type) -> bool:
    """Whether all values of a type are numbers from 0 on."""
    return isinstance(type_, IntType) and type_.low >= 0


def lowest_code(type_: Type) -> int:
    """The lowest code of a type: numbers are their own codes."""
    return type_.low if isinstance(type_, IntType) else 0


def blank_code(type_: Type) -> int:
    """The code that `clear` gives: that of `none` where the type has it, else the lowest."""
    if isinstance(type_, WordType):
        return type_.codes.get(NONE, 0)
    return lowest_code(type_)


def pair_code(type_: PairType, left: int, right: int) -> int:
    """The code of a pair of two codes."""
    return (left - lowest_code(type_.left)) * size(type_.right) + right - lowest_code(type_.right)


def pair_parts(type_: PairType, code: int) -> tuple[int, int]:
    """The codes of the two values of a pair; the inverse of `pair_code`."""
    left, right = divmod(code, size(type_.right))
    return left + lowest_code(type_.left), right + lowest_code(type_.right)


def describe(type_: Type) -> str:
    """A type in the words of a message."""
    match type_:
        case IntType() if type_.low == type_.high:
            return f"the number {type_.low}"
        case IntType():
            return f"a number of {type_}"
        case BoolType():
            return "a condition"
        case SetType(member=AnyType()):
            return "a set"
        case SetType():
            return f"a set of {type_.member if isinstance(type_.member, IntType) else describe(type_.member)}"
        case PairType():
            return f"a pair {type_}"
        case DiceType():
            return f"dice of {type_.sides} sides"
        case AnyType():
            return "anything"
    return f"`{type_}`"


def optional(type_: WordType) -> WordType:
    """`T?`: the values of `T`, and `none`."""
    if NONE in type_.codes:
        return type_
    return WordType(f"{type_.name}?", (*type_.values, NONE))


def is_prefix(narrow: WordType, wide: WordType) -> bool:
    """Whether each value has the same code in both types."""
    return wide.values[: len(narrow.values)] == narrow.values


def is_slice(values: tuple[Value, ...], type_: WordType) -> bool:
    """Whether a type has some values one after another, in their order."""
    first = type_.codes.get(values[0], 0) if values else 0
    return bool(values) and type_.values[first : first + len(values)] == values


def strides(params: tuple[Type, ...]) -> tuple[int, ...]:
    """How much the number of a combination grows with the code of each part; the last part varies fastest."""
    sizes = [size(param) for param in params]
    return tuple(prod(sizes[place + 1 :]) for place in range(len(sizes)))


def has_same_bits(narrow: Type, wide: Type) -> bool:
    """Whether a set of one type is, bit by bit, a set of the other."""
    match narrow, wide:
        case (AnyType(), _) | (_, AnyType()):
            return True
        case WordType(), WordType():
            return is_prefix(narrow, wide)
        case IntType(), IntType():
            return wide.low <= narrow.low and narrow.high <= wide.high
    return narrow == wide


def is_within(narrow: Type, wide: Type) -> bool:
    """Whether every value of one type is one of the other.

    Numbers always are: whether one is in range is checked in play.
    """
    if isinstance(narrow, AnyType) or isinstance(wide, AnyType) or narrow == wide:
        return True
    match narrow, wide:
        case WordType(), WordType():
            return all(value in wide.codes for value in narrow.values)
        case IntType(), IntType():
            return True
        case SetType(), SetType():
            return is_within(narrow.member, wide.member)
        case PairType(), PairType():
            return is_within(narrow.left, wide.left) and is_within(narrow.right, wide.right)
        case DiceType(), DiceType():
            return narrow.sides == wide.sides and narrow.most <= wide.most
    return False


def least_upper_bound(left: Type, right: Type) -> Type | None:
    """The smallest type that holds the values of both, if there is one."""
    if isinstance(left, AnyType) or isinstance(right, AnyType):
        return left if isinstance(right, AnyType) else right
    if isinstance(left, SetType) and isinstance(right, SetType):
        member = least_upper_bound(left.member, right.member)
        return SetType(member) if member is not None else None
    if is_within(left, right) and not isinstance(left, IntType):
        return right
    if is_within(right, left) and not isinstance(left, IntType):
        return left
    match left, right:
        case IntType(), IntType():
            return IntType(min(left.low, right.low), max(left.high, right.high))
        case WordType(), WordType():
            # Types that share no value meet where one is optional, or the type of `none` alone.
            if not (
                set(left.values) & set(right.values) or NONE in left.codes or NONE in right.codes
            ):
                return None
            rest = tuple(value for value in right.values if value not in left.codes)
            return WordType(f"{left.name} | {right.name}", left.values + rest)
    return None

"""The finite types of the language.

A word type is an ordered list of values; a value knows the type that first named it, so that
`Area` and `Place = Area | Pool` share the value `Fife`. A value's code is its index in the list.
"""

from __future__ import annotations

from functools import cached_property
from math import comb
from typing import Union

from attrs import field, frozen

Value = tuple[str, str]
"""The type that first named a word, and the word, e.g. ("Area", "Fife")."""

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
        found: dict[str, list[Value]] = {}
        for value in self.values:
            found.setdefault(value[1], []).append(value)
        return found

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
    """Sets of the values of a word type, or of pairs of them."""

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


Type = Union[WordType, IntType, BoolType, SetType, PairType, DiceType, AnyType]
BOOL = BoolType()
ANY = AnyType()
MAX_SIZE = 1 << 20
MAX_NUMBER = 1 << 31


def size(type_: Type) -> int:
    """How many values a type has; a set of n values has 2**n."""
    match type_:
        case WordType():
            return len(type_.values)
        case IntType():
            return type_.high - type_.low + 1
        case PairType():
            return size(type_.left) * size(type_.right)
        case SetType():
            return 1 << min(size(type_.member), 4096)
        case DiceType():
            return comb(type_.most + type_.sides, type_.sides)
        case BoolType():
            return 2
    return 1


def optional(type_: WordType) -> WordType:
    """`T?`: the values of `T`, and `none`."""
    if NONE in type_.codes:
        return type_
    return WordType(f"{type_.name}?", (*type_.values, NONE))


def is_prefix(narrow: WordType, wide: WordType) -> bool:
    """Whether each value has the same code in both types."""
    return wide.values[: len(narrow.values)] == narrow.values


def is_within(narrow: Type, wide: Type) -> bool:
    """Whether every value of one type is a value of the other; numbers always may be, and are checked."""
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
            return narrow.sides == wide.sides
    return False


def join(one: Type, other: Type) -> Type | None:
    """The smallest type that holds the values of both, if there is one."""
    if is_within(one, other) and not isinstance(one, IntType):
        return other
    if is_within(other, one) and not isinstance(one, IntType):
        return one
    match one, other:
        case IntType(), IntType():
            return IntType(min(one.low, other.low), max(one.high, other.high))
        case WordType(), WordType():
            if not (
                set(one.values) & set(other.values) or NONE in one.codes or NONE in other.codes
            ):
                return None
            rest = tuple(value for value in other.values if value not in one.codes)
            return WordType(f"{one.name} | {other.name}", one.values + rest)
        case SetType(), SetType():
            member = join(one.member, other.member)
            return SetType(member) if member is not None else None
    return None

"""The words and numbers in values, one of which may take the place of another in a course."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from hots_rules.compile.codes import bits
from hots_rules.rules.typed import value_types as types

Word = tuple[str, str]
"""A value that may take the place of another in a move: the type that names it, and its word."""
Pair = tuple[Word, Word]
Replacements = Mapping[Word, Word]
"""What takes the place of what."""


class Exchange(NamedTuple):
    """What takes the place of what, and in which steps, by number."""

    replacements: Replacements
    steps: Sequence[int]


def is_alike(first: Word, second: Word) -> bool:
    """Whether two values are of one type, so that one may take the place of the other."""
    return first[0] == second[0]


def words_in(code: int, type_: types.Type) -> Iterator[Word]:
    """The words and numbers in a value."""
    match type_:
        case types.WordType():
            if type_.values[code] != types.NONE:
                yield type_.values[code]
        case types.IntType():
            yield str(type_), str(code)
        case types.SetType():
            for member in bits(code):
                yield from words_in(member, type_.member)
        case types.PairType():
            left, right = types.pair_parts(type_, code)
            yield from words_in(left, type_.left)
            yield from words_in(right, type_.right)


def replaced(code: int, type_: types.Type, replacements: Replacements) -> int:
    """A value with others replaced in it."""
    match type_:
        case types.WordType():
            new = replacements.get(type_.values[code])
            return code if new is None else type_.codes.get(new, code)
        case types.IntType():
            new = replacements.get((str(type_), str(code)))
            return code if new is None else int(new[1])
        case types.SetType():
            return sum({1 << replaced(member, type_.member, replacements) for member in bits(code)})
        case types.PairType():
            left, right = types.pair_parts(type_, code)
            return types.pair_code(
                type_,
                replaced(left, type_.left, replacements),
                replaced(right, type_.right, replacements),
            )
    return code

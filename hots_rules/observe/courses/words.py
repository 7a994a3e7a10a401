"""The words and numbers in values, one of which may take the place of another in a course."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hots_rules.compile.codes import bits
from hots_rules.rules.typed import value_types as types

Word = tuple[str, str]
"""A value that may take the place of another in a move: the type that names it, and its word."""
Pair = tuple[Word, Word]
Exchange = tuple[Mapping[Word, Word], Sequence[int]]
"""What takes the place of what, and in which moves, by number."""


def is_alike(first: Word, second: Word) -> bool:
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


def swapped(code: int, type_: types.Type, pair: Mapping[Word, Word]) -> int:
    """A value with two others exchanged in it."""
    match type_:
        case types.WordType():
            new = pair.get(type_.values[code])
            return code if new is None else type_.codes.get(new, code)
        case types.IntType():
            new = pair.get((str(type_), str(code)))
            return code if new is None else int(new[1])
        case types.SetType():
            return sum({1 << swapped(member, type_.member, pair) for member in bits(code)})
        case types.PairType():
            left, right = types.pair_parts(type_, code)
            return types.pair_code(
                type_, swapped(left, type_.left, pair), swapped(right, type_.right, pair)
            )
    return code

"""The numbers that compiled rules and all readers of states agree on.

A value is a code: the index of its word, a number itself, a mask for a set. The first slots of a
state are the same in every ruleset. At a suspension point play waits until a player or chance answers.
This file imports little, because everything imports it.
"""

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement
from typing import NamedTuple

from hots_rules.rules.typed import value_types as types

POINT, OUTCOME, REASON, FIRST_FREE = 0, 1, 2, 3
HALT = -(1 << 30)
"""In place of the next block: the game is over. Suspension points are -1, -2 and so on."""
Slots = list[int]


def bits(mask: int) -> tuple[int, ...]:
    """The members of a set, in the order of their type."""
    members = []
    while mask:
        low = mask & -mask
        members.append(low.bit_length() - 1)
        mask ^= low
    return tuple(members)


def first_bit(mask: int) -> int:
    """The first member of a set that is not empty."""
    return (mask & -mask).bit_length() - 1


def has_several(mask: int) -> bool:
    """Whether a set has more than one member."""
    return bool(mask & (mask - 1))


def outcome_of(winners: int) -> int:
    """The code of an outcome: 1 if nobody won, 2 + p for player p alone, and minus the mask of several."""
    return -winners if has_several(winners) else winners.bit_length() + 1


def winners_of(outcome: int) -> int:
    """Who won, as a mask of players, by the code of an outcome; none where there is no outcome, or nobody won."""
    return -outcome if outcome < 0 else 1 << outcome >> 2


def has_won(outcome: int, player: int) -> bool:
    """Whether a player won, alone or with others, by the code of an outcome."""
    return bool(winners_of(outcome) >> player & 1)


def winners_text(winners: Sequence[str]) -> str:
    """The names of the winners, with `and` between them; `nobody` without any."""
    return " and ".join(winners) or "nobody"


def codes_of(type_: types.Type) -> range:
    """All codes of a type."""
    low = types.lowest_code(type_)
    return range(low, low + types.size(type_))


def value_text(code: int, type_: types.Type) -> str:
    """Format the value of a code; `ValueParser.value` parses the text."""
    match type_:
        case types.WordType():
            return name_of(type_.values[code], type_)
        case types.BoolType():
            return "yes" if code else "no"
        case types.SetType():
            return f"{{{', '.join(value_text(member, type_.member) for member in bits(code))}}}"
        case types.PairType():
            left, right = types.pair_parts(type_, code)
            return f"({value_text(left, type_.left)}, {value_text(right, type_.right)})"
    return str(code)


def name_of(value: types.Value, type_: types.WordType) -> str:
    """The name of a value, qualified with the type that declares it where the name is ambiguous."""
    owner, word = value
    return word if len(type_.words[word]) == 1 else f"{owner}.{word}"


def dice_rolls(most: int, sides: int) -> tuple[tuple[int, ...], ...]:
    """Every roll of up to `most` dice as a sorted multiset, fewer dice first: the codes of a dice type."""
    return tuple(
        roll
        for number in range(most + 1)
        for roll in combinations_with_replacement(range(1, sides + 1), number)
    )


class DecisionPoint(NamedTuple):
    """Players choose among `legal` codes; `players` is a mask of those who choose, `after` the next block.

    Where several choose in secret, the slot `waiting` holds the mask of those who have not chosen yet.
    """

    legal: Callable[[Slots], list[int]]
    players: Callable[[Slots], int]
    waiting: int | None
    after: int


class DicePoint(NamedTuple):
    """Dice are rolled, `number` of them, into the slot `into`; `most` is None for a single die."""

    number: Callable[[Slots], int]
    key: Callable[[Slots], str]
    sides: int
    most: int | None
    into: int
    after: int


class DrawPoint(NamedTuple):
    """A member of the set `source` is drawn into the slot `into`, by weight where there is a `weight`."""

    source: Callable[[Slots], int]
    key: Callable[[Slots], str]
    weight: Callable[[Slots, int], int] | None
    into: int
    after: int


ChancePoint = DicePoint | DrawPoint
SuspensionPoint = DecisionPoint | DicePoint | DrawPoint

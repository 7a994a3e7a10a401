"""The lines of a snapshot: its moves and its moment as text, and read strictly.

docs/reference/snapshots describes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from attrs import field, frozen

from hots_rules.diagnostics import BadMessage

REMEDY = "replay the actions of the game instead"
_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,1500}")
_MOVES = re.compile(r"moves((?: [0-9-]+)*)")
_MOMENT = re.compile(r"moment (0|[1-9][0-9]{0,8})")
_STATE = re.compile(r"state ([0-9 -]+)")
_OBSERVER = re.compile(r"observer (-1|0|[1-9][0-9]?) (0|[1-9][0-9]{0,8})((?:;[0-9= ]+)*)")
_STACKS = re.compile(r"([1-9][0-9]{0,8})((?: [0-9]{1,6}=[0-9]{1,9})*)")


@frozen
class Stacks:
    """The stacks of one secret type: the number of the next new one, and that of each hidden piece."""

    next_number: int
    numbers: dict[int, int]


@frozen
class SnapshotMoment:
    """A moment of the game: after how many plays, the packed state, and what each observer has seen up to it."""

    plays: int
    slots: tuple[int, ...]
    observers: dict[int, tuple[int, tuple[Stacks, ...]]] = field(factory=dict)
    """The undo limit and the stacks by the number of the player, or of a spectator."""


# ------------------------------------------------------------------ writing
def moves_line(moves: Sequence[int]) -> str:
    """The line of the moves; `parse_moves` is the inverse."""
    return " ".join(["moves", *map(str, moves)])


def moment_lines(moment: SnapshotMoment) -> Iterator[str]:
    """The lines of a moment; `parse_moment` is the inverse."""
    yield f"moment {moment.plays}"
    yield f"state {' '.join(map(str, moment.slots))}"
    for viewer, (undo_limit, stacks) in moment.observers.items():
        yield f"observer {viewer} {undo_limit}{''.join(map(_stacks_text, stacks))}"


def _stacks_text(stacks: Stacks) -> str:
    numbers = (f" {piece}={number}" for piece, number in sorted(stacks.numbers.items()))
    return f";{stacks.next_number}{''.join(numbers)}"


# ------------------------------------------------------------------ reading
def parse_moves(line: str, number: int) -> tuple[int, ...]:
    """The moves of a line.

    Args:
        line: the line.
        number: its number in the snapshot.

    Raises:
        BadMessage: the line is malformed.
    """
    match = _MOVES.fullmatch(line)
    if match is None:
        raise _fault(number, "the moves")
    return _parse_numbers(match[1].split(" ")[1:], number)


def parse_moment(lines: Sequence[str], first: int) -> SnapshotMoment:
    """The moment of some lines.

    Args:
        lines: the lines.
        first: the number of the first one in the snapshot.

    Raises:
        BadMessage: a line is malformed.
    """
    plays = _MOMENT.fullmatch(lines[0] if lines else "")
    if plays is None:
        raise _fault(first, "a moment")
    state = _STATE.fullmatch(lines[1] if len(lines) > 1 else "")
    if state is None:
        raise _fault(first + 1, "the state of the moment")
    moment = SnapshotMoment(int(plays[1]), _parse_numbers(state[1].split(" "), first + 1))
    for number, line in enumerate(lines[2:], first + 2):
        match = _OBSERVER.fullmatch(line)
        if match is None:
            raise _fault(number, "what an observer has seen")
        stacks = tuple(_parse_stacks(part, number) for part in match[3].split(";")[1:])
        moment.observers[int(match[1])] = int(match[2]), stacks
    return moment


def _parse_numbers(words: Sequence[str], line: int) -> tuple[int, ...]:
    if not all(map(_NUMBER.fullmatch, words)):
        raise _fault(line, "integers")
    return tuple(map(int, words))


def _parse_stacks(text: str, line: int) -> Stacks:
    match = _STACKS.fullmatch(text)
    if match is None:
        raise _fault(line, "the stacks of a type")
    pairs = [pair.split("=") for pair in match[2].split(" ")[1:]]
    return Stacks(int(match[1]), {int(piece): int(number) for piece, number in pairs})


def _fault(number: int, expected: str) -> BadMessage:
    return BadMessage(f"line {number}", f"expected {expected}", REMEDY)

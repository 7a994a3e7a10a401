"""How many characters each column of the numbered choices has."""

from __future__ import annotations

from collections.abc import Sequence

WIDTH = 80  # characters in a row, in the smallest window
CHOICES = 3  # rows of choices; more of them stand in further columns


def columns_of(titles: Sequence[str]) -> list[list[str]]:
    """The titles with their numbers, column by column.

    >>> columns_of(["north", "east", "south", "west"])
    [['1 north', '2 east', '3 south'], ['4 west']]
    """
    numbered = [f"{number} {title}" for number, title in enumerate(titles, 1)]
    return [numbered[at : at + CHOICES] for at in range(0, len(numbered), CHOICES)]


def widths_of(columns: Sequence[Sequence[str]], width: int = WIDTH) -> list[int]:
    """The characters for each column with its blanks: equal ones if these are enough, else what its texts need.

    If there is too little room, the widest columns lose what is lacking.

    >>> widths_of([["1 north"], ["2 east"]])
    [40, 40]
    >>> widths_of([["1 retreat the old fox to Shore"], ["4 retreat Hen to Hill"], ["7 end retreats"]])
    [35, 26, 19]
    """
    needed = _needed(columns)
    equal = width // max(1, len(columns))
    if max(needed, default=0) <= equal:
        return [equal] * len(columns)
    while sum(needed) > width:
        needed[needed.index(max(needed))] -= 1
    spare, rest = divmod(width - sum(needed), len(needed))
    return [width + spare + (number < rest) for number, width in enumerate(needed)]


def fits(titles: Sequence[str], width: int = WIDTH) -> bool:
    """Whether titles stand in their columns without being cut."""
    return sum(_needed(columns_of(titles))) <= width


def _needed(columns: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(len, column), default=0) + 2 for column in columns]

"""Lines of a block that are aligned in columns: rows of a table, variables, alternatives, cases."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from attrs import frozen


@frozen
class Columns:
    """How the lines of a kind are divided into columns, and what stands between two columns.

    Only rows are divided at each place; other lines at the first.
    """

    divided_at: str
    between: str
    all_places: bool = False


COLUMNS = {
    "variable": Columns(" : ", " : "),
    "case": Columns(" when ", " when "),
    "alternative": Columns(" ", "  "),
    "row": Columns(" ", "  ", all_places=True),
    "head": Columns(" ", "  ", all_places=True),
}


def align(kind: str, lines: Sequence[str], room: int) -> list[str]:
    """The lines of a block with their columns one under the other.

    If a row of a table does not fit, its columns are not aligned.
    """
    columns = COLUMNS[kind]
    cells = [line.split(columns.divided_at, -1 if columns.all_places else 1) for line in lines]
    padded = [row[:-1] for row in cells]
    widths = [max(map(len, column)) for column in zip_longest(*padded, fillvalue="")]
    aligned = [
        columns.between.join(
            [*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]
            if len(row) > 1
            else row
        )
        for row in cells
    ]
    if columns.all_places and any(len(line) > room for line in aligned):
        return [columns.between.join(row) for row in cells]
    return [line.replace('" default', '"  default') for line in aligned]


def align_comments(lines: Sequence[str], comments: Sequence[str], room: int) -> list[int]:
    """The width to which each line is padded before its comment.

    A comment that does not fit beside the others gets all the room as its width, so that it goes above its line.
    """
    beside = [number for number, comment in enumerate(comments) if comment]
    while True:
        width = max((len(lines[number]) for number in beside), default=0)
        fitting = [n for n in beside if width + 2 + len(comments[n]) <= room]
        if fitting == beside:
            return [width if n in beside else room for n in range(len(lines))]
        beside = fitting

"""Rows of styled characters, of which later ones cover earlier ones."""

from __future__ import annotations

from itertools import groupby

from attrs import define, field

from hots_rules.diagnostics import cropped_line

Fragments = list[tuple[str, str]]
"""Pieces of a row: the names of its styles and a text."""


@define
class Canvas:
    """A rectangle of characters.

    Attributes:
        width: its columns.
        height: its rows.
        ground: the style of a character on which nothing is written.
    """

    width: int
    height: int
    ground: str = ""
    _cells: list[list[tuple[str, str]]] = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self._cells = [[(self.ground, " ")] * self.width for _ in range(self.height)]

    def put(self, column: int, row: int, text: str, style: str = "", width: int = 0) -> int:
        """Write a text, cut to a width and to the canvas; return the column after it.

        Without a style of its own a character keeps that of what it covers.
        """
        if not 0 <= row < self.height:
            return column
        room = self.width - column
        shown = cropped_line(text, min(room, width) if width else room)
        for at, letter in enumerate(shown, column):
            if 0 <= at < self.width:
                below = self._cells[row][at][0]
                self._cells[row][at] = (f"{below} {style}".strip(), letter)
        return column + len(shown)

    def paint(self, column: int, row: int, style: str) -> None:
        """Give a character another style."""
        self._cells[row][column] = (style, self._cells[row][column][1])

    def rows(self) -> list[Fragments]:
        """The rows, in which neighbours of the same style are one text."""
        return [
            [
                (style, "".join(letter for _, letter in cells))
                for style, cells in groupby(row, key=lambda cell: cell[0])
            ]
            for row in self._cells
        ]

    def text(self) -> str:
        """The characters alone, without blanks at the ends of rows."""
        return "\n".join("".join(letter for _, letter in row).rstrip() for row in self._cells)

"""Reports for a terminal, in columns that are as wide as it allows.

It uses Rich, which the extra `cli` installs.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, islice, product
from string import ascii_lowercase
from typing import TYPE_CHECKING

from attrs import frozen

from hots_rules.diagnostics import MissingLibrary, printable
from hots_rules.report.blocks import (
    ABSENT,
    Block,
    Cell,
    Code,
    Details,
    Figures,
    Heading,
    Items,
    Paragraph,
    Row,
    RowGroup,
    Table,
    lines_of,
    words_of,
)

if TYPE_CHECKING:
    from rich.console import Console

MIN_COLUMN = 28  # characters of a column in which texts can be read
_STYLES = {"added": "green", "repealed": "red", "amended": "yellow", "clear": "bold"}
_TRAILING_SPACES = re.compile(r" +$", re.MULTILINE)


def terminal_text(blocks: Iterable[Block], width: int, *, has_colors: bool) -> str:
    """The blocks in lines of at most `width` characters; with colors, it has escape sequences.

    A table whose rows have heads shows the cells below the head of each row. If its columns are too narrow for texts,
    each cell shows a letter, and a list below the row explains the letters.

    Raises:
        MissingLibrary: Rich is not installed.
    """
    try:
        from rich.console import Console
    except ImportError:
        raise MissingLibrary("rich", "cli") from None
    out = Console(
        file=io.StringIO(),
        width=width,
        force_terminal=has_colors,
        color_system="standard" if has_colors else None,
        markup=False,
        highlight=False,
        emoji=False,
        legacy_windows=False,
    )
    printer = _Printer(out)
    with out.capture() as printed:
        printer.blocks(blocks)
    return _TRAILING_SPACES.sub("", printed.get())


@frozen
class _Printer:
    """Prints blocks on a console, with an empty line between them."""

    out: Console

    def blocks(self, blocks: Iterable[Block]) -> None:
        shown = (block for block in blocks if not _is_drawing(block))
        for number, block in enumerate(shown):
            if number:
                self.out.print()
            self._block(block)

    def _block(self, block: Block) -> None:
        match block:
            case Heading(text, level):
                self._columns([words_of(text)], ["bold" if level == 1 else "bold cyan"])
            case Paragraph(text):
                self._columns([words_of(text)])
            case Items(items):
                for item in items:
                    self._columns([words_of(item)])
            case Code(text):
                self._code(text)
            case Table():
                self._table(block.without_figures())
            case Details(summary, blocks):
                self._columns([words_of(summary)], ["bold"])
                self.out.print()
                self.blocks(blocks)
            case Figures():  # for the type checker: `blocks` leaves them out
                return

    def _code(self, text: str) -> None:
        from rich.text import Text as RichText

        for line in printable(text).rstrip("\n").split("\n"):
            self.out.print(RichText(f"  {line}"), soft_wrap=True)

    # -------------------------------------------------------------- tables
    def _table(self, table: Table) -> None:
        if table.caption:
            self._columns([table.caption], ["bold"])
        for number, group in enumerate(table.groups):
            if number:
                self.out.print()
            if group.title:
                self._columns([words_of(group.title)], ["bold cyan"])
            if not table.has_row_heads:
                self._grid(table, group)
            elif self.out.width // max(table.columns, 1) >= MIN_COLUMN:
                self._wide_entries(table, group)
            else:
                self._narrow_entries(table, group)

    def _grid(self, table: Table, group: RowGroup) -> None:
        """The rows in lines, below the heads of the columns."""
        from rich import box
        from rich.table import Table as RichTable
        from rich.text import Text as RichText

        grid = RichTable(
            box=box.SIMPLE_HEAD if table.head else None,
            show_header=bool(table.head),
            pad_edge=False,
            show_edge=False,
        )
        for at in range(table.columns):
            head = words_of(table.head[at]) if at < len(table.head) else ""
            grid.add_column(RichText(printable(head)))
        for row in group.rows:
            cells = (RichText(printable(_words(cell))) for cell in row.cells)
            grid.add_row(*cells, style=_style(row))
        self.out.print(grid)

    def _wide_entries(self, table: Table, group: RowGroup) -> None:
        """Each row as its head, with its cells side by side below it."""
        names = _column_names(table)
        if len(table.head) > 1 and any(row.cells for row in group.rows):
            self._columns(names, ["dim"] * len(names), indent=4)
        for row in group.rows:
            self._entry_head(row)
            if row.cells:
                self._columns([*map(_words, row.cells)], indent=4)

    def _narrow_entries(self, table: Table, group: RowGroup) -> None:
        """Each row as its head with letters for its cells, and below it the text of each letter."""
        names = _column_names(table)
        longest = len(next(islice(_all_letters(), max(table.columns - 1, 0), None)))
        widths = [0, *(max(len(name), longest) for name in names)]
        if len(table.head) > 1 and any(row.cells for row in group.rows):
            self._columns(["", *names], ["dim"] * len(widths), widths=widths, indent=4)
        for row in group.rows:
            cells = [*map(_words, row.cells)]
            letters = _letters(cells)
            self._entry_head(row, [letters[cell] for cell in cells if letters], widths)
            for text, letter in letters.items():
                if text != ABSENT:
                    self._columns([letter, text], widths=[longest, 0], indent=4)

    def _entry_head(
        self, row: Row, letters: Sequence[str] = (), widths: Sequence[int] = ()
    ) -> None:
        """The title of a row with the letters of its cells, then its notes."""
        title, *notes = map(words_of, lines_of(row.head or ""))
        styles = [_style(row)] * (1 + len(letters))
        self._columns([title, *letters], styles, widths=widths if letters else (), indent=2)
        for note in notes:
            self._columns([note], ["dim"], indent=4)

    def _columns(
        self,
        texts: Sequence[str],
        styles: Sequence[str] = (),
        *,
        widths: Sequence[int] = (),
        indent: int = 0,
    ) -> None:
        """Texts side by side; columns of width 0 share the rest of the line."""
        from rich.padding import Padding
        from rich.table import Table as RichTable
        from rich.text import Text as RichText

        grid = RichTable.grid(expand=True, padding=(0, 2, 0, 0))
        for at in range(len(texts)):
            width = widths[at] if widths else 0
            grid.add_column(ratio=None if width else 1, width=width or None)
        cells = zip(texts, styles or [""] * len(texts), strict=True)
        grid.add_row(*(RichText(printable(text), style=style) for text, style in cells))
        self.out.print(Padding(grid, (0, 0, 0, indent)))


def _is_drawing(block: Block) -> bool:
    return isinstance(block, Figures) or (isinstance(block, Table) and block.is_drawing)


def _style(row: Row) -> str:
    return next((_STYLES[kind] for kind in row.kinds if kind in _STYLES), "")


def _words(cell: Cell) -> str:
    return "\n".join(map(words_of, lines_of(cell)))


def _column_names(table: Table) -> list[str]:
    """The heads of the columns of cells in a table whose rows have heads; empty where one is missing."""
    names = [words_of(heading) for heading in table.head[1:]]
    return names + [""] * (table.columns - len(names))


def _letters(cells: list[str]) -> dict[str, str]:
    """Text → the letter that stands for it; what is absent has a dash. Empty if all cells are absent."""
    texts = [text for text in dict.fromkeys(cells) if text != ABSENT]
    return {**dict(zip(texts, _all_letters(), strict=False)), ABSENT: ABSENT} if texts else {}


def _all_letters() -> Iterator[str]:
    """The letters from a to z, then aa, ab and so on."""
    return ("".join(word) for size in count(1) for word in product(ascii_lowercase, repeat=size))

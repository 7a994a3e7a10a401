"""The parts of a report: values that say what is shown, and leave to each printer how."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from attrs import evolve, field, frozen

ABSENT = "–"
"""What a cell says of what does not exist; a terminal gives it no letter."""


@frozen
class Span:
    """Words with a meaning of their own in a text.

    >>> import hots_rules as hr
    >>> hr.report.Paragraph(("Run ", hr.report.Span("hots fmt", "code"), ".")).text[1].text
    'hots fmt'

    Attributes:
        text: the words.
        kind: "strong", "emphasis", "code" or "small".
    """

    text: str
    kind: str


Text: TypeAlias = str | tuple[str | Span, ...]
"""A text in one line; a tuple joins plain words and spans."""


@frozen
class Lines:
    """Several lines in one cell.

    >>> import hots_rules as hr
    >>> len(hr.report.Lines(("rating 3", "steps 4")).lines)
    2

    Attributes:
        lines: the lines.
    """

    lines: tuple[Text, ...]


@frozen
class Figure:
    """A picture.

    Printers without pictures show its caption at most, so a report also says in words what its pictures show.

    >>> import hots_rules as hr
    >>> hr.report.Figure("<svg/>", "The board").caption
    'The board'

    Attributes:
        svg: the picture as the text of an SVG element, as the package `draw` makes it. It is not escaped.
        caption: what it shows.
    """

    svg: str
    caption: str = ""


Cell: TypeAlias = Text | Lines | Figure


@frozen
class Row:
    """A row of a table.

    >>> import hots_rules as hr
    >>> hr.report.Row(("3", "2"), head="rating").head
    'rating'

    Attributes:
        cells: its cells; those that are missing at the end are empty.
        head: what the row is about, in the first column; None where no column has heads. The first of several lines is
            the title, the others are notes.
        kinds: words for what is special about it: classes of HTML. A terminal has a color for "added", "repealed" and
            "amended", and bold letters for "clear".
        data: attributes of HTML for programs, without `data-` before their names.
    """

    cells: tuple[Cell, ...]
    head: Text | Lines | None = None
    kinds: tuple[str, ...] = ()
    data: Mapping[str, str] = field(factory=dict)


@frozen
class RowGroup:
    """Rows under a common title.

    >>> import hots_rules as hr
    >>> hr.report.RowGroup("§5.5 Retreating", ()).title
    '§5.5 Retreating'

    Attributes:
        title: the title; empty for none.
        rows: the rows.
    """

    title: Text
    rows: tuple[Row, ...]


@frozen
class Table:
    """A table.

    >>> import hots_rules as hr
    >>> table = hr.report.Table.of(("player", "wins"), [("Fox", "3")])
    >>> table.rows[0].cells
    ('Fox', '3')

    Attributes:
        head: the heads of the columns; empty for a table without heads.
        groups: the rows, in groups.
        caption: what the table is about; empty for none.
        is_drawing: whether it draws what the report says elsewhere in numbers; printers without pictures leave it out.
    """

    head: tuple[Text, ...]
    groups: tuple[RowGroup, ...]
    caption: str = ""
    is_drawing: bool = False

    @classmethod
    def of(
        cls,
        head: Sequence[Text],
        rows: Iterable[Row | Sequence[Cell]],
        *,
        caption: str = "",
        is_drawing: bool = False,
    ) -> Table:
        """A table of rows in one group without a title."""
        listed = tuple(row if isinstance(row, Row) else Row(tuple(row)) for row in rows)
        return cls(tuple(head), (RowGroup("", listed),), caption, is_drawing)

    @classmethod
    def of_heads(cls, caption: str, heads: Iterable[Text | Lines]) -> Table:
        """A table whose rows have heads only: titles, and notes if they have several lines."""
        return cls.of((), [Row((), head=head) for head in heads], caption=caption)

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows of all groups."""
        return tuple(row for group in self.groups for row in group.rows)

    @property
    def has_row_heads(self) -> bool:
        """Whether the first column has the heads of the rows."""
        return any(row.head is not None for row in self.rows)

    @property
    def columns(self) -> int:
        """The number of columns of cells, without that of the heads of rows."""
        heads = len(self.head) - self.has_row_heads
        return max([heads, *(len(row.cells) for row in self.rows)])

    def without_figures(self) -> Table:
        """The table without the columns that have only figures."""
        kept = [at for at in range(self.columns) if not self._is_drawn(at)]
        if len(kept) == self.columns:
            return self
        first = int(self.has_row_heads)
        head = (
            *self.head[:first],
            *(self.head[first + at] for at in kept if first + at < len(self.head)),
        )
        groups = tuple(
            evolve(group, rows=tuple(_with_cells(row, kept) for row in group.rows))
            for group in self.groups
        )
        return evolve(self, head=head, groups=groups)

    def _is_drawn(self, at: int) -> bool:
        cells = [row.cells[at] for row in self.rows if at < len(row.cells)]
        return bool(cells) and all(isinstance(cell, Figure) for cell in cells)


def _with_cells(row: Row, kept: Iterable[int]) -> Row:
    return evolve(row, cells=tuple(row.cells[at] for at in kept if at < len(row.cells)))


@frozen
class Heading:
    """A heading.

    >>> import hots_rules as hr
    >>> hr.report.Heading("Method").level
    2

    Attributes:
        text: its text.
        level: 1 for the title of the report, up to 6.
    """

    text: Text
    level: int = 2


@frozen
class Paragraph:
    """A paragraph.

    >>> import hots_rules as hr
    >>> hr.report.Paragraph("1,000 games of each side.").text
    '1,000 games of each side.'

    Attributes:
        text: its text.
    """

    text: Text


@frozen
class Items:
    """A list.

    >>> import hots_rules as hr
    >>> hr.report.Items(("9 amended", "7 added")).items[0]
    '9 amended'

    Attributes:
        items: the texts of its items.
    """

    items: tuple[Text, ...]


@frozen
class Code:
    """Lines of a program or a file, shown as they are.

    >>> import hots_rules as hr
    >>> hr.report.Code("games = 40", "toml").language
    'toml'

    Attributes:
        text: the lines.
        language: their language, such as "toml"; empty if none is known.
    """

    text: str
    language: str = ""


@frozen
class Figures:
    """Pictures side by side, with what their colors mean.

    >>> import hots_rules as hr
    >>> hr.report.Figures((hr.report.Figure("<svg/>", "4.0"),), colors={"Fox": "#b4371f"}).is_small
    False

    Attributes:
        figures: the pictures.
        title: a heading above them; empty for none.
        colors: the name of each color, and the color as CSS has it.
        is_small: whether they are small, so that more stand side by side.
    """

    figures: tuple[Figure, ...]
    title: str = ""
    colors: Mapping[str, str] = field(factory=dict)
    is_small: bool = False


@frozen
class Details:
    """Blocks that a page shows on demand; other printers show them.

    >>> import hots_rules as hr
    >>> hr.report.Details("The position as text", (hr.report.Code("year 1298"),)).summary
    'The position as text'

    Attributes:
        summary: what they are about.
        blocks: the blocks.
    """

    summary: Text
    blocks: tuple[Block, ...]


Block: TypeAlias = Heading | Paragraph | Items | Code | Table | Figures | Details


def spans_of(text: Text) -> tuple[str | Span, ...]:
    """The words and spans of a text."""
    return (text,) if isinstance(text, str) else text


def words_of(text: Text) -> str:
    """A text without the meanings of its spans."""
    return "".join(part if isinstance(part, str) else part.text for part in spans_of(text))


def lines_of(cell: Cell) -> tuple[Text, ...]:
    """The lines of a cell in words."""
    if isinstance(cell, Figure):
        return (cell.caption,) if cell.caption else ()
    return cell.lines if isinstance(cell, Lines) else (cell,)

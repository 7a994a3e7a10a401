"""Reports as Markdown, in which all texts are escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from hots_rules.diagnostics import printable
from hots_rules.report.blocks import (
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
    Span,
    Table,
    Text,
    lines_of,
    spans_of,
    words_of,
)

# An underscore inside a word has no meaning.
_SIGNS = re.compile(r"([\\`*{\[\]<>|~$]|(?<!\w)_|_(?!\w))")
_START = re.compile(r"^(?=[-+#=])|^(\d+)(?=[.)](\s|$))")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_AROUND = {"strong": "**", "emphasis": "*", "small": ""}


def markdown(blocks: Iterable[Block]) -> str:
    """The blocks with an empty line between them; figures are left out."""
    return "\n\n".join(chain.from_iterable(map(_block, blocks))) + "\n"


def _block(block: Block) -> Iterator[str]:
    """The parts of a block, between which there are empty lines."""
    match block:
        case Heading(text, level):
            yield f"{'#' * level} {_text(text)}"
        case Paragraph(text):
            yield _START.sub(_with_backslash, _text(text))
        case Items(items):
            yield "\n".join(f"- {_START.sub(_with_backslash, _text(item))}" for item in items)
        case Code(text, language):
            yield _fenced(text, language)
        case Table() if not block.is_drawing:
            yield from _table(block.without_figures())
        case Details(summary, blocks):
            yield f"**{_plain(words_of(summary))}**"
            yield from chain.from_iterable(map(_block, blocks))
        case Table() | Figures():
            return


# ---------------------------------------------------------------- words
def _text(text: Text, *, in_cell: bool = False) -> str:
    return "".join(
        _span(part, in_cell) if isinstance(part, Span) else _plain(part) for part in spans_of(text)
    )


def _span(span: Span, in_cell: bool) -> str:
    if span.kind == "code":
        return _code(span.text.replace("|", "\\|") if in_cell else span.text)
    around = _AROUND[span.kind]
    words = _plain(span.text)
    return f"{around}{words}{around}" if words.strip() else words


def _code(text: str) -> str:
    """A text as code, between more backticks than it has."""
    line = _line(text)
    ticks = "`" * (_longest_run(line) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def _plain(text: str) -> str:
    """A text with all signs escaped that have a meaning in Markdown."""
    return _ENTITY.sub("&amp;", _SIGNS.sub(r"\\\1", _line(text)))


def _line(text: str) -> str:
    """A text in one line."""
    return re.sub(r"\s+", " ", printable(text))


def _with_backslash(match: re.Match[str]) -> str:
    """The start of a line with a backslash, where it would begin a heading or an item of a list."""
    return f"{match[1] or ''}\\"


def _fenced(text: str, language: str) -> str:
    fence = "`" * max(3, _longest_run(text) + 1)
    return "\n".join((f"{fence}{language}", printable(text).rstrip("\n"), fence))


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


# ---------------------------------------------------------------- tables
def _table(table: Table) -> Iterator[str]:
    """A table for each group of rows, below the title of the group."""
    if table.caption:
        yield f"**{_plain(table.caption)}**"
    for group in table.groups:
        if group.title:
            yield f"### {_text(group.title)}"
        yield "\n".join(_rows(table, group))


def _rows(table: Table, group: RowGroup) -> Iterator[str]:
    width = table.columns + table.has_row_heads
    if width:
        yield _piped([*map(_cell, table.head), *[""] * (width - len(table.head))])
        yield _piped(["---"] * width)
    for row in group.rows:
        cells = [*map(_cell, _cells(table, row))]
        yield _piped([*cells, *[""] * (width - len(cells))])


def _cells(table: Table, row: Row) -> Iterator[Cell]:
    if table.has_row_heads:
        yield row.head if row.head is not None else ""
    yield from row.cells


def _cell(cell: Cell) -> str:
    return "<br>".join(_text(line, in_cell=True) for line in lines_of(cell)).strip()


def _piped(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"

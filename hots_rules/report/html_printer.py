"""Reports as HTML, in which every text is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hots_rules.report.blocks import (
    Block,
    Cell,
    Code,
    Details,
    Figure,
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
)
from hots_rules.report.markup import Markup, document, joined, tag

MAX_ROWS = 500
"""The rows of a table that a notebook shows at most."""
_TAGS = {"strong": "strong", "emphasis": "em", "code": "code", "small": "small"}
STYLE = """
body { font: 15px/1.5 "Segoe UI", Lato, "DejaVu Sans", Arial, sans-serif; color: #2a2118; background: #fffdf8;
  max-width: 75em; margin: 0 auto; padding: 1em; }
h1, h2, h3 { color: #15366b; }
table { border-collapse: collapse; margin: 0.8em 0; }
th, td { border: 1px solid #c9bda5; padding: 0.25em 0.6em; text-align: left; vertical-align: top; }
thead th, th[colspan] { background: #f1e8d4; }
th[scope=row] { font-weight: normal; }
.behavioural > th { background: #fff6d5; }
.clear td { font-weight: 700; }
svg { display: block; }
.figures { display: flex; flex-wrap: wrap; gap: 1em; }
.figures figure { flex: 1 1 22em; max-width: 34em; margin: 0; break-inside: avoid; }
.figures.small figure { flex-basis: 11em; max-width: 16em; }
.figures svg { width: 100%; height: auto; border: 1px solid #c9bda5; }
.figures path, .figures rect, .key i { print-color-adjust: exact; }
.key i { display: inline-block; width: 1em; height: 1em; border: 1px solid #2a2118; vertical-align: -0.1em; }
.key span { margin-right: 1em; }
pre { background: #f1e8d4; padding: 0.8em; white-space: pre-wrap; }
@media print { body { background: none; max-width: none; padding: 0; font-size: 10pt; }
  h2 { break-before: page; } h2:first-of-type { break-before: auto; } tr { break-inside: avoid; } }
"""


def html(blocks: Iterable[Block]) -> Markup:
    """The blocks, one after the other."""
    return joined(*map(_block, blocks), between="\n")


def page(title: str, blocks: Iterable[Block], language: str) -> str:
    """The blocks as a page that stands alone."""
    return document(title, tag("main", html(blocks)), style=STYLE, language=language)


def notebook_table(rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """A table whose first column names the rows, as a notebook shows a value.

    Rows beyond 500 are counted and left out.

    >>> from hots_rules.report.html_printer import notebook_table
    >>> notebook_table([("year", "1298")])
    '<table style="text-align:left"><tbody><tr><th scope="row">year</th><td>1298</td></tr></tbody></table>'
    """
    texts = (list(map(str, row)) for row in rows)
    listed = [Row(tuple(cells), head=name) for name, *cells in texts]
    shown = listed[:MAX_ROWS]
    if len(listed) > MAX_ROWS:
        shown.append(Row((), head=f"… +{len(listed) - MAX_ROWS}"))
    return _table(Table.of((), shown, caption=caption), style="text-align:left")


def _block(block: Block) -> Markup:
    match block:
        case Heading(text, level):
            return tag(f"h{level}", _text(text))
        case Paragraph(text):
            return tag("p", _text(text))
        case Items(items):
            return tag("ul", *(tag("li", _text(item)) for item in items))
        case Code(text):
            return tag("pre", text)
        case Table():
            return _table(block)
        case Figures():
            return joined(*_figures(block), between="\n")
        case Details(summary, blocks):
            return tag("details", tag("summary", _text(summary)), html(blocks))


def _text(text: Text) -> Markup:
    return joined(
        *(
            tag(_TAGS[part.kind], part.text) if isinstance(part, Span) else part
            for part in spans_of(text)
        )
    )


def _cell(cell: Cell) -> Markup:
    if isinstance(cell, Figure):
        return Markup(cell.svg)
    return joined(*map(_text, lines_of(cell)), between="<br>")


def _table(table: Table, style: str | None = None) -> Markup:
    """A table, in which each group of rows has a body of its own."""
    heads = [tag("th", _text(heading), scope="col" if heading else None) for heading in table.head]
    return tag(
        "table",
        tag("caption", table.caption) if table.caption else None,
        tag("thead", tag("tr", *heads)) if heads else None,
        *(_group(table, group) for group in table.groups),
        style=style,
    )


def _group(table: Table, group: RowGroup) -> Markup:
    rows = [_row(table, row) for row in group.rows]
    if group.title:
        width = str(table.columns + table.has_row_heads)
        rows.insert(0, tag("tr", tag("th", _text(group.title), scope="rowgroup", colspan=width)))
    return tag("tbody", *rows)


def _row(table: Table, row: Row) -> Markup:
    head = None if row.head is None else tag("th", _cell(row.head), scope="row")
    missing = table.columns - len(row.cells)
    cells = [tag("td", _cell(cell)) for cell in (*row.cells, *[""] * missing)]
    data = {f"data_{name}": text for name, text in row.data.items()}
    return tag("tr", head, *cells, class_=" ".join(row.kinds) or None, **data)


def _figures(block: Figures) -> Iterator[Markup]:
    if block.title:
        yield tag("h4", block.title)
    if block.colors:
        swatches = (
            tag("span", tag("i", style=f"background: {color}"), f" {name} ")
            for name, color in block.colors.items()
        )
        yield tag("p", *swatches, class_="key")
    drawn = (
        tag("figure", Markup(figure.svg), tag("figcaption", figure.caption))
        for figure in block.figures
    )
    yield tag("div", *drawn, class_="figures small" if block.is_small else "figures")

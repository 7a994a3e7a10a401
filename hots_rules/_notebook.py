"""Tables for notebooks, as HTML in which every text is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

_INVALID = re.compile(r"[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\U00010000-\U0010FFFF]")
MOST_ROWS = 500


def shown(text: object) -> str:
    """A value as the text of an element."""
    return escape(_INVALID.sub("\ufffd", str(text)))


def plain(value: object) -> str:
    """A value of plain data as text; empty for what is empty, zero or no."""
    if isinstance(value, dict):
        texts = ((key, plain(inner)) for key, inner in value.items())
        return ", ".join(f"{key} {text}" for key, text in texts if text)
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "yes" if value is True else str(value) if value else ""


def table(headings: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """A table; its first column names the rows. Rows beyond 500 are counted and left out."""
    listed = list(rows)
    head = "".join(f'<th scope="col">{shown(each)}</th>' for each in headings)
    lines = [
        f'<tr><th scope="row">{shown(first)}</th>'
        + "".join(f"<td>{shown(cell)}</td>" for cell in rest)
        + "</tr>"
        for first, *rest in listed[:MOST_ROWS]
    ]
    if len(listed) > MOST_ROWS:
        lines.append(f"<tr><th>… +{len(listed) - MOST_ROWS}</th></tr>")
    title = f"<caption>{shown(caption)}</caption>" if caption else ""
    top = f"<thead><tr>{head}</tr></thead>" if head else ""
    return f'<table style="text-align:left">{title}{top}<tbody>{"".join(lines)}</tbody></table>'

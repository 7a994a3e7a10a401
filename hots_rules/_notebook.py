"""Tables for notebooks, as HTML in which every text is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

_INVALID = re.compile(r"[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\U00010000-\U0010FFFF]")
MAX_ROWS = 500
_HIDDEN = "?"  # as in the state of a view
_NO_NAMES: Mapping[str, str] = {}


def valid(text: str) -> str:
    """A text without the characters that XML forbids."""
    return _INVALID.sub("\ufffd", text)


def shown(text: object) -> str:
    """A value as the text of an element."""
    return escape(valid(str(text)))


def plain(value: object, names: Mapping[str, str] = _NO_NAMES) -> str:
    """A value of plain data as text; empty for what is empty, zero or no.

    Keys that have the same word stand together after it; `?` is that of hidden values. `names` has the texts of
    names; the others are shown with spaces.

    >>> plain({"Fox": "Far_Hill", "Hen": "Camp", "Hawk": "Far_Hill", "Owl": "?"})
    'Far Hill: Fox, Hawk; Camp: Hen; ?: Owl'
    >>> plain({"Red": {"Move_1": 2, "Move_2": 1}, "Blue": {}})
    'Red (Move 1: 2, Move 2: 1)'
    """
    if isinstance(value, dict):
        return "; ".join(_entries(value, names))
    if isinstance(value, list):
        return ", ".join(_word(member, names) for member in value)
    return _word(value, names) if value else ""


def _entries(values: Mapping[str, object], names: Mapping[str, str]) -> Iterator[str]:
    """The parts of a text of a dict: each word with its keys, the numbers, what is in brackets, what is hidden."""
    keys_of: dict[str, list[str]] = {}
    numbers, brackets = [], []
    for key, value in values.items():
        name, text = _word(key, names), plain(value, names)
        if value is True or isinstance(value, str):
            keys_of.setdefault(text, []).append(name)
        elif text and isinstance(value, int):
            numbers.append(f"{name}: {text}")
        elif text:
            brackets.append(f"{name} ({text})")
    hidden = keys_of.pop(_HIDDEN, [])
    yield from (f"{word}: {', '.join(keys)}" for word, keys in keys_of.items() if word)
    if numbers:
        yield ", ".join(numbers)
    yield from brackets
    if hidden:
        yield f"{_HIDDEN}: {', '.join(hidden)}"


def _word(value: object, names: Mapping[str, str]) -> str:
    """One value as text; a pair in brackets."""
    if isinstance(value, list):
        return f"({', '.join(_word(member, names) for member in value)})"
    if value is True:
        return "yes"
    return names.get(str(value), str(value).replace("_", " "))


def table(headings: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """A table; its first column names the rows. Rows beyond 500 are counted and left out."""
    listed = list(rows)
    head = "".join(f'<th scope="col">{shown(each)}</th>' for each in headings)
    lines = [
        f'<tr><th scope="row">{shown(first)}</th>'
        + "".join(f"<td>{shown(cell)}</td>" for cell in rest)
        + "</tr>"
        for first, *rest in listed[:MAX_ROWS]
    ]
    if len(listed) > MAX_ROWS:
        lines.append(f"<tr><th>… +{len(listed) - MAX_ROWS}</th></tr>")
    title = f"<caption>{shown(caption)}</caption>" if caption else ""
    top = f"<thead><tr>{head}</tr></thead>" if head else ""
    return f'<table style="text-align:left">{title}{top}<tbody>{"".join(lines)}</tbody></table>'

"""One line of a source as a terminal shows it, cropped around the marked part."""

import unicodedata
from typing import NamedTuple

_TAB = 4
_CUT = "…"
_INVISIBLE = "\N{REPLACEMENT CHARACTER}"


class Excerpt(NamedTuple):
    """A line as shown, and the columns of the screen to underline: how far in, and how many."""

    text: str
    indent: int
    carets: int


def plain(text: str) -> str:
    """The text on one line, without control characters."""
    return "".join(_printable(letter) for letter in text.replace("\n", " ").replace("\t", " "))


def width(text: str) -> int:
    """The number of columns that the text fills on a screen."""
    return sum(_width(letter) for letter in text)


def excerpt(line: str, start: int, stop: int, columns: int) -> Excerpt:
    """The line in at most `columns` columns, with its characters `start` up to `stop` marked.

    Counts from 0. A start past the end of the line marks the column after its end.
    """
    start = min(max(start, 0), len(line))
    stop = min(max(stop, start + 1), max(len(line), start + 1))
    # No other characters can be shown, however long the line.
    low, high = max(0, start - 2 * columns), min(len(line), start + 2 * columns)
    cells = _cells(line[low:high] + (" " if start == len(line) else ""))
    start, stop = start - low, stop - low

    total = sum(size for _, size in cells)
    first = 0
    cut_left = low > 0
    if total + cut_left > columns:
        ahead = sum(size for _, size in cells[:start])
        skip = max(0, min(ahead - columns // 3, total - columns + 1))
        while skip > 0:
            skip -= cells[first][1]
            first += 1
        cut_left = cut_left or first > 0

    shown = [_CUT] if cut_left else []
    used = indent = int(cut_left)
    carets = 0
    rest = sum(size for _, size in cells[first:])
    for place, (text, size) in enumerate(cells[first:], start=first):
        # What is left has to fit, or to leave a column for the mark of the cut.
        if used + rest + (high < len(line)) > columns and used + size + 1 > columns:
            shown.append(_CUT)
            break
        shown.append(text)
        used += size
        rest -= size
        if place < start:
            indent += size
        elif place < stop:
            carets += size
    else:
        if high < len(line):
            shown.append(_CUT)
    return Excerpt("".join(shown).rstrip(), indent, max(carets, 1))


def _cells(line: str) -> list[tuple[str, int]]:
    cells: list[tuple[str, int]] = []
    column = 0
    for letter in line:
        text = " " * (_TAB - column % _TAB) if letter == "\t" else _printable(letter)
        size = width(text)
        cells.append((text, size))
        column += size
    return cells


def _printable(letter: str) -> str:
    kind = unicodedata.category(letter)
    if kind[0] == "C" or kind in {"Zl", "Zp"}:
        return _INVISIBLE
    return " " if kind == "Zs" and _width(letter) == 1 else letter


def _width(letter: str) -> int:
    if unicodedata.category(letter) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(letter) in {"W", "F"} else 1

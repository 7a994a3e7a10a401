"""Places of the library as places of the page, which counts units of UTF-16 from the beginning of a text."""

from __future__ import annotations

from attrs import frozen

from hots_rules.diagnostics import Span


@frozen
class Places:
    """The places of a text.

    >>> places = Places.of("ab\\n\U0001f98ac")
    >>> places.offset(2, 2), places.line_and_column(5)
    (5, (2, 2))
    """

    lines: tuple[str, ...]
    starts: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> Places:
        """The places of a text."""
        lines = tuple(text.split("\n"))
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + _units(line) + 1)
        return cls(lines, tuple(starts))

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and a column, both from 1."""
        if not 1 <= line <= len(self.lines):
            return 0 if line < 1 else self.starts[-1] - 1
        return self.starts[line - 1] + _units(self.lines[line - 1][: max(column - 1, 0)])

    def range(self, span: Span) -> tuple[int, int]:
        """Where a part of the text begins and ends."""
        start = self.offset(span.line, span.column)
        return start, max(start, self.offset(span.end_line, span.end_column))

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """The line and the column, from 1, of an offset."""
        line = next((n for n, start in enumerate(self.starts[1:], 1) if offset < start), None)
        if line is None:
            return len(self.lines), len(self.lines[-1]) + 1
        left, column = offset - self.starts[line - 1], 1
        for sign in self.lines[line - 1]:
            if left <= 0:
                break
            left -= _units(sign)
            column += 1
        return line, column


def _units(text: str) -> int:
    return len(text) + sum(ord(sign) > 0xFFFF for sign in text)

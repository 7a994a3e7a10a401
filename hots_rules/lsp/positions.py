"""Places of the library as places of the protocol, which counts lines from 0 and columns in units of UTF-16."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types as lsp

from hots_rules.diagnostics import Span


def to_position(lines: Sequence[str], line: int, column: int) -> lsp.Position:
    """A place by line and column from 1."""
    if not 1 <= line <= len(lines):
        last = max(min(line - 1, len(lines)), 0)
        return lsp.Position(last, 0)
    before = lines[line - 1][: max(column - 1, 0)]
    return lsp.Position(line - 1, _units(before))


def to_range(lines: Sequence[str], span: Span) -> lsp.Range:
    """A part of a text."""
    start = to_position(lines, span.line, span.column)
    return lsp.Range(start, to_position(lines, span.end_line, span.end_column))


def from_position(lines: Sequence[str], position: lsp.Position) -> tuple[int, int]:
    """The line and the column, from 1, of a place in the protocol."""
    if position.line >= len(lines):
        return len(lines), len(lines[-1]) + 1 if lines else 1
    units_left, column = position.character, 0
    for sign in lines[position.line]:
        if units_left <= 0:
            break
        units_left -= _units(sign)
        column += 1
    return position.line + 1, column + 1


def _units(text: str) -> int:
    """The length of a text in units of UTF-16."""
    return len(text) + sum(ord(sign) > 0xFFFF for sign in text)

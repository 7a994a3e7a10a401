"""The statements of a rulebook as its `statements.csv` lists them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from attrs import frozen

from hots_rules.diagnostics import Fault, RulesetError, Span
from hots_rules.rules.sources.source import Layer

_HEAD = ["section", "number", "of", "statement", "rules", "cases", "reason"]
_EXAMPLE = "1.2,1,2,A piece may stay,stay,One piece stays,"
BETWEEN_CASES = "; "
_MAX_DIGITS = 6


@frozen
class Statement:
    """One statement of a rulebook, in words of our own.

    >>> import hots_rules as hr
    >>> hr.testing.statements(hr.load("hots-4.0"))[-1].reason in hr.testing.REASONS
    False

    Attributes:
        section: the section in which it stands.
        number: its place in the section, from 1.
        of: the number of statements of the section, so that none can be lost.
        text: what it says.
        rules: the names of the declarations that carry it.
        cases: the titles of the cases that show it.
        reason: why it needs neither, as in `REASONS`; empty if it has them.
    """

    section: str
    number: int
    of: int
    text: str
    rules: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    reason: str = ""

    def __str__(self) -> str:
        return f"§{self.section} {self.number}. {self.text}"


def statements_in(layer: Layer) -> tuple[Statement, ...]:
    """The statements of the rulebook of a layer; empty without a list.

    Raises:
        RulesetError: the list is malformed.
    """
    rows = tuple(statement_rows(layer))
    if faults := [row for row in rows if isinstance(row, Fault)]:
        raise RulesetError(faults, {layer.statements_file: layer.statements})
    return tuple(row for row in rows if isinstance(row, Statement))


def statement_rows(layer: Layer) -> Iterator[Statement | Fault]:
    """The statements of a list, in their order, with a fault in the place of each malformed row."""
    reader = csv.reader(io.StringIO(layer.statements), strict=True)
    try:
        head = next(reader, _HEAD)
        if head != _HEAD:
            yield _malformed(layer, 1, head, f"begin the list with `{','.join(_HEAD)}`")
            return
        for cells in filter(None, reader):
            yield _statement(layer, reader.line_num, cells)
    except csv.Error as error:
        remedy = 'close each `"`, with a comma or the end of the line after it; inside, double it'
        line = max(reader.line_num, 1)
        headline = f"quotes that cannot be read: {error}"
        yield Fault("malformed-text", headline, _line_span(layer, line), help=remedy)


def _statement(layer: Layer, line: int, cells: list[str]) -> Statement | Fault:
    """The statement of a row; a fault where it is malformed."""
    has_numbers = all(cell.isdecimal() and len(cell) <= _MAX_DIGITS for cell in cells[1:3])
    if len(cells) != len(_HEAD) or not has_numbers:
        return _malformed(layer, line, cells, f"write it as `{_EXAMPLE}`")
    section, number, of, words, rules, titles, reason = cells
    cases = tuple(filter(None, titles.split(BETWEEN_CASES)))
    return Statement(section, int(number), int(of), words, tuple(rules.split()), cases, reason)


def _malformed(layer: Layer, line: int, cells: list[str], remedy: str) -> Fault:
    shown = ", ".join(cells)[:60]
    headline = f"expected {', '.join(_HEAD)}; got {shown}"
    return Fault("malformed-text", headline, _line_span(layer, line), help=remedy)


def _line_span(layer: Layer, line: int) -> Span:
    """A whole line of the list."""
    text = "".join(layer.statements.split("\n")[line - 1 : line])
    return Span(layer.statements_file, line, 1, line, max(len(text), 1) + 1)

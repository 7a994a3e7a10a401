"""Parsing of a text that is being edited: only the declarations that changed are parsed again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypeVar
from zlib import crc32

from attrs import define, evolve, field, frozen

from hots_rules.diagnostics import Fault, RelatedPlace, Span
from hots_rules.syntax import tree
from hots_rules.syntax.comments import blank_texts
from hots_rules.syntax.limits import MAX_FAULTS, count_words, find_excess
from hots_rules.syntax.parse import parse_piece, pieces_of, too_many_faults
from hots_rules.syntax.walk import parts_of

Part = TypeVar("Part")
_LABEL = re.compile(r"label \w+ *\n")
_ENTRY = re.compile(r"  [^\s#)\]}|&]")
ENTRIES = 16  # lines of a `label` that are parsed together, about


@frozen
class ParsedPiece:
    """One declaration of a text, with the comments and the empty lines below it.

    Attributes:
        first: its first line.
        text: its lines.
        items: what it declares, with places in the whole text.
        fault: what is malformed in it; None if nothing is.
    """

    first: int
    text: str
    items: tuple[tree.Item, ...] = field(repr=False)
    fault: Fault | None

    @property
    def last(self) -> int:
        """The last line."""
        return self.first + self.text.count("\n") - 1


@frozen
class ParsedText:
    """The declarations of a text.

    Attributes:
        pieces: its declarations, in order.
        faults: what is malformed: one fault for each declaration at most.
        words: how many words and signs it has.
    """

    pieces: tuple[ParsedPiece, ...]
    faults: tuple[Fault, ...]
    words: int

    @property
    def file(self) -> tree.File:
        """The tree of the declarations without a fault."""
        items = tuple(item for piece in self.pieces for item in piece.items)
        return tree.File(items, span=Span.nowhere())

    def piece_at(self, line: int) -> ParsedPiece | None:
        """The declaration that a line belongs to."""
        return next((piece for piece in self.pieces if piece.first <= line <= piece.last), None)


@define
class PieceParser:
    """Parses the versions of one file, one after the other; what stays the same is not parsed again.

    >>> parser = PieceParser("fox.rules")
    >>> [piece.first for piece in parser.parse("define one = 1\\ndefine two = 2").pieces]
    [1, 2]
    >>> parser.parse("define one = 1\\ndefine two = ").faults[0].place.line
    2
    """

    file: str
    _by_text: dict[str, ParsedPiece] = field(factory=dict, init=False, repr=False)

    def parse(self, text: str) -> ParsedText:
        """The declarations of a version of the text."""
        if fault := find_excess(text, self.file):
            return ParsedText((), (fault,), 0)
        before, self._by_text = self._by_text, {}
        pieces = tuple(
            self._parsed_label(piece.first, piece.text, before)
            if _LABEL.match(piece.text)
            else self._remembered(piece.first, piece.text, before)
            for piece in pieces_of(text, self.file)
        )
        faults = tuple(piece.fault for piece in pieces if piece.fault)
        if len(faults) > MAX_FAULTS:
            faults = (*faults[:MAX_FAULTS], too_many_faults(faults[MAX_FAULTS].place))
        return ParsedText(pieces, faults, count_words(text))

    def _remembered(self, first: int, text: str, before: dict[str, ParsedPiece]) -> ParsedPiece:
        piece = self._by_text[text] = self._parsed_or_moved(first, text, before.get(text))
        return piece

    def _parsed_or_moved(self, first: int, text: str, before: ParsedPiece | None) -> ParsedPiece:
        if before is None:
            result = parse_piece(self.file, first, text)
            if isinstance(result, Fault):
                return ParsedPiece(first, text, (), result)
            return ParsedPiece(first, text, result.items, None)
        if before.first == first:
            return before
        by = first - before.first
        fault = before.fault and _moved_fault(before.fault, by)
        return ParsedPiece(first, text, tuple(moved(item, by) for item in before.items), fault)

    def _parsed_label(self, first: int, text: str, before: dict[str, ParsedPiece]) -> ParsedPiece:
        """A `label`, which may be very long: its entries are parsed in parts, as if each part had its first line."""
        head = text.partition("\n")[0]
        parts = [
            self._remembered(first + line - 1, f"{head}\n{part}", before)
            for line, part in _parts_of_label(text)
        ]
        if fault := next((part.fault for part in parts if part.fault), None):
            return ParsedPiece(first, text, (), fault)
        labels = [item for part in parts for item in part.items if isinstance(item, tree.Label)]
        entries = tuple(entry for label in labels for entry in label.entries)
        begin, end = labels[0].span, labels[-1].span
        span = Span(begin.file, begin.line, begin.column, end.end_line, end.end_column)
        label = tree.Label(labels[0].language, entries, span=span)
        return ParsedPiece(first, text, (label,), None)


def _parts_of_label(text: str) -> Iterator[tuple[int, str]]:
    """Some entries of a `label` at a time, with the number of their first line, from 0.

    A part begins at an entry whose checksum `ENTRIES` divides, so that the parts below a change stay as they are.
    """
    start, lines, has_entry = 1, list[str](), False
    code = blank_texts(text).split("\n")
    for number, line in enumerate(text.split("\n")[1:], start=1):
        is_entry = _ENTRY.match(code[number]) is not None
        if has_entry and is_entry and crc32(line.encode()) % ENTRIES == 0:
            yield start, "\n".join([*lines, ""])
            start, lines, has_entry = number, [], False
        has_entry |= is_entry
        lines.append(line)
    yield start, "\n".join(lines)


def moved(part: Part, by: int) -> Part:
    """A part of a tree moved down by some lines."""
    match part:
        case tuple():
            return tuple([moved(inner, by) for inner in part])  # type: ignore[return-value]
        case tree.Word():
            return tree.Word(part.text, _moved_span(part.span, by))  # type: ignore[return-value]
        case tree.Node():
            kind: Any = type(part)
            names, values = parts_of(kind)
            parts = {
                name: moved(value, by) for name, value in zip(names, values(part), strict=True)
            }
            return kind(**parts, span=_moved_span(part.span, by))  # type: ignore[no-any-return]
    return part


def _moved_span(span: Span, by: int) -> Span:
    if not span.file:
        return span
    return Span(span.file, span.line + by, span.column, span.end_line + by, span.end_column)


def _moved_fault(fault: Fault, by: int) -> Fault:
    related = tuple(
        RelatedPlace(_moved_span(place.span, by), place.note) for place in fault.related
    )
    return evolve(fault, place=_moved_span(fault.place, by), related=related)

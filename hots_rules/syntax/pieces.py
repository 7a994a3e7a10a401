"""A text that changes while it is written: only the declarations that changed are parsed anew."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

from attrs import define, evolve, field, fields, frozen

from hots_rules.diagnostics import Fault, RelatedPlace, Span
from hots_rules.syntax import tree
from hots_rules.syntax.limits import MAX_FAULTS, find_excess
from hots_rules.syntax.parse import parse_piece, pieces_of

Part = TypeVar("Part")


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
    """

    pieces: tuple[ParsedPiece, ...]
    faults: tuple[Fault, ...]

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
    _known: dict[str, ParsedPiece] = field(factory=dict, init=False, repr=False)

    def parse(self, text: str) -> ParsedText:
        """The declarations of a version of the text."""
        if fault := find_excess(text, self.file):
            return ParsedText((), (fault,))
        pieces = tuple(self._piece(each.first, each.text) for each in pieces_of(text, self.file))
        self._known = {piece.text: piece for piece in pieces}
        faults = tuple(piece.fault for piece in pieces if piece.fault)
        return ParsedText(pieces, faults[:MAX_FAULTS])

    def _piece(self, first: int, text: str) -> ParsedPiece:
        known = self._known.get(text)
        if known is None:
            result = parse_piece(self.file, first, text)
            if isinstance(result, Fault):
                return ParsedPiece(first, text, (), result)
            return ParsedPiece(first, text, result.items, None)
        if known.first == first:
            return known
        by = first - known.first
        fault = known.fault and _moved_fault(known.fault, by)
        return ParsedPiece(first, text, tuple(moved(item, by) for item in known.items), fault)


def moved(part: Part, by: int) -> Part:
    """A part of a tree as it is some lines further down."""
    match part:
        case tuple():
            return tuple([moved(each, by) for each in part])  # type: ignore[return-value]
        case tree.Word():
            return tree.Word(part.text, _moved_span(part.span, by))  # type: ignore[return-value]
        case tree.Node():
            kind: Any = type(part)
            names, values = _parts(kind)
            parts = {
                name: moved(value, by) for name, value in zip(names, values(part), strict=True)
            }
            return kind(**parts, span=_moved_span(part.span, by))  # type: ignore[no-any-return]
    return part


@cache
def _parts(kind: Any) -> tuple[list[str], Callable[[Any], tuple[Any, ...]]]:
    names = [each.name for each in fields(kind) if each.name != "span"]
    if len(names) == 1:
        get = attrgetter(names[0])
        return names, lambda node: (get(node),)
    return names, attrgetter(*names) if names else lambda node: ()


def _moved_span(span: Span, by: int) -> Span:
    if not span.file:
        return span
    return Span(span.file, span.line + by, span.column, span.end_line + by, span.end_column)


def _moved_fault(fault: Fault, by: int) -> Fault:
    related = tuple(RelatedPlace(_moved_span(each.span, by), each.note) for each in fault.related)
    return evolve(fault, place=_moved_span(fault.place, by), related=related)

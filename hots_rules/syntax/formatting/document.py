"""Documents: text with places where lines may break, and its layout at a width.

The algebra is that of Wadler, "A prettier printer": a group is set on one line if it fits; otherwise all its breaks
become line ends, and each inner group is decided by itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

from attrs import field, frozen


@frozen
class Break:
    """A line end where the group is broken; `flat` where it is not. A `hard` one breaks its group."""

    flat: str = " "
    hard: bool = False


@frozen
class Choice:
    """One of two texts: the first where the group is broken."""

    broken: str
    flat: str = ""


@frozen
class Remark:
    """A comment among the words of a line. After it a new line begins.

    If it is `trailing`, it stays on the line of the word before it, if there is room.
    """

    text: str
    trailing: bool


@frozen
class Nest:
    """A document whose line ends are indented further."""

    by: int
    body: Document


@frozen
class Group:
    """A document that is set on one line if it fits."""

    body: Document


Document: TypeAlias = "str | Break | Choice | Remark | Nest | Group | Sequence[Document]"


def fill(parts: Sequence[Document]) -> list[Document]:
    """Parts with breaks between them, each of which is a line end only if the next part needs it."""
    return [Group([Break(), part]) if number else part for number, part in enumerate(parts)]


@frozen
class _Piece:
    """A part of a document that is still to be set, in its place."""

    indent: int
    broken: bool
    body: Document


def lay_out(document: Document, width: int) -> list[str]:
    """The lines of a document, each at most `width` columns wide where its breaks allow it."""
    page = _Page(width)
    pending = [_Piece(0, True, document)]
    while pending:
        piece = pending.pop()
        match piece.body:
            case str():
                page.lines[-1] += piece.body
            case Break():
                if piece.broken:
                    page.end_line(piece.indent)
                else:
                    page.lines[-1] += piece.body.flat
            case Choice():
                page.lines[-1] += piece.body.broken if piece.broken else piece.body.flat
            case Remark():
                page.remark(piece.body, piece.indent)
            case Nest():
                pending.append(_Piece(piece.indent + piece.body.by, piece.broken, piece.body.body))
            case Group():
                flat = _Piece(piece.indent, False, piece.body.body)
                fits = _fits(flat, pending, width - len(page.lines[-1]))
                pending.append(_Piece(piece.indent, not fits, piece.body.body))
            case _:
                parts = reversed(piece.body)
                pending += [_Piece(piece.indent, piece.broken, part) for part in parts]
    return [line.rstrip() for line in page.lines]


def _fits(first: _Piece, rest: list[_Piece], room: int) -> bool:
    """Whether a piece and what follows it, up to the next possible line end, fit into the room."""
    pending, waiting = [first], len(rest)
    while room >= 0:
        if not pending:
            if waiting == 0:
                return True
            waiting -= 1
            pending.append(rest[waiting])
        piece = pending.pop()
        match piece.body:
            case str():
                room -= len(piece.body)
            case Break():
                if piece.broken or piece.body.hard:
                    return piece.broken
                room -= len(piece.body.flat)
            case Choice():
                room -= len(piece.body.flat)
            case Remark():
                return piece.broken
            case Nest() | Group():
                pending.append(_Piece(0, piece.broken, piece.body.body))
            case _:
                pending += [_Piece(0, piece.broken, part) for part in reversed(piece.body)]
    return False


@frozen
class _Page:
    """The lines that are set so far."""

    width: int
    lines: list[str] = field(factory=lambda: [""])

    def end_line(self, indent: int) -> None:
        """Begins a new line, unless one has just begun."""
        if not self.lines[-1].strip():
            self.lines.pop()
        self.lines.append(" " * indent)

    def remark(self, remark: Remark, indent: int) -> None:
        """Sets a comment, and begins a new line."""
        if not self.lines[-1].strip() and len(self.lines) > 1:
            self.lines.pop()
        line = self.lines[-1].rstrip()
        if remark.trailing and len(line) + 2 + len(remark.text) <= self.width:
            self.lines[-1] = f"{line}  {remark.text}"
        else:
            wrapped = wrap_comment(remark.text, self.width - indent)
            self.lines.extend(" " * indent + text for text in wrapped)
        self.lines.append(" " * indent)


def wrap_comment(text: str, width: int) -> list[str]:
    """The lines of a comment, none wider than `width` where its words allow it."""
    # The dashes before the title of a chapter only fill the line.
    excess = max(len(text) - width, 0)
    text = re.sub(r"-{10,}", lambda match: match[0][: max(len(match[0]) - excess, 10)], text)
    if len(text) <= width:
        return [text]
    words = text.split()
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(f"# {word}")
    return lines

"""The lines of a text: their indentation, the comments and blank lines between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import define, evolve, field, frozen
from lark import Token, Tree

from hots_rules.syntax.columns import COLUMNS, align, align_comments
from hots_rules.syntax.comments import Comment
from hots_rules.syntax.formatting.document import Document, Nest, fill, lay_out, wrap_comment
from hots_rules.syntax.formatting.forms import WIDTH, PlacedPart, parts_of
from hots_rules.syntax.formatting.line_printer import (
    INDENT,
    WORD_BREAK,
    LinePrinter,
    is_expression,
    tokens_of,
)

_ANY_WIDTH = 1_000_000


@frozen
class SourceLine:
    """A line to set; `first` and `last` are its lines in the source, `column` its indentation there.

    A comment that has its line alone has no document.
    """

    depth: int
    kind: str
    block: int
    first: int
    last: int
    column: int
    document: Document = ""
    is_value: bool = False  # the value of a declaration alone
    comment: str = ""
    aligned: str = ""
    comment_column: int = 0

    @property
    def room(self) -> int:
        """The columns between its indentation and the right margin."""
        return WIDTH - self.depth * INDENT

    @property
    def flat(self) -> str:
        """The line as it is without a limit of width; empty if a comment divides it."""
        lines = lay_out(self.document, _ANY_WIDTH)
        return lines[0] if len(lines) == 1 else ""


@define
class LineLayout:
    """The lines of a parse tree with its comments, in order."""

    comments: list[Comment]
    lines: list[SourceLine] = field(factory=list)

    def add(self, parsed: Tree[Token]) -> None:
        """Adds all lines of a tree."""
        depth, line = 0, list[PlacedPart]()
        for placed in parts_of(parsed, tuple(self.comments)):
            match getattr(placed.part, "type", ""):
                case "_NL":
                    if line:
                        self._add_line(line, depth)
                    line = []
                case "_INDENT":
                    depth += 1
                case "_DEDENT":
                    depth -= 1
                case _:
                    line.append(placed)
        self._add_comments_above(None)
        self._align()

    def _add_line(self, placed: Sequence[PlacedPart], depth: int) -> None:
        parts = [placed_part.part for placed_part in placed]
        words = [t for part in parts for t in tokens_of(part) if t.line is not None]
        source = placed[1 if placed[0].kind == "amend" and len(placed) > 1 else 0]
        first, last = words[0].line or 0, max(t.end_line or 0 for t in words)
        column = (words[0].column or 1) - 1
        line = SourceLine(depth, source.kind, source.block, first, last, column)
        self._add_comments_above(line, words[0].start_pos or 0)
        printer = LinePrinter(self.comments)
        is_value = line.kind in {"define", "invariant", "promise"} and is_expression(parts[0])
        document = printer.value(parts[0]) if is_value else printer.line(line.kind, parts)
        self.lines.append(evolve(line, document=document, is_value=is_value))

    def _add_comments_above(self, line: SourceLine | None, start: int | None = None) -> None:
        while self.comments and (start is None or self.comments[0].start < start):
            comment = self.comments.pop(0)
            above = self.lines[-1] if self.lines else None
            if above is not None and not comment.own_line:
                self.lines[-1] = evolve(above, comment=comment.text)
                continue
            depth = line.depth if line else 0
            if above and above.depth > depth and comment.column > (line.column if line else 0):
                depth = above.depth
            at = comment.line
            self.lines.append(
                SourceLine(depth, "", 0, at, at, comment.column, comment=comment.text)
            )

    def _align(self) -> None:
        """Sets the columns of blocks one under the other, and the comments beside them."""
        blocks: dict[int, list[int]] = {}
        for number, line in enumerate(self.lines):
            if line.kind in COLUMNS and line.flat:
                blocks.setdefault(line.block, []).append(number)
        for numbers in blocks.values():
            lines = [self.lines[number] for number in numbers]
            room = lines[0].room
            texts = align(lines[0].kind, [line.flat for line in lines], room)
            beside = align_comments(texts, [line.comment for line in lines], room)
            for number, text, column in zip(numbers, texts, beside, strict=True):
                line = evolve(self.lines[number], aligned=text, comment_column=column)
                self.lines[number] = line

    # -------------------------------------------------------------- text
    def text(self) -> Iterator[str]:
        """The lines of the text."""
        for number, line in enumerate(self.lines):
            above = self.lines[number - 1] if number else None
            if above and above.depth >= line.depth and line.first - above.last > 1:
                yield ""
            below = self.lines[number + 1] if number + 1 < len(self.lines) else line
            margin = " " * (line.depth * INDENT)
            yield from (margin + text for text in _set(line, opens_block=below.depth > line.depth))


def _set(line: SourceLine, *, opens_block: bool) -> list[str]:
    """The texts of a line without its indentation: its comment beside it or, if it is too long, above it."""
    if line.document == "":
        return wrap_comment(line.comment, line.room)
    flat = line.aligned or line.flat
    if flat and len(flat) <= line.room:
        beside = f"{flat.ljust(line.comment_column)}  {line.comment}" if line.comment else flat
        if len(beside) <= line.room:
            return [beside]
        return [*wrap_comment(line.comment, line.room), flat]
    indent = 0 if line.is_value else 2 * INDENT if opens_block else INDENT
    document = line.document
    if line.kind == "alternative" and line.aligned:
        document = fill(WORD_BREAK.split(line.aligned))
    texts = lay_out(Nest(indent, document), line.room)
    if not line.comment:
        return texts
    if flat:
        return [*wrap_comment(line.comment, line.room), *texts]
    # A comment among the words comes first.
    if len(texts[-1]) + 2 + len(line.comment) <= line.room:
        return [*texts[:-1], f"{texts[-1]}  {line.comment}"]
    return [
        *texts,
        *(" " * (INDENT * opens_block) + c for c in wrap_comment(line.comment, line.room - INDENT)),
    ]

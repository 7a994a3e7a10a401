"""What the author of a text is told where it cannot be read."""

from __future__ import annotations

import re

from attrs import frozen
from lark import Token, UnexpectedInput, UnexpectedToken

from hots_rules.diagnostics import Fault, Place, Span
from hots_rules.syntax.common_mistakes import ParseContext, suggest_fix
from hots_rules.syntax.expected import say_expected, say_got
from hots_rules.syntax.indentation import GluedWordsError, LayoutError, UnevenIndentError

_SIGNS = "=<>!&|+-*/:;%^~."
_CODE = re.compile(r'(?:[^#"]|"[^"]*"|"[^"]*$)*')


@frozen
class Piece:
    """A part of a file that is read by itself: its first line, and its lines."""

    file: str
    first: int
    text: str

    @property
    def offset(self) -> int:
        """What to add to a line as the parser counts, which has one line more before the first."""
        return self.first - 2

    def line(self, number: int) -> str:
        """A line as the parser counts."""
        lines = self.text.split("\n")
        return lines[min(number - 2, len(lines) - 1)] if number >= 2 else ""

    def code(self, number: int) -> str:
        """A line without its comment and the blanks at its end."""
        match = _CODE.match(self.line(number))
        return match[0].rstrip() if match else ""

    def span(self, line: int, column: int, width: int = 1) -> Span:
        """A stretch of a line as the parser counts."""
        line = max(line, 2) + self.offset
        return Span(self.file, line, column, line, column + max(width, 1))

    def end_above(self, number: int) -> tuple[int, int]:
        """The line and the column right after the last word on a line or above it."""
        while number > 2 and not self.code(number):
            number -= 1
        return number, len(self.code(number)) + 1


def blame(error: UnexpectedInput | LayoutError, piece: Piece) -> Fault:
    """The fault behind an error of the parser."""
    if isinstance(error, LayoutError):
        return _blame_layout(error, piece)
    if fault := _find_open_bracket(error, piece):
        return fault
    accepted: set[str] = error.interactive_parser.accepts()  # type: ignore[no-untyped-call]
    if isinstance(error, UnexpectedToken) and error.token.type in {"_NL", "_DEDENT", "$END"}:
        return _blame_end(error.token, accepted, piece)
    if isinstance(error, UnexpectedToken) and error.token.type == "_INDENT":
        return _blame_indent(error.token, accepted, piece)
    if accepted == {"_INDENT"}:
        return _missing_block(error.line - 1, piece)
    return _blame_word(error, accepted, piece)


# ---------------------------------------------------------------- words
def _blame_word(error: UnexpectedInput, accepted: set[str], piece: Piece) -> Fault:
    row = piece.line(error.line)
    start, word = _word_at(row, error.column - 1, hyphens="KIND" in accepted)
    before = row[:start].rstrip() or piece.code(piece.end_above(error.line - 1)[0])
    slip = ParseContext(word, before, row[start + len(word) :].strip(), frozenset(accepted))
    return Fault(
        "malformed-text",
        f"expected {say_expected(accepted, before)}, got {say_got(word)}",
        piece.span(error.line, start + 1, len(word)),
        help=suggest_fix(slip),
    )


def _word_at(row: str, at: int, *, hyphens: bool = False) -> tuple[int, str]:
    """The word or the run of signs around a column, and where it begins."""
    if at >= len(row):
        return len(row), ""
    if row[at] in _SIGNS:
        while at > 0 and row[at - 1] in _SIGNS:
            at -= 1
        found = re.match(rf"[{re.escape(_SIGNS)}]+", row[at:])
    else:
        word = r"[\w-]+" if hyphens else r"\w+"
        found = re.match(rf'"[^"]*"?|{word}|§[0-9.]*|.', row[at:])
    return at, found[0] if found else ""


def _blame_end(token: Token, accepted: set[str], piece: Piece) -> Fault:
    """A line or a text that ends too soon: what is missing is missing after its last word."""
    line, column = piece.end_above(token.line if token.line else piece.text.count("\n") + 2)
    if accepted == {"_INDENT"}:
        return _missing_block(line, piece)
    before = piece.code(line)
    slip = ParseContext("", before, "", frozenset(accepted))
    return Fault(
        "malformed-text",
        f"expected {say_expected(accepted, before)}, got the end of the line",
        piece.span(line, column),
        help=suggest_fix(slip),
    )


# ---------------------------------------------------------------- blocks
def _missing_block(line: int, piece: Piece) -> Fault:
    line, column = piece.end_above(line)
    return Fault(
        "malformed-text",
        "expected an indented block, got none",
        piece.span(line, column),
        help="indent the lines that belong to this one",
    )


def _blame_indent(token: Token, accepted: set[str], piece: Piece) -> Fault:
    line = token.end_line or 2
    width = len(piece.line(line)) - len(piece.line(line).lstrip())
    above, _ = piece.end_above(line - 1)
    help_ = "move the line to the column of the one above it"
    if piece.code(line).strip().startswith("when"):
        help_ = "`when` stands on the line above, after what it limits"
    elif accepted & {"_NL", "RPAR"} or not piece.code(above):
        help_ = "only lines that belong to the one above them are indented"
    return Fault(
        "malformed-text",
        "expected a line that begins in the column of the one above it, got a deeper one"
        if piece.code(above)
        else "expected a line that begins in the first column, got a deeper one",
        piece.span(line, 1, width),
        help=help_,
    )


def _blame_layout(error: LayoutError, piece: Piece) -> Fault:
    token = error.token
    if isinstance(error, GluedWordsError):
        line = token.line or 2
        _, word = _word_at(piece.line(line), (token.column or 1) - 1)
        return Fault(
            "malformed-text",
            f"expected a space after `{token}`, got `{word}`",
            piece.span(line, token.column or 1, len(word)),
            help="write them as two words, or mend the spelling",
        )
    if isinstance(error, UnevenIndentError):
        return _blame_uneven(token, piece)
    return Fault(
        "malformed-text",
        f"expected a bracket that closes `{token}`, got none",
        piece.span(token.line or 2, token.column or 1),
        help="close it, or take it away",
    )


def _blame_uneven(token: Token, piece: Piece) -> Fault:
    line = token.end_line or 2
    row = piece.line(line)
    indent = row[: len(row) - len(row.lstrip())]
    if "\t" in indent or "\t" in _indent_above(line, piece):
        return Fault(
            "malformed-text",
            "expected the same blanks as on the lines above, got tabs and spaces mixed",
            piece.span(line, 1, len(indent)),
            help="indent with spaces everywhere",
        )
    return Fault(
        "malformed-text",
        f"expected a line that begins where a block began, got one in column {len(indent) + 1}",
        piece.span(line, 1, len(indent)),
        help="go back to the column of a line above it",
    )


def _indent_above(line: int, piece: Piece) -> str:
    row = piece.line(piece.end_above(line - 1)[0])
    return row[: len(row) - len(row.lstrip())]


# ---------------------------------------------------------------- brackets
def _find_open_bracket(error: UnexpectedInput, piece: Piece) -> Fault | None:
    """Inside a bracket lines go on: one that was left open shows lines later, so it is to blame."""
    opened: list[tuple[str, int, int]] = []
    for number, row in enumerate(piece.text.split("\n")[: error.line - 2], start=2):
        bare = re.sub(r'"[^"]*"', lambda m: " " * len(m[0]), row).split("#")[0]
        for column, sign in enumerate(bare, start=1):
            if sign in "([{":
                opened.append((sign, number, column))
            elif sign in ")]}" and opened:
                opened.pop()
    if not opened:
        return None
    sign, line, column = opened[-1]
    row = piece.line(error.line)
    start, word = _word_at(row, error.column - 1)
    return Fault(
        "malformed-text",
        f"expected a bracket that closes `{sign}`, got {say_got(word)}",
        piece.span(line, column),
        (Place(piece.span(error.line, start + 1, len(word)), "reading stopped here"),),
        help="close it, or take it away",
    )

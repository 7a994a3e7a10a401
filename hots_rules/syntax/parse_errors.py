"""From an error of the parser to a fault: what was expected, and how to correct it."""

from __future__ import annotations

import re
from functools import cached_property

from attrs import frozen
from lark import Token, UnexpectedInput, UnexpectedToken

from hots_rules.diagnostics import Edit, Fault, Fix, RelatedPlace, Span
from hots_rules.diagnostics.fixes import start_of
from hots_rules.syntax.accepted import accepted_terminals
from hots_rules.syntax.comments import blank_texts, texts_over_lines
from hots_rules.syntax.common_mistakes import ParseContext, find_remedy
from hots_rules.syntax.expected import describe_expected, describe_got
from hots_rules.syntax.indentation import GluedWordsError, LayoutError, UnevenIndentError
from hots_rules.syntax.remedies import Remedy

_SIGNS = "=<>!&|+-*/:;%^~."
_CODE = re.compile(
    r'(?:[^#"]|"[^"]*"|"[^"]*$)*'
)  # a line up to its comment; `#` in a text begins none
FIRST_LINE = 2  # as the parser counts: it is given an empty line before the first


@frozen(slots=False)
class UnparsedPiece:
    """A part of a file that is parsed alone: its first line, and its lines."""

    file: str
    first: int
    text: str

    @property
    def offset(self) -> int:
        """The number to add to a line as the parser counts it."""
        return self.first - FIRST_LINE

    @cached_property
    def _lines(self) -> list[str]:
        return self.text.split("\n")

    def line(self, number: int) -> str:
        """A line as the parser counts it."""
        return (
            self._lines[min(number - FIRST_LINE, len(self._lines) - 1)]
            if number >= FIRST_LINE
            else ""
        )

    def code(self, number: int) -> str:
        """A line without its comment and trailing blanks."""
        match = _CODE.match(self.line(number))
        return match[0].rstrip() if match else ""

    def indent(self, number: int) -> str:
        """The blanks at the beginning of a line."""
        row = self.line(number)
        return row[: len(row) - len(row.lstrip())]

    def span(self, line: int, column: int, width: int = 1) -> Span:
        """A part of a line as the parser counts it."""
        line = max(line, FIRST_LINE) + self.offset
        return Span(self.file, line, column, line, column + max(width, 1))

    def end(self, line: int) -> Span:
        """The empty place right after a line as the parser counts it."""
        return start_of(self.span(line, len(self.line(line).rstrip()) + 1))

    def last_word_end(self, number: int) -> tuple[int, int]:
        """The line and the column right after the last word on a line or above it."""
        while number > FIRST_LINE and not self.code(number):
            number -= 1
        return number, len(self.code(number)) + 1


def fault_of(error: UnexpectedInput | LayoutError, piece: UnparsedPiece) -> Fault:
    """The fault behind an error of the parser."""
    if isinstance(error, LayoutError):
        return _layout_fault(error, piece)
    if fault := _find_open_bracket(error, piece) or _find_open_text(error, piece):
        return fault
    accepted = accepted_terminals(error.interactive_parser.parser_state)
    if isinstance(error, UnexpectedToken) and error.token.type in {"_NL", "_DEDENT", "$END"}:
        return _end_fault(error.token, accepted, piece)
    if isinstance(error, UnexpectedToken) and error.token.type == "_INDENT":
        return _indent_fault(error.token, accepted, piece)
    if accepted == {"_INDENT"}:
        return _missing_block(error.line - 1, piece)
    return _word_fault(error, accepted, piece)


# ---------------------------------------------------------------- words
def _word_fault(error: UnexpectedInput, accepted: set[str], piece: UnparsedPiece) -> Fault:
    row = piece.line(error.line)
    # Where a kind is expected there is often the name of a rule: `repeal no-peeking`.
    start, word = _word_at(row, error.column - 1, hyphens="KIND" in accepted)
    before = row[:start].rstrip() or piece.code(piece.last_word_end(error.line - 1)[0])
    context = ParseContext(word, before, row[start + len(word) :].strip(), frozenset(accepted))
    span, remedy = piece.span(error.line, start + 1, len(word)), find_remedy(context)
    return Fault(
        "malformed-text",
        f"expected {describe_expected(accepted, before)}, got {describe_got(word)}",
        span,
        help=remedy.help,
        fixes=remedy.fixes(span, row),
    )


def _word_at(row: str, at: int, *, hyphens: bool = False) -> tuple[int, str]:
    """The word at a column, or the run of signs around it, and where that begins."""
    if at >= len(row):
        return len(row), ""
    if row[at] in _SIGNS:
        while at > 0 and row[at - 1] in _SIGNS:
            at -= 1
        match = re.match(rf"[{re.escape(_SIGNS)}]+", row[at:])
    else:
        word = r"[\w-]+" if hyphens else r"\w+"
        match = re.match(rf'"[^"]*"?|{word}|§[0-9.]*|.', row[at:])
    return at, match[0] if match else ""


def _end_fault(token: Token, accepted: set[str], piece: UnparsedPiece) -> Fault:
    """The fault of a line or a text that ends too early, right after its last word."""
    line, column = piece.last_word_end(token.line or FIRST_LINE)
    if accepted == {"_INDENT"}:
        return _missing_block(line, piece)
    before = piece.code(line)
    span = piece.span(line, column)
    remedy = find_remedy(ParseContext("", before, "", frozenset(accepted)))
    if "LBRACE" in accepted and " when " in before and "first of" in piece.text:
        remedy = Remedy("after its cases `first of` has a last line with a value, without `when`")
    return Fault(
        "malformed-text",
        f"expected {describe_expected(accepted, before)}, got the end of the line",
        span,
        help=remedy.help,
        fixes=remedy.fixes(span, before),
    )


# ---------------------------------------------------------------- blocks
def _missing_block(line: int, piece: UnparsedPiece) -> Fault:
    line, column = piece.last_word_end(line)
    headline, remedy = "expected an indented block", "indent the lines that belong to this one"
    if piece.code(line).endswith("="):
        headline, remedy = "expected an expression, got the end of the line", ""
    return Fault("malformed-text", headline, piece.span(line, column), help=remedy)


def _indent_fault(token: Token, accepted: set[str], piece: UnparsedPiece) -> Fault:
    line = token.end_line or FIRST_LINE
    above, _ = piece.last_word_end(line - 1)
    remedy = "move the line to the column of the one above it"
    if accepted & {"_NL", "RPAR"} or not piece.code(above):
        remedy = "only lines that belong to the one above them are indented"
    span = piece.span(line, 1, len(piece.indent(line)))
    return Fault("malformed-text", "unexpected indentation", span, help=remedy)


def _layout_fault(error: LayoutError, piece: UnparsedPiece) -> Fault:
    token = error.token
    line, column = token.line or FIRST_LINE, token.column or 1
    if isinstance(error, GluedWordsError):
        _, word = _word_at(piece.line(line), column - 1)
        return Fault(
            "malformed-text",
            f"expected a space after `{token}`, got `{word}`",
            piece.span(line, column, len(word)),
            help="write them as two words, or correct the spelling",
            fixes=[Fix.write(piece.span(line, column, len(token)), f"{token} ")],
        )
    if isinstance(error, UnevenIndentError):
        return _uneven_indent_fault(token, piece)
    return Fault(
        "malformed-text",
        f"`{token}` is never closed",
        piece.span(line, column),
        help="close it, or remove it",
    )


def _uneven_indent_fault(token: Token, piece: UnparsedPiece) -> Fault:
    line = token.end_line or FIRST_LINE
    indent = piece.indent(line)
    headline = "the indentation matches no line above"
    remedy = "go back to the column of a line above it"
    if "\t" in indent or "\t" in piece.indent(piece.last_word_end(line - 1)[0]):
        headline = "tabs and spaces are mixed in the indentation"
        remedy = "indent with spaces everywhere"
    return Fault("malformed-text", headline, piece.span(line, 1, len(indent)), help=remedy)


# ---------------------------------------------------------------- brackets and texts
def _find_open_bracket(error: UnexpectedInput, piece: UnparsedPiece) -> Fault | None:
    """An open bracket above: a line inside brackets is continued, so the parser stops some lines below it."""
    opened: list[tuple[str, int, int]] = []
    rows = blank_texts(piece.text).split("\n")[: error.line - FIRST_LINE]
    for number, row in enumerate(rows, start=FIRST_LINE):
        for column, sign in enumerate(row, start=1):
            if sign in "([{":
                opened.append((sign, number, column))
            elif sign in ")]}" and opened:
                opened.pop()
    if not opened:
        return None
    sign, line, column = opened[-1]
    start, word = _word_at(piece.line(error.line), error.column - 1)
    return Fault(
        "malformed-text",
        f"`{sign}` is never closed",
        piece.span(line, column),
        (RelatedPlace(piece.span(error.line, start + 1, len(word)), "parsing stopped here"),),
        help="close it, or remove it",
    )


def _find_open_text(error: UnexpectedInput, piece: UnparsedPiece) -> Fault | None:
    """A text that ends at the next quote, lines below, because its own is missing."""
    for match in texts_over_lines(piece.text):
        line = piece.text.count("\n", 0, match.start()) + FIRST_LINE
        if line + match[0].count("\n") != error.line:
            continue
        column = match.start() - piece.text.rfind("\n", 0, match.start())
        return Fault(
            "malformed-text",
            "this text is not closed on its line",
            piece.span(line, column, match[0].index("\n")),
            help="close it with a double quote",
            fixes=[Fix("close the text", [Edit(piece.end(line), '"')])],
        )
    return None

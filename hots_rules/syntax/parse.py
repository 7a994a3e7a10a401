"""Text to tree; what cannot be read becomes faults, all of them at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from lark import Lark, Token, UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.indenter import DedentError
from lark.lark import PostLex

from hots_rules._home import grammar_text
from hots_rules.diagnostics import Fault, Span
from hots_rules.syntax import tree
from hots_rules.syntax.build import Builder
from hots_rules.syntax.expected import describe, say_expected

MAX_LINES = 20_000
MAX_CHARACTERS = 2_000_000
MAX_DEPTH = 120
_OPENING = frozenset({"LPAR", "LSQB", "LBRACE"})
_CLOSING = frozenset({"RPAR", "RSQB", "RBRACE"})


class _UnclosedError(Exception):
    """A bracket is still open at the end of the text."""


class _Blocks(PostLex):
    """Indentation as tokens. Keeps nothing between texts, so threads can share the parser."""

    always_accept = ("_NL",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        levels, depth = [0], 0
        for token in stream:
            if token.type != "_NL":
                depth += (token.type in _OPENING) - (token.type in _CLOSING)
                yield token
            elif depth <= 0:
                yield token
                line = str(token).rsplit("\n", 1)[1].expandtabs(8)
                yield from _steps(token, len(line), levels)
        while len(levels) > 1:
            levels.pop()
            yield Token("_DEDENT", "")
        if depth > 0:
            raise _UnclosedError


def _steps(token: Token, indent: int, levels: list[int]) -> Iterator[Token]:
    if indent > levels[-1]:
        levels.append(indent)
        yield Token.new_borrow_pos("_INDENT", str(token), token)
    while indent < levels[-1]:
        levels.pop()
        yield Token.new_borrow_pos("_DEDENT", str(token), token)
    if indent != levels[-1]:
        raise DedentError


@cache
def _grammar() -> Lark:
    return Lark(grammar_text(), parser="lalr", postlex=_Blocks(), start="file", propagate_positions=True,
                maybe_placeholders=True)  # fmt: skip


def parse(text: str, file: str) -> tuple[tree.File, tuple[Fault, ...]]:
    """The tree of a text, and what is wrong with it.

    With faults the tree holds the declarations that could be read.
    """
    if fault := _too_large(text, file):
        return tree.File((), span=Span.nowhere()), (fault,)
    whole, fault = _parse_piece(text, file)
    if fault is None and whole is not None:
        return whole, ()
    return _parse_by_declaration(text, file, fault)


def _too_large(text: str, file: str) -> Fault | None:
    lines = text.count("\n")
    if lines <= MAX_LINES and len(text) <= MAX_CHARACTERS:
        return None
    return Fault(
        "too-large",
        f"expected at most {MAX_LINES} lines and {MAX_CHARACTERS} characters, got {lines} and {len(text)}",
        Span(file, 1, 1, 1, 1),
        help="split the ruleset into files by chapter",
    )


def _parse_by_declaration(
    text: str, file: str, first: Fault | None
) -> tuple[tree.File, tuple[Fault, ...]]:
    """One fault must not hide the others: each top-level declaration is read alone."""
    items: list[tree.Item] = []
    faults: list[Fault] = []
    for line, piece in _pieces(text):
        part, fault = _parse_piece("\n" * (line - 1) + piece, file)
        if part is not None:
            items += part.items
        if fault is not None:
            faults.append(fault)
    if not faults and first is not None:
        faults.append(first)
    return tree.File(tuple(items), span=Span.nowhere()), tuple(faults)


def _pieces(text: str) -> Iterable[tuple[int, str]]:
    """The declarations of a text as (first line, lines): each begins in the first column."""
    start, piece = 1, list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        if line[:1].strip() and not line.startswith("#") and piece:
            yield start, "\n".join(piece) + "\n"
            piece = []
        if not piece:
            start = number
        piece.append(line)
    yield start, "\n".join(piece) + "\n"


def _parse_piece(text: str, file: str) -> tuple[tree.File | None, Fault | None]:
    try:
        parsed = _grammar().parse(text if text.endswith("\n") else text + "\n")
    except UnexpectedInput as error:
        return None, _unexpected(error, text, file)
    except DedentError:
        return None, _bad_indent(text, file)
    except _UnclosedError:
        return None, _unclosed(text, file)
    builder = Builder(file)
    built = builder.build(parsed)
    depth, span = builder.deepest
    if depth > MAX_DEPTH:
        return None, Fault("too-large", f"expected at most {MAX_DEPTH} levels of nesting, got {depth}", span,
                           help="give the inner parts names with `define`")  # fmt: skip
    return built, None


def _unexpected(error: UnexpectedInput, text: str, file: str) -> Fault:
    if isinstance(error, UnexpectedToken):
        token = error.token
        got, width = describe(token.type, str(token)), max(len(str(token).strip() or " "), 1)
        expected = set(error.accepts or error.expected)
        if token.type in {"$END", "_NL", "_INDENT", "_DEDENT"}:
            return _at_line_end(error, text, file, got, expected)
        span = Span(file, error.line, error.column, error.line, error.column + width)
        return Fault(
            "malformed-text", say_expected(expected, got), span, help=_hint(token.type, expected)
        )
    allowed = set(error.allowed or ()) if isinstance(error, UnexpectedCharacters) else set[str]()
    line, column = max(error.line, 1), max(error.column, 1)
    lines = text.splitlines() or [""]
    row = lines[min(line, len(lines)) - 1]
    found = re.match(r"\w+|.", row[column - 1 :])
    got = f"`{found[0]}`" if found else "the end of the line"
    span = Span(file, line, column, line, column + (len(found[0]) if found else 1))
    return Fault("malformed-text", say_expected(allowed, got), span, help=_hint(got, allowed))


def _at_line_end(
    error: UnexpectedToken, text: str, file: str, got: str, expected: set[str]
) -> Fault:
    """A missing word shows at the next token: point at the end of the line where it is missing."""
    lines = text.splitlines() or [""]
    line = min(
        max(error.line if isinstance(error.line, int) and error.line > 0 else len(lines), 1),
        len(lines),
    )
    if error.token.type in {"_INDENT", "_DEDENT"}:
        line = _last_full_line(lines, line if error.token.type == "_INDENT" else line - 1)
    while line > 1 and not lines[line - 1].split("#")[0].strip():
        line -= 1
    column = len(lines[line - 1].split("#")[0].rstrip()) + 1
    span = Span(file, line, column, line, column + 1)
    return Fault(
        "malformed-text", say_expected(expected, got), span, help=_hint(error.token.type, expected)
    )


def _last_full_line(lines: list[str], line: int) -> int:
    line = min(max(line, 1), len(lines))
    while line > 1 and not lines[line - 1].split("#")[0].strip():
        line -= 1
    return line


def _hint(got: str, expected: set[str]) -> str:
    if got == "_INDENT":
        return "move the line to the column of the one above it"
    if expected == {"_INDENT"}:
        return "indent the lines that belong to this one"
    if "STRING" in expected and len(expected) <= 2:
        return 'write a summary in double quotes, e.g. "A die per step."'
    if got == "`'`" or got == "`“`":
        return 'texts stand in straight double quotes, e.g. "A die per step."'
    return ""


def _bad_indent(text: str, file: str) -> Fault:
    levels = [0]
    for number, line in enumerate(text.splitlines(), 1):
        if not line.split("#")[0].strip():
            continue
        indent = len(line.expandtabs(8)) - len(line.expandtabs(8).lstrip())
        while levels[-1] > indent:
            levels.pop()
        if (
            levels[-1] < indent
            and len(levels) > 1
            and indent not in levels
            and _dedents_to(text, number, indent)
        ):
            return _indent_fault(file, number, indent)
        if levels[-1] < indent:
            levels.append(indent)
    return _indent_fault(file, 1, 0)


def _dedents_to(text: str, number: int, indent: int) -> bool:
    before = [row for row in text.splitlines()[: number - 1] if row.split("#")[0].strip()]
    last = before[-1].expandtabs(8) if before else ""
    return len(last) - len(last.lstrip()) > indent


def _indent_fault(file: str, line: int, indent: int) -> Fault:
    return Fault(
        "malformed-text",
        f"expected a line that begins where an earlier block began, got one at column {indent + 1}",
        Span(file, line, 1, line, indent + 1 if indent else 2),
        help="a line ends a block only by going back to the column of a line above it",
    )


def _unclosed(text: str, file: str) -> Fault:
    """A bracket that closes nothing, or is never closed."""
    stack: list[tuple[str, int, int]] = []
    pairs = {")": "(", "]": "[", "}": "{"}
    for number, line in enumerate(text.splitlines(), 1):
        bare = re.sub(r'"[^"]*"', lambda m: " " * len(m[0]), line).split("#")[0]
        for column, sign in enumerate(bare, 1):
            if sign in "([{":
                stack.append((sign, number, column))
            elif sign in pairs and (not stack or stack.pop()[0] != pairs[sign]):
                return Fault("malformed-text", f"expected `{pairs[sign]}` before `{sign}`, got none",
                             Span(file, number, column, number, column + 1))  # fmt: skip
    sign, line_number, column = stack[-1] if stack else ("(", 1, 1)
    return Fault("malformed-text", f"expected a bracket that closes `{sign}`, got the end of the text",
                 Span(file, line_number, column, line_number, column + 1))  # fmt: skip

"""Limits of the size and the nesting of a text, so that no file takes too long to read."""

from __future__ import annotations

import re

from lark import Token, Tree

from hots_rules.diagnostics import Edit, Fault, Fix, Span, find_unprintable, unprintable_headline
from hots_rules.syntax.build import span_of
from hots_rules.syntax.comments import blank_texts

MAX_LINES = 20_000
MAX_CHARACTERS = 1_000_000
MAX_COLUMNS = 10_000
MAX_WORD = 80
MAX_DEPTH = 60
MAX_FAULTS = 100
MAX_WORDS = 100_000

_WORDS = re.compile(r"\w+|[^\w\s]")
_LONG_WORD = re.compile(rf"\w{{{MAX_WORD + 1},}}", re.ASCII)


def count_words(text: str) -> int:
    """The words and signs of a text, without comments and quoted texts."""
    return len(_WORDS.findall(blank_texts(text)))


def find_excess(text: str, file: str) -> Fault | None:
    """The first limit of size that a text exceeds, or its first character that no label may have, if any."""
    lines = text.count("\n")
    if lines > MAX_LINES:
        return _too_large(
            f"expected at most {MAX_LINES:,} lines in a file, got {lines:,}",
            Span(file, MAX_LINES + 1, 1, MAX_LINES + 1, 2),
            "split the ruleset into files by chapter",
        )
    if len(text) > MAX_CHARACTERS:
        return _too_large(
            f"expected at most {MAX_CHARACTERS:,} characters in a file, got {len(text):,}",
            Span(file, 1, 1, 1, 2),
            "split the ruleset into files by chapter",
        )
    if (at := find_unprintable(text)) is not None:
        return _unprintable(text, at, file)
    if (words := count_words(text)) > MAX_WORDS:
        return _too_large(
            f"expected at most {MAX_WORDS:,} words and signs in a file, got {words:,}",
            Span(file, 1, 1, 1, 2),
            "split the ruleset into files by chapter",
        )
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line) > MAX_COLUMNS:
            return _too_large(
                f"expected at most {MAX_COLUMNS:,} characters in a line, got {len(line):,}",
                Span(file, number, MAX_COLUMNS + 1, number, MAX_COLUMNS + 2),
                "break the line inside brackets or a text, or before `and` or `or`",
            )
        if len(line) > MAX_WORD and (long := _LONG_WORD.search(line)):
            return _too_large(
                f"expected a word of at most {MAX_WORD} letters, got {len(long[0])}",
                Span(file, number, long.start() + 1, number, long.end() + 1),
                "choose a shorter name",
            )
    return None


def _unprintable(text: str, at: int, file: str) -> Fault:
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    span = Span(file, line, column, line, column + 1)
    # Where it parts two words, a blank does.
    instead = " " if text[at].isspace() else ""
    return Fault(
        "malformed-text",
        unprintable_headline(text[at]),
        span,
        help="remove it, or write another",
        fixes=[Fix("remove the character", [Edit(span, instead)], is_safe=True)],
    )


def find_depth(parsed: Tree[Token], file: str, offset: int) -> Fault | None:
    """The first place that nests too deeply, if any."""
    pending: list[tuple[Tree[Token], int]] = [(parsed, 0)]
    while pending:
        node, depth = pending.pop()
        if depth > MAX_DEPTH:
            return _too_large(
                f"more than {MAX_DEPTH} levels inside one another",
                span_of(file, node.meta, offset),
                "move the inner parts to a `define` or a phase",
            )
        inner = [child for child in node.children if isinstance(child, Tree)]
        # The cases of `first of` are inside one another.
        steps = range(1, len(inner) + 1) if node.data == "first_of" else [1] * len(inner)
        pending += [(child, depth + step) for child, step in zip(inner, steps, strict=True)]
    return None


def _too_large(headline: str, span: Span, remedy: str) -> Fault:
    return Fault("too-large", headline, span, help=remedy)

"""The declarations of a parsed rulebook as values, with their texts."""

from __future__ import annotations

from textwrap import dedent

from hots_rules.diagnostics import Span, check_kind
from hots_rules.explain.declared.declaration import Contents, Declaration
from hots_rules.rules.rulebook import Entry, Rulebook
from hots_rules.syntax import tree


def read_contents(rulebook: Rulebook) -> Contents:
    """The declarations in force of a rulebook, with its headings."""
    declarations = (_declaration(rulebook, entry) for entry in rulebook.entries.values())
    sections = rulebook.sections
    headings = sections.get(rulebook.name) or next(filter(None, reversed(sections.values())), {})
    return Contents(tuple(declarations), headings)


def _declaration(rulebook: Rulebook, entry: Entry) -> Declaration:
    changes = _changes(entry)
    span = changes[-1].span if changes else entry.node.span
    return Declaration(
        entry.kind,
        entry.name,
        entry.edition,
        entry.previous.edition if entry.previous is not None else None,
        entry.sections,
        entry.summary,
        span.file,
        span.line,
        source_of(rulebook, entry),
        entry.cited,
        entry.wording,
    )


def source_of(rulebook: Rulebook, entry: Entry) -> str:
    """The text of a declaration as its author wrote it, with the comment above it.

    >>> import hots_rules as hr
    >>> book = hr.load("hots-4.0").rulebook
    >>> entry = next(iter(book.of_kind("action")))
    >>> f"action {entry.name}" in hr.explain.source_of(book, entry)
    True
    """
    check_kind("rulebook", rulebook, Rulebook, "a rulebook")
    check_kind("entry", entry, Entry, "an entry of the rulebook")
    texts = [source_at(rulebook, entry.node.span)]
    texts += (source_at(rulebook, line.span) for line in _changes(entry))
    return "\n".join(dict.fromkeys(texts))


def _changes(entry: Entry) -> tuple[tree.AmendPart | tree.Settle, ...]:
    """The lines that change a declaration without redeclaring it, those of the newest rulebook first."""
    if not entry.lines:
        return ()
    before = _changes(entry.previous) if entry.previous is not None else ()
    own = (line for line in entry.lines if isinstance(line, tree.AmendPart | tree.Settle))
    return (*before, *own)


def source_at(rulebook: Rulebook, span: Span) -> str:
    """The lines of a span, with the comment above them."""
    lines = rulebook.source.texts.get(span.file, "").split("\n")
    first = span.line - 1
    while first > 0 and _is_comment(lines[first - 1]):
        first -= 1
    last = span.end_line
    if not lines[last - 1 : last] or not lines[last - 1][: span.end_column - 1].strip():
        last -= 1  # the span ends before the first word of this line
    while last > span.line and _is_blank_or_comment(lines[last - 1]):
        last -= 1
    return dedent("\n".join(lines[first:last])).rstrip()


def _is_comment(line: str) -> bool:
    """Whether a line is a comment on what follows; `# ----` is the heading of several declarations."""
    return line.startswith("#") and not line.startswith("# --")


def _is_blank_or_comment(line: str) -> bool:
    """Whether a line is blank or a comment: after a declaration, such a line is not a part of it."""
    return not line.strip() or line.startswith("#")

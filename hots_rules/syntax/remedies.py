"""One way to correct a malformed line, and the change that does it."""

from __future__ import annotations

import re

from attrs import frozen

from hots_rules.diagnostics import Edit, Fix, Span


@frozen
class Remedy:
    """The advice for a malformed line, and the text that replaces the word that does not fit.

    Attributes:
        help: the remedy in words; empty if none is known.
        instead: the text that replaces the word; None if the author has to find it. It may name `{word}`, the
            `{indent}` of the line, and the groups of `before` and of `after` by number.
        before: a pattern of the text before the word that is replaced too.
        after: a pattern of the text after it that is replaced too.
        is_safe: whether nothing else can be meant.
        title: what the change does; that it writes the text, if empty.
    """

    help: str
    instead: str | None = None
    before: str = ""
    after: str = ""
    is_safe: bool = False
    title: str = ""

    def fixes(self, span: Span, row: str) -> tuple[Fix, ...]:
        """The change of the line in which the word has a place; empty where there is none, or not there."""
        start, stop = span.column - 1, min(span.end_column - 1, len(row))
        word, indent = row[start:stop], row[: len(row) - len(row.lstrip())]
        ahead = re.search(rf"(?:{self.before})$", row[:start])
        behind = re.match(self.after, row[stop:])
        if self.instead is None or ahead is None or behind is None:
            return ()
        groups = (*ahead.groups(), *behind.groups())
        text = self.instead.format(*groups, word=word, indent=indent)
        first, last = start - len(ahead[0]), stop + len(behind[0])
        place = Span(span.file, span.line, first + 1, span.end_line, last + 1)
        edit = Edit(place, _apart(row[:first], text, row[last:]))
        title = self.title or f"write `{text.strip()}`"
        return (Fix(title, [edit], self.is_safe),)


def written(text: str, *, is_safe: bool = True) -> Remedy:
    """The remedy to write another word or sign."""
    return Remedy(f"write `{text}`", text, is_safe=is_safe)


def _apart(before: str, text: str, after: str) -> str:
    """A text with a blank on each side on which a word would run into one of its words."""
    left = " " if before[-1:].isalnum() and text[:1].isalnum() else ""
    right = " " if text[-1:].isalnum() and after[:1].isalnum() else ""
    return f"{left}{text}{right}"

"""What corrects a fault: changes of texts, as values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

from attrs import field, frozen

from .characters import printable
from .span import Span


@frozen
class Edit:
    """A change of one part of a text.

    >>> from hots_rules.diagnostics import Edit, Span
    >>> Edit(Span("fox.rules", 1, 5, 1, 8), "Fox").text
    'Fox'

    Attributes:
        span: what is replaced; it is empty where something is put in.
        text: what stands there instead.
    """

    span: Span
    text: str


def _as_tuple(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    return tuple(edits)


@frozen
class Fix:
    """Changes that together correct a fault.

    >>> from hots_rules.diagnostics import Fix, Span
    >>> fix = Fix.write(Span("fox.rules", 1, 5, 1, 8), "Fox")
    >>> fix.title, fix.is_safe
    ('write `Fox`', False)

    Attributes:
        title: what it does, in a few words.
        edits: the changes; they do not overlap.
        is_safe: whether it can be applied without asking, because the author can have meant nothing else.
    """

    title: str = field(converter=printable)
    edits: tuple[Edit, ...] = field(converter=_as_tuple)
    is_safe: bool = False

    @classmethod
    def write(cls, span: Span, text: str, *, is_safe: bool = False) -> Fix:
        """A fix that writes another text in the place of a part."""
        return cls(f"write `{text}`", (Edit(span, text),), is_safe)

    @classmethod
    def put_before(cls, span: Span, text: str) -> Fix:
        """A fix that writes a text in front of a part."""
        return cls(f"write `{text.strip()}` in front", (Edit(start_of(span), text),))

    @classmethod
    def put_around(cls, span: Span, before: str, after: str) -> Fix:
        """A fix that puts signs around a part."""
        edits = (Edit(start_of(span), before), Edit(end_of(span), after))
        return cls(f"write `{before}…{after}`", edits)

    @classmethod
    def remove_lines(cls, span: Span, *, is_safe: bool = False) -> Fix:
        """A fix that removes the lines of a part."""
        last = span.end_line if span.end_column > 1 else span.end_line - 1
        lines = Span(span.file, span.line, 1, last + 1, 1)
        title = "remove the line" if last == span.line else "remove the lines"
        return cls(title, (Edit(lines, ""),), is_safe)


def start_of(span: Span) -> Span:
    """The empty place in front of a part of a text."""
    return Span(span.file, span.line, span.column, span.line, span.column)


def end_of(span: Span) -> Span:
    """The empty place right after a part of a text."""
    return Span(span.file, span.end_line, span.end_column, span.end_line, span.end_column)


def between(first: Span, second: Span) -> Span:
    """What is between two parts of a text."""
    return Span(first.file, first.end_line, first.end_column, second.line, second.column)


# ---------------------------------------------------------------- applying
def apply_fixes(
    fixes: Iterable[Fix], texts: Mapping[str, str]
) -> tuple[dict[str, str], tuple[Fix, ...]]:
    """The texts after some fixes, and the fixes that were applied: of two that change the same place, the first.

    A fix that changes a file that is not among the texts, or a place that its file does not have, is left out.

    >>> from hots_rules.diagnostics import Fix, Span, apply_fixes
    >>> fix = Fix.write(Span("fox.rules", 1, 5, 1, 8), "Fox")
    >>> apply_fixes([fix], {"fox.rules": "add Fix"})[0]
    {'fox.rules': 'add Fox'}
    """
    changes: dict[str, list[tuple[int, int, str]]] = {}
    applied = []
    for fix in dict.fromkeys(fixes):
        placed = [(edit.span.file, _by_offsets(edit, texts)) for edit in fix.edits]
        with_fix = {name: list(earlier) for name, earlier in changes.items()}
        for name, change in placed:
            if change is not None:
                with_fix.setdefault(name, []).append(change)
        if all(change for _, change in placed) and not any(map(_overlap, with_fix.values())):
            changes = with_fix
            applied.append(fix)
    changed = {name: _changed(text, changes.get(name, ())) for name, text in texts.items()}
    return changed, tuple(applied)


def _by_offsets(edit: Edit, texts: Mapping[str, str]) -> tuple[int, int, str] | None:
    """An edit by the characters of its text, from 0; None where the text does not have the place."""
    text = texts.get(edit.span.file)
    if text is None:
        return None
    rows, span = text.split("\n"), edit.span
    places = list[int]()
    for line, column in ((span.line, span.column), (span.end_line, span.end_column)):
        # Right after the last line there is a place too: removing that line reaches there.
        is_end = (line, column) == (len(rows) + 1, 1)
        if not is_end and not (0 < line <= len(rows) and 0 < column <= len(rows[line - 1]) + 1):
            return None
        before = sum(len(row) + 1 for row in rows[: line - 1])
        places.append(min(before + column - 1, len(text)))
    start, stop = places
    return (start, stop, edit.text) if start <= stop else None


def _overlap(changes: Iterable[tuple[int, int, str]]) -> bool:
    """Whether two changes replace one character, or stand at one place."""
    return any(
        after[0] < before[1] or after[0] == before[0] for before, after in pairwise(sorted(changes))
    )


def _changed(text: str, changes: Iterable[tuple[int, int, str]]) -> str:
    for start, stop, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[stop:]
    return text

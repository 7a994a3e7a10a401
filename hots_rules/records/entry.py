"""The actions of a record, with comments and variations, and their lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import field, frozen


@frozen
class Entry:
    """An action of a record.

    >>> import hots_rules as hr
    >>> print(hr.records.Entry("Red: rest", "0123abcd", comments=("Why not move?",)))
    Red: rest #0123abcd
    # Why not move?
    """

    text: str
    """The action."""
    digest: str = ""
    """The first 8 digits of the hash chain after the action; empty if the record has none."""
    comments: tuple[str, ...] = ()
    """The comment lines that follow the action."""
    variations: tuple[tuple[Entry, ...], ...] = ()
    """Other ways to continue from the moment before the action."""
    line: int = field(default=0, eq=False, repr=False)
    """The line of the text that it was parsed from; 0 if none."""

    def __str__(self) -> str:
        return "\n".join(format_entries((self,)))


def format_entries(entries: Iterable[Entry], indent: str = "") -> Iterator[str]:
    """The lines of some entries."""
    for entry in entries:
        yield f"{indent}{entry.text}" + (f" #{entry.digest}" if entry.digest else "")
        yield from format_comments(entry.comments, indent)
        for variation in entry.variations:
            yield f"{indent}("
            yield from format_entries(variation, f"{indent}  ")
            yield f"{indent})"


def format_comments(comments: Iterable[str], indent: str = "") -> Iterator[str]:
    """The lines of some comments."""
    for comment in comments:
        yield f"{indent}# {comment}".rstrip()

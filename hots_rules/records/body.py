"""The body of a record: its comments, entries and seal, as values and as lines of text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from attrs import define, field, frozen

from hots_rules.diagnostics import BadRecord, find_unprintable, how_to_raise

MAX_DEPTH = 20  # of variations in variations
_SEAL = re.compile(r"state ([0-9a-f]{32})")
_DIGEST = re.compile(r"(.*) #([0-9a-f]{8})")
_SHORT = re.compile(r"(?:[0-9a-f]{8})?")


# ------------------------------------------------------------------ what a line can hold
def is_line(text: object) -> bool:
    """Whether a text is one line wherever it is read, without characters that show nothing."""
    return isinstance(text, str) and "\n" not in text and find_unprintable(text) is None


def is_whole(line: str) -> bool:
    """Whether the last line of a file shows by itself that nothing is missing: it is a seal, or has a digest."""
    return bool(_SEAL.fullmatch(line) or (_DIGEST.fullmatch(line) and not line.startswith("#")))


def comment_lines(text: str) -> tuple[str, ...]:
    """The lines of a comment, without the mark that each of them has in a record.

    Raises:
        BadRecord: it is no text.
    """
    if not isinstance(text, str):
        raise BadRecord(f"expected a comment as text, got {type(text).__name__}")
    lines = text.encode(errors="replace").decode().splitlines() or [""]
    return tuple(line.rstrip() for line in lines)


def comments_in_lines(comments: Iterable[str]) -> tuple[str, ...]:
    """Some comments, with each line as a comment of its own.

    >>> comments_in_lines(["Why?", "Fox\\nHen"])
    ('Why?', 'Fox', 'Hen')
    """
    return tuple(line for comment in comments for line in comment_lines(comment))


def _expect_action(_: object, __: object, text: str) -> None:
    is_action = is_line(text) and text and text.strip() == text and text not in ("(", ")")
    if not is_action or text.startswith("#") or _SEAL.fullmatch(text):
        raise BadRecord(f"expected an action as one line, got `{text!r:.60}`")


def _expect_digest(_: object, __: object, digest: str) -> None:
    if not isinstance(digest, str) or not _SHORT.fullmatch(digest):
        raise BadRecord(f"expected a digest of 8 digits, got `{digest!r:.60}`")


def _expect_actions(_: object, __: object, variations: tuple[tuple[Entry, ...], ...]) -> None:
    if not all(variations):
        raise BadRecord("expected an action in each variation, got an empty one; leave it out")


# ------------------------------------------------------------------ values


@frozen
class Entry:
    """An action of a record.

    Each part of it is written in lines of its own: a comment of several lines becomes several comments, and an action
    that would be read as anything else is refused.

    >>> import hots_rules as hr
    >>> print(hr.records.Entry("Red: rest", "0123abcd", comments=("Why not move?",)))
    Red: rest #0123abcd
    # Why not move?

    Raises:
        BadRecord: a line cannot be written so that it is read back.
    """

    text: str = field(validator=_expect_action)
    """The action."""
    digest: str = field(default="", validator=_expect_digest)
    """The first 8 digits of the hash chain after the action; empty if the record has none."""
    comments: tuple[str, ...] = field(default=(), converter=comments_in_lines)
    """The comment lines that follow the action."""
    variations: tuple[tuple[Entry, ...], ...] = field(default=(), validator=_expect_actions)
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


@frozen
class Body:
    """What follows the head of a record."""

    comments: tuple[str, ...]
    entries: tuple[Entry, ...]
    seal: str


@define
class _OpenEntry:
    """An entry whose comments and variations are still being read."""

    text: str
    digest: str
    line: int
    comments: list[str] = field(factory=list)
    variations: list[list[_OpenEntry]] = field(factory=list)

    def close(self) -> Entry:
        variations = tuple(_closed(variation) for variation in self.variations)
        return Entry(self.text, self.digest, tuple(self.comments), variations, self.line)


def _closed(entries: list[_OpenEntry]) -> tuple[Entry, ...]:
    return tuple(entry.close() for entry in entries)


@define
class BodyParser:
    """Parses the lines of a body; `open_lines` holds the game itself and the open variations, innermost last."""

    most_actions: int
    actions: int = 0
    comments: list[str] = field(factory=list)
    open_lines: list[list[_OpenEntry]] = field(factory=lambda: [[]])

    def parse(self, lines: Iterable[tuple[int, str]]) -> Body:
        """The body of some numbered lines.

        Raises:
            BadRecord: they are not the body of a record.
        """
        seal, last = "", 0
        for number, written in lines:
            line = written.strip()
            if not line:
                continue
            if seal:
                raise BadRecord(f"line {number}: text after the seal `state …`: `{shown(line)}`")
            last = number
            if match := _SEAL.fullmatch(line):
                seal = match[1]
            else:
                self._add_line(line, number)
        if len(self.open_lines) > 1:
            raise BadRecord(f"line {last}: missing `)` after a variation")
        return Body(tuple(self.comments), _closed(self.open_lines[0]), seal)

    def _add_line(self, line: str, number: int) -> None:
        if line == "(":
            self._open_variation(number)
        elif line == ")":
            self._close_variation(number)
        elif line.startswith("#"):
            self._current_comments().append(line.removeprefix("#").removeprefix(" "))
        else:
            self._count_action(number)
            if not is_line(line):
                raise BadRecord(f"line {number}: an action has characters that show nothing")
            match = _DIGEST.fullmatch(line) if len(self.open_lines) == 1 else None
            text, digest = match.groups() if match else (line, "")
            self.open_lines[-1].append(_OpenEntry(text, digest, number))

    def _count_action(self, number: int) -> None:
        self.actions += 1
        if self.actions > self.most_actions:
            raise BadRecord(
                f"line {number}: more than {self.most_actions} actions; "
                f"{how_to_raise('record_actions')}"
            )

    def _current_comments(self) -> list[str]:
        """The comments of the entry above, even if a variation replaces it; those of the record if none."""
        above = [entries[-1] for entries in self.open_lines if entries]
        return above[-1].comments if above else self.comments

    def _open_variation(self, number: int) -> None:
        if not self.open_lines[-1]:
            raise BadRecord(f"line {number}: a variation needs an action before it")
        if len(self.open_lines) > MAX_DEPTH:
            raise BadRecord(
                f"line {number}: variations are nested more than {MAX_DEPTH} levels deep"
            )
        self.open_lines.append([])
        self.open_lines[-2][-1].variations.append(self.open_lines[-1])

    def _close_variation(self, number: int) -> None:
        if len(self.open_lines) == 1:
            raise BadRecord(f"line {number}: `)` without `(`")
        if not self.open_lines.pop():
            raise BadRecord(f"line {number}: the variation has no action")


def shown(line: str) -> str:
    """A line as an error shows it: at most 60 characters."""
    return line[:60]

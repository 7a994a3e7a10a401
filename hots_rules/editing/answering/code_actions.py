"""What corrects a fault: the remedies that it proposes, as changes of the text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from hots_rules.diagnostics import Fault, Span

_WRITTEN = re.compile(r"`([^`…]+)`")


@frozen
class Fix:
    """A change of a text that corrects a fault.

    Attributes:
        title: what it does.
        span: what it replaces; it is empty where something is put in.
        text: what stands there instead.
    """

    title: str
    span: Span
    text: str


def fixes(fault: Fault, text: str) -> list[Fix]:
    """The changes of a text that a fault in it proposes; empty if its remedy is for the author to find.

    >>> place = Span("fox.rules", 1, 5, 1, 8)
    >>> fault = Fault("unknown-name", "no value `Fix`", place, help="did you mean `Fox`?")
    >>> [fix.title for fix in fixes(fault, "add Fix to ready")]
    ['write `Fox`']
    """
    return list(_fixes(fault, text.split("\n")))


def _fixes(fault: Fault, lines: list[str]) -> Iterator[Fix]:
    place, remedy = fault.place, fault.help
    if not 0 < place.line <= len(lines):
        return
    row = lines[place.line - 1]
    if "did you mean" in remedy:
        for word in _WRITTEN.findall(remedy.partition("did you mean")[2]):
            yield _replace(place, word.strip("{}"))
    elif remedy.startswith("declare the ") and remedy.endswith("without `amend`"):
        if found := re.match(r"amend\s+", row):
            span = Span(place.file, place.line, 1, place.line, found.end() + 1)
            yield Fix("take `amend` away", span, "")
    elif "or write `amend " in remedy:
        start = Span(place.file, place.line, 1, place.line, 1)
        yield Fix("write `amend` in front", start, "amend ")
    elif remedy.startswith("take the line away") or (
        remedy == "use it, or take it away" and _is_alone(lines, place.line)
    ):
        yield Fix("take the line away", _whole_line(place), "")
    elif fault.code == "ambiguous-name":
        for word in _WRITTEN.findall(remedy):
            yield _replace(place, word)
    elif remedy.startswith("write one of "):
        for word in remedy.removeprefix("write one of ").split(", ")[:10]:
            yield _replace(place, word.strip("`"))
    elif remedy.startswith("write `no …` or `some …`") or remedy == "write `some …` or `no …`":
        start = Span(place.file, place.line, place.column, place.line, place.column)
        yield from (Fix(f"write `{word}` in front", start, f"{word} ") for word in ("some", "no"))
    elif found := re.fullmatch(r"write `([^`]*)…([^`]*)`|name the row: `([^`]*)…([^`]*)`", remedy):
        yield from _around(place, found, row)
    elif found := re.fullmatch(r"write `(exempt|exception to|elif|:=|:|\||where)`.*", remedy):
        yield from _sign(place, found[1], row)
    elif found := re.match(r"write `exception to ([\w-]+)` in `([\w-]+)`", remedy):
        yield from _exception(place, found[1], found[2], lines)


def _replace(place: Span, word: str) -> Fix:
    return Fix(f"write `{word}`", place, word)


def _whole_line(place: Span) -> Span:
    return Span(place.file, place.line, 1, place.end_line + 1, 1)


def _is_alone(lines: list[str], line: int) -> bool:
    """Whether no line belongs to a line, as its block or as the rest of its expression."""
    indents = [len(row) - len(row.lstrip()) for row in lines[line - 1 : line + 1]]
    below = lines[line].strip() if line < len(lines) else ""
    return not below or indents[1] <= indents[0]


def _around(place: Span, found: re.Match[str], row: str) -> Iterator[Fix]:
    """A remedy such as `the(…)` and `hand[…]`: signs around what stands there, or after a name."""
    before, after = found[1] or found[3] or "", found[2] or found[4] or ""
    if place.line != place.end_line:
        return
    written = row[place.column - 1 : place.end_column - 1]
    rest = row[place.end_column - 1 :]
    name = before.rstrip("([")
    if name == written:
        inner = re.match(r"[(\[]([^()\[\]]*)[)\]]", rest)
        if inner:
            end = place.end_column + inner.end()
            span = Span(place.file, place.line, place.column, place.line, end)
            yield Fix(f"write `{before}{inner[1]}{after}`", span, f"{before}{inner[1]}{after}")
        return
    yield Fix(f"write `{before}{written}{after}`", place, f"{before}{written}{after}")


def _sign(place: Span, sign: str, row: str) -> Iterator[Fix]:
    """A remedy that is one sign or word, which stands in the place of what was written."""
    written = row[place.column - 1 : place.end_column - 1] if place.line == place.end_line else ""
    if sign in (":=", "elif", ":", "|") and written and (sign == "elif" or not written.isalnum()):
        span = place
        if sign == "elif" and (found := re.match(r"\s*else\s+if\b", row)):
            start = row.index("else") + 1
            span = Span(place.file, place.line, start, place.line, found.end() + 1)
        yield Fix(f"write `{sign}`", span, sign)


def _exception(place: Span, first: str, second: str, lines: list[str]) -> Iterator[Fix]:
    for one, other in ((first, second), (second, first)):
        at = next(
            (
                n
                for n, row in enumerate(lines, 1)
                if re.match(rf"(amend )?rule {re.escape(other)}\b", row)
            ),
            0,
        )
        if at:
            start = Span(place.file, at + 1, 1, at + 1, 1)
            yield Fix(f"`{other}` is an exception to `{one}`", start, f"  exception to {one}\n")

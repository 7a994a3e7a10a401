"""Faults for a reader."""

from collections.abc import Iterable, Mapping

from ._excerpt import excerpt, plain, width
from .fault import Fault
from .span import Span

_COLUMNS = 100
_RED = "1;31"
_BLUE = "1;34"
_CYAN = "1;36"
_BOLD = "1"


def draw(fault: Fault, sources: Mapping[str, str], *, colour: bool = False) -> str:
    """The fault with the lines it is about, each with carets under the words that matter.

    A place whose file is not among the sources shows as file, line and column alone.
    Nothing in the drawing ends with a newline.
    """
    return _Drawing(fault, sources, colour).text()


def draw_all(faults: Iterable[Fault], sources: Mapping[str, str], colour: bool = False) -> str:
    """All faults by file and line, and how many there are."""
    ordered = sorted(faults, key=_order)
    drawings = [draw(fault, sources, colour=colour) for fault in ordered]
    return "\n\n".join([*drawings, _count(ordered)])


def _order(fault: Fault) -> tuple[str, int, int, str, str]:
    return (fault.place.file, fault.place.line, fault.place.column, fault.code, fault.headline)


def _count(faults: list[Fault]) -> str:
    if not faults:
        return "no faults"
    number = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
    files = {fault.place.file for fault in faults if fault.place.file}
    return number if len(files) < 2 else f"{number} in {len(files)} files"


class _Drawing:
    """One fault being drawn."""

    def __init__(self, fault: Fault, sources: Mapping[str, str], colour: bool) -> None:
        self._fault = fault
        self._colour = colour
        spans = [fault.place, *(place.span for place in fault.related)]
        self._found = [_find_line(span, sources) for span in spans]
        self._gutter = max((len(str(found[0])) for found in self._found if found), default=1)

    def text(self) -> str:
        fault = self._fault
        code, headline = self._paint(fault.code, _RED), self._paint(plain(fault.headline), _BOLD)
        lines = [f"{code}: {headline}"]
        lines += self._place("-->", fault.place, "", 0)
        for number, place in enumerate(fault.related, start=1):
            lines += self._place(":::", place.span, plain(place.note), number)
        if fault.help:
            lines.append(f"{self._paint('help', _CYAN)}: {plain(fault.help)}")
        return "\n".join(lines)

    def _place(self, arrow: str, span: Span, note: str, number: int) -> list[str]:
        if not span.file:
            return [self._margin("=") + f" {note}"] if note else []
        pointer = " " * self._gutter + self._paint(arrow, _BLUE)
        lines = [f"{pointer} {plain(str(span))}"]
        found = self._found[number]
        if found is None:
            return [*lines, self._margin("=") + f" {note}"] if note else lines
        at, line = found
        return [*lines, *self._marked(span, at, line, note, main=number == 0)]

    def _marked(self, span: Span, at: int, line: str, note: str, *, main: bool) -> list[str]:
        room = _COLUMNS - self._gutter - len(" | ")
        start, stop = _stretch(span, at, line)
        part = excerpt(line, start, stop, room)
        mark = self._paint(("^" if main else "-") * part.carets, _RED if main else _BLUE)
        under = " " * part.indent + mark
        lines = [self._margin("|"), self._margin("|", str(at))]
        if part.text:
            lines[-1] += f" {part.text}"
        if part.indent + part.carets + 1 + width(note) <= room or not note:
            lines.append(self._margin("|") + f" {under} {note}".rstrip())
        else:
            lines += [self._margin("|") + f" {under}", self._margin("=") + f" {note}"]
        lines.append(self._margin("|"))
        return lines

    def _margin(self, rule: str, number: str = "") -> str:
        return self._paint(f"{number:>{self._gutter}} {rule}", _BLUE)

    def _paint(self, text: str, style: str) -> str:
        return f"\x1b[{style}m{text}\x1b[0m" if self._colour else text


def _find_line(span: Span, sources: Mapping[str, str]) -> tuple[int, str] | None:
    """The line a place is on; past the end of the file, its last line."""
    source = sources.get(span.file, "") if span.file else ""
    if not source:
        return None
    lines = source.removesuffix("\n").split("\n")
    at = min(max(span.line, 1), len(lines))
    return at, lines[at - 1].removesuffix("\r")


def _stretch(span: Span, at: int, line: str) -> tuple[int, int]:
    """From which character up to which to mark on the line, counted from 0."""
    # Past the end of the file, what is missing is missing after the last word.
    if span.line > at:
        return len(line.rstrip()), len(line.rstrip()) + 1
    # A place of several lines is marked to the end of the first.
    stop = len(line.rstrip()) if span.end_line > span.line else span.end_column - 1
    return span.column - 1, stop

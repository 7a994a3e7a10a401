"""Faults drawn for a reader."""

from collections.abc import Iterable, Mapping

from ._excerpt import excerpt, plain, width
from .fault import Fault
from .span import Span

_COLUMNS = 100
MAX_DRAWN = 60_000  # characters of all faults of an error
MAX_SENTENCE = 2_000  # characters of a headline, a note or a remedy
_RED = "1;31"
_BLUE = "1;34"
_CYAN = "1;36"
_BOLD = "1"


def draw(fault: Fault, sources: Mapping[str, str], *, colour: bool = False) -> str:
    """The fault with its lines, each with carets under the marked words.

    A place whose file is not among the sources is shown as file, line and column alone.
    The drawing does not end with a newline.

    >>> from hots_rules.diagnostics import Fault, Span, draw
    >>> fault = Fault("unknown-name", "no value `Fix`", Span("fox.rules", 1, 1, 1, 4))
    >>> print(draw(fault, {"fox.rules": "Fix 3"}).splitlines()[0])
    unknown-name: no value `Fix`
    """
    return _FaultDrawing(fault, sources, colour).text()


def draw_all(faults: Iterable[Fault], sources: Mapping[str, str], colour: bool = False) -> str:
    """All faults by file and line, and their number; of many faults, the first `MAX_DRAWN` characters.

    A fault without a place in a text is not counted.

    >>> from hots_rules.diagnostics import Fault, Span, draw_all
    >>> fault = Fault("unknown-name", "no value `Fix`", Span("fox.rules", 1, 1, 1, 4))
    >>> print(draw_all([fault], {"fox.rules": "Fix 3"}).splitlines()[-1])
    1 fault
    """
    ordered = sorted(faults, key=_order)
    drawings, left = list[str](), MAX_DRAWN
    for fault in ordered:
        drawings.append(draw(fault, sources, colour=colour))
        left -= len(drawings[-1])
        if left < 0:
            drawings[-1] = f"… and {len(ordered) - len(drawings) + 1} more"
            break
    count = [] if ordered and not any(fault.place.file for fault in ordered) else [_count(ordered)]
    return "\n\n".join([*drawings, *count])


def _order(fault: Fault) -> tuple[str, int, int, str, str]:
    return (fault.place.file, fault.place.line, fault.place.column, fault.code, fault.headline)


def _count(faults: list[Fault]) -> str:
    if not faults:
        return "no faults"
    number = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
    files = {fault.place.file for fault in faults if fault.place.file}
    return number if len(files) < 2 else f"{number} in {len(files)} files"


class _FaultDrawing:
    """Draws one fault."""

    def __init__(self, fault: Fault, sources: Mapping[str, str], colour: bool) -> None:
        self._fault = fault
        self._colour = colour
        spans = [fault.place, *(place.span for place in fault.related)]
        self._lines = [_find_line(span, sources) for span in spans]
        self._gutter = max((len(str(line[0])) for line in self._lines if line), default=1)

    def text(self) -> str:
        fault = self._fault
        code, headline = (
            self._paint(fault.code, _RED),
            self._paint(plain(fault.headline[:MAX_SENTENCE]), _BOLD),
        )
        lines = [f"{code}: {headline}"]
        lines += self._place("-->", fault.place, "", 0)
        for number, place in enumerate(fault.related, start=1):
            lines += self._place(":::", place.span, plain(place.note[:MAX_SENTENCE]), number)
        if fault.help:
            lines.append(f"{self._paint('help', _CYAN)}: {plain(fault.help[:MAX_SENTENCE])}")
        return "\n".join(lines)

    def _place(self, arrow: str, span: Span, note: str, number: int) -> list[str]:
        if not span.file:
            return [self._margin("=") + f" {note}"] if note else []
        pointer = " " * self._gutter + self._paint(arrow, _BLUE)
        lines = [f"{pointer} {plain(str(span))}"]
        located = self._lines[number]
        if located is None:
            return [*lines, self._margin("=") + f" {note}"] if note else lines
        at, line = located
        return [*lines, *self._marked(span, at, line, note, main=number == 0)]

    def _marked(self, span: Span, at: int, line: str, note: str, *, main: bool) -> list[str]:
        columns = _COLUMNS - self._gutter - len(" | ")
        start, stop = _stretch(span, at, line)
        part = excerpt(line, start, stop, columns)
        mark = self._paint(("^" if main else "-") * part.carets, _RED if main else _BLUE)
        under = " " * part.indent + mark
        lines = [self._margin("|"), self._margin("|", str(at))]
        if part.text:
            lines[-1] += f" {part.text}"
        if part.indent + part.carets + 1 + width(note) <= columns or not note:
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
    """The number and the text of the line of a place; past the end of the file, its last line."""
    source = sources.get(span.file, "") if span.file else ""
    if not source:
        return None
    lines = source.removesuffix("\n").split("\n")
    at = min(max(span.line, 1), len(lines))
    return at, lines[at - 1].removesuffix("\r")


def _stretch(span: Span, at: int, line: str) -> tuple[int, int]:
    """The characters to mark on a line, from the first up to the one after the last, counted from 0."""
    # Past the end of the file, the place is after the last word.
    if span.line > at:
        return len(line.rstrip()), len(line.rstrip()) + 1
    # A place of several lines is marked to the end of the first.
    stop = len(line.rstrip()) if span.end_line > span.line else span.end_column - 1
    return span.column - 1, stop

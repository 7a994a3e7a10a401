"""The numbered headings of each printing, and which of them correspond."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping

from attrs import evolve, frozen

from hots_rules.diagnostics import Fault, Place, Span
from hots_rules.rules.faults import FaultCollector
from hots_rules.rules.sources.find import Layer, Source

_HEADS = (
    ["section", "heading"],
    ["section", "heading", "was"],
    ["section", "heading", "note"],
    ["section", "heading", "was", "note"],
)
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)*")
NOTHING = "-"


@frozen
class Citation:
    """A section of one edition: numbers drift between printings, so a number alone is no key."""

    edition: str
    section: str
    heading: str = ""

    def __str__(self) -> str:
        return f"{self.edition} §{self.section} {self.heading}".rstrip()


@frozen
class Section:
    """A row of `sections.csv`; `was` are the sections that correspond to it in the ruleset below.

    None where the row does not say: then it is the same number, if that exists below. `note` says why no
    rule cites it: it is a heading, an example, a list of parts.
    """

    number: str
    heading: str
    was: tuple[str, ...] | None
    span: Span
    note: str = ""


@frozen
class Sections:
    """The headings of all layers of a ruleset that list some, the newest rulebook first."""

    layers: Mapping[str, Mapping[str, Section]]

    def headings(self, edition: str) -> dict[str, str]:
        """Section number → heading; empty if the edition lists none."""
        return {row.number: row.heading for row in self.layers.get(edition, {}).values()}

    def notes(self, edition: str) -> dict[str, str]:
        """Section number → why no rule cites it, where the list says so."""
        rows = self.layers.get(edition, {}).values()
        return {row.number: row.note for row in rows if row.note}

    def citation(self, edition: str, number: str) -> Citation:
        """A section with its heading."""
        row = self.layers.get(edition, {}).get(number)
        return Citation(edition, number, row.heading if row else "")

    def in_force(self, cites: Iterable[tuple[str, str]]) -> tuple[Citation, ...]:
        """Sections, each with the edition that writes them, as the ruleset that is played numbers them.

        What nothing corresponds to is left out; if that is all, the citations stay as written.
        """
        written = [self.citation(*cite) for cite in cites]
        found = (above for citation in written for above in self._above(citation))
        return tuple(dict.fromkeys(found)) or tuple(written)

    def _above(self, citation: Citation) -> Iterator[Citation]:
        """The sections that correspond to one, through all layers above it."""
        editions = list(self.layers)
        if citation.edition not in editions:
            yield citation  # a ruleset without a list numbers nothing anew
            return
        found, at = [citation.section], editions.index(citation.edition)
        for edition in editions[at + 1 :]:
            found = list(dict.fromkeys(self._next(edition, found)))
        yield from (self.citation(editions[-1], number) for number in found)

    def _next(self, edition: str, below: list[str]) -> Iterator[str]:
        for number in below:
            for row in self.layers[edition].values():
                if number in (row.was if row.was is not None else (row.number,)):
                    yield row.number


def read_sections(source: Source, faults: FaultCollector) -> Sections:
    """The headings of all layers; what is wrong with a row is a fault in its line."""
    known: dict[str, Mapping[str, Section]] = {}
    below: Layer | None = None
    for layer in source.layers:
        if layer.sections:
            rows = _rows(layer, faults)
            if below and layer.sections == below.sections:  # one list beside both of them
                rows = {number: evolve(row, was=None) for number, row in rows.items()}
            for row in rows.values():
                _check_was(row, below, known, faults)
            known[layer.name], below = rows, layer
    return Sections(known)


def _rows(layer: Layer, faults: FaultCollector) -> dict[str, Section]:
    """The rows of one list, the first of each number."""
    found: dict[str, Section] = {}
    reader = csv.reader(io.StringIO(layer.sections), strict=True)
    try:
        head = next(reader, [])
        if head not in _HEADS:
            _say_malformed(layer, 1, "the columns `section,heading,was`", ",".join(head), faults)
            return found
        for cells in reader:
            row = _row(layer, reader.line_num, cells, head, faults) if cells else None
            if row is not None and (first := found.setdefault(row.number, row)) is not row:
                faults.add(
                    Fault(
                        "duplicate-name",
                        f"expected a section once, got `{row.number}` again",
                        row.span,
                        (Place(first.span, "first listed here"),),
                        "put the headings of one number into one row",
                    )
                )
    except csv.Error as error:
        said = "quotes that close, and fields of some length"
        _say_malformed(layer, max(reader.line_num, 1), said, str(error), faults)
    return found


def _row(
    layer: Layer, line: int, cells: list[str], head: list[str], faults: FaultCollector
) -> Section | None:
    named = dict(zip(head, cells, strict=False))
    number, was = named.get("section", "").strip(), named.get("was", "").split()
    if len(cells) != len(head):
        said = ",".join(cells)
        _say_malformed(layer, line, f"{len(head)} fields, parted by commas", said, faults)
        return None
    for word in (number, *(word for word in was if was != [NOTHING])):
        if not _NUMBER.fullmatch(word):
            _say_malformed(layer, line, "the number of a section such as `5.7`", word, faults)
            return None
    corresponds = () if was == [NOTHING] else tuple(was) or None
    return Section(
        number, named["heading"], corresponds, _line(layer, line), named.get("note", "").strip()
    )


def _check_was(
    row: Section,
    below: Layer | None,
    known: Mapping[str, Mapping[str, Section]],
    faults: FaultCollector,
) -> None:
    """What a section was, the ruleset below must have."""
    there = known[below.name] if below else {}
    for number in row.was or ():
        if number not in there:
            close = faults.closest_match(number, there)
            mend = f"did you mean `{close}`?" if close else "write `-` where nothing corresponds"
            said = below.name if below else "a ruleset below that lists its sections"
            related = (Place(_line(below, 1), "its sections are listed here"),) if below else ()
            headline = f"expected a section of {said}, got `{number}`"
            faults.add(Fault("unknown-section", headline, row.span, related, mend))


def _say_malformed(
    layer: Layer, line: int, expected: str, got: str, faults: FaultCollector
) -> None:
    shown = got if len(got) <= 60 else f"{got[:57]}…"
    mend = "write e.g. `5.7,Capture,5.6`; a heading with a comma stands in quotes"
    headline = f"expected {expected}, got `{shown}`"
    faults.add(Fault("malformed-text", headline, _line(layer, line), help=mend))


def _line(layer: Layer, line: int) -> Span:
    """A whole line of the list."""
    text = layer.sections.split("\n")[line - 1 :][:1]
    return Span(layer.sections_file, line, 1, line, max(len(text[0]) if text else 0, 1) + 1)

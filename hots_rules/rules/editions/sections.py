"""The numbered headings of each edition, and which of them correspond."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from types import MappingProxyType

from attrs import evolve, frozen

from hots_rules._text import composed
from hots_rules.diagnostics import Fault, RelatedPlace, Span, find_unprintable, unprintable_headline
from hots_rules.rules.faults import FaultCollector
from hots_rules.rules.sources.source import Layer, Source

_HEADS = (
    ["section", "heading"],
    ["section", "heading", "was"],
    ["section", "heading", "note"],
    ["section", "heading", "was", "note"],
)
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)*")
_EXAMPLE = MappingProxyType(
    {"section": "5.7", "heading": '"Capture, Escape"', "was": "5.6 5.8", "note": "an example"}
)
_NOTHING = "-"


@frozen
class Citation:
    """A section of one edition.

    Numbers change between editions, so a number alone does not identify a section.
    """

    edition: str
    """The name of the edition, e.g. `hots-4.0`."""
    section: str
    """The number of the section, e.g. `5.7`."""
    heading: str = ""
    """Its heading, "" if the edition lists no sections."""

    def __str__(self) -> str:
        return f"{self.edition} §{self.section} {self.heading}".rstrip()


@frozen
class Section:
    """A row of `sections.csv`.

    `was` are the corresponding sections of the ruleset below; None where the row leaves it out:
    then the same number corresponds, if it exists below. `note` is the reason why no rule cites it, e.g.
    because it is an example.
    """

    number: str
    heading: str
    was: tuple[str, ...] | None
    span: Span
    note: str = ""

    @property
    def numbers_below(self) -> tuple[str, ...]:
        """The numbers of the corresponding sections below; its own, which may not exist there, if `was` is left out."""
        return (self.number,) if self.was is None else self.was


@frozen
class Sections:
    """The headings of all layers of a ruleset that list some, the newest rulebook first."""

    layers: Mapping[str, Mapping[str, Section]]

    def headings(self, edition: str) -> dict[str, str]:
        """The headings of an edition by section number; empty if it lists none."""
        return {row.number: row.heading for row in self.layers.get(edition, {}).values()}

    def notes(self, edition: str) -> dict[str, str]:
        """Why no rule cites a section, by section number."""
        rows = self.layers.get(edition, {}).values()
        return {row.number: row.note for row in rows if row.note}

    def citation(self, edition: str, number: str) -> Citation:
        """A section with its heading."""
        row = self.layers.get(edition, {}).get(number)
        return Citation(edition, number, row.heading if row else "")

    def in_force(self, cites: Iterable[tuple[str, str]]) -> tuple[Citation, ...]:
        """Sections by edition and number, as the ruleset that is played numbers them.

        A section without a counterpart is left out; if none has one, all stay as written.
        """
        written = [self.citation(*cite) for cite in cites]
        current = (section for citation in written for section in self._current(citation))
        return tuple(dict.fromkeys(current)) or tuple(written)

    def _current(self, citation: Citation) -> Iterator[Citation]:
        """The sections of the last layer that correspond to a citation."""
        editions = list(self.layers)
        if citation.edition not in editions:
            yield citation  # an edition without a list renumbers nothing
            return
        numbers, cited_layer = [citation.section], editions.index(citation.edition)
        for edition in editions[cited_layer + 1 :]:
            numbers = list(dict.fromkeys(self._corresponding(edition, numbers)))
        yield from (self.citation(editions[-1], number) for number in numbers)

    def origins(self, edition: str, number: str) -> tuple[str, ...]:
        """The sections of the newest rulebook to which a section of an edition corresponds; empty if there are none."""
        editions = list(self.layers)
        if edition not in editions:
            return ()
        numbers = [number]
        for newer, older in reversed([*pairwise(editions[: editions.index(edition) + 1])]):
            newer_rows = self.layers[newer]
            rows = (self.layers[older].get(section) for section in numbers)
            below = (section for row in rows if row for section in row.numbers_below)
            numbers = list(dict.fromkeys(section for section in below if section in newer_rows))
        return tuple(numbers)

    def _corresponding(self, edition: str, below: list[str]) -> Iterator[str]:
        """The sections of an edition that correspond to some of the layer below."""
        for number in below:
            for row in self.layers[edition].values():
                if number in row.numbers_below:
                    yield row.number


def read_sections(source: Source, faults: FaultCollector) -> Sections:
    """The headings of all layers; a malformed row is a fault in its line."""
    layers: dict[str, Mapping[str, Section]] = {}
    below: Layer | None = None
    for layer in source.layers:
        if layer.sections:
            rows = _rows(layer, faults)
            if below and layer.sections == below.sections:  # both read the same list
                rows = {number: evolve(row, was=None) for number, row in rows.items()}
            for row in rows.values():
                _check_was(row, below, layers, faults)
            layers[layer.name], below = rows, layer
    return Sections(layers)


def _rows(layer: Layer, faults: FaultCollector) -> dict[str, Section]:
    """The rows of one list by number; where a number is listed twice, the first row."""
    rows: dict[str, Section] = {}
    text = composed(layer.sections)
    if (at := find_unprintable(text)) is not None:
        line, headline = text.count("\n", 0, at) + 1, unprintable_headline(text[at])
        _malformed(layer, line, headline, "write the sign that you mean, or leave it out", faults)
        return rows
    reader = csv.reader(io.StringIO(text), strict=True)
    try:
        lines = (cells for cells in reader if len(cells) > 1 or "".join(cells).strip())
        head = [cell.strip() for cell in next(lines, [])]
        if head not in _HEADS:
            headline = f"`{_shown(','.join(head))}` are not the columns of a list of sections"
            remedy = "begin it with `section,heading`; `,was` and `,note` may follow, in this order"
            _malformed(layer, 1, headline, remedy, faults)
            return rows
        for cells in lines:
            row = _row(layer, reader.line_num, cells, head, faults)
            if row is not None and (first := rows.setdefault(row.number, row)) is not row:
                faults.add(
                    Fault(
                        "duplicate-name",
                        f"the section `{row.number}` is listed twice",
                        row.span,
                        (RelatedPlace(first.span, "first listed here"),),
                        "put the headings of one number into one row",
                    )
                )
    except csv.Error as error:
        remedy = 'close each `"`, with a comma or the end of the line after it; inside, double it'
        line = max(reader.line_num, 1)
        _malformed(layer, line, f"quotes that cannot be read: {error}", remedy, faults)
    return rows


def _row(
    layer: Layer, line: int, cells: list[str], head: list[str], faults: FaultCollector
) -> Section | None:
    """The section of a row; None, with a fault, where it is malformed."""
    named = dict(zip(head, cells, strict=False))
    number, was = named.get("section", "").strip(), named.get("was", "").split()
    if len(cells) != len(head):
        many = "few" if len(cells) < len(head) else "many"
        headline = f"too {many} fields for `{','.join(head)}`: `{_shown(','.join(cells))}`"
        remedy = (
            f"write {len(head)} fields; a heading with a comma needs quotes: `{_example(head)}`"
        )
        _malformed(layer, line, headline, remedy, faults)
        return None
    for word in (number, *(word for word in was if was != [_NOTHING])):
        if not _NUMBER.fullmatch(word):
            headline = f"`{_shown(word)}` is not the number of a section"
            remedy = f"write numbers with dots, several in `was` with spaces: `{_example(head)}`"
            _malformed(layer, line, headline, remedy, faults)
            return None
    corresponding = () if was == [_NOTHING] else tuple(was) or None
    note = named.get("note", "").strip()
    return Section(number, named["heading"].strip(), corresponding, _line_span(layer, line), note)


def _check_was(
    row: Section,
    below: Layer | None,
    layers: Mapping[str, Mapping[str, Section]],
    faults: FaultCollector,
) -> None:
    """Reports sections to which a row corresponds and that the ruleset below does not have."""
    below_sections = layers[below.name] if below else {}
    for number in row.was or ():
        if number not in below_sections:
            near = faults.suggest(number, below_sections)
            remedy = near.help("write `-` where nothing corresponds")
            owner = f"`{below.name}`" if below else "the ruleset below"
            related = (RelatedPlace(_line_span(below, 1), "its list of sections"),) if below else ()
            headline = f"{owner} has no section `{number}`"
            faults.add(Fault("unknown-section", headline, row.span, related, remedy))


def _example(head: list[str]) -> str:
    """A row for these columns."""
    return ",".join(_EXAMPLE[column] for column in head)


def _malformed(layer: Layer, line: int, headline: str, remedy: str, faults: FaultCollector) -> None:
    faults.add(Fault("malformed-text", headline, _line_span(layer, line), help=remedy))


def _shown(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}…"


def _line_span(layer: Layer, line: int) -> Span:
    """A whole line of the list."""
    lines = layer.sections.split("\n")[line - 1 :][:1]
    return Span(layer.sections_file, line, 1, line, max(len(lines[0]) if lines else 0, 1) + 1)

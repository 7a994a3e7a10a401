"""The differences among several rulesets in one table, and its report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import pairwise, takewhile

import attrs
from attrs import evolve, field, frozen

from hots_rules._text import with_signs
from hots_rules._translate import Translator, translator
from hots_rules.compare.agreements import Agreement
from hots_rules.compare.diff_rows import DiffCell, DiffRow, ShownRow, ShownSection
from hots_rules.compare.difference import WORDING_CHANGES, Diff, changes_play, find_named
from hots_rules.compare.rulebook_changes import RulebookChange
from hots_rules.explain.declared.declaration import Declaration
from hots_rules.explain.declared.declarations import is_within
from hots_rules.report.blocks import ABSENT, Block, Items, Lines, Row, RowGroup, Span, Table
from hots_rules.report.whole import Report
from hots_rules.rules.editions.sections import Citation

MAX_LINES = 12  # of a cell
_BEHAVIOURAL = ("amended", "added", "repealed")


@frozen(repr=False)
class DiffTable:
    """The differences among rulesets, in the order of the book; false if there are none.

    >>> import hots_rules as hr
    >>> hr.compare.table("hots-3.x", "hots-4.0")
    <DiffTable of hots-3.x, hots-4.0: 46 rows>

    Attributes:
        editions: the names of the rulesets, one for each column.
        rows: the rows.
        book: the name of the ruleset whose book gives the order of the sections, the newest.
        headings: the heading of each section by number, in the newest book that has the number.
        language: the language of the sentences, and of the texts that are made of the table.
        plays_only: whether rows that cannot change play were left out.
        changes: the changes of the rulebook that the rows make up, each difference of play in one of them.
        differences: the differences of each ruleset from the one before it, from which the rows were made.
    """

    editions: tuple[str, ...]
    rows: tuple[DiffRow, ...]
    book: str = ""
    headings: Mapping[str, str] = field(factory=dict, repr=False)
    language: str = "en"
    plays_only: bool = False
    changes: tuple[RulebookChange, ...] = ()
    differences: tuple[Diff, ...] = field(default=(), repr=False)

    def __bool__(self) -> bool:
        return bool(self.rows)

    def __repr__(self) -> str:
        return f"<DiffTable of {', '.join(self.editions)}: {len(self.rows)} rows>"

    def _repr_html_(self) -> str:
        return self.report().html()

    # -------------------------------------------------------------- parts
    def row(self, name: str) -> DiffRow:
        """The row with an id or a name; see `Diff.find`.

        Raises:
            UnknownName: no row, or several, have it; the error suggests one.
        """
        return find_named(self.rows, name)

    def change(self, name: str) -> RulebookChange:
        """The change of the rulebook with a name, such as `truce-raids`.

        Raises:
            UnknownName: no change has it; the error suggests one.
        """
        return find_named(self.changes, name, "change")

    def within(self, section: str) -> DiffTable:
        """The rows in which some ruleset cites a section, or a part of it, and the changes that they belong to."""
        kept = {
            row.id
            for row in self.rows
            if any(is_within(number, section) for cell in row.cells for number in cell.sections)
        }
        changes = (
            change
            for change in self.changes
            if is_within(change.section, section) or kept & {*change.members}
        )
        return evolve(self.only(kept), changes=tuple(changes))

    def only(self, ids: Container[str]) -> DiffTable:
        """The rows with some ids, such as those of `Atlas.about`, and the changes that they belong to."""
        rows = tuple(row for row in self.rows if row.id in ids)
        changes = (
            change for change in self.changes if any(member in ids for member in change.members)
        )
        return evolve(self, rows=rows, changes=tuple(changes))

    def only_changes(self, names: Container[str]) -> DiffTable:
        """The changes with some names, with their rows."""
        changes = tuple(change for change in self.changes if change.name in names)
        members = {member for change in changes for member in change.members}
        rows = tuple(row for row in self.rows if row.id in members)
        return evolve(self, rows=rows, changes=changes)

    def playing(self) -> DiffTable:
        """The rows that can change play, each with the changes of play alone."""
        rows = (evolve(row, changes=tuple(map(row.playing, row.changes))) for row in self.rows)
        return evolve(self, rows=tuple(row for row in rows if row.plays), plays_only=True)

    def by_section(self) -> dict[str, tuple[DiffRow, ...]]:
        """Section number → its rows; the empty string for those that cite nothing."""
        by_section: dict[str, list[DiffRow]] = {}
        for row in self.rows:
            by_section.setdefault(row.section, []).append(row)
        return {section: tuple(rows) for section, rows in by_section.items()}

    # -------------------------------------------------------------- texts
    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the rulesets without the beginning, up to a hyphen, that all of them share: `2.3`, `4.0`."""
        shared = takewhile(
            lambda letters: len(set(letters)) == 1, zip(*self.editions, strict=False)
        )
        start = "".join(letters[0] for letters in shared).rfind("-") + 1
        return tuple(name[start:] for name in self.editions)

    def shown(self) -> tuple[ShownSection, ...]:
        """The sections with their rows as a reader sees them, in the order of the book."""
        return tuple(
            ShownSection(_section_title(self, section, rows), tuple(_shown_rows(self, rows)))
            for section, rows in self.by_section().items()
        )

    def summaries(self) -> tuple[str, ...]:
        """A sentence for each ruleset but the first: how many declarations change from the one before."""
        t = translator(self.language)
        pairs = enumerate(pairwise(self.editions))
        return tuple(f"{old} → {new}: {_summary(t, self, at)}" for at, (old, new) in pairs)

    def report(self, *, sources: bool = False) -> Report:
        """The table as a report: the summaries, then the rows by section.

        Args:
            sources: whether differences that can change play show the declarations as they are written.
        """
        groups = tuple(
            RowGroup(
                section.title, tuple(_report_row(row, sources=sources) for row in section.rows)
            )
            for section in self.shown()
        )
        blocks: list[Block] = [Items(self.summaries())]
        if groups:
            blocks.append(Table(("", *self.columns), groups))
        return Report(" → ".join(self.editions), tuple(blocks), self.language)

    def as_json(self) -> dict[str, object]:
        """Plain data with stable keys, for `json`."""
        rows = [
            {
                **attrs.asdict(row, filter=lambda field, _: field.name != "cells"),
                "section": row.section or None,
                "cells": [_cell_as_json(cell) for cell in row.cells],
            }
            for row in self.rows
        ]
        return {"editions": self.editions, "equal": not self, "rows": rows}


def _cell_as_json(cell: DiffCell) -> dict[str, object] | None:
    if cell.version is None:
        return None
    cited = cell.declaration.cited if cell.declaration is not None else ()
    sections = [attrs.asdict(citation) for citation in cited]
    return {"version": cell.version, "lines": cell.lines, "sections": sections}


# ---------------------------------------------------------------- what a reader sees
def _summary(t: Translator, table: DiffTable, at: int) -> str:
    """`9 amended, 7 added, 2 repealed; 11 play differently. 4 differ in wording alone.`"""
    changes = [(row.kind, row.changes[at]) for row in table.rows]
    counts = Counter(change for _, change in changes)
    playing = sum(changes_play(kind, change) for kind, change in changes if change)
    texts = [
        t.ngettext("{number} amended", "{number} amended", counts["amended"]),
        t.ngettext("{number} added", "{number} added", counts["added"]),
        t.ngettext("{number} repealed", "{number} repealed", counts["repealed"]),
    ]
    listed = [text for text, change in zip(texts, _BEHAVIOURAL, strict=True) if counts[change]]
    alone = sum(counts[change] for change in WORDING_CHANGES)
    plays = t.ngettext("{number} plays differently", "{number} play differently", playing)
    worded = t.ngettext(
        "{number} differs in wording or section alone",
        "{number} differ in wording or section alone",
        alone,
    )
    sentences = [f"{', '.join(listed)}; {plays}"] if listed else []
    sentences += [worded] if alone else []
    if sentences:
        return f"{'. '.join(sentences)}."
    return (
        t.gettext("nothing plays differently") if table.plays_only else t.gettext("no differences")
    )


def _section_title(table: DiffTable, section: str, rows: Sequence[DiffRow]) -> str:
    """`§5.3 Retreats`, or `§5.3 Retreats (3.x §5.2 Retirada)` where another book numbers it differently."""
    t = translator(table.language)
    if not section:
        return t.gettext("without a section")
    places: dict[str, list[Citation]] = {}
    for at in range(len(table.editions)):
        sides = (row.cells[at].declaration for row in rows)
        cited = [citation for side in sides if side is not None for citation in side.cited]
        same = (citation for citation in cited if citation.section == section)
        shown = next(same, next(iter(cited), None))
        if shown is not None:
            places.setdefault(shown.section, []).append(evolve(shown, edition=table.columns[at]))
    own = _place_title(table, section, places.pop(section, []))
    others = "; ".join(_place_title(table, number, cited) for number, cited in places.items())
    return f"{own} ({others})" if others else own


def _place_title(table: DiffTable, number: str, cited: Sequence[Citation]) -> str:
    """A section with its heading; and with the names of its rulesets, if the book that gives the order lacks it."""
    editions = [citation.edition for citation in cited]
    heading = next((citation.heading for citation in cited), "")
    if table.columns[table.editions.index(table.book)] in editions:
        return f"§{number} {table.headings.get(number, heading)}".rstrip()
    return f"{', '.join(editions)} §{number} {heading}".rstrip()


def _shown_rows(table: DiffTable, rows: Sequence[DiffRow]) -> Iterator[ShownRow]:
    """The rows of a section; declarations that only moved to another section, all in the same way, are in one row."""
    moved: dict[tuple[object, ...], list[DiffRow]] = {}
    for row in rows:
        if set(row.changes) <= {"", "citation"}:
            sections = (_sections(cell.sections) for cell in row.cells)
            moved.setdefault(tuple(sections), []).append(row)
        else:
            yield _shown_row(table, row)
    for group in moved.values():
        cells = tuple((_sections(cell.sections),) for cell in group[0].cells)
        names = ", ".join(f"{row.kind} {row.name}" for row in group)
        changes = _change_words(table, group[0])
        yield ShownRow(names, changes, (), cells, "wording", tuple(group))


def _shown_row(table: DiffTable, row: DiffRow) -> ShownRow:
    t = translator(table.language)
    reasons = (t.gettext("play is the same: {reason}", reason=reason) for reason in row.reasons)
    agreed = (
        _evidence(t, row.kind, agreement) for agreement in row.evidence if agreement is not None
    )
    notes = tuple(filter(None, (row.sentence, *reasons, *agreed)))
    cells = tuple(_cell_lines(t, cell) for cell in row.cells)
    is_said = any(line for cell in cells for line in cell)
    title = f"{row.kind} {row.name}"
    changes = _change_words(table, row)
    return ShownRow(title, changes, notes, cells if is_said else (), row.effect, (row,))


def _evidence(t: Translator, kind: str, agreement: Agreement) -> str:
    if kind == "secret":
        return t.ngettext(
            "it changes what a side sees; play agreed in {number} game of {ruleset} with and without it",
            "it changes what a side sees; play agreed in {number} games of {ruleset} with and without it",
            agreement.games,
            ruleset=agreement.ruleset,
        )
    return t.ngettext(
        "no effect seen in {number} game of {ruleset} with and without it",
        "no effect seen in {number} games of {ruleset} with and without it",
        agreement.games,
        ruleset=agreement.ruleset,
    )


def _cell_lines(t: Translator, cell: DiffCell) -> tuple[str, ...]:
    if cell.version is None:
        return (ABSENT,)
    more = len(cell.lines) - MAX_LINES
    if more <= 1:
        return cell.lines
    return (*cell.lines[:MAX_LINES], t.ngettext("and {number} more", "and {number} more", more))


def _sections(numbers: Sequence[str]) -> str:
    return with_signs(numbers) or ABSENT


def _change_words(table: DiffTable, row: DiffRow) -> str:
    """A word for each kind of change; if a change can change play, only the words of such changes."""
    t = translator(table.language)
    words = {
        "added": t.gettext("added"),
        "repealed": t.gettext("repealed"),
        "amended": t.gettext("amended"),
        "wording": t.gettext("other words"),
        "citation": t.gettext("other section"),
    }
    changes = [change for change in dict.fromkeys(row.changes) if change]
    behavioural = [change for change in changes if change not in WORDING_CHANGES]
    return ", ".join(words[change] for change in behavioural or changes)


# ---------------------------------------------------------------- the report
def _report_row(row: ShownRow, *, sources: bool) -> Row:
    title = (Span(row.title, "strong"), f" ({row.changes})")
    cells = row.cells
    is_behavioural = row.effect == "behavioural"
    if sources and is_behavioural:
        cells = tuple(_source(cell.declaration) for cell in row.rows[0].cells)
    changes = [change for change in row.rows[0].changes if change]
    style = changes[0] if len(changes) == 1 else "amended"
    return Row(
        tuple(map(Lines, cells)),
        head=Lines((title, *row.notes)),
        kinds=(row.effect, style) if is_behavioural else (row.effect,),
        data={"differences": " ".join(difference.id.replace(" ", "-") for difference in row.rows)},
    )


def _source(declaration: Declaration | None) -> tuple[str, ...]:
    if declaration is None:
        return (ABSENT,)
    place = f"{declaration.file}:{declaration.line}"
    summary = (declaration.summary,) if declaration.summary else ()
    return (*summary, place, *declaration.source.split("\n"))

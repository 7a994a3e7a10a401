"""The differences among several rulesets in one table: a row for each difference, a column for each ruleset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import attrs
from attrs import evolve, field, frozen

from hots_rules.compare.agreements import Agreement
from hots_rules.compare.comparable import Comparable
from hots_rules.compare.difference import Diff, Difference, changes_play, find_named, rows_of
from hots_rules.compare.differences import diff_of
from hots_rules.compare.sides import RulesetLike, SectionOrder, Side, age
from hots_rules.diagnostics import DEFAULT_LIMITS, BadArgument, Limits, UnknownName
from hots_rules.explain.declarations import Declaration, is_within
from hots_rules.rules.editions.label_kinds import SENTENCES, SUMMARIZED


@frozen
class DiffCell:
    """One ruleset in a row of a table.

    >>> import hots_rules as hr
    >>> hr.compare.table("hots-3.x", "hots-4.0").row("infantry_blocks").cells[0].sections
    ('2.24',)

    Attributes:
        version: equal numbers play the same; None where the ruleset has no such declaration.
        lines: what it says, as far as the rulesets differ.
        declaration: the declaration; None where there is none, and for labels.
    """

    version: int | None
    lines: tuple[str, ...] = ()
    declaration: Declaration | None = None

    @property
    def sections(self) -> tuple[str, ...]:
        """The numbers of the sections that it cites."""
        return self.declaration.sections if self.declaration is not None else ()


@frozen
class DiffRow:
    """A declaration that is not the same in all rulesets of a table.

    >>> import hots_rules as hr
    >>> hr.compare.table("hots-3.x", "hots-4.0").row("phase must_retreat").changes
    ('amended',)

    Attributes:
        id: the name of the difference, as in a `Diff`.
        kind: "rule", "action", "table" and so on.
        name: its name.
        section: its section in the newest book that has it; empty if it cites none.
        changes: for each ruleset but the first, its change from the one before, as `Difference.change`;
            empty where nothing changes.
        effect: "wording" or "behavioural", as of a `Difference`.
        plays: whether it can change play.
        sentence: the sentence of the rulebook, if all rulesets have the same.
        reasons: why play is the same, if an edition says so.
        cells: one for each ruleset.
        evidence: as of a `Difference`, for each ruleset but the first.
    """

    id: str
    kind: str
    name: str
    section: str
    changes: tuple[str, ...]
    effect: str
    plays: bool
    sentence: str
    reasons: tuple[str, ...]
    cells: tuple[DiffCell, ...]
    evidence: tuple[Agreement | None, ...] = ()

    def playing(self, change: str) -> str:
        """The change if it can change play, else empty."""
        return change if change and changes_play(self.kind, change) else ""


@frozen
class ShownRow:
    """A row as a reader sees it: what differs, how, and what each ruleset says.

    Declarations that differ only in their section, and alike, are in one row.

    >>> import hots_rules as hr
    >>> shown = hr.compare.table("hots-3.x", "hots-4.0").within("2.24").shown()[-1].rows[0]
    >>> shown.title, shown.changes, shown.cells
    ('define infantry_blocks', 'other section', (('§2.24',), ('§2.25',)))

    Attributes:
        title: the kind and the name of each declaration.
        changes: how the rulesets differ, in words.
        notes: what is said of all rulesets: the sentence that they share, or why play is the same.
        cells: for each ruleset, what it says, as lines; empty if the notes say everything.
        effect: "wording" or "behavioural".
        rows: the rows of the table.
    """

    title: str
    changes: str
    notes: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    effect: str
    rows: tuple[DiffRow, ...]


@frozen
class ShownSection:
    """A section as a reader sees it.

    >>> import hots_rules as hr
    >>> hr.compare.table("hots-3.x", "hots-4.0").within("2.24").shown()[-1].title
    '§2.25 Infantry (3.x §2.24 Infantería)'

    Attributes:
        title: its number and heading; those of each book where the books number it differently.
        rows: its rows.
    """

    title: str
    rows: tuple[ShownRow, ...]


@frozen(repr=False)
class DiffTable:
    """The differences among rulesets, in the order of the book; false if there are none.

    >>> import hots_rules as hr
    >>> hr.compare.table("hots-3.x", "hots-4.0")
    <DiffTable of hots-3.x, hots-4.0: 44 rows>

    Attributes:
        editions: the names of the rulesets, one for each column.
        rows: the rows.
        book: the name of the ruleset whose book gives the order of the sections, the newest.
        headings: the heading of each section by number, in the newest book that has the number.
        language: the language of the sentences, and of the texts that are made of the table.
        plays_only: whether rows that cannot change play were left out.
    """

    editions: tuple[str, ...]
    rows: tuple[DiffRow, ...]
    book: str = ""
    headings: Mapping[str, str] = field(factory=dict, repr=False)
    language: str = "en"
    plays_only: bool = False

    def __bool__(self) -> bool:
        return bool(self.rows)

    def __repr__(self) -> str:
        return f"<DiffTable of {', '.join(self.editions)}: {len(self.rows)} rows>"

    def _repr_html_(self) -> str:
        return self.html()

    # -------------------------------------------------------------- parts
    def row(self, name: str) -> DiffRow:
        """The row with an id or a name; see `Diff.find`.

        Raises:
            UnknownName: no row, or several, have it; the error suggests one.
        """
        return find_named(self.rows, name)

    def within(self, section: str) -> DiffTable:
        """The rows of which some ruleset cites a section, or a part of it."""
        kept = (
            row
            for row in self.rows
            if any(is_within(number, section) for cell in row.cells for number in cell.sections)
        )
        return evolve(self, rows=tuple(kept))

    def playing(self) -> DiffTable:
        """The rows that can change play, with such changes alone."""
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
        """The names of the rulesets without the beginning that all of them share: `2.3`, `4.0`."""
        from hots_rules.compare.table_texts import short_names

        return short_names(self.editions)

    def shown(self) -> tuple[ShownSection, ...]:
        """The sections with their rows as a reader sees them, in the language of the table."""
        from hots_rules.compare.table_texts import shown_sections

        return shown_sections(self)

    def summaries(self) -> tuple[str, ...]:
        """A sentence for each ruleset but the first: how many declarations change from the one before."""
        from hots_rules.compare.table_texts import summaries

        return summaries(self)

    def markdown(self) -> str:
        """The table in Markdown: the summaries, then a table for each section."""
        from hots_rules.compare.table_texts import markdown

        return markdown(self)

    def html(self) -> str:
        """The table as an element of HTML, without styles; a notebook shows it so."""
        from hots_rules.compare.table_texts import html

        return html(self)

    def page(self) -> str:
        """The table as a page for a browser."""
        from hots_rules.compare.table_texts import page

        return page(self)

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


def table(
    *rulesets: RulesetLike, language: str = "en", limits: Limits = DEFAULT_LIMITS
) -> DiffTable:
    """The differences among two or more rulesets, with a column for each.

    >>> import hots_rules as hr
    >>> print(*hr.compare.table("hots-3.x", "hots-4.0").summaries())
    hots-3.x → hots-4.0: 10 amended, 2 added, 2 repealed; 13 play differently. 30 differ in wording or section alone.

    Args:
        rulesets: the rulesets, their names or their paths, in the order of the columns. Each is compared
            with the one before it.
        language: the language of the sentences, such as "fr"; what it has no label for is in English.
        limits: the limits of the texts of a name or a path.

    Raises:
        RulesetError: there is no such ruleset, or it has faults.
        UnknownName: no ruleset has labels in the language.
        BadArgument: fewer than two rulesets.
    """
    if len(rulesets) < 2:
        raise BadArgument("rulesets", f"a list of {len(rulesets)}", "two or more names or paths")
    sides = [Side.of(ruleset, limits) for ruleset in rulesets]
    languages = tuple(dict.fromkeys(("en", *(name for side in sides for name in side.book.labels))))
    if language not in languages:
        raise UnknownName("language", language, languages)
    diffs = [diff_of(*pair) for pair in pairwise(sides)]
    names = tuple(side.name for side in sides)
    maker = _TableMaker(sides, diffs, SectionOrder.of(*sides), language)
    book = min(sides, key=age).name
    return DiffTable(names, tuple(maker.rows()), book, maker.order.headings, language)


Pair = tuple[Declaration, Comparable]


@frozen
class _TableMaker:
    """The rows of a table, from the sides and the differences of each from the one before."""

    sides: Sequence[Side]
    diffs: Sequence[Diff]
    order: SectionOrder
    language: str

    def rows(self) -> list[DiffRow]:
        rows = [self._row(changes) for changes in rows_of(self.diffs).values()]
        rows.sort(key=lambda row: self.order.key(row.section, row.kind, row.name, plays=row.plays))
        return rows

    def _row(self, differences: list[Difference | None]) -> DiffRow:
        known = [each for each in differences if each is not None]
        first = known[0]
        pairs = [side.declarations.get((first.kind, first.name)) for side in self.sides]
        sentences = [self._sentence(*pair) for pair in zip(self.sides, pairs, strict=True)]
        sentence = sentences[0] if len(set(sentences)) == 1 and None not in pairs else ""
        row = DiffRow(
            first.id,
            first.kind,
            first.name,
            self._section(pairs),
            tuple(each.change if each is not None else "" for each in differences),
            min(each.effect for each in known),  # "behavioural" if any is
            any(each.plays for each in known),
            sentence,
            tuple(sorted({reason for each in known for reason in each.reasons})),
            (),
            tuple(each.evidence if each is not None else None for each in differences),
        )
        if row.kind == "label":
            keys = sorted({change.where for each in known for change in each.changes})
            return evolve(row, cells=self._labels(row.name, keys))
        return evolve(row, cells=self._cells(row, pairs, sentences))

    def _section(self, pairs: Sequence[Pair | None]) -> str:
        """The first section that all sides cite in one book, else the first of the newest side that cites any."""
        sides = [(side, pair[0]) for side, pair in zip(self.sides, pairs, strict=True) if pair]
        cited = [{(each.edition, each.section) for each in one.cited} for _, one in sides]
        shared = {number for _, number in set.intersection(*cited)} if cited else set[str]()
        sides.sort(key=lambda side: age(side[0]))
        newest = next((one.sections for _, one in sides if one.sections), ())
        return min(shared or newest, key=self.order.place, default="")

    def _sentence(self, side: Side, pair: Pair | None) -> str:
        """The sentence of a declaration in the language of the table, if there is a label."""
        if pair is None:
            return ""
        declaration = pair[0]
        if declaration.kind not in SENTENCES | SUMMARIZED:
            return declaration.summary or declaration.comment
        kind = "phase" if declaration.kind == "stage" else declaration.kind
        key = f"{kind} {declaration.name}" + (" summary" if kind in SUMMARIZED else "")
        return side.book.labels.get(self.language, {}).get(key, declaration.summary)

    # -------------------------------------------------------------- cells
    def _labels(self, language: str, keys: Sequence[str]) -> tuple[DiffCell, ...]:
        """The labels of a language with these keys, on each side."""
        sides = (side.book.labels.get(language, {}) for side in self.sides)
        return tuple(
            DiffCell(1, tuple(_line(key, labels.get(key, _ABSENT[1])) for key in keys))
            for labels in sides
        )

    def _cells(
        self, row: DiffRow, pairs: list[Pair | None], sentences: list[str]
    ) -> tuple[DiffCell, ...]:
        lines = [[sentence] if sentence != row.sentence else [] for sentence in sentences]
        parts = _orders(self.sides, row) if row.id.startswith("order ") else _parts(pairs)
        if row.kind == "define" and _are_told_apart(pairs, sentences):
            parts = [[] for _ in pairs]
        for own, more, pair in zip(lines, parts, pairs, strict=True):
            own += more
            if not own and pair is not None and row.effect == "behavioural":
                own.append(_code(*pair))
        versions: dict[object, int] = {}
        cells = []
        for own, pair in zip(lines, pairs, strict=True):
            if pair is None:
                cells.append(DiffCell(None))
                continue
            same = own if row.id.startswith("order ") else (pair[1].settled, pair[1].meaning)
            version = versions.setdefault(str(same), len(versions) + 1)
            cells.append(DiffCell(version, tuple(own), pair[0]))
        return tuple(cells)


def _orders(sides: Sequence[Side], row: DiffRow) -> list[list[str]]:
    """The rules that answer an event, in the order of each side."""
    return [[", ".join(side.book.orders.get(row.name, ()))] for side in sides]


def _are_told_apart(pairs: Sequence[Pair | None], sentences: Sequence[str]) -> bool:
    """Whether each version of a declaration has a sentence of its own, so that nobody needs its code."""
    told = {
        (pair[1].settled, pair[1].meaning): sentence
        for pair, sentence in zip(pairs, sentences, strict=True)
        if pair is not None
    }
    return "" not in told.values() and len(set(told.values())) == len(told)


def _parts(pairs: Sequence[Pair | None]) -> list[list[str]]:
    """For each side the cells, the choices and the parts in which those differ that have the declaration."""
    sides = [None if pair is None else _named_parts(pair[1]) for pair in pairs]
    known = [side for side in sides if side is not None]
    names = dict.fromkeys(name for side in known for name in side)
    different = [name for name in names if len({side.get(name, _ABSENT)[0] for side in known}) > 1]
    return [
        [_line(name, side.get(name, _ABSENT)[1]) for name in different] if side else []
        for side in sides
    ]


_ABSENT = ("", "–")  # the meaning and the text of a part that a declaration does not have


def _named_parts(comparable: Comparable) -> dict[str, tuple[str, str]]:
    """Name → the meaning of a part and its text."""
    cells = {
        f"{row} {column}": (text, text)
        for row, columns in comparable.cells.items()
        for column, text in columns.items()
    }
    choices = {name: (text, text) for name, text in comparable.choices.items()}
    parts = {name: (part.meaning, part.text or "…") for name, part in comparable.parts.items()}
    return {**cells, **choices, **parts}


def _line(name: str, text: str) -> str:
    return text if name == "value" else f"{name}: {text}"


def _code(declaration: Declaration, comparable: Comparable) -> str:
    """The value of a definition, or the first line of another declaration."""
    value = comparable.parts.get("value")
    if value is not None and value.text:
        return value.text
    lines = (line for line in declaration.source.splitlines() if not line.lstrip().startswith("#"))
    return next(lines, "").strip()

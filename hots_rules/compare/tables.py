"""Makes the table of the differences among several rulesets: a row for each difference, a column for each ruleset."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from attrs import evolve, frozen

from hots_rules.compare.comparable import Comparable
from hots_rules.compare.diff_rows import DiffCell, DiffRow
from hots_rules.compare.diff_table import DiffTable
from hots_rules.compare.difference import Diff, Difference, differences_by_id
from hots_rules.compare.differences import diff_of
from hots_rules.compare.rulebook_changes import rulebook_changes
from hots_rules.compare.sides import RulesetLike, SectionOrder, Side, age
from hots_rules.diagnostics import DEFAULT_LIMITS, BadArgument, Limits, UnknownName
from hots_rules.explain.declared.declaration import Declaration
from hots_rules.report.blocks import ABSENT
from hots_rules.rules.editions.headings import headings_in
from hots_rules.rules.editions.label_kinds import SENTENCES, SUMMARIZED, sentence_key


def table(
    *rulesets: RulesetLike, language: str = "en", limits: Limits = DEFAULT_LIMITS
) -> DiffTable:
    """The differences among two or more rulesets, with a column for each.

    >>> import hots_rules as hr
    >>> print(*hr.compare.table("hots-3.x", "hots-4.0").summaries())
    hots-3.x → hots-4.0: 10 amended, 2 added, 2 repealed; 13 play differently. 32 differ in wording or section alone.

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
    book, rows = min(sides, key=age).name, tuple(maker.rows())
    changes = rulebook_changes(sides, rows, maker.order, language)
    headings = {**maker.order.headings}
    # In English, a section that only an older rulebook has keeps the heading that it has there.
    if language != "en":
        for side in sorted(sides, key=age, reverse=True):
            headings |= headings_in(side.source, language)
    differences = tuple(diffs)
    return DiffTable(
        names, rows, book, headings, language, changes=changes, differences=differences
    )


DeclaredPair = tuple[Declaration, Comparable]
"""A declaration as a ruleset has it, for readers and for comparison."""


@frozen
class _TableMaker:
    """The rows of a table, from the sides and the differences of each from the one before."""

    sides: Sequence[Side]
    diffs: Sequence[Diff]
    order: SectionOrder
    language: str

    def rows(self) -> list[DiffRow]:
        rows = [self._row(changes) for changes in differences_by_id(self.diffs).values()]
        rows.sort(key=lambda row: self.order.key(row.section, row.kind, row.name, plays=row.plays))
        return rows

    def _row(self, differences: list[Difference | None]) -> DiffRow:
        present = [difference for difference in differences if difference is not None]
        first = present[0]
        pairs = [side.declarations.get((first.kind, first.name)) for side in self.sides]
        sentences = [self._sentence(*pair) for pair in zip(self.sides, pairs, strict=True)]
        sentence = sentences[0] if len(set(sentences)) == 1 and None not in pairs else ""
        row = DiffRow(
            first.id,
            first.kind,
            first.name,
            self._section(pairs),
            tuple(
                difference.change if difference is not None else "" for difference in differences
            ),
            min(difference.effect for difference in present),  # "behavioural" if any is
            any(difference.plays for difference in present),
            sentence,
            tuple(sorted({reason for difference in present for reason in difference.reasons})),
            (),
            tuple(
                difference.evidence if difference is not None else None
                for difference in differences
            ),
        )
        if row.kind == "label":
            keys = sorted({change.where for difference in present for change in difference.changes})
            return evolve(row, cells=self._labels(row.name, keys))
        return evolve(row, cells=self._cells(row, pairs, sentences))

    def _section(self, pairs: Sequence[DeclaredPair | None]) -> str:
        """The first section that all sides cite in one book, else the first of the newest side that cites any."""
        sides = [(side, pair[0]) for side, pair in zip(self.sides, pairs, strict=True) if pair]
        cited = [
            {(citation.edition, citation.section) for citation in declaration.cited}
            for _, declaration in sides
        ]
        shared = {number for _, number in set.intersection(*cited)} if cited else set[str]()
        sides.sort(key=lambda side: age(side[0]))
        newest = next(
            (declaration.sections for _, declaration in sides if declaration.sections), ()
        )
        return min(shared or newest, key=self.order.place, default="")

    def _sentence(self, side: Side, pair: DeclaredPair | None) -> str:
        """The sentence of a declaration in the language of the table, if there is a label."""
        if pair is None:
            return ""
        declaration = pair[0]
        if declaration.kind not in SENTENCES | SUMMARIZED:
            return declaration.summary or declaration.comment
        key = sentence_key(declaration.kind, declaration.name)
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
        self, row: DiffRow, pairs: list[DeclaredPair | None], sentences: list[str]
    ) -> tuple[DiffCell, ...]:
        """The cells of a row: the sentences and the parts that differ, or the code if there are none."""
        lines = [[sentence] if sentence != row.sentence else [] for sentence in sentences]
        parts = _orders(self.sides, row) if row.id.startswith("order ") else _parts(pairs)
        if row.kind == "define" and _sentences_differ(pairs, sentences):
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
            content = own if row.id.startswith("order ") else (pair[1].settled, pair[1].meaning)
            version = versions.setdefault(str(content), len(versions) + 1)
            cells.append(DiffCell(version, tuple(own), pair[0]))
        return tuple(cells)


def _orders(sides: Sequence[Side], row: DiffRow) -> list[list[str]]:
    """The rules that answer an event, in the order of each side."""
    return [[", ".join(side.book.orders.get(row.name, ()))] for side in sides]


def _sentences_differ(pairs: Sequence[DeclaredPair | None], sentences: Sequence[str]) -> bool:
    """Whether each version of a declaration has a different sentence, so that its code need not be shown."""
    sentence_of = {
        (pair[1].settled, pair[1].meaning): sentence
        for pair, sentence in zip(pairs, sentences, strict=True)
        if pair is not None
    }
    return "" not in sentence_of.values() and len(set(sentence_of.values())) == len(sentence_of)


def _parts(pairs: Sequence[DeclaredPair | None]) -> list[list[str]]:
    """For each side the lines of the cells, choices and parts that differ among the sides with the declaration."""
    sides = [None if pair is None else _named_parts(pair[1]) for pair in pairs]
    present = [side for side in sides if side is not None]
    names = dict.fromkeys(name for side in present for name in side)
    different = [
        name for name in names if len({side.get(name, _ABSENT)[0] for side in present}) > 1
    ]
    return [
        [_line(name, side.get(name, _ABSENT)[1]) for name in different] if side else []
        for side in sides
    ]


_ABSENT = ("", ABSENT)  # the meaning and the text of a part that a declaration does not have


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

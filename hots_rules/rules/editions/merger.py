"""The declarations of a ruleset, merged edition by edition."""

from __future__ import annotations

from attrs import evolve

from hots_rules.diagnostics import Fault, RelatedPlace, Span
from hots_rules.rules.editions.labels import Label, is_outdated, label_key, written_key
from hots_rules.rules.editions.sections import Sections
from hots_rules.rules.faults import FaultCollector
from hots_rules.rules.reserved import RESERVED
from hots_rules.rules.rulebook import Entry, Key, Repealed, key_of, name_span
from hots_rules.rules.wording import kind_noun, with_article
from hots_rules.syntax import tree

# Kinds that share a namespace: among them, a name may be declared only once.
_NAMESPACES = (
    ("define", "event", "phase", "stage"),
    ("type", "table", "reading"),
    ("variable", "option", "reading", "define"),
    ("rule", "invariant"),
)
# Kinds that a ruleset may declare only once, and how their line begins.
_SINGLE = {"players": "players", "clock": "clock", "map": "map", "positions": "positions begin at"}


class EditionMerger:
    """Applies the declarations of each edition to those of the editions that it extends.

    Faults are collected, not raised.
    """

    def __init__(self) -> None:
        self.entries: dict[Key, Entry] = {}
        self.repealed: dict[Key, Repealed] = {}
        self.labels: dict[str, dict[str, Label]] = {}
        self.heads: list[Span] = []
        self.faults = FaultCollector()
        self._edition = ""
        self._editions: list[str] = []

    def apply(self, edition: str, files: list[tree.File]) -> None:
        """Adds an edition: its repeals and amendments first, then what it declares anew."""
        self._edition = edition
        self._editions.append(edition)
        items = [item for file in files for item in file.items]
        for item in items:
            self._apply_change(item)
        for item in items:
            self._add_item(item)

    def _apply_change(self, item: tree.Item) -> None:
        match item:
            case tree.Amend():
                self._amend(item)
            case tree.AmendCell():
                self._amend_cell(item)
            case tree.Repeal():
                self._repeal(item)
            case tree.Reword():
                self._reword(item)
            case tree.Settle():
                self._settle(item)

    def _add_item(self, item: tree.Item) -> None:
        match item:
            case tree.Amend() | tree.AmendCell() | tree.Repeal() | tree.Reword() | tree.Settle():
                pass
            case tree.Ruleset():
                self.heads.append(item.name.span)
            case tree.State():
                for variable in item.variables:
                    self._add(variable)
            case tree.Label():
                self._label(item)
            case _:
                self._add(item)

    def _fault(
        self,
        code: str,
        headline: str,
        span: Span,
        related: tuple[RelatedPlace, ...] = (),
        help_: str = "",
    ) -> None:
        self.faults.add(Fault(code, headline, span, related, help_))

    # -------------------------------------------------------------- new declarations
    def _add(self, node: tree.Declaration | tree.Variable) -> None:
        kind, name = key_of(node)
        rival = self._rival(kind, name.text)
        if rival is not None:
            self._taken(kind, name, rival)
        elif name.text in RESERVED.get(kind, ()):
            self._fault(
                "duplicate-name",
                f"the name `{name}` is reserved",
                name.span,
                help_="choose another name",
            )
        else:
            repealed = self.repealed.pop((kind, name.text), None)
            previous = repealed.entry if repealed else None
            self.entries[kind, name.text] = Entry(kind, name.text, node, self._edition, previous)

    def _rival(self, kind: str, name: str) -> Entry | None:
        """The declaration that has the name already; `the-king` and `the_king` are one name."""
        kinds = {kind}.union(*(names for names in _NAMESPACES if kind in names))
        spellings = {name, name.replace("-", "_"), name.replace("_", "-")}
        keys = [(k, n) for k in sorted(kinds) for n in sorted(spellings)]
        return next((self.entries[key] for key in keys if key in self.entries), None)

    def _taken(self, kind: str, name: tree.Word, rival: Entry) -> None:
        first = RelatedPlace(name_span(rival.node), "first declared here")
        if kind in _SINGLE:
            self._fault(
                "duplicate-name",
                f"a second line `{_SINGLE[kind]} …`",
                name.span,
                (first,),
                "keep one of them; an edition that changes it writes `amend` in front",
            )
            return
        remedy = "rename one of them"
        if rival.edition != self._edition:
            remedy += f", or write `amend {kind} {name}` to change the one of {rival.edition}"
        self._fault(
            "duplicate-name",
            f"the name `{name}` is taken by {with_article(rival.kind)}",
            name.span,
            (first,),
            remedy,
        )

    # -------------------------------------------------------------- changes
    def _amend(self, item: tree.Amend) -> None:
        declared = item.declaration
        if isinstance(declared, tree.Label):
            self._label(declared)
            return
        for node in declared.variables if isinstance(declared, tree.State) else (declared,):
            kind, name = key_of(node)
            if (old := self._declaration_to_change(kind, name)) is not None:
                self.entries[kind, name.text] = Entry(kind, name.text, node, self._edition, old)

    def _declaration_to_change(self, kind: str, name: tree.Word) -> Entry | None:
        """The declaration that a line changes; a fault where there is none."""
        old = self.entries.get((kind, name.text))
        if old is None:
            self._nothing_to_change(kind, name)
        elif old.edition == self._edition and not _is_amended_by_cells(old):
            self._fault(
                "duplicate-name",
                f"the {kind_noun(kind)} `{name}` is changed twice",
                name.span,
                (RelatedPlace(name_span(old.node), "first changed here"),),
                "make both changes in one place",
            )
            return None
        return old

    def _nothing_to_change(self, kind: str, name: tree.Word) -> None:
        close = self.faults.closest_match(name.text, [n for k, n in self.entries if k == kind])
        other = next((k for k, n in self.entries if n == name.text), None)
        remedy = f"declare the {kind_noun(kind)} without `amend`"
        if other:
            remedy = f"`{name}` is {with_article(other)}"
        elif close:
            remedy = f"did you mean `{close}`?"
        repealed = self.repealed.get((kind, name.text))
        what = f"line `{_SINGLE[kind]} …`" if kind in _SINGLE else f"{kind_noun(kind)} `{name}`"
        self._fault(
            "amends-nothing",
            f"the ruleset below has no {what}",
            name.span,
            (RelatedPlace(repealed.span, "repealed here"),) if repealed else (),
            remedy,
        )

    def _amend_cell(self, item: tree.AmendCell) -> None:
        old = self._declaration_to_change("table", item.table)
        if old is None or not isinstance(old.node, tree.Table):
            return
        table = old.node
        columns = [column.name.text for column in table.columns]
        rows = [row.name.text for row in table.rows]
        for word, names, what in ((item.row, rows, "row"), (item.column, columns, "column")):
            if word.text not in names:
                close = self.faults.closest_match(word.text, names)
                self._fault(
                    "amends-nothing",
                    f"the table `{item.table}` has no {what} `{word}`",
                    word.span,
                    (RelatedPlace(table.name.span, "the table is declared here"),),
                    f"did you mean `{close}`?" if close else "",
                )
                return
        if not item.cites:
            self._fault(
                "uncited-rule",
                f"the new cell of `{item.row}` cites no section",
                item.span,
                help_="name the section that changes it, e.g. `§5.7`",
            )
        row, column = rows.index(item.row.text), columns.index(item.column.text)
        changed = _with_cell(table, row, column, item.cell)
        earlier = old.lines if old.edition == self._edition else ()
        previous = old.previous if old.edition == self._edition else old
        self.entries["table", old.name] = Entry(
            "table", old.name, changed, self._edition, previous, (*earlier, item)
        )

    def _repeal(self, item: tree.Repeal) -> None:
        old = self._declaration_to_change(item.kind.text, item.name)
        if old is not None:
            key = (item.kind.text, item.name.text)
            del self.entries[key]
            entry = Entry(old.kind, old.name, old.node, self._edition, old, (item,))
            self.repealed[key] = Repealed(entry, item.name.span)

    def _reword(self, item: tree.Reword) -> None:
        """Play stays the same; only the history of the declaration changes."""
        old = self._declaration_to_change(item.kind.text, item.name)
        if old is None:
            return
        if not item.cites:
            self._fault(
                "uncited-rule",
                f"the rewording of `{item.name}` cites no section",
                item.name.span,
                help_="name the section that words it differently, e.g. `§5.7`",
            )
        entry = Entry(old.kind, old.name, old.node, self._edition, old, (item,), old.settled)
        self.entries[old.kind, old.name] = entry

    def _settle(self, item: tree.Settle) -> None:
        """The reading keeps its name, which now stands for one of its alternatives."""
        old = self._declaration_to_change("reading", item.reading)
        if old is None or not isinstance(old.node, tree.Reading):
            return
        names = [alternative.name.text for alternative in old.node.alternatives]
        if item.alternative.text not in names:
            close = self.faults.closest_match(item.alternative.text, names)
            self._fault(
                "unknown-name",
                f"`{item.alternative}` is not an alternative of `{item.reading}`",
                item.alternative.span,
                (RelatedPlace(old.node.name.span, "the reading is declared here"),),
                f"did you mean `{close}`?" if close else f"write one of {', '.join(names)}",
            )
            return
        if not item.cites:
            self._fault(
                "uncited-rule",
                f"the decision on `{item.reading}` cites no section",
                item.reading.span,
                help_="name the section that decides it, e.g. `§5.7`",
            )
        self.entries["reading", old.name] = Entry(
            "reading", old.name, old.node, self._edition, old, (item,), item.alternative.text
        )

    # -------------------------------------------------------------- sections and labels
    def resolve_citations(self, sections: Sections) -> None:
        """Gives each declaration its sections in the ruleset that is played."""
        for key, entry in self.entries.items():
            parts = (cite.text.rpartition("§") for cite in entry.cites)
            cited = sections.in_force(
                (edition or entry.edition, number) for edition, _, number in parts
            )
            is_unlisted = entry.edition not in sections.layers
            self.entries[key] = evolve(entry, cited=cited, is_unlisted=is_unlisted)

    def _label(self, item: tree.Label) -> None:
        labels = self.labels.setdefault(item.language.text, {})
        for entry in item.entries:
            key = label_key(entry.key)
            old = labels.get(key)
            if old is not None and old.edition == self._edition:
                self._fault(
                    "duplicate-name",
                    f"a second label for `{written_key(entry.key)}`",
                    entry.key.span,
                    (RelatedPlace(old.key.span, "first given here"),),
                    "keep one of them",
                )
            labels[key] = Label(entry.key, entry.text.text, self._edition)

    def labels_in_force(self) -> dict[str, dict[str, str]]:
        """The labels by language and key, without those of sentences that a later edition changes."""
        order = {edition: number for number, edition in enumerate(self._editions)}
        return {
            language: {
                key: label.text
                for key, label in labels.items()
                if not is_outdated(label, self.entries, order)
            }
            for language, labels in self.labels.items()
        }


def _is_amended_by_cells(entry: Entry) -> bool:
    """Whether an edition changed a table cell by cell: it may change more of them."""
    return bool(entry.lines) and all(isinstance(line, tree.AmendCell) for line in entry.lines)


def _with_cell(table: tree.Table, at: int, column: int, cell: tree.Cell) -> tree.Table:
    row = table.rows[at]
    if column >= len(row.cells):
        return table
    cells = (*row.cells[:column], cell, *row.cells[column + 1 :])
    return evolve(table, rows=(*table.rows[:at], evolve(row, cells=cells), *table.rows[at + 1 :]))

"""The declarations of a ruleset, laid edition by edition over one another."""

from __future__ import annotations

from attrs import evolve, frozen

from hots_rules.diagnostics import Fault, Place, Span
from hots_rules.rules.editions.sections import Sections
from hots_rules.rules.faults import FaultCollector
from hots_rules.rules.reserved import RESERVED
from hots_rules.rules.resolve.symbols import with_article
from hots_rules.rules.rulebook import Entry, Key, Repealed, key_of, name_span
from hots_rules.syntax import tree

# Kinds whose names share a room: what can stand in the same place must be one thing.
_ROOMS = (
    ("define", "event", "phase", "stage"),
    ("type", "table", "reading"),
    ("variable", "option", "reading", "define"),
    ("rule", "invariant"),
)
# What a ruleset has once, and how that line begins.
_SINGLE = {"players": "players", "clock": "clock", "map": "map", "positions": "positions begin at"}


@frozen
class Labelled:
    """A label: its key and text as written, and the edition that gives it."""

    key: tree.LabelKey | tree.TextKey
    text: str
    edition: str


class EditionMerger:
    """Lays the declarations of one edition over those below it; faults are gathered, not raised."""

    def __init__(self) -> None:
        self.entries: dict[Key, Entry] = {}
        self.repealed: dict[Key, Repealed] = {}
        self.labels: dict[str, dict[str, Labelled]] = {}
        self.heads: list[Span] = []
        self.faults = FaultCollector()
        self._edition = ""
        self._editions: list[str] = []

    def apply(self, edition: str, files: list[tree.File]) -> None:
        """Adds one layer: its repeals and amendments look below, then its additions must be new."""
        self._edition = edition
        self._editions.append(edition)
        items = [item for file in files for item in file.items]
        for item in items:
            self._change(item)
        for item in items:
            self._add_item(item)

    def _change(self, item: tree.Item) -> None:
        match item:
            case tree.Amend():
                self._amend(item)
            case tree.AmendCell():
                self._amend_cell(item)
            case tree.Repeal():
                self._repeal(item)
            case tree.Reword():
                self._reword(item)

    def _add_item(self, item: tree.Item) -> None:
        match item:
            case tree.Amend() | tree.AmendCell() | tree.Repeal() | tree.Reword():
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
        self, code: str, headline: str, span: Span, related: tuple[Place, ...] = (), help_: str = ""
    ) -> None:
        self.faults.add(Fault(code, headline, span, related, help_))

    # -------------------------------------------------------------- what is new
    def _add(self, node: tree.Declaration | tree.Variable) -> None:
        kind, name = key_of(node)
        rival = self._rival(kind, name.text)
        if rival is not None:
            self._say_taken(kind, name, rival)
        elif name.text in RESERVED.get(kind, ()):
            self._fault(
                "duplicate-name",
                f"expected a new name, got `{name}`, which the language has already",
                name.span,
                help_="choose another name",
            )
        else:
            gone = self.repealed.pop((kind, name.text), None)
            previous = gone.entry if gone else None
            self.entries[kind, name.text] = Entry(kind, name.text, node, self._edition, previous)

    def _rival(self, kind: str, name: str) -> Entry | None:
        """What has the name already; `the-king` and `the_king` are one name."""
        kinds = {kind}.union(*(room for room in _ROOMS if kind in room))
        spellings = {name, name.replace("-", "_"), name.replace("_", "-")}
        keys = [(k, n) for k in sorted(kinds) for n in sorted(spellings)]
        return next((self.entries[key] for key in keys if key in self.entries), None)

    def _say_taken(self, kind: str, name: tree.Word, rival: Entry) -> None:
        first = Place(name_span(rival.node), "first declared here")
        if kind in _SINGLE:
            self._fault(
                "duplicate-name",
                f"expected one line `{_SINGLE[kind]} …`, got a second",
                name.span,
                (first,),
                "keep one of them; an edition that changes it writes `amend` in front",
            )
            return
        help_ = "rename one of them"
        if rival.edition != self._edition:
            help_ += f", or write `amend {kind} {name}` to change the one of {rival.edition}"
        self._fault(
            "duplicate-name",
            f"expected a new name, got `{name}`, which is {with_article(rival.kind)} already",
            name.span,
            (first,),
            help_,
        )

    # -------------------------------------------------------------- what changes
    def _amend(self, item: tree.Amend) -> None:
        declared = item.declaration
        if isinstance(declared, tree.Label):
            self._label(declared)
            return
        for node in declared.variables if isinstance(declared, tree.State) else (declared,):
            kind, name = key_of(node)
            if (old := self._below(kind, name)) is not None:
                self.entries[kind, name.text] = Entry(kind, name.text, node, self._edition, old)

    def _below(self, kind: str, name: tree.Word) -> Entry | None:
        """What an amendment or a repeal speaks of."""
        old = self.entries.get((kind, name.text))
        if old is None:
            self._say_nothing_below(kind, name)
        elif old.edition == self._edition and not by_cells(old):
            self._fault(
                "duplicate-name",
                f"expected one change of the {kind} `{name}`, got two",
                name.span,
                (Place(name_span(old.node), "first changed here"),),
                "make both changes in one place",
            )
            return None
        return old

    def _say_nothing_below(self, kind: str, name: tree.Word) -> None:
        close = self.faults.closest_match(name.text, [n for k, n in self.entries if k == kind])
        other = next((k for k, n in self.entries if n == name.text), None)
        help_ = f"declare the {kind} without `amend`"
        if other:
            help_ = f"`{name}` is {with_article(other)}"
        elif close:
            help_ = f"did you mean `{close}`?"
        gone = self.repealed.get((kind, name.text))
        related = (Place(gone.span, "repealed here"),) if gone else ()
        said = "the line" if kind in _SINGLE else with_article(kind)
        self._fault(
            "amends-nothing",
            f"expected {said} of the ruleset below, got `{name}`",
            name.span,
            related,
            help_,
        )

    def _amend_cell(self, item: tree.AmendCell) -> None:
        old = self._below("table", item.table)
        if old is None or not isinstance(old.node, tree.Table):
            return
        table = old.node
        columns = [column.name.text for column in table.columns]
        rows = [row.name.text for row in table.rows]
        for word, known, what in ((item.row, rows, "row"), (item.column, columns, "column")):
            if word.text not in known:
                close = self.faults.closest_match(word.text, known)
                self._fault(
                    "amends-nothing",
                    f"expected a {what} of the table `{item.table}`, got `{word}`",
                    word.span,
                    (Place(table.name.span, "the table is declared here"),),
                    f"did you mean `{close}`?" if close else "",
                )
                return
        if not item.cites:
            self._fault(
                "uncited-rule",
                f"expected a citation after the new cell of `{item.row}`, got none",
                item.span,
                help_="name the section that says so, e.g. `§5.7`",
            )
        changed = _with_cell(
            table, rows.index(item.row.text), columns.index(item.column.text), item.cell
        )
        earlier = old.lines if old.edition == self._edition else ()
        before = old.previous if old.edition == self._edition else old
        self.entries["table", old.name] = Entry(
            "table", old.name, changed, self._edition, before, (*earlier, item)
        )

    def _repeal(self, item: tree.Repeal) -> None:
        old = self._below(item.kind.text, item.name)
        if old is not None:
            key = (item.kind.text, item.name.text)
            del self.entries[key]
            entry = Entry(old.kind, old.name, old.node, self._edition, old, (item,))
            self.repealed[key] = Repealed(entry, item.name.span)

    def _reword(self, item: tree.Reword) -> None:
        """Play stays as it was, and the pedigree says so."""
        old = self._below(item.kind.text, item.name)
        if old is None:
            return
        if not item.cites:
            self._fault(
                "uncited-rule",
                f"expected a citation in the rewording of `{item.name}`, got none",
                item.name.span,
                help_="name the section that words it otherwise, e.g. `§5.7`",
            )
        entry = Entry(old.kind, old.name, old.node, self._edition, old, (item,))
        self.entries[old.kind, old.name] = entry

    # -------------------------------------------------------------- sections
    def cite(self, sections: Sections) -> None:
        """Gives each declaration its sections in the ruleset that is played."""
        for key, entry in self.entries.items():
            written = (cite.text.rpartition("§") for cite in entry.cites)
            cited = sections.in_force(
                (said or entry.edition, number) for said, _, number in written
            )
            is_unlisted = entry.edition not in sections.layers
            self.entries[key] = evolve(entry, cited=cited, is_unlisted=is_unlisted)

    # -------------------------------------------------------------- labels
    def _label(self, item: tree.Label) -> None:
        known = self.labels.setdefault(item.language.text, {})
        for entry in item.entries:
            key = label_key(entry.key)
            old = known.get(key)
            if old is not None and old.edition == self._edition:
                self._fault(
                    "duplicate-name",
                    f"expected one label for `{say_key(entry.key)}`, got two",
                    entry.key.span,
                    (Place(old.key.span, "first given here"),),
                    "keep one of them",
                )
            known[key] = Labelled(entry.key, entry.text.text, self._edition)

    def labels_in_force(self) -> dict[str, dict[str, str]]:
        """The labels by language and key, without those of sentences that an edition has changed."""
        order = {edition: number for number, edition in enumerate(self._editions)}
        return {
            language: {
                key: label.text
                for key, label in known.items()
                if not _is_outdated(label, self.entries, order)
            }
            for language, known in self.labels.items()
        }


def by_cells(entry: Entry) -> bool:
    """Whether an edition changed a table cell by cell: it may change another."""
    return bool(entry.lines) and all(isinstance(line, tree.AmendCell) for line in entry.lines)


# What a player reads of a declaration, by the first word of a label's key: its sentence, and what it is called.
SENTENCES = frozenset({"rule", "option", "reading", "scenario"})
TEMPLATES = frozenset({"action", "event", "phase", "stage"})
SUMMARIZED = TEMPLATES - {"event"}
LABELLED = SENTENCES | TEMPLATES | {"question", "type", "variable", "define", "column"}


def label_key(key: tree.LabelKey | tree.TextKey) -> str:
    """The key by which a label is looked up: `North`, `Field.North`, `action move summary`."""
    if isinstance(key, tree.TextKey):
        return f"text {key.said}"
    said = say_key(key)
    return f"phase {said.removeprefix('stage ')}" if said.startswith("stage ") else said


def say_key(key: tree.LabelKey | tree.TextKey) -> str:
    """The key as it is written."""
    if isinstance(key, tree.TextKey):
        return f'text "{key.said}"'
    sign = "" if key.is_value else " "
    return sign.join(word.text for word in (key.first, key.second, key.third) if word is not None)


def _is_outdated(label: Labelled, entries: dict[Key, Entry], order: dict[str, int]) -> bool:
    """Whether a label translates a sentence that a later edition has put otherwise."""
    if isinstance(label.key, tree.TextKey):
        return False
    now = then = _sentence_of(label.key, entries)
    while then is not None and order[then.edition] > order[label.edition]:
        then = then.previous
    if now is None or then is None or now is then:
        return False
    return _sentence(now, label.key) != _sentence(then, label.key)


def _sentence_of(key: tree.LabelKey, entries: dict[Key, Entry]) -> Entry | None:
    """The declaration of the sentence that a label translates; None where it is no sentence."""
    kind = key.first.text
    if key.is_value:
        return entries.get(("reading", kind))
    if key.second is None or not (kind in SENTENCES or key.third is not None):
        return None
    kinds = ("phase", "stage") if kind in {"phase", "stage"} else (kind,)
    return next(
        (entries[k, key.second.text] for k in kinds if (k, key.second.text) in entries), None
    )


def _sentence(entry: Entry, key: tree.LabelKey) -> str:
    """The sentence of a declaration, or of an alternative of a reading."""
    if not key.is_value or not isinstance(entry.node, tree.Reading) or key.third is None:
        return entry.summary
    alternatives = {one.name.text: one.summary.text for one in entry.node.alternatives}
    return alternatives.get(key.third.text, "")


def _with_cell(table: tree.Table, at: int, column: int, cell: tree.Cell) -> tree.Table:
    row = table.rows[at]
    if column >= len(row.cells):
        return table
    cells = (*row.cells[:column], cell, *row.cells[column + 1 :])
    return evolve(table, rows=(*table.rows[:at], evolve(row, cells=cells), *table.rows[at + 1 :]))

"""A rulebook as its declarations, each with its pedigree through the editions."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, field, frozen

from hots_rules.diagnostics import Fault, Place, Span, near
from hots_rules.rules.sources import Source
from hots_rules.rules.typed import Typed
from hots_rules.syntax import tree


@frozen
class Entry:
    """One declaration as it stands after all layers, and the one whose place it took."""

    kind: str
    name: str
    node: tree.Declaration | tree.Variable
    edition: str
    previous: Entry | None = None

    @property
    def cites(self) -> tuple[tree.Word, ...]:
        """The sections that it cites."""
        return getattr(self.node, "cites", ())

    @property
    def sections(self) -> tuple[str, ...]:
        """The numbers of those sections."""
        return tuple(cite.text.rsplit("§", 1)[1] for cite in self.cites)

    @property
    def summary(self) -> str:
        """What it says, in a sentence, where it has one."""
        word = getattr(self.node, "summary", None)
        return word.text if word is not None else ""


Key = tuple[str, str]


@frozen
class Book:
    """A checked rulebook.

    `entries` hold what is in force, by kind and name; `repealed` what a layer took away.
    """

    source: Source
    entries: dict[Key, Entry]
    repealed: tuple[Entry, ...]
    sections: dict[str, dict[str, str]]
    labels: dict[str, dict[str, str]]
    typed: Typed = field(repr=False)

    @property
    def name(self) -> str:
        """The name of the ruleset."""
        return self.source.name

    def of_kind(self, *kinds: str) -> Iterator[Entry]:
        """The entries of some kinds, in the order of the files."""
        return (entry for entry in self.entries.values() if entry.kind in kinds)


class Layers:
    """Lays the declarations of one edition over those below it; faults are gathered, not raised."""

    def __init__(self) -> None:
        self.entries: dict[Key, Entry] = {}
        self.repealed: list[Entry] = []
        self.labels: dict[str, dict[str, tuple[str, Span, str]]] = {}
        self.faults: list[Fault] = []
        self._edition = ""

    def lay(self, edition: str, files: list[tree.File]) -> None:
        """Adds one layer: repeals and amendments first look below, additions must be new."""
        self._edition = edition
        for file in files:
            for item in file.items:
                self._item(item)

    def _item(self, item: tree.Item) -> None:
        match item:
            case tree.Ruleset():
                pass
            case tree.Amend():
                self._amend(item)
            case tree.AmendCell():
                self._amend_cell(item)
            case tree.Repeal():
                self._repeal(item)
            case tree.State():
                for variable in item.variables:
                    self._add("variable", variable.name, variable)
            case tree.Label():
                self._label(item)
            case _:
                self._add(*key_of(item), item)

    def _add(self, kind: str, name: tree.Word, node: tree.Declaration | tree.Variable) -> None:
        rival = self._rival(kind, name.text)
        if rival is None:
            self.entries[kind, name.text] = Entry(kind, name.text, node, self._edition)
            return
        self.faults.append(Fault(
            "duplicate-name", f"expected a new name, got `{name}`, which is a {rival.kind} already", name.span,
            (Place(name_span(rival.node), "first declared here"),),
            help=f"rename one of them, or write `amend {kind} {name}` in an edition that changes it",
        ))  # fmt: skip

    def _rival(self, kind: str, name: str) -> Entry | None:
        """Names share a room: what is called like a function must be one thing."""
        for room in _ROOMS:
            if kind in room:
                return next(
                    (self.entries[k, name] for k in room if (k, name) in self.entries), None
                )
        return self.entries.get((kind, name))

    def _amend(self, item: tree.Amend) -> None:
        if isinstance(item.declaration, tree.Label):
            return self._label(item.declaration)
        nodes = (
            item.declaration.variables
            if isinstance(item.declaration, tree.State)
            else (item.declaration,)
        )
        for node in nodes:
            kind, name = key_of(node)
            if (old := self._below(kind, name)) is not None:
                self.entries[kind, name.text] = Entry(kind, name.text, node, self._edition, old)
        return None

    def _below(self, kind: str, name: tree.Word) -> Entry | None:
        old = self.entries.get((kind, name.text))
        if old is None:
            close = near(name.text, [n for k, n in self.entries if k == kind])
            other = next((k for k, n in self.entries if n == name.text), None)
            mend = (
                f"did you mean `{close}`?"
                if close
                else f"it is a {other}"
                if other
                else f"declare the {kind} without `amend`"
            )
            self.faults.append(
                Fault(
                    "amends-nothing",
                    f"expected a {kind} of the ruleset below, got `{name}`",
                    name.span,
                    help=mend,
                )
            )
        return old

    def _amend_cell(self, item: tree.AmendCell) -> None:
        old = self._below("table", item.table)
        if old is None or not isinstance(old.node, tree.Table):
            return
        table = old.node
        columns = [column.name.text for column in table.columns]
        rows = [row.name.text for row in table.rows]
        for word, known, what in ((item.column, columns, "column"), (item.row, rows, "row")):
            if word.text not in known:
                close = near(word.text, known)
                self.faults.append(Fault(
                    "amends-nothing", f"expected a {what} of the table `{item.table}`, got `{word}`", word.span,
                    (Place(table.name.span, "the table is declared here"),), help=f"did you mean `{close}`?" if close else "",
                ))  # fmt: skip
                return
        at, column = rows.index(item.row.text), columns.index(item.column.text)
        row = table.rows[at]
        if column >= len(row.cells):
            return
        cells = (*row.cells[:column], item.cell, *row.cells[column + 1 :])
        changed = evolve(
            table,
            rows=(*table.rows[:at], evolve(row, cells=cells), *table.rows[at + 1 :]),
            cites=item.cites,
        )
        self.entries["table", old.name] = Entry("table", old.name, changed, self._edition, old)

    def _repeal(self, item: tree.Repeal) -> None:
        old = self._below(item.kind.text, item.name)
        if old is not None:
            del self.entries[item.kind.text, item.name.text]
            self.repealed.append(Entry(old.kind, old.name, old.node, self._edition, old))

    def _label(self, item: tree.Label) -> None:
        known = self.labels.setdefault(item.language.text, {})
        for entry in item.entries:
            key = label_key(entry.key)
            old = known.get(key)
            if old is not None and old[2] == self._edition:
                self.faults.append(Fault(
                    "duplicate-name", f"expected one label for `{key}`, got two", entry.span,
                    (Place(old[1], "first given here"),), help="keep one of them",
                ))  # fmt: skip
            known[key] = (entry.text.text, entry.span, self._edition)


_ROOMS = (
    ("define", "event", "phase", "stage"),
    ("type", "table"),
    ("variable", "option", "reading", "define"),
    ("rule", "invariant"),
)


def label_key(key: tree.LabelKey) -> str:
    """`Hobelars`, `Area.Ross` or `action move` as one text."""
    return key.first.text if key.second is None else f"{key.first}.{key.second}"


def key_of(node: tree.Declaration | tree.Variable) -> tuple[str, tree.Word]:
    """The kind and the name of a declaration."""
    match node:
        case tree.TypeAlias():
            return "type", node.name
        case tree.PositionEntry():
            return "positions", tree.Word("begin", node.span)
        case tree.Clock():
            return "clock", tree.Word("clock", node.span)
        case tree.Players():
            return "players", tree.Word("players", node.span)
        case tree.Label():
            return "label", node.language
        case tree.State():
            return "state", tree.Word("state", node.span)
    return type(node).__name__.lower(), node.name


def name_span(node: tree.Declaration | tree.Variable) -> Span:
    """Where the name of a declaration stands."""
    name = getattr(node, "name", None)
    return name.span if isinstance(name, tree.Word) else node.span

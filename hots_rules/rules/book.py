"""A rulebook as its declarations, each with its pedigree through the editions."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import field, fields, frozen

from hots_rules.diagnostics import Span
from hots_rules.rules.sources import Source
from hots_rules.rules.typed import Typed
from hots_rules.syntax import tree


@frozen
class Entry:
    """One declaration as it stands after all layers, and the one whose place it took.

    `changes` are the sections that a `repeal` or `amend table` line cites, where there was one.
    """

    kind: str
    name: str
    node: tree.Declaration | tree.Variable
    edition: str
    previous: Entry | None = None
    changes: tuple[tree.Word, ...] | None = None

    @property
    def cites(self) -> tuple[tree.Word, ...]:
        """The sections that it cites."""
        return getattr(self.node, "cites", ()) if self.changes is None else self.changes

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
class Repealed:
    """A declaration that a layer took away, and where it says so."""

    entry: Entry
    span: Span


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


def key_of(node: tree.Declaration | tree.Variable) -> tuple[str, tree.Word]:
    """The kind and the name of a declaration; what a ruleset has once is named by its kind."""
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


def words_in(node: object) -> Iterator[str]:
    """All words in a part of the tree, names and others."""
    pending = [node]
    while pending:
        found = pending.pop()
        if isinstance(found, tree.Word):
            yield found.text
        elif isinstance(found, tuple):
            pending += found
        elif isinstance(found, tree.Node):
            pending += [getattr(found, f.name) for f in fields(type(found)) if f.name != "span"]

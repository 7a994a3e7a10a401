"""A rulebook as its declarations, each with its pedigree through the editions."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import field, fields, frozen

from hots_rules.diagnostics import Span
from hots_rules.rules.editions.sections import Citation
from hots_rules.rules.sources.find import Source
from hots_rules.rules.typed.tast import TypedRuleset
from hots_rules.syntax import tree


@frozen
class Entry:
    """One declaration as it stands after all layers, and the one whose place it took.

    `lines` changed it without declaring it anew: cells of a table, a repeal, another wording.
    Once all layers lie, `cited` are its sections in the ruleset that is played, and `is_unlisted`
    says that the edition it comes from has no list of sections, as a house rule.
    """

    kind: str
    name: str
    node: tree.Declaration | tree.Variable
    edition: str
    previous: Entry | None = None
    lines: tuple[tree.AmendCell | tree.Repeal | tree.Reword, ...] = ()
    cited: tuple[Citation, ...] = ()
    is_unlisted: bool = False

    @property
    def cites(self) -> tuple[tree.Word, ...]:
        """The sections that it cites, as written."""
        if self.lines:
            return tuple(cite for line in self.lines for cite in line.cites)
        return getattr(self.node, "cites", ())

    @property
    def sections(self) -> tuple[str, ...]:
        """The numbers of its sections, those of the ruleset that is played where it has them."""
        if self.cited:
            return tuple(citation.section for citation in self.cited)
        return tuple(cite.text.rpartition("§")[2] for cite in self.cites)

    @property
    def cited_in(self) -> str:
        """The edition that numbers its sections so; a ruleset without a list speaks for itself."""
        own = not self.cited or self.is_unlisted
        return self.edition if own else self.cited[0].edition

    @property
    def wording(self) -> str:
        """Why it plays as before, where an edition only words it otherwise."""
        said = (line.reason.text for line in self.lines if isinstance(line, tree.Reword))
        return next(said, "")

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
class Rulebook:
    """A checked rulebook.

    `entries` hold what is in force, by kind and name; `repealed` what a layer took away; `notes`
    say of sections, edition by edition, why no rule cites them.
    """

    source: Source
    entries: dict[Key, Entry]
    repealed: tuple[Entry, ...]
    sections: dict[str, dict[str, str]]
    labels: dict[str, dict[str, str]]
    typed: TypedRuleset = field(repr=False)
    notes: dict[str, dict[str, str]] = field(factory=dict)

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
        case tree.Map():
            return "map", tree.Word("map", node.span)
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

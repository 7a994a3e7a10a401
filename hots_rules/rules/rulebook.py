"""A rulebook as its declarations, each with its history through the editions."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import field, frozen, has

from hots_rules.diagnostics import Span
from hots_rules.rules.editions.sections import Citation
from hots_rules.rules.kinds import Key as Key
from hots_rules.rules.sources.source import Source
from hots_rules.rules.typed import classes as typed_classes
from hots_rules.rules.typed.tast import Origin, TypedRuleset
from hots_rules.syntax import tree
from hots_rules.syntax.walk import walk

Line = tree.AmendPart | tree.Repeal | tree.Reword | tree.Settle
"""A change of a declaration that does not redeclare it."""


@frozen
class Entry:
    """One declaration in force, and the one that it replaced in an older layer.

    `lines` are the changes that do not redeclare it: of a part, a repeal, a rewording, a decision between
    readings. `settled` is the alternative that an edition decides on for a reading. Once all
    editions are merged, `cited` are its sections in the ruleset that is played, and `is_unlisted`
    is true if its edition has no list of sections, as with a house rule.
    """

    kind: str
    name: str
    node: tree.Declaration | tree.Variable
    edition: str
    previous: Entry | None = None
    lines: tuple[Line, ...] = ()
    settled: str = ""
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
        """The numbers of its sections, in the ruleset that is played where it has them."""
        if self.cited:
            return tuple(citation.section for citation in self.cited)
        return tuple(cite.text.rpartition("§")[2] for cite in self.cites)

    @property
    def cited_in(self) -> str:
        """The edition in which its sections have these numbers."""
        own = not self.cited or self.is_unlisted
        return self.edition if own else self.cited[0].edition

    def changed(
        self,
        edition: str,
        node: tree.Declaration | tree.Variable,
        lines: tuple[Line, ...] = (),
        settled: str = "",
    ) -> Entry:
        """The declaration as a newer edition has it."""
        return Entry(self.kind, self.name, node, edition, self, lines, settled)

    @property
    def wording(self) -> str:
        """The reason why play is the same, if an edition only rewords it; else empty."""
        reasons = (line.reason.text for line in self.lines if isinstance(line, tree.Reword))
        return next(reasons, "")

    @property
    def summary(self) -> str:
        """Its sentence, if it has one."""
        word = getattr(self.node, "summary", None)
        return word.text if word is not None else ""

    @property
    def origin(self) -> Origin:
        """The source that a reader is shown for it."""
        return Origin(
            self.name, self.cited_in, self.sections, self.summary, self.node.span, self.kind
        )


@frozen
class Repealed:
    """A declaration that a layer removed, and the place of the repeal."""

    entry: Entry
    span: Span


@frozen
class Rulebook:
    """A checked rulebook.

    `content` is the digest of what decides play. `entries` are the declarations in force by kind and
    name, `repealed` those that a layer removed. `sections` are the headings of each edition by number,
    `notes` the reasons why no rule cites a section, `labels` the words of each language by key, `typed`
    the ruleset ready to compile.
    """

    source: Source
    content: str
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


CLASSES: tuple[type, ...] = (
    *typed_classes.CLASSES,
    *(kind for kind in vars(tree).values() if isinstance(kind, type) and has(kind)),
    Citation,
    Entry,
    Source,
)
"""The classes of the parts of a rulebook, for those who store one."""


def key_of(node: tree.Declaration | tree.Variable) -> tuple[str, tree.Word]:
    """The kind and the name of a declaration; a kind that occurs only once is its own name."""
    match node:
        case tree.TypeAlias():
            return "type", node.name
        case tree.PositionEntry():
            return "positions", tree.Word("begin", node.span)
        case tree.Board() | tree.Clock() | tree.Map() | tree.Players() | tree.State():
            kind = type(node).__name__.lower()
            return kind, tree.Word(kind, node.span)
        case tree.Label():
            return "label", node.language
    return type(node).__name__.lower(), node.name


def name_span(node: tree.Declaration | tree.Variable) -> Span:
    """The place of the name of a declaration."""
    name = getattr(node, "name", None)
    return name.span if isinstance(name, tree.Word) else node.span


def words_in(node: object) -> Iterator[str]:
    """The texts of all words in a part of the tree, names and others."""
    return (part.text for part in walk(node) if isinstance(part, tree.Word))


def declared_names(rulebook: Rulebook) -> dict[str, str]:
    """The names that a ruleset declares, with file and line: rows, values, variables, actions, scenarios, settings."""
    places: dict[str, str] = {}
    for entry in rulebook.entries.values():
        words: list[tree.Word] = []
        match entry.node:
            case tree.Table():
                words = [row.name for row in entry.node.rows]
            case tree.TypeAlias() if isinstance(entry.node.type, tree.UnionType):
                members = entry.node.type.members
                words = [member.name for member in members if isinstance(member, tree.NamedType)]
            case tree.Variable() | tree.Action() | tree.Scenario() | tree.Option() | tree.Reading():
                words = [entry.node.name]
        for word in words:
            places.setdefault(word.text, f"{word.span.file}:{word.span.line}")
    return places

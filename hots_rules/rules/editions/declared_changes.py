"""The changes of a rulebook that an edition declares in `changes.toml`: what a player would say, and who carries it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from attrs import field, frozen

from hots_rules._toml import check_entries, read_toml
from hots_rules.diagnostics import Fault, RulesetError, Span
from hots_rules.rules.faults import FaultCollector
from hots_rules.rules.sources.source import Layer, Source

WHOLE_RULESET = frozenset({"label", "order"})
"""The kinds of differences that no declaration has: the labels of a language, and the order of rules."""


@frozen
class ChangeWords:
    """The texts about a change in one language; see `ChangeEntry` for each."""

    title: str
    own: str
    below: str
    play: str = ""


@frozen(kw_only=True)
class ChangeEntry:
    """The entry of a change in `changes.toml`.

    Attributes:
        section: the section of the newest rulebook that it belongs to.
        members: the kind and name of each declaration that carries it, the main ones first.
        title: what a player calls it.
        own: what the edition says.
        below: what the ruleset says that the edition extends.
        play: what it changes in play; empty if that is not said.
        reason: why it has members of unrelated sections; empty if it has none.
        translated: title and sentences in other languages.
    """

    section: str
    members: tuple[str, ...]
    title: str
    own: str
    below: str
    play: str = ""
    reason: str = ""
    translated: Mapping[str, ChangeWords] = field(factory=dict)

    def words(self, language: str) -> ChangeWords:
        """Its texts in a language, else in English."""
        words = ChangeWords(self.title, self.own, self.below, self.play)
        return self.translated.get(language, words)


@frozen(kw_only=True)
class DeclaredChange(ChangeEntry):
    """A change of the rulebook that an edition declares.

    Attributes:
        name: its name; editions that change one thing give it the same name.
        edition: the ruleset that declares it.
    """

    name: str
    edition: str


@frozen
class _ChangesFile:
    """The file `changes.toml` of a layer: its entries by the names of the changes."""

    changes: Mapping[str, ChangeEntry]


def declared_changes(source: Source) -> Mapping[str, tuple[DeclaredChange, ...]]:
    """The changes that each layer of a ruleset declares, by its name; none of a layer without a file.

    Raises:
        RulesetError: a file is not of this form.
    """
    faults = FaultCollector()
    by_layer = {layer.name: tuple(_read(layer, faults)) for layer in source.layers}
    if faults:
        raise RulesetError(list(faults), source.texts)
    return by_layer


def check_changes(
    source: Source,
    declared: Collection[tuple[str, str]],
    sections: Mapping[str, Mapping[str, str]],
    faults: FaultCollector,
) -> None:
    """Reports changes of the last layer with an unknown section, with unknown members, or with those of another change.

    Args:
        source: the ruleset.
        declared: the kinds and names of all declarations, with those that a layer repealed.
        sections: the headings of each edition by number.
        faults: takes the faults.
    """
    layer = source.layers[-1]
    names = {" ".join(key) for key in declared}
    headings = (sections.get(edition.name, {}) for edition in source.layers)
    newest_headings = next(filter(None, headings), {})
    change_of_member: dict[str, str] = {}
    for change in _read(layer, faults):
        if newest_headings and change.section not in newest_headings:
            near = faults.suggest(change.section, newest_headings)
            headline = f"the newest rulebook has no section `{change.section}`"
            place = _place(layer, f'"{change.section}"')
            remedy = near.help("name the section that the change belongs to")
            faults.add(Fault("unknown-section", headline, place, help=remedy))
        for member in change.members:
            place = _place(layer, f'"{member}"')
            if member in change_of_member:
                first = change_of_member[member]
                headline = f"`{member}` is in the changes `{first}` and `{change.name}`"
                remedy = "leave it in the one that it serves most"
                faults.add(Fault("duplicate-name", headline, place, help=remedy))
            change_of_member[member] = change.name
            if member not in names and member.partition(" ")[0] not in WHOLE_RULESET:
                headline = f"no ruleset declares `{member}`"
                remedy = faults.suggest(member, names).help("write its kind and its name")
                faults.add(Fault("unknown-name", headline, place, help=remedy))


def _read(layer: Layer, faults: FaultCollector) -> Iterator[DeclaredChange]:
    """The changes that a layer declares; a file that cannot be read is a fault."""
    if not layer.changes:
        return
    try:
        tables = read_toml(layer.changes)
        check_entries({"changes": tables}, _ChangesFile)
    except ValueError as error:
        headline = f"the changes of `{layer.name}` cannot be read: {error}"
        remedy = "each is a table with `title`, `section`, `own`, `below` and `members`"
        faults.add(Fault("malformed-text", headline, Span.nowhere(), help=remedy))
        return
    for name, table in tables.items():
        translated = {
            language: ChangeWords(**words)
            for language, words in table.pop("translated", {}).items()
        }
        members = tuple(table.pop("members"))
        table["section"] = table["section"].lstrip("§")
        yield DeclaredChange(
            name=name, edition=layer.name, members=members, translated=translated, **table
        )


def _place(layer: Layer, text: str) -> Span:
    """The first place of a text in the file of changes; nowhere if the file spells it in another way."""
    for number, line in enumerate(layer.changes.split("\n"), 1):
        if match := re.search(re.escape(text), line):
            first, last = match.start() + 1, match.end() + 1
            return Span(layer.changes_file, number, first, number, last)
    return Span.nowhere()

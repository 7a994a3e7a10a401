"""The histories of the declarations of a parsed rulebook."""

from __future__ import annotations

from collections.abc import Iterator

from hots_rules.compare.versions import Histories, Version
from hots_rules.explain.declared.declaration_texts import source_at
from hots_rules.rules.editions.sections import Citation
from hots_rules.rules.rulebook import Entry, Rulebook, name_span
from hots_rules.syntax import tree

_CHANGES = {tree.Repeal: "repealed", tree.Reword: "wording"}


def read_histories(rulebook: Rulebook) -> Histories:
    """The versions of all declarations, those in force first, then those repealed."""
    entries = (*rulebook.entries.values(), *rulebook.repealed)
    return Histories(tuple(version for entry in entries for version in _versions(rulebook, entry)))


def _versions(rulebook: Rulebook, entry: Entry) -> tuple[Version, ...]:
    layers = [entry]
    while (before := layers[-1].previous) is not None:
        layers.append(before)
    return tuple(_version(rulebook, layer) for layer in reversed(layers))


def _version(rulebook: Rulebook, entry: Entry) -> Version:
    spans = [line.span for line in entry.lines] or [entry.node.span]
    change = (
        _CHANGES.get(type(entry.lines[0]), "amended") if entry.lines else _added_or_amended(entry)
    )
    source = "\n".join(source_at(rulebook, span) for span in spans)
    return Version(
        entry.kind,
        entry.name,
        entry.edition,
        change,
        tuple(_citations(rulebook, entry)),
        entry.wording or entry.summary,
        spans[0].file,
        spans[0].line if entry.lines else name_span(entry.node).line,
        source,
    )


def _added_or_amended(entry: Entry) -> str:
    before = entry.previous
    is_new = before is None or any(isinstance(line, tree.Repeal) for line in before.lines)
    return "added" if is_new else "amended"


def _citations(rulebook: Rulebook, entry: Entry) -> Iterator[Citation]:
    """The sections that an entry cites, of its own edition unless it names another."""
    for cite in entry.cites:
        named, _, number = cite.text.rpartition("§")
        edition = named or entry.edition
        yield Citation(edition, number, rulebook.sections.get(edition, {}).get(number, ""))

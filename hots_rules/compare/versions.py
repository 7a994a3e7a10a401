"""How a declaration came to be what it is, printing by printing."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from hots_rules.diagnostics import Span, fold_name
from hots_rules.explain.declarations import UnknownRule
from hots_rules.explain.sources import source_at
from hots_rules.play.game import BaseGame
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.rules.editions.sections import Citation
from hots_rules.rules.rulebook import Entry, Rulebook, name_span
from hots_rules.syntax import tree

_CHANGES = {tree.AmendCell: "amended", tree.Repeal: "repealed", tree.Reword: "wording"}


@frozen
class Version:
    """What one ruleset of the chain did to a declaration, and where it says so.

    `change` is "added", "amended", "repealed" or "wording"; the sections are those of the ruleset
    that says it, and the summary is why play is the same where it is only worded otherwise.
    """

    kind: str
    name: str
    edition: str
    change: str
    cited: tuple[Citation, ...]
    summary: str
    file: str
    line: int
    source: str


def history(ruleset: BaseRuleset[BaseGame], name: str) -> tuple[Version, ...]:
    """The pedigree of all declarations of a name, the newest rulebook first; also of what was repealed.

    Raises:
        UnknownRule: nothing has, or had, that name.
    """
    rulebook = ruleset.rulebook
    known = (*rulebook.entries.values(), *rulebook.repealed)
    found = [entry for entry in known if fold_name(entry.name) == fold_name(name)]
    if not found:
        raise UnknownRule.among(name, ruleset.name, [entry.name for entry in known])
    return tuple(version for entry in found for version in _versions(rulebook, entry))


def _versions(rulebook: Rulebook, entry: Entry) -> tuple[Version, ...]:
    layers = [entry]
    while (before := layers[-1].previous) is not None:
        layers.append(before)
    return tuple(_version(rulebook, layer) for layer in reversed(layers))


def _version(rulebook: Rulebook, entry: Entry) -> Version:
    spans = [line.span for line in entry.lines] or [entry.node.span]
    change = _CHANGES[type(entry.lines[0])] if entry.lines else _how(entry)
    source = "\n".join(source_at(rulebook, span) for span in spans)
    return Version(
        entry.kind,
        entry.name,
        entry.edition,
        change,
        tuple(_as_written(rulebook, entry)),
        entry.wording or entry.summary,
        spans[0].file,
        _line(entry, spans[0]),
        source,
    )


def _how(entry: Entry) -> str:
    before = entry.previous
    is_new = before is None or any(isinstance(line, tree.Repeal) for line in before.lines)
    return "added" if is_new else "amended"


def _line(entry: Entry, span: Span) -> int:
    return span.line if entry.lines else name_span(entry.node).line


def _as_written(rulebook: Rulebook, entry: Entry) -> Iterator[Citation]:
    """The sections that it cites, in the edition that says so."""
    for cite in entry.cites:
        said, _, number = cite.text.rpartition("§")
        edition = said or entry.edition
        yield Citation(edition, number, rulebook.sections.get(edition, {}).get(number, ""))

"""The history of a declaration, edition by edition."""

from collections.abc import Iterator

from attrs import field, frozen

from hots_rules.diagnostics import fold_name
from hots_rules.explain.declarations import UnknownRule, source_at
from hots_rules.play.game import AnyRuleset
from hots_rules.rules.editions.sections import Citation
from hots_rules.rules.rulebook import Entry, Rulebook, name_span
from hots_rules.syntax import tree

_CHANGES = {tree.Repeal: "repealed", tree.Reword: "wording"}


@frozen
class Version:
    """The change that one edition made to a declaration.

    >>> import hots_rules as hr
    >>> rules = hr.load("hots-4.0")
    >>> version = hr.compare.history(rules, next(iter(rules.rulebook.of_kind("action"))).name)[0]
    >>> version.kind, version.change
    ('action', 'added')

    Attributes:
        kind: "rule", "action", "table" and so on.
        name: the name of the declaration.
        edition: the ruleset that made the change.
        change: "added", "amended", "repealed", or "wording" if play is the same.
        cited: the sections that this ruleset cites.
        summary: the sentence of the rulebook; of another wording, why play is the same.
        file: the file that contains the change.
        line: its first line there.
        source: its text.
    """

    kind: str
    name: str
    edition: str
    change: str
    cited: tuple[Citation, ...]
    summary: str
    file: str
    line: int
    source: str = field(repr=False)


def history(ruleset: AnyRuleset, name: str) -> tuple[Version, ...]:
    """The changes of all declarations with a name, from the newest rulebook on; also of repealed ones.

    >>> import hots_rules as hr
    >>> rules = hr.load("hots-4.0")
    >>> name = next(iter(rules.rulebook.of_kind("action"))).name
    >>> [version.edition for version in hr.compare.history(rules, name)]
    ['hots-4.0']

    Raises:
        UnknownRule: no declaration has, or had, that name.
    """
    rulebook = ruleset.rulebook
    known = (*rulebook.entries.values(), *rulebook.repealed)
    entries = [entry for entry in known if fold_name(entry.name) == fold_name(name)]
    if not entries:
        raise UnknownRule.among(name, ruleset.name, [entry.name for entry in known])
    return tuple(version for entry in entries for version in _versions(rulebook, entry))


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

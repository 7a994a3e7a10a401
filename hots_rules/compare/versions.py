"""The changes that editions made to declarations, as values."""

from __future__ import annotations

from attrs import field, frozen

from hots_rules.rules.editions.sections import Citation


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
        summary: the sentence of the rulebook; if only the wording changed, why play is the same.
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


@frozen
class Histories:
    """The versions of all declarations, those in force first."""

    versions: tuple[Version, ...]

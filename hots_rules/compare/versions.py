"""The history of a declaration, edition by edition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import field, frozen

from hots_rules.diagnostics import fold_name
from hots_rules.explain.errors import UnknownRule
from hots_rules.play.game import AnyRuleset
from hots_rules.rules.editions.sections import Citation

if TYPE_CHECKING:
    from hots_rules.rules.rulebook import Rulebook


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
    versions = ruleset.compiled.kept(Histories, (Version, Citation), _read).versions
    found = tuple(version for version in versions if fold_name(version.name) == fold_name(name))
    if not found:
        raise UnknownRule.among(name, ruleset.name, [version.name for version in versions])
    return found


@frozen
class Histories:
    """The versions of all declarations, those in force first."""

    versions: tuple[Version, ...]


def _read(rulebook: Rulebook) -> Histories:
    # A late import: from the cache they come without the parser.
    from hots_rules.compare.version_texts import read_histories

    return read_histories(rulebook)

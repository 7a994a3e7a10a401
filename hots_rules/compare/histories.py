"""The history of a declaration, edition by edition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hots_rules.compare.versions import Histories, Version
from hots_rules.diagnostics import check_kind, fold_name
from hots_rules.explain.errors import UnknownRule
from hots_rules.play.game import AnyRuleset
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.rules.editions.sections import Citation

if TYPE_CHECKING:
    from hots_rules.rules.rulebook import Rulebook


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
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    check_kind("name", name, str, "a name")
    versions = ruleset.compiled.kept(Histories, (Version, Citation), _read).versions
    matching = tuple(version for version in versions if fold_name(version.name) == fold_name(name))
    if not matching:
        raise UnknownRule.among(name, ruleset.name, [version.name for version in versions])
    return matching


def _read(rulebook: Rulebook) -> Histories:
    # A late import: from the cache they come without the parser.
    from hots_rules.compare.read_versions import read_histories

    return read_histories(rulebook)

"""A ruleset with some differences of another one applied, and the dependencies among these differences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import TypeVar

from attrs import evolve, field, frozen

from hots_rules.compare.difference import Diff, Difference
from hots_rules.compare.differences import diff
from hots_rules.compare.sides import RulesetLike, compiled_of
from hots_rules.compile.cache import read_kept, write_kept
from hots_rules.compile.constant_folding import static_values
from hots_rules.compile.static_values import take_static_values
from hots_rules.diagnostics import check_kind
from hots_rules.play.compiled_ruleset import CompiledRuleset, trial_ruleset
from hots_rules.play.game import BaseGame
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.rules.editions.hybrid_rulebook import Blend, Taken
from hots_rules.rules.rulebook import Key

G = TypeVar("G", bound=BaseGame)


@frozen
class DifferenceGroup:
    """Differences that a ruleset can take over alone: the smallest such set with a certain difference.

    >>> import hots_rules as hr
    >>> group = hr.compare.group_of("hots-3.x", "hots-4.0", "celtic_unity")
    >>> group.differences
    ('phase celtic_unity',)

    Attributes:
        name: the id of a difference that has no smaller set.
        differences: the ids of all its differences, in the order of the book.
        requires: the names of the groups that are wholly within it.
    """

    name: str
    differences: tuple[str, ...]
    requires: tuple[str, ...] = ()


def hybrid(old: BaseRuleset[G], new: BaseRuleset[G], names: Iterable[str]) -> BaseRuleset[G]:
    """The first ruleset with some of the differences of the second one, and with those that they depend on.

    With all differences it plays as the second ruleset. It is compiled on first use and kept in the
    cache folder, but it has no texts of its own: its records replay if the ruleset is given.

    >>> import hots_rules as hr
    >>> mixed = hr.compare.hybrid(hr.load("hots-3.x"), hr.load("hots-4.0"), ["rule border-control"])
    >>> mixed.name
    'hots-3.x-with-border-control'

    Args:
        old: the ruleset that all other declarations are from.
        new: the ruleset that the differences are taken from.
        names: ids of differences, or their names.

    Raises:
        UnknownName: no difference has such a name.
        RulesetError: the rules have faults, even with all that these differences depend on.
    """
    check_kind("old", old, BaseRuleset, "a ruleset")
    check_kind("new", new, BaseRuleset, "a ruleset")
    maker = _HybridMaker.of(old.compiled, new.compiled)
    wanted = [maker.differences.find(name) for name in names]
    return evolve(old, compiled=maker.compiled(wanted))


def with_and_without(
    old: BaseRuleset[G], new: BaseRuleset[G], name: str
) -> tuple[BaseRuleset[G], BaseRuleset[G]]:
    """The first ruleset with a difference of the second one, and the same without that difference.

    Both have what the difference depends on, if that can be applied alone.

    >>> import hots_rules as hr
    >>> pair = hr.compare.with_and_without(hr.load("hots-3.x"), hr.load("hots-4.0"), "balliol waits until 1301")
    >>> [rules.name for rules in pair]
    ['hots-3.x-with-balliol-waits-until-1301', 'hots-3.x']

    Raises:
        UnknownName: no difference has the name.
        RulesetError: the rules have faults, even with all that it depends on.
    """
    check_kind("old", old, BaseRuleset, "a ruleset")
    check_kind("new", new, BaseRuleset, "a ruleset")
    check_kind("name", name, str, "a name")
    maker = _HybridMaker.of(old.compiled, new.compiled)
    difference = maker.differences.find(name)
    without = evolve(old, compiled=maker.compiled(maker.dependencies_of(difference)))
    return hybrid(old, new, [difference.id]), without


def groups(old: RulesetLike, new: RulesetLike) -> tuple[DifferenceGroup, ...]:
    """The smallest sets of differences that the first ruleset can take over alone, in the order of the book.

    A definition that two rules use is in the groups of both, and every difference is in some group. With the rulesets
    exchanged, the groups may differ: what one ruleset adds, the other one repeals. The groups are computed once, in up
    to a few minutes, and kept in the user's cache folder.

    >>> import hots_rules as hr
    >>> sets = {group.name: group for group in hr.compare.groups("hots-3.x", "hots-4.0")}
    >>> sets["reading return_of_balliol"].differences
    ('reading return_of_balliol', 'rule balliol-waits-until-1301')

    Raises:
        RulesetError: there is no such ruleset, or it has faults.
    """
    return _HybridMaker.of(compiled_of(old), compiled_of(new)).groups().groups


def group_of(old: RulesetLike, new: RulesetLike, name: str) -> DifferenceGroup:
    """The smallest group with a difference.

    >>> import hots_rules as hr
    >>> hr.compare.group_of("hots-3.x", "hots-4.0", "rule border-control").requires
    ()

    Raises:
        UnknownName: no difference has such a name.
        RulesetError: there is no such ruleset, or it has faults.
    """
    check_kind("name", name, str, "a name")
    maker = _HybridMaker.of(compiled_of(old), compiled_of(new))
    name = maker.differences.find(name).id
    holders = [group for group in maker.groups().groups if name in group.differences]
    return min(holders, key=lambda group: len(group.differences))


@frozen
class KeptGroups:
    """The groups of two rulesets, as they are kept in the cache folder."""

    groups: tuple[DifferenceGroup, ...]


@frozen(slots=False)
class _HybridMaker:
    """Makes the hybrids of two rulesets from their differences; `latest` has the last one that was made."""

    old: CompiledRuleset
    new: CompiledRuleset
    differences: Diff
    latest: dict[tuple[str, ...], CompiledRuleset] = field(factory=dict, eq=False, repr=False)

    @classmethod
    def of(cls, old: CompiledRuleset, new: CompiledRuleset) -> _HybridMaker:
        key = ("hybrids", new.text_hash)
        return old.memo(key, lambda: cls(old, new, diff(BaseRuleset(old), BaseRuleset(new))))

    @property
    def blend(self) -> Blend:
        def made() -> Blend:
            keys = (
                _key(difference)
                for difference in self.differences.differences
                if _is_declaration(difference)
            )
            return Blend.of(self.old.rulebook, self.new.rulebook, keys, static_values)

        return self.old.memo(("blend", self.new.text_hash), made)

    # -------------------------------------------------------------- rulesets
    def compiled(self, wanted: list[Difference]) -> CompiledRuleset:
        """The hybrid with some differences; the last one is kept, since it is mostly asked for again."""
        ids = tuple(difference.id for difference in wanted)
        if (made := self.latest.get(ids)) is None:
            made = self._compiled(wanted)
            self.latest.clear()
            self.latest[ids] = made
        return made

    def _compiled(self, wanted: list[Difference]) -> CompiledRuleset:
        keys = self.blend.closed(
            _key(difference) for difference in wanted if _is_declaration(difference)
        )
        languages = frozenset(
            difference.name for difference in wanted if difference.kind == "label"
        )
        reorders = any(difference.id.startswith("order ") for difference in wanted)
        digest = self._digest(*sorted(" ".join(key) for key in keys), *sorted(languages), reorders)
        rulebook = self.blend.rulebook(self._name(wanted), Taken(keys, languages, reorders))
        for before in self.latest.values():
            take_static_values(before.rulebook.typed, rulebook.typed)
        return trial_ruleset(rulebook, digest, is_cached=True)

    def dependencies_of(self, difference: Difference) -> list[Difference]:
        """The differences that a difference depends on, if the ruleset can take them over without it; else none."""
        if not _is_declaration(difference):
            return []
        key = _key(difference)
        others = self.blend.closed([key]) - {key}
        if key in self.blend.closed(others):
            return []
        return [
            candidate for candidate in self.differences.differences if _key(candidate) in others
        ]

    def _digest(self, *parts: object) -> str:
        text = "\n".join(map(str, (self.old.text_hash, self.new.text_hash, *parts)))
        return blake2b(text.encode(), digest_size=16).hexdigest()

    def _name(self, wanted: list[Difference]) -> str:
        if not wanted:
            return self.old.source.name
        first = "-".join(re.findall("[a-z0-9]+", wanted[0].name.lower()))
        more = f"-and-{len(wanted) - 1}-more" if len(wanted) > 1 else ""
        return f"{self.old.source.name}-with-{first}{more}"

    # -------------------------------------------------------------- groups
    def groups(self) -> KeptGroups:
        return self.old.memo(("groups", self.new.text_hash), self._kept_groups)

    def _kept_groups(self) -> KeptGroups:
        digest, parts = self._digest("groups"), (DifferenceGroup,)
        kept = read_kept(digest, KeptGroups, parts)
        if kept is None:
            kept = KeptGroups(tuple(self._groups()))
            write_kept(digest, kept, parts)
        return kept

    def _groups(self) -> Iterator[DifferenceGroup]:
        """A group for each set that is the smallest one with some difference; the first such difference names it.

        A group requires the largest of the groups within it: those that lie in no other group within it.
        """
        ids = {_key(difference): difference.id for difference in self.differences.differences}
        name_of_set: dict[frozenset[Key], str] = {}
        for difference in self.differences.differences:
            key = _key(difference)
            keys = self.blend.closed([key]) if _is_declaration(difference) else frozenset([key])
            name_of_set.setdefault(keys, difference.id)
        for keys, name in name_of_set.items():
            within = [candidate for candidate in name_of_set if candidate < keys]
            largest = (
                subset for subset in within if not any(subset < between for between in within)
            )
            members = tuple(id_ for key, id_ in ids.items() if key in keys)
            yield DifferenceGroup(name, members, tuple(name_of_set[subset] for subset in largest))


def _key(difference: Difference) -> Key:
    """The kind and the name of a difference, with the kind `order` for an order of rules."""
    kind, _, name = difference.id.partition(" ")
    return kind, name


def _is_declaration(difference: Difference) -> bool:
    return _key(difference)[0] not in ("label", "order")

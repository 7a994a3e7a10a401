"""What one ruleset has otherwise than another, section by section."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from typing import Any

import attrs
from attrs import evolve, frozen

from hots_rules.compare.semantic_key import cell_texts, choices, meaning, orders, wording
from hots_rules.explain.declarations import Declaration, declaration_of, is_within
from hots_rules.play.game import BaseGame
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.rules.editions.sections import Citation
from hots_rules.rules.rulebook import Entry, Key, Rulebook
from hots_rules.syntax import tree

AnyRuleset = BaseRuleset[BaseGame] | str | PathLike[str]
# Differences that cannot change play: other words, other sections, what only tests look at.
WORDS_ALONE = ("wording", "citation")
_NOT_PLAYED = ("invariant", "label")
_MIRRORED = {"added": "repealed", "repealed": "added"}


@frozen
class Change:
    """One thing within a declaration: a cell of a table, the default of an option, a label.

    `old` or `new` is None where there is no such thing on that side.
    """

    where: str
    old: str | None
    new: str | None


@frozen
class Difference:
    """One declaration that two rulesets do not have alike.

    `change` is "added" (the second has it alone), "repealed" (the first does), "amended", or, where
    play is the same, "wording" or "citation". `old` and `new` are the declaration in each, `changes`
    what differs within it, and `reasons` why play is the same, where an edition says so.
    """

    kind: str
    name: str
    change: str
    old: Declaration | None
    new: Declaration | None
    changes: tuple[Change, ...] = ()
    reasons: tuple[str, ...] = ()

    @property
    def plays(self) -> bool:
        """Whether it can change play."""
        return self.change not in WORDS_ALONE and self.kind not in _NOT_PLAYED

    @property
    def cited(self) -> tuple[Citation, ...]:
        """The sections of both sides, those of the first ruleset first."""
        sides = [side.cited for side in (self.old, self.new) if side is not None]
        return tuple(dict.fromkeys(citation for side in sides for citation in side))

    @property
    def summary(self) -> str:
        """What it says, in a sentence: as the second ruleset has it, else the first."""
        sides = (side.summary for side in (self.new, self.old) if side is not None)
        return next(filter(None, sides), "")

    def mirrored(self) -> Difference:
        """The same difference, looked at from the other side."""
        changes = tuple(Change(one.where, one.new, one.old) for one in self.changes)
        change = _MIRRORED.get(self.change, self.change)
        return evolve(self, change=change, old=self.new, new=self.old, changes=changes)


@frozen
class Diff:
    """What differs between two rulesets, in the order of the sections; true if anything does."""

    old: str
    new: str
    differences: tuple[Difference, ...]

    def __bool__(self) -> bool:
        return bool(self.differences)

    def mirrored(self) -> Diff:
        """The same, with the sides exchanged."""
        return Diff(self.new, self.old, tuple(one.mirrored() for one in self.differences))

    def within(self, section: str) -> Diff:
        """What either side cites under a section or a part of it."""
        kept = (
            one
            for one in self.differences
            if any(is_within(citation.section, section) for citation in one.cited)
        )
        return evolve(self, differences=tuple(kept))

    def by_section(self) -> dict[str, tuple[Difference, ...]]:
        """Section number → what differs there; under the empty one, what cites nothing."""
        found: dict[str, list[Difference]] = {}
        for one in self.differences:
            found.setdefault(_lead(one), []).append(one)
        return {section: tuple(under) for section, under in found.items()}

    def as_json(self) -> dict[str, Any]:
        """Plain data of a stable form, for `json`."""
        found = [
            {**attrs.asdict(one), "plays": one.plays, "section": _lead(one) or None}
            for one in self.differences
        ]
        return {"old": self.old, "new": self.new, "equal": not self, "differences": found}


def diff(old: AnyRuleset, new: AnyRuleset) -> Diff:
    """What the second ruleset has otherwise than the first; each is a ruleset, its name or its path.

    Declarations are compared by kind and name and by what they mean: comments, spaces, sections and
    summaries count as wording.

    Raises:
        RulesetError: there is no such ruleset, or it has faults.
    """
    one, other = rulebook_of(old), rulebook_of(new)
    return Diff(one.name, other.name, tuple(sorted(_differences(one, other), key=_place)))


def rulebook_of(ruleset: AnyRuleset) -> Rulebook:
    """The rulebook of a ruleset; nothing is compiled for it.

    Raises:
        RulesetError: there is no such ruleset, or it has faults.
    """
    if isinstance(ruleset, BaseRuleset):
        return ruleset.rulebook
    # A comparison needs the declarations alone.
    from hots_rules.rules import find_source
    from hots_rules.rules.load import load_rulebook

    return load_rulebook(find_source(ruleset))


def _differences(old: Rulebook, new: Rulebook) -> Iterator[Difference]:
    for key in {**old.entries, **new.entries}:
        found = _difference(key, old, new)
        if found is not None:
            yield found
    yield from _label_differences(old, new)
    yield from _order_differences(old, new)


def _difference(key: Key, old: Rulebook, new: Rulebook) -> Difference | None:
    before, after = old.entries.get(key), new.entries.get(key)
    if before is None or after is None:
        change = "added" if before is None else "repealed"
        return _made(key, change, old, before, new, after)
    if meaning(before.node) != meaning(after.node):
        changes = (*_cells(before, after), *_choices(old, before, new, after))
        return _made(key, "amended", old, before, new, after, changes)
    reasons = tuple(sorted(set(_reasons(before)) ^ set(_reasons(after))))
    if reasons or wording(before.node) != wording(after.node):
        return _made(key, "wording", old, before, new, after, reasons=reasons)
    if set(before.sections) != set(after.sections):
        return _made(key, "citation", old, before, new, after)
    return None


def _made(
    key: Key,
    change: str,
    old: Rulebook,
    before: Entry | None,
    new: Rulebook,
    after: Entry | None,
    changes: tuple[Change, ...] = (),
    reasons: tuple[str, ...] = (),
) -> Difference:
    left = declaration_of(old, before) if before else None
    right = declaration_of(new, after) if after else None
    in_order = tuple(sorted(changes, key=lambda one: one.where))
    return Difference(*key, change, left, right, in_order, reasons)


def _reasons(entry: Entry) -> Iterator[str]:
    """The rewordings in the pedigree of a declaration, back to what it was last amended by."""
    layer: Entry | None = entry
    while layer is not None:
        if layer.wording:
            yield layer.wording
        layer = layer.previous if layer.previous and layer.previous.node is layer.node else None


# ---------------------------------------------------------------- within a declaration
def _cells(before: Entry, after: Entry) -> Iterator[Change]:
    """The cells that differ, row by row."""
    if not isinstance(before.node, tree.Table) or not isinstance(after.node, tree.Table):
        return
    rows, others = cell_texts(before.node), cell_texts(after.node)
    for row in {**rows, **others}:
        cells, new_cells = rows.get(row, {}), others.get(row, {})
        for column in {**cells, **new_cells}:
            pair = cells.get(column), new_cells.get(column)
            if pair[0] != pair[1]:
                yield Change(f"{row} {column}", *pair)


def _choices(old: Rulebook, before: Entry, new: Rulebook, after: Entry) -> Iterator[Change]:
    """What can be chosen, and what holds by default."""
    pair = choices(old, before), choices(new, after)
    for what in {**pair[0], **pair[1]}:
        said = pair[0].get(what), pair[1].get(what)
        if said[0] != said[1]:
            yield Change(what, *said)


def _label_differences(old: Rulebook, new: Rulebook) -> Iterator[Difference]:
    """The words for players, a difference for each language."""
    for language in sorted({**old.labels, **new.labels}):
        words, others = old.labels.get(language, {}), new.labels.get(language, {})
        changes = tuple(
            Change(key, words.get(key), others.get(key))
            for key in sorted({**words, **others})
            if words.get(key) != others.get(key)
        )
        if changes:
            yield Difference("label", language, "wording", None, None, changes)


def _order_differences(old: Rulebook, new: Rulebook) -> Iterator[Difference]:
    """Rules that both have, but that answer an event in another order."""
    answers, others = orders(old), orders(new)
    for event in answers.keys() & others.keys():
        both = set(answers[event]) & set(others[event])
        pair = [[rule for rule in side[event] if rule in both] for side in (answers, others)]
        if pair[0] != pair[1]:
            entries = old.entries["event", event], new.entries["event", event]
            sides = declaration_of(old, entries[0]), declaration_of(new, entries[1])
            change = Change("order of rules", ", ".join(pair[0]), ", ".join(pair[1]))
            yield Difference("event", event, "amended", *sides, (change,))


# ---------------------------------------------------------------- order
def _lead(one: Difference) -> str:
    """The section under which a difference stands: the lowest that both sides cite, else of either."""
    sides = [set(side.sections) for side in (one.old, one.new) if side is not None]
    both = set.intersection(*sides) if sides else set[str]()
    return min(both or set().union(*sides), key=numbers_of, default="")


def _place(one: Difference) -> tuple[bool, list[int], bool, str, str]:
    lead = _lead(one)
    return not lead, numbers_of(lead), not one.plays, one.kind, one.name


def numbers_of(section: str) -> list[int]:
    """A section as its numbers, by which sections are put in order."""
    return [int(number) for number in section.split(".") if number]

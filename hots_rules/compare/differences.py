"""The differences between two rulesets, by section."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from attrs import evolve

from hots_rules.compare.agreements import kept_agreements
from hots_rules.compare.comparable import Comparable, ComparableBook, ComparablePart
from hots_rules.compare.difference import ORDER_CHANGE, Change, Diff, Difference
from hots_rules.compare.sides import RulesetLike, SectionOrder, Side
from hots_rules.diagnostics import DEFAULT_LIMITS, Limits
from hots_rules.explain.declared.declaration import Declaration

if TYPE_CHECKING:
    from hots_rules.rules.rulebook import Key


def diff(old: RulesetLike, new: RulesetLike, *, limits: Limits = DEFAULT_LIMITS) -> Diff:
    """The differences of the second ruleset from the first.

    Declarations are compared by kind, name and meaning; comments, spaces, sections and summaries count as wording.
    Nothing is compiled; the meanings are kept in the user's cache folder.

    >>> import hots_rules as hr
    >>> bool(hr.diff("hots-4.0", "hots-4.0"))
    False

    Args:
        old: the first ruleset, its name or its path.
        new: the second ruleset, its name or its path.
        limits: the limits of the texts of a name or a path.

    Raises:
        RulesetError: there is no such ruleset, or it has faults.
    """
    return diff_of(Side.of(old, limits), Side.of(new, limits))


def diff_of(first: Side, second: Side) -> Diff:
    """The differences between two sides."""
    order, agreed = SectionOrder.of(first, second), kept_agreements(first, second)
    placed = [
        evolve(
            difference,
            section=order.main_section((difference.old, difference.new)),
            evidence=agreed.get(difference.id) if difference.effect == "behavioural" else None,
        )
        for difference in _differences(first, second)
    ]
    placed.sort(
        key=lambda difference: order.key(
            difference.section, difference.kind, difference.name, plays=difference.plays
        )
    )
    return Diff(first.name, second.name, tuple(placed))


# ---------------------------------------------------------------- declarations
def _differences(old: Side, new: Side) -> Iterator[Difference]:
    for key in {**old.declarations, **new.declarations}:
        difference = _difference(key, old.declarations.get(key), new.declarations.get(key))
        if difference is not None:
            yield difference
    yield from _label_differences(old.book, new.book)
    yield from _order_differences(old, new)


def _difference(
    key: Key, old: tuple[Declaration, Comparable] | None, new: tuple[Declaration, Comparable] | None
) -> Difference | None:
    def made(
        change: str, changes: Iterable[Change] = (), reasons: tuple[str, ...] = ()
    ) -> Difference:
        sides = old[0] if old else None, new[0] if new else None
        ordered = tuple(sorted(changes, key=lambda change: change.where))
        return Difference(*key, change, *sides, ordered, reasons)

    if old is None or new is None:
        return made("added" if old is None else "repealed")
    before, after = old[1], new[1]
    if before.settled != after.settled or before.meaning != after.meaning:
        settings = _changes(before.choices, after.choices)
        parts = _part_changes(before.parts, after.parts)
        return made("amended", (*_cell_changes(before.cells, after.cells), *settings, *parts))
    reasons = tuple(sorted(set(before.reasons) ^ set(after.reasons)))
    if reasons or before.wording != after.wording:
        sentences = {"sentence": old[0].summary}, {"sentence": new[0].summary}
        return made("wording", _changes(*sentences), reasons)
    if set(old[0].sections) != set(new[0].sections):
        return made("citation")
    return None


def _cell_changes(
    old: Mapping[str, Mapping[str, str]], new: Mapping[str, Mapping[str, str]]
) -> Iterator[Change]:
    """The cells that differ, row by row."""
    for row in {**old, **new}:
        yield from _changes(old.get(row, {}), new.get(row, {}), f"{row} ")


def _changes(old: Mapping[str, str], new: Mapping[str, str], prefix: str = "") -> Iterator[Change]:
    """The entries whose texts differ."""
    for name in {**old, **new}:
        if old.get(name) != new.get(name):
            yield Change(f"{prefix}{name}", old.get(name), new.get(name))


def _part_changes(
    old: Mapping[str, ComparablePart], new: Mapping[str, ComparablePart]
) -> Iterator[Change]:
    """The parts that differ, without steps within other steps."""
    absent = ComparablePart("", None)
    for name in {**old, **new}:
        before, after = old.get(name, absent), new.get(name, absent)
        if before.meaning != after.meaning:
            yield Change(name, before.text, after.text)


# ---------------------------------------------------------------- the whole
def _label_differences(old: ComparableBook, new: ComparableBook) -> Iterator[Difference]:
    """One difference for each language of which labels differ."""
    for language in sorted({**old.labels, **new.labels}):
        words, others = old.labels.get(language, {}), new.labels.get(language, {})
        changes = sorted(_changes(words, others), key=lambda change: change.where)
        if changes:
            yield Difference("label", language, "wording", None, None, tuple(changes))


def _order_differences(old: Side, new: Side) -> Iterator[Difference]:
    """Events that the same rules answer in different orders."""
    answers, others = old.book.orders, new.book.orders
    for event in answers.keys() & others.keys():
        both = set(answers[event]) & set(others[event])
        pair = [[rule for rule in side[event] if rule in both] for side in (answers, others)]
        if pair[0] != pair[1]:
            sides = old.declarations["event", event][0], new.declarations["event", event][0]
            change = Change(ORDER_CHANGE, ", ".join(pair[0]), ", ".join(pair[1]))
            yield Difference("event", event, "amended", *sides, (change,))

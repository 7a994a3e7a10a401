"""Differences between two rulesets, as values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

import attrs
from attrs import evolve, frozen

from hots_rules._text import with_signs
from hots_rules.compare.agreements import Agreement
from hots_rules.diagnostics import UnknownName, fold_name
from hots_rules.explain.declared.declaration import Declaration
from hots_rules.explain.declared.declarations import is_within
from hots_rules.report.html_printer import notebook_table
from hots_rules.rules.editions.sections import Citation

WORDING_CHANGES = ("wording", "citation")
"""Changes that cannot change play."""
_NOT_PLAYED = ("invariant", "promise", "label")
_MIRRORED = {"added": "repealed", "repealed": "added"}
ORDER_CHANGE = "order of rules"
"""Where the order of the rules that answer an event differs."""


def changes_play(kind: str, change: str) -> bool:
    """Whether a change of a declaration of a kind can change play."""
    return change not in WORDING_CHANGES and kind not in _NOT_PLAYED


@frozen
class Change:
    """A difference within a declaration, or between two states.

    >>> import hots_rules as hr
    >>> hr.compare.Change("strength of Fox", "2", "3").new
    '3'

    Attributes:
        where: a cell of a table, a step, a clause such as `forbid march`, the value of a definition, the sentence
            of another wording, the default of an option, a label, or an entry of the state.
        old: its text on the first side; None if it does not exist there.
        new: its text on the second side; None if it does not exist there.
    """

    where: str
    old: str | None
    new: str | None


@frozen(repr=False)
class Difference:
    """A declaration that differs between two rulesets.

    >>> import hots_rules as hr
    >>> difference = hr.diff("hots-3.x", "hots-4.0").find("rule border-control")
    >>> difference.change, difference.plays
    ('wording', False)

    Attributes:
        kind: "rule", "action", "table" and so on.
        name: its name.
        change: "added" (only the second ruleset has it), "repealed" (only the first has), "amended";
            or "wording" or "citation", if play is the same.
        old: the declaration in the first ruleset.
        new: the declaration in the second ruleset.
        changes: the differences within it.
        reasons: why play is the same, if an edition says so.
        section: the first section in the order of the book that both sides cite, else that either
            does; empty if none.
        evidence: 100,000 games or more with and without it that agree in every decision; None if there
            are none. Only a difference with evidence may be said to have no effect.
    """

    kind: str
    name: str
    change: str
    old: Declaration | None
    new: Declaration | None
    changes: tuple[Change, ...] = ()
    reasons: tuple[str, ...] = ()
    section: str = ""
    evidence: Agreement | None = None

    @property
    def id(self) -> str:
        """Its name among all differences, the same in every comparison: `rule no-peeking`, `label fr`.

        A difference in nothing but the order of the rules that answer an event has the id `order EVENT`.
        """
        is_order = any(change.where == ORDER_CHANGE for change in self.changes)
        return f"{'order' if is_order else self.kind} {self.name}"

    @property
    def effect(self) -> str:
        """ "wording" if only text, labels or citations differ, else "behavioural".

        A behavioural one can change play (`plays`), or is an invariant or a promise, which tests check.
        """
        is_wording = self.change in WORDING_CHANGES or self.kind == "label"
        return "wording" if is_wording else "behavioural"

    @property
    def plays(self) -> bool:
        """Whether it can change play."""
        return changes_play(self.kind, self.change)

    @property
    def cited(self) -> tuple[Citation, ...]:
        """The sections of both sides, those of the first ruleset first."""
        sides = [side.cited for side in (self.old, self.new) if side is not None]
        return tuple(dict.fromkeys(citation for side in sides for citation in side))

    @property
    def summary(self) -> str:
        """The sentence of the declaration in the second ruleset, else in the first."""
        sides = (side.summary for side in (self.new, self.old) if side is not None)
        return next(filter(None, sides), "")

    def __repr__(self) -> str:
        return (
            f"<Difference: {self.change} {self.kind} {self.name} {_sections(self)}".rstrip() + ">"
        )

    def mirrored(self) -> Difference:
        """The same difference with the sides exchanged."""
        changes = tuple(Change(change.where, change.new, change.old) for change in self.changes)
        change = _MIRRORED.get(self.change, self.change)
        return evolve(self, change=change, old=self.new, new=self.old, changes=changes)


@frozen(repr=False)
class Diff:
    """The differences between two rulesets, in the order of the book; false if there are none.

    >>> import hots_rules as hr
    >>> difference = hr.diff("hots-3.x", "hots-4.0")
    >>> difference.mirrored() == hr.diff("hots-4.0", "hots-3.x")
    True

    Attributes:
        old: the name of the first ruleset.
        new: the name of the second ruleset.
        differences: the differences.
    """

    old: str
    new: str
    differences: tuple[Difference, ...]

    def __bool__(self) -> bool:
        return bool(self.differences)

    def __repr__(self) -> str:
        playing = sum(difference.plays for difference in self.differences)
        count = len(self.differences)
        return f"<Diff of {self.old} and {self.new}: {count} differences, {playing} of play>"

    def _repr_html_(self) -> str:
        """A line for each difference, for notebooks."""
        rows = (
            (
                difference.name,
                f"{difference.change} {difference.kind}",
                _sections(difference),
                difference.effect,
                difference.summary,
            )
            for difference in self.differences
        )
        return notebook_table(rows, f"{self.old} → {self.new}")

    def mirrored(self) -> Diff:
        """The same differences with the sides exchanged."""
        return Diff(
            self.new, self.old, tuple(difference.mirrored() for difference in self.differences)
        )

    def find(self, name: str) -> Difference:
        """The difference with an id, such as `rule no-peeking`; or with a name, if only one has it.

        Upper and lower case, `-`, `_` and spaces make no difference.

        >>> import hots_rules as hr
        >>> hr.diff("hots-3.x", "hots-4.0").find("border control").id
        'rule border-control'

        Raises:
            UnknownName: no difference, or several, have it; the error suggests one.
        """
        return find_named(self.differences, name)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all differences."""
        return tuple(difference.id for difference in self.differences)

    def within(self, section: str) -> Diff:
        """The differences that cite a section or a part of it, on either side."""
        kept = (
            difference
            for difference in self.differences
            if any(is_within(citation.section, section) for citation in difference.cited)
        )
        return evolve(self, differences=tuple(kept))

    def by_section(self) -> dict[str, tuple[Difference, ...]]:
        """Section number → the differences there; the empty string for those that cite nothing."""
        by_section: dict[str, list[Difference]] = {}
        for difference in self.differences:
            by_section.setdefault(difference.section, []).append(difference)
        return {section: tuple(group) for section, group in by_section.items()}

    def as_json(self) -> dict[str, object]:
        """Plain data with stable keys, for `json`."""
        differences = [
            {
                **attrs.asdict(difference),
                "id": difference.id,
                "effect": difference.effect,
                "plays": difference.plays,
                "section": difference.section or None,
            }
            for difference in self.differences
        ]
        return {"old": self.old, "new": self.new, "equal": not self, "differences": differences}


def _sections(difference: Difference) -> str:
    """The sections of both sides in a line."""
    return with_signs(dict.fromkeys(citation.section for citation in difference.cited))


def differences_by_id(diffs: Sequence[Diff]) -> dict[str, list[Difference | None]]:
    """The differences of several comparisons by their ids; None in a comparison that lacks one."""
    by_id: dict[str, list[Difference | None]] = {}
    for number, comparison in enumerate(diffs):
        for difference in comparison.differences:
            by_id.setdefault(difference.id, [None] * len(diffs))[number] = difference
    return by_id


class Identified(Protocol):
    """What can be looked up: by its id among all differences, or by its name."""

    @property
    def id(self) -> str: ...

    @property
    def name(self) -> str: ...


N = TypeVar("N", bound=Identified)


def find_named(candidates: Sequence[N], name: str, kind: str = "difference") -> N:
    """The one with an id, or with a name that only one has; see `Diff.find`. An error says what `kind` of thing it is.

    Raises:
        UnknownName: none has it, or several have; the error suggests one.
    """
    folded = fold_name(name)
    named = [candidate for candidate in candidates if folded == fold_name(candidate.name)]
    matching = [candidate for candidate in candidates if folded == fold_name(candidate.id)] or named
    if len(matching) != 1:
        raise UnknownName(kind, name, (candidate.id for candidate in matching or candidates))
    return matching[0]

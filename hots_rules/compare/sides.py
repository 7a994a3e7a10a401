"""A ruleset that is compared, and the common order of the sections of several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING

from attrs import frozen

from hots_rules.compare.comparable import Comparable, ComparableBook, ComparablePart
from hots_rules.diagnostics import DEFAULT_LIMITS, Limits
from hots_rules.explain.declared.declaration import Declaration
from hots_rules.explain.declared.declarations import contents_of
from hots_rules.play.compiled_ruleset import CompiledRuleset, uncompiled_ruleset
from hots_rules.play.game import AnyRuleset
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.rules import find_source
from hots_rules.rules.sources.source import Source

if TYPE_CHECKING:
    from hots_rules.rules.rulebook import Key, Rulebook

RulesetLike = AnyRuleset | str | PathLike[str]


def compiled_of(ruleset: RulesetLike, limits: Limits = DEFAULT_LIMITS) -> CompiledRuleset:
    """The compiled form of a ruleset; one that is given by its name is only read, not compiled.

    Raises:
        RulesetError: there is no such ruleset, or it has faults.
    """
    if isinstance(ruleset, BaseRuleset):
        compiled: CompiledRuleset = ruleset.compiled
        return compiled
    return uncompiled_ruleset(find_source(ruleset), limits)


@frozen
class Side:
    """A ruleset that is compared: its texts, and its declarations with what each is compared by."""

    source: Source
    declarations: dict[Key, tuple[Declaration, Comparable]]
    headings: Mapping[str, str]
    book: ComparableBook

    @classmethod
    def of(cls, ruleset: RulesetLike, limits: Limits) -> Side:
        """The side of a ruleset, of its name or its path."""
        compiled = compiled_of(ruleset, limits)
        contents = contents_of(compiled)
        book = compiled.kept(ComparableBook, (Comparable, ComparablePart), _read)
        pairs = zip(contents.declarations, book.declarations, strict=True)
        declarations = {(pair[0].kind, pair[0].name): pair for pair in pairs}
        return cls(compiled.source, declarations, contents.headings, book)

    @property
    def name(self) -> str:
        """The name of the ruleset."""
        return self.source.name


def _read(rulebook: Rulebook) -> ComparableBook:
    # A late import: from the cache it comes without the parser.
    from hots_rules.compare.meanings import read_book

    return read_book(rulebook)


def age(side: Side) -> tuple[int, str]:
    """A key to sort sides by: the newest book, which extends nothing, is the first."""
    return side.book.layers, side.name


@frozen
class SectionOrder:
    """The order of the sections of some rulesets: that of the newest book, with those of the older ones inserted.

    The heading of a number is that of the newest book that has it.
    """

    numbers: Mapping[str, int]
    headings: Mapping[str, str]

    @classmethod
    def of(cls, *sides: Side) -> SectionOrder:
        """The common order of the sections of some rulesets."""
        merged: list[str] = []
        headings: dict[str, str] = {}
        for side in sorted(sides, key=age):
            headings = {**side.headings, **headings}
            at = 0
            for number in side.headings:
                if number not in merged:
                    merged.insert(at, number)
                at = merged.index(number) + 1
        return cls({number: at for at, number in enumerate(merged)}, headings)

    def place(self, section: str) -> tuple[int, list[int]]:
        """A key to sort sections by; those without a heading are last, by their numbers."""
        written = [int(number) for number in section.split(".") if number]
        return self.numbers.get(section, len(self.numbers)), written

    def main_section(self, sides: Iterable[Declaration | None]) -> str:
        """The first section that all sides cite, else the first that any side cites; empty if none does."""
        cited = [set(side.sections) for side in sides if side is not None]
        shared = set.intersection(*cited) if cited else set[str]()
        return min(shared or set().union(*cited), key=self.place, default="")

    def key(self, section: str, kind: str, name: str, *, plays: bool) -> tuple[object, ...]:
        """A key to sort differences by: those of play before those of wording, and those without a section last."""
        return not section, self.place(section), not plays, kind, name

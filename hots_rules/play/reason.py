"""A clause checked for an action, and the values that decided it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

MAX_PARTS = 6
MAX_CHANGES = 4


@frozen
class Explanation:
    """Why a condition holds or fails.

    Attributes:
        text: the value that decided it, as a sentence; empty if the `parts` suffice.
        change: a change of the state that would reverse the condition; empty if it has parts.
        parts: the explanations of its parts.
        needs: "all" if all parts must change to reverse it, "one" if one is enough.
        sections: the sections of the definition that it comes from.
        is_fixed: whether it depends on tables alone, so that no play can change it.
    """

    text: str
    change: str = ""
    parts: tuple[Explanation, ...] = ()
    needs: str = "all"
    sections: tuple[str, ...] = ()
    is_fixed: bool = False

    def facts(self) -> Iterator[str]:
        """The values that decided it, as sentences: those of its smallest parts."""
        if not self.parts:
            yield self.text
        for part in self.parts:
            yield from part.facts()

    def changes(self) -> tuple[tuple[str, ...], ...]:
        """The smallest sets of changes that each reverse the condition; none if no play can."""
        if not self.parts:
            return () if self.is_fixed or not self.change else ((self.change,),)
        sets_of_parts = [part.changes() for part in self.parts]
        if self.needs == "one":
            return _smallest(changes for sets in sets_of_parts for changes in sets)
        combined: tuple[tuple[str, ...], ...] = ((),)
        for sets in sets_of_parts:
            combined = _smallest((*first, *second) for first in combined for second in sets)
        return combined


def _smallest(sets: Iterable[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """The smallest of some sets, without duplicates and supersets."""
    by_size = sorted(dict.fromkeys(tuple(dict.fromkeys(changes)) for changes in sets), key=len)
    minimal: list[tuple[str, ...]] = []
    for changes in by_size:
        if not any(set(smaller) <= set(changes) for smaller in minimal):
            minimal.append(changes)
    return tuple(minimal[:MAX_CHANGES])


@frozen
class Reason:
    """A clause of the rules that was checked for an action, and its result.

    Attributes:
        kind: "moment" (who is to choose, and what), "permit", "forbid", "exempt", or "secret" if the
            asking player may not know the result.
        rule: the name of the rule.
        edition: the ruleset that the rule comes from.
        sections: its sections.
        summary: its sentence.
        values: the cells of the state that it read, as text.
        found: the result as a sentence.
        ground: the explanation of the result, condition by condition.
        stands: whether the clause is a reason against the action; False if it was only checked.
        lifted_by: the exemptions from it that were checked.
    """

    kind: str
    rule: str
    edition: str
    sections: tuple[str, ...]
    summary: str
    values: tuple[str, ...] = ()
    found: str = ""
    ground: Explanation | None = None
    stands: bool = True
    lifted_by: tuple[Reason, ...] = ()

    @property
    def changes(self) -> tuple[tuple[str, ...], ...]:
        """The smallest sets of changes that each reverse the result; none if no play can."""
        return self.ground.changes() if self.ground is not None else ()

    @property
    def cited(self) -> str:
        """The name of the rule with its sections: `no-peeking §2.1`."""
        return " ".join([self.rule, *(f"§{section}" for section in self.sections)]).strip()

    def __str__(self) -> str:
        facts = f" [{self.found}]" if self.found else ""
        head = f"{self.cited}: " if self.rule else ""
        return f"{head}{self.summary}{facts}"

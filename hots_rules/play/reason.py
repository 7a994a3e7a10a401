"""A clause that was looked at for an action, and what it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

MAX_PARTS = 6
MAX_CHANGES = 4


@frozen
class Explanation:
    """What a condition rests on.

    `text` is what was found; it is empty where the `parts` say it all. For the condition to turn,
    `needs` says whether "all" of the parts would have to change or "one" of them would do; a part
    without parts says its own `change`. What `is_fixed` is printed in the rules, and no play changes it.
    `sections` are those of the definition that it comes from.
    """

    text: str
    change: str = ""
    parts: tuple[Explanation, ...] = ()
    needs: str = "all"
    sections: tuple[str, ...] = ()
    is_fixed: bool = False

    def facts(self) -> Iterator[str]:
        """What was found, the smallest parts alone."""
        if not self.parts:
            yield self.text
        for part in self.parts:
            yield from part.facts()

    def changes(self) -> tuple[tuple[str, ...], ...]:
        """The smallest sets of changes of which each would turn the condition; none if no play can."""
        if not self.parts:
            return () if self.is_fixed or not self.change else ((self.change,),)
        below = [part.changes() for part in self.parts]
        if self.needs == "one":
            return _few(one for ways in below for one in ways)
        found: tuple[tuple[str, ...], ...] = ((),)
        for ways in below:
            found = _few((*one, *other) for one in found for other in ways)
        return found


def _few(ways: Iterable[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """The smallest of some sets, each once, without those that hold another one."""
    known = sorted(dict.fromkeys(tuple(dict.fromkeys(way)) for way in ways), key=len)
    kept: list[tuple[str, ...]] = []
    for way in known:
        if not any(set(other) <= set(way) for other in kept):
            kept.append(way)
    return tuple(kept[:MAX_CHANGES])


@frozen
class Reason:
    """A clause, and what it found.

    `kind` is "moment" (who is asked now, and for what), "permit", "forbid" or "exempt", or "secret" (not
    for who asks to know); `values` are
    the entries of the state that it looked at, in words, and `found` says in a sentence what came of
    it. `ground` takes that apart, and `changes` are the smallest sets of changes that would turn it.
    It `stands` against the action, or was only looked at. `lifted_by` are the exemptions from it
    that were looked at.
    """

    kind: str
    rule: str
    edition: str
    sections: tuple[str, ...]
    summary: str
    values: tuple[str, ...]
    found: str = ""
    ground: Explanation | None = None
    stands: bool = True
    lifted_by: tuple[Reason, ...] = ()

    @property
    def changes(self) -> tuple[tuple[str, ...], ...]:
        """The smallest sets of changes of which each would turn it; none where no play can."""
        return self.ground.changes() if self.ground is not None else ()

    @property
    def cited(self) -> str:
        """The rule and its sections."""
        return " ".join([self.rule, *(f"§{section}" for section in self.sections)]).strip()

    def __str__(self) -> str:
        found = f" [{self.found}]" if self.found else ""
        head = f"{self.cited}: " if self.rule else ""
        return f"{head}{self.summary}{found}"

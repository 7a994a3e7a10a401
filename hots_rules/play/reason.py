"""A clause that was looked at for an action: one against it, or one that is not in its way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from hots_rules.play.grounds import Ground


@frozen
class Reason:
    """A clause, and what it found.

    `kind` is "moment" (who is asked now, and for what), "permit", "forbid" or "exempt"; `values` are
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
    ground: Ground | None = None
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

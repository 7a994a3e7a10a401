"""One clause against an action."""

from __future__ import annotations

from attrs import frozen


@frozen
class Reason:
    """One clause against an action.

    `kind` is "moment" (nobody is asked this now), "permit" (no permit holds) or "forbid"; `values`
    are what was found in the state, in words.
    """

    kind: str
    rule: str
    edition: str
    sections: tuple[str, ...]
    summary: str
    values: tuple[str, ...]

    def __str__(self) -> str:
        cited = " ".join(f"§{section}" for section in self.sections)
        found = f" [{'; '.join(self.values)}]" if self.values else ""
        head = f"{self.rule} {cited}: " if self.rule else ""
        return f"{head}{self.summary}{found}"

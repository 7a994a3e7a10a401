"""Where a part of the program comes from."""

from __future__ import annotations

from attrs import field, frozen

from hots_rules.diagnostics import Span


@frozen
class Origin:
    """The declaration that something in the program comes from.

    Attributes:
        rule: the name of the declaration, which need not be a rule; with `kind` it is the key of its entry.
        edition: the ruleset in which it stands.
        sections: the sections that it cites, without `§`.
        summary: its sentence; empty if it has none.
        span: its place in the file.
        kind: what is declared, such as "rule", "action" or "phase".
    """

    rule: str
    edition: str
    sections: tuple[str, ...]
    summary: str
    span: Span = field(eq=False, repr=False)
    kind: str = "rule"

    @property
    def source(self) -> tuple[str, str, tuple[str, ...]]:
        """The name of the declaration, its edition and its sections."""
        return self.rule, self.edition, self.sections

    @property
    def cited(self) -> str:
        """The name of the declaration and its sections, e.g. "capture §5.7"."""
        return " ".join([self.rule, *(f"§{section}" for section in self.sections)])

"""Provenance of a declaration."""

from __future__ import annotations

from attrs import field, frozen

from hots_rules.diagnostics import Span


@frozen
class Origin:
    """The declaration that something in the program comes from: its rule, edition, sections and sentence."""

    rule: str
    edition: str
    sections: tuple[str, ...]
    summary: str
    span: Span = field(eq=False, repr=False)
    kind: str = "rule"

    @property
    def source(self) -> tuple[str, str, tuple[str, ...]]:
        """The rule, its edition and its sections."""
        return self.rule, self.edition, self.sections

    @property
    def cited(self) -> str:
        """The rule and its sections, e.g. "capture §5.7"."""
        return " ".join([self.rule, *(f"§{section}" for section in self.sections)])

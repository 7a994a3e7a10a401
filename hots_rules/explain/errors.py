"""The errors of explanations, with their texts."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define

from hots_rules.diagnostics import ArgumentError, closest_match
from hots_rules.diagnostics.argument_errors import one_of, with_help


@define
class UnknownRule(ArgumentError, KeyError):
    """A name or a section that a ruleset does not have.

    >>> import hots_rules as hr
    >>> hr.explain.find_declarations(hr.load("hots-4.0"), "pilage")
    Traceback (most recent call last):
    hots_rules.explain.errors.UnknownRule: `hots-4.0` has no section or name `pilage`
    help: did you mean `pillage`?

    Attributes:
        name: the name or section.
        ruleset: the name of the ruleset.
        near: the nearest name or section that the ruleset has; None if none is near.
    """

    name: str
    ruleset: str
    near: str | None = None

    @classmethod
    def among(cls, name: str, ruleset: str, names: Iterable[str]) -> UnknownRule:
        """The error with the nearest of the names or sections that the ruleset has."""
        return cls(name, ruleset, closest_match(name, dict.fromkeys(names)))

    def __str__(self) -> str:
        headline = f"`{self.ruleset}` has no section or name `{self.name}`"
        return with_help(headline, one_of(self.near, ()))

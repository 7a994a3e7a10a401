"""Checks of citations: every rule names sections, and they exist."""

from __future__ import annotations

from collections.abc import Collection

from hots_rules.rules.checks.context import CheckContext
from hots_rules.rules.faults import FaultCollector
from hots_rules.rules.rulebook import name_span

_MUST_CITE = frozenset(
    [
        "rule",
        "action",
        "phase",
        "stage",
        "scenario",
        "option",
        "reading",
        "table",
        "invariant",
        "question",
    ]
)


def every_rule_cites(context: CheckContext) -> None:
    """Every rule cites a section."""
    for entry in context.symbols.entries.values():
        if entry.kind in _MUST_CITE and not entry.lines and not entry.cites:
            context.symbols.fault(
                "uncited-rule",
                f"the {entry.kind} `{entry.name}` cites no section",
                name_span(entry.node),
                help_="name the section that it comes from, e.g. `§5.7`",
            )


def every_section_exists(context: CheckContext) -> None:
    """A citation names a section of the edition that it cites."""
    symbols = context.symbols
    for entry in (*symbols.entries.values(), *context.repealed):
        for cite in entry.cites:
            named, _, number = cite.text.rpartition("§")
            edition = named or entry.edition
            numbers = context.sections.get(edition)
            if numbers is None:
                close = symbols.faults.closest_match(named, context.sections)
                symbols.fault(
                    "unknown-section",
                    f"`{named}` is not an edition of this ruleset",
                    cite.span,
                    help_=f"did you mean `{close}§{number}`?"
                    if close
                    else f"name one of {', '.join(context.sections)}",
                )
            elif numbers and number not in numbers:
                close = _closest_section(number, numbers, symbols.faults)
                symbols.fault(
                    "unknown-section",
                    f"`{edition}` has no section `§{number}`",
                    cite.span,
                    help_=f"did you mean `{named}§{close}`?"
                    if close
                    else "the sections are listed in sections.csv",
                )


def _closest_section(number: str, numbers: Collection[str], faults: FaultCollector) -> str | None:
    """The section that was probably meant: the one that shares the most of the beginning, if any is near."""
    for end in range(len(number) - 1, number.find(".") + 1, -1):
        start = number[:end]
        same = [other for other in numbers if other.startswith(start)]
        if close := faults.closest_match(number, same) or (start if start in same else None):
            return close
    return faults.closest_match(number, numbers)

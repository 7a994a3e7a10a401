"""Checks of citations: every rule names sections, and they exist."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from hots_rules.diagnostics import Suggestion
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
        "promise",
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
                near = symbols.faults.suggest(named, context.sections)
                near = near.spelled(partial(_cited, number=number))
                symbols.fault(
                    "unknown-section",
                    f"`{named}` is not an edition of this ruleset",
                    cite.span,
                    help_=near.help(f"name one of {', '.join(context.sections)}"),
                    fixes=near.fixes(cite.span),
                )
            elif numbers and number not in numbers:
                near = _near_sections(number, numbers, symbols.faults)
                near = near.spelled(partial(_cited, named))
                symbols.fault(
                    "unknown-section",
                    f"`{edition}` has no section `§{number}`",
                    cite.span,
                    help_=near.help("the sections are listed in sections.csv"),
                    fixes=near.fixes(cite.span),
                )


def _cited(edition: str, number: str) -> str:
    return f"{edition}§{number}"


def _near_sections(number: str, numbers: Collection[str], faults: FaultCollector) -> Suggestion:
    """The section that was probably meant: the one that shares the most of the beginning, if any is near."""
    for end in range(len(number) - 1, number.find(".") + 1, -1):
        start = number[:end]
        same = [candidate for candidate in numbers if candidate.startswith(start)]
        if (near := faults.suggest(number, same)).candidates:
            return near
        if start in same:
            return Suggestion(number, (start,))
    return faults.suggest(number, numbers)

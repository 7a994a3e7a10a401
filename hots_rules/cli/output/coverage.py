"""Output of what cases and rules do not cover, and of claims that cases do not prove."""

from __future__ import annotations

import hots_rules as hr
from hots_rules.cli.output.console import echo

# By whether a condition was true in some case, and whether it was false in some case.
_OUTCOMES = {
    (True, False): "always true",
    (False, True): "always false",
    (False, False): "never evaluated",
}


def echo_coverage(report: hr.testing.Coverage, *, with_cases: bool) -> None:
    """Print what is not covered."""
    _echo_sections(report)
    if with_cases:
        _echo_cases(report)


def _echo_sections(report: hr.testing.Coverage) -> None:
    total, uncovered = len(report.sections), report.without_rule
    echo(f"{report.ruleset}: {total} sections, {len(uncovered)} without a rule", "bold")
    for section in uncovered:
        echo(f"§{section.section} {section.heading}", indent=2)
    for section in report.sections:
        if not section.rules and section.note:
            echo(f"§{section.section} {section.heading}: {section.note}", "dim", indent=2)


def _echo_cases(report: hr.testing.Coverage) -> None:
    echo(f"{report.played} cases played, {report.others} for other rulesets", "bold")
    for fault in report.faults:
        echo(fault, "red", indent=2)
    uncovered = report.without_case
    echo(f"{len(report.rules)} declarations, {len(uncovered)} without a case", "bold")
    for rule in uncovered:
        cited = " ".join(f"§{section}" for section in rule.sections)
        echo(f"{rule.kind} {rule.name} {cited}".rstrip(), indent=2)
    partial = report.one_sided
    echo(f"{len(report.conditions)} conditions, {len(partial)} without branch coverage", "bold")
    for condition in partial:
        outcome = _OUTCOMES[condition.held, condition.failed]
        echo(f"{condition.rule}: {condition.timing} {condition.of}: {outcome}", indent=2)


def echo_proofs(report: hr.testing.CaseReport) -> None:
    """Print the claims that are not proven."""
    tested = f"{report.claims} claims tested, {len(report.unproven)} not proven"
    echo(f"{report.ruleset}: {tested}", "bold")
    for claim in report.unproven:
        echo(f"{claim.file}: {claim.title}", "red", indent=2)
        echo(f"{claim.declaration}: {claim.reason}", indent=4)

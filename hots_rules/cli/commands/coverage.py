"""`hots coverage`: sections without a rule, rules without a case, conditions without branch coverage."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import hots_rules as hr
from hots_rules.cli import arguments as args
from hots_rules.cli.output.console import echo, echo_json, progress_bar

# By whether a condition was true in some case, and whether it was false in some case.
_OUTCOMES = {
    (True, False): "always true",
    (False, True): "always false",
    (False, False): "never evaluated",
}


def coverage(
    ruleset: args.RulesetName,
    cases: Annotated[
        Path | None,
        typer.Option(
            "--cases", metavar="FOLDER", file_okay=False, exists=True, help="Folder of cases."
        ),
    ] = None,
    as_json: args.AsJson = False,
) -> None:
    """Report which sections, rules and conditions are not covered.

    A section is covered by a rule that cites it. With --cases, a rule is covered by a case that uses
    it, and a condition by cases in which it is true and false.
    """
    rules = args.load_ruleset(ruleset)
    with progress_bar("cases") as update:
        report = hr.analysis.coverage(rules, cases, on_progress=update)
    if as_json:
        echo_json(report.as_json())
        return
    _echo_sections(report)
    if cases is not None:
        _echo_cases(report)


def _echo_sections(report: hr.analysis.Coverage) -> None:
    total, uncovered = len(report.sections), report.without_rule
    echo(f"{report.ruleset}: {total} sections, {len(uncovered)} without a rule", "bold")
    for section in uncovered:
        echo(f"§{section.section} {section.heading}", indent=2)
    for section in report.sections:
        if not section.rules and section.note:
            echo(f"§{section.section} {section.heading}: {section.note}", "dim", indent=2)


def _echo_cases(report: hr.analysis.Coverage) -> None:
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

"""`hots cases`: play test cases, and prove what they claim to show."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import hots_rules as hr
from hots_rules.cli import arguments as args
from hots_rules.cli.exits import fail_if
from hots_rules.cli.output.console import echo, echo_json, progress_bar


def cases(
    ruleset: args.RulesetName,
    folder: Annotated[
        Path,
        typer.Argument(metavar="FOLDER", file_okay=False, exists=True, help="Folder of cases."),
    ],
    prove: Annotated[
        bool,
        typer.Option("--prove", help="Also test that cases fail without the changes they show."),
    ] = False,
    as_json: args.AsJson = False,
) -> None:
    """Play the cases of a folder, and report those that fail.

    With --prove, each change that a case claims to show is taken back, and the case must fail.
    """
    rules = args.load_ruleset(ruleset)
    with progress_bar("cases") as update:
        report = hr.testing.check_cases(rules, folder, prove=prove, on_progress=update)
    if as_json:
        echo_json(report.as_json())
    else:
        _echo_report(report, prove)
    fail_if(not report)


def _echo_report(report: hr.testing.CaseReport, prove: bool) -> None:
    echo(f"{report.played} cases played, {report.others} for other rulesets", "bold")
    for failure in report.failed:
        echo(f"{failure.file}: {failure.title}", "red", indent=2)
        for reason in failure.reasons:
            echo(reason, indent=4)
    echo(f"{len(report.failed)} failed")
    if not prove:
        return
    echo(f"{report.claims} claims tested, {len(report.unproven)} not proven", "bold")
    for claim in report.unproven:
        echo(f"{claim.file}: {claim.title}", "red", indent=2)
        echo(f"{claim.declaration}: {claim.reason}", indent=4)

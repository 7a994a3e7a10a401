"""`hots coverage`: sections without a rule, rules without a case, conditions that no case met both ways."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import Annotated

import typer
from rich.status import Status

import hots_rules as hr
from hots_rules.cli.arguments import AsJson, RulesetName
from hots_rules.cli.console import complain, console, say, say_json
from hots_rules.cli.exits import INTERRUPTED
from hots_rules.cli.opening import opened

PATIENCE = 2.0  # seconds before something is said


def coverage(
    ruleset: RulesetName,
    cases: Annotated[
        Path | None,
        typer.Option(
            "--cases", metavar="FOLDER", file_okay=False, exists=True, help="A folder of cases."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say which sections have no rule, which rules no case, and which conditions no case met both ways."""
    rules = opened(ruleset)
    found = _covered(rules, cases)
    if as_json:
        say_json(found.as_json())
        return
    _say_sections(found)
    if cases is not None:
        _say_cases(found)


def _covered(rules: hr.Ruleset, cases: Path | None) -> hr.Coverage:
    waiting: list[Status] = []
    due, err = monotonic() + PATIENCE, console(stderr=True)

    def watch(done: int, of: int) -> None:
        if monotonic() < due or not err.is_terminal:
            return
        if not waiting:
            waiting.append(err.status(""))
            waiting[0].start()
        waiting[0].update(f"{done} of {of} cases")

    try:
        return hr.coverage(rules, cases, watch=watch)
    except KeyboardInterrupt:
        complain("stopped before all cases were played")
        raise typer.Exit(INTERRUPTED) from None
    finally:
        for status in waiting:
            status.stop()


def _say_sections(found: hr.Coverage) -> None:
    bare = found.without_rule
    say(f"{found.ruleset}: {len(found.sections)} sections, {len(bare)} without a rule", "bold")
    for one in bare:
        say(f"§{one.section} {one.heading}", indent=2)
    for one in found.sections:
        if not one.rules and one.note:
            say(f"§{one.section} {one.heading}: {one.note}", "dim", indent=2)


def _say_cases(found: hr.Coverage) -> None:
    say(f"{found.played} cases played, {found.others} for other rulesets", "bold")
    for fault in found.faults:
        say(fault, "red", indent=2)
    idle = found.without_case
    say(f"{len(found.rules)} declarations, {len(idle)} without a case", "bold")
    for rule in idle:
        cited = " ".join(f"§{section}" for section in rule.sections)
        say(f"{rule.kind} {rule.name} {cited}".rstrip(), indent=2)
    half = found.one_sided
    say(f"{len(found.conditions)} conditions, {len(half)} not met both ways", "bold")
    for one in half:
        seen = "only holding" if one.held else "only not holding" if one.failed else "never"
        say(f"{one.rule}: {one.timing} {one.of}: {seen}", indent=2)

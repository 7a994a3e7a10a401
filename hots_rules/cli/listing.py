"""`hots list`: what can be played."""

from __future__ import annotations

from typing import Any

import typer

import hots_rules as hr
from hots_rules.cli.arguments import AsJson, Language
from hots_rules.cli.console import complain, say, say_json
from hots_rules.cli.exits import FAULTY
from hots_rules.cli.opening import opened


def list_rulesets(language: Language = "en", as_json: AsJson = False) -> None:
    """List the rulesets with their scenarios."""
    rows, faulty = [], []
    for name, title in hr.rulesets().items():
        try:
            rows.append(_row(name, title, opened(name), language))
        except hr.RulesetError:
            faulty.append(name)
            rows.append({"name": name, "title": title, "scenarios": None})
    say_json(rows) if as_json else _say(rows)
    for name in faulty:
        complain(f"`{name}` has faults: see `hots check {name}`")
    if faulty:
        raise typer.Exit(FAULTY)


def _row(name: str, title: str, ruleset: hr.Ruleset, language: str) -> dict[str, Any]:
    scenarios = [
        {"name": s, "title": ruleset.scenario_title(s, language)} for s in ruleset.scenarios
    ]
    return {"name": name, "title": title, "scenarios": scenarios}


def _say(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        say(f"{row['name']}  {row['title']}", "bold")
        scenarios = row["scenarios"] or []
        width = max((len(scenario["name"]) for scenario in scenarios), default=0)
        for scenario in scenarios:
            say(f"{scenario['name']:{width}}  {scenario['title']}", indent=2)

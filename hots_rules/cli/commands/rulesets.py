"""`hots list`, `hots show`, `hots check`: rulesets and their rules."""

from __future__ import annotations

from typing import Annotated

import attrs
import typer

import hots_rules as hr
from hots_rules import diagnostics
from hots_rules.cli import arguments as args
from hots_rules.cli.exits import Exit, is_missing
from hots_rules.cli.output.console import echo, echo_error, echo_faults, echo_json
from hots_rules.cli.output.rulebook import (
    echo_contents,
    echo_declarations,
    echo_history,
    find_heading,
)


# ---------------------------------------------------------------- list
def list_rulesets(language: args.Language = "en", as_json: args.AsJson = False) -> None:
    """List the installed rulesets and their scenarios."""
    rulesets: dict[str, hr.Ruleset | None] = {}
    for name in hr.rulesets():
        try:
            rulesets[name] = args.load_ruleset(name, language)
        except hr.RulesetError:
            rulesets[name] = None
    if as_json:
        echo_json([_ruleset_as_json(name, rules) for name, rules in rulesets.items()])
    else:
        for name, rules in rulesets.items():
            _echo_ruleset(name, rules)
    invalid = [name for name, rules in rulesets.items() if rules is None]
    for name in invalid:
        echo_error(f"`{name}` has faults; run: hots check {name}")
    if invalid:
        raise typer.Exit(Exit.FAILURE)


def _echo_ruleset(name: str, ruleset: hr.Ruleset | None) -> None:
    echo(f"{name}  {hr.rulesets()[name]}", "bold")
    if ruleset is not None:
        width = max(map(len, ruleset.scenarios), default=0)
        for scenario in ruleset.scenarios:
            title = ruleset.scenario_title(scenario)
            echo(f"{scenario:{width}}  {title}", indent=2)


def _ruleset_as_json(name: str, ruleset: hr.Ruleset | None) -> dict[str, object]:
    scenarios = None if ruleset is None else _scenarios_as_json(ruleset)
    return {"name": name, "title": hr.rulesets()[name], "scenarios": scenarios}


def _scenarios_as_json(ruleset: hr.Ruleset) -> list[dict[str, str]]:
    return [{"name": name, "title": ruleset.scenario_title(name)} for name in ruleset.scenarios]


# ---------------------------------------------------------------- show
def show(
    ruleset: args.RulesetName,
    query: Annotated[
        str | None,
        typer.Argument(
            metavar="SECTION|NAME", help="A section such as 5.7, or the name of a declaration."
        ),
    ] = None,
    compiled: Annotated[
        bool, typer.Option("--compiled", help="Print the Python code compiled from the ruleset.")
    ] = False,
    history: Annotated[
        bool, typer.Option("--history", help="Show each edition's version of NAME.")
    ] = False,
    language: args.Language = "en",
    as_json: args.AsJson = False,
) -> None:
    """Show the rules of a section and its parts, or a declaration.

    Without SECTION or NAME, list the scenarios, options, readings and sections of the ruleset.
    """
    if compiled and query is not None:
        raise typer.BadParameter("--compiled takes no section or name", param_hint="--compiled")
    if history and (query is None or compiled):
        raise typer.BadParameter("--history needs the name of a declaration", param_hint="NAME")
    rules = args.load_ruleset(ruleset, language)
    if history and query is not None:
        _show_history(rules, query, as_json)
    elif compiled:
        _show_compiled(rules, as_json)
    elif query is None:
        echo_json(_contents_as_json(rules)) if as_json else echo_contents(rules)
    elif as_json:
        echo_json(_declarations_as_json(rules, query))
    else:
        echo_declarations(rules, query)


def _show_compiled(ruleset: hr.Ruleset, as_json: bool) -> None:
    source = ruleset.compiled_source()
    echo_json({"ruleset": ruleset.name, "python": source}) if as_json else echo(source.rstrip("\n"))


def _show_history(ruleset: hr.Ruleset, name: str, as_json: bool) -> None:
    versions = hr.compare.history(ruleset, name)
    if as_json:
        data = [attrs.asdict(version) for version in versions]
        echo_json({"ruleset": ruleset.name, "asked": name, "history": data})
    else:
        echo_history(versions)


def _declarations_as_json(ruleset: hr.Ruleset, query: str) -> dict[str, object]:
    declarations = hr.explain.find_declarations(ruleset, query)
    return {
        "ruleset": ruleset.name,
        "asked": query,
        "heading": find_heading(ruleset, query)[1],
        "shown": [attrs.asdict(declaration) for declaration in declarations],
    }


def _contents_as_json(ruleset: hr.Ruleset) -> dict[str, object]:
    settings = ruleset.settings
    return {
        "ruleset": ruleset.name,
        "title": ruleset.title,
        "scenarios": _scenarios_as_json(ruleset),
        "options": [_setting_as_json(settings[name]) for name in ruleset.options],
        "readings": [_setting_as_json(settings[name]) for name in ruleset.readings],
        "sections": [
            {"number": number, "heading": heading}
            for number, heading in hr.explain.section_headings(ruleset).items()
        ],
    }


def _setting_as_json(setting: hr.Setting) -> dict[str, object]:
    fields = ("name", "values", "default", "summary", "sections")
    return {field: getattr(setting, field) for field in fields}


# ---------------------------------------------------------------- check
def check(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A .rules file, a folder, or an installed ruleset."),
    ],
    as_json: args.AsJson = False,
) -> None:
    """Check a ruleset, and report all its faults."""
    try:
        ruleset = args.load_ruleset(file)
    except hr.RulesetError as error:
        _echo_faults(file, error, as_json)
        raise typer.Exit(Exit.USAGE if is_missing(error) else Exit.FAILURE) from None
    if as_json:
        echo_json({"ruleset": ruleset.name, "faults": []})
    else:
        echo("no faults", "green")


def _echo_faults(file: str, error: hr.RulesetError, as_json: bool) -> None:
    if as_json:
        echo_json({"ruleset": file, "faults": diagnostics.as_json(error.faults)})
    else:
        echo_faults(lambda color: diagnostics.draw_all(error.faults, error.sources, colour=color))

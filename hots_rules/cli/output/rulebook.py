"""Output of the source and the history of declarations, and of the contents of a ruleset."""

from __future__ import annotations

from collections.abc import Mapping

import hots_rules as hr
from hots_rules._translate import Translator, translator
from hots_rules.cli.arguments import format_value
from hots_rules.cli.output.console import echo


def find_heading(ruleset: hr.Ruleset, query: str) -> tuple[str, str | None]:
    """The section number in a query, and the heading of the section if the ruleset has it."""
    number = query.strip().lstrip("§").strip()
    return number, hr.explain.section_headings(ruleset).get(number)


def echo_declarations(ruleset: hr.Ruleset, query: str) -> None:
    """Print the declarations that cite a section or its parts, or those with a name."""
    declarations = hr.explain.find_declarations(ruleset, query)
    number, heading = find_heading(ruleset, query)
    if heading is not None:
        echo(f"§{number} {heading}", "bold")
        echo()
    if not declarations:
        echo(translator(ruleset.language).gettext("no declaration cites this section"))
    for index, declaration in enumerate(declarations):
        if index:
            echo()
        _echo_declaration(declaration)


def _echo_declaration(declaration: hr.explain.Declaration) -> None:
    replaced = f", replaces the one in {declaration.replaces}" if declaration.replaces else ""
    cited = "".join(f" §{section}" for section in declaration.sections)
    echo(f"{declaration.kind} {declaration.name}{cited}", "bold cyan")
    if declaration.summary:
        echo(declaration.summary, indent=2)
    place = f"{declaration.file}:{declaration.line}"
    echo(f"{declaration.edition}, {place}{replaced}", "dim", indent=2)
    echo(declaration.source, indent=4)


def echo_history(versions: tuple[hr.compare.Version, ...]) -> None:
    """Print the versions of a declaration, from edition to edition."""
    for index, version in enumerate(versions):
        if index:
            echo()
        change = "reworded" if version.change == "wording" else version.change
        echo(f"{version.kind} {version.name}, {change} by {version.edition}", "bold cyan")
        for line in (*map(str, version.cited), version.summary):
            if line:
                echo(line, indent=2)
        echo(f"{version.file}:{version.line}", "dim", indent=2)
        echo(version.source, indent=4)


# ---------------------------------------------------------------- contents
def echo_contents(ruleset: hr.Ruleset) -> None:
    """Print the scenarios, options, readings and sections of a ruleset."""
    t, settings = translator(ruleset.language), ruleset.settings
    echo(f"{ruleset.name}  {ruleset.title}", "bold")
    titles = {name: ruleset.scenario_title(name) for name in ruleset.scenarios}
    _echo_list(t.gettext("scenarios"), titles)
    options = {name: _describe(settings[name], t) for name in ruleset.options}
    _echo_list(t.gettext("options"), options)
    readings = {name: _describe(settings[name], t) for name in ruleset.readings}
    _echo_list(t.gettext("readings"), readings)
    _echo_list(t.gettext("sections"), hr.explain.section_headings(ruleset))


def _describe(setting: hr.Setting, t: Translator) -> str:
    """The values of a setting, its default, its sections and its summary."""
    values = " | ".join(format_value(value) for value in setting.values)
    default = t.gettext("default {value}", value=format_value(setting.default))
    cited = "".join(f" §{section}" for section in setting.sections)
    return f"{values} ({default}){cited}\n{setting.summary}"


def _echo_list(title: str, rows: Mapping[str, str]) -> None:
    if not rows:
        return
    echo()
    echo(title, "bold cyan")
    width = max(map(len, rows))
    for name, text in rows.items():
        head, *rest = text.split("\n")
        echo(f"{name:{width}}  {head}", indent=2)
        for line in rest:
            echo(line, "dim", indent=width + 4)

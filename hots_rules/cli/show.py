"""`hots show`: what a rulebook says, as it is written."""

from __future__ import annotations

from typing import Annotated, Any

import attrs
import typer

import hots_rules as hr
from hots_rules._translate import Translator, translator
from hots_rules.cli.arguments import AsJson, Language, RulesetName
from hots_rules.cli.console import say, say_json
from hots_rules.cli.opening import opened


def show(
    ruleset: RulesetName,
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="SECTION|NAME", help="A section such as 5.7, or the name of a rule."
        ),
    ] = None,
    compiled: Annotated[
        bool, typer.Option("--compiled", help="The Python that the ruleset is compiled to.")
    ] = False,
    history: Annotated[
        bool, typer.Option("--history", help="How a name came to be, printing by printing.")
    ] = False,
    language: Language = "en",
    as_json: AsJson = False,
) -> None:
    """Show the rules that cite a section and its parts, or one by its name.

    Without either: the scenarios, options, readings and sections of the ruleset.
    """
    if compiled and what is not None:
        raise typer.BadParameter("expected either --compiled or a section", param_hint="--compiled")
    if history and (what is None or compiled):
        raise typer.BadParameter("expected the name of a rule with --history", param_hint="NAME")
    found = opened(ruleset)
    if history and what is not None:
        _history(found, what, as_json)
    elif compiled:
        _compiled(found, as_json)
    elif what is None:
        _contents(found, language, as_json)
    else:
        _declarations(found, what, language, as_json)


def _compiled(ruleset: hr.Ruleset, as_json: bool) -> None:
    source = ruleset.compiled_source()
    say_json({"ruleset": ruleset.name, "python": source}) if as_json else say(source.rstrip("\n"))


# ---------------------------------------------------------------- one section, one name
def _declarations(ruleset: hr.Ruleset, what: str, language: str, as_json: bool) -> None:
    if not as_json:
        say_declarations(ruleset, what, language)
        return
    shown = [attrs.asdict(one) for one in hr.find_declarations(ruleset, what, language=language)]
    heading = _heading(ruleset, what)[1]
    say_json({"ruleset": ruleset.name, "asked": what, "heading": heading, "shown": shown})


def _heading(ruleset: hr.Ruleset, what: str) -> tuple[str, str | None]:
    """A section as it is meant, and its heading if there is one."""
    number = what.strip().lstrip("§").strip()
    return number, hr.headings(ruleset).get(number)


def say_declarations(ruleset: hr.Ruleset, what: str, language: str = "en") -> None:
    """What cites a section and its parts, or what has a name, as it is written."""
    found = hr.find_declarations(ruleset, what, language=language)
    number, heading = _heading(ruleset, what)
    if heading is not None:
        say(f"§{number} {heading}", "bold")
        say()
    if not found:
        say(translator(language).gettext("nothing cites it"))
    for place, one in enumerate(found):
        if place:
            say()
        _declaration(one)


def _declaration(one: hr.Declaration) -> None:
    replaced = f", in the place of that of {one.replaces}" if one.replaces else ""
    cited = "".join(f" §{section}" for section in one.sections)
    say(f"{one.kind} {one.name}{cited}", "bold cyan")
    if one.summary:
        say(one.summary, indent=2)
    say(f"{one.edition}, {one.file}:{one.line}{replaced}", "dim", indent=2)
    say(one.source, indent=4)


def _history(ruleset: hr.Ruleset, name: str, as_json: bool) -> None:
    found = hr.history(ruleset, name)
    if as_json:
        versions = [attrs.asdict(version) for version in found]
        say_json({"ruleset": ruleset.name, "asked": name, "history": versions})
        return
    for place, version in enumerate(found):
        if place:
            say()
        said = "worded otherwise" if version.change == "wording" else version.change
        head = f"{version.kind} {version.name}, {said} by {version.edition}"
        say(head, "bold cyan")
        for line in (*map(str, version.cited), version.summary):
            if line:
                say(line, indent=2)
        say(f"{version.file}:{version.line}", "dim", indent=2)
        say(version.source, indent=4)


# ---------------------------------------------------------------- the whole
def _contents(ruleset: hr.Ruleset, language: str, as_json: bool) -> None:
    if as_json:
        say_json(_contents_json(ruleset, language))
        return
    say(f"{ruleset.name}  {ruleset.title}", "bold")
    said, settings = translator(language), ruleset.settings_in(language)
    titles = {name: ruleset.scenario_title(name, language) for name in ruleset.scenarios}
    _list(said.gettext("scenarios"), titles)
    _list(said.gettext("options"), {n: _said(settings[n], said) for n in ruleset.options})
    _list(said.gettext("readings"), {n: _said(settings[n], said) for n in ruleset.readings})
    _list(said.gettext("sections"), hr.headings(ruleset))


def _said(setting: Any, said: Translator) -> str:
    """What can be chosen, as it is typed."""
    values = " | ".join(_word(value) for value in setting.values)
    default = said.gettext("default {value}", value=_word(setting.default))
    cited = "".join(f" §{section}" for section in setting.sections)
    return f"{values} ({default}){cited}\n{setting.summary}"


def _word(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {True: "yes", False: "no", None: "none"}[value]
    return str(value)


def _list(title: str, rows: dict[str, str]) -> None:
    if not rows:
        return
    say()
    say(title, "bold cyan")
    width = max(map(len, rows))
    for name, text in rows.items():
        head, *rest = text.split("\n")
        say(f"{name:{width}}  {head}", indent=2)
        for line in rest:
            say(line, "dim", indent=width + 4)


def _contents_json(ruleset: hr.Ruleset, language: str) -> dict[str, Any]:
    settings = ruleset.settings_in(language)
    return {
        "ruleset": ruleset.name,
        "title": ruleset.title,
        "scenarios": [
            {"name": s, "title": ruleset.scenario_title(s, language)} for s in ruleset.scenarios
        ],
        "options": [_setting_json(settings[name]) for name in ruleset.options],
        "readings": [_setting_json(settings[name]) for name in ruleset.readings],
        "sections": [{"number": n, "heading": h} for n, h in hr.headings(ruleset).items()],
    }


def _setting_json(setting: Any) -> dict[str, Any]:
    kept = ("name", "values", "default", "summary", "sections")
    return {name: getattr(setting, name) for name in kept}

"""Output of the source and the history of declarations, and of the contents of a ruleset."""

from __future__ import annotations

import re
from collections.abc import Mapping

from attrs import evolve

import hots_rules as hr
from hots_rules._translate import Translator, translator
from hots_rules.cli.arguments import format_value
from hots_rules.cli.output.console import echo
from hots_rules.cli.places import path_from_here

MAX_FOUND = 3
_PARAMETER = re.compile(r"\{[^{}]*\}")
_KINDS_FOR_PLAYERS = frozenset(
    {"rule", "action", "phase", "stage", "option", "reading", "question"}
)
"""The kinds of declarations in a section that players read; the other kinds are for authors of rules."""


def without_parameters(text: str) -> str:
    """A text of the rules with a sign in place of each parameter."""
    return _PARAMETER.sub("…", text)


def find_heading(ruleset: hr.Ruleset, query: str) -> tuple[str, str | None]:
    """The section number in a query, and the heading of the section if the ruleset has it."""
    number = query.strip().lstrip("§").strip()
    return number, hr.explain.section_headings(ruleset).get(number)


def echo_found(findings: hr.talk.Findings) -> None:
    """Print the hits of a search, each with its section."""
    if findings.note:
        echo(findings.note, "yellow")
    for hit in findings.hits:
        _echo_with_head(str(hit))
    for heading in findings.near:
        echo(heading, indent=2)


def echo_shown(
    of: hr.Ruleset | hr.Game,
    query: str,
    *,
    code: bool = False,
    player: str | None = None,
    near: str | None = None,
) -> None:
    """Print the cards of a name, or the declarations that cite a section; with `code`, how these are written.

    `near` is the ruleset as the command line names it: its files are printed with paths from the current folder.

    Raises:
        UnknownRule: neither a section nor a name of the ruleset.
    """
    ruleset = of.ruleset if isinstance(of, hr.Game) else of
    t = translator(ruleset.language)
    value_cards = [card for card in hr.talk.cards(of, query, player=player) if card.is_of_value]
    for index, card in enumerate(value_cards):
        if index:
            echo()
        _echo_with_head(str(card))
    try:
        declarations = hr.explain.find_declarations(ruleset, query)
    except hr.explain.UnknownRule as error:
        if not value_cards:
            _echo_search(ruleset, query, error)
        return
    number, heading = find_heading(ruleset, query)
    is_section = heading is not None or number[:1].isdigit()
    sentences = tuple(
        declaration
        for declaration in declarations
        if declaration.summary and (not is_section or declaration.kind in _KINDS_FOR_PLAYERS)
    )
    if not (sentences or is_section or value_cards) and _is_code(number):
        code = True
    shown = declarations if code else sentences
    if value_cards and shown:
        echo()
    if is_section or shown:
        _echo_declarations(ruleset, query, shown, code=code, near=near)
    elif not value_cards:
        echo_found(hr.talk.find(ruleset, number, limit=MAX_FOUND))
        echo(t.gettext("`--code` shows how `{name}` is written", name=number), "dim")


def _is_code(name: str) -> bool:
    """Whether a name is written as only a file of rules has it."""
    return not {*"-_"}.isdisjoint(name)


def _echo_search(ruleset: hr.Ruleset, query: str, error: hr.explain.UnknownRule) -> None:
    """Print what a search finds for a name that nothing has.

    Raises:
        UnknownRule: the query is nearly a name, it is a section or a name in code, or one of its words is in no text;
            this is `error`, with the near name.
    """
    findings = hr.talk.find(ruleset, query, limit=MAX_FOUND)
    number, _ = find_heading(ruleset, query)
    names = [word for words in ruleset.words.values() for word in words.values()]
    near = hr.diagnostics.closest_match(query, [*names, *filter(None, (error.near,))])
    if near or number[:1].isdigit() or _is_code(number) or findings.note or not findings.hits:
        raise evolve(error, near=near)
    t = translator(ruleset.language)
    echo(t.gettext("nothing is called `{name}`; a search finds", name=query), "yellow")
    echo_found(findings)


def _echo_with_head(text: str) -> None:
    """Print a text whose first line is a heading."""
    head, *lines = text.split("\n")
    echo(head, "bold cyan")
    for line in lines:
        echo(line.strip(), indent=2)


def _echo_declarations(
    ruleset: hr.Ruleset,
    query: str,
    declarations: tuple[hr.explain.Declaration, ...],
    *,
    code: bool,
    near: str | None,
) -> None:
    """Print declarations under the heading of their section: their sentences, or also their code."""
    t = translator(ruleset.language)
    number, heading = find_heading(ruleset, query)
    if heading is not None:
        echo(f"§{number} {heading}", "bold")
        echo()
    if not declarations:
        echo(t.gettext("no rule of this section has a sentence of its own"))
    for index, declaration in enumerate(declarations):
        if index and code:
            echo()
        _echo_declaration(ruleset, declaration, code=code, near=near)


def _echo_declaration(
    ruleset: hr.Ruleset, declaration: hr.explain.Declaration, *, code: bool, near: str | None
) -> None:
    cited = "".join(f" §{section}" for section in declaration.sections)
    kind = f"{declaration.kind} " if code else ""
    echo(f"{kind}{declaration.name}{cited}", "bold cyan")
    if declaration.summary:
        echo(without_parameters(declaration.summary), indent=2)
    for number, (sections, sentence) in enumerate(hr.talk.parts_of(ruleset, declaration), 1):
        echo(f"{number}. {without_parameters(sentence)} {sections}".rstrip(), indent=2)
    colon = translator(ruleset.language).gettext(":")
    for value, text in hr.talk.alternatives_of(ruleset, declaration):
        echo(f"{value}{colon} {text}" if text else value, indent=2)
    if not code:
        return
    replaced = f", replaces the one in {declaration.replaces}" if declaration.replaces else ""
    place = _place(declaration.file, declaration.line, near)
    echo(f"{declaration.edition}, {place}{replaced}", "dim", indent=2)
    echo(declaration.source, indent=4)


def _place(file: str, line: int, near: str | None) -> str:
    """A line of a file, so that a click in a terminal opens it if the ruleset is in a folder."""
    return f"{file if near is None else path_from_here(file, near)}:{line}"


def echo_history(versions: tuple[hr.compare.Version, ...], near: str) -> None:
    """Print the versions of a declaration, from edition to edition; `near` is as in `echo_shown`."""
    for index, version in enumerate(versions):
        if index:
            echo()
        change = "reworded" if version.change == "wording" else version.change
        echo(f"{version.kind} {version.name}, {change} by {version.edition}", "bold cyan")
        for line in (*map(str, version.cited), version.summary):
            if line:
                echo(line, indent=2)
        echo(_place(version.file, version.line, near), "dim", indent=2)
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


def echo_sections(ruleset: hr.Ruleset, within: str = "") -> None:
    """Print the sections of the rulebook, or those of one chapter, each with the sentences of its rules."""
    t, headings = translator(ruleset.language), hr.explain.section_headings(ruleset)
    rows = hr.talk.section_sentences(ruleset, within)
    width = max((len(number) for number in rows), default=0)
    for number, sentences in rows.items():
        echo(f"{number:{width}}  {headings[number]}", "bold cyan")
        for sentence in sentences:
            echo(sentence, indent=width + 2)
    if not headings:
        echo(t.gettext("the rulebook lists no sections"))
    elif not rows:
        echo(t.gettext("the rulebook has no section {section}", section=within))


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

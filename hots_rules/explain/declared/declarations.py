"""The declarations of a rulebook, by section or by name, as they are written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attrs import evolve

from hots_rules.diagnostics import Fault, check_kind, names_alike
from hots_rules.explain.declared.declaration import Contents, Declaration
from hots_rules.explain.errors import UnknownRule
from hots_rules.explain.word_search import matches, words_of
from hots_rules.play.compiled_ruleset import CompiledRuleset
from hots_rules.play.game import AnyRuleset, BaseGame
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.rules.editions.headings import headings_in
from hots_rules.rules.editions.label_kinds import SENTENCES, SUMMARIZED
from hots_rules.rules.editions.sections import Citation
from hots_rules.rules.typed import value_types as types

if TYPE_CHECKING:
    from hots_rules.rules.rulebook import Rulebook

PARAMETER = re.compile(r"\{[^{}]*\}")
SECTION = re.compile(r"§?\s*([0-9]+(?:\.[0-9]+)*)")
_ASSIGNED = re.compile(r"\b(\w+) (?::=|\+=|-=)")


def find_declarations(ruleset: AnyRuleset, query: str) -> tuple[Declaration, ...]:
    """The declarations of a section, or with a name.

    >>> import hots_rules as hr
    >>> rules = hr.load("hots-4.0")
    >>> hr.explain.find_declarations(rules, "§5.7") == hr.explain.find_declarations(rules, "5.7")
    True

    Args:
        ruleset: the ruleset; the summaries are in its language, the sources as written.
        query: a section (`5.7`, `§5.7`), which may be one that nothing cites; or a name, in which `-`,
            `_` and space are equal, and which declarations of several kinds may share.

    Raises:
        UnknownRule: neither a section nor a name of the ruleset.
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    check_kind("query", query, str, "a text")
    section = SECTION.fullmatch(query.strip())
    declarations = _named(ruleset, query) if section is None else _of_section(ruleset, section[1])
    return in_language(ruleset, declarations)


def in_language(
    ruleset: AnyRuleset, declarations: tuple[Declaration, ...]
) -> tuple[Declaration, ...]:
    """Declarations with their summaries in the language of the ruleset."""
    if ruleset.language == "en":
        return declarations
    return tuple(_translated(ruleset, declaration) for declaration in declarations)


def _translated(ruleset: AnyRuleset, declaration: Declaration) -> Declaration:
    """A declaration with its summary in the language of the ruleset, if its kind has labels."""
    kind, name, summary = declaration.kind, declaration.name, declaration.summary
    if not summary or kind not in SENTENCES | SUMMARIZED | {"question", "event"}:
        return declaration
    translated = ruleset.labels.sentence(kind, name, summary)
    return evolve(
        declaration, summary=without_parameters(translated) if kind == "event" else translated
    )


def without_parameters(sentence: str) -> str:
    """A sentence with a sign in place of each parameter."""
    return PARAMETER.sub("…", sentence)


def _of_section(ruleset: AnyRuleset, section: str) -> tuple[Declaration, ...]:
    headings = section_headings(ruleset)
    declarations = declarations_citing(ruleset, section)
    if not declarations and not any(is_within(number, section) for number in headings):
        raise UnknownRule.among(section, ruleset.name, headings)
    return declarations


def _named(ruleset: AnyRuleset, name: str) -> tuple[Declaration, ...]:
    all_ = contents_of(ruleset.compiled).declarations
    meant = names_alike(name, (declaration.name for declaration in all_))
    named = tuple(declaration for declaration in all_ if declaration.name in meant)
    if not named:
        raise UnknownRule.among(name, ruleset.name, [declaration.name for declaration in all_])
    return named


def declarations_citing(ruleset: AnyRuleset, section: str) -> tuple[Declaration, ...]:
    """The declarations that cite a section or a part of it, in the order of the sections.

    >>> import hots_rules as hr
    >>> rules = hr.load("hots-4.0")
    >>> len(hr.explain.declarations_citing(rules, "5")) > 50
    True
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    check_kind("section", section, str, "a text")
    order = {number: index for index, number in enumerate(section_headings(ruleset))}
    ranked: list[tuple[int, Declaration]] = []
    for declaration in contents_of(ruleset.compiled).declarations:
        parts = [number for number in declaration.sections if is_within(number, section)]
        if parts:
            first = min(order.get(number, len(order)) for number in parts)
            ranked.append((first, declaration))
    ranked.sort(key=lambda pair: pair[0])
    return tuple(declaration for _, declaration in ranked)


def declarations_about(ruleset: AnyRuleset, words: str) -> tuple[Declaration, ...]:
    """The declarations whose name, sentence or heading has all words of a text that matter.

    Case, accents, endings such as the plural, and words such as `the` do not matter.

    >>> import hots_rules as hr
    >>> [each.name for each in hr.explain.declarations_about(hr.load("hots-4.0"), "a stranded King?")]
    ['stranded_king']
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    check_kind("words", words, str, "a text")
    declarations = in_language(ruleset, contents_of(ruleset.compiled).declarations)
    return tuple(
        declaration
        for declaration in declarations
        if matches(words, words_of(_searched_text(declaration)))
    )


def _searched_text(declaration: Declaration) -> str:
    """The name, the sentence and the headings of a declaration."""
    headings = (citation.heading for citation in declaration.cited)
    return " ".join((declaration.name, declaration.summary, *headings))


def section_headings(ruleset: AnyRuleset) -> dict[str, str]:
    """The headings of the rulebook by section number, in its order; empty if it has no table of contents.

    They are in the language of the ruleset where the game declares them in it, else in that of the rulebook.

    >>> import hots_rules as hr
    >>> rules = hr.load("hots-4.0")
    >>> hr.explain.section_headings(rules)["5.5"]
    'Retreating'
    >>> hr.explain.section_headings(rules.in_language("es"))["5.5"]
    'Retirada'
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    own, translated = (
        contents_of(ruleset.compiled).headings,
        headings_in_language(ruleset.compiled, ruleset.language),
    )
    return {number: translated.get(number, heading) for number, heading in own.items()}


def headings_in_language(ruleset: CompiledRuleset, language: str) -> dict[str, str]:
    """The headings that are known in a language, by section number."""
    return ruleset.memo(("headings", language), lambda: headings_in(ruleset.source, language))


def unplaced_citations(ruleset: AnyRuleset) -> tuple[str, ...]:
    """A warning for each citation such as `§5.7` that probably means a section of the rulebook that is extended.

    A ruleset that lists no sections, such as a house rule, may number its own rules freely, so this is no fault. But a
    number that the extended rulebook has is more likely meant as that section.

    >>> import hots_rules as hr
    >>> hr.explain.unplaced_citations(hr.load("hots-4.0"))
    ()
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    contents = contents_of(ruleset.compiled)
    listed = {
        c.edition for declaration in contents.declarations for c in declaration.cited if c.heading
    }
    layers = [layer.name for layer in ruleset.compiled.source.layers]
    below = next((name for name in reversed(layers) if name in listed), "")
    return tuple(
        f"{declaration.file}:{declaration.line}: `§{citation.section}` is a number of {citation.edition}, which lists "
        f"no sections. For the section of the rulebook write `{below}§{citation.section}`."
        for declaration in contents.declarations
        for citation in declaration.cited
        if citation.edition not in listed and citation.section in contents.headings
    )


def alike_values(ruleset: AnyRuleset) -> tuple[Fault, ...]:
    """A fault for each two values of a type that differ only in case or accents; play tells them apart.

    >>> import hots_rules as hr
    >>> hr.explain.alike_values(hr.load("hots-4.0"))
    ()
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    # A late import: a ruleset that is read from the cache needs no parser.
    from hots_rules.rules.checks import alike

    rulebook = ruleset.compiled.rulebook
    return alike.alike_values(rulebook.typed, rulebook.entries)


def contents_of(ruleset: CompiledRuleset) -> Contents:
    """The declarations and headings of a ruleset."""
    return ruleset.kept(Contents, (Declaration, Citation), _read_contents)


def _read_contents(rulebook: Rulebook) -> Contents:
    # A late import: what is read from the cache needs no parser.
    from hots_rules.explain.declared.declaration_texts import read_contents

    return read_contents(rulebook)


def is_within(number: str, section: str) -> bool:
    """Whether a section is another one or a part of it: 5.31 of 5.3, and 5.3 of 5."""
    if number == section or number.startswith(f"{section}."):
        return True
    # Rulebooks number the parts of 5.3 as 5.31, 5.32.
    return "." in section and number.startswith(section) and number[len(section) :].isdigit()


def taking_part(game: BaseGame) -> frozenset[str]:
    """The players who take part: those of the only set of players that scenarios alone fill; without one all.

    >>> import hots_rules as hr
    >>> len(taking_part(hr.load("hots-4.0").start("braveheart", seed=1297)))
    2
    """
    ruleset = game.ruleset
    name = ruleset.compiled.memo(
        ("set of those who take part",), lambda: _players_who_play(ruleset)
    )
    if not name:
        return frozenset(game.ruleset.players)
    variable = ruleset.schema.variables[name]
    code = ruleset.schema.reader(game.state.slots)(name, ())
    names = ruleset.schema.to_python(code, variable.type)
    return frozenset(map(str, names if isinstance(names, list) else ()))


def _players_who_play(ruleset: AnyRuleset) -> str:
    """The name of the set; empty if there is none, or there are several."""
    in_scenarios, elsewhere = set[str](), set[str]()
    for declared in contents_of(ruleset.compiled).declarations:
        names = in_scenarios if declared.kind == "scenario" else elsewhere
        names.update(_ASSIGNED.findall(declared.source))
    schema = ruleset.schema
    sets = [
        name
        for name, variable in schema.variables.items()
        if not variable.keys and name in in_scenarios - elsewhere
        if isinstance(variable.type, types.SetType) and schema.is_of_players(variable.type.member)
    ]
    return sets[0] if len(sets) == 1 else ""

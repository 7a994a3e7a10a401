"""Cards: what a person wants to know of something that a ruleset names."""

from __future__ import annotations

from itertools import zip_longest

from attrs import field, frozen

from hots_rules.explain.declarations import (
    SECTION,
    Declaration,
    UnknownRule,
    contents_of,
    declarations_citing,
    find_declarations,
    section_headings,
)
from hots_rules.explain.lookup.find import find
from hots_rules.explain.lookup.stems import stems, words_in
from hots_rules.explain.lookup.values import ValueFacts
from hots_rules.play.game import AnyRuleset, BaseGame
from hots_rules.rules.typed import value_types as types

MOST_RULES = 8
_TOLD = frozenset({"rule", "action", "stage", "phase", "reading", "option"})


@frozen
class Card:
    """What is known of a piece, a place, a card, a kind of them, a section, or a declaration.

    >>> import hots_rules as hr
    >>> [card] = hr.explain.cards(hr.load("reversi-1.0"), "white")
    >>> card.title, card.kind, card.is_of_value
    ('White', 'colour', True)

    Attributes:
        title: its name in the language of the ruleset.
        kind: what it is, in the same language: the label of its type, or "rule", "section" and so on.
        name: its name in the ruleset.
        sections: where it stands, the main section first.
        facts: pairs of a name and what the tables of the ruleset hold.
        now: pairs of a question of the ruleset and its answer, if a game is open.
        rules: pairs of sections, as in "§5.7", and a sentence about it.
        is_of_value: whether it is of something that the tables are about, not of a section or a declaration.
    """

    title: str
    kind: str
    name: str
    sections: tuple[str, ...]
    facts: tuple[tuple[str, str], ...] = ()
    now: tuple[tuple[str, str], ...] = ()
    rules: tuple[tuple[str, str], ...] = ()
    is_of_value: bool = field(default=False, kw_only=True)

    def __str__(self) -> str:
        where = cited(self.sections)
        head = f"{self.title} ({self.kind}) {where}" if self.kind else f"{where} {self.title}"
        facts = [f"{name}: {text}" for name, text in self.facts]
        now = [f"{question} {answer}" for question, answer in self.now]
        rules = [f"{section} {sentence}".strip() for section, sentence in self.rules]
        return "\n  ".join([head.strip(), *facts, *now, *rules])


def cards(of: AnyRuleset | BaseGame, name: str, *, player: str | None = None) -> tuple[Card, ...]:
    """The cards of everything with a name: pieces and places first, then declarations; or that of a section.

    Case, accents and the plural do not matter. The texts are in the language of the ruleset.

    >>> import hots_rules as hr
    >>> [section] = hr.explain.cards(hr.load("hots-4.0"), "4.3")
    >>> section.title, section.rules[0][0]
    ('Border Limits', '§4.3')

    Args:
        of: a ruleset, or a game for what holds now as well.
        name: a name in any language of the ruleset, or the number of a section.
        player: what holds now is told as far as this player may know it; None tells everything.

    Raises:
        UnknownOption: no such player.

    Returns:
        The cards; none if nothing has the name.
    """
    ruleset, game = (of.ruleset, of) if isinstance(of, BaseGame) else (of, None)
    number = name.strip().lstrip("§").strip()
    if number in section_headings(ruleset):
        return (_of_section(ruleset, number),)
    if number[:1].isdigit() and SECTION.fullmatch(number):
        return ()
    facts = ValueFacts(ruleset)
    values = facts.values_named(name)
    named = [
        _of_value(facts, value, game, player)
        for value in values
        if not facts.is_alone(value) or len(values) == 1
    ]
    declared = (each for each in _declarations(ruleset, name) if each.summary)
    return (*named, *(_of_declaration(ruleset, each) for each in declared))


def card(of: AnyRuleset | BaseGame, name: str, *, player: str | None = None) -> Card | None:
    """The first of the `cards` of a name; None if nothing has it.

    >>> import hots_rules as hr
    >>> hr.explain.card(hr.load("hots-4.0"), "xyzzy") is None
    True
    """
    return next(iter(cards(of, name, player=player)), None)


def _of_value(
    facts: ValueFacts, value: types.Value, game: BaseGame | None, player: str | None
) -> Card:
    ruleset = facts.ruleset
    owner, word = value
    return Card(
        ruleset.labels.word(value),
        ruleset.labels.name("type", owner).lower(),
        word,
        _sections(ruleset, value),
        tuple(facts.facts(value)),
        () if game is None else tuple(facts.answers(value, game, player)),
        _rules(facts, value),
        is_of_value=True,
    )


def _rules(facts: ValueFacts, value: types.Value) -> tuple[tuple[str, str], ...]:
    """The sentences about a value: of what names it, of what a search for it finds, and for its kind."""
    labels = facts.ruleset.labels
    named = [_told(facts.ruleset, each) for each in facts.rules_about(value)]
    found = _found(facts.ruleset, labels.word(value))
    kinds = [
        each for kind in facts.kinds(value) for each in _found(facts.ruleset, labels.word(kind))
    ]
    told = (*named, *found) if facts.is_row(value) else (*found, *named)
    few = tuple(dict.fromkeys(told))[: MOST_RULES - (2 if kinds else 0)]
    return tuple(dict.fromkeys((*few, *kinds)))[:MOST_RULES]


def _found(ruleset: AnyRuleset, word: str) -> list[tuple[str, str]]:
    """The sentences that a search for a word finds; a letter is no word."""
    if len(word) == 1:
        return []
    hits = find(ruleset, word, limit=2 * MOST_RULES).hits
    return [(cited(hit.sections), hit.text) for hit in hits if hit.kind in _TOLD]


def cited(sections: tuple[str, ...]) -> str:
    """Sections as a reader sees them, the first three."""
    return " ".join(f"§{section}" for section in sections[:3])


def _sections(ruleset: AnyRuleset, value: types.Value) -> tuple[str, ...]:
    """The sections headed by a name, else those of its type."""
    names = {
        _folded(labels.get(f"{value[0]}.{value[1]}") or labels.get(value[1]) or "", language)
        for language, labels in ruleset.schema.facts.labels.items()
    } - {()}
    headed = tuple(
        number
        for number, heading in section_headings(ruleset).items()
        if any(_folded(heading, language) in names for language in ruleset.languages)
    )
    if headed:
        return headed
    declared = (each for each in _declarations(ruleset, value[0]) if each.kind in {"table", "type"})
    return next((each.sections[:1] for each in declared), ())


def _declarations(ruleset: AnyRuleset, name: str) -> tuple[Declaration, ...]:
    try:
        return find_declarations(ruleset, name)
    except UnknownRule:
        return ()


def _folded(text: str, language: str) -> tuple[str, ...]:
    """The stems of a name, without what is in brackets."""
    return tuple(stems(word, language)[0] for word in words_in(text.partition("(")[0]))


def _told(ruleset: AnyRuleset, declaration: Declaration) -> tuple[str, str]:
    """The sections of a declaration and its sentence."""
    return cited(declaration.sections), declaration.summary


def _of_section(ruleset: AnyRuleset, number: str) -> Card:
    told = [each for each in declarations_citing(ruleset, number) if each.kind in _TOLD]
    rules = tuple(_told(ruleset, each) for each in told if each.summary)
    return Card(section_headings(ruleset)[number], "", number, (number,), rules=rules)


def _of_declaration(ruleset: AnyRuleset, declaration: Declaration) -> Card:
    return Card(
        declaration.name,
        declaration.kind,
        declaration.name,
        declaration.sections,
        alternatives_of(ruleset, declaration),
        (),
        (("", declaration.summary),),
    )


def alternatives_of(ruleset: AnyRuleset, declaration: Declaration) -> tuple[tuple[str, str], ...]:
    """The values of an option or a reading, each with its sentence; the default is marked.

    >>> import hots_rules as hr
    >>> rules = hr.load("hots-4.0")
    >>> [option] = hr.explain.find_declarations(rules, "schiltroms")
    >>> hr.explain.alternatives_of(rules, option)
    (('default no', ''), ('yes', ''))
    """
    setting = ruleset.settings.get(declaration.name)
    if setting is None or setting.kind != declaration.kind:
        return ()
    gettext, shown = ruleset.labels.translator.gettext, []
    for value, text in zip_longest(setting.values, setting.summaries, fillvalue=""):
        word = _word(ruleset, value)
        is_default = value == setting.default
        shown.append((gettext("default {value}", value=word) if is_default else word, str(text)))
    return tuple(shown)


def _word(ruleset: AnyRuleset, value: object) -> str:
    gettext = ruleset.labels.translator.gettext
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return str(value)


def section_rules(ruleset: AnyRuleset) -> dict[str, tuple[str, tuple[str, ...]]]:
    """By section number, its heading and the names of the declarations with a sentence that cite it first.

    >>> import hots_rules as hr
    >>> hr.explain.section_rules(hr.load("hots-4.0"))["4.3"][0]
    'Border Limits'
    """
    by_section: dict[str, list[str]] = {}
    for each in contents_of(ruleset.compiled).declarations:
        if each.kind in _TOLD and each.sections:
            by_section.setdefault(each.sections[0], []).append(each.name)
    headings = section_headings(ruleset)
    return {
        number: (heading, tuple(dict.fromkeys(by_section.get(number, ()))))
        for number, heading in headings.items()
    }

"""Cards: what a person wants to know of something that a ruleset names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest

from attrs import field, frozen

from hots_rules._text import with_signs
from hots_rules.diagnostics import check_kind
from hots_rules.explain.declared.declaration import Declaration
from hots_rules.explain.declared.declarations import (
    SECTION,
    contents_of,
    declarations_citing,
    find_declarations,
    in_language,
    is_within,
    section_headings,
)
from hots_rules.explain.errors import UnknownRule
from hots_rules.explain.talk_file import talk_tables
from hots_rules.play.game import AnyRuleset, BaseGame
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.rules.typed import value_types as types
from hots_rules.talk.lookup.find import find_by_words
from hots_rules.talk.lookup.stems import stems, words_in
from hots_rules.talk.lookup.values import ValueFacts
from hots_rules.talk.reading.lexicon import Token

MAX_RULES = 8
MAX_OF_KINDS = 6
MAX_WITH_OTHERS = 4
"""Rules that name something in their code alone are on a card with few others, up to so many in all."""
_STAGES = frozenset({"phase", "stage"})
_CALLED = re.compile(r"\b(\w+)\(")
_TOLD = frozenset({"rule", "action", "stage", "phase", "reading", "option"})
ASKED = frozenset({"what", "who", "which", "how", "where", "is"})
"""Concepts of a sentence that may ask for a card: `what is Shore`, `who is Fox`, `how about Shore`."""
OPENING = ASKED - {"where", "which"} | {"and"}


@frozen
class Card:
    """What is known of a piece, a place, a card, a kind of them, a section, or a declaration.

    >>> import hots_rules as hr
    >>> [card] = hr.talk.cards(hr.load("reversi-1.0"), "white")
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
        colon: the colon of the language, with the space that stands before it in French.
    """

    title: str
    kind: str
    name: str
    sections: tuple[str, ...]
    facts: tuple[tuple[str, str], ...] = ()
    now: tuple[tuple[str, str], ...] = ()
    rules: tuple[tuple[str, str], ...] = ()
    is_of_value: bool = field(default=False, kw_only=True)
    colon: str = field(default=":", kw_only=True, repr=False)

    def __str__(self) -> str:
        where = cited(self.sections)
        head = f"{self.title} ({self.kind}) {where}" if self.kind else f"{where} {self.title}"
        facts = [f"{name}{self.colon} {text}" for name, text in self.facts]
        now = [f"{question} {answer}" for question, answer in self.now]
        rules = [f"{section} {sentence}".strip() for section, sentence in self.rules]
        return "\n  ".join([head.strip(), *facts, *now, *rules])


def cards(of: AnyRuleset | BaseGame, name: str, *, player: str | None = None) -> tuple[Card, ...]:
    """The cards of everything with a name: pieces and places first, then declarations; or that of a section.

    Case, accents and the plural do not matter. The texts are in the language of the ruleset.

    >>> import hots_rules as hr
    >>> [section] = hr.talk.cards(hr.load("hots-4.0"), "4.3")
    >>> section.title, section.rules[0][0]
    ('Border Limits', '§4.3')

    Args:
        of: a ruleset, or a game for what holds now as well.
        name: a name in any language of the ruleset, or the number of a section.
        player: what holds now is told as far as this player may know it; None tells everything.

    Raises:
        UnknownName: no such player.

    Returns:
        The cards; none if nothing has the name.
    """
    check_kind("name", name, str, "a name")
    ruleset, game = (of.ruleset, of) if isinstance(of, BaseGame) else (of, None)
    number = name.strip().lstrip("§").strip()
    if number in section_headings(ruleset):
        return (_of_section(ruleset, number),)
    if number[:1].isdigit() and SECTION.fullmatch(number):
        return ()
    facts = ValueFacts(ruleset)
    values = facts.values_named(name)
    named = [
        _of_value(facts, thing, game, player)
        for thing in values
        if not facts.is_alone(thing) or len(values) == 1
    ]
    declared = (declaration for declaration in _declarations(ruleset, name) if declaration.summary)
    return (*named, *(_of_declaration(ruleset, declaration) for declaration in declared))


def card(of: AnyRuleset | BaseGame, name: str, *, player: str | None = None) -> Card | None:
    """The first of the `cards` of a name; None if nothing has it.

    >>> import hots_rules as hr
    >>> hr.talk.card(hr.load("hots-4.0"), "xyzzy") is None
    True
    """
    check_kind("name", name, str, "a name")
    return next(iter(cards(of, name, player=player)), None)


def _of_value(
    facts: ValueFacts, thing: types.Value, game: BaseGame | None, player: str | None
) -> Card:
    ruleset = facts.ruleset
    owner, word = thing
    return Card(
        ruleset.labels.word(thing),
        ruleset.labels.name("type", owner).lower(),
        word,
        _sections(ruleset, thing),
        tuple(facts.facts(thing)),
        () if game is None else tuple(facts.answers(thing, game, player)),
        _rules(facts, thing),
        is_of_value=True,
        colon=ruleset.labels.translator.gettext(":"),
    )


def _rules(facts: ValueFacts, thing: types.Value) -> tuple[tuple[str, str], ...]:
    """The sentences about a value: of what names it, of what a search for it finds, and for its kind."""
    ruleset, labels = facts.ruleset, facts.ruleset.labels
    chosen, others = _chosen(facts, thing)
    about = [*facts.rules_about(thing)]
    with_words = [_told(ruleset, rule) for rule in about if _has_words(facts, thing, rule)]
    in_code = [_told(ruleset, rule) for rule in about]
    found = _found(ruleset, labels.word(thing), with_all=facts.is_row(thing))
    kinds = [rule for kind in facts.kinds(thing) for rule in _found(ruleset, labels.word(kind))]
    named = (*with_words, *found) if facts.is_row(thing) else (*found, *with_words)
    own = _of_own_section(ruleset, thing)
    few = [rule for rule in dict.fromkeys((*chosen, *own, *named)) if rule not in others]
    few = few[: MAX_RULES - (2 if kinds else 0)]
    of_kinds = dict.fromkeys(kinds[:MAX_OF_KINDS])
    listed = [rule for rule in dict.fromkeys((*few, *of_kinds)) if rule not in others][:MAX_RULES]
    more = [rule for rule in in_code if rule not in listed and rule not in others]
    return (*listed, *more[: max(0, MAX_WITH_OTHERS - len(listed))])


def _of_own_section(ruleset: AnyRuleset, thing: types.Value) -> list[tuple[str, str]]:
    """The rules of a section that is headed by a name, before a dash."""
    return [
        _told(ruleset, declaration)
        for number in _headed(ruleset, thing)
        if " - " in section_headings(ruleset)[number]
        for declaration in in_language(ruleset, declarations_citing(ruleset, number))
        if declaration.summary
        and declaration.kind in _TOLD
        and declaration.sections[:1] == (number,)
    ]


def _chosen(
    facts: ValueFacts, thing: types.Value
) -> tuple[list[tuple[str, str]], set[tuple[str, str]]]:
    """Of the rules that a game lists for cards of a type the first about the value, else the last; and the others."""
    # The table `cards` of the talk files: by type, rules of which a card tells one.
    by_type = talk_tables(facts.ruleset.source).get("cards", {})
    listed = [
        rule for name in by_type.get(thing[0], ()) for rule in _declarations(facts.ruleset, name)
    ]
    if not listed:
        return [], set()
    chosen = next((rule for rule in listed if _has_words(facts, thing, rule)), listed[-1])
    sentence = _told(facts.ruleset, chosen)
    return [sentence], {_told(facts.ruleset, rule) for rule in listed} - {sentence}


def _has_words(facts: ValueFacts, thing: types.Value, declaration: Declaration) -> bool:
    """Whether the sentence of a declaration has the name of a value, of its kind or of what is true of it."""
    language = facts.ruleset.language
    summary_words = {*_folded(declaration.summary, language)}
    return any(summary_words >= {*_folded(name, language)} for name in facts.words_for(thing))


def _found(ruleset: AnyRuleset, word: str, *, with_all: bool = False) -> list[tuple[str, str]]:
    """The sentences that a search for a name finds, or only those with all its words; a letter is no word."""
    if len(word) == 1:
        return []
    hits = find_by_words(ruleset, word, 2 * MAX_RULES, with_all=with_all)
    return [(cited(hit.sections), hit.text) for hit in hits if hit.kind in _TOLD]


def cited(sections: tuple[str, ...]) -> str:
    """Sections as a reader sees them, the first three."""
    return with_signs(sections[:3])


def _headed(ruleset: AnyRuleset, thing: types.Value) -> tuple[str, ...]:
    """The sections headed by a name, alone or before a dash."""
    names = {
        _folded(labels.get(f"{thing[0]}.{thing[1]}") or labels.get(thing[1]) or "", language)
        for language, labels in ruleset.schema.facts.labels.items()
    } - {()}
    return tuple(
        number
        for number, heading in section_headings(ruleset).items()
        if any(
            _folded(title, language) in names
            for language in ruleset.languages
            for title in (heading, heading.partition(" - ")[0])
        )
    )


def _sections(ruleset: AnyRuleset, thing: types.Value) -> tuple[str, ...]:
    """The sections headed by a name, else those of its type."""
    if headed := _headed(ruleset, thing):
        return headed
    declared = (
        declaration
        for declaration in _declarations(ruleset, thing[0])
        if declaration.kind in {"table", "type"}
    )
    return next((declaration.sections[:1] for declaration in declared), ())


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
    cited = [
        declaration
        for declaration in declarations_citing(ruleset, number)
        if declaration.kind in _TOLD
    ]
    rules = tuple(_told(ruleset, declaration) for declaration in cited if declaration.summary)
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


def parts_of(ruleset: AnyRuleset, declaration: Declaration) -> tuple[tuple[str, str], ...]:
    """The phases and stages that a phase runs, in its order, each as its sections and its sentence.

    >>> import hots_rules as hr
    >>> rules = hr.load("hots-4.0")
    >>> [winter] = hr.explain.find_declarations(rules, "winter")
    >>> hr.talk.parts_of(rules, winter)[15]
    ('§7.8 §7.0', 'All cards are shuffled and dealt anew; none is kept.')
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    if declaration.kind not in _STAGES:
        return ()
    stages = {
        stage.name: stage
        for stage in contents_of(ruleset.compiled).declarations
        if stage.kind in _STAGES and stage.summary and stage.name != declaration.name
    }
    named = dict.fromkeys(stage for stage in _CALLED.findall(declaration.source) if stage in stages)
    return tuple(
        _told(ruleset, rule) for rule in in_language(ruleset, tuple(stages[name] for name in named))
    )


def alternatives_of(ruleset: AnyRuleset, declaration: Declaration) -> tuple[tuple[str, str], ...]:
    """The values of an option or a reading, each with its sentence; the default is marked.

    >>> import hots_rules as hr
    >>> rules = hr.load("hots-4.0")
    >>> [option] = hr.explain.find_declarations(rules, "schiltroms")
    >>> hr.talk.alternatives_of(rules, option)
    (('default no', ''), ('yes', ''))
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    setting = ruleset.settings.get(declaration.name)
    if setting is None or setting.kind != declaration.kind:
        return ()
    gettext, shown = ruleset.labels.translator.gettext, []
    for thing, text in zip_longest(setting.values, setting.summaries, fillvalue=""):
        word = _word(ruleset, thing)
        is_default = thing == setting.default
        shown.append((gettext("default {value}", value=word) if is_default else word, str(text)))
    return tuple(shown)


def _word(ruleset: AnyRuleset, thing: object) -> str:
    gettext = ruleset.labels.translator.gettext
    if isinstance(thing, bool):
        return gettext("yes") if thing else gettext("no")
    return str(thing)


def section_rules(ruleset: AnyRuleset) -> dict[str, tuple[str, tuple[str, ...]]]:
    """By section number, its heading and the names of the declarations with a sentence that cite it first.

    >>> import hots_rules as hr
    >>> hr.talk.section_rules(hr.load("hots-4.0"))["4.3"][0]
    'Border Limits'
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    by_section: dict[str, list[str]] = {}
    for declaration in contents_of(ruleset.compiled).declarations:
        if declaration.kind in _TOLD and declaration.sections:
            by_section.setdefault(declaration.sections[0], []).append(declaration.name)
    headings = section_headings(ruleset)
    return {
        number: (heading, tuple(dict.fromkeys(by_section.get(number, ()))))
        for number, heading in headings.items()
    }


def section_sentences(ruleset: AnyRuleset, within: str = "") -> dict[str, tuple[str, ...]]:
    """By section number, the sentences of the declarations that cite it first, in the language of the ruleset.

    >>> import hots_rules as hr
    >>> hr.talk.section_sentences(hr.load("hots-4.0"), "4.3")["4.3"][-1]
    'Whoever crosses a red border stops there.'

    Args:
        ruleset: the ruleset.
        within: the number of a section or a chapter, if only this one and its parts are meant.
    """
    by_section: dict[str, dict[str, None]] = {
        number: {}
        for number in section_headings(ruleset)
        if not within or is_within(number, _chapter(within))
    }
    listed = (
        declaration
        for declaration in contents_of(ruleset.compiled).declarations
        if declaration.kind in _TOLD
    )
    for declaration in in_language(ruleset, tuple(listed)):
        if (
            declaration.summary
            and declaration.sections[:1]
            and declaration.sections[0] in by_section
        ):
            by_section[declaration.sections[0]][declaration.summary] = None
    return {number: tuple(sentences) for number, sentences in by_section.items()}


def _chapter(number: str) -> str:
    """The number of a section as its parts begin: 5 for 5.0, which heads a chapter."""
    return number.strip().lstrip("§").strip().removesuffix(".0")


def card_meant(game: BaseGame, tokens: Sequence[Token], player: str | None) -> Card | None:
    """The card of what a sentence asks about; None if it asks for more than what something is.

    All words that tell something must be its name, and one of the others asks what it is.

    Args:
        game: the game, for what holds now.
        tokens: the sentence.
        player: what holds now is told as far as this player may know it.
    """
    asks = [token for token in tokens if token.concepts & OPENING and not token.values]
    named = [token for token in tokens if token not in asks and not _says_nothing(token)]
    if not named or not (asks or len(named) == 1):
        return None
    subject = " ".join(token.text for token in named)
    return next(
        (card for card in cards(game, subject, player=player) if card.is_of_value or asks), None
    )


def _says_nothing(token: Token) -> bool:
    return not token.values and (
        token.is_idle or (token.concepts <= ASKED and bool(token.concepts))
    )

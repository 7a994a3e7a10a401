"""What a game declares for questions in words: a file `talk.toml`, or a folder `talk`, beside its tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from itertools import chain
from typing import Any

from attrs import evolve, field, frozen

from hots_rules._cache import key_of, read_plain, write_plain
from hots_rules._toml import check_entries, read_toml
from hots_rules.compile.cache import engine_hash
from hots_rules.diagnostics import Fault, RulesetError, Span
from hots_rules.diagnostics.braces import NAMED
from hots_rules.explain.word_search import plain
from hots_rules.rules import Source

Tables = dict[str, Any]
"""Tables of TOML: what is in them has been checked."""
MIN_CACHED = 10_000
"""Letters of a text that takes longer to read than to look up."""
# What an expression states by itself: numbers, and more conditions than that of a value which is looked up.
_OWN_FACT = re.compile(r"\b(?:\d+|if|when|and|or|not|some|no|all|max|min)\b|[<>!]|^\{\w+\} =")


@frozen
class Intent:
    """A question in words, and its answer.

    Attributes:
        name: its name, for lists and tests.
        patterns: its patterns.
        query: the expression that is the answer; empty if rules are.
        text: a sentence around the answer by language, with expressions between `<` and `>`.
        each: a name and a set of values, for each of which the sentence is said.
        rules: the rules that are the answer, or the reason for it.
        sections: the sections, in the numbers of its edition.
        when: a condition under which the question is asked; without one it always is.
        examples: sentences that ask it, in any language, for those that no pattern reads.
        edition: the edition that it is about, and told in where that plays so; empty for the newest rulebook.
        instead: the entry in whose place it is told in its edition, with its own answer to the same sentences.
        order: the condition on `{x}` and `{y}` under which `{x}` is told before `{y}`, where the answer is a set.
    """

    name: str
    patterns: tuple[str, ...] = ()
    query: str = ""
    text: Mapping[str, str] = field(factory=dict)
    each: tuple[str, str] | None = None
    rules: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    when: str = ""
    examples: tuple[str, ...] = ()
    order: str = ""
    edition: str = ""
    instead: str = ""

    @property
    def is_look_up(self) -> bool:
        """Whether its expression only looks up or counts, without a number or a condition of its own."""
        return bool(self.query) and _OWN_FACT.search(self.query) is None

    def asked_as(self, replaced: Intent) -> Intent:
        """The question with the patterns and examples of the one that it replaces."""
        return evolve(
            self,
            patterns=(*self.patterns, *replaced.patterns),
            examples=(*self.examples, *replaced.examples),
            when=self.when or replaced.when,
        )

    @property
    def answers(self) -> bool:
        """Whether it has anything to answer with."""
        return bool(self.query or self.text or self.rules)

    def silenced(self, rules: tuple[str, ...]) -> Intent:
        """The question where its sentence is not confirmed: with the bare value, or rules that are quoted instead."""
        if self.is_look_up or not (self.query or self.text):
            return evolve(self, text={}, each=None)
        return evolve(self, query="", text={}, each=None, order="", sections=(), rules=rules)


@frozen
class Talk:
    """What the file of a game declares.

    Attributes:
        slots: the types of the slots of patterns.
        modifiers: the concepts that may stand beside the value of a slot, such as "the piece Fox"; under `any` concepts
            and types that most questions may have beside them, such as a game and who plays.
        prefer: which of several values with one name are meant, if any: those for which this holds.
        words: concepts with their phrases.
        names: further names of values, such as `Piece.Fox`.
        acts: the concepts that mean actions, with the names of these.
        questions: the questions.
        examples: sentences that a beginner may ask, by language.
        general: further patterns of the questions of the library, by their names.
        odds: the end and the policy of odds, if a sentence does not say.
        battle: how battles are made up.
        policies: policies that may choose for a person, by name; each has its lines as `policy`, a sentence by
            language, and the player for whom it was tuned as `plays`, if it is one for whole games.
        confirmed: the digests of what statements rest on, as they were when somebody read them against it; by name.
    """

    slots: Mapping[str, str] = field(factory=dict)
    modifiers: Mapping[str, frozenset[str]] = field(factory=dict)
    prefer: Mapping[str, str] = field(factory=dict)
    words: Mapping[str, tuple[str, ...]] = field(factory=dict)
    names: Mapping[str, tuple[str, ...]] = field(factory=dict)
    acts: Mapping[str, tuple[str, ...]] = field(factory=dict)
    questions: tuple[Intent, ...] = ()
    examples: Mapping[str, tuple[str, ...]] = field(factory=dict)
    general: Mapping[str, tuple[str, ...]] = field(factory=dict)
    odds: Mapping[str, str] = field(factory=dict)
    battle: BattleForm | None = None
    policies: Mapping[str, Mapping[str, str]] = field(factory=dict)
    confirmed: Mapping[str, frozenset[str]] = field(factory=dict)

    @property
    def has_patterns(self) -> bool:
        """Whether it reads questions by patterns, and has more than examples of questions that rules answer."""
        return any(question.patterns for question in self.questions)

    @property
    def setting(self) -> frozenset[str]:
        """The concepts and types that most questions may have beside them."""
        return self.modifiers.get("any", frozenset())


@frozen
class BattleForm:
    """How a line such as `Shore: Fox 3 against Dog 4` becomes a position, and what its outcomes are.

    Expressions and lines of positions have names in braces: `{place}`, `{origin}`, `{piece}`, `{number}`, `{player}`,
    `{attacker}`, `{defender}`, `{link}`.

    Attributes:
        words: the words that such a line begins with.
        example: a line for errors.
        piece: the type of the pieces.
        place: the type of the places.
        scenario: where all other pieces stand as they do.
        full: the greatest strength of a piece.
        may_fight: whether a piece may fight for a player.
        origins: sets of places where attackers may come from, the best first.
        link: the line of the map between the origin and the place.
        in_the_way: the pieces of the scenario that have to go elsewhere unless they fight.
        refuge: the places where it may go.
        elsewhere: the line of the position that moves it there.
        fighter: the line of a piece that fights.
        where_it_fights: further lines where a certain piece fights.
        setup: the other lines.
        until: the end of the computation.
        policy: what both players choose.
        left: the strength that a piece has left for its player in the end.
        outcomes: conditions with their words; the first that holds counts.
        otherwise: the words if none holds.
        fates: what may become of a piece.
        assumptions: what is assumed, in words.
        at_full_strength: the words for pieces without a number.
        against, later, joined: the words between sides, before reserves, and between pieces.
        unsaid_place: where the battle is if a sentence does not say.
        unsaid: what is said of it, and of a piece whose name others share (`{word}`).
        located: the words before the name of a place.
    """

    words: tuple[str, ...]
    example: str
    piece: str
    place: str
    scenario: str
    full: str
    may_fight: str
    origins: tuple[str, ...]
    link: str
    in_the_way: str
    refuge: str
    elsewhere: str
    fighter: str
    setup: tuple[str, ...]
    until: str
    policy: str
    left: str
    outcomes: tuple[Mapping[str, str], ...]
    otherwise: Mapping[str, str]
    fates: tuple[Mapping[str, str], ...]
    assumptions: tuple[Mapping[str, str], ...]
    at_full_strength: Mapping[str, str]
    against: tuple[str, ...]
    later: tuple[str, ...]
    joined: tuple[str, ...]
    where_it_fights: Mapping[str, tuple[str, ...]] = field(factory=dict)
    unsaid_place: str = ""
    unsaid: Mapping[str, Mapping[str, str]] = field(factory=dict)
    located: tuple[str, ...] = ()


def battle_form(source: Source) -> BattleForm | None:
    """How the game of a ruleset makes up battles; None if it does not.

    Raises:
        RulesetError: the file is not of this form.
    """
    return talk_of(source).battle


def talk_of(source: Source) -> Talk:
    """What the game of a ruleset declares; of several layers the last that has a file.

    Raises:
        RulesetError: the file is not of this form.
    """
    with _readable(source):
        return parse_talk(source.talk)


def talk_tables(source: Source) -> Tables:
    """The tables of the file of a ruleset as they are written; none without a file.

    Raises:
        RulesetError: the file is not of this form.
    """
    with _readable(source):
        return _tables(source.talk)


@contextmanager
def _readable(source: Source) -> Iterator[None]:
    """What is wrong with the file is a fault of the ruleset."""
    try:
        yield
    except ValueError as error:
        headline = f"the questions in words of `{source.name}` cannot be read: {error}"
        raise RulesetError([Fault("malformed-text", headline, Span.nowhere())]) from None


@frozen
class _File:
    """The tables of a file as they are written; `Talk` says what each is for."""

    acts: Mapping[str, tuple[str, ...]]
    battle: BattleForm
    cards: Mapping[str, tuple[str, ...]]
    confirmed: Mapping[str, str]
    examples: Mapping[str, tuple[str, ...]]
    general: Mapping[str, tuple[str, ...]]
    modifiers: Mapping[str, str]
    names: Mapping[str, str]
    odds: Mapping[str, str]
    policies: Mapping[str, Mapping[str, str]]
    prefer: Mapping[str, str]
    question: Mapping[str, Intent]
    slots: Mapping[str, str]
    words: Mapping[str, str]


@cache
def _tables(text: str) -> Tables:
    """The tables of a text, from the cache if they were read before."""
    if len(text) < MIN_CACHED:
        return _checked(text)
    key = key_of("talk", engine_hash(("explain",)), text)
    tables: Tables | None = read_plain(key)
    if tables is None:
        tables = _checked(text)
        write_plain(key, tables)
    return tables


def _checked(text: str) -> Tables:
    """The tables of a text.

    Raises:
        ValueError: it is not of this form.
    """
    tables = read_toml(text)
    questions = tables.get("question")
    for name, question in questions.items() if isinstance(questions, dict) else ():
        if isinstance(question, dict):
            question["name"] = name
    check_entries(tables, _File)
    patterns = chain(*(each.get("patterns", ()) for each in tables.get("question", {}).values()))
    for pattern in chain(patterns, *tables.get("general", {}).values()):
        for hole in NAMED.findall(pattern):
            if hole not in tables.get("slots", {}):
                raise ValueError(f"`slots` has no `{hole}`, which the pattern `{pattern:.80}` has")
    return tables


@cache
def parse_talk(text: str) -> Talk:
    """The declarations of a text.

    Raises:
        ValueError: it is not of this form.

    >>> parse_talk("[odds]\\nuntil = 3")
    Traceback (most recent call last):
      ...
    ValueError: the entry `odds` does not have its form
    """
    read = _tables(text)
    return Talk(
        read.get("slots", {}),
        {hole: frozenset(concepts.split()) for hole, concepts in read.get("modifiers", {}).items()},
        read.get("prefer", {}),
        {name: listed_phrases(phrases) for name, phrases in read.get("words", {}).items()},
        {name: listed_phrases(phrases) for name, phrases in read.get("names", {}).items()},
        {name: tuple(actions) for name, actions in read.get("acts", {}).items()},
        tuple(Intent(**_frozen_entries(each)) for each in read.get("question", {}).values()),
        {language: tuple(lines) for language, lines in read.get("examples", {}).items()},
        {name: tuple(lines) for name, lines in read.get("general", {}).items()},
        read.get("odds", {}),
        BattleForm(**_frozen_entries(read["battle"])) if "battle" in read else None,
        {name: dict(lines) for name, lines in read.get("policies", {}).items()},
        {name: frozenset(digests.split()) for name, digests in read.get("confirmed", {}).items()},
    )


def _frozen_entries(entry: Tables) -> Tables:
    """Entries with tuples in place of lists."""
    return {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}


def listed_phrases(phrases: str) -> tuple[str, ...]:
    """Phrases as they are read: without accents and elisions."""
    return tuple(" ".join(plain(phrase).replace("-", " ").split()) for phrase in phrases.split(","))

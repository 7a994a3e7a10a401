"""The options of a ruleset that a sentence asks about: `what is the optional rule about Fox`."""

from __future__ import annotations

from collections.abc import Sequence

from hots_rules._text import with_signs
from hots_rules.explain.declared.declaration import Declaration
from hots_rules.explain.declared.declarations import contents_of, in_language
from hots_rules.play.game import BaseGame
from hots_rules.talk.position.counts import is_one_of, says_nothing, words_for
from hots_rules.talk.reading.lexicon import Token
from hots_rules.talk.reading.own_words import words_for_kind
from hots_rules.talk.reading.reader import Reader

OPTIONAL, OF_RULES = "optional", "of-rules"
"""Kinds of words: for what is an option, and for a rule."""


def asks_for_an_option(sentence: Sequence[str]) -> bool:
    """Whether the words of a sentence ask for an option: one of them says so, and another one means a rule."""
    words = frozenset(sentence)
    return not (
        words.isdisjoint(words_for_kind(OPTIONAL)) or words.isdisjoint(words_for_kind(OF_RULES))
    )


def options_told(game: BaseGame, reader: Reader, tokens: Sequence[Token]) -> str:
    """The sentences of the options that have all that a sentence tells, with their sections; empty if none has."""
    aside = words_for_kind(OPTIONAL) | words_for_kind(OF_RULES)
    located = game.ruleset.schema.location_maps[:1]
    kinds = [
        word for variable in located for word in words_for(game, reader, str(variable.keys[0]))
    ]
    telling = [
        token
        for token in tokens
        if not (says_nothing(token) or token.is_idle or is_one_of(token, kinds))
        if aside.isdisjoint(token.text.split())
    ]
    declared = contents_of(game.ruleset.compiled).declarations
    options = [option for option in declared if option.kind == "option" and option.summary]
    meant = tuple(
        option for option in options if all(_is_about(reader, token, option) for token in telling)
    )
    quoted_rules = (
        f"{option.summary} ({option.name} {with_signs(option.sections)})"
        for option in in_language(game.ruleset, meant)
    )
    return "\n".join(quoted_rules)


def _is_about(reader: Reader, token: Token, option: Declaration) -> bool:
    """Whether a word, or something that it names, is in the sentence of an option or in its name."""
    words = reader.lexicon.read(f"{option.summary} {option.name.replace('_', ' ')}", corrects=False)
    if not token.values:
        return is_one_of(token, words)
    named = {(kind, code) for word in words for kind, codes in word.values for code in codes}
    return any((kind, code) in named for kind, codes in token.values for code in codes)

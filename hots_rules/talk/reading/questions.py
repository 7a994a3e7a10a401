"""Whether a text asks: by a question mark, or by a word that asks, in any language of the library."""

from __future__ import annotations

from hots_rules.diagnostics import check_kind
from hots_rules.play.game import AnyRuleset
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.talk.reading.patterns import ASKING
from hots_rules.talk.reading.reader import reader_of

ASKING_WORDS = ASKING | {"why"}
"""Concepts of words that only a question has."""
ASKING_PHRASES = ASKING_WORDS | {"if", "odds", "change", "happen", "legal", "whose-turn"}
"""Concepts of words that a question mostly has."""


def asks(ruleset: AnyRuleset, text: str) -> bool:
    """Whether a text has a question mark or a word such as `where`, so that it is no command.

    >>> import hots_rules as hr
    >>> rules = hr.load("hots-4.0")
    >>> asks(rules, "points pour quand"), asks(rules, "points.txt")
    (True, False)
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    check_kind("text", text, str, "a text")
    return _has(ruleset, text, ASKING_WORDS)


def is_question(ruleset: AnyRuleset, text: str) -> bool:
    """Whether a sentence asks: it has a question mark or a word such as `where`, `why`, `odds`.

    >>> import hots_rules as hr
    >>> rules = hr.load("hots-4.0")
    >>> is_question(rules, "pourquoi pas ?"), is_question(rules, "load x")
    (True, False)
    """
    return _has(ruleset, text, ASKING_PHRASES)


def _has(ruleset: AnyRuleset, text: str, concepts: frozenset[str]) -> bool:
    tokens = reader_of(ruleset).lexicon.read(text, corrects=False)
    return "?" in text or any(token.concepts & concepts for token in tokens)

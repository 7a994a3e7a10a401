"""Whether a text asks: by a question mark, or by a word that asks, in any language of the library."""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import frozen

from hots_rules.diagnostics import check_kind
from hots_rules.play.game import AnyRuleset
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.talk.reading.lexicon import Token
from hots_rules.talk.reading.own_words import words_for_kind
from hots_rules.talk.reading.patterns import ASKING
from hots_rules.talk.reading.reader import reader_of

ASKING_WORDS = ASKING | {"why"}
"""Concepts of words that only a question has."""
ASKING_PHRASES = ASKING_WORDS | {"if", "odds", "change", "happen", "legal", "whose-turn"}
"""Concepts of words that a question mostly has."""

OF_A_CASE = frozenset({"if", "can", "must", "happen", "why", "how"})
"""Concepts of sentences that ask for a rule, also where they say what has happened."""
_SO_FAR = re.compile(
    r"\b(?:yet|so far|deja|hasta ahora|hasta el momento)\b|^(?:reste(?:nt)?|queda[ns]?)\b"
    r"|^(?:is|are|has|have|est|sont|es|esta|estan|son)\b.*\b(?:now|already|maintenant|ahora|ya)$"
    r"|^(?:is|are|(?:which|what) \w+ (?:is|are))\b.*\b(?:empty|full|over|finished|dead|alive|gone|left|hurt)$"
    r"|\best (?:vide|pleine?|finie?)$|^esta\b.*\b(?:vaci|llen)[oa]$"
)
_YES_OR_NO = re.compile(
    r"^(?:and |so |but )?(?:has|have|had|did|was|were)\b(?!.*\bto\b)"
    r"|^(?:ont|(?:se )?ha|(?:se )?han|hemos)\b"
)
"""What has happened or not: `has Fox been crowned`."""
_WHICH = re.compile(
    r"\b(?:what|which|who|whom|how many|where)\b(?: \w+){0,2} did\b|^which \w+ \w+ed\b"
    r"|\b(?:what|which|who|whom|how many)\b(?: \w+){0,2} (?:has|have) (?:\w+ )?(?:been|drawn|lost|won)\b"
    r"|\bwho (?:is |s )?(?:currently )?(?:winning|leading)\b|\bva ganando\b"
    r"|\b(?:a|ont) (?:\w+ )?ete\b(?!.*\b(?:je|on|nous)\b)"  # not what was before: `ont été tirés, je les mets où`
    r"|^(?:que|cuales?|cuantos?|cuantas?|quien)\b(?: \w+)? (?:ha|han|robo|robaron)\b"
)
"""What has happened: `what did they draw`."""
_HAS_ANY = re.compile(r"^do(?:es)? (?:the )?(\w+) have (?:an?|any)\b")
"""Whether somebody has such a thing."""
_OF_ME = re.compile(r"^(?:am i|are we|suis je|sommes nous|estoy|estamos|voy|vamos)\b")
_OF_WHOM = re.compile(
    r"\b(?:who|which (?:side|player|lord|of us|one)|am i|are we)\b|^(?:do(?:es)?|have|has) (?:\w+ )?\w+ (?:have|got)\b"
    r"|\b(?:qui|quel (?:camp|joueur)|quien|que (?:bando|lado|jugador)|cual)\b"
    r"|\bmore\b.*\bthan\b|\bplus d.*\bque\b|\bmas\b.*\bque\b"
)
MORE, FEWER, OF_A_RULE, YES_OR_NO = "more", "fewer", "of-a-rule", "yes-or-no"
"""Kinds of words: of a comparison, of sentences that compare what a rule speaks of, and that begin a question for yes
or no."""


@frozen
class FactAsked:
    """That a sentence asks what is so or has happened in this game, which no rule says.

    Attributes:
        compared: the words of a comparison, such as `more`; empty if it compares nothing.
        is_yes_or_no: whether it is whether something has happened, to which `can` is no answer.
    """

    compared: frozenset[str]
    is_yes_or_no: bool = False


def fact_asked(words: Sequence[str], tokens: Sequence[Token]) -> FactAsked | None:
    """Whether a sentence asks for a fact of the position: `has he moved yet`, `who has more cards`; None if not.

    Args:
        words: the words of the sentence.
        tokens: its tokens.
    """
    concepts = frozenset(concept for token in tokens for concept in token.concepts)
    if concepts & OF_A_CASE:
        return None
    text = " ".join(words)
    comparing = words_for_kind(MORE) | words_for_kind(FEWER)
    compared = comparing.intersection(words) if _OF_WHOM.search(text) else frozenset()
    if compared and words_for_kind(OF_A_RULE).isdisjoint(words):
        return FactAsked(compared)
    if _YES_OR_NO.search(text):
        return FactAsked(frozenset(), is_yes_or_no=True)
    has_any = _HAS_ANY.search(text)
    if has_any and any(token.values and has_any[1] in token.text.split() for token in tokens):
        return FactAsked(frozenset())
    is_told = _SO_FAR.search(text) or _WHICH.search(text) or _OF_ME.search(text)
    return FactAsked(frozenset()) if is_told else None


def asks_yes_or_no(words: Sequence[str], tokens: Sequence[Token]) -> bool:
    """Whether a sentence begins as a question for yes or no, and has no word that asks for something."""
    asked = frozenset(concept for token in tokens for concept in token.concepts)
    is_open = not asked.isdisjoint(ASKING_PHRASES - {"can", "must", "if", "legal", "what"})
    return not is_open and not words_for_kind(YES_OR_NO).isdisjoint(words[:1])


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

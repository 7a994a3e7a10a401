"""When the first of the rules that come closest is stated as the answer: it is about little else than the sentence.

The numbers were chosen by the sentences in `tests/talk`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import frozen

from hots_rules.explain.declared.declarations import section_headings
from hots_rules.explain.talk_file import talk_of
from hots_rules.talk.reading.acts import OBLIGES, PERMITS, asked_of
from hots_rules.talk.reading.closest import (
    CITATION,
    asks_twice,
    lacks_a_number,
    leaves_a_not,
    offered_passages,
    said_beside,
    terms_of,
    untold,
)
from hots_rules.talk.reading.lexicon import Token
from hots_rules.talk.reading.speaker import Speaker
from hots_rules.talk.retrieval.passages import QueryTerm, retrieval_of
from hots_rules.talk.retrieval.rows import QUESTION, RULEBOOK_STATEMENT, Passage

_DIGIT = re.compile(r"\d")
MAX_WORDS = 60
"""How long a rule is that says several things, of which a sentence that it does not wholly have may mean another."""
MOSTLY_ASKED = 0.8
"""From which focus a rule need not be of the kind that is asked for, such as a place."""


@frozen
class Bound:
    """What a rule needs to be an answer.

    Attributes:
        score: its least score among the rules that come closest.
        ahead: how far it is before those of other sections.
        focus: the least part of it that the sentence has.
        lacking: the greatest part of the sentence that it lacks.
        met: how many words that tell something they share.
        asks: whether it is found by a question in whose words somebody asks.
    """

    score: float
    ahead: float
    focus: float
    lacking: float
    met: int = 2
    asks: bool = False


BOUNDS = (
    Bound(score=1.8, ahead=0.1, focus=0.6, lacking=0.65),
    Bound(score=1.45, ahead=0.2, focus=0.7, lacking=0.65),
    Bound(score=1.5, ahead=0.2, focus=0.5, lacking=0.35),
    Bound(score=1.5, ahead=0.4, focus=0.0, lacking=0.25),
)
"""A rule that says little else than the sentence may lack much of it; one that says more has most of it, and is far
before the others."""
BOUNDS_OF_THE_RULES = (
    Bound(score=1.75, ahead=0.1, focus=0.1, lacking=0.0),
    Bound(score=2.2, ahead=0.1, focus=0.3, lacking=0.0, met=1, asks=True),
    Bound(score=2.0, ahead=0.35, focus=0.5, lacking=1.0, met=0, asks=True),
    Bound(score=1.8, ahead=0.45, focus=0.5, lacking=1.0, met=0, asks=True),
)
"""The same before anything was played: a sentence asks about the rules alone."""


def clear_offer(speaker: Speaker, tokens: Sequence[Token]) -> str | None:
    """The rule that comes closest, if it answers the sentence; with another of its section that comes as close."""
    offered = offered_passages(speaker, tokens)
    if not offered or asks_twice(tokens):
        return None
    best, text = offered[0]
    section = best.passage.sections[:1]
    if best.passage.kind == QUESTION or not (best.is_more or best.asks):
        return None
    if best.passage.kind == RULEBOOK_STATEMENT and asked_of(tokens) & (PERMITS | OBLIGES):
        return None  # it tells what is, not what may be
    if leaves_a_not(speaker, tokens, text) or lacks_a_number(speaker, tokens, text):
        return None
    others = (hit.score for hit, _ in offered if hit.passage.sections[:1] != section)
    ahead = best.score - next(others, 0.0)
    retrieval = retrieval_of(speaker.game.ruleset)
    labelled = [
        token.text for token in tokens if _DIGIT.search(token.text) and not token.text.isdecimal()
    ]
    if untold(speaker, labelled, text):
        return None  # such as `E2`, which has no other form
    titled = f"{_heading(speaker, section)} {text}"
    terms = retrieval.stated(best.passage) | terms_of(speaker, titled)
    telling = retrieval.query_terms(tokens)
    # How many is told by `half` or `as many` for any number.
    asks_how_many = any("how-many" in token.concepts for token in tokens)
    is_relative = asks_how_many and not _DIGIT.search(CITATION.sub("", text))
    if best.passage.kind == RULEBOOK_STATEMENT and any(
        term.tells and term.exact.isdisjoint(terms) for term in telling
    ):
        return None  # it says so little that another word is another case, such as another colour
    met = sum(term.tells and not (term.exact | term.alike).isdisjoint(terms) for term in telling)
    lacking = _lacking(telling, terms, with_numbers=not is_relative)
    named = [term.typed for term in telling if term.is_name]
    is_of_the_rules = (
        _is_of_the_rules(speaker, tokens)
        and not untold(speaker, named, titled)
        and not _is_silenced(speaker, best.passage)
    )
    if lacking is None or (lacking > BOUNDS[-1].lacking and len(text.split()) > MAX_WORDS):
        return None
    is_of_a_kind = best.is_asked or best.focus >= MOSTLY_ASKED
    bounds = (*BOUNDS, *BOUNDS_OF_THE_RULES) if is_of_the_rules else BOUNDS
    is_clear = any(
        best.score >= bound.score
        and ahead >= bound.ahead
        and best.focus >= bound.focus
        and lacking <= bound.lacking
        and met >= bound.met
        and (best.asks if bound.asks else is_of_a_kind)
        for bound in bounds
    )
    return "\n".join(filter(None, (text, said_beside(best, text, offered)))) if is_clear else None


def _is_of_the_rules(speaker: Speaker, tokens: Sequence[Token]) -> bool:
    """Whether nothing was played yet that a sentence may ask about."""
    is_new = all(move < 0 for move in speaker.game.moves)
    return is_new and not any("now" in token.concepts for token in tokens)


def _is_silenced(speaker: Speaker, passage: Passage) -> bool:
    """Whether rules are quoted for a statement that is not told in this ruleset."""
    if passage.intent is None or passage.intent.text:
        return False
    declared = talk_of(speaker.game.ruleset.source).questions
    return any(question.text for question in declared if question.name == passage.name)


def _heading(speaker: Speaker, sections: Sequence[str]) -> str:
    """The heading under which a rule stands."""
    headings = section_headings(speaker.game.ruleset)
    return next((headings[number] for number in sections if number in headings), "")


def _lacking(
    query_terms: Sequence[QueryTerm], terms: frozenset[str], *, with_numbers: bool
) -> float | None:
    """The part of a sentence that some terms lack, from 0 to 1; None if it is a name, a number, or nearly all."""
    if any(
        (term.is_name or (with_numbers and term.is_number))
        and (term.exact | term.alike).isdisjoint(terms)
        for term in query_terms
    ):
        return None
    telling = [term for term in query_terms if term.tells]
    left = sum(term.weight for term in telling if term.terms.isdisjoint(terms))
    return left / sum(term.weight for term in telling)

"""When the first of the rules that come closest is stated as the answer: it is about little else than the sentence.

The numbers were chosen by the sentences in `tests/talk`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import frozen

from hots_rules.talk.reading.acts import OBLIGES, PERMITS, asked_of
from hots_rules.talk.reading.closest import (
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
from hots_rules.talk.retrieval.rows import QUESTION, RULEBOOK_STATEMENT

_DIGIT = re.compile(r"\d")
MIN_MET = 2
"""How many words that tell something a sentence shares with the rule that is its answer."""

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
    """

    score: float
    ahead: float
    focus: float
    lacking: float


BOUNDS = (
    Bound(score=1.8, ahead=0.1, focus=0.6, lacking=0.65),
    Bound(score=1.45, ahead=0.2, focus=0.7, lacking=0.65),
    Bound(score=1.5, ahead=0.2, focus=0.5, lacking=0.35),
    Bound(score=1.5, ahead=0.4, focus=0.0, lacking=0.25),
)
"""A rule that says little else than the sentence may lack much of it; one that says more has most of it, and is far
before the others."""


def clear_offer(speaker: Speaker, tokens: Sequence[Token]) -> str | None:
    """The rule that comes closest, if it answers the sentence; with another of its section that comes as close."""
    offered = offered_passages(speaker, tokens)
    if not offered or asks_twice(tokens):
        return None
    best, text = offered[0]
    section = best.passage.sections[:1]
    if best.passage.kind == QUESTION or not best.is_more:
        return None
    if not best.is_asked and best.focus < MOSTLY_ASKED:
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
    terms = retrieval.stated(best.passage) | terms_of(speaker, text)
    telling = retrieval.query_terms(tokens)
    # How many is told by `half` or `as many` for any number.
    asks_how_many = any("how-many" in token.concepts for token in tokens)
    is_relative = asks_how_many and not _DIGIT.search(text.partition(" (")[0])
    lacking = _lacking(telling, terms, with_numbers=not is_relative)
    if lacking is None or (lacking > BOUNDS[-1].lacking and len(text.split()) > MAX_WORDS):
        return None
    is_clear = any(
        best.score >= bound.score
        and ahead >= bound.ahead
        and best.focus >= bound.focus
        and lacking <= bound.lacking
        for bound in BOUNDS
    )
    return "\n".join(filter(None, (text, said_beside(best, text, offered)))) if is_clear else None


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
    if sum(not (term.exact | term.alike).isdisjoint(terms) for term in telling) < MIN_MET:
        return None
    left = sum(term.weight for term in telling if term.terms.isdisjoint(terms))
    return left / sum(term.weight for term in telling)

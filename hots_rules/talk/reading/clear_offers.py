"""When the first of the rules that come closest is stated as the answer: it is about little else than the sentence.

The numbers were chosen by the sentences in `tests/talk`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

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
from hots_rules.talk.reading.patterns import ASKING
from hots_rules.talk.reading.speaker import Speaker
from hots_rules.talk.retrieval.passages import Found, QueryTerm, retrieval_of
from hots_rules.talk.retrieval.rows import QUESTION, RULEBOOK_STATEMENT

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
        share: the least part of the sentence that such a question has.
    """

    score: float
    ahead: float
    focus: float
    lacking: float
    met: int = 2
    asks: bool = False
    share: float = 0.6


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
TIED = Bound(score=1.75, ahead=0.0, focus=0.2, lacking=0.0)
"""For two rules of different sections that both have all words of such a sentence."""


def clear_offer(speaker: Speaker, tokens: Sequence[Token]) -> str | None:
    """The rule that comes closest, if it answers the sentence; with another that comes as close.

    That is one of its section, or of another one if both have all words of a sentence about the rules.
    """
    offered = offered_passages(speaker, tokens)
    if not offered or asks_twice(tokens):
        return None
    best = _Offer(speaker, tokens, *offered[0])
    if not best.may_be_clear:
        return None
    section = best.hit.passage.sections[:1]
    others = (pair for pair in offered if pair[0].passage.sections[:1] != section)
    rival = next((_Offer(speaker, tokens, *pair) for pair in others), None)
    ahead = best.hit.score - (rival.hit.score if rival else 0.0)
    if any(best.meets(bound, ahead) for bound in best.bounds):
        return "\n".join(filter(None, (best.text, said_beside(best.hit, best.text, offered))))
    if rival and all(
        offer.may_be_clear and offer.meets(TIED, TIED.ahead) for offer in (best, rival)
    ):
        return f"{best.text}\n{rival.text}" if best.is_of_the_rules else None
    return None


@frozen(slots=False)
class _Offer:
    """A rule that is offered for a sentence."""

    speaker: Speaker
    tokens: Sequence[Token]
    hit: Found
    text: str

    @cached_property
    def may_be_clear(self) -> bool:
        """Whether it is no answer to another kind of question, or to one about another case."""
        hit, tokens, text = self.hit, self.tokens, self.text
        is_stated = hit.passage.kind == RULEBOOK_STATEMENT
        if hit.passage.kind == QUESTION or not (hit.is_more or hit.asks):
            return False
        if is_stated and asked_of(tokens) & (PERMITS | OBLIGES):
            return False  # it tells what is, not what may be
        if is_stated and any(
            term.tells and term.exact.isdisjoint(self._terms) for term in self._query_terms
        ):
            return (
                False  # it says so little that another word is another case, such as another colour
            )
        if leaves_a_not(self.speaker, tokens, text) or lacks_a_number(self.speaker, tokens, text):
            return False
        labelled = [
            token.text
            for token in tokens
            if _DIGIT.search(token.text) and not token.text.isdecimal()
        ]
        if untold(self.speaker, labelled, text):
            return False  # such as `E2`, which has no other form
        is_long = len(text.split()) > MAX_WORDS
        return self._lacking is not None and (self._lacking <= BOUNDS[-1].lacking or not is_long)

    @property
    def bounds(self) -> Sequence[Bound]:
        """The bounds of which it needs to meet one."""
        return (*BOUNDS, *BOUNDS_OF_THE_RULES) if self.is_of_the_rules else BOUNDS

    def meets(self, bound: Bound, ahead: float) -> bool:
        """Whether it meets a bound, so far before those of other sections."""
        hit = self.hit
        if bound.asks:
            is_asked = hit.asks and hit.share >= bound.share
            is_of_a_kind = is_asked and (len(hit.met) > 1 or not hit.missed)
        else:
            is_of_a_kind = hit.is_asked or hit.focus >= MOSTLY_ASKED
        return (
            is_of_a_kind
            and hit.score >= bound.score
            and ahead >= bound.ahead
            and hit.focus >= bound.focus
            and self._lacking is not None
            and self._lacking <= bound.lacking
            and self._met >= bound.met
        )

    @cached_property
    def is_of_the_rules(self) -> bool:
        """Whether the sentence asks, nothing was played yet that it may be about, and all that it names is told."""
        concepts = frozenset[str]().union(*(token.concepts for token in self.tokens))
        if "where" in concepts and self.hit.focus < MOSTLY_ASKED:
            return False  # it tells more than a place
        is_asked = bool(concepts & ASKING)
        if not is_asked or any(move >= 0 for move in self.speaker.game.moves):
            return False
        named = [term.typed for term in self._query_terms if term.is_name]
        return not (
            any("now" in token.concepts for token in self.tokens)
            or untold(self.speaker, named, self._titled)
            or self._is_silenced
        )

    @property
    def _is_silenced(self) -> bool:
        """Whether rules are quoted for a statement that is not told in this ruleset."""
        passage = self.hit.passage
        if passage.intent is None or passage.intent.text:
            return False
        declared = talk_of(self.speaker.game.ruleset.source).questions
        return any(question.text for question in declared if question.name == passage.name)

    @cached_property
    def _query_terms(self) -> Sequence[QueryTerm]:
        return retrieval_of(self.speaker.game.ruleset).query_terms(self.tokens)

    @property
    def _titled(self) -> str:
        """Its text below the heading of its section."""
        headings = section_headings(self.speaker.game.ruleset)
        numbers = self.hit.passage.sections[:1]
        heading = next((headings[number] for number in numbers if number in headings), "")
        return f"{heading} {self.text}"

    @cached_property
    def _terms(self) -> frozenset[str]:
        stated = retrieval_of(self.speaker.game.ruleset).stated(self.hit.passage)
        return stated | terms_of(self.speaker, self._titled)

    @property
    def _met(self) -> int:
        """How many words that tell something it has."""
        return sum(
            term.tells and not (term.exact | term.alike).isdisjoint(self._terms)
            for term in self._query_terms
        )

    @cached_property
    def _lacking(self) -> float | None:
        """The part of the sentence that it lacks, from 0 to 1; None if it is a name or a number."""
        # How many is told by `half` or `as many` for any number.
        asks_how_many = any("how-many" in token.concepts for token in self.tokens)
        is_relative = asks_how_many and not _DIGIT.search(CITATION.sub("", self.text))
        if any(
            (term.is_name or (term.is_number and not is_relative))
            and (term.exact | term.alike).isdisjoint(self._terms)
            for term in self._query_terms
        ):
            return None
        telling = [term for term in self._query_terms if term.tells]
        left = sum(term.weight for term in telling if term.terms.isdisjoint(self._terms))
        return left / sum(term.weight for term in telling)

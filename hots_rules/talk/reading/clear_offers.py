"""When the first of the rules that come closest is stated as the answer.

A logistic model tells how likely a rule says what a sentence asks for. Its weights are fitted to the sentences in
`tests/talk` by `python -m tests.talk.fit_offers`, which also prints how often it is right about sentences that it was
not fitted to.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from math import exp
from types import MappingProxyType

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
from hots_rules.talk.retrieval.rows import QUESTION

_DIGIT = re.compile(r"\d")
MAX_WORDS, MAX_LACKING = 60, 0.25
"""How long a rule is that says several things, of which a sentence may mean another if the rule lacks so much of it."""
MIN_TELLING = 2
"""How many words that tell something are answered although they ask nothing."""
MOSTLY_ASKED = 0.8
"""From which focus a rule answers where something is, though it tells more than a place."""
BIAS = -3.24
WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "score": 1.395,
        "ahead": 1.223,
        "lacking": -0.421,
        "telling": 0.605,
        "of the rules": 0.372,
        "may": 0.501,
        "what": -0.253,
        "how": -0.389,
    }
)
"""How much each feature of an offer says for it; see `Offer.features`."""
STATED_FROM = 0.7
"""From which likelihood a rule is stated."""


def clear_offer(speaker: Speaker, tokens: Sequence[Token], *, is_asked: bool) -> str | None:
    """The rule that comes closest, with another of its section that comes as close, if it answers the sentence.

    None for a game without patterns of questions: the sentences to which the model is fitted are those of a game with
    such patterns, and say little of others.

    Args:
        speaker: who tells it.
        tokens: the sentence.
        is_asked: whether it is a question; of several words that are only said, a rule has nearly all.
    """
    offered = offered_passages(speaker, tokens) if speaker.reader.talk.has_patterns else []
    if not offered or offered[0][0].passage.kind == QUESTION or asks_twice(tokens):
        return None
    best = offers(speaker, tokens, offered)[0]
    if not is_asked and (best.lacking > MAX_LACKING or len(best.telling) < MIN_TELLING):
        return None
    if best.is_of_another_case or best.likelihood < STATED_FROM:
        return None
    return "\n".join(filter(None, (best.text, said_beside(best.hit, best.text, offered))))


def offers(
    speaker: Speaker, tokens: Sequence[Token], offered: Sequence[tuple[Found, str]], count: int = 1
) -> list[Offer]:
    """The first of the passages that are offered for a sentence.

    Args:
        speaker: who tells them.
        tokens: the sentence.
        offered: the passages with their texts, the closest first.
        count: how many of them.
    """

    def ahead(hit: Found) -> float:
        section = hit.passage.sections[:1]
        rivals = (rival for rival, _ in offered if rival.passage.sections[:1] != section)
        return hit.score - max((rival.score for rival in rivals), default=0.0)

    return [Offer(speaker, tokens, hit, text, ahead(hit)) for hit, text in offered[:count]]


@frozen(slots=False)
class Offer:
    """A rule that is offered for a sentence.

    Attributes:
        speaker: who tells it.
        tokens: the sentence.
        hit: the rule as it was found.
        text: its words.
        ahead: how far its score is before those of other sections.
    """

    speaker: Speaker
    tokens: Sequence[Token]
    hit: Found
    text: str
    ahead: float

    @property
    def likelihood(self) -> float:
        """How likely it says what the sentence asks for, from 0 to 1."""
        weighted = (WEIGHTS[name] * value for name, value in self.features.items())
        return 1 / (1 + exp(-BIAS - sum(weighted)))

    @property
    def is_of_another_case(self) -> bool:
        """Whether it lacks a name, a number, a `not` or a label such as `E2`, or is long and lacks much else."""
        labels = [
            token.text
            for token in self.tokens
            if _DIGIT.search(token.text) and not token.text.isdecimal()
        ]
        is_long = len(self.text.split()) > MAX_WORDS
        return (
            self._lacks_a_name
            or (is_long and self.lacking > MAX_LACKING)
            or leaves_a_not(self.speaker, self.tokens, self.text)
            or lacks_a_number(self.speaker, self.tokens, self.text)
            or bool(untold(self.speaker, labels, self.text))
        )

    @property
    def features(self) -> dict[str, float]:
        """What tells how likely it says what the sentence asks for, by name.

        `score` and `ahead` are those of the search, `lacking` is the part of the sentence that the rule lacks, and
        `telling` how much the words of the sentence tell together. The others are 1 or 0: whether the sentence is about
        the rules alone, and what it asks for.
        """
        return {
            "score": self.hit.score,
            "ahead": self.ahead,
            "lacking": self.lacking,
            "telling": sum(term.weight for term in self.telling),
            "of the rules": float(self._is_of_the_rules),
            "may": float(bool(asked_of(self.tokens) & (PERMITS | OBLIGES))),
            **{name: float(name in self._concepts) for name in ("what", "how")},
        }

    @cached_property
    def _concepts(self) -> frozenset[str]:
        return frozenset[str]().union(*(token.concepts for token in self.tokens))

    @cached_property
    def _query_terms(self) -> Sequence[QueryTerm]:
        return retrieval_of(self.speaker.game.ruleset).query_terms(self.tokens)

    @cached_property
    def telling(self) -> Sequence[QueryTerm]:
        """The words of the sentence that tell something."""
        return [term for term in self._query_terms if term.tells]

    @property
    def _is_of_the_rules(self) -> bool:
        """Whether the sentence asks, nothing was played yet that it may be about, and all that it names is told."""
        if "where" in self._concepts and self.hit.focus < MOSTLY_ASKED:
            return False  # it tells more than a place
        is_asked = bool(self._concepts & ASKING)
        if not is_asked or any(move >= 0 for move in self.speaker.game.moves):
            return False
        named = [term.typed for term in self._query_terms if term.is_name]
        return not (
            "now" in self._concepts
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

    @cached_property
    def lacking(self) -> float:
        """The part of the sentence that it lacks, from 0 to 1; all if it lacks a name or a number."""
        if self._lacks_a_name:
            return 1.0
        left = sum(term.weight for term in self.telling if term.terms.isdisjoint(self._terms))
        whole = sum(term.weight for term in self.telling)
        return left / whole if whole else 1.0

    @cached_property
    def _lacks_a_name(self) -> bool:
        """Whether it lacks a name or a number of the sentence."""
        # How many is told by `half` or `as many` for any number.
        is_relative = "how-many" in self._concepts and not _DIGIT.search(
            CITATION.sub("", self.text)
        )
        return any(
            (term.is_name or (term.is_number and not is_relative))
            and (term.exact | term.alike).isdisjoint(self._terms)
            for term in self._query_terms
        )

"""Concepts that the talk of a ruleset uses and that have no words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from hots_rules.diagnostics import Fault, Span, check_kind, suggest
from hots_rules.explain.talk_file import Talk, talk_of
from hots_rules.play.game import AnyRuleset
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.talk.reading.patterns import Pattern
from hots_rules.talk.reading.reader import reader_of


def unknown_concepts(ruleset: AnyRuleset) -> tuple[Fault, ...]:
    """A fault for each concept of a pattern or of `[acts]` without words: no sentence can have it.

    Raises:
        RulesetError: the file of the talk is not of its form.

    >>> import hots_rules as hr
    >>> unknown_concepts(hr.load("hots-4.0"))
    ()
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    talk, worded = talk_of(ruleset.source), reader_of(ruleset).concepts
    return tuple(
        Fault(
            "unknown-name",
            f"the questions in words of `{ruleset.source.name}`: {place} has the concept `{concept}` without words",
            Span.nowhere(),
            help=f"give it phrases: `{concept} = …` in `[words]`{suggest(concept, worded).hint()}",
        )
        for place, concept in _used(talk)
        if concept not in worded
    )


def _used(talk: Talk) -> Iterator[tuple[str, str]]:
    """Where a concept is used, and its name."""
    yield from (("`[acts]`", name) for name in talk.acts)
    declared = chain.from_iterable(question.patterns for question in talk.questions)
    for text in chain(declared, *talk.general.values()):
        pattern = Pattern.parse(text, talk.slots)
        named = (*pattern.required, pattern.optional, pattern.banned)
        for concept in sorted(frozenset().union(*named)):
            yield f"the pattern `{text:.80}`", concept

"""When the first of the rules that come closest is stated as the answer."""

from __future__ import annotations

import pytest

import hots_rules as hr
from hots_rules.talk.reading.clear_offers import STATED_FROM
from tests.talk.fit_offers import examples, held_out
from tests.talk.sentences import sets

MIN_SHARE = 0.75  # of what is stated has the very words of the fact; others say it in other words


@pytest.mark.nightly
def test_most_rules_that_are_stated_have_the_fact_also_in_sets_that_the_model_has_not_seen() -> (
    None
):
    stated = [
        has_fact for likely, has_fact in held_out([*examples([*sets()])]) if likely >= STATED_FROM
    ]

    assert len(stated) > 100
    assert sum(stated) >= MIN_SHARE * len(stated)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("si coronan a Comyn, qué hacen los nobles de la facción Bruce?", "quoted"),
        ("the Norse fancy a boat trip: can I ship them with the Sea Move card?", "quoted"),
        ("maximum de blocs sur une frontière bleue ?", "closest"),  # no border is blue
        ("E3 bid against an S2 bid, what happens", "closest"),  # the rule tells of `S3`
        ("The king died in Fife. Where do I go?", "closest"),  # what it leads to is part of it
    ],
)
def test_a_rule_is_stated_for_a_question_that_it_has_most_of(line: str, kind: str) -> None:
    answer = hr.load("hots-3.x").start("braveheart", seed=1297).ask(line)

    assert answer.kind == kind, str(answer)

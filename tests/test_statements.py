"""Statements of a ruleset, found by the words of a sentence that no pattern reads."""

from __future__ import annotations

import pytest

import hots_rules as hr
from hots_rules.explain.talk.reader import reader_of
from hots_rules.explain.talk.statements import LEAST, Found, statements_of

pytestmark = pytest.mark.people


@pytest.fixture(scope="module")
def ruleset() -> hr.Ruleset:
    return hr.load("hots-4.0")


def found(ruleset: hr.Ruleset, sentence: str, language: str = "en") -> list[Found]:
    pieces = reader_of(ruleset).pieces(sentence)
    listed = statements_of(ruleset).find(pieces, language)
    return [each for each in listed if each.share >= LEAST]


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("are there sieges of castles", "castles-in-battle"),
        ("is it possible for losers to regroup", "who-may-regroup"),
        ("if I control eight nobles do the French come to the pool", "french_knights"),
        ("if I control 8 nobles do the French come to the pool", "french_knights"),
    ],
)
def test_what_has_most_of_a_sentence_is_found_first(
    ruleset: hr.Ruleset, sentence: str, name: str
) -> None:
    assert found(ruleset, sentence)[0].asked.name == name


def test_a_sentence_is_read_in_any_language(ruleset: hr.Ruleset) -> None:
    asked = [
        "can the loser regroup",
        "le perdant peut-il se regrouper",
        "¿se reagrupa el perdedor?",
    ]

    assert {found(ruleset, each, "fr")[0].asked.name for each in asked} == {"who-may-regroup"}


@pytest.mark.parametrize(
    "sentence",
    ["", "xyzzy", "Wallace", "the best restaurant in Fife", "can my bishop retreat", "? ? ?"],
)
def test_what_says_too_little_finds_nothing(ruleset: hr.Ruleset, sentence: str) -> None:
    assert found(ruleset, sentence) == []


def test_a_name_is_met_by_its_kind(ruleset: hr.Ruleset) -> None:
    [best, *_] = found(ruleset, "how many blocks does Buchan have as a noble")

    assert best.asked.name == "two-blocks-of-a-noble"


def test_a_game_without_talk_is_searched_by_the_sentences_of_its_rules() -> None:
    game = hr.load("lords-of-scotland").start("2-players", seed=1297)

    answer = hr.explain.reply(game, "does a weaker follower keep a power from being activated")

    assert (
        answer is not None
        and "A power is not activated while a weaker follower lies face up" in answer.text
    )

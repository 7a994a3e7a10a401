"""Statements of a ruleset, found by the words of a sentence that no pattern reads."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

import hots_rules as hr
from hots_rules.explain.talk_file import Intent
from hots_rules.game import load_source
from hots_rules.rules.sources.source import Layer, Source
from hots_rules.talk.reading import reader
from hots_rules.talk.reading.answers import reply
from hots_rules.talk.reading.closest import MIN_SHARE, quote_for
from hots_rules.talk.reading.editions import CitedSections
from hots_rules.talk.reading.reader import reader_of
from hots_rules.talk.reading.speaker import Speaker
from hots_rules.talk.retrieval import rows
from hots_rules.talk.retrieval.passages import Found, retrieval_of


@pytest.fixture(scope="module")
def ruleset() -> hr.Ruleset:
    return hr.load("hots-4.0")


def found(ruleset: hr.Ruleset, sentence: str) -> list[Found]:
    retrieval = retrieval_of(ruleset)
    listed = retrieval.find(retrieval.tokens(sentence))
    return [each for each in listed if each.share >= MIN_SHARE and each.passage.intent]


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("are there sieges of castles", "castles-in-battle"),
        ("is it possible for losers to regroup", "what-is-regrouping"),
        ("if I control eight nobles do the French come to the pool", "french_knights"),
        ("if I control 8 nobles do the French come to the pool", "french_knights"),
    ],
)
def test_what_has_most_of_a_sentence_is_found_first(
    ruleset: hr.Ruleset, sentence: str, name: str
) -> None:
    assert found(ruleset, sentence)[0].passage.name == name


def test_a_sentence_is_read_in_any_language(ruleset: hr.Ruleset) -> None:
    asked = [
        "can the loser regroup",
        "le perdant peut-il se regrouper",
        "¿se reagrupa el perdedor?",
    ]

    assert {found(ruleset, each)[0].passage.name for each in asked} == {"what-is-regrouping"}


@pytest.mark.parametrize(
    "sentence",
    ["", "xyzzy", "Wallace", "the best restaurant in Fife", "can my bishop retreat", "? ? ?"],
)
def test_what_says_too_little_is_not_answered_by_a_quote(
    ruleset: hr.Ruleset, sentence: str
) -> None:
    speaker = Speaker(ruleset.start("braveheart", seed=1297), reader_of(ruleset), None)

    assert quote_for(speaker, retrieval_of(ruleset).tokens(sentence)) is None


def test_a_name_is_met_by_its_kind(ruleset: hr.Ruleset) -> None:
    [best, *_] = found(ruleset, "how many blocks does Buchan have as a noble")

    assert best.passage.name == "two-blocks-of-a-noble"


def test_a_game_without_talk_is_searched_by_the_sentences_of_its_rules() -> None:
    game = hr.load("lords-of-scotland").start("2-players", seed=1297)

    answer = reply(game, "does a weaker follower keep a power from being activated")

    assert (
        answer is not None
        and "only while no weaker follower lies face up in any army" in answer.text
    )


# ------------------------------------------------------------------ in each edition
EDITIONS = ("hots-4.0", "hots-3.x", "hots-2.3", "hots-player-aid")


def answer_in(edition: str, sentence: str) -> str:
    found = reply(hr.load(edition).start("braveheart", seed=1297), sentence)
    return "" if found is None else found.text


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("edition", "told"),
    [
        ("hots-4.0", "put them back (§7.62)"),
        ("hots-3.x", "a different block is drawn (§7.62)"),
        ("hots-2.3", "a friendly coastal area next to it, whatever its castle limit (§7.04)"),
    ],
)
def test_an_edition_has_an_answer_of_its_own(edition: str, told: str) -> None:
    assert told in answer_in(edition, "I draw the Norse for Badenoch")


def test_what_an_edition_has_instead_answers_the_same_sentences() -> None:
    line = "la trêve empêche-t-elle le héraut"

    assert "to begin a raid" in answer_in("hots-4.0", line)
    assert "not to move" in answer_in("hots-2.3", line)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("edition", "cited"),
    [("hots-4.0", "§7.62"), ("hots-2.3", "§7.61"), ("hots-player-aid", "§8.0")],
)
def test_a_section_has_the_number_of_the_edition(edition: str, cited: str) -> None:
    assert cited in answer_in(edition, "are unused points lost")


def test_what_an_edition_leaves_out_is_cited_from_the_one_that_it_extends() -> None:
    assert "(hots-2.3 §8.2)" in answer_in("hots-player-aid", "who is dead in The Bruce scenario")


@pytest.mark.thorough
def test_what_an_edition_does_not_say_is_not_told_in_it() -> None:
    sentence = "I draw the Norse for Badenoch"

    assert "a different block" in answer_in("hots-3.x", sentence)
    assert "a different block" not in answer_in("hots-2.3", sentence)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("sentence", "fact"),
    [
        ("may i move on after a red border", "A block that crosses a red border must stop"),
        ("can i regroup by a border the enemy used", "A border by which the enemy came"),
        ("can wallace come back", "Wallace bears a black cross: killed in battle"),
    ],
)
def test_a_fact_is_stated_without_a_yes_or_no(sentence: str, fact: str) -> None:
    assert answer_in("hots-4.0", sentence).startswith(fact)


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_cited_section_is_one_of_its_edition(edition: str) -> None:
    ruleset = hr.load(edition)
    headings, sections = ruleset.rulebook.sections, CitedSections(ruleset.source)
    cited = [
        (asked.name, c) for asked in reader_of(ruleset).talk.questions for c in sections.of(asked)
    ]

    assert cited
    assert [each for each in cited if each[1].section not in headings[each[1].edition]] == []


def test_a_section_without_a_list_is_cited_as_written() -> None:
    source = Source((Layer("foxes-1.0", "Foxes", None, {}, ""),))

    assert CitedSections(source).text(Intent("home", sections=("1.2",))) == "§1.2"


@pytest.mark.parametrize(
    ("sentence", "wrong"),
    [
        ("are there blocks that move three", "nobody must move"),
        ("crown a king while wallace breathes", "the choice now"),
        ("cuantos nobles tiene wallace", "A3"),
        ("can galloway retreat to ireland", "England"),
    ],
)
def test_words_that_an_answer_does_not_account_for_count_against_it(
    sentence: str, wrong: str
) -> None:
    assert wrong not in answer_in("hots-4.0", sentence)


def test_who_is_no_noble_is_told_by_his_kind() -> None:
    assert answer_in("hots-4.0", "does wallace count as a noble").startswith("No: ")
    assert answer_in("hots-4.0", "is Comyn a noble").startswith("Yes: ")


# ---------------------------------------------------------------- kept in the cache
def asked_in_lords(talk: str = "") -> list[tuple[str, float]]:
    """What a sentence finds in a ruleset that is loaded anew, perhaps with answers of its own."""
    (layer,) = hr.load("lords-of-scotland").source.layers
    rules = load_source(Source((evolve(layer, talk=talk or layer.talk),)))
    return [(each.passage.name, each.score) for each in found(rules, "may the bards sing twice")]


TALK = """
[question.singing]
examples = ["may the bards sing twice"]
text = { en = "The bards sing once." }
"""


def found_anew(*_: object) -> None:
    raise AssertionError("found anew")


@pytest.mark.thorough
def test_what_was_found_once_is_kept_for_the_next_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOTS_RULES_CACHE", str(tmp_path))
    first = asked_in_lords(TALK)

    with monkeypatch.context() as found_again:
        found_again.setattr(rows, "_make_rows", found_anew)
        found_again.setattr(reader, "known_stems", found_anew)
        assert asked_in_lords(TALK) == first
    assert [name for name, _ in first][:1] == ["singing"]


@pytest.mark.thorough
def test_other_answers_of_the_same_rules_are_not_mixed_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOTS_RULES_CACHE", str(tmp_path))

    without, with_them = asked_in_lords(), asked_in_lords(TALK)

    assert "singing" not in dict(without)
    assert "singing" in dict(with_them)
    assert asked_in_lords() == without


@pytest.mark.thorough
def test_a_damaged_cache_changes_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOTS_RULES_CACHE", str(tmp_path))
    first = asked_in_lords(TALK)

    for file in tmp_path.iterdir():
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 1
        file.write_bytes(data)

    assert asked_in_lords(TALK) == first

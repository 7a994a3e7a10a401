"""The file `talk.toml` of a stranger: what is wrong with it is one sentence, and takes neither time nor memory."""

import tracemalloc
from pathlib import Path

import pytest

import hots_rules as hr
from hots_rules._toml import read_toml
from hots_rules.explain.talk_file import parse_talk
from hots_rules.talk.reading.answers import reply

DUEL = """ruleset duel-1.0 "Duel"
players Side
type Side = Red | Blue
state
  shots : 0..3
action fire §1 "Fire."
  permit
  shots += 1
phase game §1 "Red fires once."
  choose Red: fire
  win none
scenario start §1 "Start"
  game()
"""
QUESTION = (
    '[words]\nshot = "shot, shots"\n[question.x]\npatterns = ["how-many shot"]\nquery = "shots"\n'
)
DEEP_KEY = "a." * 20_000 + "b = 1"


def folder(path: Path, talk: str) -> Path:
    (path / "duel.rules").write_text(DUEL, encoding="utf-8")
    (path / "talk.toml").write_text(talk, encoding="utf-8")
    return path


def test_a_question_of_the_file_is_answered(tmp_path: Path) -> None:
    game = hr.load(folder(tmp_path, QUESTION)).start("start", seed=1)

    found = reply(game, "how many shots", None)

    assert found is not None
    assert "0" in found.text


@pytest.mark.thorough
@pytest.mark.parametrize(
    "talk, told",
    [
        ("x = = 3", "Invalid value"),
        ("odds = 3", "the entry `odds` does not have its form"),
        ('[words]\nhit = ["hit"]', "the entry `words` does not have its form"),
        ("[question.x]\npatterns = [1]", "the entry `question` does not have its form"),
        ('[question]\nx = ["hit"]', "the entry `question` does not have its form"),
        (f"{QUESTION}mood = 3", "the entry `question` does not have its form"),
        (f'{QUESTION}each = ["n"]', "the entry `question` does not have its form"),
        (f'{QUESTION}holds = "yes"', "the entry `question` does not have its form"),
        ("[confirmed]\nx = 3", "the entry `confirmed` does not have its form"),
        ("[battle]", "the entry `battle` does not have its form"),
        ("[moods]", "there is no entry `moods`"),
        (QUESTION.replace("how-many", "{n}"), "`slots` has no `n`"),
        ("x = " + "[" * 20_000 + "]" * 20_000, "too many levels inside one another"),
        ("x = " + "{a = " * 5_000 + "1" + "}" * 5_000, "too many levels inside one another"),
        (DEEP_KEY, "too many levels inside one another"),
    ],
)
def test_a_file_of_another_form_is_a_fault(tmp_path: Path, talk: str, told: str) -> None:
    rules = hr.load(folder(tmp_path, talk))

    for ask in (
        lambda: reply(rules.start("start", seed=1), "how many shots", None),
        lambda: hr.talk.find(rules, "shots"),
    ):
        with pytest.raises(hr.RulesetError) as caught:
            ask()
        assert told in str(caught.value)


def test_a_long_dotted_key_takes_no_memory() -> None:
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="levels"):
            read_toml(DEEP_KEY)
        assert 1_000_000 > tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_sentences_with_points_are_no_deep_keys() -> None:
    line = "It moves. It stops. " * 40

    assert parse_talk(f'{QUESTION}[question.x.text]\nen = "{line}"').questions[0].text["en"] == line


def test_a_study_file_that_is_nested_deeply_is_refused() -> None:
    with pytest.raises(hr.BadArgument, match="too many levels"):
        hr.study.StudyPlan.parse(DEEP_KEY)

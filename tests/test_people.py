"""Sentences as people type them, asked at the prompt; those that are not answered stand with a reason."""

from __future__ import annotations

import io
import tomllib
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from itertools import groupby
from pathlib import Path

import pytest
from attrs import frozen

import hots_rules as hr
from hots_rules.cli.prompt.repl import Repl
from hots_rules.cli.prompt.session import Session

FOLDER = Path(__file__).parent / "people"
FILES = ("en", "fr-es")
BEGINS = "---\n"


@frozen
class Sentence:
    """A sentence, its language, the opening in which it is asked, and what its answer must contain."""

    text: str
    language: str
    opening: str
    must: tuple[str, ...]

    def is_met_by(self, answer: str) -> bool:
        """Whether an answer contains each of the words, or one of their alternatives."""
        return all(any(word in answer for word in each.split("|")) for each in self.must)


def sentences(name: str) -> list[Sentence]:
    read = tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))
    return [
        Sentence(each["text"], each.get("language", "en"), each["opening"], tuple(each["must"]))
        for each in read["sentence"]
    ]


@cache
def loaded(edition: str) -> hr.Ruleset:
    return hr.load(f"hots-{edition}")


@cache
def opening(name: str) -> hr.Game:
    """The game of an opening: a position, and what was played from it."""
    edition = next((each for each in ("2.3", "3.x") if name.endswith(each)), "4.0")
    position, _, played = (FOLDER / "openings" / f"{name}.txt").read_text("utf-8").partition(BEGINS)
    ruleset = loaded(edition)
    if position.startswith("start "):
        _, scenario, seed = position.split()
        return hr.records.with_explicit_chance(ruleset.start(scenario, seed=seed))
    game = ruleset.position(position, seed=1297, chance="ask")
    for action in played.splitlines():
        game = game.play(action)
    return game


def asked(listed: list[Sentence]) -> Iterator[tuple[Sentence, str]]:
    """Each sentence with what the prompt answers; those of one opening are one talk."""
    for (name, language), group in groupby(listed, lambda each: (each.opening, each.language)):
        session = Session(opening(name).in_language(language))
        repl = Repl(session)
        before = session.game
        for sentence in group:
            failures, output = repl.failures, io.StringIO()
            with redirect_stdout(output), redirect_stderr(output):
                repl.execute(sentence.text)
            assert session.game == before, sentence.text
            yield sentence, "" if repl.failures > failures else output.getvalue()


# How many are answered; the goal is nine of ten.
ANSWERED = {"en": 56, "fr-es": 60}


@pytest.mark.parametrize("name", FILES)
def test_what_people_type_is_answered(name: str) -> None:
    answered = [each for each, answer in asked(sentences(name)) if each.is_met_by(answer)]

    assert len(answered) >= ANSWERED[name]

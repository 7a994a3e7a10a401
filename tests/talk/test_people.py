"""Sentences as people type them, asked at the prompt; the tables beside this file say what is answered."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from itertools import groupby, islice
from typing import Any

import pytest

import hots_rules as hr
from hots_rules.cli.prompt.repl import Repl
from hots_rules.cli.prompt.session import Session
from hots_rules.explain.talk_file import talk_of
from hots_rules.observe.observer import viewer_of
from hots_rules.observe.worlds import consistent_worlds
from hots_rules.rules.ad_hoc import ExpressionParser
from hots_rules.talk.reading.own_words import own_words
from hots_rules.talk.reading.reader import reader_of
from tests.listing import assert_none
from tests.talk.sentences import Sentence, openings, sentences, sets

BEGINS = "---\n"
GOAL = 0.84  # of sentences that were known when their answers were written
ASKS_BACK = "which do you mean? Type its number:"  # what is asked back is not answered yet


@cache
def loaded(edition: str) -> hr.Ruleset:
    return hr.load(f"hots-{edition}")


@cache
def opening(name: str) -> hr.Game:
    """The game of an opening: a position, and what was played from it."""
    stored = openings()[name]
    position, _, played = stored.text.partition(BEGINS)
    ruleset = loaded(stored.edition)
    if position.startswith("start "):
        _, scenario, seed = position.split()
        return hr.records.with_explicit_chance(ruleset.start(scenario, seed=seed))
    game = ruleset.position(position, seed=1297, chance="ask")
    for action in played.splitlines():
        game = game.play(action)
    return game


def asked(listed: Iterable[Sentence]) -> Iterator[tuple[Sentence, str]]:
    """Each sentence with what the prompt answers; those of one opening are one talk."""
    for (name, language), group in groupby(listed, lambda each: (each.opening, each.language)):
        session = Session(opening(name).in_language(language))
        repl = Repl(session)
        before = session.game
        for sentence in group:
            failures, output = repl.failures, io.StringIO()
            with redirect_stdout(output), redirect_stderr(output):
                repl.execute(sentence.line)
            assert session.game == before, sentence.line
            asks_back = session.t.gettext(ASKS_BACK) in output.getvalue()
            is_answered = repl.failures == failures and not asks_back
            yield sentence, output.getvalue() if is_answered else ""


def sets_with_marks(*, has_share: bool) -> list[Any]:
    """The sets with or without a share, each marked with when its test runs."""
    return [
        pytest.param(each.set, marks=[] if each.run == "always" else getattr(pytest.mark, each.run))
        for each in sets().values()
        if (each.share is not None) == has_share
    ]


@pytest.mark.parametrize("name", sets_with_marks(has_share=False))
def test_what_people_type_is_answered(name: str) -> None:
    listed = sentences(name)
    missed = [each for each, answer in asked(listed) if not each.is_met_by(answer)]

    assert_none(each.line for each in missed if each.grade != "miss")
    assert len(missed) <= (1 - GOAL) * len(listed)


@pytest.mark.parametrize("name", sets_with_marks(has_share=True))
def test_most_of_the_later_sentences_are_answered(name: str) -> None:
    listed, share = sentences(name), sets()[name].share
    met = sum(each.is_met_by(answer) for each, answer in asked(listed))

    assert share is not None
    assert met >= share * len(listed)


def test_every_concept_of_a_pattern_has_words() -> None:
    talk, own = talk_of(loaded("4.0").source), own_words()
    used = {
        concept: asked.name
        for asked in talk.questions
        for words in asked.patterns
        for concept in re.findall(r"[\w-]+", re.sub(r"\{\w+\}", "", words))
    }

    assert_none(f"{used[n]}: {n}" for n in used if n not in talk.words and n not in own.words)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "edition",
    ["4.0", *(pytest.param(each, marks=pytest.mark.thorough) for each in ("3.x", "2.3"))],
)
def test_every_expression_of_an_answer_is_one(edition: str) -> None:
    ruleset = loaded(edition)
    reader, parser = reader_of(ruleset), ExpressionParser(ruleset.rulebook)
    for asked in reader.talk.questions:
        says = [
            text for sentence in asked.text.values() for text in re.findall("<([^<>]+)>", sentence)
        ]
        for text in filter(None, (asked.query, asked.when, *says, asked.each and asked.each[1])):
            for hole in reader.talk.slots:
                text = text.replace(f"{{{hole}}}", reader.value_name(hole, 0))
            if asked.each:
                text = text.replace(f"{{{asked.each[0]}}}", reader.value_name("b", 0))
            parser.parse(text)


# ------------------------------------------------------------------ one answer, looked at closely
@pytest.mark.parametrize(
    ("place", "lines", "told"),
    [
        ("mentieth_battle", ["can Wallace retreat to Fife?", "and Lanark?"], ["Yes", "No"]),
        ("one_move_left", ["can Grant go to Angus"], ["No: Scotland: move Grant Strathspey-Angus"]),
        ("moves", ["can Fraser go to Buchan"], ["Yes: Scotland: move Fraser Moray-Strathspey; "]),
        ("braveheart", ["where is Durham infantry"], ["England"]),
        ("one_move_left", ["whose turn is it?"], ["to choose: Scotland, in movement"]),
        (
            "braveheart",
            ["place York_Knights 3 Lothian", "where is york", "2"],
            ["", "1  where is york knights", "England"],
        ),
        (
            "braveheart",
            ["purple raids under a tuna truce"],
            ["the rules that come closest:\n- Border Raids: Under a truce no Scot"],
        ),
        ("none", ["walace move allowance"], ["- Move Rating: 3 (§2.13)"]),
        ("braveheart", ["is the moon made of cheese"], ["you can ask, for example: "]),
        ("mentieth_battle", ["who is in Fife and who fires first?"], ["Barclay (§2.0)\nWallace"]),
        ("mentieth_battle", ["I am new here. Where is Bruce?"], ["Annan"]),
        (
            "braveheart",
            ["are there sieges of castles in this game"],
            ["Castles and towns have"],
        ),
        ("braveheart", ["would the knights be strengthened by points"], ["English points"]),
        ("braveheart", ["total strength in Fife"], ["12 steps in Fife"]),
        (
            "braveheart",
            ["in 2.3, what happens to a block that cannot retreat"],
            ["hots-2.3\nA block"],
        ),
        ("raid", ["which English blocks could be taken"], ["Northumber Infantry, Cumbria"]),
        ("winter_1297", ["what happens to Moray this winter"], ["Moray never changes sides"]),
        (
            "mentieth_battle",
            ["is move Wallace Fife-Lanark legal in every edition?"],
            ["all editions agree"],
        ),
    ],
)
def test_a_talk(place: str, lines: list[str], told: list[str]) -> None:
    repl = Repl(Session(opening(place)))
    for line, part in zip(lines, told, strict=True):
        output = io.StringIO()
        with redirect_stdout(output), redirect_stderr(output):
            repl.execute(line)
        assert part.casefold() in output.getvalue().casefold()


def test_a_command_is_named_around_its_arguments_in_spanish() -> None:
    repl, output = Repl(Session(opening("mentieth_battle").in_language("es"))), io.StringIO()
    with redirect_stdout(output):
        repl.execute("¿es move Wallace Fife-Lanark legal en todas las ediciones?")

    assert output.getvalue().startswith("move Wallace Fife-Lanark\n\nhots-2.3: ")


def test_what_is_new_in_an_edition_has_one_headline() -> None:
    repl, output = Repl(Session(opening("braveheart"))), io.StringIO()
    with redirect_stdout(output):
        repl.execute("what is new in 4.0?")

    assert output.getvalue().count("hots-3.x → hots-4.0") == 1


# ------------------------------------------------------------------ secrets
@pytest.mark.parametrize("place", ["braveheart", "coronation"])
def test_no_answer_depends_on_what_is_hidden_from_who_asks(place: str) -> None:
    game = opening(place)
    worlds = list(islice(consistent_worlds(game, viewer_of(game, "Scotland")), 2))
    assert any(world.state != game.state for world in worlds)
    names = ("en", "unseen-6", "unseen-7")
    lines = [each.line for name in names for each in sentences(name) if each.opening == place]
    for line in [*lines, "where is Comyn", "who is in England", "how many dice does Edward roll"]:
        told = {_told(each, line, "Scotland") for each in (game, *worlds)}

        assert len(told) == 1, line


def _told(game: hr.Game, line: str, player: str) -> str:
    return repr(_content(hr.talk.understand(line, game, player)))


def _content(understood: hr.talk.Understood) -> object:
    is_question = isinstance(understood, hr.talk.Question)
    return hr.talk.answer(understood) if is_question else understood

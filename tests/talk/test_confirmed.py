"""A statement is told where what it rests on plays as when it was read, and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

import hots_rules as hr
from hots_rules.talk.reading.answers import reply
from hots_rules.talk.reading.reader import reader_of
from hots_rules.talk.reading.speaker import Speaker
from tests.listing import assert_none
from tests.talk.confirmed import FILE, idle, statements, to_read, written

HOUSE = """ruleset house-answers-1.0 "House rules: a fourth round, a slow forest, and no flight to Fife"
  extends hots-4.0
amend define combat_rounds = 4  hots-4.0§5.1
amend rule wallace-in-selkirk hots-4.0§7.5 "In Selkirk Wallace gains one step."
  after winters_at(b, a) when b = Wallace and a = Area.Selkirk
    strength[b] := min(strength[b] + 1, steps[b])
rule no-flight-to-fife hots-4.0§5.07 "Nobody retreats to Fife."
  forbid retreat(b, to) when to = Fife
"""
ON_NOTHING = "feebf065"
"""The digest of no declaration."""


def test_every_statement_was_read_against_the_rules_as_they_are() -> None:
    """Read those that are listed again; then run `python -m tests.talk.confirmed --write`."""
    assert_none(statement.name for statement in to_read())
    assert_none(idle())
    assert FILE.read_text("utf-8") == written()


def test_a_statement_with_a_number_rests_on_a_declaration() -> None:
    grounds = reader_of(hr.load("hots-4.0")).grounds.by_name
    on_nothing = {name for name, ground in grounds.items() if ground.digest == ON_NOTHING}

    assert_none(
        statement.name
        for statement in statements()
        if statement.name in on_nothing and any(map(str.isdigit, statement.text.get("en", "")))
    )


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, hr.Game]:
    """A game under the rulebook, and one under house rules."""
    path = tmp_path_factory.mktemp("house") / "house.rules"
    path.write_text(HOUSE, "utf-8")
    rules = {"printed": hr.load("hots-4.0"), "house": hr.load(path)}
    return {name: ruleset.start("braveheart", seed=8) for name, ruleset in rules.items()}


@pytest.mark.parametrize(
    ("sentence", "printed", "house"),
    [
        ("how many steps does Wallace gain in Selkirk", "2 steps", "Wallace gains one step. (wal"),
        ("how long does a battle last", "up to 3 rounds", "4 (§5.3)"),
    ],
    ids=["an amended rule", "a value"],
)
def test_a_house_rule_is_told_in_the_place_of_what_it_changes(
    games: Mapping[str, hr.Game], sentence: str, printed: str, house: str
) -> None:
    said = {name: str(getattr(reply(game, sentence), "text", "")) for name, game in games.items()}

    assert [printed in said["printed"], house in said["printed"]] == [True, False]
    assert [printed in said["house"], house in said["house"]] == [False, True]


@pytest.mark.parametrize(
    ("name", "printed", "house"),
    [
        ("who-retreats-at-the-end", "after the third round", "After the last round"),
        ("where-one-retreats", "within the border limits", "Nobody retreats to Fife."),
    ],
    ids=["a definition that others use", "a rule that is added"],
)
def test_rules_are_quoted_in_the_place_of_a_statement(
    games: Mapping[str, hr.Game], name: str, printed: str, house: str
) -> None:
    said = {key: told(game, name) for key, game in games.items()}

    assert [printed in said["printed"], house in said["printed"]] == [True, False]
    assert [printed in said["house"], house in said["house"]] == [False, True]


def told(game: hr.Game, name: str) -> str:
    """What is told where the statement with a name is asked for."""
    reader = reader_of(game.ruleset)
    [statement] = [intent for intent in reader.talk.questions if intent.name == name]
    return Speaker(game, reader, None).statement(statement) or ""


def test_a_statement_is_silent_under_another_reading() -> None:
    rules = hr.load("hots-4.0")
    grounds = reader_of(rules).grounds.by_name
    statement, setting = next(
        (each, name)
        for each in statements()
        for name in grounds[each.name].settings
        if each.text and not each.edition and name in rules.readings
    )
    other = next(v for v in rules.settings[setting].values if v != rules.settings[setting].default)
    games = [
        rules.start("braveheart", seed=8, readings=chosen) for chosen in ({}, {setting: other})
    ]

    usual, unusual = (Speaker(game, reader_of(rules), None).as_told(statement) for game in games)

    assert usual == statement
    assert unusual.text == {}


def test_the_talk_files_are_small() -> None:
    written_by_hand = [path for path in FILE.parent.glob("*.toml") if path != FILE]
    lines = [line for path in written_by_hand for line in path.read_text("utf-8").splitlines()]

    assert len(lines) <= 3_550
    assert max(map(len, lines)) <= 120
    assert sum(path.stat().st_size for path in written_by_hand) <= 250_000

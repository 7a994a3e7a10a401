"""The state as a value with names: read, kept as plain data, copied at no cost."""

from __future__ import annotations

import json
from functools import cache
from random import Random

import pytest

import hots_rules as hr
from hots_rules.compile.codes import value_text
from hots_rules.rules.typed import value_types as types
from hots_rules.state.values import ValueParser, parts_of
from tests.playing import TINY, last_of, ruleset_of


@cache
def rules() -> hr.Ruleset:
    return hr.load("hots-4.0")


@cache
def small() -> hr.Ruleset:
    return ruleset_of(TINY)


def _state() -> hr.State:
    return small().start("short", seed=1).play("Fox to Far East").state


def test_variables_are_read_by_name() -> None:
    state = _state()

    assert 1 == state["turn"]
    assert "Far_East" == state["at", "Fox"]
    assert {"Fox": "Far_East", "Hen": "Away", "Dog": "Away"} == state["at"]
    assert ["Fox"] == state["tired"]
    assert state["favourite"] is None
    assert 0 == state["gold", "Red", "North"]
    assert 0 == state["gold"]["Blue", "Far_East"]


def test_a_key_may_be_asked_by_its_label() -> None:
    state = rules().start("braveheart", seed=1).state

    assert state["place", "French_Knights"] == state["place", "French Knights"] == "Aside"
    assert state["hand", "england", "Move 2"] == state["hand", "England", "Move_2"]


@pytest.mark.parametrize(
    "key",
    ["trun", "", 7, None, ("at", "Cat"), ("at", "Fox", "Hen"), ("turn", "Fox"), ("gold", "Red"), ("gold", "Fox", "Red"),
     ("at", None), ("at", "Spot.Fox"), ("at", 1), (), ("gold", "Red", "North", "x")],
    ids=repr,
)  # fmt: skip
def test_what_is_not_there_is_a_key_error(key: object) -> None:
    with pytest.raises(KeyError) as error:
        _state()[key]
    assert isinstance(error.value, hr.HotsError)


def test_a_key_error_names_the_nearest_known_word() -> None:
    with pytest.raises(hr.UnknownName, match="did you mean `turn`"):
        _state()["trun"]
    with pytest.raises(hr.UnknownName, match="unknown Piece `Cat`"):
        _state()["at", "Cat"]


def test_plain_data_has_the_names_of_the_ruleset() -> None:
    plain = _state().as_dict()

    assert plain == json.loads(json.dumps(plain))
    assert plain == {
        "turn": 1,
        "at": {"Fox": "Far_East", "Hen": "Away", "Dog": "Away"},
        "owner": {"Fox": "Red", "Hen": "Blue", "Dog": "Red"},
        "tired": ["Fox"],
        "favourite": None,
        "gold": {side: {"North": 0, "South": 0, "Far_East": 0} for side in ("Red", "Blue")},
    }


def test_states_of_one_moment_are_equal_however_they_came() -> None:
    game = small().start("short", seed=1)
    one = game.play("Fox to North").play("rest").state
    other = game.play("Fox to North").play("Blue: rest").state

    assert one == other
    assert {one: 1}[other] == 1
    assert one != game.state
    assert one != "a state"


def test_a_word_with_two_meanings_comes_with_its_type() -> None:
    both = types.WordType(
        "Thing", (("Area", "Ross"), ("Area", "Fife"), ("Block", "Ross"), types.NONE)
    )

    assert ["Area.Ross", "Fife", "Block.Ross", "none"] == [
        value_text(code, both) for code in range(4)
    ]
    reading = ValueParser({})
    assert [0, 1, 2, 3] == [reading.value(value_text(code, both), both) for code in range(4)]
    assert reading.value("Ross", both) is None
    assert [
        "expected one value, got `Ross`, which could mean `Area.Ross` or `Block.Ross`"
    ] == reading.faults


WORDS = types.WordType("Spot", (("Spot", "North"), ("Spot", "Far_East"), ("Spot", "far_east")))
TYPES = [
    WORDS,
    types.IntType(-3, 4),
    types.BOOL,
    types.SetType(WORDS),
    types.PairType(types.IntType(2, 5), WORDS),
    types.PairType(WORDS, types.PairType(types.BOOL, types.IntType(-1, 1))),
    types.SetType(types.PairType(WORDS, types.BOOL)),
    types.WordType("Spot?", (*WORDS.values, types.NONE)),
]


@pytest.mark.parametrize("type_", TYPES, ids=str)
def test_every_value_of_every_type_reads_back(type_: types.Type) -> None:
    low = type_.low if isinstance(type_, types.IntType) else 0
    for code in range(low, low + types.size(type_)):
        reading = ValueParser({})
        assert code == reading.value(value_text(code, type_), type_)
        assert [] == reading.faults


def test_pairs_come_apart() -> None:
    pair = types.PairType(types.IntType(2, 5), WORDS)

    assert [(4, 1)] == [types.pair_parts(pair, types.pair_code(pair, 4, 1))]


def test_parts_keep_braces_whole() -> None:
    assert ["a", "{b, c}", "(d, {e, f})", "g"] == parts_of("a, {b, c} ,(d, {e, f}),g")
    assert [] == parts_of("  ")
    assert ["a", "", "b"] == parts_of("a,,b")
    assert ["a)", "b"] == parts_of("a), b")


def test_the_words_of_a_state_are_those_of_the_ruleset() -> None:
    state = last_of(rules().start("braveheart", seed=1), Random(1), 100).state
    plain = state.as_dict()

    assert set(plain["place"]) == set(state["place"])
    assert set(plain["place"].values()) <= {
        v[1] for v in rules().schema.variables["place"].type.values
    }  # type: ignore[union-attr]
    assert plain["hand"]["England"]["Herald"] == state["hand", "England", "Herald"]

"""The steps that a player observes: in an order that tells no piece from another one."""

from __future__ import annotations

from random import Random

import pytest
from attrs import evolve

import hots_rules as hr
from hots_rules.observe.information_state import tracker_of
from hots_rules.observe.observed_trace import RedactedTraceReader, VisibleStep, without_table_order
from hots_rules.play.trace import Step
from tests.observe.tokens import begun
from tests.playing import last_of


@pytest.fixture(scope="module")
def step() -> Step:
    return last_of(begun("tokens-1.0", seed=1), Random(1), 3).trace[0]


def ordered(step: Step, *run: tuple[str, list[int], bool]) -> list[str]:
    """The texts of steps in the order in which they are told; each has the hidden pieces that it names."""
    visible = [
        VisibleStep(evolve(step, text=text), frozenset((0, piece) for piece in hidden), has_visible)
        for text, hidden, has_visible in run
    ]
    return [told.text for told in without_table_order(visible)]


def test_the_steps_of_hidden_pieces_come_last_sorted_by_their_texts(step: Step) -> None:
    run = [("z", [3], False), ("b", [1], False), ("shown", [], True), ("a", [3], False)]

    assert ordered(step, *run) == ["shown", "b", "z", "a"]
    assert ordered(step, *run[::-1]) == ["shown", "a", "z", "b"]


def test_a_step_that_names_two_pieces_stands_with_one_of_them(step: Step) -> None:
    run = [("c", [1, 2], False), ("b", [2], False), ("a", [1], False)]

    assert ordered(step, *run) == ["b", "c", "a"]


def test_the_steps_of_a_single_hidden_piece_keep_their_order(step: Step) -> None:
    alone = [("z", [3], False), ("plain", [], False), ("a", [3], False)]
    assert ordered(step, *alone) == ["z", "plain", "a"]
    assert ordered(step, *alone, ("shown", [], True)) == ["plain", "shown", "z", "a"]
    assert ordered(step, ("b", [], True), ("a", [], True)) == ["b", "a"]


def reader_of(game: hr.Game, viewer: int) -> RedactedTraceReader:
    return RedactedTraceReader(tracker_of(game, viewer), game.notation, game.state.slots, [])


def test_a_reader_knows_whether_a_step_names_visible_or_hidden_pieces() -> None:
    game = last_of(begun("tokens-1.0", seed=3), Random(3), 40)
    schema = game.state.schema
    token, side = schema.variables["met"].keys[1], schema.variables["met"].keys[0]
    visibility = tracker_of(game, 0).observer.visibility(game.state.slots)
    for code, value in enumerate(token.values):
        reader, name = reader_of(game, 0), str(schema.to_python(code, token))
        text = reader.argument_text(code, token)
        is_hidden = visibility.hidden_piece(code, token) is not None
        assert reader._has_visible != is_hidden, value
        assert bool(reader._hidden) == is_hidden
        assert (name == text) != is_hidden
        assert reader.has_redacted == is_hidden
    reader = reader_of(game, 0)
    assert [reader.argument_text(code, side) for code in range(3)] == ["A", "B", "C"]
    assert (reader._has_visible, reader._hidden, reader.has_redacted) == (False, set(), False)

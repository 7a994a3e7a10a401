"""Whereabouts: which hidden pieces may be in which stack, by what is seen before and after."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

import hots_rules as hr
from hots_rules.observe.courses.followed import history_of
from hots_rules.observe.courses.history import History, Stacks
from hots_rules.observe.courses.moment_reader import reader_of, single_steps
from hots_rules.observe.courses.plans import Due, planned
from hots_rules.observe.courses.whereabouts import NOWHERE, Exclusion, places_of, whereabouts_of
from hots_rules.observe.observer import viewer_of
from tests.playing import last_of

RULESETS = ("dominoes-1.0", "lords-of-scotland", "hots-4.0")


def game_of(name: str, plays: int) -> hr.Game:
    rules = hr.load(name)
    return last_of(rules.start(rules.scenarios[0], seed=name), Random(name), plays)


def true_stacks(game: hr.Game, history: History, viewer: int) -> Iterator[Stacks]:
    """The stacks of the game at each moment, with the pieces that are in them."""
    tracker, slots = reader_of(game, viewer).tracker, history.beginnings[0]
    stacks = tracker.stacks_at(None, slots)
    yield stacks
    steps = single_steps(game.machine, slots, game.moves, game.chance_seed)
    for number, (_, after) in enumerate(steps, 1):
        is_first = number <= history.tracked
        stacks = tracker.stacks_at(None if is_first else (slots, stacks), after)
        slots = after
        yield stacks


@pytest.mark.parametrize("name", RULESETS)
def test_what_was_seen_excludes_no_piece_from_where_it_was(name: str) -> None:
    game = game_of(name, 60)
    for player in game.ruleset.players[:2]:
        viewer = viewer_of(game, player)
        history = history_of(game, viewer)
        whereabouts = whereabouts_of(history, NOWHERE)

        for number, stacks in enumerate(true_stacks(game, history, viewer)):
            assert whereabouts.strangers(number, stacks) == []


def test_whereabouts_are_the_same_however_often_they_are_asked_for() -> None:
    game = game_of("lords-of-scotland", 25)
    history = history_of(game, 0)
    at_once = whereabouts_of(history, NOWHERE)

    whereabouts = NOWHERE
    for steps in range(history.tracked, len(history.steps) + 1):
        whereabouts = whereabouts_of(history.up_to(steps), whereabouts)

    assert whereabouts.pieces == at_once.pieces
    assert at_once.first_change(whereabouts) == len(history.moments)


def test_a_piece_that_comes_out_of_a_stack_of_one_was_it_before() -> None:
    """Whoever sees a single block that he followed turn up knows which it was since he followed it."""
    game = game_of("hots-4.0", 60)
    history = history_of(game, 0)
    known = [
        stacks[stack].bit_count() == 1
        for stacks_of_types in whereabouts_of(history, NOWHERE).pieces
        for stacks in stacks_of_types
        for stack in stacks
    ]
    assert any(known)


def test_what_leaves_no_place_for_a_piece_is_refused() -> None:
    whereabouts = whereabouts_of(history_of(game_of("hots-4.0", 20), 0), NOWHERE)
    (stacks,) = whereabouts.at(10)
    stack, pieces = next(iter(stacks.items()))

    assert whereabouts.without([Exclusion(10, 0, stack, pieces)]) is None
    assert whereabouts.without([]) is not None


@pytest.mark.parametrize("name", RULESETS)
def test_a_plan_has_one_stack_for_each_piece(name: str) -> None:
    game = game_of(name, 60)
    history = history_of(game, 0)
    whereabouts = whereabouts_of(history, NOWHERE)
    began = list(true_stacks(game, history, 0))[history.tracked]

    plan = planned(whereabouts, history.tracked, began, Random(0))

    assert plan is not None
    assert plan.strangers(history.tracked, began) == []
    for moment in range(history.tracked, len(history.moments)):
        for number, stacks in enumerate(plan.at(moment)):
            counts = plan.spans[plan.span_at[moment]].counts[number]
            assert {stack: mask.bit_count() for stack, mask in stacks.items()} == counts
            assert all(
                not mask & ~whereabouts.at(moment)[number][stack] for stack, mask in stacks.items()
            )


@pytest.mark.parametrize("name", RULESETS)
def test_a_plan_puts_pieces_where_they_are_wished(name: str) -> None:
    game = game_of(name, 60)
    history = history_of(game, 0)
    whereabouts = whereabouts_of(history, NOWHERE)
    true = list(true_stacks(game, history, 0))
    spans, first = whereabouts.spans, history.tracked

    plan = planned(
        whereabouts, first, true[first], Random(0), lambda at: places_of(true[spans[at].first])
    )

    assert plan is not None
    for moment in range(first, len(true)):
        assert plan.at(moment) == places_of(true[moment])


@pytest.mark.parametrize("name", RULESETS)
def test_a_plan_puts_pieces_where_they_are_due(name: str) -> None:
    game = game_of(name, 60)
    history = history_of(game, 0)
    whereabouts = whereabouts_of(history, NOWHERE)
    true = list(true_stacks(game, history, 0))
    last, first = len(true) - 1, history.tracked

    plan = planned(whereabouts, first, true[first], Random(0), due=Due(last, true[last]))

    assert plan is not None
    assert plan.at(last) == places_of(true[last])


def test_a_course_must_change_first_where_a_piece_cannot_be() -> None:
    game = game_of("hots-4.0", 60)
    history = history_of(game, 0)
    whereabouts = whereabouts_of(history, NOWHERE)
    true = list(true_stacks(game, history, 0))
    guesses = (
        whereabouts.without([Exclusion(40, 0, stack, 1 << piece)])
        for piece, stack in true[40][0].numbers.items()
    )

    elsewhere = next(guess for guess in guesses if guess is not None)

    assert whereabouts.first_stranger(true) is None
    moment = elsewhere.first_stranger(true)
    assert moment is not None
    assert moment <= 40
    assert elsewhere.first_stranger(true[:moment]) is None

"""Packed moments: what can be chosen at dice and at the end of a game."""

from __future__ import annotations

from random import Random

import hots_rules as hr
from tests.playing import TINY, last_of, ruleset_of


def test_nobody_has_an_action_at_the_end() -> None:
    game = last_of(hr.load("connect-four-1.0").start("empty-board", seed=1), Random(1))
    moment = hr.formats.PackedMoment.of(game)

    assert hr.formats.NOBODY == moment.seat
    assert [] == moment.codes == moment.codes_of(0) == moment.codes_of(1)


def test_no_player_has_an_action_where_chance_decides() -> None:
    game = hr.load("backgammon-1.0").start("opening", seed=1, chance="ask")
    moment = hr.formats.PackedMoment.of(game)

    assert hr.formats.CHANCE == moment.seat
    assert moment.codes
    assert [] == moment.codes_of(0) == moment.codes_of(1)


def test_who_changes_the_outcomes_of_a_moment_changes_no_other_game() -> None:
    start = ruleset_of(TINY).start("short", seed=1, chance="ask")
    game = start.play("Fox to North").play("Blue: rest").play("Red: throw Fox")
    hr.formats.PackedMoment.of(game).outcomes.clear()

    assert hr.formats.PackedMoment.of(game).outcomes

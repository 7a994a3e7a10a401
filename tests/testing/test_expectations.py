"""What a case expects of a game, and what holds instead."""

from __future__ import annotations

import pytest

from hots_rules.testing.casebook import Case
from hots_rules.testing.expectations import unmet_lines
from tests.playing import TINY, ruleset_of


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("to move: Red", "expected `Red` to move, got ``"),
        ("choices: Red: rest", "expected"),
        ("outcome: Red", "expected the outcome `Red`, but no rule names one"),
        ("phase: day", "expected the phase `day`"),
        ("goes on:", "expected the game to go on"),
    ],
)
def test_a_game_that_is_over_without_an_outcome_meets_no_line_instead(
    line: str, message: str
) -> None:
    game = ruleset_of(TINY.replace("  win none\n", "").replace("turn < 9", "turn < 2")).start(
        "short"
    )
    game = game.play("Red: rest").play("Blue: rest")
    assert game.is_over
    assert game.outcome is None

    (unmet,) = unmet_lines(Case("tiny.md", "Over", (), {"expect": [line]}), game)

    assert unmet.message.startswith(message)
    assert not unmet.instead

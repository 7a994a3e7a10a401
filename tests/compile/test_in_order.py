"""`nth`, `following` and `preceding`: every machine gives what the plain evaluator does."""

from __future__ import annotations

import pytest

import hots_rules as hr
from tests.compile.test_conditions import assert_every_machine_means
from tests.playing import ruleset_of

CONDITIONS = {
    "nth": "(nth(Area, j) = a)",
    "nth of a calculation": "(nth(Piece, ordinal(p) mod 4 + 1) = following(p))",
    "nth that may fail": "(nth(Area, n) = a)",
    "back and forth": "(following(preceding(a)) = a and preceding(following(p)) = p)",
    "after the last": "(following(a) = spot or following(Fen) = a)",
    "before the first": "(preceding(a) = spot or preceding(Hill) = a)",
    "in a set": "(some q in Piece: at[q] = preceding(at[p]) and q != p)",
}


@pytest.mark.parametrize("kind", CONDITIONS)
def test_words_in_order_mean_what_the_evaluator_says(kind: str) -> None:
    assert_every_machine_means(CONDITIONS[kind], kind)


TABLE = """ruleset table-1.0 "Seats"
players Seat
type Seat = North | East | South | West
state
  turn : Seat
action pass §1 "Pass."
  permit
  turn := following(turn)
phase game §1 "Eight turns."
  for n in 1..8
    choose turn: pass
  win nth(Seat, 4)
question seat_before = preceding(turn) §1 "Who sits before?"
scenario only §1 "Only"
  game()
"""


def test_seats_follow_one_another_in_a_circle() -> None:
    game, seats = ruleset_of(TABLE).start("only", seed=1), []
    assert str(game.ask("Who sits before?").value) == "West"
    while not game.is_over:
        seats.append(game.to_move[0])
        game = game.play("pass")
    assert seats == ["North", "East", "South", "West"] * 2
    assert str(game.outcome.winner) == "West"


def test_a_definition_takes_the_place_of_a_function_in_order() -> None:
    own = TABLE.replace("action", "define following(s: Seat) = s\naction", 1)
    game = ruleset_of(own).start("only", seed=1).play("pass")
    assert game.to_move == ("North",)


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ("nth(Seat)", "expected 2 arguments for `nth`"),
        ("nth({North}, 1)", "expected a type of words"),
        ("nth(Seat, 9)", "expected a number of 1..4, got 9"),
        ("following(3)", "expected a word"),
    ],
)
def test_words_in_order_need_words(written: str, fault: str) -> None:
    with pytest.raises(hr.RulesetError, match=fault):
        ruleset_of(TABLE.replace("nth(Seat, 4)", written))

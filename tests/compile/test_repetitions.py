"""`repeated`: every machine counts the positions that a plain list of them counts."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import hots_rules as hr
from hots_rules.rules.typed.positions import NUMBER, next_number, parts_of, shifts
from hots_rules.rules.typed.value_types import IntType, SetType
from tests.native.stepping import check_equal_games
from tests.playing import ruleset_of

RING = """ruleset ring-1.0 "Ring"
players Side
type Side = White | Black
type Place = A1 | A2 | A3
state
  place[Side] : Place
  seen        : set of Place
  marks[Side] : set of 0..99
  sign        : -3..3
  turn        : 0..99 internal
define kept = 12
define foe(s: Side): Side = if s = White then Black else White
action go(to: Place) §1 "Go."
  permit when place[actor] != to
  place[actor] := to
  add to to seen
  marks[actor] := {turn mod 3 * 45}
  sign := if turn mod 2 = 0 then -3 else 2
action stay §1 "Stay."
  permit
rule no-third §1 "Nobody makes a position for the third time."
  forbid go(to) when after go(to): repeated(foe(actor), kept) >= 2
    because "it was there {n} times" with n = repeated(actor, kept)
phase game §1 "In turn."
  while turn < 60 up to 60
    for s in White, Black
      if repeated(s, kept) >= 4
        win s
      choose s: go, stay
      turn += 1
  win none
question how_often(s: Side) = repeated(s, kept) §1 "how often was it {s}'s turn here"
scenario first §1 "Ring"
  game()
"""


def place_of(game: hr.Game) -> tuple[object, ...]:
    """What a position is, written out."""
    state = game.state.as_dict()
    names = ("place", "seen", "marks", "sign")
    return (*(str(state[name]) for name in names), game.to_move[0])


@pytest.mark.parametrize("seed", range(4))
def test_what_is_counted_is_what_a_list_counts(seed: int) -> None:
    game, chooser, past, most = ruleset_of(RING).start("first", seed=seed), Random(seed), [], 0
    while not game.is_over:
        past.append(place_of(game))
        expected = past[-12:].count(past[-1])
        side = game.to_move[0]
        assert game.ask(f"how often was it {side}'s turn here").value == expected
        assert expected <= 4
        most = max(most, expected)
        (stay,) = (action for action in game.actions if action.name == "stay")
        game = game.play(chooser.choice([stay, stay, stay, *game.actions]))
    assert most >= 3


def test_machine_code_counts_the_same() -> None:
    ruleset = ruleset_of(RING)
    check_equal_games(ruleset.machine(ruleset.chosen({}, {})), "first", games=20, states=60)


def test_what_is_kept_is_in_records_and_not_told(tmp_path: Path) -> None:
    game = ruleset_of(RING).start("first", seed=1)
    for _ in range(4):
        game = game.play(f"{game.to_move[0]}: stay")
    assert game.ask("how often was it White's turn here").value == 3
    assert (
        game.play("White: stay").play("Black: stay").ask("how often was it White's turn here").value
        == 4
    )
    game.save(tmp_path / "game.txt")
    assert hr.read(tmp_path / "game.txt", game.ruleset).state == game.state
    assert set(game.view("White").state) == {"place", "seen", "marks", "sign"}
    assert not [step for step in game.trace if step.name.startswith("position")]


def test_parts_and_numbers_fit_into_their_type() -> None:
    assert shifts(SetType(IntType(0, 99))) == (0, 31, 62, 93)
    assert list(parts_of(-3, IntType(-3, 3))) == [0]
    assert list(parts_of((1 << 99) - 1, SetType(IntType(0, 98)))) == [NUMBER.high] * 3 + [63]
    assert 0 <= next_number(1, NUMBER.high, NUMBER.high) < NUMBER.high


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("repeated(s, kept) >= 4", "repeated(s, 13) >= 4", "expected 12 decisions for `repeated`"),
        ("repeated(s, kept) >= 4", "repeated(s) >= 4", "expected 2 arguments for `repeated`"),
        ("repeated(s, kept) >= 4", "repeated(s, turn) >= 4", "expected a number of 1 to 1,000"),
        ("repeated(s, kept) >= 4", "repeated(s, 1001) >= 4", "expected a number of 1 to 1,000"),
        ("define kept", "secret sign known to White\ndefine kept", "`sign` is secret"),
    ],
)
def test_what_cannot_be_counted_is_refused(old: str, new: str, message: str) -> None:
    with pytest.raises(hr.RulesetError, match=message):
        ruleset_of(RING.replace(old, new, 1))


def test_repeated_is_a_name_as_well() -> None:
    text = RING.replace(
        "define kept", "define repeated(s: Side, n: 0..20) = if turn > 3 then 9 else 0\ndefine kept"
    )
    game = ruleset_of(text).start("first", seed=1)
    assert "position_first" not in game.state.as_dict()

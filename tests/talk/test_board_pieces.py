"""Sentences that name pieces of a board by their kind or their square are answered by what is legal."""

from __future__ import annotations

import pytest

import hots_rules as hr
from hots_rules.cli.prompt.repl import Repl
from hots_rules.cli.prompt.session import Session
from hots_rules.talk.board_pieces import with_squares
from tests.cli.test_repl import output_in
from tests.playing import ruleset_of

HUNT = """ruleset hunt-1.0 "Hunt"
players Side
type Side = Hounds | Hares
type File = a | b | c
type Board = Square(file: File, rank: 1..3)
board Board as squares
table Man §1 (side: Side)
  hound  Hounds
  hare   Hares
map man at file, rank
state
  man[Square] : Man?
action move(from: Square, to: Square) §1 "Move a man to a square beside his."
  permit when (some m in Man: man[from] = m and side[m] = actor) and to in near(from)
  man[to] := man[from]
  man[from] := none
rule nobody-jumps §2 "Nobody goes where another stands."
  forbid move(from, to) when man[to] != none
    because "{to} is not free"
phase game §1 "In turn."
  while true up to 9
    for s in Side
      choose s: move
scenario start §1 "Start"
  man[Square(a, 1)] := hound
  man[Square(b, 1)] := hound
  man[Square(a, 2)] := hare
  game()
positions begin at game
label en
  Square = "{file}{rank}"
  action move = "{from}-{to}"
label fr
  Square = "{file}{rank}"
  hound = "chien"
  hare = "lièvre"
  type Man = "pièce"
  action move = "{from}-{to}"
"""


@pytest.fixture(name="game")
def hunt() -> hr.Game:
    return ruleset_of(HUNT).start("start", seed=1)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("can the hare move?", "No: Hares: a2-a3 is not legal: it is for Hounds"),
        ("can the hare go to a1?", "No: Hares: a2-a1 is not legal"),
        ("can the man on b1 go to b2?", "Yes: Hounds: b1-b2"),
        ("can the hound on b1 move?", "Yes: Hounds: b1-b2; Hounds: b1-c1"),
        ("la pièce en b1 peut-elle aller en b2 ?", "Yes: Hounds: b1-b2"),
        ("le lièvre peut-il aller en a1 ?", "No: Hares: a2-a1"),
        ("legal hare", "0 legal actions"),
    ],
)
def test_a_piece_is_meant_by_its_kind_or_its_square(game: hr.Game, line: str, told: str) -> None:
    assert told in output_in(Repl(Session(game)), line)


@pytest.mark.parametrize(
    ("line", "squares"),
    [
        ("can the hound move?", None),  # there are two
        ("can the hare on b1 move?", "can the hare on b1 move?"),
        ("can the hare go to c3?", "can the a2 go to c3?"),
        ("what does a hare do to a hound on b1?", "what does a a2 do to a b1?"),
    ],
)
def test_a_name_stands_for_a_square_if_one_such_piece_is_there(
    game: hr.Game, line: str, squares: str | None
) -> None:
    assert with_squares(game, line) == (None if squares == line else squares)


def test_of_two_kinds_alike_that_of_the_player_who_moves_is_meant() -> None:
    game = hr.load("chess-1.0").start("beginning", seed=1)

    assert with_squares(game, "can the king move?") == "can the e1 move?"
    assert with_squares(game, "can the black king move?") == "can the e8 move?"


def test_an_answer_among_the_closest_stands_behind_its_question() -> None:
    text = (
        HUNT
        + 'question hares = {x in Square where man[x] = hound and file[x] = c} §1 "which hound has escaped"\n'
    )
    game = ruleset_of(text).start("start", seed=1)

    assert "which hound has escaped: none" in output_in(Repl(Session(game)), "escaped hound")

"""A small game, written into a folder, for tests of commands."""

from pathlib import Path

import pytest

# A game of two sides with secrets, small enough to read; the label of a piece looks like markup.
TINY = """\
ruleset tiny-1.0 "A tiny game"

type Side = Red | Blue
players Side
type Card = Low | High
table Piece §1 (rank: 1..3)
  Pawn  1
  Rook  2
  King  3
type Place = Camp | Field | Gone
state §1
  year          : 1..3 = 1
  laid[Side]    : Card?
  place[Piece]  : Place
  owner[Piece]  : Side
  wounds[Piece] : 0..3
clock year
secret laid[s] known to s, to all when laid[Red] != none and laid[Blue] != none  §2
secret Piece[p] known to owner[p], to all when place[p] = Gone  §2
secret wounds[p] known to owner[p]  §2

option fierce : bool = false §3 "A low roll wounds twice."
reading who_wins_a_tie §4 "Who wins a tie is not said."
  reds   "Red does."   default
  blues  "Blue does."

action lay(c: Card) §2 "Lay a card face down."
  permit when laid[actor] = none
  laid[actor] := c

action march(p: Piece) §3 "A piece goes to the field."
  permit when owner[p] = actor and place[p] = Camp
  place[p] := Field
  roll d6 as die
  struck(p, die)
# Kings are careful.
rule kings-stay §3.1 "A king does not march in the first year."
  forbid march(p) when p = King and year = 1

# ------------------------------------------------ a heading of more
action wait §3 "Do nothing."
  permit

event struck(p: Piece, die: 1..6) §3 "a piece is struck"
rule wound §3 "A low roll wounds."
  on struck(p, die) when die <= 3
    wounds[p] := if fierce then 2 else 1
    if wounds[p] >= rank[p]
      place[p] := Gone

event turned_up(red: Card, blue: Card) §2 "the cards are turned up"

phase years §1 "Two years."
  while year < 3 up to 2
    choose each s in Side: lay
    turned_up(laid[Red] as Card, laid[Blue] as Card)
    for s in Red, Blue
      marching(s)
    clear laid
    year += 1
  ending()
phase marching(s: Side) §3 "One side marches."
  choose s: march, wait
phase ending §4 "Who has more pieces on the field wins."
  let red = count({p in Piece where owner[p] = Red and place[p] = Field})
  let blue = count({p in Piece where owner[p] = Blue and place[p] = Field})
  if red > blue or red = blue and who_wins_a_tie = reds
    win Red
  else
    win Blue

scenario skirmish §4 "Two pieces against one"
  owner[Rook] := Blue
  years()
label en
  Rook = "[bold]Rook[/bold]"
  action lay = "lay {c}"
  event turned_up = "Red lays {red}, Blue {blue}"
  event struck = "{p} is struck with {die}"
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.rules"
    path.write_text(TINY, encoding="utf-8")
    return path

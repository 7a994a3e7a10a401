"""A small cooperative game for two or three: all win together, or all lose."""

from __future__ import annotations

from pathlib import Path

import hots_rules as hr

COOPERATIVE = """ruleset lanterns-1.0 "Lanterns"
players Player
type Player = Ada | Bram | Cleo
clock turn
type Card = Oil(number: 1..6) | Storm(force: 1..2)
type Pile = Stock | Used | Hand(owner: Player)
state
  playing     : set of Player
  pile[Card]  : Pile
  order[Card] : 0..8 internal
  mover       : Player
  turn        : 1..9
  lit         : 0..3
secret Card[c] §1
  known to all when pile[c] = Used
  known to each p in Player when pile[c] = Hand(p)
option bright : bool = false §1 "In a bright night one lamp burns from the start."

define stock = {c in Card where pile[c] = Stock}  §1
define hand(p: Player) = {c in Card where pile[c] = Hand(p)}  §1
define top = the({c in stock where order[c] = (min x in stock: order[x])})  §1

action light(c: Card) §2 "Burn a card of oil."
  permit when c in hand(actor) and c is Oil
  pile[c] := Used
  kindled()
action rest §2 "Do nothing."
  permit
event drawn(p: Player, c: Card) §2 "{p} draws {c}"
event kindled() §2 "a lamp burns"
event blown() §3 "the wind blows"
rule burning §2 "One lamp more burns."
  on kindled()
    lit += 1
rule all-lit §4 "When three lamps burn, those who play win together."
  after kindled() when lit = 3
    win playing
rule wind §3 "The wind puts out a lamp, and without a lamp all lose."
  on blown()
    if lit = 0
      win none
    lit -= 1

phase night §2 "The players act in turn."
  while turn < 9 up to 8
    act()
  win none
phase act §2 "An action, then a card."
  choose mover: light, rest
  draw_card()
  mover := (if following(mover) in playing then following(mover) else Ada)
  turn += 1
phase draw_card §2 "Draw a card."
  if some stock
    let c = top
    if c is Storm
      pile[c] := Used
      blown()
    else
      pile[c] := Hand(mover)
      drawn(mover, c)
phase set_up §1 "The cards are shuffled."
  lit := (if bright then 2 else 1)
  shuffle stock into order for 1

scenario two §1 "Two players"
  playing := {Ada, Bram}
  set_up()
  night()
scenario three §1 "Three players"
  playing := {Ada, Bram, Cleo}
  set_up()
  night()
positions begin at night

policy lamplighter "Light a lamp where one can."
  prefer light
"""


def cooperative(folder: Path) -> hr.Ruleset:
    """The game, from a file in a folder."""
    path = folder / "lanterns.rules"
    path.write_text(COOPERATIVE, encoding="utf-8")
    return hr.load(path)

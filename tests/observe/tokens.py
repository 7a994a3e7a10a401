"""A small game with all forms of variables that may name hidden pieces, and cells that are shown one by one."""

from __future__ import annotations

import hots_rules as hr
from tests.playing import ruleset_of

TOKENS = """ruleset tokens-1.0 "Tokens"
players Side
type Side = A | B | C
type Place = Bag | Hand(Side) | Open
table Token §1 (worth: 1..9)
  t1 1
  t2 2
  t3 3
  t4 4
  t5 5
  t6 6
  t7 7
state
  mover          : Side
  place[Token]   : Place
  met[Side, Token] : 0..3
  marked         : set of Token
  last           : (Token, 0..3)
  best[Side]     : Token?
  coins[Side]    : 0..3 = 1
  open[Side]     : bool
  wish[Side]     : Token?
  level[Token]   : 0..2
  offered        : bool
  accepted       : bool
secret coins[s] §1
  known to s
  known to all when open[s]
secret wish[s] known to s §1
secret level[t] §1
  known to each s in Side when place[t] = Hand(s)
secret Token[t] §1
  known to all when place[t] = Open
  known to each s in Side when place[t] = Hand(s)
define hand(s: Side) = {t in Token where place[t] = Hand(s)}
define bag = {t in Token where place[t] = Bag}
define next(s: Side): Side = if s = A then B else if s = B then C else A
action take §1 "Draw a token."
  permit when some bag
  draw t from bag
  place[t] := Hand(actor)
action show(token: Token) §1 "Lay a token open."
  permit when token in hand(actor)
  place[token] := Open
action hide(token: Token) §1 "Put an open token back."
  permit when place[token] = Open
  place[token] := Bag
action mark(token: Token) §1 "Mark a token of yours."
  permit when token in hand(actor)
  marked := marked | {token}
  met[actor, token] := min(met[actor, token] + 1, 3)
  last := (token, 1)
  best[actor] := token
action want(token: Token) §1 "Want a token, in secret."
  permit
  wish[actor] := token
action lift(token: Token) §1 "Lift a token of yours to another level."
  permit when token in hand(actor)
  level[token] := if level[token] = 2 then 0 else level[token] + 1
action ask §1 "Ask for a token."
  permit when some bag
  offered := true
action accept §1 "Take the token that is offered."
  permit
  accepted := true
action decline §1 "Leave the token that is offered."
  permit
action count §1 "Show your coins, or hide them."
  permit
  open[actor] := not open[actor]
action earn §1 "Take a coin."
  permit when coins[actor] < 3
  coins[actor] := coins[actor] + 1
phase play §1 "Play."
  for n in 1..90
    choose mover: take, show, hide, mark, lift, want, ask, count, earn
    if offered
      offer()
    mover := next(mover)
phase offer §1 "A token is drawn, which nobody sees before it is taken."
  clear offered
  clear accepted
  draw t from bag
  choose mover: accept, decline
  if accepted
    place[t] := Hand(mover)
scenario s §1 "S"
  play()
"""


SHIPPED = ("hots-4.0", "hots-2.3", "lords-of-scotland", "dominoes-1.0", "beacons-1.0")
"""Rulesets with pieces or cells that are hidden."""
SECRET = (*SHIPPED, "tokens-1.0")


def begun(name: str, seed: int) -> hr.Game:
    """The beginning of the first scenario of a shipped ruleset, or of the tokens."""
    rules = ruleset_of(TOKENS) if name == "tokens-1.0" else hr.load(name)
    return rules.start(rules.scenarios[0], seed=seed)

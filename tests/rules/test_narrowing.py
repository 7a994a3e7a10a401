"""A condition narrows the type of what it is about: after `place[b] is Area`, `place[b]` is an area."""

import pytest

from hots_rules.diagnostics import RulesetError
from hots_rules.rules.load import load_rulebook
from hots_rules.rules.sources.source import Layer, Source

RULES = """ruleset sample-1.0 "A sample"
players Who
type Who = Red | Blue
type Where = Spot | Deck | Gone
table Spot §1 (size: 0..3)
  North  1
  South  2
table Piece §1 ()
  Fox
  Hen
state
  at[Piece]  : Where
  lead       : Piece?
  strong     : set of Piece
  turn       : 0..5
define out = {{p in Piece where at[p] is Spot}}
define near(s: Spot) = {{p in out where at[p] = s}}
define is_out(p: Piece) = at[p] is Spot and p in strong
define big(s: Spot) = size[s] > 1
event goes(p: Piece, to: Spot) §1
rule going §1 "It goes."
  on goes(p, to)
    at[p] := to
{rule}
action wait §1 "Wait."
  permit
phase play(p: Piece) §1 "Play."
  choose Red: wait
{body}
scenario only §1 "Only"
  play(Fox)
define tried(p: Piece, w: Where) = {value}
invariant used §1
  tried(Fox, Gone) or near(North) = {{}} or is_out(Fox) or big(North) or lead = none or turn = 0
"""


def faults(value: str = "true", body: str = "  goes(Fox, North)", rule: str = "") -> list[str]:
    """The headlines of the faults of the sample with an expression, statements or a rule put in."""
    text = RULES.format(value=value, body=body, rule=rule)
    try:
        load_rulebook(Source((Layer("sample-1.0", "A sample", None, {"sample.rules": text}, ""),)))
    except RulesetError as error:
        return [fault.headline for fault in error.faults]
    return []


@pytest.mark.parametrize(
    "value",
    [
        "at[p] is Spot and big(at[p])",
        "w is Spot and size[w] = 1 and big(w)",
        "not at[p] is Spot or big(at[p])",
        "if at[p] is Spot then big(at[p]) else false",
        "if not w is Spot then false else big(w)",
        "if w = Gone or w = Deck then false else big(w)",
        "w in {North, South} and big(w)",
        "w = North and big(w)",
        "w != Deck and w != Gone and big(w)",
        "(w = North or w in {South} and p in strong) and big(w)",
        "lead != none and at[lead] = w",
        "lead = none or at[lead] = w",
        "is_out(p) and big(at[p])",
        "p in out and big(at[p])",
        "p in near(North) - strong and big(at[p])",
        "some q in out: big(at[q])",
        "all q in near(South) & strong: q = p or big(at[q])",
        "(sum q in out: size[at[q]]) > 1",
        "some {q in Piece where at[q] is Spot and big(at[q])}",
        "some {q in out where big(at[q])}",
        "at[p] is Spot and {at[p]} & Spot = Spot",
    ],
)
def test_a_condition_narrows_what_follows(value: str) -> None:
    assert [] == faults(value)


@pytest.mark.parametrize(
    "value",
    [
        "big(at[p]) and at[p] is Spot",  # the other way round
        "at[p] is Spot or big(at[p])",
        "at[p] is Spot and big(w)",  # something else
        "not at[p] is Spot and big(at[p])",
        "if at[p] is Spot then false else big(at[p])",
        "(at[p] is Spot or p in strong) and big(at[p])",
        "w != Deck and big(w)",
        "p not in out and big(at[p])",
        "no q in Piece: big(at[q])",
        "some {q in Piece where big(at[q]) and at[q] is Spot}",
    ],
)
def test_a_condition_narrows_nothing_else(value: str) -> None:
    assert ["expected `Spot`, got `Where`"] == faults(value)


@pytest.mark.parametrize(
    "body",
    [
        "  if at[p] is Spot\n    goes(Hen, at[p])",
        "  if not at[p] is Spot\n    return\n  goes(Hen, at[p])",
        "  if at[p] = Deck\n    win none\n  elif at[p] is Spot\n    turn += 1\n    goes(Hen, at[p])",
        "  for q in out - strong\n    turn := size[at[q]]\n  goes(Fox, North)",
        "  if at[p] is Spot\n    let s = at[p]\n    at[p] := Gone\n    goes(Hen, s)",
        "  while at[p] is Spot up to 3\n    goes(Hen, at[p])\n    at[p] := Gone",
        "  if at[p] is Spot\n    add p to strong\n    goes(Hen, at[p])",
    ],
)
def test_a_condition_narrows_the_statements_under_it(body: str) -> None:
    assert [] == faults(body=body)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "body",
    [
        "  if at[p] is Spot\n    at[Hen] := Gone\n    goes(Hen, at[p])",
        "  if at[p] is Spot\n    clear at\n    goes(Hen, at[p])",
        "  if at[p] is Spot\n    if p in strong\n      step away\n        clear at\n    goes(Hen, at[p])",
        "  if at[p] is Spot\n    choose Red: wait\n    goes(Hen, at[p])",
        "  if at[p] is Spot\n    goes(Hen, North)\n    goes(Hen, at[p])",
        "  if at[p] is Spot\n    if p in strong\n      at[p] := Deck\n    goes(Hen, at[p])",
        "  if at[p] is Spot\n    for n in 1..2\n      goes(Hen, at[p])\n      at[p] := Gone",
        "  for q in out\n    goes(Hen, at[q])",
        "  if at[p] is Spot\n    while turn < 3 and big(at[p]) up to 3\n      at[p] := Gone",
        "  if not at[p] is Spot\n    turn := 1\n  goes(Hen, at[p])",
    ],
)
def test_what_may_have_changed_is_no_longer_known(body: str) -> None:
    assert ["expected `Spot`, got `Where`"] == faults(body=body)


def test_the_condition_of_a_handler_narrows_its_statements() -> None:
    rule = (
        'rule back §1 "And the hen follows."\n  before goes(p, to) when at[p] is Spot and p = Fox\n'
    )
    assert [] == faults(rule=rule + "    turn := size[at[p]]")
    assert ["expected `Spot`, got `Where`"] == faults(
        rule=rule.replace("at[p] is Spot and ", "") + "    turn := size[at[p]]"
    )

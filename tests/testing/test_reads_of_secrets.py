"""Every way in which a choice can read something hidden is followed, for every form of `secret`."""

from __future__ import annotations

import pytest

import hots_rules as hr
from tests.playing import ruleset_of

GAME = """ruleset cards-1.0 "Cards"
players Player
type Player = Ann | Ben
type Card = low | middle | high
type Place = Stock | Table | Hand(Player)
state
  place[Card]  : Place
  hand[Player] : Card
  chosen       : Card
  turn         : 0..9
{secret}
define other(p: Player): Player = if p = Ann then Ben else Ann
define is_dark = {read}
define is_light = false
action wait §1 "Wait."
  permit
action lay(c: Card) §1 "Lay a card."
  permit when place[c] = Table
rule base §1 "Nobody waits at once."
  forbid wait when turn = 0
question dark = is_dark §1 "is it dark"
question light = is_light §1 "is it light"
question hands(p: Player) = hand[p] = low or hand[other(p)] = chosen §1 "low for {{p}}"
{rules}
scenario first §1 "A game"
  place[low] := Table
  for p in Player
    hand[p] := low
  draw c from {{middle, high}}
  place[c] := Hand(Ben)
  hand[Ben] := c
  chosen := c
  while turn < 9
    turn += 1
    choose Ann: wait, lay
"""
SECRETS = {
    "a type": "secret Card[c]\n  known to all when place[c] = Table",
    "a variable of players": "secret hand[p] known to p",
    "a variable": "secret chosen known to Ben",
}
READS = {
    "a type": "place[high] = Hand(Ben)",
    "a variable of players": "hand[Ben] = high",
    "a variable": "chosen = high",
}
THROUGH = {
    "a permit": 'rule more §1 "More."\n  permit wait when {read}',
    "a forbid": 'rule more §1 "More."\n  forbid wait when {read}',
    "an exemption": 'rule more §1 "More."\n  exempt wait from base when {read}',
    "an only if": 'option on : bool = true §1 "On."\nrule more §1 "More."\n  only if on and {read}\n  forbid wait',
    "a definition": 'rule more §1 "More."\n  forbid wait when is_dark',
    "an if": 'rule more §1 "More."\n  forbid wait when (if {read} then turn else 9) > 4',
    "a set": 'rule more §1 "More."\n  forbid wait when some x in Card: x = middle and {read}',
    "a count": 'rule more §1 "More."\n  forbid wait when count({{x in Card where {read}}}) > 1',
    "a sum": 'rule more §1 "More."\n  forbid wait when (sum x in Card: if {read} then 1 else 0) > 1',
    "a value in a reason": (
        'rule more §1 "More."\n  forbid wait when turn = 2\n    because "dark {{n}}" with n = if {read} then 1 else 0'
    ),
    "a name": 'rule more §1 "More."\n  forbid wait when let x = {read}: x and turn > 1',
    "an alternative by default": (
        'rule more §1 "More."\n  forbid wait when is_light\n'
        'reading lamp §1 "Is it light?"\n  dark   "No."\n  bright "Yes." default\n    is_light = {read}'
    ),
    "another alternative": (
        'rule more §1 "More."\n  forbid wait when is_light\n'
        'reading lamp §1 "Is it light?"\n  dark   "No." default\n  bright "Yes."\n    is_light = {read}'
    ),
}


def playing(secret: str, rules: str) -> hr.Ruleset:
    """A game with one form of `secret`, and a further rule."""
    return ruleset_of(GAME.format(secret=SECRETS[secret], read=READS[secret], rules=rules))


def told(secret: str, rules: str) -> list[str]:
    """What is reported of it, when it is loaded or later."""
    try:
        return [fault.headline for fault in hr.testing.unproven_secrets(playing(secret, rules))]
    except hr.RulesetError as error:
        assert {fault.code for fault in error.faults} == {"secret-unknown"}
        return [fault.headline for fault in error.faults]


@pytest.mark.parametrize("through", THROUGH)
@pytest.mark.parametrize("secret", SECRETS)
def test_a_hidden_read_is_found(secret: str, through: str) -> None:
    headlines = told(secret, THROUGH[through].format(read=READS[secret]))

    what = "a reason of `wait`" if "reason" in through else "a condition of `wait`"
    assert [headline.startswith(what) for headline in headlines] == [True]


@pytest.mark.parametrize("secret", SECRETS)
def test_nothing_is_found_where_nothing_hidden_is_read(secret: str) -> None:
    assert told(secret, "") == []


@pytest.mark.parametrize("secret", SECRETS)
def test_a_policy_that_reads_what_is_hidden_settles_nothing(secret: str) -> None:
    hidden = (
        f'policy hidden "By what is hidden."\n  prefer wait when {READS[secret]}\n  prefer lay\n'
    )
    ruleset = playing(secret, f'{hidden}policy seen "By what is seen."\n  prefer lay\n')
    for seed in range(4):
        game = ruleset.start("first", seed=seed)
        game = game.play("Ann: lay low")

        assert hr.analysis.Settler(ruleset, "hidden", "Ann").choose(game) is None
        settled = hr.analysis.Settler(ruleset, "seen", "Ann").choose(game)
        assert settled is not None and settled.name == "lay"

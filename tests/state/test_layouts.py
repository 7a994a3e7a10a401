"""Options move the slots of a state: positions, messages and worlds under any choice play as the game does."""

from __future__ import annotations

from random import Random

import attrs
import pytest

import hots_rules as hr
from tests.playing import (
    Chosen,
    assert_in_range,
    heeded,
    last_of,
    machine_of,
    ruleset_of,
    some_choices,
)
from tests.sizes import sample_size

# An index of `at` exists only where the rule of the option is in force.
CROWD = """\
ruleset crowd-1.0 "An index under an option"
players Side
type Side = Red | Blue
table Spot §1 (worth: 0..3)
  North     1
  South     2
table Piece §1 (side: Side)
  Fox  Red
  Hen  Red
  Owl  Blue
type Where = Spot | Away
state §1
  turn      : 1..9 = 1
  at[Piece] : Where = Away
clock turn
secret Piece[p] known to side[p] §1
option crowd : bool = DEFAULT §1 "One piece for each place."
action go(p: Piece, s: Spot) §2 "A piece goes somewhere."
  permit when side[p] = actor
  at[p] := s
rule crowded §2 "No two in one place."
  only if crowd
  forbid go(p, s) when some {q in Piece where at[q] = s}
action rest §1 "rest"
  permit
phase game §1 "play"
  for i in 1..8
    for t in Side
      choose t: go, rest
    turn += 1
  win none
scenario short §1 "short"
  game()
positions begin at game
"""


def crowd(default: bool) -> hr.Ruleset:
    return ruleset_of(CROWD.replace("DEFAULT", str(default).lower()))


def assert_plays_alike(game: hr.Game, chosen: Chosen) -> None:
    """Assert that a state read from JSON or a position, and a world, have the layout of the game."""
    rules = game.ruleset
    state = hr.from_json(hr.to_json(game.state), hr.State, rules)
    again = attrs.evolve(game, state=state)

    assert (state, again.legal_codes) == (game.state, game.legal_codes)
    if game.is_over:
        return
    for player in game.to_move if game.to_move != ("chance",) else rules.players[:1]:
        (world,) = game.worlds(player, 1)
        assert_in_range(machine_of(world), world.slots)
        assert world.view(player) == game.view(player)
    try:
        placed = rules.position(game.position, seed=game.seed, chance=game.chance, **chosen)
    except hr.BadPosition:
        return  # a moment at which no position can begin
    assert_in_range(machine_of(placed), placed.slots)
    moment = placed.position + placed.moment
    same = rules.position(moment, seed=game.seed, chance=game.chance, **chosen)
    assert (same.state, same.legal_codes) == (placed.state, placed.legal_codes)
    assert all(placed.why(action).is_legal for action in placed.actions[:6])


@pytest.mark.parametrize("default", [False, True])
@pytest.mark.parametrize("option", [False, True])
def test_a_position_offers_what_the_game_offers_under_an_option(
    default: bool, option: bool
) -> None:
    rules, chosen = crowd(default), {"options": {"crowd": option}}
    game = rules.start("short", **chosen).play("Red: go Fox North").play("Blue: rest")
    placed = rules.position("turn 2\nFox: at North", **chosen)

    assert ("Red: go Hen North" in {action.text for action in placed.actions}) != option
    assert placed.actions == game.actions
    assert rules.position(game.position, **chosen).actions == game.actions
    assert_plays_alike(game, chosen)


def test_a_world_has_the_layout_of_its_game() -> None:
    chosen = {"options": {"crowd": True}}
    game = crowd(default=False).start("short", **chosen).play("Red: go Fox North")
    for world in game.worlds("Blue", 8):
        assert "Blue: go Owl North" not in {action.text for action in world.actions}
        assert world.actions == game.actions


def test_a_state_of_a_ruleset_tells_its_options() -> None:
    game = crowd(default=False).start("short", options={"crowd": True})
    text = hr.to_json(game.state)
    with pytest.raises(hr.BadMessage, match=r"^\$\.layout: "):
        hr.from_json(text.replace('"crowd":"yes"', '"crowd":"no"'), hr.State, game.ruleset)
    with pytest.raises(hr.BadMessage, match=r"^\$\.options\.crowd: `crowd` cannot be `maybe`"):
        hr.from_json(text.replace('"crowd":"yes"', '"crowd":"maybe"'), hr.State, game.ruleset)
    with pytest.raises(hr.BadMessage, match=r"^\$\.options\.crew: unknown option `crew`"):
        hr.from_json(text.replace('"crowd":"yes"', '"crew":"yes"'), hr.State, game.ruleset)


def assert_plays_alike_throughout(name: str, chosen: Chosen, seed: int, moments: int) -> None:
    rules, chance = hr.load(name), Random(seed)
    for number in range(moments):
        scenario = rules.scenarios[number % len(rules.scenarios)]
        ask = "ask" if number % 2 else "auto"
        game = rules.start(
            scenario, seed=seed + number, chance=ask, **heeded(rules, scenario, chosen)
        )
        assert_plays_alike(last_of(game, chance, chance.randrange(60)), chosen)


# The choices are those that other tests compile as well.
@pytest.mark.thorough
@pytest.mark.parametrize("name", ["hots-player-aid", "lords-of-scotland", "goofspiel-1.0"])
def test_states_keep_their_layout_under_options(name: str) -> None:
    rules = hr.load(name)
    fire: Chosen = {"options": {"simultaneous_fire": True}, "readings": {}}
    chosen = fire if "simultaneous_fire" in rules.options else some_choices(rules)[1]
    assert_plays_alike_throughout(name, chosen, seed=1, moments=sample_size(3, 12))


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", hr.rulesets())
def test_states_keep_their_layout_under_random_options(name: str, seed: int) -> None:
    rules, chance = hr.load(name), Random(seed)
    chosen: Chosen = {
        "options": {n: chance.choice(s.values) for n, s in rules.options.items()},
        "readings": {n: chance.choice(s.values) for n, s in rules.readings.items()},
    }
    assert_plays_alike_throughout(name, chosen, seed, moments=12)

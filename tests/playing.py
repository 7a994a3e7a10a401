"""Random games, and a small ruleset, for tests that check many positions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import hots_rules as hr
from hots_rules.compile.codes import DecisionPoint, Slots, SuspensionPoint, codes_of
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import DEFAULT_LIMITS
from hots_rules.game import load_source
from hots_rules.rules.sources.source import Layer, Source
from hots_rules.state.schema import StateSchema

SAMPLES = tuple(
    f"{name}-1.0"
    for name in (
        "backgammon",
        "beacons",
        "breakthrough",
        "causeway",
        "chess",
        "connect-four",
        "dominoes",
        "goofspiel",
        "reversi",
    )
)
"""The sample games, by the names of their rulesets."""

Chosen = dict[str, dict[str, Any]]


def some_choices(ruleset: hr.Ruleset) -> list[Chosen]:
    """A few choices of options and readings that together use every value once.

    Only a handful, because each is compiled anew.
    """
    longest = max(len(setting.values) for setting in ruleset.settings.values())
    return [
        {
            "options": {n: s.values[turn % len(s.values)] for n, s in ruleset.options.items()},
            "readings": {n: s.values[turn % len(s.values)] for n, s in ruleset.readings.items()},
        }
        for turn in range(min(longest, 4))
    ]


def heeded(ruleset: hr.Ruleset, scenario: str, chosen: Chosen) -> Chosen:
    """The choices without the options that a scenario ignores."""
    scenarios = {name: option.scenarios for name, option in ruleset.options.items()}
    options = {
        name: value
        for name, value in chosen["options"].items()
        if not scenarios[name] or scenario in scenarios[name]
    }
    return chosen | {"options": options}


def played_out(game: hr.Game, chooser: Random, most: int = 100_000) -> Iterator[hr.Game]:
    """Each moment of a random game, the given one first."""
    yield game
    for _ in range(most):
        if game.is_over:
            return
        game = game.play(chooser.choice(game.actions))
        yield game


def last_of(game: hr.Game, chooser: Random, most: int = 100_000) -> hr.Game:
    """The game after some random actions, or at its end."""
    for after in played_out(game, chooser, most):
        game = after
    return game


def machine_of(game: hr.Game) -> Machine:
    """The machine of a game."""
    return game.ruleset.machine(game.settings)


def assert_sound(game: hr.Game) -> None:
    """Assert what holds at every moment of every game."""
    machine, slots = machine_of(game), list(game.state.slots)
    assert_in_range(machine, slots)
    assert game.is_over == (game.to_move == ()) == (game.actions == ()) == (game.phase == "")
    if game.is_over:
        return
    if game.to_move != ("chance",):
        assert [] == broken(machine, slots)
        assert {action.player for action in game.actions} == set(game.to_move), game.phase
    texts = {action.text.lower() for action in game.actions}
    assert len(texts) == len(game.actions), "expected each action to have a text of its own"


def broken(machine: Machine, slots: Slots) -> list[str]:
    """The invariants of the ruleset that do not hold."""
    return [name for name, holds in machine.invariants if not holds(slots)]


def assert_in_range(machine: Machine, slots: Slots) -> None:
    """Assert that each variable has a value of its type, and that the indexes agree with the variables."""
    schema = StateSchema(machine.facts)
    for variable in schema.variables.values():
        codes = codes_of(variable.type)
        found = slots[variable.base : variable.base + len(variable.key_codes)]
        assert all(code in codes for code in found), f"{variable.name}: {found}"
    again = list(slots)
    schema.reindex(again)
    assert slots == again


def stops(machine: Machine, scenario: str, seed: str) -> Iterator[tuple[Slots, SuspensionPoint]]:
    """The slots at each decision and chance point of a random game, with the suspension point."""
    chooser, slots = Random(seed), machine.begin(scenario)
    machine.run(slots, slots[0], None)
    while (point := machine.point(slots)) is not None:
        yield slots, point
        if isinstance(point, DecisionPoint):
            machine.play(slots, chooser.choice(machine.legal(slots)), None)
        else:
            machine.resume(slots, machine.sample(slots, point, seed), None)


def chance_keys(machine: Machine, scenario: str, seed: str) -> Iterator[tuple[str, str]]:
    """The key and the phase of each chance point of a random game, in order of play."""
    for slots, point in stops(machine, scenario, seed):
        if not isinstance(point, DecisionPoint):
            yield point.key(slots), machine.facts.points[-1 - slots[0]].phase


def texts_of_all(ruleset: hr.Ruleset, chooser: Random) -> Iterator[tuple[int, str]]:
    """Endless random actions, legal or not, with each kind equally likely: code, text."""
    notation = ruleset.notation
    while True:
        form = chooser.choice(notation.forms)
        code = form.base + chooser.randrange(form.size)
        yield code, notation.exact(code)


# ------------------------------------------------------------------ small rulesets
TINY = """ruleset tiny-1.0 "A tiny game"
players Side
type Side = Red | Blue
table Spot §1 (worth: 0..3)
  North     1
  South     2
  Far_East  3
table Piece §1 (size: 1..4)
  Fox  3
  Hen  1
  Dog  2
type Where = Spot | Away
state
  turn         : 1..9 = 1
  at[Piece]    : Where = Away
  owner[Piece] : Side
  tired        : set of Piece
  favourite    : Piece?
  gold[Side, Spot] : 0..9
clock turn
event moved(p: Piece, s: Spot) §2 "a piece moves"
action go(p: Piece, s: Spot) §2 "A piece goes somewhere."
  permit when owner[p] = actor and p not in tired
  at[p] := s
  add p to tired
  moved(p, s)
action throw(p: Piece) §3 "A die for each size."
  permit when owner[p] = actor and at[p] is Spot
  roll size[p] d6 as dice for p
  gold[actor, at[p] as Spot] := at_most(dice, 3)
action like §3 "A favourite is drawn."
  permit
  draw p from Piece weighted size[p]
  favourite := p
action rest §1 "Nothing."
  permit
rule no-way-back §2 "Nobody goes where he stands."
  forbid go(p, s) when at[p] = s
rule rich §4 "Who has nine wins."
  after moved(p, s) when gold[owner[p], s] = 3
    win owner[p]
phase game §1 "Turn by turn."
  while turn < 9 up to 9
    day()
    turn += 1
    clear tired
  win none
phase day §1 "Red, then Blue."
  for s in Red, Blue
    choose s: go, throw, like, rest
scenario short §1 "Foxes against hens"
  owner[Hen] := Blue
  game()
positions begin at game
option fast : bool = false §1 "Nothing yet."
invariant somebody-owns-the-fox §1 "Red never loses the fox."
  owner[Fox] = Red and not fast or owner[Fox] = Red
label en
  action go = "{p} to {s}"
  action throw = "throw for {p}"
"""


def ruleset_of(text: str, limits: hr.Limits = DEFAULT_LIMITS) -> hr.Ruleset:
    """A ruleset of one text, whose sections are 1 to 9."""
    head = re.match(r'ruleset (\S+) "([^"]*)"', text)
    assert head is not None
    sections = "section,heading\n" + "".join(f"{n},Section {n}\n" for n in range(1, 10))
    return load_source(
        Source((Layer(head[1], head[2], None, {"tiny.rules": text}, sections),)), limits
    )

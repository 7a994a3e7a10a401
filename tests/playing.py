"""Games played by chance, for the tests that look at many of them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import hots_rules as hr
from hots_rules.compile.codes import codes_of
from hots_rules.compile.machine import DECIDE, Machine, Slots

Chosen = dict[str, dict[str, Any]]


def some_choices(ruleset: hr.Ruleset) -> list[Chosen]:
    """A handful of ways to choose options and readings, so that each value of each is chosen once.

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


def played_out(game: hr.Game, chooser: Random, most: int = 100_000) -> Iterator[hr.Game]:
    """The game after each action of a game by chance, the given one first."""
    yield game
    for _ in range(most):
        if game.is_over:
            return
        game = game.play(chooser.choice(game.actions))
        yield game


def last_of(game: hr.Game, chooser: Random, most: int = 100_000) -> hr.Game:
    """Where a game by chance has come after some actions, or at its end."""
    for after in played_out(game, chooser, most):
        game = after
    return game


def machine_of(game: hr.Game) -> Machine:
    """The compiled functions that a game runs on."""
    return game.ruleset.machine(dict(game.settings))


def assert_sound(game: hr.Game) -> None:
    """What is true of every moment of every game."""
    machine, slots = machine_of(game), list(game.state.slots)
    assert_in_range(game.ruleset, slots)
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


def assert_in_range(ruleset: hr.Ruleset, slots: Slots) -> None:
    """Every variable has a value of its type, and the indexes agree with the variables."""
    for variable in ruleset.shape.variables.values():
        codes = codes_of(variable.type)
        found = slots[variable.base : variable.base + len(variable.key_codes)]
        assert all(code in codes for code in found), f"{variable.name}: {found}"
    again = list(slots)
    ruleset.shape.reindex(again)
    assert slots == again


def chance_keys(machine: Machine, scenario: str, seed: str) -> Iterator[tuple[str, str]]:
    """The key and the phase of every chance point of a game by chance, in their order."""
    chooser, slots = Random(seed), machine.begin(scenario)
    machine.run(slots, slots[0], None)
    while (site := machine.site(slots)) is not None:
        if site[0] == DECIDE:
            machine.play(slots, chooser.choice(machine.legal(slots)), None)
        else:
            yield site[2](slots), machine.facts["sites"][-1 - slots[0]]["phase"]
            machine.resume(slots, machine.sample(slots, site, seed), None)


def texts_of_all(ruleset: hr.Ruleset, chooser: Random) -> Iterator[tuple[int, str]]:
    """Endless actions of the vocabulary, legal or not, each kind as often as another: code, text."""
    notation = ruleset.notation()
    while True:
        form = chooser.choice(notation.forms)
        code = form.base + chooser.randrange(form.size)
        yield code, notation.exact(code)

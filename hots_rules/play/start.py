"""How a game begins: at a scenario, or at a position written as text."""

import os
from functools import partial
from typing import cast

from hots_rules.compile.codes import ChancePoint, DecisionPoint, Slots
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import BadArgument, BadPosition, EngineError, UnknownName
from hots_rules.play.compiled_ruleset import Settings
from hots_rules.play.game import BaseGame, G
from hots_rules.play.parse_action import abbreviated
from hots_rules.play.ruleset import BaseRuleset, Chance, Choices
from hots_rules.state.state import State

MAX_SEED = 200
RANDOM_BYTES = 16  # of a new seed: nobody finds it by trying


def new_seed() -> str:
    """A seed that nobody can guess: 128 random bits of the operating system, as 32 hexadecimal digits.

    A game that is started without a seed gets one. A short seed is found from a hand of cards in minutes, and
    tells all later dice.

    >>> import hots_rules as hr
    >>> len(hr.new_seed()), hr.new_seed() == hr.new_seed()
    (32, False)
    """
    return os.urandom(RANDOM_BYTES).hex()


def begin(
    ruleset: BaseRuleset[G],
    scenario: str,
    position: str | None,
    seed: int | str | None,
    options: Choices,
    readings: Choices,
    chance: Chance,
) -> G:
    """A game of a scenario at its first decision, or with `position` a game from there.

    Without a seed it gets a new one.

    Raises:
        BadPosition: with every fault of the position.
        ArgumentError: no such scenario, option, reading or value.
    """
    if position is None and scenario not in ruleset.scenarios:
        raise UnknownName("scenario", scenario, ruleset.scenarios)
    seed = new_seed() if seed is None else seed
    settings = _settings(ruleset, seed, options, readings, chance)
    machine, schema = ruleset.machine(settings), ruleset.schema_under(settings)
    if position is None:
        slots = machine.begin(scenario)
    else:
        from hots_rules.state.position import full_position, read_position

        at_fault = partial(ruleset.compiled.at_fault, settings)
        slots, scenario = read_position(schema, machine, position, str(seed), at_fault), ""
        # Normalized, so that two texts of one position give equal games.
        position = full_position(machine, State(tuple(slots), schema))
    try:
        machine.run(slots, slots[0], str(seed) if chance == "auto" else None)
        if position is not None:
            _check_choice(machine, slots)
    except EngineError as error:
        if position is None:
            raise
        raise BadPosition((f"play cannot go on from this position: {error}",)) from None
    state = State(tuple(slots), schema)
    game = ruleset.game_type(
        ruleset, scenario, str(seed), settings, chance, state, initial_position=position
    )
    return cast("G", game)


def _check_choice(machine: Machine, slots: Slots) -> None:
    """Check that there is a legal action or an outcome, if play waits for one."""
    point = machine.point(slots)
    if isinstance(point, DecisionPoint) and not machine.legal(slots):
        raise EngineError("nobody has a legal action")
    if isinstance(point, ChancePoint):
        machine.outcomes(slots)  # raises if there is nothing to draw


def begin_as(game: BaseGame, ruleset: BaseRuleset[G], options: Choices, readings: Choices) -> G:
    """The beginning of a game under a ruleset and choices, with the same seed."""
    position, seed, chance = game.initial_position, game.seed, game.chance
    return begin(ruleset, game.scenario, position, seed, options, readings, chance)


def _settings(
    ruleset: BaseRuleset[G], seed: int | str, options: Choices, readings: Choices, chance: Chance
) -> Settings:
    if chance not in ("auto", "ask"):
        raise BadArgument("chance", chance, allowed=("auto", "ask"))
    too_long = isinstance(seed, int) and abs(seed) >= 10**MAX_SEED
    text = str(seed) if isinstance(seed, int | str) and not too_long else ""
    if not text or not text.isprintable() or text != text.strip() or len(text) > MAX_SEED:
        raise BadArgument(
            "seed", abbreviated(seed), f"a number, or a line of at most {MAX_SEED} characters"
        )
    return ruleset.chosen(options, readings)

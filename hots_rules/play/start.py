"""How a game begins: at a scenario, or at a position written as text."""

from __future__ import annotations

from typing import TypeVar, cast

from hots_rules.diagnostics import BadPosition, EngineError, UnknownOption
from hots_rules.play.compiled_ruleset import Settings
from hots_rules.play.game import BaseGame
from hots_rules.play.parse_action import abbreviated
from hots_rules.play.ruleset import BaseRuleset, Chance, Choices
from hots_rules.state.state import State

G = TypeVar("G", bound=BaseGame)
MAX_SEED = 200


def start(
    ruleset: BaseRuleset[G],
    scenario: str,
    seed: int | str,
    options: Choices,
    readings: Choices,
    chance: Chance,
) -> G:
    """A game of a scenario at its first decision."""
    if scenario not in ruleset.scenarios:
        raise UnknownOption("scenario", ruleset.scenarios, str(scenario))
    settings = _settings(ruleset, seed, options, readings, chance)
    machine = ruleset.machine(settings)
    slots = machine.begin(scenario)
    machine.run(slots, slots[0], str(seed) if chance == "auto" else None)
    state = State(tuple(slots), ruleset.schema)
    return cast("G", ruleset.game_type(ruleset, scenario, str(seed), settings, chance, state))


def start_at(
    ruleset: BaseRuleset[G],
    text: str,
    seed: int | str,
    options: Choices,
    readings: Choices,
    chance: Chance,
) -> G:
    """A game from a position at its first decision."""
    from hots_rules.state.position import position_text, read_position

    settings = _settings(ruleset, seed, options, readings, chance)
    machine = ruleset.machine(settings)
    slots = read_position(ruleset.schema, machine, text)
    # Normalized, so that two texts of one position give equal games.
    initial_position = position_text(State(tuple(slots), ruleset.schema))
    try:
        machine.run(slots, slots[0], str(seed) if chance == "auto" else None)
    except EngineError as error:
        raise BadPosition((f"play cannot go on from this position: {error}",)) from None
    state = State(tuple(slots), ruleset.schema)
    return cast(
        "G",
        ruleset.game_type(
            ruleset, "", str(seed), settings, chance, state, initial_position=initial_position
        ),
    )


def _settings(
    ruleset: BaseRuleset[G], seed: int | str, options: Choices, readings: Choices, chance: Chance
) -> Settings:
    if chance not in ("auto", "ask"):
        raise UnknownOption("chance", ("auto", "ask"), str(chance))
    too_long = isinstance(seed, int) and abs(seed) >= 10**MAX_SEED
    text = str(seed) if isinstance(seed, int | str) and not too_long else ""
    if not text or not text.isprintable() or text != text.strip() or len(text) > MAX_SEED:
        raise UnknownOption(
            "seed", ("a number", f"a line of at most {MAX_SEED} characters"), abbreviated(seed)
        )
    return ruleset.chosen(options, readings)

"""How a game begins: at a scenario, or at a position in words."""

from __future__ import annotations

from hots_rules.diagnostics import BadPosition, EngineError, UnknownOption
from hots_rules.play.game import Game
from hots_rules.play.parse_action import shown
from hots_rules.play.ruleset import Chance, Choices, Ruleset
from hots_rules.state.position import position_text, read_position
from hots_rules.state.state import State

MAX_SEED = 200


def start(
    ruleset: Ruleset,
    scenario: str,
    seed: int | str,
    options: Choices,
    readings: Choices,
    chance: Chance,
) -> Game:
    """A game of a scenario at its first decision."""
    if scenario not in ruleset.scenarios:
        raise UnknownOption("scenario", ruleset.scenarios, str(scenario))
    settings = _settings(ruleset, seed, options, readings, chance)
    machine = ruleset.machine(settings)
    slots = machine.begin(scenario)
    machine.run(slots, slots[0], str(seed) if chance == "auto" else None)
    state = State(tuple(slots), ruleset.schema)
    return Game(ruleset, scenario, str(seed), tuple(sorted(settings.items())), chance, state)


def start_at(
    ruleset: Ruleset,
    text: str,
    seed: int | str,
    options: Choices,
    readings: Choices,
    chance: Chance,
) -> Game:
    """A game from a position in words at its first decision."""
    settings = _settings(ruleset, seed, options, readings, chance)
    machine = ruleset.machine(settings)
    slots = read_position(ruleset.schema, machine, text)
    # However it was written, the same position is the same beginning.
    begun_at = position_text(State(tuple(slots), ruleset.schema))
    try:
        machine.run(slots, slots[0], str(seed) if chance == "auto" else None)
    except EngineError as error:
        raise BadPosition((f"expected a position from which play can go on: {error}",)) from None
    state = State(tuple(slots), ruleset.schema)
    chosen = tuple(sorted(settings.items()))
    return Game(ruleset, "", str(seed), chosen, chance, state, begun_at=begun_at)


def _settings(
    ruleset: Ruleset, seed: int | str, options: Choices, readings: Choices, chance: Chance
) -> dict[str, int]:
    if chance not in ("auto", "ask"):
        raise UnknownOption("chance", ("auto", "ask"), str(chance))
    too_long = isinstance(seed, int) and abs(seed) >= 10**MAX_SEED
    said = str(seed) if isinstance(seed, int | str) and not too_long else ""
    if not said or not said.isprintable() or said != said.strip() or len(said) > MAX_SEED:
        raise UnknownOption(
            "seed", ("a number", f"a line of at most {MAX_SEED} characters"), shown(seed)
        )
    return ruleset.chosen(options, readings)

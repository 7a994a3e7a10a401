"""How a game begins: at a scenario, or at a position written as text."""

import os
from collections.abc import Callable
from functools import partial
from typing import Protocol, TypeVar, cast

from hots_rules.compile.codes import POINT, ChancePoint, DecisionPoint, Slots
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import BadArgument, BadPosition, EngineError, UnknownName, abbreviated
from hots_rules.play.compiled_ruleset import CompiledRuleset, SettingCodes
from hots_rules.play.settings import Chance, Choices
from hots_rules.state.schema import StateSchema
from hots_rules.state.state import State

MAX_SEED = 200
RANDOM_BYTES = 16  # of a new seed: nobody finds it by trying

G = TypeVar("G")
G_co = TypeVar("G_co", covariant=True)


class StartingRuleset(Protocol[G_co]):
    """What a beginning needs of a ruleset, whose games are `G_co`."""

    @property
    def game_type(self) -> Callable[..., object]: ...
    @property
    def compiled(self) -> CompiledRuleset: ...
    @property
    def scenarios(self) -> tuple[str, ...]: ...
    def chosen(self, options: Choices, readings: Choices) -> SettingCodes: ...
    def machine(self, settings: SettingCodes) -> Machine: ...
    def schema_under(self, settings: SettingCodes) -> StateSchema: ...


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
    ruleset: StartingRuleset[G],
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
        EngineError: the ruleset violates one of its bounds at the beginning of the scenario.
    """
    if position is None and scenario not in ruleset.scenarios:
        raise UnknownName("scenario", scenario, ruleset.scenarios)
    if chance not in ("auto", "ask"):
        raise BadArgument("chance", chance, allowed=("auto", "ask"))
    seed_text = new_seed() if seed is None else _seed_text(seed)
    settings = ruleset.chosen(options, readings)
    machine, schema = ruleset.machine(settings), ruleset.schema_under(settings)
    if position is None:
        slots = machine.begin(scenario)
    else:
        from hots_rules.state.position import full_position, read_position

        at_fault = partial(ruleset.compiled.at_fault, settings)
        slots = read_position(schema, machine, position, seed_text, at_fault)
        # Equal positions give equal games: whatever the text, and whatever scenario it is like.
        scenario, position = "", full_position(machine, State(tuple(slots), schema))
    try:
        machine.run(slots, slots[POINT], seed_text if chance == "auto" else None)
        if position is not None:
            _check_choice(machine, slots)
    except EngineError as error:
        if position is None:
            raise
        raise BadPosition((f"play cannot go on from this position: {error}",)) from None
    state = State(tuple(slots), schema)
    game = ruleset.game_type(
        ruleset, scenario, seed_text, settings, chance, state, initial_position=position
    )
    return cast("G", game)


def _check_choice(machine: Machine, slots: Slots) -> None:
    """Check that there is a legal action or an outcome, if play waits for one."""
    point = machine.point(slots)
    if isinstance(point, DecisionPoint) and not machine.legal(slots):
        raise EngineError("nobody has a legal action")
    if isinstance(point, ChancePoint):
        machine.outcomes(slots)  # raises if there is nothing to draw


def _seed_text(seed: object) -> str:
    """A seed as text.

    Raises:
        BadArgument: it is no number and no line of text, or too long.
    """
    is_seed = isinstance(seed, int | str) and not isinstance(seed, bool)
    # Such a number is not written out, as Python raises an error at a longer one.
    is_too_long = isinstance(seed, int) and abs(seed) >= 10**MAX_SEED
    text = str(seed) if is_seed and not is_too_long else ""
    if not text or not text.isprintable() or text != text.strip() or len(text) > MAX_SEED:
        raise BadArgument(
            "seed", abbreviated(seed), f"a number, or a line of at most {MAX_SEED} characters"
        )
    return text

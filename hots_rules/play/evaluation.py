"""Evaluation of a ruleset's expressions at one moment of a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hots_rules.compile.evaluate import Evaluator
from hots_rules.play.game import BaseGame
from hots_rules.state.schema import StateSchema

Load = Callable[[str, tuple[int, ...]], int]


def state_evaluator(game: BaseGame, load: Load | None = None) -> Evaluator:
    """An evaluator under the settings of a game that reads the game's state, or cells through `load`.

    The values of definitions are cached, so the cells must not change.
    """
    linked = game.ruleset.linked_rules(game.settings)
    load = load or cell_reader(game.ruleset.schema, game.state.slots)
    settings, static_value = dict(game.settings), linked.folder.static_value
    return Evaluator(linked.typed, settings, load, {}, static_value)


def cell_reader(schema: StateSchema, slots: Sequence[int]) -> Load:
    """A function that reads cells of a packed state by variable and keys."""

    def load(name: str, keys: tuple[int, ...]) -> int:
        variable = schema.variables[name]
        return slots[variable.base + variable.offsets[keys]]

    return load

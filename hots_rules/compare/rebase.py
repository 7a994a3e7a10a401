"""A game taken over to another ruleset: the same beginning, as far as that has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import frozen

from hots_rules.compare.differences import Change
from hots_rules.play.game import BaseGame
from hots_rules.play.ruleset import BaseRuleset, Setting
from hots_rules.records.choices import format_choice
from hots_rules.records.recording import initial_game, record_game
from hots_rules.rules.rulebook import Rulebook
from hots_rules.rules.typed import value_types as types
from hots_rules.state.schema import StateSchema
from hots_rules.state.state import State
from hots_rules.state.values import value_text
from hots_rules.syntax import tree

G = TypeVar("G", bound=BaseGame)


def begun_under(game: BaseGame, ruleset: BaseRuleset[BaseGame]) -> tuple[BaseGame, tuple[str, ...]]:
    """A game before its first action, under another ruleset: same seed, and the settings that exist there.

    The notes say which settings do not, of those that are not at their defaults.

    Raises:
        UnknownOption: the ruleset has no such scenario.
        BadPosition: the position at which the game began cannot be there.
    """
    if ruleset == game.ruleset:
        return initial_game(game), ()
    options, readings, _ = kept(game.options, game.readings, ruleset)
    *_, notes = kept(_really(game, game.options), _really(game, game.readings), ruleset)
    begin: dict[str, Any] = {
        "seed": game.seed,
        "options": options,
        "readings": readings,
        "chance": game.chance,
    }
    if game.initial_position is not None:
        return ruleset.position(game.initial_position, **begin), notes
    return ruleset.start(game.scenario, **begin), notes


def replay_under(
    game: G,
    ruleset: BaseRuleset[G] | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    readings: Mapping[str, Any] | None = None,
) -> G:
    """The same actions from the same beginning, under another ruleset or other choices.

    What falls on the way falls by the same seed. Options and readings of the game that the ruleset does
    not have are left out; those that are given must exist.

    Raises:
        UnknownOption: the ruleset has no such scenario, option, reading or value.
        BadPosition: the position at which the game began cannot be there.
        UnreadableAction: an action does not exist there.
        IllegalAction: an action is not legal there.
    """
    rules = ruleset if ruleset is not None else cast("BaseRuleset[G]", game.ruleset)
    own_options, own_readings, _ = kept(game.options, game.readings, rules)
    begin: dict[str, Any] = {
        "seed": game.seed,
        "options": {**own_options, **(options or {})},
        "readings": {**own_readings, **(readings or {})},
        "chance": game.chance,
    }
    at = game.initial_position
    again = rules.start(game.scenario, **begin) if at is None else rules.position(at, **begin)
    for entry in record_game(game).entries:
        again = again.play(entry.text)
    return again


def _really(game: BaseGame, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """What somebody chose: the settings that are not at their defaults."""
    known = game.ruleset.settings
    return {name: value for name, value in chosen.items() if value != known[name].default}


def kept(
    options: Mapping[str, Any], readings: Mapping[str, Any], ruleset: BaseRuleset[BaseGame]
) -> tuple[dict[str, Any], dict[str, Any], tuple[str, ...]]:
    """The options and readings that a ruleset has, and a note on each other one."""
    given = {**options, **readings}
    notes = [
        f"{name} {format_choice(value)}: {ruleset.name} has no such choice, it is left out"
        for name, value in given.items()
        if not _has(ruleset.settings.get(name), value)
    ]
    found = [
        {name: value for name, value in chosen.items() if _has(known.get(name), value)}
        for chosen, known in ((options, ruleset.options), (readings, ruleset.readings))
    ]
    return found[0], found[1], tuple(notes)


def _has(setting: Setting | None, value: Any) -> bool:
    return setting is not None and any(
        type(value) is type(known) and value == known for known in setting.values
    )


@frozen
class Shared:
    """The entries that the states of two rulesets both have, by their names: `place of Fox`.

    Types that are alike are one object in it, so that codes can be compared.
    """

    cells: tuple[tuple[str, int, types.Type, int, types.Type], ...]

    @classmethod
    def of(cls, one: StateSchema, other: StateSchema) -> Shared:
        """What two shapes have in common."""
        theirs = _cells(other)
        known: dict[types.Type, types.Type] = {}
        both = (
            (name, slot, known.setdefault(type_, type_), there, known.setdefault(their, their))
            for name, (slot, type_) in _cells(one).items()
            for there, their in [theirs.get(name, (0, types.ANY))]
            if name in theirs
        )
        return cls(tuple(both))

    def changes(self, one: State, other: State) -> tuple[Change, ...]:
        """The entries whose values are not alike."""
        found = []
        for name, slot, type_, other_slot, other_type in self.cells:
            code, other_code = one.slots[slot], other.slots[other_slot]
            if code == other_code and type_ is other_type:
                continue
            values = value_text(code, type_), value_text(other_code, other_type)
            if values[0] != values[1]:
                found.append(Change(name, *values))
        return tuple(found)


def _cells(schema: StateSchema) -> dict[str, tuple[int, types.Type]]:
    """Each entry of a state by its name: its slot, and its type."""
    found = {}
    for variable, keys, slot in schema.cells():
        words = [value_text(key, type_) for key, type_ in zip(keys, variable.keys, strict=True)]
        named = variable.name + (f" of {', '.join(words)}" if words else "")
        found[named] = slot, variable.type
    return found


def places_of(rulebook: Rulebook) -> dict[str, str]:
    """The words of a ruleset with the line that declares them: rows, values, variables, actions."""
    found: dict[str, str] = {}
    for entry in rulebook.entries.values():
        words: list[tree.Word] = []
        match entry.node:
            case tree.Table():
                words = [row.name for row in entry.node.rows]
            case tree.TypeAlias() if isinstance(entry.node.type, tree.UnionType):
                members = entry.node.type.members
                words = [each.name for each in members if isinstance(each, tree.NamedType)]
            case tree.Variable() | tree.Action() | tree.Scenario() | tree.Option() | tree.Reading():
                words = [entry.node.name]
        for word in words:
            found.setdefault(word.text, f"{word.span.file}:{word.span.line}")
    return found

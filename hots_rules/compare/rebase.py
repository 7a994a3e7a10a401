"""A game under another ruleset: the same beginning and actions, as far as the ruleset has them."""

from __future__ import annotations

from typing import cast

from attrs import frozen

from hots_rules.compare.difference import Change
from hots_rules.compile.codes import value_text
from hots_rules.play.game import AnyRuleset, BaseGame, G
from hots_rules.play.restart import begin_as
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.play.settings import Choices
from hots_rules.records.recording import format_choice, initial_game, kept_choices, record_game
from hots_rules.rules.rulebook import Rulebook
from hots_rules.rules.typed import value_types as types
from hots_rules.state.schema import StateSchema
from hots_rules.state.state import State
from hots_rules.syntax import tree


def start_under(game: BaseGame, ruleset: AnyRuleset) -> tuple[BaseGame, tuple[str, ...]]:
    """The beginning of a game under another ruleset, with the settings that exist there.

    It also returns a note on each setting that does not exist there and is not at its default.

    Raises:
        UnknownName: the ruleset has no such scenario.
        BadPosition: the ruleset does not allow the position at which the game began.
    """
    if ruleset == game.ruleset:
        return initial_game(game), ()
    options, readings, _ = supported_settings(game.options, game.readings, ruleset)
    *_, notes = supported_settings(
        _non_default(game, game.options), _non_default(game, game.readings), ruleset
    )
    return begin_as(game, ruleset, options, readings), notes


def replay_under(
    game: G,
    ruleset: BaseRuleset[G] | None = None,
    *,
    options: Choices | None = None,
    readings: Choices | None = None,
) -> G:
    """The game replayed under another ruleset, or with other options and readings.

    The seed is the same. Options and readings of the game that the ruleset does not have are dropped.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> hr.compare.replay_under(game, hr.load("hots-3.x")).ruleset.name
    'hots-3.x'

    Args:
        game: the game.
        ruleset: the other ruleset; that of the game if omitted.
        options: options that replace those of the game; they must exist.
        readings: readings that replace those of the game; they must exist.

    Raises:
        ArgumentError: the ruleset has no such scenario, option, reading or value.
        BadPosition: the ruleset does not allow the position at which the game began.
        UnreadableAction: an action does not exist in the ruleset.
        IllegalAction: an action is not legal in it.
    """
    rules = ruleset if ruleset is not None else cast("BaseRuleset[G]", game.ruleset)
    own_options, own_readings, _ = supported_settings(game.options, game.readings, rules)
    replayed = begin_as(
        game, rules, {**own_options, **(options or {})}, {**own_readings, **(readings or {})}
    )
    for entry in record_game(game).entries:
        replayed = replayed.play(entry.text)
    return replayed


def _non_default(game: BaseGame, chosen: Choices) -> Choices:
    """The settings that are not at their defaults."""
    settings = game.ruleset.settings
    return {name: value for name, value in chosen.items() if value != settings[name].default}


def supported_settings(
    options: Choices, readings: Choices, ruleset: AnyRuleset
) -> tuple[Choices, Choices, tuple[str, ...]]:
    """The options and readings that a ruleset has, and a note on each of the others."""
    kept_options, lost_options = kept_choices(options, ruleset.options)
    kept_readings, lost_readings = kept_choices(readings, ruleset.readings)
    notes = (
        f"{name} {format_choice(value)}: {ruleset.name} has no such choice, it is left out"
        for name, value in {**lost_options, **lost_readings}.items()
    )
    return kept_options, kept_readings, tuple(notes)


@frozen
class SharedEntries:
    """The entries that the states of two rulesets have in common, by name: `place of Fox`.

    Equal types are one object in it, so that codes can be compared.
    """

    cells: tuple[tuple[str, int, types.Type, int, types.Type], ...]
    """The name of each entry, and its slot and type in the first and in the second ruleset."""

    @classmethod
    def of(cls, first: StateSchema, second: StateSchema) -> SharedEntries:
        """The entries that two schemas have in common."""
        theirs = _cells(second)
        shared_types: dict[types.Type, types.Type] = {}
        both = (
            (
                name,
                *_with_shared_type(shared_types, *cell),
                *_with_shared_type(shared_types, *theirs[name]),
            )
            for name, cell in _cells(first).items()
            if name in theirs
        )
        return cls(tuple(both))

    def changes(self, first: State, second: State) -> tuple[Change, ...]:
        """The entries whose values differ."""
        changes = []
        for name, slot, type_, other_slot, other_type in self.cells:
            code, other_code = first.slots[slot], second.slots[other_slot]
            if code == other_code and type_ is other_type:
                continue
            values = value_text(code, type_), value_text(other_code, other_type)
            if values[0] != values[1]:
                changes.append(Change(name, *values))
        return tuple(changes)


def _with_shared_type(
    shared_types: dict[types.Type, types.Type], slot: int, type_: types.Type
) -> tuple[int, types.Type]:
    """A cell whose type is the first equal one that was seen."""
    return slot, shared_types.setdefault(type_, type_)


def _cells(schema: StateSchema) -> dict[str, tuple[int, types.Type]]:
    """The entries of a state by name, with their slots and types."""
    by_name = {}
    for variable, keys, slot in schema.cells():
        words = [value_text(key, type_) for key, type_ in zip(keys, variable.keys, strict=True)]
        named = variable.name + (f" of {', '.join(words)}" if words else "")
        by_name[named] = slot, variable.type
    return by_name


def declared_names(rulebook: Rulebook) -> dict[str, str]:
    """The names that a ruleset declares, with file and line: rows, values, variables, actions, settings."""
    places: dict[str, str] = {}
    for entry in rulebook.entries.values():
        words: list[tree.Word] = []
        match entry.node:
            case tree.Table():
                words = [row.name for row in entry.node.rows]
            case tree.TypeAlias() if isinstance(entry.node.type, tree.UnionType):
                members = entry.node.type.members
                words = [member.name for member in members if isinstance(member, tree.NamedType)]
            case tree.Variable() | tree.Action() | tree.Scenario() | tree.Option() | tree.Reading():
                words = [entry.node.name]
        for word in words:
            places.setdefault(word.text, f"{word.span.file}:{word.span.line}")
    return places

"""A position while it is set up: changed one value at a time, drawn and checked although it is not right yet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, cast

from attrs import frozen

from hots_rules.compile.codes import POINT, codes_of, value_text
from hots_rules.diagnostics import BadPosition
from hots_rules.play.game import AnyRuleset, G
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.play.settings import Choices
from hots_rules.rules.typed import value_types as types
from hots_rules.state.labels import Labels
from hots_rules.state.position import edited_position, position_text, unchecked_state
from hots_rules.state.state import State

SEED = "draft"  # of what a scenario deals: the same text always gives the same position
MAX_CHOICES = 200  # values of a type that are listed

Choice = tuple[str, str]
"""A value as it stands in a position, and its word for people."""


@frozen
class DraftVariable:
    """A variable that a position sets.

    Attributes:
        name: its name.
        keys: for each key, its type.
        type: the type of its value; of a set, that of its members.
        is_set: whether its value is a set.
    """

    name: str
    keys: tuple[str, ...]
    type: str
    is_set: bool


@frozen
class DraftForm:
    """What can be set in the positions of a ruleset.

    Attributes:
        variables: the variables, in the order of the ruleset.
        choices: by type the values to choose from; none where a value is typed.
    """

    variables: tuple[DraftVariable, ...]
    choices: Mapping[str, tuple[Choice, ...]]


@frozen
class Draft(Generic[G]):
    """A position while it is set up.

    Attributes:
        text: the position; as it was given where it cannot be read.
        faults: what is wrong with it; it can be played if there is nothing.
        drawn: the position as a game to draw, in which nothing was played; None if it cannot be read.
        game: the game that begins there; None if there are faults.
        values: by variable, the value for each combination of keys, with `, ` between them, as it stands in a position.
    """

    text: str
    faults: tuple[str, ...]
    drawn: G | None
    game: G | None
    values: Mapping[str, Mapping[str, str]]


def draft_form(ruleset: AnyRuleset) -> DraftForm:
    """What can be set in the positions of a ruleset, with words in its language.

    >>> import hots_rules as hr
    >>> from hots_rules import editing
    >>> form = editing.draft_form(hr.load("connect-four-1.0"))
    >>> [(each.name, each.keys, each.type) for each in form.variables]
    [('disc', ('Cell',), 'Player?')]
    """
    variables, used = [], dict[str, types.Type]()
    for variable in ruleset.schema.variables.values():
        type_ = variable.type
        member = type_.member if isinstance(type_, types.SetType) else type_
        for used_type in (*variable.keys, member):
            used[str(used_type)] = used_type
        keys = tuple(map(str, variable.keys))
        is_set = isinstance(type_, types.SetType)
        variables.append(DraftVariable(variable.name, keys, str(member), is_set))
    choices = {name: _choices(ruleset.labels, type_) for name, type_ in used.items()}
    return DraftForm(tuple(variables), choices)


def _choices(labels: Labels, type_: types.Type) -> tuple[Choice, ...]:
    """The values of a type; none if there are many, or they are no simple ones."""
    is_simple = isinstance(type_, types.WordType | types.BoolType | types.IntType)
    if not is_simple or types.size(type_) > MAX_CHOICES:
        return ()
    codes = codes_of(type_)
    return tuple((value_text(code, type_), labels.format_value(code, type_)) for code in codes)


def draft(
    ruleset: BaseRuleset[G],
    text: str,
    change: str = "",
    *,
    options: Choices | None = None,
    readings: Choices | None = None,
) -> Draft[G]:
    """A position with its faults, perhaps after a change.

    Args:
        ruleset: the ruleset.
        text: the position as it was.
        change: lines of a position that replace some of it.
        options: values of options by name; the others have their defaults.
        readings: values of readings by name; the others have their defaults.

    Raises:
        ArgumentError: no such option, reading or value.

    >>> import hots_rules as hr
    >>> from hots_rules import editing
    >>> drafted = editing.draft(hr.load("connect-four-1.0"), "Cell_a_1: disc Red", "Cell_b_1: disc Red")
    >>> drafted.values["disc"]["Cell_b_1"], drafted.game is None, len(drafted.faults)
    ('Red', True, 1)
    """
    settings = ruleset.chosen(options or {}, readings or {})
    machine, schema = ruleset.machine(settings), ruleset.schema_under(settings)
    try:
        ruleset.check_position_size(text)
        ruleset.check_position_size(change)
        state, moment = unchecked_state(schema, machine, text, SEED)
        if change:
            text = edited_position(machine, state, change, SEED, moment)
            state, moment = unchecked_state(schema, machine, text, SEED)
    except BadPosition as error:
        return Draft(text, error.faults, None, None, {})
    text = position_text(state) + moment
    slots = list(state.slots)
    slots[POINT] = 0  # nothing is played
    at_rest = State(tuple(slots), schema)
    drawn = cast(
        "G",
        ruleset.game_type(
            ruleset,
            scenario="",
            seed=SEED,
            settings=settings,
            chance="auto",
            state=at_rest,
            initial_position=text,
        ),
    )
    try:
        game = ruleset.position(text, seed=SEED, options=options, readings=readings)
    except BadPosition as error:
        return Draft(text, error.faults, drawn, None, _values(state))
    return Draft(text, (), drawn, game, _values(state))


def _values(state: State) -> dict[str, dict[str, str]]:
    values: dict[str, dict[str, str]] = {}
    for variable, keys, slot in state.schema.cells():
        texts = (value_text(key, type_) for key, type_ in zip(keys, variable.keys, strict=True))
        values.setdefault(variable.name, {})[", ".join(texts)] = value_text(
            state.slots[slot], variable.type
        )
    return values

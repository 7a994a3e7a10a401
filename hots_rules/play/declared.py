"""What a ruleset declares, for programs: the values of its types, its actions with their parameters, its tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from attrs import frozen

from hots_rules._frozen import FrozenDict, frozen_value
from hots_rules.compile.codes import name_of
from hots_rules.rules.typed import value_types as types

if TYPE_CHECKING:
    from hots_rules.compile.facts import ActionFacts
    from hots_rules.rules.typed.tast import TableDef
    from hots_rules.state.labels import Labels
    from hots_rules.state.schema import StateSchema


@frozen
class ActionType:
    """An action that the ruleset declares.

    >>> import hots_rules as hr
    >>> move = hr.load("hots-4.0").actions["move"]
    >>> dict(move.params), move.sections
    ({'from': 'Area', 'block': 'Block', 'to': 'Area'}, ('4.2',))

    Attributes:
        name: its name, as in `Action.name`.
        params: the type of each argument by name, in order: a name of `Ruleset.words`, or a range such as `1..6`.
        label: how its text is written, with the arguments in braces; in the language of the ruleset.
        summary: its sentence, in that language.
        sections: the sections that it comes from.
    """

    name: str
    params: Mapping[str, str]
    label: str
    summary: str
    sections: tuple[str, ...]


@frozen
class Table:
    """A table of the ruleset, such as the pieces with their ratings.

    >>> import hots_rules as hr
    >>> table = hr.load("hots-4.0").tables["Card"]
    >>> table.columns["copies"], table.rows["Move_1"]["copies"]
    ('1..10', 7)

    Attributes:
        name: its name, which is that of the type of its rows.
        columns: the type of each column.
        rows: the values of each row by column, by the name of the row.
    """

    name: str
    columns: Mapping[str, str]
    rows: Mapping[str, Mapping[str, Any]]


@frozen
class MapLine:
    """A line between places of the map; the colour may be empty.

    >>> import hots_rules as hr
    >>> line = hr.load("hots-4.0").map.lines[0]
    >>> len(line.ends), line.colour
    (2, 'green')
    """

    ends: tuple[str, ...]
    """The names of its places."""
    colour: str
    """Its colour, as the ruleset names it."""


@frozen
class DeclaredMap:
    """The map that the ruleset declares; empty without one.

    >>> import hots_rules as hr
    >>> declared = hr.load("hots-4.0").map
    >>> len(declared.places), len(declared.lines)
    (23, 49)

    Attributes:
        places: where each place is, by name: across and down.
        lines: the lines between places.
    """

    places: Mapping[str, tuple[int, ...]]
    lines: tuple[MapLine, ...]


def declared_map(schema: StateSchema) -> DeclaredMap:
    """The map of a ruleset by its schema."""
    facts, type_ = schema.facts.map, schema.place_type
    if facts is None or type_ is None:
        return DeclaredMap(FrozenDict(), ())
    names = {code: str(schema.to_python(code, type_)) for code in facts.spots}
    places = FrozenDict({names[code]: spot for code, spot in facts.spots.items()})
    lines = [MapLine(tuple(names[end] for end in link.ends), link.colour) for link in facts.links]
    return DeclaredMap(places, tuple(lines))


def declared_words(labels: Labels) -> Mapping[str, Mapping[str, str]]:
    """The word of each value, by its name, of every named type that actions, variables and tables use."""
    word_types: dict[str, types.WordType] = {}
    facts = labels.schema.facts
    for action in facts.actions:
        for param in action.params:
            _collect(param.type, word_types)
    for variable in facts.variables:
        for type_ in (*variable.keys, variable.type):
            _collect(type_, word_types)
    return FrozenDict({name: _words(labels, type_) for name, type_ in word_types.items()})


def _collect(type_: types.Type, word_types: dict[str, types.WordType]) -> None:
    match type_:
        case types.WordType():
            word_types.setdefault(type_.name, type_)
        case types.SetType():
            _collect(type_.member, word_types)
        case types.PairType():
            _collect(type_.left, word_types)
            _collect(type_.right, word_types)


def _words(labels: Labels, type_: types.WordType) -> Mapping[str, str]:
    names = (name_of(value, type_) for value in type_.values)
    return FrozenDict(zip(names, labels.words(type_), strict=True))


def declared_action(labels: Labels, label: str, facts: ActionFacts) -> ActionType:
    """The action that some facts describe."""
    params = FrozenDict({param.name: str(param.type) for param in facts.params})
    return ActionType(
        facts.name, params, label, labels.summary(facts.origin), facts.origin.sections
    )


def declared_table(schema: StateSchema, row_type: types.WordType, table: TableDef) -> Table:
    """A table with its rows as plain values."""
    columns = table.columns.items()
    rows = {
        name_of(value, row_type): (
            {name: schema.to_python(column.values[i], column.type) for name, column in columns}
        )
        for i, value in enumerate(row_type.values)
    }
    return Table(table.name, FrozenDict({n: str(c.type) for n, c in columns}), frozen_value(rows))

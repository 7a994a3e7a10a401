"""Look-ups in the state, the tables and the labels of a ruleset, by the names that a board gives."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from attrs import field, frozen

from hots_rules.compile.facts import Variable
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import TableDef, TypedRuleset
from hots_rules.state.data_text import UNKNOWN
from hots_rules.state.labels import Labels
from hots_rules.state.schema import StateSchema


@frozen(slots=False)
class RulesetFacts:
    """The labels of a ruleset, its tables, and a state as plain data, as in `State.as_dict` or a view."""

    labels: Labels
    typed: TypedRuleset = field(repr=False)
    values: Mapping[str, Any] = field(repr=False)
    # By the id of a type, which the rules keep alive: hashing a long type costs more than this.
    _words: dict[int, dict[str, int]] = field(factory=dict, repr=False)

    @property
    def schema(self) -> StateSchema:
        """The schema of the state."""
        return self.labels.schema

    @property
    def location(self) -> Variable | None:
        """The variable with the places of the pieces: that of the map, or the first one."""
        return self.schema.location

    @property
    def details(self) -> tuple[Variable, ...]:
        """The other variables with the same pieces as keys."""
        return self.schema.details

    @property
    def owner(self) -> Variable | None:
        """The variable with the owners of the pieces."""
        return self.schema.owner

    def variable(self, name: str) -> Variable | None:
        """A state variable that is shown, if there is one of this name."""
        variable = self.schema.variables.get(name)
        return None if variable is None or variable.is_internal else variable

    def single(self, name: str) -> object:
        """The value of a variable without keys, as plain data; None if it is unknown or there is none."""
        variable = self.variable(name)
        value = self.values[name] if variable is not None and not variable.keys else None
        return None if value == UNKNOWN else value

    def detail(self, name: str, key: str, word: types.Value | None) -> object:
        """What a variable or a column tells of a piece, as plain data; None if it is unknown."""
        variable = self.variable(name)
        if variable is not None and variable in self.details:
            value = self.values[name].get(key)
            return None if value == UNKNOWN else value
        code_and_type = self.cell(name, word) if word is not None else None
        return None if code_and_type is None else self.schema.to_python(*code_and_type)

    def cell(self, column: str, word: types.Value) -> tuple[int, types.Type] | None:
        """The code in a column of the table whose row a value is, with its type."""
        table_and_row = self._row_of(word)
        if table_and_row is None or column not in table_and_row[0].columns:
            return None
        table, row = table_and_row
        return table.columns[column].values[row], table.columns[column].type

    def _row_of(self, word: types.Value) -> tuple[TableDef, int] | None:
        """The table of which a value is a row, or the product of which it is a value, and its number there."""
        table_and_rows = self._tables.get(word[0])
        if table_and_rows is None:
            return None
        table, rows = table_and_rows
        return table, rows.codes[word]

    @cached_property
    def _tables(self) -> Mapping[str, tuple[TableDef, types.WordType]]:
        """The tables with the types of their rows, by the name with which the values of these begin."""
        return {
            rows.values[0][0]: (table, rows)
            for name, table in self.typed.tables.items()
            if isinstance(rows := self.typed.types.get(name), types.WordType) and rows.values
        }

    def owner_in(self, word: types.Value) -> int | None:
        """The number of the player whom the row of a word names, in its table or as a part of a product."""
        table_and_row = self._row_of(word)
        if table_and_row is None:
            return None
        table, row = table_and_row
        players = self.schema.players
        for column in table.columns.values():
            if self.schema.is_of_players(column.type):
                name = self.schema.to_python(column.values[row], column.type)
                return players.index(str(name)) if name in players else None
        return None

    def words_of(self, type_: types.WordType) -> dict[str, int]:
        """The code of each value of a type, by its name in plain data."""
        words = self._words.get(id(type_))
        if words is None:
            names = (str(self.schema.to_python(code, type_)) for code in range(len(type_.values)))
            words = self._words[id(type_)] = {name: code for code, name in enumerate(names)}
        return words

    def text(self, value: object, type_: types.Type) -> str:
        """A value of plain data in words; unchanged if it is no value of the type."""
        code: int | None = None
        if isinstance(value, str) and isinstance(type_, types.WordType):
            code = self.words_of(type_).get(value)
        if code is None:
            code = self.schema.value_parser().value(str(value), type_)
        return str(value) if code is None else self.labels.format_value(code, type_)

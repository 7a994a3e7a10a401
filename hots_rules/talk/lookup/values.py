"""What a ruleset says of a value: its row in a table, the rows that name it, its rules, its place in a game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import frozen

from hots_rules.compile.codes import bits
from hots_rules.compile.evaluate import Budget, Evaluator
from hots_rules.diagnostics import EngineError
from hots_rules.explain.declared.declaration import Declaration
from hots_rules.explain.declared.declarations import contents_of, in_language
from hots_rules.explain.query import QuestionAnswerer
from hots_rules.play.game import AnyRuleset, BaseGame
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr, QuestionDef, TableDef, TypedRuleset
from hots_rules.talk.lookup.stems import stems, words_in

_NAME = re.compile(r"\w+(?:\.\w+)?")
if TYPE_CHECKING:
    from hots_rules.rules.rulebook import Rulebook

# A name that more rules mention says little about each of them.
_MANY = 12
_KINDS = frozenset({"rule", "action", "stage", "reading"})  # phases name what they set up


@frozen
class MapLink:
    """`links Border by ends in colour`: a table with a row for each link between places."""

    table: str
    ends: str
    colour: str


@frozen
class MapColumns:
    """The columns that only draw the map, and the tables that link its places."""

    drawing: tuple[str, ...] = ()
    links: tuple[MapLink, ...] = ()


def _read_map(rulebook: Rulebook) -> MapColumns:
    from hots_rules.syntax import tree

    for entry in rulebook.of_kind("map"):
        if isinstance(entry.node, tree.Map):
            links = (
                MapLink(link.table.text, link.ends.text, link.colour.text if link.colour else "")
                for link in entry.node.links
            )
            return MapColumns((entry.node.across.text, entry.node.down.text), tuple(links))
    return MapColumns()


class _ReadsState(Exception):
    """A definition reads the state, so it is no fact of the tables."""


@frozen(slots=False, eq=False)
class ValueFacts:
    """What a ruleset says of its values, in its language."""

    ruleset: AnyRuleset

    @property
    def _typed(self) -> TypedRuleset:
        return self.ruleset.compiled.typed

    # -------------------------------------------------------------- names
    def values_named(self, name: str) -> tuple[types.Value, ...]:
        """The values with a name in any language, in the order of the ruleset: rows of tables first."""
        asked = {tuple(words) for words in self._folded(name)}
        found = [
            value
            for value, names in self._names.items()
            if any(tuple(words) in asked for each in names for words in self._folded(each))
        ]
        return tuple(sorted(found, key=lambda value: value[0] not in self._typed.tables))

    def _folded(self, text: str) -> list[list[str]]:
        """A name as the stems of its words, in each language."""
        words = words_in(text.replace("_", " "))
        return [[stems(word, language)[0] for word in words] for language in self.ruleset.languages]

    @cached_property
    def _names(self) -> dict[types.Value, set[str]]:
        """The names of the values that the tables are about."""
        labels = self.ruleset.schema.facts.labels
        names = {}
        for value in table_values(self._typed):
            owner, word = value
            labelled = (
                texts.get(f"{owner}.{word}") or texts.get(word) for texts in labels.values()
            )
            names[value] = {word, *filter(None, labelled)}
        return names

    def is_row(self, value: types.Value) -> bool:
        """Whether a value is a row of a table."""
        return value[0] in self._typed.tables

    def kinds(self, value: types.Value) -> tuple[types.Value, ...]:
        """The words in the columns of the row of a value."""
        table = self._typed.tables.get(value[0])
        if table is None:
            return ()
        code, columns = self._rows(table).codes[value], table.columns.values()
        words = (
            c.type.values[c.values[code]] for c in columns if isinstance(c.type, types.WordType)
        )
        return tuple(word for word in words if word != types.NONE)

    def words_for(self, value: types.Value) -> tuple[str, ...]:
        """The names of a value, of its kinds and of what is true of it, in the language of the ruleset; no letters."""
        labels = self.ruleset.labels
        words = [labels.word(name) for name in (value, *self.kinds(value))]
        words += (labels.name("column", column) for column in self._true_columns(value))
        return tuple(word for word in words if len(word) > 1)

    def _true_columns(self, value: types.Value) -> Iterator[str]:
        table = self._typed.tables.get(value[0])
        if table is not None:
            code = self._rows(table).codes[value]
            for name, column in table.columns.items():
                if isinstance(column.type, types.BoolType) and column.values[code]:
                    yield name

    def is_alone(self, value: types.Value) -> bool:
        """Whether a word of a column is that of one row alone, which has the same name."""
        if self.is_row(value):
            return False
        rows = [
            self._rows(table).values[code]
            for table in self._typed.tables.values()
            for column in table.columns.values()
            for code, held in enumerate(column.values)
            if _holds(held, column.type, value)
        ]
        word = self.ruleset.labels.word
        return len(rows) == 1 and word(rows[0]) == word(value)

    # -------------------------------------------------------------- tables
    def facts(self, value: types.Value) -> Iterator[tuple[str, str]]:
        """What the tables hold of a value: its row, then the rows that name it."""
        table = self._typed.tables.get(value[0])
        if table is not None:
            code = self._rows(table).codes[value]
            yield from self._row(table, code)
            yield from self._definitions(self._rows(table), code)
        declared = {
            declaration.name for declaration in self._declarations if declaration.kind == "table"
        }
        for other in self._typed.tables.values():
            if other.name in declared:  # the others are made by types whose words have parts
                yield from self._mentions(other, value)

    @property
    def _declarations(self) -> tuple[Declaration, ...]:
        return contents_of(self.ruleset.compiled).declarations

    def _rows(self, table: TableDef) -> types.WordType:
        rows = self._typed.types[table.name]
        assert isinstance(rows, types.WordType)
        return rows

    def _row(self, table: TableDef, code: int) -> Iterator[tuple[str, str]]:
        for name, column in table.columns.items():
            held = column.values[code]
            if name not in self._map.drawing and not _is_empty(held, column.type):
                yield self.ruleset.labels.name("column", name), self._text(held, column.type)

    def _text(self, code: int, type_: types.Type) -> str:
        labels = self.ruleset.labels
        if isinstance(type_, types.SetType):
            return ", ".join(labels.format_value(member, type_.member) for member in bits(code))
        return labels.format_value(code, type_)

    @cached_property
    def _map(self) -> MapColumns:
        return self.ruleset.compiled.kept(MapColumns, (MapLink,), _read_map)

    def _mentions(self, table: TableDef, value: types.Value) -> Iterator[tuple[str, str]]:
        """The rows of a table that name a value in a column; of its own table those that its own row does not name."""
        rows, labels = self._rows(table), self.ruleset.labels
        for name, column in table.columns.items():
            is_own = table.name == value[0]
            own_cell = column.values[rows.codes[value]] if is_own else 0
            found = [
                code
                for code, held in enumerate(column.values)
                if _holds(held, column.type, value)
                and not (is_own and _holds(own_cell, column.type, rows.values[code]))
            ]
            if not found:
                continue
            title = labels.name("type", table.name).lower()
            # Where places themselves have the lines, a row is a place and not a line.
            links = (each for each in self._map.links if each.table == table.name and not is_own)
            link = next((each for each in links if each.ends == name), None)
            if link is not None:
                yield title, ", ".join(self._linked(table, link, code, value) for code in found)
                continue
            if isinstance(column.type, types.SetType):
                title = f"{title}, {labels.name('column', name)}"
            listed = ", ".join(labels.words(rows)[code] for code in found)
            yield f"{title} ({len(found)})", listed

    def _linked(self, table: TableDef, link: MapLink, code: int, value: types.Value) -> str:
        """The other end of a link between places, with its colour and what is defined of it."""
        ends = table.columns[link.ends]
        assert isinstance(ends.type, types.SetType)
        member = ends.type.member
        assert isinstance(member, types.WordType)
        others = [
            self.ruleset.labels.words(member)[end]
            for end in bits(ends.values[code])
            if member.values[end] != value
        ]
        notes = []
        if link.colour:
            colour = table.columns[link.colour]
            notes.append(self._text(colour.values[code], colour.type))
        notes += (f"{name} {text}" for name, text in self._definitions(self._rows(table), code))
        return f"{' '.join(others)} ({', '.join(notes)})" if notes else " ".join(others)

    def _definitions(self, type_: types.WordType, code: int) -> Iterator[tuple[str, str]]:
        """The numbers and words that definitions with an English label give for a value in every state."""
        labels = self.ruleset.labels
        for name, definition in self._typed.definitions.items():
            is_shown = f"define {name}" in labels.english.declared
            of_one = len(definition.params) == 1 and definition.params[0].type == type_
            is_plain = isinstance(definition.body.type, types.IntType | types.WordType)
            if not (is_shown and of_one and is_plain):
                continue
            held = self._static_value(definition.body, {definition.params[0].name: code})
            if held is not None:
                yield labels.name("define", name), self._text(held, definition.body.type)

    def _static_value(self, expression: Expr, local: dict[str, int]) -> int | None:
        """The value of an expression that is the same in every state; None for others."""
        try:
            return self._evaluator.value(expression, local)
        except (_ReadsState, EngineError):
            return None

    @cached_property
    def _evaluator(self) -> Evaluator:
        def load(variable: str, keys: tuple[int, ...]) -> int:
            raise _ReadsState

        settings = dict(self.ruleset.compiled.default_settings)
        budget = Budget.to_answer(self.ruleset.limits.answer_steps)
        return Evaluator(self._typed, settings, load, budget=budget)

    # -------------------------------------------------------------- a game
    def answers(
        self, value: types.Value, game: BaseGame, player: str | None
    ) -> Iterator[tuple[str, str]]:
        """The answers to the questions of the ruleset about a value alone, as far as a player may know."""
        answerer = QuestionAnswerer.of(game, player)
        for question in self._typed.questions.values():
            code = _code_in(question, value)
            if code is None:
                continue
            local = {question.params[0].name: code}
            if self._static_value(question.body, local) is not None:
                continue  # the tables have told it
            answer = answerer.answer(question, local)
            if answer.value not in ([], None, 0, False):
                yield self._asked(question, value), answer.text

    def _asked(self, question: QuestionDef, value: types.Value) -> str:
        text = self.ruleset.labels.label(f"question {question.name}", question.origin.summary)
        asked = text.replace(f"{{{question.names[0]}}}", self.ruleset.labels.word(value))
        return asked if asked.endswith("?") else f"{asked}:"

    # -------------------------------------------------------------- rules
    def rules_about(self, value: types.Value) -> tuple[Declaration, ...]:
        """The declarations with a sentence that name a value, then those that name what its row says of it."""
        found: dict[tuple[str, str], Declaration] = {}
        for name in self._told_by(value):
            mentioning = self._mentioning.get(name, ())
            if len(mentioning) <= _MANY:
                found |= {
                    (each.kind, each.name): each
                    for each in mentioning
                    if (each.kind, each.name) not in found
                }
        return tuple(found.values())

    def _told_by(self, value: types.Value) -> Iterator[str]:
        """The names that rules use for a value: its own, its columns that are true, and its words there."""
        owner, word = value
        yield f"{owner}.{word}"
        yield word
        yield from self._true_columns(value)
        yield from (word for _, word in self.kinds(value))

    @cached_property
    def _mentioning(self) -> dict[str, tuple[Declaration, ...]]:
        """The declarations with a sentence by the names in them, or in a definition that they use."""
        declarations = in_language(self.ruleset, contents_of(self.ruleset.compiled).declarations)
        definitions = {each.name: _names_in(each) for each in declarations if each.kind == "define"}
        by_name: dict[str, list[Declaration]] = {}
        for each in declarations:
            if each.kind in _KINDS and each.summary:
                own = _names_in(each)
                used = set().union(*(definitions.get(name, set()) for name in own))
                for name in sorted(own | used):
                    by_name.setdefault(name, []).append(each)
        return {name: tuple(listed) for name, listed in by_name.items()}


def table_values(typed: TypedRuleset) -> tuple[types.Value, ...]:
    """The values that tables are about: the players, the rows, and the words in their columns."""
    columns = (column.type for table in typed.tables.values() for column in table.columns.values())
    rows = (type_ for name, type_ in typed.types.items() if name in typed.tables)
    listed = (types_of(type_) for type_ in (typed.players, *rows, *columns))
    return tuple(dict.fromkeys(value for values in listed for value in values))


def types_of(type_: types.Type) -> tuple[types.Value, ...]:
    """The words of a type, or of the members of a set."""
    if isinstance(type_, types.SetType):
        return types_of(type_.member)
    if not isinstance(type_, types.WordType):
        return ()
    return tuple(value for value in type_.values if value != types.NONE)


def _is_empty(held: int, type_: types.Type) -> bool:
    """Whether a cell holds nothing to tell: no truth, no members, or `none`."""
    if isinstance(type_, types.WordType):
        return type_.values[held] == types.NONE
    return isinstance(type_, types.BoolType | types.SetType) and not held


def _holds(held: int, type_: types.Type, value: types.Value) -> bool:
    """Whether a cell is a value, or a set with it."""
    if isinstance(type_, types.SetType):
        return isinstance(type_.member, types.WordType) and any(
            type_.member.values[member] == value for member in bits(held)
        )
    return isinstance(type_, types.WordType) and type_.values[held] == value


def _code_in(question: QuestionDef, value: types.Value) -> int | None:
    """The code of a value, if it is what a question asks about alone."""
    if len(question.params) != 1:
        return None
    type_ = question.params[0].type
    return type_.codes.get(value) if isinstance(type_, types.WordType) else None


def _names_in(declaration: Declaration) -> set[str]:
    """The names in the code of a declaration, without its texts and comments."""
    code = re.sub(r'"[^"]*"|#.*', "", declaration.source)
    return set(_NAME.findall(code))

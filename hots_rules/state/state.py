"""The state of a game at one moment."""

from __future__ import annotations

from typing import Any

from attrs import field, frozen

from hots_rules._frozen import FrozenDict, FrozenList
from hots_rules.compile.codes import codes_of, value_text
from hots_rules.compile.facts import Variable
from hots_rules.diagnostics import UnknownName
from hots_rules.report.html_printer import notebook_table
from hots_rules.rules.typed import value_types as types
from hots_rules.state.data_text import plain
from hots_rules.state.schema import PlainValue, StateSchema


@frozen
class State:
    """All variables of a game, and the point of play: an immutable value that can be hashed and pickled.

    `slots` are small integers; two states are equal when all of them are. Read variables by
    their name in the ruleset: `state["year"]`, `state["place", "Fox"]`. An untrusted pickle can run
    any code: do not load it.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> game.state["year"]
    1297

    Attributes:
        slots: the packed state.
        schema: the variables and their types.
    """

    slots: tuple[int, ...] = field(repr=False)
    schema: StateSchema = field(eq=False, repr=False)

    def __repr__(self) -> str:
        return (
            f"<State of {self.schema.name}, {len(self.slots)} slots, {hash(self) & 0xFFFFFFFF:08x}>"
        )

    def _repr_html_(self) -> str:
        """The variables that are not blank, for notebooks."""
        texts = ((name, plain(value)) for name, value in self.as_dict().items())
        rows = ((name.replace("_", " "), text) for name, text in texts if text)
        return notebook_table(rows, self.schema.name)

    def __copy__(self) -> State:
        return self

    def __deepcopy__(self, _: object) -> State:
        return self

    def __getitem__(self, key: object) -> Any:
        """The value of a variable as plain data: a name, a number, a bool, a list for a set, None for `none`.

        A map read without keys is a dict by the names of the ruleset, with tuples for several keys.
        Labels are accepted as keys as well: `state["place", "Red Fox"]`. Dicts and lists refuse changes.

        Raises:
            UnknownName: no such variable or key; it is a `KeyError`.
        """
        name, *keys = key if isinstance(key, tuple) and key else (key,)
        variable = self.schema.variables.get(name) if isinstance(name, str) else None
        if variable is None:
            raise UnknownName("variable", name, self.schema.variables)
        if not keys and variable.keys:
            return FrozenDict(
                {
                    self._key(variable, codes): self._plain(variable, i)
                    for i, codes in enumerate(variable.key_codes)
                }
            )
        if len(keys) != len(variable.keys):
            form = ", ".join([variable.name, *map(str, variable.keys)])
            got = ", ".join([variable.name, *map(str, keys)])
            raise UnknownName("key", got, (form,))
        codes = tuple(
            _code_of(self.schema, word, type_)
            for word, type_ in zip(keys, variable.keys, strict=True)
        )
        return self._plain(variable, variable.offsets[codes])

    def _plain(self, variable: Variable, offset: int) -> PlainValue:
        value = self.schema.to_python(self.slots[variable.base + offset], variable.type)
        return FrozenList(value) if isinstance(value, list) else value

    def _key(
        self, variable: Variable, codes: tuple[int, ...]
    ) -> PlainValue | tuple[PlainValue, ...]:
        words = tuple(
            self.schema.to_python(code, type_)
            if isinstance(type_, types.WordType | types.IntType | types.BoolType)
            else value_text(code, type_)
            for code, type_ in zip(codes, variable.keys, strict=True)
        )
        return words[0] if len(words) == 1 else words

    def as_dict(self) -> dict[str, Any]:
        """All variables by name, as plain data for JSON; a new dict, which its owner may change.

        A map is a dict by the names of its keys, with one level for each key:
        `{"hand": {"Red": {"One": 2}}}`.
        """
        values: dict[str, Any] = {}
        for variable, keys, slot in self.schema.cells():
            inner, last = values, variable.name
            for key, type_ in zip(keys, variable.keys, strict=True):
                inner, last = inner.setdefault(last, {}), value_text(key, type_)
            inner[last] = self.schema.to_python(self.slots[slot], variable.type)
        return values


def _code_of(schema: StateSchema, word: object, type_: types.Type) -> int:
    """The code of a key that is given as plain data or as a label."""
    code: int | None
    if not isinstance(type_, types.WordType):
        code = schema.value_parser().value(_key_text(word), type_)
    elif word is None:
        code = type_.codes.get(types.NONE)
    elif len(exact := type_.words.get(word, []) if isinstance(word, str) else []) == 1:
        code = type_.codes[exact[0]]
    else:
        meanings = schema.value_parser().meanings(str(word), type_)
        code = meanings[0] if len(meanings) == 1 else None
    if code is None:
        kind = str(type_) if isinstance(type_, types.WordType) else "key"
        raise UnknownName(kind, word, (value_text(code, type_) for code in codes_of(type_)))
    return code


def _key_text(key: object) -> str:
    """A key that is a number or a bool, as text."""
    return ("yes" if key else "no") if isinstance(key, bool) else str(key)

"""A state as a dictionary of plain values, as somebody sees it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from hots_rules.compile.codes import bits, codes_of
from hots_rules.compile.facts import Variable
from hots_rules.observe.observer import Observer, Visibility
from hots_rules.observe.redact import RedactedFormatter
from hots_rules.observe.tracking import StackTracker
from hots_rules.rules.typed import value_types as types
from hots_rules.state.labels import Labels
from hots_rules.state.schema import StateSchema
from hots_rules.state.values import value_text

UNKNOWN = "?"
"""Stands for a value that the viewer may not know; no name of a ruleset looks so."""


class ViewColumn:
    """What of a variable is the same in all views: the words of its keys, and of simple values."""

    def __init__(self, eyes: Observer, variable: Variable) -> None:
        self.variable = variable
        self.dark_keys = any(eyes.may_be_hidden(type_) for type_ in variable.keys)
        self.words = [
            tuple(_word(code, type_) for code, type_ in zip(keys, variable.keys, strict=True))
            for keys in variable.key_codes
        ]
        self.table: tuple[Any, ...] | None = None
        if isinstance(variable.type, types.WordType) and not eyes.may_be_hidden(variable.type):
            self.table = tuple(
                eyes.schema.to_python(code, variable.type) for code in codes_of(variable.type)
            )
        self.is_number = isinstance(variable.type, types.IntType)


class ViewBuilder:
    """The state as a dictionary, through the eyes of one player."""

    def __init__(
        self,
        drafts: tuple[ViewColumn, ...],
        look: Visibility,
        slots: Sequence[int],
        backs: tuple[StackTracker, ...],
        labels: Labels,
    ) -> None:
        self.drafts = drafts
        self.look = look
        self.schema: StateSchema = look.eyes.schema
        self.slots = slots
        self.backs = backs
        self.labels = labels

    def state(self) -> dict[str, Any]:
        """All variables by name, those of hidden things by the name of their stack."""
        return {draft.variable.name: self._variable(draft) for draft in self.drafts}

    def _variable(self, draft: ViewColumn) -> Any:
        values = self._values(draft)
        if not draft.variable.keys:
            return values[0]
        words = self._by_stack(draft, values) if draft.dark_keys else draft.words
        if len(draft.variable.keys) == 1:
            return dict(zip([word for (word,) in words], values, strict=True))
        found: dict[str, Any] = {}
        for row, value in zip(words, values, strict=True):
            inner = found
            for word in row[:-1]:
                inner = inner.setdefault(word, {})
            inner[row[-1]] = value
        return found

    def _by_stack(self, draft: ViewColumn, values: list[Any]) -> list[tuple[str, ...]]:
        """The words of keys with stacks after what is known; brings the values into the same order."""
        known: list[tuple[tuple[str, ...], Any]] = []
        dark: dict[tuple[str, ...], Any] = {}
        variable = draft.variable
        for keys, plain, value in zip(variable.key_codes, draft.words, values, strict=True):
            stacks = [self._stack_of(k, kt) for k, kt in zip(keys, variable.keys, strict=True)]
            if any(stacks):
                words = tuple([one or word for one, word in zip(stacks, plain, strict=True)])
                dark[words] = value
            else:
                known.append((plain, value))
        rows = [*known, *sorted(dark.items(), key=lambda row: _numbered(row[0]))]
        values[:] = [value for _, value in rows]
        return [words for words, _ in rows]

    def _stack_of(self, code: int, type_: types.Type) -> str:
        thing = self.look.hidden_thing(code, type_)
        return "" if thing is None else self._stack_name(*thing)

    def _stack_name(self, kind: int, thing: int) -> str:
        return f"{self.look.eyes.kinds[kind].name}#{self.backs[kind].numbers[thing]}"

    # -------------------------------------------------------------- values
    def _values(self, draft: ViewColumn) -> list[Any]:
        """The values of all cells of a variable, in their order."""
        variable = draft.variable
        codes = self.slots[variable.base : variable.base + len(variable.key_codes)]
        if draft.is_number:
            values: list[Any] = list(codes)
        elif draft.table is not None:
            values = [draft.table[code] for code in codes]
        else:
            values = [self._plain(code, variable.type) for code in codes]
        for offset in bits(self.look.cells.get(variable.name, 0)):
            values[offset] = UNKNOWN
        return values

    def _plain(self, code: int, type_: types.Type) -> Any:
        match type_:
            case types.WordType():
                return self._stack_of(code, type_) or self.schema.to_python(code, type_)
            case types.SetType():
                return self._members(code, type_) if code else []
            case types.PairType():
                left, right = types.pair_parts(type_, code)
                return [self._plain(left, type_.left), self._plain(right, type_.right)]
        return self.schema.to_python(code, type_)

    def _members(self, code: int, type_: types.SetType) -> list[Any]:
        """The members of a set, each stack once and after what is known."""
        plain = [self._plain(member, type_.member) for member in bits(code)]
        known = [one for one in plain if not _is_dark(one)]
        dark = {repr(one): one for one in plain if _is_dark(one)}
        return [*known, *(dark[key] for key in sorted(dark, key=lambda key: (len(key), key)))]

    # -------------------------------------------------------------- stacks
    def stacks(self) -> Iterator[tuple[str, str, int, str]]:
        """The stacks of each type by number: name, type, how many, and in words."""
        veil = RedactedFormatter(self.look, self.slots, self.labels)
        for kind, (secret, backs) in enumerate(zip(self.look.eyes.kinds, self.backs, strict=True)):
            assert secret.type is not None
            of: dict[int, list[int]] = {}
            for thing, number in backs.numbers.items():
                of.setdefault(number, []).append(thing)
            for number in sorted(of):
                text = veil.format_value(of[number][0], secret.type)
                yield self._stack_name(kind, of[number][0]), secret.name, len(of[number]), text


def _word(code: int, type_: types.Type) -> str:
    return _names(type_)[code] if isinstance(type_, types.WordType) else value_text(code, type_)


def _numbered(words: tuple[str, ...]) -> list[tuple[str, int]]:
    """Stacks in the order of their numbers, whatever their digits."""
    parts = [word.partition("#") for word in words]
    return [(name, int(number or 0)) for name, _, number in parts]


def _is_dark(value: Any) -> bool:
    """Whether a value names a stack."""
    return any(map(_is_dark, value)) if isinstance(value, list) else "#" in str(value)


@cache
def _names(type_: types.WordType) -> tuple[str, ...]:
    return tuple(value_text(code, type_) for code in range(len(type_.values)))

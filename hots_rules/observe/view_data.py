"""The state in a view: plain data, with hidden values as `?` and hidden pieces by the names of their stacks."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TypeAlias

from attrs import field, frozen

from hots_rules._frozen import FrozenDict, frozen_value
from hots_rules.compile.codes import bits, codes_of, value_text
from hots_rules.compile.facts import Variable
from hots_rules.observe.observer import Observer, Piece, Visibility
from hots_rules.observe.redact import RedactedFormatter
from hots_rules.observe.stacks import StackTracker
from hots_rules.rules.typed import value_types as types
from hots_rules.state.data_text import UNKNOWN
from hots_rules.state.schema import PlainValue

NestedValue: TypeAlias = "PlainValue | dict[str, NestedValue]"
"""The value of a variable; of one with keys a dict by the words of the keys, one level for each key."""


class ViewColumn:
    """What all views of an observer share for one variable: the words of its keys and of simple values."""

    def __init__(self, observer: Observer, variable: Variable) -> None:
        self.variable = variable
        self.cells = slice(variable.base, variable.base + variable.count)
        self.has_lists = isinstance(variable.type, types.SetType | types.PairType)
        self.has_secret_keys = any(observer.may_be_hidden(type_) for type_ in variable.keys)
        self.may_name_stacks = self.has_secret_keys or observer.may_be_hidden(variable.type)
        self.single_keys: tuple[Piece | None, ...] | None = None
        """The pieces that are the keys, if each cell has one word as its key; None for other keys."""
        if len(variable.keys) == 1 and isinstance(variable.keys[0], types.WordType):
            named = observer.pieces_in(variable.keys[0])
            self.single_keys = tuple(named[code] for (code,) in variable.key_codes)
        self.words = [
            tuple(_word(code, type_) for code, type_ in zip(keys, variable.keys, strict=True))
            for keys in variable.key_codes
        ]
        self.values_by_code: tuple[PlainValue, ...] | None = None
        if isinstance(variable.type, types.WordType) and not observer.may_be_hidden(variable.type):
            self.values_by_code = tuple(
                observer.schema.to_python(code, variable.type) for code in codes_of(variable.type)
            )
        self.is_number = isinstance(variable.type, types.IntType)


@frozen(eq=False)
class SeenState:
    """The state of a view, with the packed state of which it was made, what was hidden of it, and the stacks."""

    slots: Sequence[int] = field(repr=False)
    visibility: Visibility
    stacks: tuple[StackTracker, ...] = field(repr=False)
    values: FrozenDict[str, NestedValue]


class ViewBuilder:
    """Builds the state and the stacks of a view from a packed state."""

    def __init__(
        self,
        columns: tuple[ViewColumn, ...],
        formatter: RedactedFormatter,
        stacks: tuple[StackTracker, ...],
    ) -> None:
        self._columns = columns
        self._formatter = formatter
        self._visibility = formatter.visibility
        self._secret_types = formatter.visibility.observer.secret_types
        self._schema = formatter.visibility.observer.schema
        self._slots = formatter.slots
        self._stacks = stacks

    def state(self, before: SeenState | None = None) -> SeenState:
        """The values of all variables that are shown, by name; those that are as before are the same objects."""
        if before is not None and before.slots is self._slots and before.stacks is self._stacks:
            return before
        same = frozenset[str]() if before is None else self._same_as_before(before)
        values: dict[str, NestedValue] = {}
        for column in self._columns:
            name = column.variable.name
            if column.variable.is_internal:
                continue
            if before is not None and name in same:
                values[name] = before.values[name]
            else:
                values[name] = self._variable(column)
        return SeenState(self._slots, self._visibility, self._stacks, FrozenDict(values))

    def _same_as_before(self, before: SeenState) -> set[str]:
        """The names of the variables whose values are seen as before."""
        has_same_pieces = self._has_same_pieces(before)
        slots, earlier = self._slots, before.slots
        hidden, hidden_earlier = self._visibility.cells, before.visibility.cells
        changed = {name for name, mask in hidden.items() if mask != hidden_earlier.get(name, 0)}
        return {
            column.variable.name
            for column in self._columns
            if earlier[column.cells] == slots[column.cells]
            and (has_same_pieces or not column.may_name_stacks)
            and column.variable.name not in changed
        }

    def _has_same_pieces(self, before: SeenState) -> bool:
        """Whether the same pieces are hidden, in the same stacks."""
        return self._visibility.pieces == before.visibility.pieces and all(
            old is new or old.numbers == new.numbers
            for old, new in zip(before.stacks, self._stacks, strict=True)
        )

    def _variable(self, column: ViewColumn) -> NestedValue:
        """The value of a variable, frozen."""
        values = self._values(column)
        if column.has_lists:
            values = list(map(frozen_value, values))
        if not column.variable.keys:
            return values[0]
        if column.single_keys is not None:
            names = (word for (word,) in column.words)
            if column.has_secret_keys:
                return self._by_piece(column.single_keys, names, values)
            return FrozenDict(zip(names, values, strict=True))
        rows: Iterable[tuple[tuple[str, ...], PlainValue]] = zip(column.words, values, strict=True)
        if column.has_secret_keys:
            rows = self._merged_by_stack(column, values)
        nested: dict[str, NestedValue] = {}
        for words, value in rows:
            inner = nested
            for word in words[:-1]:
                inner = inner.setdefault(word, {})  # type: ignore[assignment]
            inner[words[-1]] = value
        return frozen_value(nested)

    def _by_piece(
        self, pieces: Sequence[Piece | None], words: Iterable[str], values: Iterable[PlainValue]
    ) -> FrozenDict[str, NestedValue]:
        """Values by pieces: visible ones first, then stacks in order, each once."""
        masks, numbers = self._visibility.pieces, [stacks.numbers for stacks in self._stacks]
        visible: dict[str, NestedValue] = {}
        hidden: dict[tuple[str, int], NestedValue] = {}
        for piece, word, seen in zip(pieces, words, values, strict=True):
            if piece is not None and masks[piece[0]] >> piece[1] & 1:
                hidden[self._secret_types[piece[0]].name, numbers[piece[0]][piece[1]]] = seen
            else:
                visible[word] = seen
        for name, number in sorted(hidden):
            visible[f"{name}#{number}"] = hidden[name, number]
        return FrozenDict(visible)

    def _merged_by_stack(
        self, column: ViewColumn, values: Sequence[PlainValue]
    ) -> list[tuple[tuple[str, ...], PlainValue]]:
        """The words of the keys with their values: visible keys first, then stacks in order, each once."""
        visible: list[tuple[tuple[str, ...], PlainValue]] = []
        hidden: dict[tuple[str, ...], PlainValue] = {}
        variable = column.variable
        for keys, words, value in zip(variable.key_codes, column.words, values, strict=True):
            stacks = [self._stack_of(k, kt) for k, kt in zip(keys, variable.keys, strict=True)]
            if any(stacks):
                names = [stack or word for stack, word in zip(stacks, words, strict=True)]
                hidden[tuple(names)] = value
            else:
                visible.append((words, value))
        return [*visible, *sorted(hidden.items(), key=lambda row: _by_number(row[0]))]

    def _stack_of(self, code: int, type_: types.Type) -> str:
        """The name of the stack of a hidden piece; empty for other values."""
        piece = self._visibility.hidden_piece(code, type_)
        return "" if piece is None else self._stack_name(*piece)

    def _stack_name(self, type_number: int, piece: int) -> str:
        number = self._stacks[type_number].numbers[piece]
        return f"{self._secret_types[type_number].name}#{number}"

    # -------------------------------------------------------------- values
    def _values(self, column: ViewColumn) -> list[PlainValue]:
        """The values of all cells of a variable."""
        variable = column.variable
        codes = self._slots[variable.base : variable.base + variable.count]
        if column.is_number:
            values: list[PlainValue] = list(codes)
        elif column.values_by_code is not None:
            values = [column.values_by_code[code] for code in codes]
        else:
            values = [self._plain(code, variable.type) for code in codes]
        for offset in bits(self._visibility.cells.get(variable.name, 0)):
            values[offset] = UNKNOWN
        return values

    def _plain(self, code: int, type_: types.Type) -> PlainValue:
        match type_:
            case types.WordType():
                return self._stack_of(code, type_) or self._schema.to_python(code, type_)
            case types.SetType():
                return self._members(code, type_) if code else []
            case types.PairType():
                left, right = types.pair_parts(type_, code)
                return [self._plain(left, type_.left), self._plain(right, type_.right)]
        return self._schema.to_python(code, type_)

    def _members(self, code: int, type_: types.SetType) -> list[PlainValue]:
        """The members of a set: visible ones first, then each stack once."""
        members = [self._plain(member, type_.member) for member in bits(code)]
        visible = [member for member in members if not _names_stack(member)]
        hidden = {repr(member): member for member in members if _names_stack(member)}
        return [*visible, *(hidden[key] for key in sorted(hidden, key=lambda key: (len(key), key)))]

    # -------------------------------------------------------------- stacks
    def stacks(self) -> Iterator[tuple[str, str, int, str]]:
        """The stacks by type and number: name, type, number of pieces, and a piece of it as text."""
        for type_number, secret in enumerate(self._secret_types):
            pieces_of: dict[int, list[int]] = {}
            for piece, number in self._stacks[type_number].numbers.items():
                pieces_of.setdefault(number, []).append(piece)
            for _, pieces in sorted(pieces_of.items()):
                text = self._formatter.format_value(pieces[0], secret.piece_type)
                yield self._stack_name(type_number, pieces[0]), secret.name, len(pieces), text


def _word(code: int, type_: types.Type) -> str:
    return _names(type_)[code] if isinstance(type_, types.WordType) else value_text(code, type_)


def _by_number(words: tuple[str, ...]) -> list[tuple[str, int]]:
    """A key that sorts names of stacks by number: `Piece#9` before `Piece#10`."""
    parts = [word.partition("#") for word in words]
    return [(name, int(number or 0)) for name, _, number in parts]


def _names_stack(value: PlainValue) -> bool:
    return any(map(_names_stack, value)) if isinstance(value, list) else "#" in str(value)


@cache
def _names(type_: types.WordType) -> tuple[str, ...]:
    return tuple(value_text(code, type_) for code in range(len(type_.values)))

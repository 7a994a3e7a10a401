"""The vector of a view, made from a packed state: the same numbers as `ViewEncoding.cells`, many times faster.

Most variables hide nothing and do not change from play to play: their numbers are kept. Where a piece that is seen
from behind is a key or a value, its stack stands for it, as in a view.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product

from attrs import define, field, frozen

from hots_rules.compile.codes import bits
from hots_rules.compile.facts import Variable
from hots_rules.formats.view_encoding import Axis, ValueBlock, VariableBlock, ViewEncoding
from hots_rules.observe.observer import SPECTATOR, Piece, Visibility
from hots_rules.observe.stacks import StackTracker
from hots_rules.rules.typed import value_types as types

MAX_KEPT = 16384  # values of the cells of each variable whose numbers are kept

Numbers = tuple[tuple[int, ...], tuple[float, ...]]
"""The indexes of a vector that are not 0, and the number at each."""
Places = tuple[int, ...]


@frozen(slots=False)
class Rows:
    """The rows of hidden pieces among the places of their type, and the numbers of their stacks."""

    visibility: Visibility
    stacks: tuple[StackTracker, ...]
    of_stack: tuple[dict[int, Places], ...]

    @classmethod
    def of(cls, visibility: Visibility, stacks: tuple[StackTracker, ...]) -> Rows:
        """Stacks fill the rows of their type in the order of their numbers."""
        found = []
        for tracker in stacks:
            rows, first = dict[int, Places](), 0
            ordered = sorted(tracker.numbers.values())
            for number in dict.fromkeys(ordered):
                count = ordered.count(number)
                rows[number] = tuple(range(first, first + count))
                first += count
            found.append(rows)
        return cls(visibility, stacks, tuple(found))

    @property
    def viewer(self) -> int:
        """The number of the viewer."""
        return self.visibility.observer.viewer

    @cached_property
    def seen(self) -> object:
        """What the places of pieces depend on."""
        return self.visibility.pieces, tuple(tracker.numbers for tracker in self.stacks)

    @cached_property
    def _shown(self) -> dict[tuple[types.Type, ...], list[tuple[int, int]]]:
        return {}

    def shown(self, column: Column) -> list[tuple[int, int]]:
        """See `Column.shown`; the same for all variables with the same keys."""
        keys = column.variable.keys
        found = self._shown.get(keys)
        if found is None:
            found = self._shown[keys] = list(column.shown(self))
        return found

    def stack(self, number: int, piece: int) -> tuple[int, int] | None:
        """The secret type of a piece with its stack, if it is hidden."""
        if not self.visibility.pieces[number] >> piece & 1:
            return None
        return number, self.stacks[number].numbers[piece]

    def stack_of(self, code: int, type_: types.Type) -> tuple[int, int] | None:
        """The secret type and the stack of a hidden piece; None for other values."""
        piece = self.visibility.hidden_piece(code, type_)
        return None if piece is None else self.stack(*piece)

    def places(self, axis: Axis, code: int) -> Places:
        """The places of a value; for a hidden piece those of all pieces of its stack."""
        if axis.sides is not None:
            assert isinstance(axis.type, types.PairType)
            left, right = types.pair_parts(axis.type, code)
            pairs = product(self.places(axis.sides[0], left), self.places(axis.sides[1], right))
            return tuple(one * axis.sides[1].size + other for one, other in pairs)
        stack = self.stack_of(code, axis.type)
        if stack is None:
            return (axis.place(code),)
        first = axis.first_back(stack[0])
        return tuple(first + row for row in self.of_stack[stack[0]][stack[1]])

    def value(self, block: ValueBlock, code: int) -> Numbers:
        """The numbers of a value that may be, or contain, a hidden piece."""
        if not isinstance(block.type, types.SetType):
            places = self.places(block.axis, code)
            return places, (1.0,) * len(places)
        members = {place for member in bits(code) for place in self.places(block.axis, member)}
        places = (*sorted(members), block.size - 1)
        return places, (1.0,) * len(places)


@define(slots=False, eq=False)
class Column:
    """The part of one variable.

    The numbers of the last state are kept for each viewer: most variables do not change from play to play.
    """

    block: VariableBlock
    _last: dict[int, tuple[object, Numbers]] = field(factory=dict, init=False, repr=False)
    _cells: dict[tuple[int, int], Numbers] = field(factory=dict, init=False, repr=False)

    @property
    def variable(self) -> Variable:
        """The variable."""
        return self.block.variable

    @cached_property
    def may_hide_value(self) -> bool:
        """Whether a value may be, or contain, a piece that is seen from behind."""
        return self.block.observer.may_be_hidden(self.variable.type)

    @cached_property
    def may_hide_key(self) -> bool:
        """Whether a key may be such a piece."""
        return any(map(self.block.observer.may_be_hidden, self.variable.keys))

    @cached_property
    def _rows(self) -> tuple[int, ...]:
        """The row of each cell whose keys are known."""
        return tuple(
            self._row([axis.place(key) for axis, key in zip(self.block.keys, keys, strict=True)])
            for keys in self.variable.key_codes
        )

    def _row(self, places: Sequence[int]) -> int:
        row = 0
        for axis, place in zip(self.block.keys, places, strict=True):
            row = row * axis.size + place
        return row

    def numbers(self, slots: Sequence[int], rows: Rows, hidden: int) -> Numbers:
        """The numbers of the variable in a state, without those of hidden cells."""
        base = self.variable.base
        codes = slots[base : base + len(self._rows)]
        depends = rows.seen if self.may_hide_value or self.may_hide_key else None
        state = codes, hidden, depends
        viewer = SPECTATOR if depends is None and not hidden else rows.viewer
        last = self._last.get(viewer)
        if last is not None and last[0] == state:
            return last[1]
        found = self._computed(codes, hidden, rows)
        self._last[viewer] = state, found
        return found

    def _computed(self, codes: Sequence[int], hidden: int, rows: Rows) -> Numbers:
        indexes, numbers = list[int](), list[float]()
        shown = rows.shown(self) if self.may_hide_key else enumerate(self._rows)
        for offset, row in shown:
            if hidden >> offset & 1:
                continue
            code = codes[offset]
            cell = self._cells.get((row, code)) or self._cell(row, code, rows)
            indexes += cell[0]
            numbers += cell[1]
        return tuple(indexes), tuple(numbers)

    def _cell(self, row: int, code: int, rows: Rows) -> Numbers:
        """The numbers of a value in a row; those of values that hide nothing are kept."""
        found = rows.value(self.block.value, code) if self.may_hide_value else self._value(code)
        first = self.block.base + row * self.block.value.size
        cell = tuple(first + place for place in found[0]), found[1]
        if not self.may_hide_value and len(self._cells) < MAX_KEPT:
            self._cells[row, code] = cell
        return cell

    def shown(self, rows: Rows) -> Iterator[tuple[int, int]]:
        """The offsets of the cells whose keys show, each with a row; a stack shows one for each of its pieces."""
        behind: dict[tuple[object, ...], int] = {}
        for offset, pieces in enumerate(self._pieces):
            stacks = [piece and rows.stack(*piece) for piece in pieces]
            if any(stacks):
                keys = self.variable.key_codes[offset]
                behind[tuple(s or k for s, k in zip(stacks, keys, strict=True))] = offset
            else:
                yield offset, self._rows[offset]
        for offset in behind.values():
            keys = self.variable.key_codes[offset]
            axes = zip(self.block.keys, keys, strict=True)
            for places in product(*(rows.places(axis, key) for axis, key in axes)):
                yield offset, self._row(places)

    @cached_property
    def _pieces(self) -> tuple[tuple[Piece | None, ...], ...]:
        """For each offset, the pieces that its keys are."""
        found: list[tuple[Piece | None, ...]] = []
        for keys in self.variable.key_codes:
            pairs = zip(keys, self.variable.keys, strict=True)
            found.append(tuple(self._piece(key, type_) for key, type_ in pairs))
        return tuple(found)

    def _piece(self, code: int, type_: types.Type) -> Piece | None:
        if not isinstance(type_, types.WordType):
            return None
        return self.block.observer.pieces_in(type_)[code]

    def _value(self, code: int) -> Numbers:
        block = self.block.value
        if block.is_scaled:
            return (0, 1), (1.0, block.scaled(code))
        if not isinstance(block.type, types.SetType):
            return (block.axis.place(code),), (1.0,)
        places = *map(block.axis.place, bits(code)), block.size - 1
        return places, (1.0,) * len(places)


@frozen(slots=False, eq=False)
class SlotEncoding:
    """Makes the vectors of `ViewEncoding` from packed states."""

    encoding: ViewEncoding
    _last: dict[int, Rows] = field(factory=dict, init=False, repr=False)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The columns of all variables, in their order."""
        return tuple(Column(block) for block in self.encoding.blocks)

    def numbers(
        self, slots: Sequence[int], visibility: Visibility, stacks: tuple[StackTracker, ...]
    ) -> tuple[list[int], list[float]]:
        """The indexes that are not 0 and their numbers, without the head of the vector."""
        indexes, numbers = list[int](), list[float]()
        rows = self._rows(visibility, stacks)
        for column in self.columns:
            hidden = visibility.cells.get(column.variable.name, 0)
            places, found = column.numbers(slots, rows, hidden)
            indexes += places
            numbers += found
        return indexes, numbers

    def _rows(self, visibility: Visibility, stacks: tuple[StackTracker, ...]) -> Rows:
        """The rows of hidden pieces; those of the last state are kept for each viewer."""
        viewer = visibility.observer.viewer
        last, numbers = self._last.get(viewer), tuple(tracker.numbers for tracker in stacks)
        if last is None or last.seen != (visibility.pieces, numbers):
            last = self._last[viewer] = Rows.of(visibility, stacks)
        return last

"""The vector of a view, made from a packed state: the same numbers as `ViewEncoding.cells`, many times faster.

Most variables do not change from play to play, so that their numbers are taken from what the viewer was shown last. If
a face-down piece is a key or a value, its stack stands for it, as in a view.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import compress, product, zip_longest
from operator import ne
from typing import Final, NamedTuple

from attrs import field, frozen

from hots_rules.compile.codes import bits
from hots_rules.compile.facts import Variable
from hots_rules.formats.training.hidden_rows import HiddenRows, Numbers
from hots_rules.formats.view_encoding import VariableBlock, ViewEncoding
from hots_rules.observe.observer import Piece, Visibility
from hots_rules.observe.stacks import StackTracker
from hots_rules.rules.typed import value_types as types

MAX_KEPT = 16384  # values of the cells of each variable whose numbers are kept


class ShownVariable(NamedTuple):
    """What a viewer was shown of one variable in a state.

    Attributes:
        codes: the codes of all cells.
        hidden: the mask of the cells that are hidden.
        places: the offsets of the others, each with its row; a stack has one for each of its pieces.
        cells: the numbers of each place.
    """

    codes: Sequence[int]
    hidden: int
    places: list[tuple[int, int]]
    cells: list[Numbers]


_NO_CELL: Final[Numbers] = (), ()
_NOTHING: Final = ShownVariable((), 0, [], [])


@frozen(slots=False, eq=False)
class VariableEncoder:
    """Makes the numbers of one variable; those of values that hide no piece are kept."""

    block: VariableBlock
    _kept: dict[tuple[int, int], Numbers] = field(factory=dict, init=False, repr=False)

    @cached_property
    def variable(self) -> Variable:
        """The variable."""
        return self.block.variable

    @cached_property
    def may_hide_value(self) -> bool:
        """Whether a value may be, or contain, a face-down piece."""
        return self.block.observer.may_be_hidden(self.variable.type)

    @cached_property
    def may_hide_key(self) -> bool:
        """Whether a key may be such a piece."""
        return any(map(self.block.observer.may_be_hidden, self.variable.keys))

    @cached_property
    def needs_rows(self) -> bool:
        """Whether the numbers depend on the rows of hidden pieces."""
        return self.may_hide_value or self.may_hide_key

    @cached_property
    def slots(self) -> slice:
        """The slots of the variable."""
        return slice(self.variable.base, self.variable.base + self.variable.count)

    @cached_property
    def rows(self) -> tuple[int, ...]:
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

    def part(
        self, codes: Sequence[int], hidden: int, rows: HiddenRows, earlier: ShownVariable | None
    ) -> ShownVariable:
        """What is shown of the variable.

        Args:
            codes: the codes of all cells.
            hidden: the mask of the cells that are hidden.
            rows: the rows of hidden pieces.
            earlier: what was shown of it in another state with the same rows; unchanged cells are taken from there.
        """
        if earlier is None or earlier.hidden != hidden:
            places = self._places(rows, hidden)
            kept = self._kept if not self.may_hide_value else {}
            cells = [
                kept.get((row, codes[offset])) or self.cell(row, codes[offset], rows)
                for offset, row in places
            ]
            return ShownVariable(codes, hidden, places, cells)
        cells = earlier.cells[:]
        changed = set(compress(range(len(codes)), map(ne, codes, earlier.codes)))
        for at, (offset, row) in enumerate(earlier.places):
            if offset in changed:
                cells[at] = self.cell(row, codes[offset], rows)
        return ShownVariable(codes, hidden, earlier.places, cells)

    def _places(self, rows: HiddenRows, hidden: int) -> list[tuple[int, int]]:
        places = self._all_places
        if self.may_hide_key:
            places = rows.kept(self._keys, lambda: list(self._visible_places(rows)))
        return [place for place in places if not hidden >> place[0] & 1] if hidden else places

    @cached_property
    def _keys(self) -> tuple[int, ...]:
        """The types of the keys, which live as long as the ruleset: hashing a long type costs more than its id."""
        return tuple(map(id, self.variable.keys))

    @cached_property
    def _all_places(self) -> list[tuple[int, int]]:
        return list(enumerate(self.rows))

    def cell(self, row: int, code: int, rows: HiddenRows) -> Numbers:
        """The numbers of a value in a row; those of a value that hides nothing are kept."""
        if self.may_hide_value and rows.hides(code, self.variable.type):
            return self._placed(row, rows.value(self.block.value, code))
        cell = self._kept.get((row, code))
        if cell is None:
            cell = self._placed(row, self._value(code))
            if len(self._kept) < MAX_KEPT:
                self._kept[row, code] = cell
        return cell

    def _placed(self, row: int, value: Numbers) -> Numbers:
        """The numbers of a value with their indexes in the whole vector, in a row of the variable."""
        first = self.block.base + row * self.block.value.size
        return tuple([first + place for place in value[0]]), value[1]

    def _visible_places(self, rows: HiddenRows) -> Iterator[tuple[int, int]]:
        """The offset of each cell whose keys show, with its row.

        Cells of face-down pieces of one stack look the same: they count as one cell, with a row for each piece.
        """
        if len(self.variable.keys) == 1:
            yield from self._visible_piece_places(rows)
            return
        masks = rows.visibility.pieces
        by_stack: dict[tuple[object, ...], int] = {}
        for offset, row, pieces in self._cells_with_pieces:
            for number, piece in pieces:
                if masks[number] >> piece & 1:
                    by_stack[self._seen_keys(offset, rows)] = offset
                    break
            else:
                yield offset, row
        for offset in by_stack.values():
            keys = self.variable.key_codes[offset]
            axes = zip(self.block.keys, keys, strict=True)
            for places in product(*(rows.places(axis, key) for axis, key in axes)):
                yield offset, self._row(places)

    def _visible_piece_places(self, rows: HiddenRows) -> Iterator[tuple[int, int]]:
        """The same as `_visible_places`, for a variable with one key."""
        masks, (axis,) = rows.visibility.pieces, self.block.keys
        by_stack: dict[tuple[int, int], int] = {}
        for offset, piece in enumerate(self._only_pieces):
            if piece is not None and masks[piece[0]] >> piece[1] & 1:
                by_stack[piece[0], rows.stacks[piece[0]].numbers[piece[1]]] = offset
            else:
                yield self._all_places[offset]
        for (number, stack), offset in by_stack.items():
            first = axis.first_back(number)
            for row in rows.of_stack[number][stack]:
                yield offset, first + row

    @cached_property
    def _only_pieces(self) -> list[Piece | None]:
        """For each cell of a variable with one key, the piece that this is."""
        return [piece for (piece,) in self._pieces]

    def _seen_keys(self, offset: int, rows: HiddenRows) -> tuple[object, ...]:
        """The keys of a cell as the viewer sees them: a hidden piece is its stack, all else is its code."""
        pairs = zip(self.variable.key_codes[offset], self._pieces[offset], strict=True)
        return tuple([(piece and rows.stack(*piece)) or key for key, piece in pairs])

    @cached_property
    def _cells_with_pieces(self) -> list[tuple[int, int, list[Piece]]]:
        """For each cell its offset, its row, and the pieces among its keys."""
        return [
            (offset, row, [piece for piece in pieces if piece])
            for offset, (row, pieces) in enumerate(zip(self.rows, self._pieces, strict=True))
        ]

    @cached_property
    def _pieces(self) -> tuple[tuple[Piece | None, ...], ...]:
        """For each offset, the pieces that its keys are."""
        by_offset: list[tuple[Piece | None, ...]] = []
        for keys in self.variable.key_codes:
            pairs = zip(keys, self.variable.keys, strict=True)
            by_offset.append(tuple(self._piece(key, type_) for key, type_ in pairs))
        return tuple(by_offset)

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


@frozen
class ShownState:
    """What a viewer was shown of a state. It is never changed: the next one starts from copies.

    Attributes:
        slots: the packed state.
        rows: the rows of hidden pieces.
        parts: what was shown of each variable that may have hidden cells, by its number.
        vector: the vector, without its head.
    """

    slots: Sequence[int]
    rows: HiddenRows
    parts: dict[int, ShownVariable]
    vector: array[float]


@frozen(slots=False)
class SlotEncoding:
    """Makes the vectors of `ViewEncoding` from packed states."""

    encoding: ViewEncoding

    @cached_property
    def encoders(self) -> tuple[VariableEncoder, ...]:
        """The encoders of all variables, in their order."""
        return tuple(VariableEncoder(block) for block in self.encoding.blocks)

    @cached_property
    def _hiding_encoders(self) -> dict[int, VariableEncoder]:
        """The encoders of variables that may have hidden cells, by their numbers; each compares whole variables."""
        secret = self.encoding.observer.secret_variables
        return {
            number: encoder
            for number, encoder in enumerate(self.encoders)
            if encoder.may_hide_key or encoder.variable.name in secret
        }

    @cached_property
    def _cells(self) -> dict[int, tuple[VariableEncoder, int]]:
        """The encoder and the row of each slot of variables that hide no cell; these are compared slot by slot."""
        return {
            encoder.variable.base + offset: (encoder, row)
            for number, encoder in enumerate(self.encoders)
            if number not in self._hiding_encoders
            for offset, row in enumerate(encoder.rows)
        }

    @cached_property
    def _slots_naming_pieces(self) -> frozenset[int]:
        """The slots of `_cells` whose values may name hidden pieces."""
        return frozenset(
            slot for slot, (encoder, _) in self._cells.items() if encoder.may_hide_value
        )

    @cached_property
    def _blank(self) -> array[float]:
        return array("f", bytes(4 * self.encoding.size))

    def shown(
        self,
        slots: Sequence[int],
        visibility: Visibility,
        stacks: tuple[StackTracker, ...],
        last: ShownState | None,
    ) -> ShownState:
        """What a viewer is shown of a state.

        Args:
            slots: the packed state.
            visibility: what is hidden in it.
            stacks: the stacks of hidden pieces.
            last: what the same viewer was shown of another state; what is the same is taken from there.
        """
        rows = HiddenRows(visibility, stacks)
        if last is None:
            pairs = [(_NO_CELL, cell) for cell in self._cells_outside_parts(slots, rows)]
            parts = dict.fromkeys(self._hiding_encoders, _NOTHING)
            vector = self._blank[:]
        else:
            rows = last.rows if last.rows.seen == rows.seen else rows
            pairs = self._changed_cells(slots, rows, last)
            parts, vector = last.parts.copy(), last.vector[:]
        for number, encoder in self._hiding_encoders.items():
            old, codes = parts[number], slots[encoder.slots]
            hidden = visibility.cells.get(encoder.variable.name, 0)
            is_comparable = last is not None and (rows is last.rows or not encoder.needs_rows)
            if not is_comparable or old.codes != codes or old.hidden != hidden:
                parts[number] = part = encoder.part(
                    codes, hidden, rows, old if is_comparable else None
                )
                pairs += zip_longest(old.cells, part.cells, fillvalue=_NO_CELL)
        _replace(vector, [pair for pair in pairs if pair[0] is not pair[1]])
        return ShownState(slots, rows, parts, vector)

    def cells(self, shown: ShownState) -> Iterator[Numbers]:
        """The numbers of all cells that were shown."""
        yield from self._cells_outside_parts(shown.slots, shown.rows)
        for part in shown.parts.values():
            yield from part.cells

    def _cells_outside_parts(self, slots: Sequence[int], rows: HiddenRows) -> Iterator[Numbers]:
        for slot, (encoder, row) in self._cells.items():
            yield encoder.cell(row, slots[slot], rows)

    def _changed_cells(
        self, slots: Sequence[int], rows: HiddenRows, last: ShownState
    ) -> list[tuple[Numbers, Numbers]]:
        """The old and the new numbers of the cells outside of parts that changed, or may have changed."""
        before, cells = last.slots, self._cells
        changed: Iterable[int] = compress(range(len(slots)), map(ne, slots, before))
        if rows is not last.rows:
            changed = {*changed, *self._slots_naming_pieces}
        in_cells = [(slot, *cells[slot]) for slot in changed if slot in cells]
        return [
            (encoder.cell(row, before[slot], last.rows), encoder.cell(row, slots[slot], rows))
            for slot, encoder, row in in_cells
        ]


def _replace(vector: array[float], cells: list[tuple[Numbers, Numbers]]) -> None:
    """Put the numbers of some cells in place of others."""
    for (indexes, _), _ in cells:
        for index in indexes:
            vector[index] = 0.0
    for _, (indexes, numbers) in cells:
        for index, value in zip(indexes, numbers, strict=True):
            vector[index] = value

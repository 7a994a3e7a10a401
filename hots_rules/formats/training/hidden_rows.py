"""The rows of face-down pieces, in the vector of a view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cached_property
from itertools import product

from attrs import frozen

from hots_rules.compile.codes import bits
from hots_rules.formats.view_encoding import Axis, ValueBlock
from hots_rules.observe.observer import Visibility
from hots_rules.observe.stacks import StackTracker
from hots_rules.rules.typed import value_types as types

Numbers = tuple[tuple[int, ...], tuple[float, ...]]
"""The indexes of a vector that are not 0, and the number at each."""
Places = tuple[int, ...]


@frozen(slots=False)
class HiddenRows:
    """The rows of hidden pieces among the places of their type, and the numbers of their stacks."""

    visibility: Visibility
    stacks: tuple[StackTracker, ...]

    @cached_property
    def of_stack(self) -> tuple[dict[int, Places], ...]:
        """The rows of each stack of each secret type; stacks fill them in the order of their numbers."""
        rows_by_stack = []
        for tracker in self.stacks:
            rows, first = dict[int, Places](), 0
            for number, count in sorted(Counter(tracker.numbers.values()).items()):
                rows[number] = tuple(range(first, first + count))
                first += count
            rows_by_stack.append(rows)
        return tuple(rows_by_stack)

    @cached_property
    def seen(self) -> object:
        """What the places of pieces depend on."""
        return self.visibility.pieces, tuple(tracker.numbers for tracker in self.stacks)

    @cached_property
    def _kept(self) -> dict[tuple[int, ...], list[tuple[int, int]]]:
        return {}

    def kept(
        self, keys: tuple[int, ...], make: Callable[[], list[tuple[int, int]]]
    ) -> list[tuple[int, int]]:
        """The offsets and rows that all variables with some keys share, by the ids of their types."""
        places = self._kept.get(keys)
        if places is None:
            places = self._kept[keys] = make()
        return places

    @cached_property
    def _hidden_codes(self) -> dict[int, int]:
        return {}

    def hides(self, code: int, type_: types.Type) -> bool:
        """Whether a value is, or may contain, a hidden piece."""
        word = type_.member if isinstance(type_, types.SetType) else type_
        if not isinstance(word, types.WordType):
            return True
        # By the id of a type of the ruleset: hashing a long type costs more than this.
        hidden = self._hidden_codes.get(id(word))
        if hidden is None:
            pieces, masks = self.visibility.observer.pieces_in(word), self.visibility.pieces
            hidden = self._hidden_codes[id(word)] = sum(
                1 << number
                for number, piece in enumerate(pieces)
                if piece and masks[piece[0]] >> piece[1] & 1
            )
        return bool(hidden & code if word is not type_ else hidden >> code & 1)

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
            return tuple(left * axis.sides[1].size + right for left, right in pairs)
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

"""Stacks: hidden pieces that the viewer cannot tell apart, tracked from moment to moment.

The *features* of a hidden piece are all that the viewer can observe of it: who can identify it, the values of
the cells that it is a key of, and where it is named. Pieces with the same features form a *stack*, which has
a number. A stack keeps its number while it stays together and nothing joins it, even if its features change:
a single hidden piece is tracked while its moves can be seen. Pieces that leave a stack, and a stack that others
join, get a new number. New numbers are given in the order of the features, so they reveal no more than the
features do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from attrs import frozen

from hots_rules.compile.codes import bits
from hots_rules.compile.facts import Variable
from hots_rules.observe.last_value import LastValue
from hots_rules.observe.observer import HIDDEN_VALUE, Observer, Visibility
from hots_rules.rules.typed import value_types as types

Features = tuple[tuple[int, ...], ...]


@frozen(slots=False, eq=False)
class ObservableFeatures:
    """Reads the features of the pieces of one secret type, given by its number."""

    observer: Observer
    type_number: int

    @cached_property
    def keyed(self) -> tuple[tuple[Variable, tuple[tuple[int, ...], ...]], ...]:
        """The variables that have pieces of the type as keys, with the offsets of each piece."""
        keyed = []
        piece_type = self.observer.secret_types[self.type_number].piece_type
        for variable in self.observer.schema.variables.values():
            offsets: list[list[int]] = [[] for _ in piece_type.values]
            for offset, keys in enumerate(variable.key_codes):
                for code, key_type in zip(keys, variable.keys, strict=True):
                    if (piece := self._piece(code, key_type)) is not None:
                        offsets[piece].append(offset)
            if any(offsets):
                keyed.append((variable, tuple(map(tuple, offsets))))
        return tuple(keyed)

    @cached_property
    def holding(self) -> tuple[tuple[Variable, bool], ...]:
        """The variables whose values may name pieces of the type, and whether a value is a set of these alone."""
        set_type = types.SetType(self.observer.secret_types[self.type_number].piece_type)
        return tuple(
            (held, held.type == set_type)
            for held in self.observer.schema.variables.values()
            if self._may_name(held.type)
        )

    @cached_property
    def variables(self) -> frozenset[str]:
        """The variables that the features of a piece are read from, by name."""
        return frozenset(held.name for held, _ in (*self.keyed, *self.holding))

    def _may_name(self, type_: types.Type) -> bool:
        match type_:
            case types.WordType():
                pieces = self.observer.pieces_in(type_)
                return any(piece and piece[0] == self.type_number for piece in pieces)
            case types.SetType():
                return self._may_name(type_.member)
            case types.PairType():
                return self._may_name(type_.left) or self._may_name(type_.right)
        return False

    def _piece(self, code: int, type_: types.Type) -> int | None:
        piece = self.observer.pieces_in(type_)[code] if isinstance(type_, types.WordType) else None
        return piece[1] if piece is not None and piece[0] == self.type_number else None

    def read(self, slots: Sequence[int], visibility: Visibility) -> dict[int, Features]:
        """The features of all pieces of the type that are hidden in a state."""
        hidden = visibility.pieces[self.type_number]
        if not hidden:
            return {}
        owners = self._owners(slots, hidden)
        values = (
            self._attributes(slots, visibility)
            if self._has_attributes_only
            else self._values(owners, slots, visibility)
        )
        places = self._places(slots, visibility, hidden)
        return {
            piece: (owned, values[piece], places.get(piece, ())) for piece, owned in owners.items()
        }

    @cached_property
    def _last_owners(self) -> LastValue[tuple[int, list[int]], dict[int, tuple[int, ...]]]:
        return LastValue()

    def _owners(self, slots: Sequence[int], hidden: int) -> dict[int, tuple[int, ...]]:
        """For each hidden piece, the players who can identify it, as bits; those of the last state are kept."""
        players = len(self.observer.schema.players)
        masks = self.observer.secret_types[self.type_number].owners(slots, players, hidden)
        owners = self._last_owners.get((hidden, masks))
        if owners is None:
            owners = {piece: tuple([mask >> piece & 1 for mask in masks]) for piece in bits(hidden)}
            self._last_owners.put((hidden, masks), owners)
        return owners

    def _places(
        self, slots: Sequence[int], visibility: Visibility, hidden: int
    ) -> dict[int, tuple[int, ...]]:
        """For each hidden piece that is named anywhere, the places that name it."""
        named_at: dict[int, list[int]] = {}
        for number, (variable, is_mask) in enumerate(self.holding):
            for offset in range(variable.count):
                code = slots[variable.base + offset]
                if (is_mask and not code & hidden) or visibility.hides(variable, offset):
                    continue
                for piece in self._named(code, variable.type, hidden):
                    place = self._place(number, variable, offset, visibility)
                    named_at.setdefault(piece, []).append(place)
        return {piece: tuple(sorted(places)) for piece, places in named_at.items()}

    @cached_property
    def _has_attributes_only(self) -> bool:
        """Whether each keyed variable has one cell for each piece, whose value is no piece."""
        return bool(self.keyed) and all(
            offsets == tuple((piece,) for piece in range(len(offsets)))
            and not self.observer.may_be_hidden(variable.type)
            for variable, offsets in self.keyed
        )

    def _attributes(
        self, slots: Sequence[int], visibility: Visibility
    ) -> Sequence[tuple[int, ...]]:
        """The values of the cells that each piece is a key of, if these are all attributes."""
        columns: list[Sequence[int]] = []
        for variable, offsets in self.keyed:
            column = slots[variable.base : variable.base + len(offsets)]
            if hidden := visibility.cells.get(variable.name, 0):
                column = [
                    HIDDEN_VALUE if hidden >> piece & 1 else code
                    for piece, code in enumerate(column)
                ]
            columns.append(column)
        return list(zip(*columns, strict=True))

    def concerns(self, piece: int, variable: str, slot: int, old: int, new: int) -> bool:
        """Whether a change of one cell changes the features of a piece."""
        changed = self.observer.schema.variables[variable]
        offset = slot - changed.base
        if any(held.name == variable and offset in offsets[piece] for held, offsets in self.keyed):
            return True
        only = 1 << piece
        return any(held.name == variable for held, _ in self.holding) and [
            *self._named(old, changed.type, only)
        ] != [*self._named(new, changed.type, only)]

    def _place(self, number: int, variable: Variable, offset: int, visibility: Visibility) -> int:
        """The cell, or only its variable if the cell is that of a hidden piece."""
        keys = zip(variable.key_codes[offset], variable.keys, strict=True)
        if any(visibility.hidden_piece(code, type_) is not None for code, type_ in keys):
            return -1 - number
        return variable.base + offset

    def _named(self, code: int, type_: types.Type, hidden: int) -> Iterator[int]:
        match type_:
            case types.WordType():
                piece = self._piece(code, type_)
                if piece is not None and hidden >> piece & 1:
                    yield piece
            case types.SetType(member=types.WordType() as member) if (
                member == self.observer.secret_types[self.type_number].type
            ):
                yield from bits(code & hidden)
            case types.SetType():
                for member_code in bits(code):
                    yield from self._named(member_code, type_.member, hidden)
            case types.PairType():
                left, right = types.pair_parts(type_, code)
                yield from self._named(left, type_.left, hidden)
                yield from self._named(right, type_.right, hidden)

    def _values(
        self, pieces: Iterable[int], slots: Sequence[int], visibility: Visibility
    ) -> dict[int, tuple[int, ...]]:
        """The values of the cells that each piece is a key of."""
        values: dict[int, list[int]] = {piece: [] for piece in pieces}
        for variable, offsets in self.keyed:
            base, hidden = variable.base, visibility.cells.get(variable.name, 0)
            may_name = self.observer.may_be_hidden(variable.type)
            for piece, codes in values.items():
                for offset in offsets[piece]:
                    code = slots[base + offset]
                    if hidden >> offset & 1 or (
                        may_name and visibility.hidden_piece(code, variable.type) is not None
                    ):
                        code = HIDDEN_VALUE
                    codes.append(code)
        return {piece: tuple(codes) for piece, codes in values.items()}


@frozen
class StackTracker:
    """The stacks of one secret type at one moment.

    Attributes:
        numbers: the stack of each hidden piece.
        features: the features of each hidden piece.
        next_number: the number of the next new stack.
    """

    numbers: dict[int, int]
    features: dict[int, Features]
    next_number: int = 1

    def seen(self) -> Iterator[tuple[int, Features]]:
        """The stack and the features of each hidden piece, without the piece."""
        return ((number, self.features[piece]) for piece, number in self.numbers.items())

    def advanced(self, features: dict[int, Features]) -> StackTracker:
        """The stacks at a later moment, if nothing hidden happened between the two."""
        if features is self.features or features == self.features:
            return self
        # A stack that nothing joined keeps its number: only those with a piece of new features are regrouped.
        before = self.features
        new = {shared for piece, shared in features.items() if before.get(piece) != shared}
        numbers, groups = dict[int, int](), dict[Features, dict[int | None, list[int]]]()
        for piece, shared in features.items():
            if shared in new:
                parts = groups.setdefault(shared, {})
                parts.setdefault(self.numbers.get(piece), []).append(piece)
            else:
                numbers[piece] = self.numbers[piece]
        next_number = self.next_number
        for shared in sorted(groups):
            kept = self._kept_number(shared, groups[shared])
            number = next_number if kept is None else kept
            next_number += kept is None
            for pieces in groups[shared].values():
                numbers |= dict.fromkeys(pieces, number)
        return StackTracker(numbers, features, next_number)

    def _kept_number(self, features: Features, parts: dict[int | None, list[int]]) -> int | None:
        """The number of the old stack, if all its pieces moved or these kept their features; else None."""
        if len(parts) != 1:
            return None
        ((number, pieces),) = parts.items()
        if number is None:
            return None
        remained = self.features.get(pieces[0]) == features
        is_whole = remained or len(pieces) == [*self.numbers.values()].count(number)
        return number if is_whole else None

"""A packed state with pieces of the secret types renamed."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from attrs import frozen

from hots_rules.compile.codes import bits
from hots_rules.compile.facts import FrameSlot, Variable
from hots_rules.observe.observer import Observer
from hots_rules.rules.typed import value_types as types

Renaming = Sequence[Mapping[int, int]]
"""For each secret type, by number, which piece each piece becomes; pieces without an entry stay the same."""


@frozen(slots=False, eq=False)
class Permuter:
    """Renames pieces of the secret types in packed states, wherever a state names them."""

    observer: Observer

    @cached_property
    def _variables(self) -> tuple[tuple[Variable, bool, bool], ...]:
        """The variables that name pieces of secret types: in their keys, in their values."""
        naming = []
        for variable in self.observer.schema.variables.values():
            in_keys = any(self.observer.may_be_hidden(type_) for type_ in variable.keys)
            in_values = self.observer.may_be_hidden(variable.type)
            if in_keys or in_values:
                naming.append((variable, in_keys, in_values))
        return tuple(naming)

    @cached_property
    def _indexed(self) -> tuple[Variable, ...]:
        """Those of the variables that have an index."""
        indexes = self.observer.schema.indexes
        return tuple(variable for variable, *_ in self._variables if variable.name in indexes)

    @cached_property
    def _locals(self) -> tuple[FrameSlot, ...]:
        """The slots of local names that may hold pieces of secret types."""
        frame = self.observer.schema.facts.frame
        return tuple(local for local in frame if self.observer.may_be_hidden(local.type))

    def frame(self, slots: Sequence[int]) -> Iterator[tuple[int, types.Type]]:
        """The slots of local names that are in use, with their types."""
        return ((local.slot, local.type) for local in self._locals if slots[local.return_slot])

    def permuted(self, slots: Sequence[int], renaming: Renaming) -> list[int]:
        """The state with pieces renamed in keys, values and local names; its indexes are up to date, if they were."""
        changed = list(slots)
        for variable, in_keys, in_values in self._variables:
            base = variable.base
            if in_values:
                for slot in range(base, base + variable.count):
                    if slots[slot] or not isinstance(variable.type, types.SetType):
                        changed[slot] = self.code(slots[slot], variable.type, renaming)
            if in_keys:
                values = changed[base : base + variable.count]
                for offset, new_offset in self._moved_cells(variable, renaming):
                    changed[base + new_offset] = values[offset]
        for slot, type_ in self.frame(slots):
            changed[slot] = self.code(slots[slot], type_, renaming)
        self.observer.schema.update_indexes(changed, slots, self._indexed)
        return changed

    def _moved_cells(self, variable: Variable, renaming: Renaming) -> Iterator[tuple[int, int]]:
        """The offsets of the cells whose values move, and to which offset."""
        for number, secret in enumerate(self.observer.secret_types):
            if variable.keys == (secret.type,):
                yield from renaming[number].items()
                return
        for offset, keys in enumerate(variable.key_codes):
            pairs = zip(keys, variable.keys, strict=True)
            renamed = tuple(self.code(key, type_, renaming) for key, type_ in pairs)
            if renamed != keys:
                yield offset, variable.offsets[renamed]

    def locals_naming(self, slots: Sequence[int], type_number: int, piece: int) -> list[bool]:
        """For each local name that is in use, whether it names a piece."""
        size = len(self.observer.secret_types[type_number].piece_type.values)
        renaming: list[dict[int, int]] = [{} for _ in self.observer.secret_types]
        renaming[type_number][piece] = (piece + 1) % size
        return [
            self.code(slots[slot], type_, renaming) != slots[slot]
            for slot, type_ in self.frame(slots)
        ]

    def code(self, code: int, type_: types.Type, renaming: Renaming) -> int:
        """The code of a value after its pieces are renamed."""
        match type_:
            case types.WordType():
                return self._word(code, type_, renaming)
            case types.SetType():
                members = 0
                for member in bits(code):
                    members |= 1 << self.code(member, type_.member, renaming)
                return members
            case types.PairType():
                left, right = types.pair_parts(type_, code)
                new_left = self.code(left, type_.left, renaming)
                return types.pair_code(type_, new_left, self.code(right, type_.right, renaming))
        return code

    def _word(self, code: int, type_: types.WordType, renaming: Renaming) -> int:
        # A local name may have no value yet.
        if not 0 <= code < len(type_.values):
            return code
        piece = self.observer.pieces_in(type_)[code]
        new = renaming[piece[0]].get(piece[1]) if piece is not None else None
        if piece is None or new is None:
            return code
        piece_type = self.observer.secret_types[piece[0]].piece_type
        return type_.codes.get(piece_type.values[new], code)

"""A packed state in which hidden things have changed places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from attrs import frozen

from hots_rules.compile.codes import bits
from hots_rules.compile.facts import FrameSlot, Variable
from hots_rules.observe.observer import Observer
from hots_rules.rules.typed import value_types as types

Places = Sequence[Mapping[int, int]]
"""For each secret type by number, which thing each thing becomes; what is not named stays what it is."""


@frozen(slots=False, eq=False)
class Permuter:
    """Puts other things of the secret types in the place of some, wherever a state names them."""

    eyes: Observer

    @cached_property
    def _variables(self) -> tuple[tuple[Variable, bool, bool], ...]:
        """The variables that name things of secret types, in their keys and in their values."""
        found = []
        for variable in self.eyes.schema.variables.values():
            keys = any(self.eyes.may_be_hidden(type_) for type_ in variable.keys)
            values = self.eyes.may_be_hidden(variable.type)
            if keys or values:
                found.append((variable, keys, values))
        return tuple(found)

    @cached_property
    def _locals(self) -> tuple[FrameSlot, ...]:
        """The slots of local names that may hold things of secret types."""
        frame = self.eyes.schema.facts.frame
        return tuple(local for local in frame if self.eyes.may_be_hidden(local.type))

    def _frame(self, slots: Sequence[int]) -> Iterator[tuple[int, types.Type]]:
        """The local names in use, with their types."""
        return ((local.slot, local.type) for local in self._locals if slots[local.return_slot])

    def permuted(self, slots: Sequence[int], places: Places) -> list[int]:
        """The state with all things renamed, its indexes agreeing."""
        changed = list(slots)
        for variable, keys, values in self._variables:
            base = variable.base
            if values:
                for slot in range(base, base + len(variable.key_codes)):
                    if slots[slot] or isinstance(variable.type, types.WordType):
                        changed[slot] = self.code(slots[slot], variable.type, places)
            if keys:
                valued = changed[base : base + len(variable.key_codes)]
                for offset, to in self._moves(variable, places):
                    changed[base + to] = valued[offset]
        for slot, type_ in self._frame(slots):
            changed[slot] = self.code(slots[slot], type_, places)
        self.eyes.schema.reindex(changed, (variable.name for variable, *_ in self._variables))
        return changed

    def _moves(self, variable: Variable, places: Places) -> Iterator[tuple[int, int]]:
        """From which cell of a variable to which its values go."""
        for number, kind in enumerate(self.eyes.kinds):
            if variable.keys == (kind.type,):
                yield from places[number].items()
                return
        for offset, codes in enumerate(variable.key_codes):
            pairs = zip(codes, variable.keys, strict=True)
            renamed = tuple(self.code(key, type_, places) for key, type_ in pairs)
            if renamed != codes:
                yield offset, variable.offsets[renamed]

    def marks(self, slots: Sequence[int], kind: int, thing: int) -> list[bool]:
        """Which local names hold a thing."""
        gone: list[dict[int, int]] = [{} for _ in self.eyes.kinds]
        type_ = self.eyes.kinds[kind].type
        assert type_ is not None
        gone[kind][thing] = (thing + 1) % len(type_.values)
        return [self.code(slots[slot], of, gone) != slots[slot] for slot, of in self._frame(slots)]

    def code(self, code: int, type_: types.Type, places: Places) -> int:
        """A value in which things are renamed."""
        match type_:
            case types.WordType():
                return self._word(code, type_, places)
            case types.SetType():
                found = 0
                for member in bits(code):
                    found |= 1 << self.code(member, type_.member, places)
                return found
            case types.PairType():
                left, right = types.pair_parts(type_, code)
                one = self.code(left, type_.left, places)
                return types.pair_code(type_, one, self.code(right, type_.right, places))
        return code

    def _word(self, code: int, type_: types.WordType, places: Places) -> int:
        # A local name may stand for nothing yet.
        if not 0 <= code < len(type_.values):
            return code
        thing = self.eyes.things_in(type_)[code]
        other = places[thing[0]].get(thing[1]) if thing is not None else None
        if thing is None or other is None:
            return code
        kind = self.eyes.kinds[thing[0]].type
        assert kind is not None
        return type_.codes.get(kind.values[other], code)

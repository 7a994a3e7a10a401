"""Things seen from behind, and how far they can be followed.

All that the viewer sees of a thing is its *face*: who knows it, the values of the cells that it is a key
of, and where it is named. Things with the same face make a *stack*, which has a number. A stack keeps its number while
it stays together and nothing joins it, whatever its face becomes: a lone back is followed wherever it
is seen to go. What leaves a stack, and a stack that others join, is numbered anew. New numbers are given
in the order of the faces, so that they tell nothing more than the faces do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from attrs import frozen

from hots_rules.compile.codes import bits
from hots_rules.compile.facts import Variable
from hots_rules.observe.observer import Observer, Visibility
from hots_rules.rules.typed import value_types as types

Face = tuple[tuple[int, ...], ...]
UNKNOWN = -(1 << 40)


@frozen(slots=False, eq=False)
class ObservableFeatures:
    """Reads the faces of the things of one secret type, by number."""

    eyes: Observer
    kind: int

    @cached_property
    def _keyed(self) -> tuple[tuple[Variable, tuple[tuple[int, ...], ...]], ...]:
        """The variables that have such things as keys, with the offsets of each thing."""
        found = []
        type_ = self.eyes.kinds[self.kind].type
        assert type_ is not None
        for variable in self.eyes.schema.variables.values():
            offsets: list[list[int]] = [[] for _ in type_.values]
            for offset, keys in enumerate(variable.key_codes):
                for code, key_type in zip(keys, variable.keys, strict=True):
                    if (thing := self._thing(code, key_type)) is not None:
                        offsets[thing].append(offset)
            if any(offsets):
                found.append((variable, tuple(tuple(many) for many in offsets)))
        return tuple(found)

    @cached_property
    def _holding(self) -> tuple[Variable, ...]:
        """The variables whose values may name such things."""
        return tuple(v for v in self.eyes.schema.variables.values() if self._may_name(v.type))

    def _may_name(self, type_: types.Type) -> bool:
        match type_:
            case types.WordType():
                return any(found and found[0] == self.kind for found in self.eyes.things_in(type_))
            case types.SetType():
                return self._may_name(type_.member)
            case types.PairType():
                return self._may_name(type_.left) or self._may_name(type_.right)
        return False

    def _thing(self, code: int, type_: types.Type) -> int | None:
        found = self.eyes.things_in(type_)[code] if isinstance(type_, types.WordType) else None
        return found[1] if found is not None and found[0] == self.kind else None

    def read(self, slots: Sequence[int], look: Visibility) -> dict[int, Face]:
        """The faces of all things of the type that are hidden at this moment."""
        hidden = look.things[self.kind]
        named: dict[int, list[int]] = {thing: [] for thing in bits(hidden)}
        for number, variable in enumerate(self._holding):
            for offset in range(len(variable.key_codes)):
                if not look.hides(variable, offset):
                    code = slots[variable.base + offset]
                    for thing in self._named(code, variable.type, hidden):
                        named[thing].append(self._place(number, variable, offset, look))
        schema = self.eyes.schema
        owners = self.eyes.kinds[self.kind].owners(slots, len(schema.players), hidden)
        return {
            thing: (
                tuple(mask >> thing & 1 for mask in owners),
                tuple(self._values(thing, slots, look)),
                tuple(sorted(places)),
            )
            for thing, places in named.items()
        }

    def concerns(self, thing: int, variable: str, slot: int, old: int, new: int) -> bool:
        """Whether a change of one cell changes the face of a thing."""
        found = self.eyes.schema.variables[variable]
        offset = slot - found.base
        if any(v.name == variable and offset in offsets[thing] for v, offsets in self._keyed):
            return True
        only = 1 << thing
        return any(v.name == variable for v in self._holding) and any(
            self._named(old, found.type, only)
        ) != any(self._named(new, found.type, only))

    def _place(self, number: int, variable: Variable, offset: int, look: Visibility) -> int:
        """Which cell it is, or which variable alone where the cell is that of a hidden thing."""
        keys = zip(variable.key_codes[offset], variable.keys, strict=True)
        if any(look.hidden_thing(code, type_) is not None for code, type_ in keys):
            return -1 - number
        return variable.base + offset

    def _named(self, code: int, type_: types.Type, hidden: int) -> Iterator[int]:
        match type_:
            case types.WordType():
                thing = self._thing(code, type_)
                if thing is not None and hidden >> thing & 1:
                    yield thing
            case types.SetType(member=types.WordType() as member) if (
                member == self.eyes.kinds[self.kind].type
            ):
                yield from bits(code & hidden)
            case types.SetType():
                for one in bits(code):
                    yield from self._named(one, type_.member, hidden)
            case types.PairType():
                left, right = types.pair_parts(type_, code)
                yield from self._named(left, type_.left, hidden)
                yield from self._named(right, type_.right, hidden)

    def _values(self, thing: int, slots: Sequence[int], look: Visibility) -> Iterator[int]:
        for variable, offsets in self._keyed:
            for offset in offsets[thing]:
                code = slots[variable.base + offset]
                dark = look.hides(variable, offset) or look.hidden_thing(code, variable.type)
                yield UNKNOWN if dark else code


@frozen
class StackTracker:
    """The numbers of the stacks of one secret type: of each hidden thing, and the next that is free."""

    numbers: dict[int, int]
    faces: dict[int, Face]
    free: int = 1

    def followed(self, faces: dict[int, Face]) -> StackTracker:
        """The stacks at a later moment, with nothing hidden between the two."""
        parts: dict[Face, dict[int | None, list[int]]] = {}
        for thing, face in faces.items():
            parts.setdefault(face, {}).setdefault(self.numbers.get(thing), []).append(thing)
        sizes: dict[int, int] = {}
        for number in self.numbers.values():
            sizes[number] = sizes.get(number, 0) + 1
        numbers: dict[int, int] = {}
        free = self.free
        for face in sorted(parts):
            kept = self._kept(face, parts[face], sizes)
            number = free if kept is None else kept
            free += kept is None
            for things in parts[face].values():
                numbers |= dict.fromkeys(things, number)
        return StackTracker(numbers, faces, free)

    def _kept(
        self, face: Face, parts: dict[int | None, list[int]], sizes: dict[int, int]
    ) -> int | None:
        """The number that a stack keeps: it came whole, or it is what stayed behind."""
        if len(parts) != 1:
            return None
        ((number, things),) = parts.items()
        if number is None:
            return None
        stayed = self.faces.get(things[0]) == face
        return number if stayed or len(things) == sizes[number] else None

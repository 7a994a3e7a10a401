"""The entries that the states of two rulesets have in common, and those that differ between two states."""

from __future__ import annotations

from typing import NamedTuple

from attrs import frozen

from hots_rules.compare.difference import Change
from hots_rules.compile.codes import value_text
from hots_rules.rules.typed import value_types as types
from hots_rules.state.schema import StateSchema
from hots_rules.state.state import State


class SharedEntry(NamedTuple):
    """An entry that the states of two rulesets have: its name, and its slot and type in each of them."""

    name: str
    slot: int
    type: types.Type
    other_slot: int
    other_type: types.Type


@frozen
class SharedEntries:
    """The entries that the states of two rulesets have in common, by name: `place of Fox`.

    Equal types are one object in it, so that `is` is a fast test whether codes can be compared.
    """

    entries: tuple[SharedEntry, ...]

    @classmethod
    def of(cls, first: StateSchema, second: StateSchema) -> SharedEntries:
        """The entries that two schemas have in common."""
        theirs = _entries(second)
        shared_types: dict[types.Type, types.Type] = {}
        both = (
            SharedEntry(
                name,
                *_with_shared_type(shared_types, *ours),
                *_with_shared_type(shared_types, *theirs[name]),
            )
            for name, ours in _entries(first).items()
            if name in theirs
        )
        return cls(tuple(both))

    def changes(self, first: State, second: State) -> tuple[Change, ...]:
        """The entries whose values differ."""
        changes = []
        for name, slot, type_, other_slot, other_type in self.entries:
            code, other_code = first.slots[slot], second.slots[other_slot]
            if code == other_code and type_ is other_type:
                continue
            values = value_text(code, type_), value_text(other_code, other_type)
            if values[0] != values[1]:
                changes.append(Change(name, *values))
        return tuple(changes)


def _with_shared_type(
    shared_types: dict[types.Type, types.Type], slot: int, type_: types.Type
) -> tuple[int, types.Type]:
    """The slot of an entry, and its type as the first equal one that was seen."""
    return slot, shared_types.setdefault(type_, type_)


def _entries(schema: StateSchema) -> dict[str, tuple[int, types.Type]]:
    """The entries of a state by name, with their slots and types."""
    by_name = {}
    for variable, keys, slot in schema.cells():
        words = [value_text(key, type_) for key, type_ in zip(keys, variable.keys, strict=True)]
        named = variable.name + (f" of {', '.join(words)}" if words else "")
        by_name[named] = slot, variable.type
    return by_name

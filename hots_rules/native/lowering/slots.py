"""The slots of a state as cells of the memory: their bounds, and how many words each takes."""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from operator import attrgetter

from attrs import define, field

from hots_rules.compile.codes import FIRST_FREE, HALT, OUTCOME, POINT, REASON
from hots_rules.compile.facts import CompiledFacts
from hots_rules.native.lowering.bounds import Bounds, hull
from hots_rules.native.lowering.program import FULL, WORD
from hots_rules.native.refusal import NotLowered
from hots_rules.rules.typed import value_types as types


@define
class SlotRange:
    """Slots of one kind, one after the other: those of a variable, of its index, or a single one.

    Slot `first + i` has the words from cell `cell + i * cells` on.
    """

    first: int
    count: int
    bounds: Bounds
    cell: int = field(default=0)

    @property
    def cells(self) -> int:
        """How many words each slot takes."""
        return self.bounds.cells

    @property
    def last(self) -> int:
        """The number of the last slot of the range."""
        return self.first + self.count - 1


_first = attrgetter("first")


def _is_wide(part: SlotRange) -> bool:
    """Whether a slot has more than one word, or a word without a sign."""
    return not part.bounds.is_signed_word


def _format(part: SlotRange) -> str:
    """How `struct` packs a slot."""
    if part.cells > 1:
        return f"{8 * part.cells}s"
    return "q" if part.bounds.low < 0 else "Q"


def _codes(type_: types.Type) -> Bounds:
    low = types.lowest_code(type_)
    return Bounds(low, low + types.size(type_) - 1)


def _ranges(facts: CompiledFacts, blocks: int) -> Iterator[SlotRange]:
    """All ranges; `blocks` is the number of blocks."""
    yield SlotRange(POINT, 1, Bounds(-len(facts.points), blocks))
    # For a moment, that nobody won is written as a win of a player after the last one.
    yield SlotRange(OUTCOME, 1, Bounds(facts.outcome_codes[0], facts.outcome_codes[-1] + 1))
    yield SlotRange(REASON, 1, Bounds(0, max(len(facts.origins) - 1, 0)))
    for variable in facts.variables:
        bounds = _codes(variable.type)
        yield SlotRange(
            variable.base,
            variable.count,
            bounds.join(Bounds(variable.initial, variable.initial)),
        )
        if variable.name in facts.indexes:
            low = types.lowest_code(variable.type)
            first = facts.indexes[variable.name] + low
            size = types.size(variable.type)
            yield SlotRange(first, size, Bounds(0, (1 << variable.count) - 1))
    for frame in facts.frame:
        # A frame that is not in use holds 0, and the counter of a loop ends one above its last turn.
        codes = _codes(frame.type)
        counter = codes.high + isinstance(frame.type, types.IntType)
        outside = hull([Bounds(0, counter), Bounds(frame.default, frame.default)])
        yield SlotRange(frame.slot, 1, codes.join(outside))
    for slot in set(facts.return_slots.values()):
        yield SlotRange(slot, 1, Bounds(HALT, blocks))


class SlotMap:
    """Where each slot of a state lies in the memory, from cell 0 on.

    Raises:
        NotLowered: the facts do not say what a slot holds.
    """

    def __init__(self, facts: CompiledFacts, blocks: int) -> None:
        self.ranges = sorted(_ranges(facts, blocks), key=_first)
        self.of_slot: list[SlotRange] = []
        self.cells = 0
        for part in self.ranges:
            if part.first != len(self.of_slot):
                raise NotLowered("a slot that no variable and no frame declares")
            part.cell = self.cells
            self.cells += part.cells * part.count
            self.of_slot += [part] * part.count
        if len(self.of_slot) != len(facts.initial) or len(self.of_slot) < FIRST_FREE:
            raise NotLowered("a slot that no variable and no frame declares")
        self._checked = [(slot, part) for slot, part in enumerate(self.of_slot) if _is_wide(part)]
        self._struct = struct.Struct("<" + "".join(map(_format, self.of_slot)))
        self._words = struct.Struct(f"<{self.cells}Q")

    def cell(self, slot: int) -> int:
        """The first cell of a slot."""
        part = self.of_slot[slot]
        return part.cell + (slot - part.first) * part.cells

    def range_of(self, low: int, high: int) -> SlotRange:
        """The range to which an index from `low` to `high` belongs: that with most of these slots."""
        if high < 0 or low >= len(self.of_slot):
            raise NotLowered(f"slots {low} to {high}, which do not exist")
        first, end = (bisect_right(self.ranges, slot, key=_first) for slot in (max(low, 0), high))
        near = self.ranges[first - 1 : end]
        return max(near, key=lambda part: min(part.last, high) - max(part.first, low))

    # -------------------------------------------------------------- values
    def pack(self, slots: Sequence[int]) -> bytes:
        """The words of a state as bytes; machine code itself looks whether numbers of a word are in their bounds.

        Raises:
            ValueError: the slots are not those of this ruleset, or a number or a set is too large for its words.
        """
        if len(slots) != len(self.of_slot):
            raise ValueError("a state with other slots")
        values: list[int | bytes] = list(slots)
        for slot, part in self._checked:
            if not part.bounds.low <= slots[slot] <= part.bounds.high:
                raise ValueError("a value of the state is outside its bounds")
            if part.cells > 1:
                has_sign = part.bounds.low < 0
                values[slot] = slots[slot].to_bytes(8 * part.cells, "little", signed=has_sign)
        try:
            return self._struct.pack(*values)
        except struct.error:
            raise ValueError("a value of the state is outside its bounds") from None

    @property
    def bounds(self) -> Iterator[tuple[int, int] | None]:
        """The lowest and the highest number of each cell; None where a cell is one of several, or holds anything."""
        for part in self.ranges:
            for _ in range(part.count * part.cells):
                yield None if _is_wide(part) else (part.bounds.low, part.bounds.high)

    def words(self, slots: Sequence[int]) -> list[int]:
        """The words of a state, without signs; see `pack`."""
        return list(self._words.unpack(self.pack(slots)))

    def unpack(self, words: Sequence[int]) -> list[int]:
        """The state of some words, the inverse of `words`; words may have signs or none."""
        slots, at = [], 0
        for part in self.of_slot:
            value = 0
            for place in range(part.cells):
                value |= (words[at] & FULL) << place * WORD
                at += 1
            if part.bounds.low < 0 and value >> (part.cells * WORD - 1):
                value -= 1 << part.cells * WORD
            slots.append(value)
        return slots

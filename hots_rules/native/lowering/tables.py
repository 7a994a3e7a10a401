"""The facts of a ruleset as constant tables of numbers, and its texts: what the run loop and chance look up."""

from __future__ import annotations

from attrs import define, field

from hots_rules.compile.codes import DecisionPoint, DicePoint, DrawPoint
from hots_rules.compile.machine import Machine
from hots_rules.native.lowering.slots import SlotMap
from hots_rules.native.refusal import NotLowered
from hots_rules.native.runtime.chance import DECISION, DICE, DRAW, chunk_tables, chunks_of

Tables = dict[str, tuple[int, ...]]


@define
class Texts:
    """Constant texts by number; those that are added together have numbers in a row."""

    rows: list[str] = field(factory=list)
    _first: dict[tuple[str, ...], int] = field(factory=dict)
    _chunks: list[int] = field(factory=lambda: [0])

    def add(self, *texts: str) -> int:
        """The number of the first of some texts."""
        if texts not in self._first:
            self._first[texts] = len(self.rows)
            self.rows += texts
            for text in texts:
                self._chunks.append(self._chunks[-1] + len(chunks_of(text.encode())))
        return self._first[texts]

    def place(self, number: int) -> int:
        """Where the chunks of a text begin."""
        return self._chunks[number]

    def tables(self) -> Tables:
        """The tables from which chance takes a text by its number."""
        return chunk_tables([text.encode() for text in self.rows] or [b""])


def point_tables(machine: Machine, slots: SlotMap) -> Tables:
    """What is known of each suspension point, action and block."""
    kind, after, into, waiting, sides, most, weighed = rows = [
        [0] * len(machine.points) for _ in range(7)
    ]
    for number, point in enumerate(machine.points):
        after[number], waiting[number] = point.after, -1
        match point:
            case DecisionPoint():
                kind[number] = DECISION
                if point.waiting is not None:
                    waiting[number] = single(slots, point.waiting)
                continue
            case DicePoint():
                kind[number], sides[number], most[number] = DICE, point.sides, point.most or 0
            case DrawPoint():
                kind[number], weighed[number] = DRAW, int(point.weight is not None)
        into[number] = single(slots, point.into)
    names = ("KIND", "AFTER", "INTO", "WAITING", "SIDES", "MOST", "WEIGHED")
    shares = [action.size // machine.player_count for action in machine.facts.actions]
    return {
        **{name: tuple(row) or (0,) for name, row in zip(names, rows, strict=True)},
        "BASES": machine.bases or (0,),
        "SHARES": tuple(shares) or (0,),
    }


def single(slots: SlotMap, slot: int) -> int:
    """The cell of a slot that has one.

    Raises:
        NotLowered: it has several.
    """
    if slots.of_slot[slot].cells > 1:
        raise NotLowered("a set of more than 64 members as the outcome of chance")
    return slots.cell(slot)

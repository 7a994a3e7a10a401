"""The facts of a ruleset as constant tables of numbers, and its texts: what the run loop and chance look up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import define, field

from hots_rules.compile.codes import DecisionPoint, DicePoint, DrawPoint
from hots_rules.compile.machine import FrameData, Machine
from hots_rules.native.lowering.bounds import Bounds
from hots_rules.native.lowering.slots import SlotMap
from hots_rules.native.refusal import NotLowered
from hots_rules.native.runtime.chance import DECISION, DICE, DRAW, chunk_tables

Tables = dict[str, tuple[int, ...]]
_FEW_NUMBERS = Bounds(0, 99)
"""The numbers whose texts are kept."""


@define
class Texts:
    """Constant texts by number; those that are added together have numbers in a row."""

    rows: list[str] = field(factory=list)
    _first: dict[tuple[str, ...], int] = field(factory=dict)

    def add(self, *texts: str) -> int:
        """The number of the first of some texts."""
        if texts not in self._first:
            self._first[texts] = len(self.rows)
            self.rows += texts
        return self._first[texts]

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
                    waiting[number] = _single(slots, point.waiting)
                continue
            case DicePoint():
                kind[number], sides[number], most[number] = DICE, point.sides, point.most or 0
            case DrawPoint():
                kind[number], weighed[number] = DRAW, int(point.weight is not None)
        into[number] = _single(slots, point.into)
    names = ("KIND", "AFTER", "INTO", "WAITING", "SIDES", "MOST", "WEIGHED")
    shares = [action.size // machine.player_count for action in machine.facts.actions]
    return {
        **{name: tuple(row) or (0,) for name, row in zip(names, rows, strict=True)},
        "BASES": machine.bases or (0,),
        "SHARES": tuple(shares) or (0,),
        "STEPS": machine.steps,
    }


def _single(slots: SlotMap, slot: int) -> int:
    if slots.of_slot[slot].cells > 1:
        raise NotLowered("a set of more than 64 members as the outcome of chance")
    return slots.cell(slot)


def scope_tables(
    scopes: Iterable[FrameData],
    callers: Mapping[int, int],
    blocks: int,
    slots: SlotMap,
    texts: Texts,
) -> Tables:
    """The frames whose names and values are parts of a key of chance; `callers` has the frame of each block.

    A frame has a text for each word of its first value, in the cell of `SCOPE_BY`: its name with that word.
    """
    names, by, first, back, cells, words = [], [], [0], [], [], []
    for name, values, return_slot in scopes:
        back.append(-1 if return_slot is None else _single(slots, return_slot))
        parts = [
            (_single(slots, slot), _words(slots.of_slot[slot].bounds, of)) for slot, of in values
        ]
        named, cell = [f"|{name}"], -1
        if parts and parts[0][1]:
            (cell, of), *parts = parts
            named = [f"|{name}{word}" for word in of]
        names.append(texts.add(*named))
        by.append(cell)
        for cell, of in parts:
            cells.append(cell)
            words.append(texts.add(*of) if of else -1)
        first.append(len(cells))
    return {
        "SCOPE_NAME": tuple(names) or (0,),
        "SCOPE_BY": tuple(by) or (0,),
        "SCOPE_FIRST": tuple(first),
        "SCOPE_BACK": tuple(back) or (0,),
        "SCOPE_CELL": tuple(cells) or (0,),
        "SCOPE_WORDS": tuple(words) or (0,),
        "CALLER_SCOPE": tuple(callers.get(block, -1) for block in range(blocks)),
    }


def _words(bounds: Bounds, words: tuple[str, ...] | None) -> tuple[str, ...]:
    """The words of a value, each after a space; none for a number that may be of many."""
    if words is None and bounds.is_inside(_FEW_NUMBERS):
        words = tuple(map(str, range(bounds.high + 1)))
    return tuple(f" {word}" for word in words or ())

"""The facts of a ruleset as constant tables of numbers, and its texts: what the run loop and chance look up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import define, field

from hots_rules.compile.codes import DecisionPoint, DicePoint, DrawPoint
from hots_rules.compile.machine import FrameData, Machine
from hots_rules.native.lowering.slots import SlotMap
from hots_rules.native.refusal import NotLowered
from hots_rules.native.runtime.chance import DECISION, DICE, DRAW

Tables = dict[str, tuple[int, ...]]


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
        """`TEXT`, all texts in UTF-8 one after the other, and `TEXT_AT`, where each begins and the last ends."""
        data, starts = b"", [0]
        for text in self.rows:
            data += text.encode()
            starts.append(len(data))
        return {"TEXT": tuple(data) or (0,), "TEXT_AT": tuple(starts)}


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
    """The frames whose names and values are parts of a key of chance; `callers` has the frame of each block."""
    names, first, back, cells, words = [], [0], [], [], []
    for name, values, return_slot in scopes:
        names.append(texts.add(name))
        back.append(-1 if return_slot is None else _single(slots, return_slot))
        for slot, of in values:
            cells.append(_single(slots, slot))
            words.append(-1 if of is None else texts.add(*of))
        first.append(len(cells))
    return {
        "SCOPE_NAME": tuple(names) or (0,),
        "SCOPE_FIRST": tuple(first),
        "SCOPE_BACK": tuple(back) or (0,),
        "SCOPE_CELL": tuple(cells) or (0,),
        "SCOPE_WORDS": tuple(words) or (0,),
        "CALLER_SCOPE": tuple(callers.get(block, -1) for block in range(blocks)),
    }

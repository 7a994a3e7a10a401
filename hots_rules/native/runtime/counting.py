"""Counts of what comes up in a game, in machine code: a cell for each rule, event, action and phase.

They are counted where a traced module notes them; what else it notes, machine code does not keep.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import frozen

from hots_rules.compile.codes import Slots
from hots_rules.compile.machine import Machine
from hots_rules.compile.traced import EntryNote, Note, RuleNote
from hots_rules.native.refusal import refused

SOURCE: Final = """
def start_counts():
    for i in range(0, COUNTED):
        S[SEEN + i] = 0

def end_counts(game):
    for i in range(0, COUNTED):
        S[TALLIES + game * COUNTED + i] = S[SEEN + i]
"""
"""The counts of the game that is played are in `SEEN`, those of a batch in `TALLIES`."""
NO_SOURCE: Final = """
def start_counts():
    return

def end_counts(game):
    return
"""
_IGNORED = frozenset({"SetNote", "ClearNote"})


def counted_names(machine: Machine) -> tuple[str, ...]:
    """What a counting program counts, as `KIND NAME`, in the order of its cells; some of them are never noted.

    >>> import hots_rules as hr
    >>> from hots_rules.native.runtime.counting import counted_names
    >>> machine = hr.load("breakthrough-1.0").compiled.default_machine
    >>> counted_names(machine)[:2]
    ('action move', 'event arrived')
    """
    facts = machine.facts
    return tuple(
        dict.fromkeys(
            (
                *(f"action {action.name}" for action in facts.actions),
                *(f"event {name}" for name in facts.events),
                *(f"phase {name}" for name in facts.phases),
                *(f"rule {origin.rule}" for origin in facts.origins),
            )
        )
    )


@frozen
class NoteCells:
    """The cells in which the notes of a traced module are counted.

    Attributes:
        cells: the number of the cell of each name.
        rules: the name of the rule of each origin.
    """

    cells: Mapping[str, int]
    rules: tuple[str, ...]

    @classmethod
    def of(cls, machine: Machine) -> NoteCells:
        """The cells of a machine."""
        cells = {name: cell for cell, name in enumerate(counted_names(machine))}
        return cls(cells, tuple(origin.rule for origin in machine.facts.origins))

    def cell(self, note: ast.expr) -> int | None:
        """The cell of a note, from the expression that makes it; None for one that is not counted.

        Raises:
            NotLowered: the expression makes no note.
        """
        match note:
            case ast.Call(
                func=ast.Name("EntryNote"),
                args=[ast.Constant(str(kind)), ast.Constant(str(name)), *_],
            ):
                return self.cells[f"{kind} {name}"]
            case ast.Call(func=ast.Name("RuleNote"), args=[ast.Constant(int(origin))]):
                return self.cells[f"rule {self.rules[origin]}"]
            case ast.Call(func=ast.Name(kind)) if kind in _IGNORED:
                return None
        raise refused(note)


class CountedSlots(list[int]):
    """A packed state on which a traced machine counts its notes, as a counting program does.

    >>> import hots_rules as hr
    >>> from hots_rules.native.runtime.counting import CountedSlots, counts_of
    >>> rules = hr.load("breakthrough-1.0")
    >>> machine = rules.machine(rules.chosen({}, {}), traced=True)
    >>> sum(counts_of(CountedSlots(machine.begin("two-ranks"), machine)))
    0
    """

    def __init__(self, slots: Sequence[int], machine: Machine) -> None:
        super().__init__(slots)
        self.log = _Notes(machine)


class _Notes:
    """The log of a traced module, which counts the notes instead of keeping them."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.counts = Counter[str]()

    def append(self, note: Note) -> None:
        """Add 1 to the count of what a note names."""
        if isinstance(note, EntryNote):
            self.counts[f"{note.kind} {note.name}"] += 1
        elif isinstance(note, RuleNote):
            self.counts[f"rule {self.machine.facts.origins[note.origin].rule}"] += 1


def counts_of(slots: Slots) -> tuple[int, ...]:
    """How often each of the names of `counted_names` came up on a counted state; empty for another one."""
    if not isinstance(slots, CountedSlots):
        return ()
    return tuple(slots.log.counts[name] for name in counted_names(slots.log.machine))

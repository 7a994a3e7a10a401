"""Traced modules: the notes that they log about a play, and the machine that runs them."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

from hots_rules.compile.codes import POINT, ChancePoint, Slots
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import EngineError

MAX_NOTES = 300_000  # about 50 MB


class ChoiceNote(NamedTuple):
    """An action was chosen, by its code."""

    code: int


class ChanceNote(NamedTuple):
    """A chance point, by its number, had an outcome."""

    point: int
    outcome: int


class EntryNote(NamedTuple):
    """An action, a phase or an event began; `origin` is the number of its rule."""

    kind: str
    name: str
    args: tuple[int, ...]
    origin: int


class RuleNote(NamedTuple):
    """A rule handled the event of an earlier note."""

    origin: int


class SetNote(NamedTuple):
    """A rule set a slot of a variable."""

    variable: str
    slot: int
    code: int
    origin: int


class ClearNote(NamedTuple):
    """A rule cleared a whole variable."""

    variable: str
    origin: int


Note = ChoiceNote | ChanceNote | EntryNote | RuleNote | SetNote | ClearNote
# For `isinstance` in loops over notes: it reads a tuple in half the time of a union.
MOVES = ChoiceNote, ChanceNote
CHANGES = SetNote, ClearNote


class Log(list[Note]):
    """The notes about one play; their number is bounded, since a play of an untrusted ruleset may be very long."""

    def append(self, note: Note, /) -> None:
        """Add a note.

        Raises:
            EngineError: there are too many.
        """
        if len(self) >= MAX_NOTES:
            raise EngineError(f"one play does more than {MAX_NOTES:,} things, too many for a trace")
        super().append(note)


class LoggedSlots(list[int]):
    """A packed state with the log of the traced module that runs on it."""

    def __init__(self, slots: Sequence[int], *notes: Note) -> None:
        super().__init__(slots)
        self.log = Log(notes)

    @cached_property
    def changed(self) -> frozenset[str]:
        """The variables that a finished play has set or cleared."""
        return frozenset(
            note.variable for note in self.log if isinstance(note, SetNote | ClearNote)
        )

    @cached_property
    def has_chance(self) -> bool:
        """Whether a finished play had an outcome of chance."""
        return any(isinstance(note, ChanceNote) for note in self.log)


class TracedMachine(Machine):
    """The functions of a traced module; they run on `LoggedSlots`."""

    def _names(self) -> dict[str, Any]:
        notes = (EntryNote, RuleNote, SetNote, ClearNote)
        return super()._names() | {note.__name__: note for note in notes}

    def _answer(self, slots: Slots, point: ChancePoint, seed: str) -> int:
        after = super()._answer(slots, point, seed)
        if isinstance(slots, LoggedSlots):
            slots.log.append(ChanceNote(-1 - slots[POINT], slots[point.into]))
        return after


def play_logged(
    machine: Machine, before: Sequence[int], move: int, seed: str | None
) -> LoggedSlots:
    """The state after a move from a packed state, with its log."""
    note = ChanceNote(-1 - before[POINT], -1 - move) if move < 0 else ChoiceNote(move)
    slots = LoggedSlots(before, note)
    machine.move(slots, move, seed)
    return slots

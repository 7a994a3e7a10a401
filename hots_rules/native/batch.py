"""Batches of random games in machine code: the same games as in Python, one memory for each thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from hots_rules.compile.codes import OUTCOME, POINT, REASON, Slots
from hots_rules.native.backend import NativeFault
from hots_rules.native.games import ROW, ROW_CELLS, row_of
from hots_rules.native.kept import NativeCode

_BUDGET = 50_000  # decisions of one call, a moment in which nobody can interrupt it


class Ended(NamedTuple):
    """How a game with random moves ended.

    >>> from hots_rules.native.batch import Ended
    >>> Ended(outcome=2, reason=5, is_over=True, decisions=417).is_over
    True
    """

    outcome: int
    """0: no outcome; 1: nobody won; 2 + p: player p won."""
    reason: int
    """The number of the rule that ended it."""
    is_over: bool
    decisions: int
    slots: Slots | None = None
    """The final state, where it was asked for."""


class NativeGames:
    """Plays games in a memory of its own. One thread at a time uses it."""

    def __init__(self, code: NativeCode) -> None:
        self._code = code
        self._cells = code.memory["SLOTS"].room
        self._renew()

    def _renew(self) -> None:
        """Begin with a new memory, as after a fault."""
        self._instance = self._code.code.instance()
        self._words = self._instance.memory
        self._bytes = self._words.cast("B")

    def play(
        self,
        starts: Sequence[bytes],
        seeds: Sequence[str],
        *,
        keeps_slots: bool = False,
        is_stopped: Callable[[], bool] = bool,
    ) -> list[Ended | None]:
        """How games from packed states end; None for a game that only Python can play, or that was stopped.

        At most `BATCH` games are played.
        """
        rows = [_row(seed) for seed in seeds]
        self._begin(starts, [row or _EMPTY for row in rows])
        done = 0
        try:
            while done < len(seeds) and not is_stopped():
                done = self._instance.call("batch", len(seeds), _BUDGET)
        except NativeFault:
            self._renew()
            return [None] * len(seeds)
        ends = [self._end(game, keeps_slots) for game in range(done)]
        ends += [None] * (len(seeds) - done)
        return [end if row else None for row, end in zip(rows, ends, strict=True)]

    def states(self, start: Slots, seed: str) -> Iterator[Slots]:
        """The states of one game, the first and one after each decision; it ends where only Python can go on."""
        self._begin([self._code.slots.pack(start)], [_row(seed) or _EMPTY])
        decisions = 0
        while self._instance.call("batch", 1, decisions) == 0:
            yield self._code.slots.unpack(self._words[: self._cells])
            decisions = 1
        if (end := self._end(0, keeps_slots=True)) and end.slots is not None:
            yield end.slots

    def legal(self, state: bytes) -> list[int] | None:
        """The codes of the legal actions at a decision; None if only Python can tell."""
        memory, words = self._code.memory, self._words
        self._put("SLOTS", state)
        words[memory["ERROR"].base] = 0
        try:
            count = self._instance.call("legal", -1 - words[POINT])
        except NativeFault:
            self._renew()
            return None
        if words[memory["ERROR"].base]:
            return None
        base = memory["OUT"].base
        return words[base : base + count].tolist()

    def _begin(self, starts: Sequence[bytes], rows: Sequence[bytes]) -> None:
        """Put games into the memory, before the first one."""
        self._put("STATES", b"".join(starts))
        self._put("ROWS", b"".join(rows))
        for name in ("GAME", "IS_LIVE"):
            self._words[self._code.memory[name].base] = 0

    def _put(self, region: str, data: bytes) -> None:
        base = 8 * self._code.memory[region].base
        self._bytes[base : base + len(data)] = data

    def _end(self, game: int, keeps_slots: bool) -> Ended | None:
        words, memory = self._words, self._code.memory
        row = memory["ROWS"].base + game * ROW_CELLS
        if words[row + ROW["ERROR"]]:
            return None
        state = memory["STATES"].base + game * self._cells
        return Ended(
            words[state + OUTCOME],
            words[state + REASON],
            not words[state + POINT],
            words[row + ROW["DECISIONS"]],
            self._code.slots.unpack(words[state : state + self._cells]) if keeps_slots else None,
        )


def _row(seed: str) -> bytes | None:
    """What a game begins with besides its state; None for a seed that machine code cannot take."""
    try:
        return row_of(seed).ljust(len(_EMPTY), b"\0")
    except ValueError:
        return None


_EMPTY = bytes(8 * ROW_CELLS)

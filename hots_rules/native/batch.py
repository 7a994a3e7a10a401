"""Batches of random games in machine code: the same games as in Python, one memory for each thread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import count, repeat
from operator import not_
from typing import NamedTuple

from hots_rules.compile.codes import OUTCOME, POINT, REASON, Slots
from hots_rules.native.backend import NativeFault
from hots_rules.native.cached_code import NativeCode
from hots_rules.native.lowering.program import FULL
from hots_rules.native.runtime.chance import SEED_CELLS
from hots_rules.native.runtime.games import LEFT_TO_PYTHON, ROW, ROW_CELLS, row_of
from hots_rules.native.runtime.pairing import TRAIL_CELLS

_REASONS = (1 << 31) - 1  # the bits of a reason in the word of an end
_BUDGET = 50_000  # decisions of one call, a moment in which nobody can interrupt it
_EMPTY = row_of("")


class Ended(NamedTuple):
    """How a game with random moves ended.

    >>> from hots_rules.native.batch import Ended
    >>> Ended(outcome=2, reason=5, is_over=True, decisions=417).is_over
    True
    """

    outcome: int
    """0: no outcome; 1: nobody won; 2 + p: player p won alone; -m: the players of the mask m won together."""
    reason: int
    """The number of the rule that ended it."""
    is_over: bool
    decisions: int
    slots: Slots | None = None
    """The final state, where it was asked for."""
    digest: int = 0
    """A digest of the legal actions at every decision, where it was asked for, and of the choices of paired games."""
    trail: bytes = b""
    """The trail of a paired game: eight bytes for each decision; see `hots_rules.native.runtime.pairing`."""
    counts: tuple[int, ...] = ()
    """How often each of the names of `counted_names` came up, where it was asked for."""


class Counted(NamedTuple):
    """How many numbered games ended in each way.

    >>> from collections import Counter
    >>> from hots_rules.native.batch import Counted
    >>> Counted(Counter({(2, 5, True): 60, (3, 5, True): 40}), decisions=2100).games
    100
    """

    ends: Counter[tuple[int, int, bool]]
    """Games by outcome, reason, and whether they are over; see `Ended`."""
    decisions: int
    """The decisions of all these games."""
    left: tuple[int, ...] = ()
    """The numbers of further games, which only Python can play."""

    @property
    def games(self) -> int:
        """How many games were counted."""
        return self.ends.total()


def never() -> bool:
    """Always False, for games that no caller stops."""
    return False


class NativeGames:
    """Plays games in a memory of its own. One thread at a time uses it."""

    def __init__(self, code: NativeCode) -> None:
        self._code = code
        self._cells = code.memory["SLOTS"].room
        self._renew()

    def _renew(self) -> None:
        """Take a new memory, also after a fault."""
        self._instance = self._code.code.instance()
        self._words = self._instance.memory
        self._bytes = self._words.cast("B")

    def play(
        self,
        starts: Sequence[bytes],
        seeds: Sequence[str],
        *,
        keeps_slots: bool = False,
        is_stopped: Callable[[], bool] = never,
    ) -> list[Ended | None]:
        """How games from packed states end; None for a game that only Python can play, or that was stopped.

        There are at most `cached_code.BATCH` games.
        """
        rows = [_row(seed) for seed in seeds]
        self.begin(starts, rows)
        try:
            while self._done < len(seeds) and not is_stopped():
                self.go_on(_BUDGET)
        except NativeFault:
            self._renew()
            return [None] * len(seeds)
        done = self._done
        ends = self._ends(done, keeps_slots) + [None] * (len(seeds) - done)
        if None in rows:
            return [end if row is not None else None for row, end in zip(rows, ends, strict=True)]
        return ends

    def count(
        self,
        start: bytes,
        prefix: str,
        numbers: range,
        *,
        is_stopped: Callable[[], bool] = never,
    ) -> Counted:
        """How the games of a range of seeds end: all from one packed state, each seed the prefix and a number.

        There are at most `games.NUMBERED` games. If it is stopped, the games are counted that have ended.
        """
        # The last seed is the longest.
        if _row(f"{prefix}{numbers[-1]}") is None:
            return Counted(Counter(), 0, tuple(numbers))
        memory, words, text = self._code.memory, self._words, prefix.encode()
        self.begin([start], [])
        self._put("PREFIX", text.ljust(8 * SEED_CELLS, b"\0"))
        cells = {
            "IS_NUMBERED": 1,
            "GAMES": len(numbers),
            "FIRST_NUMBER": numbers.start,
            "ALL_DECISIONS": 0,
        }
        for name, word in (cells | {"PREFIX_SIZE": len(text)}).items():
            words[memory[name].base] = word
        try:
            while self._done < len(numbers) and not is_stopped():
                self.go_on(_BUDGET)
        except NativeFault:
            self._renew()
            return Counted(Counter(), 0, tuple(numbers))
        first = memory["ENDS"].base
        ends = words[first : first + self._done].tolist()
        counts, left = Counter(ends), tuple[int, ...]()
        if counts.pop(LEFT_TO_PYTHON, 0):
            left = tuple(numbers[i] for i, end in enumerate(ends) if end == LEFT_TO_PYTHON)
        ways = Counter(
            {(end >> 32, end >> 1 & _REASONS, bool(end & 1)): counts[end] for end in counts}
        )
        return Counted(ways, words[memory["ALL_DECISIONS"].base], left)

    def begin(self, starts: Sequence[bytes], rows: Sequence[bytes | None]) -> None:
        """Put games into the memory, before the first one."""
        self._put("STATES", b"".join(starts))
        self._put("ROWS", b"".join(row or _EMPTY for row in rows))
        memory, words = self._code.memory, self._words
        words[memory["GAMES"].base] = len(starts)
        for name in ("GAME", "IS_LIVE", "IS_NUMBERED"):
            words[memory[name].base] = 0

    def go_on(self, decisions: int) -> None:
        """Play on, for at most this many decisions in all games together."""
        self._words[self._code.memory["BUDGET"].base] = decisions
        self._instance.call("batch")

    @property
    def _done(self) -> int:
        """How many games have ended."""
        return self._words[self._code.memory["GAME"].base]

    def _put(self, region: str, data: bytes) -> None:
        base = 8 * self._code.memory[region].base
        self._bytes[base : base + len(data)] = data

    def _ends(self, games: int, keeps_slots: bool) -> list[Ended | None]:
        """How the first games ended."""
        words, memory, cells = self._words, self._code.memory, self._cells
        rows, states = memory["ROWS"].base, memory["STATES"].base

        def column(first: int, step: int) -> list[int]:
            return words[first : first + games * step : step].tolist()

        final: Iterable[Slots | None] = repeat(None)
        if keeps_slots:
            places = range(states, states + games * cells, cells)
            final = [self._code.slots.unpack(words[at : at + cells]) for at in places]
        decisions = column(rows + ROW["DECISIONS"], ROW_CELLS)
        parts = zip(
            column(states + OUTCOME, cells),
            column(states + REASON, cells),
            map(not_, column(states + POINT, cells)),
            decisions,
            final,
            map(FULL.__and__, column(rows + ROW["DIGEST"], ROW_CELLS)),
            self._trails(decisions),
            self._counts(games),
            strict=False,
        )
        # `Ended(...)` for each game would take longer than a short game.
        ends = map(partial(tuple.__new__, Ended), parts)
        errors = column(rows + ROW["ERROR"], ROW_CELLS)
        return [None if error else end for end, error in zip(ends, errors, strict=True)]

    def _counts(self, games: int) -> Iterable[tuple[int, ...]]:
        """What came up in each game, of a program that counts it."""
        tallies = self._code.memory.get("TALLIES")
        if tallies is None:
            return repeat(())
        many = self._code.memory["SEEN"].room
        places = range(tallies.base, tallies.base + games * many, many)
        return (tuple(self._words[at : at + many]) for at in places)

    def _trails(self, decisions: Iterable[int]) -> Iterable[bytes]:
        """The trail of each game, from its number of decisions; empty for games without trails."""
        trails = self._code.memory.get("TRAIL")
        if trails is None:
            return repeat(b"")
        return (
            self._words[start : start + min(most, TRAIL_CELLS)].tobytes()
            for start, most in zip(count(trails.base, TRAIL_CELLS), decisions, strict=False)
        )


def _row(seed: str) -> bytes | None:
    """What a game begins with besides its state; None for a seed that machine code cannot take."""
    try:
        return row_of(seed)
    except ValueError:
        return None

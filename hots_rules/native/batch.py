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
from hots_rules.native.runtime.twister import MIN_GAMES

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
    """Plays games in memories of its own. One thread at a time uses it."""

    def __init__(self, code: NativeCode) -> None:
        self._code = code
        self._renew()

    def _renew(self) -> None:
        """Take new memories, also after a fault."""
        self._instance = self._code.code.instance()
        self._memories = [_Memory(self._code, words) for words in self._instance.memories]

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
        self.begin(starts, [_row(seed) for seed in seeds])
        if not self._play_all(len(seeds), is_stopped):
            return [None] * len(seeds)
        return [end for memory in self._memories for end in memory.ends(keeps_slots)]

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
        for memory, part in zip(self._memories, self._parts(len(numbers)), strict=True):
            memory.begin_numbered(start, prefix.encode(), numbers[part])
        if not self._play_all(len(numbers), is_stopped):
            return Counted(Counter(), 0, tuple(numbers))
        counts, left = Counter[int](), list[int]()
        for memory, part in zip(self._memories, self._parts(len(numbers)), strict=True):
            ends = memory.numbered_ends()
            counts.update(ends)
            if LEFT_TO_PYTHON in ends:
                pairs = zip(numbers[part], ends, strict=False)
                left += [number for number, end in pairs if end == LEFT_TO_PYTHON]
        del counts[LEFT_TO_PYTHON]
        ways = Counter(
            {(end >> 32, end >> 1 & _REASONS, bool(end & 1)): counts[end] for end in counts}
        )
        decisions = sum(memory.cell("ALL_DECISIONS") for memory in self._memories)
        return Counted(ways, decisions, tuple(left))

    def begin(self, starts: Sequence[bytes], rows: Sequence[bytes | None]) -> None:
        """Put games into the memories, before the first one."""
        for memory, part in zip(self._memories, self._parts(len(starts)), strict=True):
            memory.begin(starts[part], rows[part])

    def go_on(self, decisions: int) -> None:
        """Play on, for at most this many decisions in all games together."""
        for memory in self._memories:
            memory.put("BUDGET", -(-decisions // len(self._memories)))
        self._instance.call("batch")

    def _parts(self, games: int) -> list[slice]:
        """The games of each memory: as many in all, but no fewer than pay."""
        size = max(-(-games // len(self._memories)), MIN_GAMES)
        return [slice(at * size, (at + 1) * size) for at in range(len(self._memories))]

    def _play_all(self, games: int, is_stopped: Callable[[], bool]) -> bool:
        """Play until all games have ended, or it is stopped; False after a fault."""
        try:
            while sum(memory.cell("GAME") for memory in self._memories) < games:
                if is_stopped():
                    break
                self.go_on(_BUDGET)
        except NativeFault:
            self._renew()
            return False
        return True


class _Memory:
    """One memory of a program, with the games that it plays one after the other."""

    def __init__(self, code: NativeCode, words: memoryview) -> None:
        self._code = code
        self._cells = code.memory["SLOTS"].room
        self._words = words
        self._bytes = words.cast("B")
        self._rows: Sequence[bytes | None] = ()

    def cell(self, region: str) -> int:
        """The first word of a region."""
        return self._words[self._code.memory[region].base]

    def put(self, region: str, word: int) -> None:
        """Write it."""
        self._words[self._code.memory[region].base] = word

    def _fill(self, region: str, data: bytes) -> None:
        base = 8 * self._code.memory[region].base
        self._bytes[base : base + len(data)] = data

    def begin(self, starts: Sequence[bytes], rows: Sequence[bytes | None]) -> None:
        """Put games in, before the first one."""
        self._rows = rows
        self._fill("STATES", b"".join(starts))
        self._fill("ROWS", b"".join(row or _EMPTY for row in rows))
        self.put("GAMES", len(starts))
        for name in ("GAME", "IS_LIVE", "IS_NUMBERED"):
            self.put(name, 0)

    def begin_numbered(self, start: bytes, prefix: bytes, numbers: range) -> None:
        """Put games in that differ by the number of their seeds."""
        self.begin([start], [])
        self._fill("PREFIX", prefix.ljust(8 * SEED_CELLS, b"\0"))
        cells = {
            "IS_NUMBERED": 1,
            "GAMES": len(numbers),
            "FIRST_NUMBER": numbers.start,
            "ALL_DECISIONS": 0,
            "PREFIX_SIZE": len(prefix),
        }
        for name, word in cells.items():
            self.put(name, word)

    def numbered_ends(self) -> list[int]:
        """A word of each numbered game that has ended."""
        first = self._code.memory["ENDS"].base
        return self._words[first : first + self.cell("GAME")].tolist()

    def ends(self, keeps_slots: bool) -> list[Ended | None]:
        """How the games ended; None for one that only Python can play, or that has not ended."""
        games = self.cell("GAME")
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
        faulty = [error or not row for error, row in zip(errors, self._rows, strict=False)]
        played = [None if fault else end for fault, end in zip(faulty, ends, strict=True)]
        return played + [None] * (len(self._rows) - games)

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

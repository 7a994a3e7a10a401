"""Games in the memory of machine code, with NumPy arrays over it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from attrs import define, field, frozen

from hots_rules.compile.codes import Slots
from hots_rules.diagnostics import MissingLibrary
from hots_rules.formats.training.numpy_arrays import np
from hots_rules.formats.training.vector_layout import vector_layout
from hots_rules.formats.view_encoding import ViewEncoding
from hots_rules.native.backend import Instance
from hots_rules.native.backends import EXTRAS, LIBRARIES, find_backend, is_installed
from hots_rules.native.cached_code import NativeCode, stepping_code
from hots_rules.native.refusal import NotLowered
from hots_rules.native.runtime.layout import Form, Stepping
from hots_rules.native.runtime.observing import row_words
from hots_rules.native.runtime.tracking import piece_words
from hots_rules.play.game import BaseGame

GAMES_PER_MEMORY: Final = 1024
"""The most games that one memory has."""
NO_GAME: Final = -1
"""In place of a game, where none chose an action that is not legal."""


class _Words:
    """The words of a memory for NumPy, which keeps the program with it."""

    def __init__(self, instance: Instance) -> None:
        words = np.frombuffer(instance.memories[0], np.int64)
        self.__array_interface__ = words.__array_interface__
        self._kept = instance, words


@define(eq=False)
class NativeSteps:
    """Games of a batch that machine code plays, in a memory of its own. One thread at a time uses it.

    Attributes:
        plan: what the program writes.
        first: the number of the first game among those of the batch.
        games: how many games it has.
        offsets: where the actions of each game begin, and where those of the last one end.
        actions: the legal actions of all games.
        mark_offsets: of sparse vectors, where the marks of each game begin.
        marks: the marks of all games: the index and the byte of each.
    """

    plan: Stepping
    first: int
    games: int
    _code: NativeCode
    offsets: np.ndarray = field(init=False)
    actions: np.ndarray = field(init=False)
    mark_offsets: np.ndarray = field(init=False)
    marks: np.ndarray = field(init=False)
    _instance: Instance = field(init=False)
    _words: np.ndarray = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._instance = self._code.code.instance()
        self._words = np.asarray(_Words(self._instance))
        self._words[self._at("GAMES")] = self.games

    def _at(self, region: str) -> int:
        return self._code.memory[region].base

    def _column(self, region: str, count: int) -> np.ndarray:
        first = self._at(region)
        return self._words[first : first + count]

    # -------------------------------------------------------------- what games are like
    @property
    def seats(self) -> np.ndarray:
        """Of each game, who chooses; -1 at the end."""
        return self._column("SEATS", self.games)

    @property
    def outcomes(self) -> np.ndarray:
        """Of each game, the code of its outcome; 0 without one."""
        return self._column("OUTCOMES", self.games)

    @property
    def faults(self) -> np.ndarray:
        """Of each game, what stopped it, so that Python plays on from the state before; 0 for the others."""
        return self._column("FAULTS", self.games)

    @property
    def is_faulty(self) -> bool:
        """Whether a game was stopped by a fault, now or before."""
        return bool(self._words[self._at("FAULTY")])

    @property
    def vectors(self) -> np.ndarray:
        """Of dense vectors, the bytes of each game: an array over the memory."""
        layout = self.plan.layout
        words = self._column("VECTORS", self.games * row_words(layout))
        return words.view(np.uint8).reshape(self.games, -1)[:, : layout.size]

    def state(self, game: int) -> Slots:
        """The packed state of a game, by its number here."""
        return self._code.slots.unpack(self._row("STATES", "SLOTS", game))

    def stacks(self, game: int, players: int) -> Iterator[list[tuple[dict[int, int], int]]]:
        """For each player, and each secret type, the stacks of hidden pieces and the next number of a stack."""
        words, at = self._row("TRACKS", "TRACK", game), 0
        by_type: list[list[tuple[dict[int, int], int]]] = []
        for pieces in self.plan.layout.pieces:
            by_type.append([])
            for _ in range(players):
                numbers = enumerate(words[at + 1 : at + 1 + pieces.many])
                stacks = {piece: number for piece, number in numbers if number}
                by_type[-1].append((stacks, words[at]))
                at += piece_words(pieces)
        for player in range(players):
            yield [rows[player] for rows in by_type]

    def _row(self, region: str, row_region: str, game: int) -> Sequence[int]:
        size = self._code.memory[row_region].room
        first = self._at(region) + game * size
        row: list[int] = self._words[first : first + size].tolist()
        return row

    # -------------------------------------------------------------- play
    def open(self, start: Slots, prefix: str, viewer: int, last_viewer: int) -> None:
        """Write what all games begin with.

        Args:
            start: the packed state.
            prefix: what the seeds of all games begin with.
            viewer: whose view is written; -1 for that of who chooses.
            last_viewer: whose view is written of a game that is over; -1 for none.

        Raises:
            ValueError: the state does not fit the words of the program.
        """
        text, words = prefix.encode(), self._words
        words[self._at("VIEWER")], words[self._at("LAST_VIEWER")] = viewer, last_viewer
        words[self._at("PREFIX_SIZE")] = len(text)
        room = 8 * self._code.memory["PREFIX"].room
        self._column("PREFIX", room // 8)[:] = np.frombuffer(text.ljust(room, b"\0"), np.int64)
        packed = np.frombuffer(self._code.slots.pack(start), np.int64)
        self._column("START", len(packed))[:] = packed

    def choose(self, choices: np.ndarray) -> int:
        """Note what each game does next; returns the first one whose action is not legal, or `NO_GAME`.

        Args:
            choices: of shape (games,): the number of an action, `WAIT` or `BEGIN`.
        """
        self._column("CHOICES", self.games)[:] = choices
        return self._instance.call("illegal")

    def number(self, numbers: np.ndarray) -> None:
        """Give games numbers, which end their seeds."""
        self._column("NUMBERS", self.games)[:] = numbers

    def step(self) -> None:
        """Play on to the next decision of each game, or to its end."""
        parts = list(self._collected_parts())
        if len(parts) == 1:
            ((self.offsets, self.actions, self.mark_offsets, self.marks),) = parts
            return
        self.offsets, self.mark_offsets = (_joined([part[at] for part in parts]) for at in (0, 2))
        self.actions, self.marks = (np.concatenate([part[at] for part in parts]) for at in (1, 3))

    def _collected_parts(self) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
        """What came of the games; a copy for each call but a single one."""
        words, at, done = self._words, self._at("FROM"), 0
        words[at] = faulty = 0
        while done < self.games:
            self._instance.call("step")
            first, done = done, int(words[at])
            faulty |= int(words[self._at("FAULTY")])
            offsets = self._column("ENDS", self.games + 1)[first : done + 1]
            marks = self._column("MARK_ENDS", self.games + 1)[first : done + 1]
            listed = self._column("LISTED", int(offsets[-1]))
            shown: np.ndarray = (
                self._column("VECTORS", int(marks[-1])).view(np.int32).reshape(-1, 2)
            )
            if first == 0 and done == self.games:
                yield offsets, listed, marks, shown
                break
            yield _from_zero(offsets), listed.copy(), _from_zero(marks), shown.copy()
        words[self._at("FAULTY")] = faulty


def _from_zero(offsets: np.ndarray) -> np.ndarray:
    """A copy of the offsets of a part, whose first entry is of the part before it."""
    copied = offsets.copy()
    copied[0] = 0
    return copied


def _joined(offsets: Sequence[np.ndarray]) -> np.ndarray:
    """The offsets of lists that are put one after the other."""
    lengths = np.concatenate([np.diff(part) for part in offsets])
    return offsets_of(lengths)


def offsets_of(counts: np.ndarray) -> np.ndarray:
    """Where lists with some lengths begin that stand one after the other, and where the last one ends."""
    offsets: np.ndarray = np.concatenate((np.zeros(1, np.int64), np.cumsum(counts)))
    return offsets


@frozen
class NativeGames:
    """What plays the games of a batch.

    Attributes:
        parts: the games by their memories; none if Python plays all of them.
        backend: the name of the back end.
        why: why it plays, as a sentence.
    """

    parts: tuple[NativeSteps, ...]
    backend: str
    why: str


def native_games(
    game: BaseGame, form: Form, games: int, *, backend: str, workers: int
) -> NativeGames:
    """The memories in which machine code plays games like one; none if it cannot play them.

    Raises:
        MissingLibrary: the back end that is named is not installed, or does not work.
    """
    name = "wasm" if backend == "auto" else backend
    if backend == "python":
        return NativeGames((), backend, "it was asked for")
    if backend == "auto" and not is_installed(name):
        why = f"`{LIBRARIES[name]}` is not installed: pip install 'hots-rules[{EXTRAS[name]}]'"
        return NativeGames((), "python", why)
    try:
        plan = Stepping(GAMES_PER_MEMORY, vector_layout(ViewEncoding.of(game), game.machine), form)
        code = game.ruleset.compiled.memo(
            ("stepping", game.settings, name, form),
            lambda: stepping_code(game.machine, find_backend(name), plan),
        )
    except NotLowered as error:
        return NativeGames((), "python", f"the ruleset has {error}")
    except ImportError as error:
        if backend == "auto":
            return NativeGames((), "python", f"the library does not work: {error}")
        raise MissingLibrary(LIBRARIES[name], EXTRAS[name]) from error
    why = "it is installed" if backend == "auto" else "it was asked for"
    return NativeGames(tuple(_divided(plan, code, games, workers)), name, why)


def _divided(plan: Stepping, code: NativeCode, games: int, workers: int) -> Iterator[NativeSteps]:
    """The games in as many memories as they need, at least one for each worker."""
    count = max(-(-games // GAMES_PER_MEMORY), min(workers, games))
    first = 0
    for number in range(count):
        after = games * (number + 1) // count
        yield NativeSteps(plan, first, after - first, code)
        first = after

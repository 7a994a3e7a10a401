"""Records in files: written whole or not at all, or growing by a line for each action."""

from __future__ import annotations

import os
from errno import ENOSPC
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Generic, TypeVar

from attrs import evolve

from hots_rules._files import atomic_write
from hots_rules.diagnostics import BadRecord
from hots_rules.play.game import BaseGame
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.records.hash_chain import HashChain
from hots_rules.records.record import entry_lines, record_text
from hots_rules.records.replaying import (
    linked,
    read_record,
    record_of,
    replay,
    sealed,
)
from hots_rules.records.ruleset_texts import keep_texts

if TYPE_CHECKING:
    from io import FileIO


G = TypeVar("G", bound=BaseGame)


def write_record(game: BaseGame, path: str | PathLike[str], *, texts: bool = False) -> None:
    """Writes the record of a game, whole or not at all; the texts of its ruleset are kept in the cache folder.

    Raises:
        OSError: the file cannot be written; what was there before stands.
    """
    atomic_write(path, record_text(record_of(game, texts=texts)))
    keep_texts(game.ruleset)


class Journal(Generic[G]):
    """A record that grows in its file with the game: each action is appended, and is safe when `add` returns.

    A program that dies leaves at most one line that breaks off. While it grows a record has no seal;
    `close` writes it. `torn` is what `resume` cut off. One program at a time may write a journal.
    """

    def __init__(self, path: str | PathLike[str], game: G, *, sync: bool = True) -> None:
        """Begins a file with a game; without `sync`, a line is left to the system to bring to the disk.

        Raises:
            OSError: the file cannot be written.
        """
        self.path = Path(os.path.realpath(path))
        self.torn: tuple[int, str] | None = None
        self._sync = sync
        self._begin(game)

    def _begin(self, game: G) -> None:
        record = record_of(game)
        self.game = game
        self._chain = HashChain(game.ruleset.schema, record.seal)
        atomic_write(self.path, record_text(evolve(record, seal="")))
        keep_texts(game.ruleset)
        self._open()

    def _open(self) -> None:
        self._file: FileIO = self.path.open("ab", buffering=0)
        self._size = os.fstat(self._file.fileno()).st_size

    @classmethod
    def resume(
        cls,
        path: str | PathLike[str],
        ruleset: BaseRuleset[G],
        *,
        sync: bool = True,
    ) -> Journal[G]:
        """Goes on with a record: a last line that breaks off and the seal are cut off, comments stay.

        Raises:
            BadRecord: it is no record, or does not replay.
            OSError: the file cannot be written.
        """
        record = read_record(path, torn="keep")
        game = replay(record, ruleset)
        journal = cls.__new__(cls)
        journal.path = Path(os.path.realpath(path))
        journal.torn, journal.game, journal._sync = record.torn, game, sync
        journal._chain = HashChain(game.ruleset.schema, sealed(record, game).seal)
        if record.torn or record.seal:
            atomic_write(path, record_text(evolve(record, seal="", torn=None)))
        journal._open()
        return journal

    def add(self, game: G) -> None:
        """Appends what was played since; a game that goes another way is written anew, whole.

        Raises:
            BadRecord: the file is closed, or somebody else has written into it.
            OSError: it cannot be written.
        """
        if not self._continues(game):
            self._file.close()
            self._begin(game)
            return
        before = self._chain.link
        try:
            entries = list(linked(self._chain, self.game, game))
            self._append([line for entry in entries for line in entry_lines(entry)])
        except BaseException:
            self._chain.link = before
            raise
        self.game = game

    def _continues(self, game: G) -> bool:
        """Whether a game is this one, some actions later."""
        mine = self.game
        return game.moves[: len(mine.moves)] == mine.moves and all(
            getattr(game, part) == getattr(mine, part)
            for part in ("ruleset", "scenario", "seed", "settings", "chance", "initial_position")
        )

    def comment(self, text: str) -> None:
        """Appends what is said about the last action.

        Raises:
            BadRecord: the file is closed, or somebody else has written into it.
            OSError: it cannot be written.
        """
        self._append([f"# {line}".rstrip() for line in text.splitlines()])

    def _append(self, lines: list[str]) -> None:
        if self._file.closed:
            raise BadRecord(f"expected an open journal, got one that is closed: `{self.path}`")
        number = self._file.fileno()
        if os.fstat(number).st_size != self._size:
            raise BadRecord(
                f"expected a journal that nobody else writes, got `{self.path}` with other "
                "lines; resume it to go on from them"
            )
        data = "".join(f"{line}\n" for line in lines).encode(errors="replace")
        try:
            if self._file.write(data) != len(data):
                raise OSError(ENOSPC, os.strerror(ENOSPC), str(self.path))
            if self._sync:
                os.fsync(number)
        except BaseException:
            # Nothing half written stays before the next line.
            os.ftruncate(number, self._size)
            raise
        self._size += len(data)

    def close(self) -> None:
        """Writes the seal and closes the file; closing twice does nothing."""
        if not self._file.closed:
            try:
                self._append([f"state {self._chain.link}"])
            finally:
                self._file.close()

    def __enter__(self) -> Journal[G]:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self.close()
        else:
            self._file.close()

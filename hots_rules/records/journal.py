"""A record that grows in its file with the game."""

from __future__ import annotations

import os
from collections.abc import Iterable
from errno import ENOSPC
from io import FileIO
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Generic

from attrs import evolve

from hots_rules.diagnostics import BadRecord
from hots_rules.play.game import G
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.records.body import format_entries
from hots_rules.records.hash_chain import HashChain
from hots_rules.records.record import Record
from hots_rules.records.recording import chained_entries, record_game, with_actions
from hots_rules.records.replaying import replay
from hots_rules.records.ruleset_texts import keep_texts


class Journal(Generic[G]):
    """A record that grows in its file with the game.

    Each action is appended, and is on the disk when `add` returns. A crash leaves at most one incomplete line, which
    `resume` removes. The seal is written by `close`. Only one program at a time may write a journal.

    >>> import hots_rules as hr, tempfile
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> path = tempfile.mkdtemp() + "/game.txt"
    >>> with hr.Journal(path, game) as journal:
    ...     journal.add(game.play(game.actions[0]))
    >>> len(hr.Record.read(path).entries)
    1
    """

    path: Path
    """The file."""
    game: G
    """The game that was added last."""
    torn: tuple[int, str] | None = None
    """The incomplete last line that `resume` removed, with its number."""

    def __init__(self, path: str | PathLike[str], game: G, *, sync: bool = True) -> None:
        """Start a file with the record of a game.

        Args:
            path: the file; it is replaced if it exists.
            game: the game, at any moment.
            sync: whether `add` waits until the disk has the line.

        Raises:
            OSError: the file cannot be written.
        """
        self.path = Path(os.path.realpath(path))
        self._sync = sync
        self._start(game)

    def _start(self, game: G) -> None:
        record = record_game(game)
        self.game = game
        self._chain = HashChain(game.ruleset.schema, record.seal)
        evolve(record, seal="").write(self.path)
        keep_texts(game.ruleset)
        self._open()

    def _open(self) -> None:
        self._file: FileIO = self.path.open("ab", buffering=0)
        self._size = os.fstat(self._file.fileno()).st_size

    @classmethod
    def resume(
        cls, path: str | PathLike[str], ruleset: BaseRuleset[G], *, sync: bool = True
    ) -> Journal[G]:
        """The journal that continues a record; an incomplete last line and the seal are removed from the file.

        Args:
            path: the file.
            ruleset: the ruleset that the record is pinned to.
            sync: whether `add` waits until the disk has the line.

        Raises:
            BadRecord: the file is not a record, or does not replay.
            OSError: the file cannot be written.
        """
        record = Record.read(path, torn="keep", limits=ruleset.limits)
        game = replay(record, ruleset)
        journal = cls.__new__(cls)
        journal.path = Path(os.path.realpath(path))
        journal.torn, journal.game, journal._sync = record.torn, game, sync
        journal._chain = HashChain(game.ruleset.schema, with_actions(record, game).seal)
        if record.torn or record.seal:
            evolve(record, seal="", torn=None).write(path)
        journal._open()
        return journal

    def add(self, game: G) -> None:
        """Append the actions since the game that was added last.

        A game that does not continue that one replaces the whole file.

        Raises:
            BadRecord: the journal is closed, or another program has written to the file.
            OSError: the file cannot be written.
        """
        if not self._is_continued_by(game):
            self._file.close()
            self._start(game)
            return
        last = self._chain.last
        try:
            self._append(format_entries(list(chained_entries(self._chain, self.game, game))))
        except BaseException:
            self._chain.last = last
            raise
        self.game = game

    def _is_continued_by(self, game: G) -> bool:
        count = len(self.game.moves)
        return game.moves[:count] == self.game.moves and all(
            getattr(game, name) == getattr(self.game, name)
            for name in ("ruleset", "scenario", "seed", "settings", "chance", "initial_position")
        )

    def comment(self, text: str) -> None:
        """Append comment lines on the last action.

        Raises:
            BadRecord: the journal is closed, or another program has written to the file.
            OSError: the file cannot be written.
        """
        self._append(f"# {line}".rstrip() for line in text.splitlines())

    def _append(self, lines: Iterable[str]) -> None:
        if self._file.closed:
            raise BadRecord(f"the journal `{self.path}` is closed; resume it to continue")
        number = self._file.fileno()
        if os.fstat(number).st_size != self._size:
            raise BadRecord(
                f"another program has written to the journal `{self.path}`; resume it to continue"
            )
        data = "".join(f"{line}\n" for line in lines).encode(errors="replace")
        try:
            if self._file.write(data) != len(data):
                raise OSError(ENOSPC, os.strerror(ENOSPC), str(self.path))
            if self._sync:
                os.fsync(number)
        except BaseException:
            # Remove a partial line, so that the next one is appended to a complete file.
            os.ftruncate(number, self._size)
            raise
        self._size += len(data)

    def close(self) -> None:
        """Write the seal and close the file; closing again does nothing."""
        if not self._file.closed:
            try:
                self._append([f"state {self._chain.last}"])
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

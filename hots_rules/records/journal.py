"""A record that grows in its file with the game."""

from __future__ import annotations

import os
from collections.abc import Iterable
from errno import ENOSPC
from io import FileIO
from os import PathLike
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Generic, NoReturn

from attrs import evolve

from hots_rules._files import (
    FileClaimed,
    atomic_write,
    claim,
    has_path,
    release,
    replacing,
    resolved,
)
from hots_rules._text import plain_text
from hots_rules.diagnostics import BadRecord, check_path
from hots_rules.play.game import G
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.records.body import comment_lines, format_comments, format_entries
from hots_rules.records.hash_chain import HashChain
from hots_rules.records.record import Record, parse_bytes
from hots_rules.records.recording import chained_entries, record_game, with_actions
from hots_rules.records.replaying import replay
from hots_rules.records.ruleset_texts import keep_texts


class Journal(Generic[G]):
    """A record that grows in its file with the game.

    Each action is appended, and is on the disk when `add` returns. A crash leaves at most one incomplete line, which
    `resume` removes. The seal is written by `close`. Until then the file is locked: a second journal on it, in this
    program or another, is refused. On Windows there is no lock, and only what another has written is found.

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

    def __init__(
        self, path: str | PathLike[str], game: G, *, sync: bool = True, texts: bool = False
    ) -> None:
        """Start a file with the record of a game.

        Args:
            path: the file; it is replaced if it exists.
            game: the game, at any moment.
            sync: whether `add` waits until the disk has the line.
            texts: whether to store the texts of the ruleset in the record, so that it can always be replayed.

        Raises:
            BadRecord: another journal writes the file.
            OSError: the file cannot be written, or is a pipe or a device.
        """
        check_path(path)
        self.path = resolved(path)
        self._sync = sync
        self._texts = texts
        self._mutex = Lock()
        self._start(game, None)

    def _start(self, game: G, claimed: FileIO | None) -> None:
        """Replace the file by the record of a game."""
        record = record_game(game, texts=self._texts)
        data = str(evolve(record, seal="")).encode()
        self._replace(data, claimed)
        self._note(game, HashChain(game.ruleset.schema, record.seal), len(data))
        keep_texts(game.ruleset)

    def _replace(self, data: bytes, claimed: FileIO | None) -> None:
        """Replace the content of the file, and claim it."""
        try:
            with replacing(self.path, claimed):
                atomic_write(self.path, data)
                self._file = claim(self.path)
        except FileClaimed:
            raise _written_by_another(self.path) from None
        # Somebody may have replaced it again before it was claimed.
        if self._file.read() != data:
            release(self._file)
            raise _written_by_another(self.path)

    def _note(self, game: G, chain: HashChain, size: int) -> None:
        self.game, self._chain, self._size, self._process = game, chain, size, os.getpid()

    def __reduce__(self) -> NoReturn:
        raise BadRecord(
            "a journal cannot be pickled or copied, since it writes a file; "
            "take its `game`, or resume the file after `close`"
        )

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
            BadRecord: the file cannot be read, is not a record, or does not replay, or another journal writes it.
            OSError: the file cannot be written.
        """
        check_path(path)
        journal = cls.__new__(cls)
        journal._sync, journal._mutex = sync, Lock()
        try:
            journal.path = resolved(path)
            journal._file = claim(journal.path)
        except FileClaimed:
            raise _written_by_another(journal.path) from None
        except OSError:
            Record.read(
                path, torn="keep", limits=ruleset.limits
            )  # raises the error of a file that cannot be read
            raise
        try:
            journal._continue(ruleset)
        except BaseException:
            release(journal._file)
            raise
        return journal

    def _continue(self, ruleset: BaseRuleset[G]) -> None:
        """Replay the file, and cut off an incomplete line and the seal; line ends become those of a journal."""
        data = self._file.read(ruleset.limits.record_bytes + 1)
        record = parse_bytes(data, "keep", ruleset.limits)
        game = replay(record, ruleset)
        kept = _complete_lines(record, data)
        if not data.startswith(kept):
            self._replace(kept, self._file)
        elif len(kept) < len(data):
            os.ftruncate(self._file.fileno(), len(kept))
        self.torn, self._texts = record.torn, bool(record.texts)
        self._note(game, HashChain(game.ruleset.schema, with_actions(record, game).seal), len(kept))

    def add(self, game: G) -> None:
        """Append the actions since the game that was added last.

        A game that does not continue that one, as `game.back(1)`, replaces the whole file: the actions that were taken
        back and all comments are no longer in it.

        Raises:
            BadRecord: the journal is closed, or another program has written to the file.
            OSError: the file cannot be written.
        """
        with self._mutex:
            self._add(game)

    def _add(self, game: G) -> None:
        if not self._is_continued_by(game):
            self._check_own()
            self._start(game, self._file)
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
        with self._mutex:
            self._append(format_comments(comment_lines(text) if text else ()))

    def _append(self, lines: Iterable[str]) -> None:
        self._check_own()
        number = self._file.fileno()
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

    def _check_own(self) -> None:
        """Raise unless only this journal has written to the file, and the file has kept its name."""
        if self._file.closed:
            raise BadRecord(f"the journal `{self.path}` is closed; resume it to continue")
        if self._process != os.getpid():
            raise BadRecord(
                f"the journal `{self.path}` is that of the process that opened it; write it there"
            )
        if not has_path(self._file, self.path):
            raise BadRecord(
                f"the file of the journal `{self.path}` was replaced or removed; resume it to continue"
            )
        if os.fstat(self._file.fileno()).st_size != self._size:
            raise BadRecord(
                f"another program has written to the journal `{self.path}`; resume it to continue"
            )

    def close(self) -> None:
        """Write the seal and close the file; closing again does nothing.

        Raises:
            BadRecord: another program has written to the file, so it gets no seal.
            OSError: the file cannot be written.
        """
        with self._mutex:
            if not self._file.closed:
                try:
                    self._append([f"state {self._chain.last}"])
                finally:
                    self._release()

    def _release(self) -> None:
        """Close the file; the lock is left to the process that opened it."""
        if self._process == os.getpid():
            release(self._file)
        else:
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
            self._release()


def _complete_lines(record: Record, data: bytes) -> bytes:
    """The file of a record as a journal writes it, without an incomplete line and without the seal."""
    text = plain_text(data.decode(errors="replace"))
    if record.torn is not None:
        text = text[: text.rfind("\n") + 1]
    if record.seal:
        text = text[: text.rstrip().rfind("\n") + 1]
    return (text if text.endswith("\n") else f"{text}\n").encode()


def _written_by_another(path: Path) -> BadRecord:
    return BadRecord(f"another program writes the journal `{path}`; close it there to continue")

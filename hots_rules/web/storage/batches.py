"""Lines of logs on their way to the disk: those that come while a transaction is written go together in the next.

A transaction waits for the disk once, whatever it holds, so a busy game server writes more lines in each.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence

from attrs import astuple, define, field, frozen

from hots_rules.web.refusals import OutOfDate
from hots_rules.web.storage.rows import ActionRow

MAX_LINES = 200  # in a transaction


@frozen
class Line:
    """An action with its number in the log of a game."""

    game: str
    number: int
    action: ActionRow

    def __str__(self) -> str:
        """The number and the action as JSON."""
        return json.dumps([self.number, *astuple(self.action)])

    @classmethod
    def parse(cls, game: str, text: str) -> Line:
        """The line of a text that `str` gave."""
        number, *action = json.loads(text)
        return cls(game, number, ActionRow(*action))


Write = Callable[[Sequence[Line]], Awaitable[None]]
"""Writes lines in one transaction; raises OutOfDate, and has written none, if a line has a number that is taken."""


@define
class Batches:
    """The lines that wait to be written by `write`."""

    write: Write
    _waiting: list[tuple[Line, asyncio.Future[None]]] = field(factory=list, init=False)
    _writer: asyncio.Task[None] | None = field(default=None, init=False)

    async def add(self, line: Line) -> None:
        """Add a line; it is on the disk when this returns.

        Raises:
            OutOfDate: there is a line with this number.
        """
        written: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((line, written))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_all())
        await written

    async def _write_all(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:MAX_LINES], self._waiting[MAX_LINES:]
            await self._write_batch(batch)

    async def _write_batch(self, batch: Sequence[tuple[Line, asyncio.Future[None]]]) -> None:
        try:
            await self.write([line for line, _ in batch])
        except OutOfDate as error:
            if len(batch) > 1:  # one of them is late: each by itself
                for write in batch:
                    await self._write_batch([write])
            else:
                _settle(batch, error)
        except BaseException as error:
            _settle(batch, error)
            if not isinstance(error, Exception):
                raise
        else:
            _settle(batch, None)


def _settle(
    batch: Sequence[tuple[Line, asyncio.Future[None]]], error: BaseException | None
) -> None:
    for _, written in batch:
        if written.done():  # who asked does not wait any more
            continue
        if error is None:
            written.set_result(None)
        else:
            written.set_exception(error)

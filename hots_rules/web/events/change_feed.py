"""What other processes on the same database have changed: PostgreSQL notifies, a file of SQLite is polled."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing

from attrs import frozen
from sqlalchemy import URL, Engine

SECONDS_BEFORE_RECONNECT = 1.0
SECONDS_BETWEEN_LOOKS = 0.02  # at a file; a look that finds nothing takes some microseconds
CHANNEL = "hots_rules_table"  # of the notifications of PostgreSQL
LOG, SEATS, CHAT, GONE = "log", "seats", "chat", "gone"
"""What may have changed in a game: the last is that it was deleted."""


@frozen
class Change:
    """What has changed in which game, and which process has changed it."""

    origin: str
    kind: str
    game: str
    line: str = ""
    """The line that was added to the log, as JSON; empty where it has to be read."""

    def __str__(self) -> str:
        return f"{self.origin} {self.kind} {self.game} {self.line}"

    @classmethod
    def parse(cls, text: str) -> Change:
        """The change of a text that `str` gave."""
        return cls(*text.split(" ", 3))


async def postgresql_changes(url: URL) -> AsyncIterator[Change | None]:
    """The changes of which PostgreSQL notifies; None after each new connection, as some may have been missed."""
    import psycopg  # which other databases do not need

    address = url.set(drivername="postgresql").render_as_string(hide_password=False)
    connect = psycopg.AsyncConnection.connect
    while True:
        try:
            async with await connect(address, autocommit=True) as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                yield None
                async for notice in connection.notifies():
                    yield Change.parse(notice.payload)
        except psycopg.OperationalError:
            await asyncio.sleep(SECONDS_BEFORE_RECONNECT)


async def sqlite_changes(engine: Engine) -> AsyncIterator[Change | None]:
    """The changes in a file of SQLite; None where some were missed.

    Whether there are new ones is seen by the version of the data, without reading any. Reading never waits for a
    writer.
    """
    arguments, options = engine.dialect.create_connect_args(engine.url)
    file, uri = str(arguments[0]), bool(options.get("uri"))
    if engine.url.database in (None, "", ":memory:"):
        return  # no other process has it
    while True:
        try:
            with closing(sqlite3.connect(file, uri=uri, isolation_level=None)) as connection:
                last = _last_number(connection)
                yield None  # whoever reads all anew reads no less than up to `last`
                async for change in _without_gaps(_rows_after(connection, last), last):
                    yield change
        except sqlite3.Error:
            await asyncio.sleep(SECONDS_BEFORE_RECONNECT)


async def _without_gaps(
    rows: AsyncIterator[tuple[int, Change]], last: int
) -> AsyncIterator[Change | None]:
    """The changes of rows after the one with the number `last`; None where rows between two are gone already."""
    async for number, change in rows:
        if number != last + 1:
            yield None
        last = number
        yield change


async def _rows_after(
    connection: sqlite3.Connection, last: int
) -> AsyncIterator[tuple[int, Change]]:
    """The changes with numbers above `last`, each with its number, as they are added; without an end."""
    version = -1
    while True:
        current = connection.execute("PRAGMA data_version").fetchone()[0]
        if current != version:
            version = current
            query = "SELECT number, origin, kind, game, line FROM change WHERE number > ? ORDER BY number"
            for number, *change in connection.execute(query, (last,)).fetchall():
                last = number
                yield number, Change(*change)
        await asyncio.sleep(SECONDS_BETWEEN_LOOKS)


def _last_number(connection: sqlite3.Connection) -> int:
    """The number of the last change; 0 without any."""
    return int(connection.execute("SELECT coalesce(max(number), 0) FROM change").fetchone()[0])

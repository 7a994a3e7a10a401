"""What other processes on the same database have played, as PostgreSQL tells it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import psycopg
from sqlalchemy import URL

from hots_rules.web.store import CHANNEL

PAUSE = 1.0  # seconds before a lost connection is tried again


async def changed_games(url: URL) -> AsyncIterator[str]:
    """The names of games as they change; an empty name when the connection was made, as some may have been missed."""
    address = url.set(drivername="postgresql").render_as_string(hide_password=False)
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(
                address, autocommit=True
            ) as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                yield ""
                async for notice in connection.notifies():
                    yield notice.payload
        except psycopg.OperationalError:
            await asyncio.sleep(PAUSE)

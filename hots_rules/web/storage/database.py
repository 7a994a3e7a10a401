"""A database, SQLite or PostgreSQL, as the game server uses it.

A transaction is a function of a connection, which a thread calls: it is done in one go, and the loop hears of its end.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from functools import partial
from types import MappingProxyType
from typing import Self, TypeVar

from attrs import field, frozen
from sqlalchemy import Connection, Engine, create_engine, event, make_url, select, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, OperationalError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry

from hots_rules.web.refusals import CannotServe
from hots_rules.web.storage.schema import (
    SCHEMA_VERSION,
    make_tables,
    migrate,
    schema_versions,
    version_of,
)

CONNECTIONS = 8  # of a process, with a thread for each
DRIVERS = MappingProxyType({"sqlite": "sqlite+pysqlite", "postgresql": "postgresql+psycopg"})
MILLISECONDS_TO_WAIT = 30_000  # for another writer of a file
MILLISECONDS_AT_ONCE = 5  # SQLite waits longer from look to look, so it is asked anew

T = TypeVar("T")
Work = Callable[[Connection], T]
"""What is done in a transaction; it runs in a thread."""


@frozen
class Database:
    """A database, with the threads that do its transactions."""

    engine: Engine
    _threads: ThreadPoolExecutor = field(init=False)
    _turn: asyncio.Lock = field(factory=asyncio.Lock, init=False)
    """Writers of one process take turns; without it those of SQLite try again until one of them gives up."""

    @_threads.default
    def _make_threads(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(1 if _is_in_memory(self.engine) else CONNECTIONS, "database")

    @classmethod
    def at(cls, url: str) -> Self:
        """The database at an address.

        Raises:
            CannotServe: there is no such kind of database, or its driver is not installed.
        """
        try:
            given = make_url(url)
            backend = given.get_backend_name()
            used = given.set(drivername=DRIVERS.get(backend, given.drivername))
            # A connection that a server has ended is made anew before it is used; a file ends none.
            engine = create_engine(used, pool_size=CONNECTIONS, pool_pre_ping=backend != "sqlite")
        except (ArgumentError, SQLAlchemyError, ModuleNotFoundError) as error:
            raise CannotServe(f"cannot use the database: {_first_line(error)}") from None
        if engine.dialect.name == "sqlite":
            event.listen(engine, "connect", _set_up_sqlite)
        return cls(engine)

    async def open(self, *, is_to_migrate: bool = False) -> None:
        """Make the tables of a new database; check the version of an old one, or bring it up to date.

        Raises:
            CannotServe: the database cannot be reached, or has tables of another version.
        """
        try:
            version = await self.writing(partial(_brought_up_to_date, is_to_migrate=is_to_migrate))
        except (SQLAlchemyError, sqlite3.Error, OSError) as error:
            await self.close()
            raise CannotServe(f"cannot use the database: {_first_line(error)}") from None
        if version not in (None, SCHEMA_VERSION):
            await self.close()
            raise CannotServe(_wrong_version(version))

    async def check(self) -> None:
        """Check that the database answers.

        Raises:
            CannotServe: it does not.
        """
        try:
            query = select(schema_versions.c.version)
            await self.reading(lambda connection: connection.execute(query).scalar())
        except (SQLAlchemyError, OSError) as error:
            raise CannotServe(f"the database does not answer: {_first_line(error)}") from None

    @property
    def is_postgresql(self) -> bool:
        """Whether the database notifies processes of what others have played; SQLite has to be asked."""
        return self.engine.dialect.name == "postgresql"

    async def close(self) -> None:
        """End all connections, when the transactions in progress are done."""
        await asyncio.to_thread(self._threads.shutdown)
        self.engine.dispose()

    # -------------------------------------------------------------- transactions
    async def reading(self, work: Work[T]) -> T:
        """The result of a function of a connection that only reads."""

        def done() -> T:
            with self.engine.connect() as connection:
                return _done(work, connection)

        return await asyncio.get_running_loop().run_in_executor(self._threads, done)

    async def writing(self, work: Work[T]) -> T:
        """The result of a function of a connection; all that it has changed is on the disk when this returns."""

        def done() -> T:
            with self.engine.begin() as connection:
                if not self.is_postgresql:
                    _begin_writing(connection)
                return _done(work, connection)

        async with nullcontext() if self.is_postgresql else self._turn:
            return await asyncio.get_running_loop().run_in_executor(self._threads, done)


def _done(work: Work[T], connection: Connection) -> T:
    """The result of some work.

    Raises:
        RuntimeError: the work raises StopIteration, which no future can hold: whoever awaits it would wait for ever.
    """
    try:
        return work(connection)
    except StopIteration as error:
        raise RuntimeError("work in a transaction has raised StopIteration") from error


def _brought_up_to_date(connection: Connection, *, is_to_migrate: bool) -> int | None:
    """Make the tables of a new database, or bring older ones up to date; the version of tables that are left alone."""
    if connection.dialect.name == "postgresql":  # of several processes, one makes the tables
        connection.execute(text("select pg_advisory_xact_lock(8297)"))
    version = version_of(connection)
    if version is None:
        make_tables(connection)
    elif version < SCHEMA_VERSION and is_to_migrate:
        migrate(connection, version)
        return None
    return version


def _set_up_sqlite(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    """A commit waits for the disk; readers do not wait for a writer; transactions begin where the store says."""
    connection.isolation_level = None
    cursor = connection.cursor()
    for setting in (
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
        f"busy_timeout = {MILLISECONDS_TO_WAIT}",
    ):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def _begin_writing(connection: Connection) -> None:
    """Begin a transaction on a file as its only writer.

    Raises:
        OperationalError: others write for too long, or the file cannot be written.
    """
    deadline = time.monotonic() + MILLISECONDS_TO_WAIT / 1000
    connection.exec_driver_sql(f"PRAGMA busy_timeout = {MILLISECONDS_AT_ONCE}")
    try:
        while True:
            try:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                return
            except OperationalError as error:
                if "locked" not in str(error.orig) or time.monotonic() > deadline:
                    raise
    finally:
        connection.exec_driver_sql(f"PRAGMA busy_timeout = {MILLISECONDS_TO_WAIT}")


def _is_in_memory(engine: Engine) -> bool:
    return engine.dialect.name == "sqlite" and engine.url.database in (None, "", ":memory:")


def _wrong_version(version: int) -> str:
    if version > SCHEMA_VERSION:
        return f"the database has tables of the newer version {version}; this table uses version {SCHEMA_VERSION}"
    return f"the database has tables of the older version {version}; save it, and run: hots serve --migrate"


def _first_line(error: Exception) -> str:
    return str(getattr(error, "orig", None) or error).splitlines()[0]

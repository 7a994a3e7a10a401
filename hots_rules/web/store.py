"""The log of actions in a database: the truth about every game.

An action is added under its number, and the number is a key, so of two actions with one number the second is refused.
What `add` has returned from is on the disk.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterable

from attrs import frozen
from sqlalchemy import (
    Column,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    event,
    func,
    insert,
    select,
    text,
)
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from hots_rules.web.refusals import CannotServe, OutOfDate, UnknownGame

SCHEMA_VERSION = 2
CHANNEL = "hots_rules_table"  # on which PostgreSQL tells of changed games
metadata = MetaData()
schema_versions = Table("schema_version", metadata, Column("version", Integer, primary_key=True))
games = Table(
    "game",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("ruleset", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("scenario", Text, nullable=False),
    Column("seed", Text, nullable=False),
)
seats = Table(
    "seat",
    metadata,
    Column("game", ForeignKey("game.name"), primary_key=True),
    Column("player", Text, primary_key=True),
    Column("key_digest", String(64), nullable=False),
    Column("bot", Text, nullable=False),
)
actions = Table(
    "action",
    metadata,
    Column("game", ForeignKey("game.name"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("code", Integer, nullable=False),
    Column("text", Text, nullable=False),
)


@frozen
class GameRow:
    """How a game began: a ruleset by its name and the digest of its texts, a scenario and a seed."""

    name: str
    ruleset: str
    content: str
    scenario: str
    seed: str


@frozen
class SeatRow:
    """A seat: the digest of its key, and the kind of the bot that sits there; empty for a person."""

    player: str
    key_digest: str
    bot: str


@frozen
class ActionRow:
    """An action: its code in the ruleset, and its text in English, for people.

    The code `TAKE_BACK` takes the last action back that was not taken back.
    """

    code: int
    text: str


TAKE_BACK = -1


@frozen
class Store:
    """The games of one database."""

    engine: AsyncEngine

    @classmethod
    def at(cls, url: str) -> Store:
        """The store at the address of a database.

        Raises:
            CannotServe: there is no such kind of database, or its driver is not installed.
        """
        try:
            engine = create_async_engine(url)
        except (ArgumentError, SQLAlchemyError, ModuleNotFoundError) as error:
            raise CannotServe(f"cannot use the database: {_first_line(error)}") from None
        if engine.dialect.name == "sqlite":
            event.listen(engine.sync_engine, "connect", _set_up_sqlite)
        return cls(engine)

    async def open(self) -> None:
        """Make the tables of a new database; check the version of an old one.

        Raises:
            CannotServe: the database cannot be reached, or has tables of another version.
        """
        try:
            if self.engine.dialect.name == "sqlite":
                await asyncio.to_thread(_try_file, self.engine)
            async with self.engine.begin() as connection:
                if self.is_shared:  # of several processes that start at once, one makes the tables
                    await connection.execute(text("select pg_advisory_xact_lock(8297)"))
                await connection.run_sync(metadata.create_all)
                found = (await connection.execute(select(schema_versions.c.version))).scalar()
                if found is None:
                    await connection.execute(insert(schema_versions).values(version=SCHEMA_VERSION))
        except (SQLAlchemyError, sqlite3.Error, OSError) as error:
            await self.close()
            raise CannotServe(f"cannot use the database: {_first_line(error)}") from None
        if found not in (None, SCHEMA_VERSION):
            await self.close()
            age = "newer" if found > SCHEMA_VERSION else "older"
            raise CannotServe(
                f"the database has tables of the {age} version {found}; this table uses version {SCHEMA_VERSION}"
            )

    @property
    def is_shared(self) -> bool:
        """Whether the database tells its processes of what others have played."""
        return self.engine.dialect.name == "postgresql"

    async def close(self) -> None:
        """End all connections."""
        await self.engine.dispose()

    async def create(self, game: GameRow, of_game: Iterable[SeatRow]) -> None:
        """Add a game with its seats."""
        async with self.engine.begin() as connection:
            row = {
                "name": game.name,
                "ruleset": game.ruleset,
                "content": game.content,
                "scenario": game.scenario,
                "seed": game.seed,
            }
            await connection.execute(insert(games).values(row))
            await connection.execute(
                insert(seats),
                [
                    {
                        "game": game.name,
                        "player": seat.player,
                        "key_digest": seat.key_digest,
                        "bot": seat.bot,
                    }
                    for seat in of_game
                ],
            )

    async def read(self, name: str) -> tuple[GameRow, list[SeatRow], list[ActionRow]]:
        """A game, its seats and its actions.

        Raises:
            UnknownGame: there is no such game.
        """
        async with self.engine.connect() as connection:
            found = (await connection.execute(select(games).where(games.c.name == name))).first()
            if found is None:
                raise UnknownGame("there is no such game; ask for the link again")
            row = GameRow(found.name, found.ruleset, found.content, found.scenario, found.seed)
            return row, await _seats_of(connection, name), await _actions_of(connection, name, 0)

    async def read_actions(self, name: str, first: int) -> list[ActionRow]:
        """The actions of a game from a number on."""
        async with self.engine.connect() as connection:
            return await _actions_of(connection, name, first)

    async def add(self, name: str, number: int, action: ActionRow) -> None:
        """Add an action; it is on the disk when this returns.

        Raises:
            OutOfDate: there is an action with this number.
        """
        row = {"game": name, "number": number, "code": action.code, "text": action.text}
        try:
            async with self.engine.begin() as connection:
                await connection.execute(insert(actions).values(row))
                if self.is_shared:
                    await connection.execute(select(func.pg_notify(CHANNEL, name)))
        except IntegrityError:
            raise OutOfDate("another action was played first; look again") from None


async def _seats_of(connection: AsyncConnection, name: str) -> list[SeatRow]:
    query = select(seats.c.player, seats.c.key_digest, seats.c.bot).where(seats.c.game == name)
    return [SeatRow(*row) for row in await connection.execute(query)]


async def _actions_of(connection: AsyncConnection, name: str, first: int) -> list[ActionRow]:
    query = (
        select(actions.c.code, actions.c.text)
        .where(actions.c.game == name, actions.c.number >= first)
        .order_by(actions.c.number)
    )
    return [ActionRow(*row) for row in await connection.execute(query)]


def _set_up_sqlite(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    """A commit waits for the disk; readers do not wait for a writer."""
    cursor = connection.cursor()
    for setting in (
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
        "busy_timeout = 5000",
    ):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def _try_file(engine: AsyncEngine) -> None:
    """Open and close the file of a database.

    A connection of aiosqlite that fails leaves a thread that answers after the event loop is closed.

    Raises:
        sqlite3.Error: the file cannot be opened.
    """
    arguments, options = engine.dialect.create_connect_args(engine.url)
    sqlite3.connect(str(arguments[0]), uri=bool(options.get("uri"))).close()


def _first_line(error: Exception) -> str:
    return str(getattr(error, "orig", None) or error).splitlines()[0]

"""The log of actions in a database: the truth about every game.

An action is added under its number, and the number is a key, so of two actions with one number the second is refused.
What `add` has returned from is on the disk.
"""

from __future__ import annotations

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
    insert,
    select,
)
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from hots_rules.web.refusals import CannotServe, OutOfDate, UnknownGame

SCHEMA_VERSION = 1
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
class ActionRow:
    """An action: its code in the ruleset, and its text in English, for people."""

    code: int
    text: str


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
            async with self.engine.begin() as connection:
                await connection.run_sync(metadata.create_all)
                found = (await connection.execute(select(schema_versions.c.version))).scalar()
                if found is None:
                    await connection.execute(insert(schema_versions).values(version=SCHEMA_VERSION))
        except (SQLAlchemyError, OSError) as error:
            await self.close()
            raise CannotServe(f"cannot use the database: {_first_line(error)}") from None
        if found not in (None, SCHEMA_VERSION):
            await self.close()
            age = "newer" if found > SCHEMA_VERSION else "older"
            raise CannotServe(
                f"the database has tables of the {age} version {found}; this table uses version {SCHEMA_VERSION}"
            )

    async def close(self) -> None:
        """End all connections."""
        await self.engine.dispose()

    async def create(self, game: GameRow, digests: dict[str, str]) -> None:
        """Add a game with the digests of the keys of its seats."""
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
                    {"game": game.name, "player": player, "key_digest": digest}
                    for player, digest in digests.items()
                ],
            )

    async def read(self, name: str) -> tuple[GameRow, dict[str, str], list[ActionRow]]:
        """A game, its seats by the digests of their keys, and its actions.

        Raises:
            UnknownGame: there is no such game.
        """
        async with self.engine.connect() as connection:
            found = (await connection.execute(select(games).where(games.c.name == name))).first()
            if found is None:
                raise UnknownGame("there is no such game; ask for the link again")
            row = GameRow(found.name, found.ruleset, found.content, found.scenario, found.seed)
            return row, await _seats_of(connection, name), await _actions_of(connection, name)

    async def add(self, name: str, number: int, action: ActionRow) -> None:
        """Add an action; it is on the disk when this returns.

        Raises:
            OutOfDate: there is an action with this number.
        """
        row = {"game": name, "number": number, "code": action.code, "text": action.text}
        try:
            async with self.engine.begin() as connection:
                await connection.execute(insert(actions).values(row))
        except IntegrityError:
            raise OutOfDate("another action was played first; look again") from None


async def _seats_of(connection: AsyncConnection, name: str) -> dict[str, str]:
    query = select(seats.c.key_digest, seats.c.player).where(seats.c.game == name)
    return {digest: player for digest, player in await connection.execute(query)}


async def _actions_of(connection: AsyncConnection, name: str) -> list[ActionRow]:
    query = (
        select(actions.c.code, actions.c.text)
        .where(actions.c.game == name)
        .order_by(actions.c.number)
    )
    return [ActionRow(code, text) for code, text in await connection.execute(query)]


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


def _first_line(error: Exception) -> str:
    return str(getattr(error, "orig", None) or error).splitlines()[0]

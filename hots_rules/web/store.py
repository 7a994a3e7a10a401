"""The log of actions in a database: the truth about every game.

An action is added under its number, and the number is a key, so of two actions with one number the second is refused.
What `add` has returned from is on the disk.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, nullcontext
from secrets import token_hex

from attrs import asdict, field, fields, frozen
from sqlalchemy import delete, event, func, insert, make_url, select, text, update
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from hots_rules.web.batches import Batches, Line
from hots_rules.web.news import CHANNEL, CHAT, LOG, SEATS, Change, changes_found, changes_told
from hots_rules.web.refusals import CannotServe, OutOfDate, UnknownGame
from hots_rules.web.rows import ActionRow, GameRow, MessageRow, SeatRow, ShareRow, SnapshotRow
from hots_rules.web.schema import (
    SCHEMA_VERSION,
    actions,
    changes,
    games,
    make_tables,
    messages,
    migrate,
    notes,
    schema_versions,
    seats,
    shares,
    snapshots,
    version_of,
)

LONGEST_TOLD = 2_000  # characters of a line; PostgreSQL tells at most 8,000 bytes
KEPT_CHANGES = 10_000  # for processes that have not looked for some time


@frozen
class Store:
    """The games of one database."""

    engine: AsyncEngine
    _turn: asyncio.Lock = field(factory=asyncio.Lock, init=False)
    """Writers of one process take turns; without it those of SQLite try again until one of them gives up."""
    _origin: str = field(factory=lambda: token_hex(4), init=False)
    """Tells the changes of this process from those of others."""
    _batches: Batches = field(init=False)

    @_batches.default
    def _make_batches(self) -> Batches:
        return Batches(self._write)

    @classmethod
    def at(cls, url: str) -> Store:
        """The store at the address of a database.

        Raises:
            CannotServe: there is no such kind of database, or its driver is not installed.
        """
        try:
            # A connection that a server has ended is made anew before it is used; a file ends none.
            is_file = make_url(url).get_backend_name() == "sqlite"
            engine = create_async_engine(url, pool_pre_ping=not is_file)
        except (ArgumentError, SQLAlchemyError, ModuleNotFoundError) as error:
            raise CannotServe(f"cannot use the database: {_first_line(error)}") from None
        if engine.dialect.name == "sqlite":
            event.listen(engine.sync_engine, "connect", _set_up_sqlite)
        return cls(engine)

    async def open(self, *, is_to_migrate: bool = False) -> None:
        """Make the tables of a new database; check the version of an old one, or bring it up to date.

        Raises:
            CannotServe: the database cannot be reached, or has tables of another version.
        """
        try:
            if self.engine.dialect.name == "sqlite":
                await asyncio.to_thread(_try_file, self.engine)
            async with self.engine.begin() as connection:
                if self.is_shared:  # of several processes that start at once, one makes the tables
                    await connection.execute(text("select pg_advisory_xact_lock(8297)"))
                found = await connection.run_sync(version_of)
                if found is None:
                    await connection.run_sync(make_tables)
                elif found < SCHEMA_VERSION and is_to_migrate:
                    await connection.run_sync(migrate, found)
                    found = None
        except (SQLAlchemyError, sqlite3.Error, OSError) as error:
            await self.close()
            raise CannotServe(f"cannot use the database: {_first_line(error)}") from None
        if found not in (None, SCHEMA_VERSION):
            await self.close()
            raise CannotServe(_wrong_version(found))

    async def check(self) -> None:
        """Ask the database for an answer.

        Raises:
            CannotServe: there is none.
        """
        try:
            async with self.engine.connect() as connection:
                await connection.execute(select(schema_versions.c.version))
        except (SQLAlchemyError, OSError) as error:
            raise CannotServe(f"the database does not answer: {_first_line(error)}") from None

    @property
    def is_shared(self) -> bool:
        """Whether the database tells its processes of what others have played."""
        return self.engine.dialect.name == "postgresql"

    async def close(self) -> None:
        """End all connections."""
        await self.engine.dispose()

    async def create(
        self, game: GameRow, of_game: Iterable[SeatRow], share: ShareRow | None = None
    ) -> None:
        """Add a game with its seats, and the share of the table in its seed."""
        async with self.writing() as connection:
            await connection.execute(insert(games).values(asdict(game)))
            rows = [{"game": game.name, **asdict(seat)} for seat in of_game]
            await connection.execute(insert(seats), rows)
            if share is not None:
                await connection.execute(
                    insert(shares).values(game=game.name, line=0, **asdict(share))
                )

    async def read(self, name: str) -> tuple[GameRow, list[SeatRow], list[ActionRow]]:
        """A game, its seats and its actions.

        Raises:
            UnknownGame: there is no such game.
        """
        async with self.engine.connect() as connection:
            asked = select(games).where(games.c.name == name)
            found = (await connection.execute(asked)).mappings().first()
            if found is None:
                raise UnknownGame("there is no such game; ask for the link again")
            row = GameRow(**found)
            return row, await _seats_of(connection, name), await _actions_of(connection, name, 0)

    async def read_snapshot(self, name: str) -> SnapshotRow | None:
        """The snapshot of a game; None if there is none."""
        query = select(snapshots.c.number, snapshots.c.text).where(snapshots.c.game == name)
        async with self.engine.connect() as connection:
            found = (await connection.execute(query)).first()
            return None if found is None else SnapshotRow(*found)

    async def keep_snapshot(self, name: str, snapshot: SnapshotRow) -> None:
        """Keep a snapshot of a game in place of an older one.

        Raises:
            SQLAlchemyError: there is a newer one, or the database does not answer.
        """
        older = (snapshots.c.game == name) & (snapshots.c.number < snapshot.number)
        async with self.writing() as connection:
            await connection.execute(delete(snapshots).where(older))
            await connection.execute(insert(snapshots).values(game=name, **asdict(snapshot)))

    async def read_seats(self, name: str) -> list[SeatRow]:
        """Who may sit at a game now: keys are changed."""
        async with self.engine.connect() as connection:
            return await _seats_of(connection, name)

    async def read_actions(self, name: str, first: int) -> list[ActionRow]:
        """The actions of a game from a number on."""
        async with self.engine.connect() as connection:
            return await _actions_of(connection, name, first)

    async def add(self, name: str, number: int, action: ActionRow) -> None:
        """Add an action; it is on the disk when this returns.

        Raises:
            OutOfDate: there is an action with this number.
        """
        await self._batches.add(Line(name, number, action))

    async def _write(self, lines: Sequence[Line]) -> None:
        rows = [{"game": each.game, "number": each.number, **asdict(each.action)} for each in lines]
        try:
            async with self.writing() as connection:
                await connection.execute(insert(actions), rows)
                await self._tell(connection, [self._change(LOG, e.game, str(e)) for e in lines])
        except IntegrityError:
            raise OutOfDate("another action was played first; look again") from None

    # -------------------------------------------------------------- seats
    async def change_key(self, name: str, player: str, digest: str) -> None:
        """Give a seat another key; the old one is worth nothing from now on."""
        async with self.changing(name, SEATS) as connection:
            chosen = (seats.c.game == name) & (seats.c.player == player)
            await connection.execute(update(seats).where(chosen).values(key_digest=digest))

    async def read_note(self, name: str, player: str) -> str:
        """What a seat has noted for itself."""
        query = select(notes.c.text).where(notes.c.game == name, notes.c.player == player)
        async with self.engine.connect() as connection:
            return str((await connection.execute(query)).scalar() or "")

    async def keep_note(self, name: str, player: str, words: str) -> None:
        """Keep what a seat has noted, in place of what it had noted before."""
        chosen = (notes.c.game == name) & (notes.c.player == player)
        async with self.writing() as connection:
            await connection.execute(delete(notes).where(chosen))
            await connection.execute(insert(notes).values(game=name, player=player, text=words))

    async def read_messages(self, name: str) -> list[MessageRow]:
        """What was said at a game, in order."""
        query = (
            select(messages.c.player, messages.c.text)
            .where(messages.c.game == name)
            .order_by(messages.c.number)
        )
        async with self.engine.connect() as connection:
            return [MessageRow(*row) for row in await connection.execute(query)]

    async def say(self, name: str, number: int, message: MessageRow) -> None:
        """Add what somebody says.

        Raises:
            OutOfDate: there is a message with this number.
        """
        try:
            async with self.changing(name, CHAT) as connection:
                row = {"game": name, "number": number, **asdict(message)}
                await connection.execute(insert(messages).values(row))
        except IntegrityError:
            raise OutOfDate("somebody else said something first; send it again") from None

    # -------------------------------------------------------------- changes
    def changes(self) -> AsyncIterator[Change | None]:
        """What other processes change in which game, from now on; None where some changes may have been missed."""
        engine = self.engine.sync_engine
        found = changes_told(engine.url) if self.is_shared else changes_found(engine)
        return (each async for each in found if each is None or each.origin != self._origin)

    async def forget_changes(self) -> None:
        """Drop the changes that every process has heard of."""
        last = select(func.max(changes.c.number) - KEPT_CHANGES).scalar_subquery()
        async with self.writing() as connection:
            await connection.execute(delete(changes).where(changes.c.number < last))

    def _change(self, kind: str, game: str, line: str = "") -> Change:
        return Change(self._origin, kind, game, line if len(line) <= LONGEST_TOLD else "")

    async def _tell(self, connection: AsyncConnection, told: Sequence[Change]) -> None:
        """Tell other processes of changes, when the transaction ends."""
        if self.is_shared:
            for change in told:
                await connection.execute(select(func.pg_notify(CHANNEL, str(change))))
        else:
            await connection.execute(insert(changes), [asdict(change) for change in told])

    @asynccontextmanager
    async def changing(self, name: str, kind: str = "") -> AsyncIterator[AsyncConnection]:
        """A transaction after which the other processes are told that a game has changed."""
        async with self.writing() as connection:
            yield connection
            await self._tell(connection, [self._change(kind, name)])

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that is on the disk when it ends."""
        async with nullcontext() if self.is_shared else self._turn, self.engine.begin() as begun:
            yield begun


async def _seats_of(connection: AsyncConnection, name: str) -> list[SeatRow]:
    query = select(seats.c.player, seats.c.key_digest, seats.c.bot).where(seats.c.game == name)
    return [SeatRow(*row) for row in await connection.execute(query)]


async def _actions_of(connection: AsyncConnection, name: str, first: int) -> list[ActionRow]:
    columns = (actions.c[each.name] for each in fields(ActionRow))
    query = (
        select(*columns)
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
        "busy_timeout = 30000",
    ):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def _wrong_version(found: int) -> str:
    if found > SCHEMA_VERSION:
        return f"the database has tables of the newer version {found}; this table uses version {SCHEMA_VERSION}"
    return f"the database has tables of the older version {found}; save it, and run: hots serve --migrate"


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

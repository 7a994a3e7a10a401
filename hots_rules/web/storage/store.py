"""The log of actions in a database: the truth about every game.

An action is added under its number, and the number is a key, so of two actions with one number the second is refused.
What `add` has returned from is on the disk.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from secrets import token_hex

from attrs import asdict, field, fields, frozen
from sqlalchemy import Connection, delete, func, insert, select, text
from sqlalchemy.exc import IntegrityError

from hots_rules.web.events.change_feed import (
    CHANNEL,
    CHAT,
    LOG,
    SEATS,
    Change,
    postgresql_changes,
    sqlite_changes,
)
from hots_rules.web.refusals import OutOfDate, UnknownGame
from hots_rules.web.storage.batches import Batches, Line
from hots_rules.web.storage.database import Database, T, Work
from hots_rules.web.storage.rows import (
    ActionRow,
    GameRow,
    MessageRow,
    SeatRow,
    ShareRow,
    SnapshotRow,
)
from hots_rules.web.storage.schema import (
    actions,
    changes,
    games,
    messages,
    notes,
    shares,
    snapshots,
)
from hots_rules.web.storage.seats import add_seats, seats_of

MAX_TOLD_LENGTH = 2_000  # characters of a line; PostgreSQL tells at most 8,000 bytes
KEPT_CHANGES = 10_000  # for processes that have not looked for some time


@frozen
class Store(Database):
    """The games of one database."""

    _origin: str = field(factory=lambda: token_hex(4), init=False)
    """Tells the changes of this process from those of others."""
    _batches: Batches = field(init=False)

    @_batches.default
    def _make_batches(self) -> Batches:
        return Batches(self._write)

    async def create(
        self, game: GameRow, of_game: Iterable[SeatRow], share: ShareRow | None = None
    ) -> None:
        """Add a game with its seats, and the share of the game server in its seed."""

        def work(connection: Connection) -> None:
            connection.execute(insert(games), asdict(game))
            add_seats(connection, game.name, of_game)
            if share is not None:
                connection.execute(insert(shares), {"game": game.name, "line": 0, **asdict(share)})

        await self.writing(work)

    async def read(self, name: str) -> tuple[GameRow, list[SeatRow], list[ActionRow]]:
        """A game, its seats and its actions.

        Raises:
            UnknownGame: there is no such game.
        """
        return await self.reading(lambda connection: _log_of(connection, name))

    async def read_all(
        self, name: str
    ) -> tuple[GameRow, list[SeatRow], list[ActionRow], SnapshotRow | None]:
        """A game, its seats, its actions, and its snapshot if there is one.

        Raises:
            UnknownGame: there is no such game.
        """
        query = select(snapshots.c.number, snapshots.c.text).where(snapshots.c.game == name)

        def work(
            connection: Connection,
        ) -> tuple[GameRow, list[SeatRow], list[ActionRow], SnapshotRow | None]:
            log = _log_of(connection, name)
            snapshot = connection.execute(query).first()
            return *log, None if snapshot is None else SnapshotRow(*snapshot)

        return await self.reading(work)

    async def keep_snapshot(self, name: str, snapshot: SnapshotRow) -> None:
        """Keep a snapshot of a game in place of an older one.

        Raises:
            SQLAlchemyError: there is a newer one, or the database does not answer.
        """
        older = (snapshots.c.game == name) & (snapshots.c.number < snapshot.number)

        def work(connection: Connection) -> None:
            connection.execute(delete(snapshots).where(older))
            connection.execute(insert(snapshots), {"game": name, **asdict(snapshot)})

        await self.writing(work)

    async def read_seats(self, name: str) -> list[SeatRow]:
        """Who may sit at a game now: keys are changed."""
        return await self.reading(lambda connection: seats_of(connection, name))

    async def read_actions(self, name: str, first: int) -> list[ActionRow]:
        """The actions of a game from a number on."""
        return await self.reading(lambda connection: _actions_of(connection, name, first))

    async def add(self, name: str, number: int, action: ActionRow) -> None:
        """Add an action; it is on the disk when this returns.

        Raises:
            OutOfDate: there is an action with this number.
        """
        await self._batches.add(Line(name, number, action))

    async def _write(self, lines: Sequence[Line]) -> None:
        rows = [{"game": line.game, "number": line.number, **asdict(line.action)} for line in lines]
        written = [self._change(LOG, line.game, str(line)) for line in lines]

        def work(connection: Connection) -> None:
            connection.execute(insert(actions), rows)
            self._tell(connection, written)

        try:
            await self.writing(work)
        except IntegrityError:
            raise OutOfDate("another action was played first; look again") from None

    # -------------------------------------------------------------- seats
    async def change_seats(self, name: str, work: Work[T]) -> T:
        """The result of `work`, which changes the seats of a game, in a transaction; other processes are told."""
        return await self._changing(name, SEATS, work)

    async def read_note(self, name: str, player: str) -> str:
        """What a seat has noted for itself."""
        query = select(notes.c.text).where(notes.c.game == name, notes.c.player == player)
        return str(await self.reading(lambda connection: connection.execute(query).scalar()) or "")

    async def keep_note(self, name: str, player: str, words: str) -> None:
        """Keep what a seat has noted, in place of what it had noted before."""
        chosen = (notes.c.game == name) & (notes.c.player == player)

        def work(connection: Connection) -> None:
            connection.execute(delete(notes).where(chosen))
            connection.execute(insert(notes).values(game=name, player=player, text=words))

        await self.writing(work)

    async def read_messages(self, name: str) -> list[MessageRow]:
        """What was said at a game, in order."""
        query = (
            select(messages.c.player, messages.c.text)
            .where(messages.c.game == name)
            .order_by(messages.c.number)
        )
        rows = await self.reading(lambda connection: connection.execute(query).all())
        return [MessageRow(*row) for row in rows]

    async def say(self, name: str, number: int, message: MessageRow) -> None:
        """Add what somebody says.

        Raises:
            OutOfDate: there is a message with this number.
        """
        row = {"game": name, "number": number, **asdict(message)}
        try:
            await self._changing(
                name, CHAT, lambda connection: connection.execute(insert(messages), row)
            )
        except IntegrityError:
            raise OutOfDate("somebody else said something first; send it again") from None

    # -------------------------------------------------------------- changes
    def changes(self) -> AsyncIterator[Change | None]:
        """What other processes change in which game, from now on; None where some changes may have been missed."""
        engine = self.engine
        feed = postgresql_changes(engine.url) if self.is_postgresql else sqlite_changes(engine)
        return (change async for change in feed if change is None or change.origin != self._origin)

    async def forget_changes(self) -> None:
        """Drop all changes but the last; a process that missed some looks at every game."""
        last = select(func.max(changes.c.number) - KEPT_CHANGES).scalar_subquery()
        old = delete(changes).where(changes.c.number < last)
        await self.writing(lambda connection: connection.execute(old))

    def tell(self, connection: Connection, kind: str, names: Iterable[str]) -> None:
        """Tell other processes of changes of one kind in some games, when the transaction ends."""
        self._tell(connection, [self._change(kind, name) for name in names])

    def _change(self, kind: str, game: str, line: str = "") -> Change:
        return Change(self._origin, kind, game, line if len(line) <= MAX_TOLD_LENGTH else "")

    def _tell(self, connection: Connection, news: Sequence[Change]) -> None:
        """Tell other processes of changes, when the transaction ends."""
        if self.is_postgresql:
            connection.execute(
                _NOTIFY, {"channel": CHANNEL, "told": [str(change) for change in news]}
            )
        else:
            connection.execute(insert(changes), [asdict(change) for change in news])

    async def _changing(self, name: str, kind: str, work: Work[T]) -> T:
        """Change a game, and tell other processes of it."""

        def change_and_tell(connection: Connection) -> T:
            answer = work(connection)
            self.tell(connection, kind, [name])
            return answer

        return await self.writing(change_and_tell)


_NOTIFY = text("select pg_notify(:channel, each) from unnest(cast(:told as text[])) as each")


def _log_of(connection: Connection, name: str) -> tuple[GameRow, list[SeatRow], list[ActionRow]]:
    asked = select(games).where(games.c.name == name)
    row = connection.execute(asked).mappings().first()
    if row is None:
        raise UnknownGame("there is no such game; ask for the link again")
    return GameRow(**row), seats_of(connection, name), _actions_of(connection, name, 0)


def _actions_of(connection: Connection, name: str, first: int) -> list[ActionRow]:
    columns = (actions.c[attribute.name] for attribute in fields(ActionRow))
    query = (
        select(*columns)
        .where(actions.c.game == name, actions.c.number >= first)
        .order_by(actions.c.number)
    )
    return [ActionRow(*row) for row in connection.execute(query)]

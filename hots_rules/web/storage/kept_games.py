"""All games of a database at once, for whoever runs the game server; neither keys nor seeds are read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from types import MappingProxyType
from typing import TypeVar

from attrs import field, frozen
from sqlalchemy import ColumnElement, Connection, delete, func, select, true, update

import hots_rules as hr
from hots_rules.web.events.change_feed import CHAT, GONE
from hots_rules.web.refusals import UnknownGame
from hots_rules.web.storage.rows import ABORT, CLAIM, CLOSE, DRAW, GO_BACK, RESIGN
from hots_rules.web.storage.schema import (
    actions,
    changes,
    games,
    lost_seats,
    messages,
    notes,
    seat_keys,
    seats,
    shares,
    snapshots,
)
from hots_rules.web.storage.store import Store

GAMES_AT_ONCE = 500  # in a statement, which takes a limited number of values
NOT_BEGUN, OPEN, MIXING = "not begun", "open", "mixing"
_STATUS_OF_LINE = MappingProxyType(
    {
        GO_BACK: MIXING,
        CLAIM: "claimed",
        CLOSE: "closed",
        RESIGN: "resigned",
        DRAW: "a draw",
        ABORT: "aborted",
    }
)

_T = TypeVar("_T")
_OfGame = Callable[[ColumnElement[str]], ColumnElement[bool]]
"""For the column with the name of a game, the condition that a row is of the games that are asked for."""


@frozen
class KeptGame:
    """A game as a list of games has it.

    Attributes:
        name: its name, with which anybody can watch it.
        ruleset: the name of its ruleset.
        scenario: the name of its scenario.
        status: `not begun` until all shares of its seed are known, `open`, `mixing` while the shares of a later seed
            are waited for, `claimed`, `closed`, `resigned`, `a draw` or `aborted`. A game that the rules have ended is
            `open`, and nobody is waited for.
        begun: when it was opened, in milliseconds since 1970.
        changed: when the last line was added to its log.
        lines: how many lines its log has.
        waiting: the people who are to choose; empty before the first line.
        people: the players whose seats are for people.
        bots: the kinds of the bots by their players.
        messages: how many messages each player has sent.
        notes: the players who have notes.
    """

    name: str
    ruleset: str
    scenario: str
    status: str
    begun: int
    changed: int
    lines: int
    waiting: tuple[str, ...]
    people: tuple[str, ...] = ()
    bots: dict[str, str] = field(factory=dict)
    messages: dict[str, int] = field(factory=dict)
    notes: tuple[str, ...] = ()

    def check_player(self, player: str) -> None:
        """Check that the game has a player of a name.

        Raises:
            UnknownName: it has none.
        """
        if player not in (players := (*self.people, *self.bots)):
            raise hr.UnknownName("player", player, players)


@frozen
class KeptGames:
    """The games of a store."""

    store: Store

    async def unchanged_since(self, before: int | None) -> list[KeptGame]:
        """The games that have not changed since an instant, as `now` has it, or all; the last changed come first."""
        games_found = await self.store.reading(_games_of)
        chosen = [game for game in games_found if before is None or game.changed < before]
        return sorted(chosen, key=lambda game: (-game.changed, game.name))

    async def find(self, name: str) -> KeptGame:
        """One game.

        Raises:
            UnknownGame: there is no such game.
        """
        games_found = await self.store.reading(lambda connection: _games_of(connection, name))
        if not games_found:
            raise UnknownGame.named(name)
        return games_found[0]

    async def delete(self, names: Sequence[str], before: int | None = None) -> list[str]:
        """Delete games with all that belongs to them; give the names of those that there were.

        Args:
            names: their names.
            before: delete only those that have not changed since an instant, as `now` has it.
        """
        gone: list[str] = []
        for first in range(0, len(names), GAMES_AT_ONCE):
            some = names[first : first + GAMES_AT_ONCE]
            gone += await self.store.writing(partial(self._delete, some, before))
        await self.store.reading(_truncate_write_ahead_log)  # which no transaction may be in
        return gone

    def _delete(
        self, names: Sequence[str], before: int | None, connection: Connection
    ) -> Sequence[str]:
        _overwrite_what_is_deleted(connection)
        # While the rows are locked nobody adds a line.
        query = select(games.c.name).where(games.c.name.in_(names)).with_for_update()
        gone = list(connection.execute(query).scalars())
        if before is not None:
            recent = select(actions.c.game).where(
                actions.c.game.in_(gone), actions.c.instant >= before
            )
            changed = {*connection.execute(recent).scalars()}
            gone = [name for name in gone if name not in changed]
        if gone:
            # The new changes come before the old ones are deleted: SQLite would give the numbers of these again, and a
            # process that follows the numbers (`sqlite_changes`) would miss the new ones.
            self.store.tell(connection, GONE, gone)
            connection.execute(
                delete(changes).where(changes.c.game.in_(gone), changes.c.kind != GONE)
            )
            for table in (
                actions,
                snapshots,
                messages,
                notes,
                shares,
                seat_keys,
                lost_seats,
                seats,
            ):
                connection.execute(delete(table).where(table.c.game.in_(gone)))
            connection.execute(delete(games).where(games.c.name.in_(gone)))
        return gone

    async def erase(self, name: str, player: str) -> tuple[int, int]:
        """Erase what a player has said at a game, and the player's notes; give how many of each there were.

        The messages keep their places, without a text.
        """

        def work(connection: Connection) -> tuple[int, int]:
            _overwrite_what_is_deleted(connection)
            of_player = update(messages).where(
                messages.c.game == name, messages.c.player == player, messages.c.text != ""
            )
            message_count = connection.execute(of_player.values(text="")).rowcount
            own_notes = delete(notes).where(notes.c.game == name, notes.c.player == player)
            note_count = connection.execute(own_notes).rowcount
            self.store.tell(connection, CHAT, [name])
            return message_count, note_count

        counts = await self.store.writing(work)
        await self.store.reading(_truncate_write_ahead_log)
        return counts


def _games_of(connection: Connection, name: str | None = None) -> list[KeptGame]:
    """All games, or the one of a name if there is one."""

    def is_of_game(column: ColumnElement[str]) -> ColumnElement[bool]:
        return true() if name is None else column == name

    columns = (games.c.name, games.c.ruleset, games.c.scenario, games.c.seed, games.c.begun)
    rows = connection.execute(select(*columns).where(is_of_game(games.c.name))).all()
    lines = _last_lines(connection, is_of_game)
    bots = _bots(connection, is_of_game)
    messages_sent = _messages_sent(connection, is_of_game)
    players_with_notes = _notes(connection, is_of_game)
    kept = []
    for row in rows:
        line, seated = lines.get(row.name, _LastLine()), bots.get(row.name, {})
        kept.append(
            KeptGame(
                name=row.name,
                ruleset=row.ruleset,
                scenario=row.scenario,
                status=_STATUS_OF_LINE.get(line.code, OPEN) if row.seed else NOT_BEGUN,
                begun=row.begun,
                changed=max(row.begun, line.instant),
                lines=line.count,
                waiting=line.waiting,
                people=tuple(player for player, bot in seated.items() if not bot),
                bots={player: bot for player, bot in seated.items() if bot},
                messages=messages_sent.get(row.name, {}),
                notes=tuple(players_with_notes.get(row.name, {})),
            )
        )
    return kept


@frozen
class _LastLine:
    """The last line of a log, and how many there are."""

    count: int = 0
    code: int = 0
    instant: int = 0
    waiting: tuple[str, ...] = ()


def _last_lines(connection: Connection, is_of_game: _OfGame) -> dict[str, _LastLine]:
    """The last line of the log of each game that has one."""
    last = select(actions.c.game, func.max(actions.c.number).label("number"))
    numbers = last.where(is_of_game(actions.c.game)).group_by(actions.c.game).subquery()
    is_last = (actions.c.game == numbers.c.game) & (actions.c.number == numbers.c.number)
    columns = (
        actions.c.game,
        actions.c.number,
        actions.c.code,
        actions.c.instant,
        actions.c.waiting,
    )
    query = select(*columns).join_from(actions, numbers, is_last)
    return {
        game: _LastLine(number + 1, code, instant, tuple(json.loads(waiting)))
        for game, number, code, instant, waiting in connection.execute(query)
    }


def _bots(connection: Connection, is_of_game: _OfGame) -> dict[str, dict[str, str]]:
    """The kind of the bot in each seat, by game and player; empty for a person."""
    query = select(seats.c.game, seats.c.player, seats.c.bot).where(is_of_game(seats.c.game))
    return _by_player(connection.execute(query))


def _messages_sent(connection: Connection, is_of_game: _OfGame) -> dict[str, dict[str, int]]:
    """The number of messages, by game and player."""
    columns = (messages.c.game, messages.c.player)
    query = select(*columns, func.count()).where(is_of_game(messages.c.game), messages.c.text != "")
    return _by_player(connection.execute(query.group_by(*columns)))


def _notes(connection: Connection, is_of_game: _OfGame) -> dict[str, dict[str, str]]:
    """The notes that are not empty, by game and player."""
    query = select(notes.c.game, notes.c.player, notes.c.text)
    return _by_player(connection.execute(query.where(is_of_game(notes.c.game), notes.c.text != "")))


def _by_player(rows: Iterable[tuple[str, str, _T]]) -> dict[str, dict[str, _T]]:
    """What stands in the third column, by game and player."""
    grouped: dict[str, dict[str, _T]] = {}
    for game, player, content in rows:
        grouped.setdefault(game, {})[player] = content
    return grouped


def _overwrite_what_is_deleted(connection: Connection) -> None:
    """Let SQLite overwrite in its file what this transaction deletes."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA secure_delete = ON")


def _truncate_write_ahead_log(connection: Connection) -> None:
    """Write the write-ahead log of SQLite into its file, so that it holds nothing deleted any more."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

"""The upkeep of the games of a database by whoever runs the game server, which need not be stopped for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Self

from attrs import field, frozen

from hots_rules.web.games.agreement_log import final_record
from hots_rules.web.games.open_games import OpenGames
from hots_rules.web.instants import now
from hots_rules.web.refusals import CannotServe, NotYet, OutOfDate
from hots_rules.web.serving import default_database
from hots_rules.web.storage.kept_games import KeptGame, KeptGames
from hots_rules.web.storage.rows import CLOSE, ActionRow
from hots_rules.web.storage.store import Store

__all__ = ["CannotServe", "KeptGame", "Upkeep"]


@frozen
class Upkeep:
    """What can be done to the games of a store."""

    store: Store
    kept: KeptGames = field(init=False)

    @kept.default
    def _make_kept(self) -> KeptGames:
        return KeptGames(self.store)

    @classmethod
    @asynccontextmanager
    async def of(cls, database: str | None = None) -> AsyncIterator[Self]:
        """The games of a database, which is open in the block; a file in the user's data folder if omitted.

        Raises:
            CannotServe: the database cannot be used.
        """
        store = Store.at(database or default_database())
        await store.open()
        try:
            yield cls(store)
        finally:
            await store.close()

    async def older_than(self, milliseconds: int | None) -> list[KeptGame]:
        """The games that have not changed for some time, or all; the last changed come first."""
        return await self.kept.unchanged_since(
            None if milliseconds is None else now() - milliseconds
        )

    async def close(self, name: str) -> None:
        """End a game: nobody plays on, and its record can be read.

        Raises:
            UnknownGame: there is no such game.
            NotYet: it has not begun, or it is over.
            TableError: its ruleset has changed since it began.
        """
        while True:
            open_game = await OpenGames(self.store).read(name)
            if open_game.is_over:
                raise NotYet.ended(name)
            line = open_game.dated(ActionRow(CLOSE, "the game is closed"), open_game.game)
            try:
                return await self.store.add(name, open_game.number, line)
            except OutOfDate:  # somebody has played meanwhile
                continue

    async def delete(self, names: Sequence[str]) -> None:
        """Delete games, with all that belongs to them.

        Raises:
            UnknownGame: there is no game of one of the names; none is deleted.
        """
        for name in names:
            await self.kept.find(name)
        await self.kept.delete(names)

    async def expire(self, milliseconds: int) -> list[KeptGame]:
        """Delete the games that have not changed for some time; give those that were deleted."""
        before = now() - milliseconds
        old = await self.kept.unchanged_since(before)
        gone = {*await self.kept.delete([game.name for game in old], before)}
        return [game for game in old if game.name in gone]

    async def record(self, name: str) -> str:
        """The record of a game as text, with all that is hidden in it.

        Raises:
            UnknownGame: there is no such game.
            NotBegun: its seed is not known yet.
            TableError: its ruleset has changed since it began.
        """
        open_game = await OpenGames(self.store).read(name)
        return await asyncio.to_thread(lambda: str(final_record(open_game)))

    async def erase(self, name: str, player: str) -> tuple[int, int]:
        """Erase the messages and the notes of a player at a game; give how many of each there were.

        Raises:
            UnknownGame: there is no such game.
            UnknownName: it has no such player.
        """
        game = await self.kept.find(name)
        game.check_player(player)
        return await self.kept.erase(name, player)

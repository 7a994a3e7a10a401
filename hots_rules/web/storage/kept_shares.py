"""The shares of the seeds of games, as the database keeps them."""

from __future__ import annotations

from attrs import asdict, frozen
from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError

from hots_rules.web.refusals import OutOfDate
from hots_rules.web.storage.rows import ShareRow
from hots_rules.web.storage.schema import games, shares
from hots_rules.web.storage.store import Store


@frozen
class KeptShares:
    """The shares of a game, by the line of the log after which the seed that is mixed from them holds.

    Those of the seed with which a game begins have the line 0.
    """

    store: Store
    name: str

    async def read(self) -> dict[int, list[ShareRow]]:
        """The shares of each line; none if the seeds of the game are not mixed."""
        query = select(shares.c.line, shares.c.player, shares.c.commitment, shares.c.secret)
        by_line: dict[int, list[ShareRow]] = {}
        of_game = query.where(shares.c.game == self.name)
        for line, *row in await self.store.reading(
            lambda connection: connection.execute(of_game).all()
        ):
            by_line.setdefault(line, []).append(ShareRow(*row))
        return by_line

    async def commit(self, line: int, share: ShareRow) -> None:
        """Keep a commitment to a share.

        Raises:
            OutOfDate: the player has committed to a share already.
        """
        row = {"game": self.name, "line": line, **asdict(share)}
        try:
            await self.store.writing(lambda connection: connection.execute(insert(shares), row))
        except IntegrityError:
            raise OutOfDate("this seat has committed to a share already") from None

    async def reveal(self, line: int, player: str, secret: str) -> None:
        """Keep the share to which a player has committed."""
        chosen = (shares.c.game == self.name) & (shares.c.line == line)
        change = update(shares).where(chosen & (shares.c.player == player)).values(secret=secret)
        await self.store.writing(lambda connection: connection.execute(change))

    async def begin(self, seed: str) -> None:
        """Begin the game with the seed that was mixed; a seed that there is stays."""
        chosen = (games.c.name == self.name) & (games.c.seed == "")
        change = update(games).where(chosen).values(seed=seed)
        await self.store.writing(lambda connection: connection.execute(change))

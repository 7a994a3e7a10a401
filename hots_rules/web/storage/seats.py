"""The seats of a game and their keys, as functions of a connection."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from attrs import asdict
from sqlalchemy import Connection, delete, insert, select

from hots_rules.web.instants import now
from hots_rules.web.storage.rows import LostSeat, SeatRow
from hots_rules.web.storage.schema import games, lost_seats, seat_keys, seats

KEY, LINK, USED = "key", "link", "used"
"""What a digest is of: a key that opens a seat, one in a link that is traded once for such a key, or was."""


def add_seats(connection: Connection, game: str, of_game: Iterable[SeatRow]) -> None:
    """Add the seats of a new game, with their keys and links."""
    for seat in of_game:
        connection.execute(insert(seats).values(game=game, player=seat.player, bot=seat.bot))
        _add_keys(connection, game, seat)


def seats_of(connection: Connection, game: str) -> list[SeatRow]:
    """The seats of a game."""
    query = select(seats.c.player, seats.c.bot).where(seats.c.game == game)
    rows = connection.execute(query).all()
    chosen = select(seat_keys.c.player, seat_keys.c.kind, seat_keys.c.digest)
    digests: dict[tuple[str, str], set[str]] = {}
    for player, kind, digest in connection.execute(chosen.where(seat_keys.c.game == game)):
        digests.setdefault((player, kind), set()).add(digest)
    lost = dict(_lost_in(connection, game))

    def of_kind(player: str, kind: str) -> frozenset[str]:
        return frozenset(digests.get((player, kind), ()))

    return [
        SeatRow(
            player,
            bot,
            keys=of_kind(player, KEY),
            links=of_kind(player, LINK),
            used=of_kind(player, USED),
            lost=lost.get(player),
        )
        for player, bot in rows
    ]


def _lost_in(connection: Connection, game: str) -> Iterator[tuple[str, LostSeat]]:
    table = lost_seats.c
    columns = (table.player, table.digest, table.asker, table.agreed, table.until)
    for player, *row in connection.execute(select(*columns).where(table.game == game)):
        yield player, LostSeat(*row)


def changed_seats(
    connection: Connection, game: str, change: Callable[[list[SeatRow]], SeatRow]
) -> list[SeatRow]:
    """The seats of a game after a change of one of them; of several at once each sees what those before it made.

    Args:
        connection: in a transaction.
        game: its name.
        change: gives the changed seat for the seats as they are now.

    Raises:
        HotsError: what the change raises.
    """
    connection.execute(select(games.c.name).where(games.c.name == game).with_for_update())
    before = [seat.at(now()) for seat in seats_of(connection, game)]
    changed = change(before)
    _keep_seat(connection, game, changed)
    return [changed if seat.player == changed.player else seat for seat in before]


def _keep_seat(connection: Connection, game: str, seat: SeatRow) -> None:
    """Keep the keys of a seat, and who asks for another one, in place of those that there are."""
    for table in (seat_keys, lost_seats):
        connection.execute(delete(table).where(table.c.game == game, table.c.player == seat.player))
    _add_keys(connection, game, seat)
    if seat.lost is not None:
        row = {"game": game, "player": seat.player, **asdict(seat.lost)}
        connection.execute(insert(lost_seats).values(row))


def _add_keys(connection: Connection, game: str, seat: SeatRow) -> None:
    digests = {KEY: seat.keys, LINK: seat.links, USED: seat.used}
    rows = [
        {"game": game, "digest": digest, "player": seat.player, "kind": kind}
        for kind, of_kind in digests.items()
        for digest in of_kind
    ]
    if rows:
        connection.execute(insert(seat_keys), rows)

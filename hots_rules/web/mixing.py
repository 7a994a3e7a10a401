"""The seed of a game as a mix of shares: none of the players, and not the table alone, can choose the dice.

1. The table commits to its share when the game is made.
2. Each player commits to a share; when all have, each reveals it to the table, which tells nobody.
3. The seed is mixed from all shares. When the game is over all are revealed, and everybody can check them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import hots_rules as hr
from hots_rules.web.keys import seat_of
from hots_rules.web.refusals import NotYet, WrongKey
from hots_rules.web.replies import SharesOfSeed
from hots_rules.web.rows import SeatRow, ShareRow
from hots_rules.web.store import Store

TABLE = "the table"
_HEX = re.compile(r"[0-9a-f]{64}")


def new_share(owner: str) -> ShareRow:
    """A random share, with the commitment to it."""
    secret = hr.records.new_secret()
    return ShareRow(owner, hr.records.commitment(owner, secret), secret)


async def read_shares(store: Store, name: str, key: str | None, is_over: bool) -> SharesOfSeed:
    """Who has committed to which share; the shares themselves when the game is over.

    Raises:
        WrongKey: the key belongs to no seat.
        UnknownGame: there is no such game.
    """
    row, seats, _ = await store.read(name)
    shares = await store.read_shares(name)
    return {
        "seat": None if key is None else seat_of(seats, key),
        "is_begun": bool(row.seed),
        "expected": _expected(seats) if shares else [],
        "commitments": {share.player: share.commitment for share in shares},
        "revealed": [share.player for share in shares if share.secret],
        "secrets": {share.player: share.secret for share in shares} if is_over else {},
        "seed": row.seed if is_over else "",
    }


async def commit_share(store: Store, name: str, key: str | None, commitment: str) -> None:
    """Keep the commitment of a seat.

    Raises:
        WrongKey: the key belongs to no seat.
        NotYet: the seed of this game is not mixed, or the game has begun.
        OutOfDate: the seat has committed to a share already.
        BadSecret: the commitment is malformed.
    """
    player = await _player(store, name, key)
    if not _HEX.fullmatch(commitment):
        raise hr.diagnostics.BadSecret("expected a commitment of 64 hexadecimal digits")
    await store.commit_share(name, player, commitment)


async def reveal_share(store: Store, name: str, key: str | None, secret: str) -> None:
    """Keep the share of a seat; the last one begins the game.

    Raises:
        WrongKey: the key belongs to no seat.
        NotYet: not all seats have committed to their shares, or the game has begun.
        BadSecret: it is not the share to which the seat has committed.
    """
    player = await _player(store, name, key)
    _, seats, _ = await store.read(name)
    committed = {share.player: share.commitment for share in await store.read_shares(name)}
    if set(committed) != set(_expected(seats)):
        raise NotYet("a share is revealed when all seats have committed to theirs")
    if not hr.records.commitment_matches(player, secret, committed[player]):
        raise NotYet("this is not the share to which the seat has committed")
    await store.reveal_share(name, player, secret)
    secrets = {share.player: share.secret for share in await store.read_shares(name)}
    if all(secrets.values()):
        await store.set_seed(name, hr.records.combine_seeds(secrets, committed))


async def _player(store: Store, name: str, key: str | None) -> str:
    row, seats, _ = await store.read(name)
    if key is None:
        raise WrongKey("only a seat may do this; open the link of a seat")
    player = seat_of(seats, key)
    if row.seed:
        raise NotYet("the game has begun")
    return player


def _expected(seats: Sequence[SeatRow]) -> list[str]:
    """Who gives a share: the table, and the players who are no bots."""
    return [TABLE, *(seat.player for seat in seats if not seat.bot)]

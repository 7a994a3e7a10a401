"""The seed of a game as a mix of shares: no player, and not even the game server, can choose the dice alone.

1. The game server commits to its share when the game is made, or has gone back.
2. Each player commits to a share; when all have done so, each reveals it to the game server, which tells nobody.
3. The seed is mixed from all shares. When the game is over all are revealed, and everybody can check them.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress

from attrs import evolve

import hots_rules as hr
from hots_rules.web.games.open_from_log import beginnings_of_seeds
from hots_rules.web.games.participants import who_takes_part
from hots_rules.web.refusals import NotYet, OutOfDate, WrongKey
from hots_rules.web.replies import LaterShares, SharesOfSeed
from hots_rules.web.storage.kept_shares import KeptShares
from hots_rules.web.storage.keys import seat_of
from hots_rules.web.storage.rows import GO_BACK, NEW_SEED, ActionRow, GameRow, SeatRow, ShareRow
from hots_rules.web.storage.store import Store

SERVER = "the table"  # whose share is that of the game server
BEGINNING = 0  # stands for the first seed: no game goes back on the first line of its log
_HEX = re.compile(r"[0-9a-f]{64}")


def new_share(owner: str) -> ShareRow:
    """A random share, with the commitment to it."""
    secret = hr.records.new_secret()
    return ShareRow(owner, hr.records.commitment(owner, secret), secret)


# ------------------------------------------------------------------ what is told
async def read_shares(store: Store, name: str, key: str | None, is_over: bool) -> SharesOfSeed:
    """Who has committed to which share; the shares themselves when the game is over.

    Raises:
        WrongKey: the key belongs to no seat.
        UnknownGame: there is no such game.
    """
    row, seats, actions = await store.read(name)
    shares = await KeptShares(store, name).read()
    expected = await _expected(row, seats) if shares else []
    of_beginning = _shares_reply(shares.get(BEGINNING, []), expected, row.seed, is_over)
    later: list[LaterShares] = []
    begun = beginnings_of_seeds(row, actions) if is_over else {}
    for line, seed in _later_seeds(actions):
        mixed = _shares_reply(shares.get(line, []), expected, seed, is_over)
        later.append({**mixed, "line": line, "plays": begun.get(line)})
    seat = None if key is None else seat_of(seats, key)
    return {**of_beginning, "seat": seat, "later": later}


def _shares_reply(
    shares: Sequence[ShareRow], expected: Sequence[str], seed: str, is_over: bool
) -> SharesOfSeed:
    return {
        "seat": None,
        "is_begun": bool(seed),
        "expected": expected if shares else [],
        "commitments": {share.player: share.commitment for share in shares},
        "revealed": [share.player for share in shares if share.secret],
        "secrets": {share.player: share.secret for share in shares} if is_over else {},
        "seed": seed if is_over else "",
        "later": [],
    }


def _later_seeds(actions: Sequence[ActionRow]) -> Iterable[tuple[int, str]]:
    """The lines at which a game went back, with the seeds from there on; the last may be missing yet."""
    for line, action in enumerate(actions):
        if action.code == GO_BACK:
            following = actions[line + 1 : line + 2]
            yield line, following[0].text if following and following[0].code == NEW_SEED else ""


# ------------------------------------------------------------------ what seats do
async def commit_share(store: Store, name: str, key: str | None, commitment: str) -> None:
    """Keep the commitment of a seat.

    Raises:
        UnknownGame: there is no such game.
        WrongKey: the key belongs to no seat.
        NotYet: no seed of this game is mixed from shares now, or the seat takes no part in the game.
        OutOfDate: the seat has committed to a share already.
        BadSecret: the commitment is malformed.
    """
    player, line, _ = await _open_round(store, name, key)
    if not _HEX.fullmatch(commitment):
        raise hr.diagnostics.BadSecret("expected a commitment of 64 hexadecimal digits")
    await KeptShares(store, name).commit(line, ShareRow(player, commitment, ""))


async def reveal_share(store: Store, name: str, key: str | None, secret: str) -> None:
    """Keep the share of a seat; the game goes on when it is opened after the last one.

    Raises:
        UnknownGame: there is no such game.
        WrongKey: the key belongs to no seat.
        NotYet: not all seats have committed to their shares; or as in `commit_share`.
        BadSecret: it is not the share to which the seat has committed.
    """
    player, line, expected = await _open_round(store, name, key)
    kept = KeptShares(store, name)
    committed = {share.player: share.commitment for share in (await kept.read()).get(line, [])}
    if set(committed) != set(expected):
        raise NotYet("a share is revealed when all seats have committed to theirs")
    if not hr.records.commitment_matches(player, secret, committed[player]):
        raise hr.diagnostics.BadSecret("this is not the share to which the seat has committed")
    await kept.reveal(line, player, secret)


async def _open_round(store: Store, name: str, key: str | None) -> tuple[str, int, list[str]]:
    """The player of a key, the line of the seed whose shares are given now, and who gives them.

    Raises:
        UnknownGame, WrongKey, NotYet: as in `commit_share`.
    """
    row, seats, actions = await store.read(name)
    if key is None:
        raise WrongKey("only a seat may do this; open the link of a seat")
    player, expected = seat_of(seats, key), await _expected(row, seats)
    if player not in expected:
        raise NotYet("this seat takes no part in the game, and gives no share")
    if not row.seed:
        return player, BEGINNING, expected
    line = len(actions) - 1
    is_mixed = bool(await KeptShares(store, name).read())
    if not is_mixed or line < 0 or actions[line].code != GO_BACK:
        raise NotYet("the game has begun")
    return player, line, expected


# ------------------------------------------------------------------ what the game server does
async def with_seed(store: Store, row: GameRow, seats: Sequence[SeatRow]) -> GameRow:
    """A game with the seed with which it begins; without one as long as a share is missing."""
    if row.seed:
        return row
    kept = KeptShares(store, row.name)
    seed = _mixed((await kept.read()).get(BEGINNING, []), await _expected(row, seats))
    if seed:
        await kept.begin(seed)
    return evolve(row, seed=seed)


async def later_seed(store: Store, row: GameRow, line: int, seats: Sequence[SeatRow]) -> str:
    """The seed after a line at which a game has gone back; empty as long as a share is missing.

    A game whose seed was not mixed gets 128 random bits of the game server.
    """
    kept = KeptShares(store, row.name)
    shares = await kept.read()
    if not shares:
        return hr.new_seed()
    if not any(share.player == SERVER for share in shares.get(line, [])):
        with suppress(OutOfDate):  # another process of this server has
            await kept.commit(line, new_share(SERVER))
        return ""  # no player reveals a share before the game server has committed to its own
    return _mixed(shares.get(line, []), await _expected(row, seats))


def _mixed(shares: Sequence[ShareRow], expected: Sequence[str]) -> str:
    """The seed that is mixed of some shares; empty as long as one that is expected is missing."""
    secrets = {share.player: share.secret for share in shares if share.secret}
    committed = {share.player: share.commitment for share in shares}
    if set(secrets) != set(expected):
        return ""
    return hr.records.combine_seeds(secrets, committed)


async def _expected(row: GameRow, seats: Sequence[SeatRow]) -> list[str]:
    """Who gives a share: the game server, and the players who take part and are no bots."""
    playing = await asyncio.to_thread(who_takes_part, row)
    return [SERVER, *(seat.player for seat in seats if not seat.bot and seat.player in playing)]

"""Who sits down at the seats of a game: links are claimed, devices are added, and lost keys are replaced.

The key of a link is traded once for a key that whoever opens it has made: so whoever made the link has no key of the
seat after that. All of this is told to every seat and every spectator.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from attrs import evolve, frozen

import hots_rules as hr
from hots_rules.web.games.open_games import OpenGames
from hots_rules.web.instants import now
from hots_rules.web.refusals import NotYet, SeatTaken, TableError, TooManyDevices, WrongKey
from hots_rules.web.replies import LostSeat as LostSeatReply
from hots_rules.web.replies import Seating as SeatingReply
from hots_rules.web.storage.keys import digest_of, new_key, seat_of
from hots_rules.web.storage.rows import ActionRow, GameRow, LostSeat, SeatRow

MAX_DEVICES = 8  # of a seat
MAX_LINKS_USED = 100  # of a seat: whoever opens one of them again is told that it was used
HOURS_TO_REFUSE = 24
_HOUR = 3_600_000  # milliseconds
_CODE_LENGTH = 6


# ------------------------------------------------------------------ what is told
def seating_of(row: GameRow, seats: Sequence[SeatRow], playing: frozenset[str]) -> SeatingReply:
    """Who has sat down at a game, and who asks for a seat whose key is lost."""
    people = [seat.at(now()) for seat in seats if not seat.bot and seat.player in playing]
    return {
        "claims": row.has_claims,
        "claimed": [seat.player for seat in people if seat.keys and row.has_claims],
        "lost": [_lost_reply(seat.player, seat.lost) for seat in people if seat.lost is not None],
    }


def _lost_reply(player: str, lost: LostSeat) -> LostSeatReply:
    return {
        "player": player,
        "code": lost.digest[:_CODE_LENGTH],
        "asker": lost.asker,
        "agreed": lost.agreed,
        "until": lost.until,
    }


# ------------------------------------------------------------------ what is done
@frozen
class Seating:
    """The seats of a game, which may not have begun."""

    open_games: OpenGames
    row: GameRow
    seats: Sequence[SeatRow]
    playing: frozenset[str]
    actions: Sequence[ActionRow] = ()

    @classmethod
    async def of(cls, open_games: OpenGames, name: str) -> Seating:
        """The seats of a game.

        Raises:
            UnknownGame: there is no such game.
        """
        row, seats, actions = await open_games.store.read(name)
        return cls(open_games, row, seats, await open_games.participants(row), actions)

    async def sit_down(self, link: str, key: str) -> str:
        """Trade the key of a link for another one; the player of the seat. To do it twice is to do it once.

        Raises:
            SeatTaken: another key was traded for it.
            WrongKey: it is no key of a link.
            TableError: the other key is malformed, or in use.
        """
        change = partial(_sat_down, link=digest_of(link), key=_digest_of_new(key))
        return seat_of(await self._change(change), key)

    async def add_device(self, player: str) -> str:
        """The key of a link for another device of a player who has sat down; an older one is worth nothing any more.

        Raises:
            NotYet: the game keeps its keys, or the seat has had as many links as it may have.
        """
        self._check_claims()
        key = new_key()

        def change(seats: list[SeatRow]) -> SeatRow:
            seat = _seat(seats, player)
            if len(seat.used) >= MAX_LINKS_USED:
                raise NotYet.many_links(MAX_LINKS_USED)
            return evolve(seat, links=frozenset({digest_of(key)}))

        await self._change(change)
        return key

    async def change_key(self, player: str) -> str:
        """Another key for a seat; all that it had, and all its links, are worth nothing from now on."""
        key = new_key()

        def change(seats: list[SeatRow]) -> SeatRow:
            seat = _seat(seats, player)
            return evolve(seat, keys=frozenset({digest_of(key)}), links=frozenset(), lost=None)

        await self._change(change)
        return key

    async def ask_for_lost(self, player: str, key: str, asker: str | None) -> None:
        """Ask for the seat of a player, whose key is lost, with another key.

        Raises:
            NotYet: somebody asks already, nobody could consent, or the game keeps its keys.
            UnknownName: no person plays there.
            TableError: the key is malformed, or in use.
        """
        self._check_claims()
        digest = _digest_of_new(key)
        people = self._people()
        if player not in people:
            raise hr.UnknownName("player", player, people)
        if player == asker:
            raise NotYet("this seat has its key; make a link for another device with it")
        if not set(people) - {player, asker}:
            raise NotYet("nobody else sits at this game who could consent to it")

        def change(seats: list[SeatRow]) -> SeatRow:
            seat = _seat(seats, player)
            if seat.lost is not None and seat.lost.digest != digest:
                raise NotYet("somebody asks for this seat already; another seat can refuse it")
            _check_unused(seats, digest)
            return seat if seat.lost else evolve(seat, lost=_lost_now(digest, asker or ""))

        await self._change(change)

    async def answer_lost(self, player: str, who: str, agrees: bool) -> None:
        """Consent to another key for the seat of a player, or refuse it.

        Raises:
            NotYet: nobody asks for it, or this seat is not the one to consent.
        """

        def change(seats: list[SeatRow]) -> SeatRow:
            seat = _seat(seats, player)
            if seat.lost is None:
                raise NotYet("nobody asks for this seat")
            if not agrees:
                return evolve(seat, lost=None)
            if who in (player, seat.lost.asker):
                raise NotYet(
                    "a seat other than this one, and than that of who asks, has to consent"
                )
            if seat.lost.agreed:
                return seat
            return evolve(seat, lost=_lost_now(seat.lost.digest, seat.lost.asker, who))

        await self._change(change)

    def _check_claims(self) -> None:
        if not self.row.has_claims:
            raise NotYet("this game keeps its keys; ask whoever opened it for the link")

    def _people(self) -> list[str]:
        """The players who take part, and are no bots."""
        return [seat.player for seat in self.seats if not seat.bot and seat.player in self.playing]

    async def _change(self, change: Callable[[list[SeatRow]], SeatRow]) -> list[SeatRow]:
        return await self.open_games.change_seats(self.row.name, change)


def _sat_down(seats: list[SeatRow], link: str, key: str) -> SeatRow:
    for seat in seats:
        if link in seat.used and key in seat.keys:
            return seat
        if link in seat.used:
            raise SeatTaken(seat.player)
        if link in seat.links:
            if len(seat.keys) >= MAX_DEVICES:
                raise TooManyDevices(MAX_DEVICES)
            _check_unused(seats, key)
            # Who asks for a seat at which nobody sat has lost it to the holder of its link.
            lost = seat.lost if seat.keys else None
            links, used = seat.links - {link}, seat.used | {link}
            return evolve(seat, keys=seat.keys | {key}, links=links, used=used, lost=lost)
    raise WrongKey("this is the key of no link; ask for the link again")


def _seat(seats: Sequence[SeatRow], player: str) -> SeatRow:
    """The seat of a player.

    Raises:
        UnknownName: there is no such player.
    """
    for seat in seats:
        if seat.player == player:
            return seat
    raise hr.UnknownName("player", player, [seat.player for seat in seats])


def _digest_of_new(key: str) -> str:
    if digest := digest_of(key):
        return digest
    raise TableError("a key has 32 hexadecimal digits, in small letters, of random bits")


def _check_unused(seats: Sequence[SeatRow], digest: str) -> None:
    if any(digest in seat.keys | seat.links | seat.used for seat in seats):
        raise TableError("this key is in use; make another one of random bits")


def _lost_now(digest: str, asker: str, agreed: str = "") -> LostSeat:
    return LostSeat(digest, asker, agreed, now() + HOURS_TO_REFUSE * _HOUR)

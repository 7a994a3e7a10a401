"""The keys of seats: 128 random bits. The game server keeps their digests alone."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable
from hashlib import sha256

from hots_rules.web.instants import now
from hots_rules.web.refusals import SeatTaken, Unclaimed, WrongKey
from hots_rules.web.storage.rows import SeatRow

_KEY = re.compile(r"[0-9a-f]{32}")


def new_key() -> str:
    """A key: 128 random bits as hexadecimal digits."""
    return secrets.token_hex(16)


def new_name() -> str:
    """The name of a game: 64 random bits, so that nobody looks on whom nobody sent the link."""
    return secrets.token_hex(8)


def digest_of(key: str) -> str:
    """What is kept of a key. A random key of 128 bits needs no salt."""
    return sha256(key.encode()).hexdigest() if _KEY.fullmatch(key) else ""


def seat_of(seats: Iterable[SeatRow], key: str) -> str:
    """The player to whom a key belongs.

    Raises:
        Unclaimed: it stands in a link that nobody has opened yet.
        SeatTaken: it stands in a link that was opened elsewhere.
        WrongKey: the key belongs to no seat.
    """
    digest, instant = digest_of(key), now()
    for seat in (seat.at(instant) for seat in seats):
        if digest in seat.keys:
            return seat.player
        if digest in seat.links:
            raise Unclaimed("nobody has sat down by this link yet; trade its key for another one")
        if digest in seat.used:
            raise SeatTaken(seat.player)
    raise WrongKey("this key belongs to no seat of the game; ask for the link again")

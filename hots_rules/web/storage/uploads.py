"""Records that were uploaded: each is kept for some time, as long as newer ones leave room for it.

Whoever sends many gives up his own first: each asker has a share of the room.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256

from attrs import frozen
from sqlalchemy import Connection, delete, func, insert, select

from hots_rules.web.instants import now
from hots_rules.web.refusals import UnknownUpload
from hots_rules.web.storage.schema import uploads
from hots_rules.web.storage.store import Store

DAYS = 90  # that a record is kept, since it was sent last
MAX_BYTES = 200_000_000  # of all of them; the oldest are given up for new ones
MAX_BYTES_OF_ASKER = 20_000_000  # of those that one asker has sent
_MARK_LENGTH = 6  # digits; many addresses have the same mark, so that it tells nobody's
_DAY = 86_400_000  # milliseconds


@frozen
class Upload:
    """A record that was uploaded."""

    name: str
    record: str
    until: int
    """Until when it is kept, in milliseconds since 1970, if newer ones leave room."""


@frozen
class Uploads:
    """The uploaded records of a store."""

    store: Store

    async def keep(self, record: str, asker: str) -> Upload:
        """Keep a record; its name comes from its text, so the same one is kept once, for who has sent it first.

        Args:
            record: its text.
            asker: who sends it, such as an address.
        """
        name, instant = sha256(record.encode()).hexdigest()[:16], now()
        mark = sha256(asker.encode()).hexdigest()[:_MARK_LENGTH]

        def work(connection: Connection) -> None:
            last = connection.execute(select(func.max(uploads.c.number))).scalar() or 0
            earlier = select(uploads.c.asker).where(uploads.c.name == name)
            first = connection.execute(earlier).scalar()
            connection.execute(delete(uploads).where(uploads.c.name == name))
            row = {"name": name, "number": last + 1, "record": record, "instant": instant}
            row |= {"size": len(record.encode()), "asker": mark if first is None else first}
            connection.execute(insert(uploads).values(row))
            given_up = [*_without_room(connection)]
            is_old = uploads.c.instant <= instant - DAYS * _DAY
            connection.execute(delete(uploads).where(is_old | uploads.c.name.in_(given_up)))

        await self.store.writing(work)
        return Upload(name, record, instant + DAYS * _DAY)

    async def read(self, name: str) -> Upload:
        """A record.

        Raises:
            UnknownUpload: there is none with this name, or it is too old.
        """
        query = select(uploads.c.record, uploads.c.instant).where(uploads.c.name == name)
        row = await self.store.reading(lambda connection: connection.execute(query).first())
        if row is None or row.instant + DAYS * _DAY <= now():
            raise UnknownUpload("there is no such record any more; upload it again")
        return Upload(name, row.record, row.instant + DAYS * _DAY)


def _without_room(connection: Connection) -> Iterator[str]:
    """The names of the oldest records, for which the newer ones leave no room: those of the same asker, or all."""
    columns = uploads.c.name, uploads.c.size, uploads.c.asker
    total, shares = 0, Counter[str]()
    for name, size, asker in connection.execute(select(*columns).order_by(uploads.c.number.desc())):
        is_over_share = asker and shares[asker] + size > MAX_BYTES_OF_ASKER
        if is_over_share or total + size > MAX_BYTES:
            yield name
        else:
            total += size
            shares[asker] += size

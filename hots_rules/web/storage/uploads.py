"""Records that were uploaded: each is kept for some time, as long as newer ones leave room for it."""

from __future__ import annotations

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

    async def keep(self, record: str) -> Upload:
        """Keep a record; its name comes from its text, so the same one is kept once."""
        name, instant = sha256(record.encode()).hexdigest()[:16], now()

        def work(connection: Connection) -> None:
            last = connection.execute(select(func.max(uploads.c.number))).scalar() or 0
            connection.execute(delete(uploads).where(uploads.c.name == name))
            row = {"name": name, "number": last + 1, "record": record}
            row |= {"instant": instant, "size": len(record.encode())}
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
    """The names of the oldest records, for which the newer ones leave no room."""
    sizes = select(uploads.c.name, uploads.c.size).order_by(uploads.c.number.desc())
    total = 0
    for name, size in connection.execute(sizes):
        total += size
        if total > MAX_BYTES:
            yield name

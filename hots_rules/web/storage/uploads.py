"""Records that were uploaded: kept under names, the oldest ones given up for new ones."""

from __future__ import annotations

from hashlib import sha256

from attrs import frozen
from sqlalchemy import Connection, delete, func, insert, select

from hots_rules.web.refusals import UnknownUpload
from hots_rules.web.storage.schema import uploads
from hots_rules.web.storage.store import Store

MAX_UPLOADS = 500


@frozen
class Uploads:
    """The uploaded records of a store."""

    store: Store

    async def keep(self, record: str) -> str:
        """Keep a record; its name comes from its text, so the same one is kept once."""
        name = sha256(record.encode()).hexdigest()[:16]

        def work(connection: Connection) -> None:
            last = connection.execute(select(func.max(uploads.c.number))).scalar() or 0
            connection.execute(delete(uploads).where(uploads.c.name == name))
            row = {"name": name, "number": last + 1, "record": record}
            connection.execute(insert(uploads).values(row))
            kept = select(uploads.c.name).order_by(uploads.c.number.desc()).limit(MAX_UPLOADS)
            names = [name for (name,) in connection.execute(kept)]
            connection.execute(delete(uploads).where(uploads.c.name.not_in(names)))

        await self.store.writing(work)
        return name

    async def read(self, name: str) -> str:
        """The text of a record.

        Raises:
            UnknownUpload: there is none with this name.
        """
        query = select(uploads.c.record).where(uploads.c.name == name)
        text = await self.store.reading(lambda connection: connection.execute(query).scalar())
        if text is None:
            raise UnknownUpload("there is no such record any more; upload it again")
        return str(text)

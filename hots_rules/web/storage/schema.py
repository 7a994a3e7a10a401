"""The tables of the database, and the steps that bring older ones up to date."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    false,
    insert,
    inspect,
    select,
    update,
)

from hots_rules.web.instants import now

SCHEMA_VERSION = 13
metadata = MetaData()
schema_versions = Table("schema_version", metadata, Column("version", Integer, primary_key=True))
games = Table(
    "game",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("ruleset", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("scenario", Text, nullable=False),
    Column(
        "settings", Text, nullable=False
    ),  # options and readings that differ from the usual, as JSON
    Column("seed", Text, nullable=False),  # empty until all shares of it are known
    Column("position", Text, nullable=False),  # empty for the beginning of the scenario
    Column("has_odds", Boolean, nullable=False),
    Column("clock", Text, nullable=False),  # empty for none, else as JSON
    Column("begun", BigInteger, nullable=False),  # milliseconds since 1970
    Column("has_claims", Boolean, nullable=False),
    Column("dice", String(8), nullable=False),  # where the seed comes from; empty if unknown
)
seats = Table(
    "seat",
    metadata,
    Column("game", ForeignKey("game.name"), primary_key=True),
    Column("player", Text, primary_key=True),
    Column("bot", Text, nullable=False),
)
seat_keys = Table(
    "seat_key",
    metadata,
    Column("game", ForeignKey("game.name"), primary_key=True),
    Column("digest", String(64), primary_key=True),
    Column("player", Text, nullable=False),
    Column("kind", String(8), nullable=False),  # a key, or a link that is traded for one, or was
)
lost_seats = Table(
    "lost_seat",
    metadata,
    Column("game", ForeignKey("game.name"), primary_key=True),
    Column("player", Text, primary_key=True),
    Column("digest", String(64), nullable=False),
    Column("asker", Text, nullable=False),
    Column("agreed", Text, nullable=False),
    Column("until", BigInteger, nullable=False),  # milliseconds since 1970
)
actions = Table(
    "action",
    metadata,
    Column("game", ForeignKey("game.name"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("code", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("player", Text, nullable=False),
    Column("plays", Integer, nullable=False),
    Column("instant", BigInteger, nullable=False),  # milliseconds since 1970
    Column("waiting", Text, nullable=False),  # who is to choose after it, as JSON
)
snapshots = Table(
    "snapshot",
    metadata,
    Column("game", ForeignKey("game.name"), primary_key=True),
    Column("number", Integer, nullable=False),  # of lines of the log up to it
    Column("text", Text, nullable=False),  # as `hr.formats.snapshot` makes it
)
changes = Table(  # of which a file of SQLite tells other processes
    "change",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("origin", String(16), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("game", String(16), nullable=False),
    Column("line", Text, nullable=False),
)
messages = Table(
    "message",
    metadata,
    Column("game", ForeignKey("game.name"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("player", Text, nullable=False),
    Column("text", Text, nullable=False),
)
notes = Table(
    "note",
    metadata,
    Column("game", ForeignKey("game.name"), primary_key=True),
    Column("player", Text, primary_key=True),
    Column("text", Text, nullable=False),
)
shares = Table(
    "share",
    metadata,
    Column("game", ForeignKey("game.name"), primary_key=True),
    Column("line", Integer, primary_key=True),  # of the log, after which the seed holds
    Column("player", Text, primary_key=True),
    Column("commitment", String(64), nullable=False),
    Column("secret", String(64), nullable=False),  # empty until it is revealed to the game server
)
tokens = Table(
    "token",
    metadata,
    Column("name", Text, primary_key=True),
    Column("digest", String(64), nullable=False, unique=True),
)
uploads = Table(
    "upload",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("number", Integer, nullable=False),  # the oldest has the lowest
    Column("record", Text, nullable=False),
    Column("instant", BigInteger, nullable=False),  # of its last upload, in milliseconds since 1970
    Column("size", Integer, nullable=False),  # in bytes
    Column(
        "asker", String(6), nullable=False
    ),  # who sent it first, see `Uploads`; empty if unknown
)


def _to_2(steps: Operations) -> None:
    """Bots at seats."""
    steps.add_column("seat", Column("bot", Text, nullable=False, server_default=""))


def _to_3(steps: Operations) -> None:
    """Chat, notes, and shares of seeds."""

    def game() -> Column[str]:
        return Column("game", String(16), ForeignKey("game.name"), primary_key=True)

    def player(is_key: bool) -> Column[str]:
        return Column("player", Text, primary_key=is_key, nullable=False)

    number = Column("number", Integer, primary_key=True)
    text, noted = (Column("text", Text, nullable=False) for _ in range(2))
    steps.create_table("message", game(), number, player(False), text)
    steps.create_table("note", game(), player(True), noted)
    hashes = (Column(name, String(64), nullable=False) for name in ("commitment", "secret"))
    steps.create_table("share", game(), player(True), *hashes)


def _to_4(steps: Operations) -> None:
    """Options and readings."""
    steps.add_column("game", Column("settings", Text, nullable=False, server_default="{}"))


def _to_5(steps: Operations) -> None:
    """Tokens, and games that begin at a position."""
    digest = Column("digest", String(64), nullable=False, unique=True)
    steps.create_table("token", Column("name", Text, primary_key=True), digest)
    steps.add_column("game", Column("position", Text, nullable=False, server_default=""))


def _to_6(steps: Operations) -> None:
    """Odds where a game allows them, and records that were uploaded."""
    allowed = Column("has_odds", Boolean, nullable=False, server_default=false())
    steps.add_column("game", allowed)
    name = Column("name", String(16), primary_key=True)
    number = Column("number", Integer, nullable=False)
    steps.create_table("upload", name, number, Column("record", Text, nullable=False))


def _to_7(steps: Operations) -> None:
    """Snapshots."""
    game = Column("game", String(16), ForeignKey("game.name"), primary_key=True)
    number, text = Column("number", Integer, nullable=False), Column("text", Text, nullable=False)
    steps.create_table("snapshot", game, number, text)


def _to_8(steps: Operations) -> None:
    """Lines of the log that are no actions, with their instants; clocks; seeds that are mixed later."""
    steps.add_column("game", Column("clock", Text, nullable=False, server_default=""))
    for column in (
        Column("player", Text, nullable=False, server_default=""),
        Column("plays", Integer, nullable=False, server_default="0"),
        Column("instant", BigInteger, nullable=False, server_default="0"),
        Column("waiting", Text, nullable=False, server_default="[]"),
    ):
        steps.add_column("action", column)
    steps.rename_table("share", "share_of_beginning")
    steps.create_table(
        "share",
        Column("game", String(16), ForeignKey("game.name"), primary_key=True),
        Column("line", Integer, primary_key=True),
        Column("player", Text, primary_key=True),
        Column("commitment", String(64), nullable=False),
        Column("secret", String(64), nullable=False),
    )
    steps.execute(
        "insert into share select game, 0, player, commitment, secret from share_of_beginning"
    )
    steps.drop_table("share_of_beginning")


def _to_9(steps: Operations) -> None:
    """Changes, for other processes on a file."""
    texts = (Column(name, String(16), nullable=False) for name in ("origin", "kind", "game"))
    line = Column("line", Text, nullable=False)
    steps.create_table("change", Column("number", Integer, primary_key=True), *texts, line)


def _to_10(steps: Operations) -> None:
    """When a game was opened, and seats that are claimed.

    Those that there are count as opened now, so that none is too old at once; whoever opened one has had all its keys.
    """
    begun = Column("begun", BigInteger, nullable=False, server_default=str(now()))
    steps.add_column("game", begun)
    steps.add_column("game", Column("has_claims", Boolean, nullable=False, server_default=false()))
    steps.create_table(
        "seat_key",
        Column("game", String(16), ForeignKey("game.name"), primary_key=True),
        Column("digest", String(64), primary_key=True),
        Column("player", Text, nullable=False),
        Column("kind", String(8), nullable=False),
    )
    steps.execute(
        "insert into seat_key select game, key_digest, player, 'key' from seat where key_digest <> ''"
    )
    steps.drop_column("seat", "key_digest")
    steps.create_table(
        "lost_seat",
        Column("game", String(16), ForeignKey("game.name"), primary_key=True),
        Column("player", Text, primary_key=True),
        Column("digest", String(64), nullable=False),
        Column("asker", Text, nullable=False),
        Column("agreed", Text, nullable=False),
        Column("until", BigInteger, nullable=False),
    )


def _to_11(steps: Operations) -> None:
    """Where the seeds of games come from; of older games only that of shares is known."""
    steps.add_column("game", Column("dice", String(8), nullable=False, server_default=""))
    steps.execute("update game set dice = 'shares' where name in (select game from share)")


def _to_12(steps: Operations) -> None:
    """When records were sent; those that there are count as sent now."""
    instant = Column("instant", BigInteger, nullable=False, server_default=str(now()))
    steps.add_column("upload", instant)
    steps.add_column("upload", Column("size", Integer, nullable=False, server_default="0"))
    steps.execute("update upload set size = length(record)")


def _to_13(steps: Operations) -> None:
    """Who sent a record; of older ones nobody knows."""
    steps.add_column("upload", Column("asker", String(6), nullable=False, server_default=""))


_STEPS: Mapping[int, Callable[[Operations], None]] = MappingProxyType(
    {
        2: _to_2,
        3: _to_3,
        4: _to_4,
        5: _to_5,
        6: _to_6,
        7: _to_7,
        8: _to_8,
        9: _to_9,
        10: _to_10,
        11: _to_11,
        12: _to_12,
        13: _to_13,
    }
)
"""What makes a schema of each version from the one before it."""


def version_of(connection: Connection) -> int | None:
    """The version of the tables in a database; None if there are none."""
    if not inspect(connection).has_table(schema_versions.name):
        return None
    return connection.execute(select(schema_versions.c.version)).scalar()


def make_tables(connection: Connection) -> None:
    """Make all tables in a database that has none."""
    metadata.create_all(connection)
    connection.execute(insert(schema_versions).values(version=SCHEMA_VERSION))


def migrate(connection: Connection, version: int) -> None:
    """Bring the tables of an older version up to date; their games are kept."""
    operations = Operations(MigrationContext.configure(connection))
    for version_made in range(version + 1, SCHEMA_VERSION + 1):
        _STEPS[version_made](operations)
    connection.execute(update(schema_versions).values(version=SCHEMA_VERSION))

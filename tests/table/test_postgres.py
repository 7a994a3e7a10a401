"""The table on PostgreSQL, in a folder of the test; two processes on one database tell each other of changes."""

from __future__ import annotations

import asyncio
import os
import pwd
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import pytest

from tests.needs import needs

httpx = needs("httpx")
needs("litestar")
needs("psycopg")

from sqlalchemy import text

import hots_rules as hr
from hots_rules.web.bodies import NewGame
from hots_rules.web.games.open_games import OpenGames
from hots_rules.web.storage.store import Store
from tests.table.tables import SeatClient, SlowReading, new_game, served, url_in


def program(name: str) -> str | None:
    """A program of PostgreSQL: on the path, or where Debian puts it."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(found[-1]) if found else None)


pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(program("initdb") is None, reason="no PostgreSQL is installed"),
]


def as_postgres() -> dict[str, object]:
    """`initdb` refuses the superuser, so it runs as the user of Debian's package."""
    if os.geteuid() != 0:
        return {}
    user = pwd.getpwnam("postgres")
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


class DatabaseServer:
    """A database server of its own in a folder; it can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.data, self.who = folder, folder / "data", as_postgres()
        if self.who:
            os.chown(folder, int(str(self.who["user"])), int(str(self.who["group"])))
        made = [program("initdb"), "-D", self.data, "-U", "table", "-A", "trust", "--no-sync"]
        subprocess.run(
            [*made, "-E", "UTF8"], check=True, capture_output=True, cwd=folder, **self.who
        )
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"postgresql+psycopg://table@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        command = [program("postgres"), "-D", self.data, "-p", str(self.port), "-k", self.folder]
        # After a kill the folder goes to the disk by one call, and not file by file, which takes seconds.
        command += ["-c", "recovery_init_sync_method=syncfs"]
        for _ in range(50):  # until the processes of a killed server are gone
            self.running = subprocess.Popen(
                [*command, "-h", "127.0.0.1"],
                stderr=subprocess.PIPE,
                text=True,
                cwd=self.folder,
                **self.who,
            )
            assert self.running.stderr is not None
            if any("ready to accept connections" in line for line in self.running.stderr):
                # What it says later is read, or it would wait for somebody who reads it.
                Thread(target=self.running.stderr.read, daemon=True).start()
                return
            self.running.wait()
            time.sleep(0.1)
        raise AssertionError("the database does not start")

    def kill(self) -> None:
        self.running.kill()
        self.running.wait()

    def end(self) -> None:
        self.running.terminate()
        self.running.wait()


@contextmanager
def database_server() -> Iterator[DatabaseServer]:
    """A running database server; it is ended with all its processes."""
    # Folders of pytest are closed to other users.
    with TemporaryDirectory(prefix="hots_rules-postgres-") as folder:
        server = DatabaseServer(Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.end()


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with database_server() as server:
        yield server.url


def seats_at(web: object, made: dict) -> dict[str, SeatClient]:
    return {player: SeatClient(web, made["game"], key) for player, key in made["keys"].items()}


@pytest.fixture(params=["PostgreSQL", "SQLite"])
def shared(request, tmp_path: Path) -> str:
    """A database that several processes share."""
    return (
        request.getfixturevalue("database") if request.param == "PostgreSQL" else url_in(tmp_path)
    )


def test_two_processes_tell_each_other_of_changes(shared: str, tmp_path: Path) -> None:
    with (
        served(tmp_path, database=shared) as (_, first),
        served(tmp_path, database=shared) as (_, second),
        httpx.Client(base_url=first, timeout=30) as one,
        httpx.Client(base_url=second, timeout=30) as two,
    ):
        body = {"ruleset": "connect-four-1.0", "scenario": "empty-board", "claim": False}
        made = one.post("/api/games", json=body).json()
        red, yellow = seats_at(one, made)["Red"], seats_at(two, made)["Yellow"]
        with httpx.stream("GET", f"{second}{yellow.path}/events", timeout=30) as events:
            told = told_by(events)
            assert next(told) == ("number", "0")
            assert red.play(0, "Red: a1").status_code == 200
            assert next(told) == ("number", "1")
            assert red.post("/messages", {"text": "hello"}).status_code == 201
            assert next(told) == ("chat", "1")
            # Its seats change too: an old key opens nothing at the other process.
            at_two = SeatClient(two, made["game"], made["keys"]["Red"])
            assert at_two.get().status_code == 200
            key = red.post("/key", {}).json()["key"]
            red = SeatClient(one, made["game"], key)
            assert next(told) == ("seats", "2")
            assert yellow.play(1, "Yellow: b1").status_code == 200
            assert next(told) == ("number", "2")
            assert red.play(2, "Red: a2").status_code == 200
            assert next(told) == ("number", "3")
            assert at_two.get().status_code == 401
        assert yellow.play(2, "Yellow: b2").status_code == 409


def test_a_seat_is_claimed_once_at_two_processes(shared: str, tmp_path: Path) -> None:
    with (
        served(tmp_path, database=shared) as (_, first),
        served(tmp_path, database=shared) as (_, second),
        httpx.Client(base_url=first, timeout=30) as one,
        httpx.Client(base_url=second, timeout=30) as two,
    ):
        made = one.post(
            "/api/games", json={"ruleset": "connect-four-1.0", "scenario": "empty-board"}
        ).json()
        spectator = SeatClient(two, made["game"], None)
        with httpx.stream("GET", f"{second}{spectator.path}/events", timeout=30) as events:
            told = told_by(events)
            assert next(told) == ("number", "0")
            keys, statuses = [hr.new_seed() for _ in range(6)], []

            def claim(index: int) -> None:
                web = (one, two)[index % 2]
                link = SeatClient(web, made["game"], made["keys"]["Red"])
                statuses.append(link.post("/seat", {"key": keys[index]}).status_code)

            threads = [Thread(target=claim, args=(index,)) for index in range(6)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert sorted(statuses) == [200] + [401] * 5
            assert next(told) == ("seats", "1")
        for web in (one, two):
            opens = [SeatClient(web, made["game"], key).get().status_code for key in keys]
            assert sorted(opens) == [200] + [401] * 5
            state = SeatClient(web, made["game"], None).state()
            assert state["seating"]["claimed"] == ["Red"]


def told_by(events: object) -> Iterator[tuple[str, str]]:
    """The kinds and data of server-sent events that tell something new."""
    kind = "number"
    for line in events.iter_lines():
        if line.startswith("event: "):
            kind = line[7:]
        elif line.startswith("data: "):
            if kind != "still-here":
                yield kind, line[6:]
            kind = "number"


def test_a_page_hears_of_a_game_that_its_process_has_forgotten(tmp_path: Path) -> None:
    """The listener stays when the idle game leaves the memory; a change by another process brings it back."""
    one, two = (OpenGames(Store.at(url_in(tmp_path))) for _ in range(2))

    async def play() -> tuple[str, int]:
        await one.begin()
        await two.begin()
        game, _ = await one.create(NewGame("connect-four-1.0", "empty-board"))
        await two.open(game)
        with two.subscribers.subscribed(game) as news:
            two.forget_idle(0.0)
            assert not two._open
            await one.play(await one.open(game), "Red", "Red: a1", 0, "en")
            told = await asyncio.wait_for(news.get(), 30)
        await one.end()
        await two.end()
        return told

    assert asyncio.run(play()) == ("number", 1)


def test_an_action_of_another_process_is_heard_of_while_the_game_is_opened(
    tmp_path: Path, monkeypatch
) -> None:
    async def play() -> int:
        one, two = (OpenGames(Store.at(url_in(tmp_path))) for _ in range(2))
        await one.begin()
        await two.begin()
        name, _ = await one.create(NewGame("connect-four-1.0", "empty-board"))
        game = await one.open(name)
        slow = SlowReading(two.store.read_all)
        monkeypatch.setattr(Store, "read_all", staticmethod(slow))
        opening = asyncio.create_task(two.open(name))
        await slow.has_read.wait()
        await one.play(game, "Red", "Red: a1", 0, "en")
        await asyncio.sleep(0.2)  # in which the other process hears of it
        slow.may_go.set()
        opened = await opening
        with suppress(TimeoutError):
            async with asyncio.timeout(10):
                while opened.number == 0:
                    await asyncio.sleep(0.02)
        await one.end()
        await two.end()
        return opened.number

    assert asyncio.run(play()) == 1


def test_a_killed_process_loses_no_action(database: str, tmp_path: Path) -> None:
    made: dict = {}
    for number in range(3):
        with (
            served(tmp_path, database=database) as (process, address),
            httpx.Client(base_url=address, timeout=30) as web,
        ):
            if not made:
                body = {"ruleset": "connect-four-1.0", "scenario": "empty-board", "claim": False}
                made = web.post("/api/games", json=body).json()
            player = ("Red", "Yellow")[number % 2]
            seat = seats_at(web, made)[player]
            assert seat.state()["number"] == number
            assert seat.play(number, f"{player}: a{number + 1}").status_code == 200
            process.kill()


def test_secrets_are_kept_on_postgres_as_well(database: str, tmp_path: Path) -> None:
    heard = []
    with (
        served(tmp_path, database=database) as (_, address),
        httpx.Client(base_url=address, timeout=60) as web,
    ):
        for card in ("Move 2", "Pillage"):
            _, seats = new_game(web, "hots-4.0", "braveheart")
            assert seats["England"].play(0, f"England: play {card}").status_code == 200
            heard.append([seats["Scotland"].get().content, seats[None].get().content])

    assert heard[0] == heard[1]


def test_two_processes_agree_to_go_back_under_a_seed_that_both_mix(
    database: str, tmp_path: Path
) -> None:
    """Each seat is at a process of its own: question, answer, shares and claim pass through the database."""
    with (
        served(tmp_path, database=database) as (_, first),
        served(tmp_path, database=database) as (_, second),
        httpx.Client(base_url=first, timeout=30) as one,
        httpx.Client(base_url=second, timeout=30) as two,
    ):
        body = {
            "ruleset": "connect-four-1.0",
            "scenario": "empty-board",
            "claim": False,
            "shares": True,
        }
        made = one.post("/api/games", json={**body, "clock": {"seconds": 60}}).json()
        red, yellow = seats_at(one, made)["Red"], seats_at(two, made)["Yellow"]
        mix({"Red": red, "Yellow": yellow})
        assert red.play(0, "Red: a1").status_code == 200
        assert yellow.play(1, "Yellow: b1").status_code == 200
        assert red.post("/ask-back", {"number": 2, "plays": 1}).status_code == 200
        assert yellow.post("/answer", {"number": 3, "agrees": True}).json()["is_mixing"] is True
        assert red.play(5, "Red: a2").status_code == 403
        mix({"Red": red, "Yellow": yellow})
        state = yellow.state()
        assert (state["view"]["plays"], state["clock"]["running"]) == (1, ["Yellow"])
        assert yellow.play(state["number"], "Yellow: c1").status_code == 200
        assert red.post("/claim", {"number": state["number"] + 1}).status_code == 403


def mix(seats: dict[str, SeatClient]) -> None:
    """Give the shares of a seed."""
    secrets = {player: hr.records.new_secret() for player in seats}
    for player, seat in seats.items():
        body = {"commitment": hr.records.commitment(player, secrets[player])}
        assert seat.post("/commitment", body).status_code == 204
    for player, seat in seats.items():
        assert seat.post("/secret", {"secret": secrets[player]}).status_code == 204


def test_an_older_database_is_brought_up_to_date(database: str) -> None:
    """Its shares of a seed are those of the beginning, its keys open their seats, and its records are kept on."""

    async def bring_up_to_date() -> list[tuple[object, ...]]:
        store = Store.at(f"{database}?options=-csearch_path%3Dolder")
        with store.engine.begin() as connection:
            for statement in BEFORE_LATER_SEEDS:
                connection.execute(text(statement))
        await store.open(is_to_migrate=True)
        with store.engine.connect() as connection:
            found = [
                tuple(row)
                for query in (
                    "select * from share",
                    "select * from seat",
                    "select * from seat_key",
                    "select has_claims, dice from game",
                    "select name, size, instant > 0 from upload",
                )
                for row in connection.execute(text(query))
            ]
        await store.close()
        return found

    assert asyncio.run(bring_up_to_date()) == [
        ("g", 0, "Red", "c", "s"),
        ("g", "Red", ""),
        ("g", "d", "Red", "key"),
        (False, "shares"),
        ("u", 6, True),
    ]


BEFORE_LATER_SEEDS = (
    "create schema older",
    "create table schema_version (version integer primary key)",
    "insert into schema_version values (7)",
    "create table game (name varchar(16) primary key)",
    "insert into game values ('g')",
    "create table seat (game varchar(16) references game, player text, key_digest varchar(64) not null,"
    " bot text not null, primary key (game, player))",
    "insert into seat values ('g', 'Red', 'd', '')",
    "create table upload (name varchar(16) primary key, number integer not null, record text not null)",
    "insert into upload values ('u', 1, 'record')",
    "create table action (game varchar(16), number integer, primary key (game, number))",
    "create table share (game varchar(16) references game, player text, commitment varchar(64) not null,"
    " secret varchar(64) not null, primary key (game, player))",
    "insert into share values ('g', 'Red', 'c', 's')",
)


def test_a_database_that_is_absent_is_one_sentence(capsys, monkeypatch) -> None:
    from hots_rules.cli import main

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"postgresql+psycopg://table@127.0.0.1:{port}/postgres"
    monkeypatch.setattr("sys.argv", ["hots", "serve", "--port", "0", "--database", url])

    assert main() == 2
    said = capsys.readouterr().err
    assert re.fullmatch(r"hots: cannot use the database: .*\n", said)


@pytest.mark.parametrize(("version", "told"), [(99, "newer version 99"), (1, "older version 1")])
def test_a_database_of_another_version_is_refused(
    database: str, capsys, monkeypatch, version: int, told: str
) -> None:
    from hots_rules.cli import main

    async def make_with_version() -> None:
        store = Store.at(url)
        with store.engine.begin() as connection:
            connection.execute(text(f"create schema version{version}"))
        await store.open()
        with store.engine.begin() as connection:
            connection.execute(text(f"update schema_version set version = {version}"))
        await store.close()

    url = f"{database}?options=-csearch_path%3Dversion{version}"
    asyncio.run(make_with_version())
    monkeypatch.setattr("sys.argv", ["hots", "serve", "--port", "0", "--database", url])

    assert main() == 2
    assert told in capsys.readouterr().err

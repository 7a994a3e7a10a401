"""The table on PostgreSQL, in a folder of the test: two processes on one database tell each other of changes."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

httpx = pytest.importorskip("httpx")
pytest.importorskip("litestar")
pytest.importorskip("psycopg")

from tables import SeatClient, new_game, served  # noqa: E402


def program(name: str) -> str | None:
    """A program of PostgreSQL: on the path, or where Debian puts it."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(found[-1]) if found else None)


pytestmark = pytest.mark.skipif(program("initdb") is None, reason="no PostgreSQL is installed")


def as_postgres() -> dict[str, object]:
    """`initdb` refuses the superuser, so it runs as the user of Debian's package."""
    if os.geteuid() != 0:
        return {}
    user = pwd.getpwnam("postgres")
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


@contextmanager
def database_server(folder: Path) -> Iterator[str]:
    """The URL of a database server of its own; it is ended with all its processes."""
    who = as_postgres()
    if who:
        os.chown(folder, int(str(who["user"])), int(str(who["group"])))
    data = folder / "data"
    make = [program("initdb"), "-D", data, "-U", "table", "-A", "trust", "--no-sync", "-E", "UTF8"]
    subprocess.run(make, check=True, capture_output=True, cwd=folder, **who)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    start = [program("postgres"), "-D", data, "-p", str(port), "-k", folder, "-h", "127.0.0.1"]
    running = subprocess.Popen(start, stderr=subprocess.PIPE, text=True, cwd=folder, **who)
    try:
        assert running.stderr is not None
        assert any("ready to accept connections" in line for line in running.stderr)
        yield f"postgresql+psycopg://table@127.0.0.1:{port}/postgres"
    finally:
        running.terminate()
        running.communicate()


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    # Folders of pytest are closed to other users.
    with (
        TemporaryDirectory(prefix="hots_rules-postgres-") as folder,
        database_server(Path(folder)) as url,
    ):
        yield url


def seats_at(web: object, made: dict) -> dict[str, SeatClient]:
    return {player: SeatClient(web, made["game"], key) for player, key in made["keys"].items()}


def test_two_processes_tell_each_other_of_changes(database: str, tmp_path: Path) -> None:
    with (
        served(tmp_path, database=database) as (_, first),
        served(tmp_path, database=database) as (
            _,
            second,
        ),
        httpx.Client(base_url=first, timeout=30) as one,
        httpx.Client(base_url=second, timeout=30) as two,
    ):
        body = {"ruleset": "connect-four-1.0", "scenario": "empty-board"}
        made = one.post("/api/games", json=body).json()
        red, yellow = seats_at(one, made)["Red"], seats_at(two, made)["Yellow"]
        with httpx.stream("GET", f"{second}{yellow.path}/events", timeout=30) as events:
            numbers = (line[6:] for line in events.iter_lines() if line.startswith("data: "))
            assert next(numbers) == "0"
            assert red.play(0, "Red: a1").status_code == 200
            assert next(numbers) == "1"
        assert yellow.play(1, "Yellow: b1").status_code == 200
        assert red.play(2, "Red: a2").status_code == 200
        assert yellow.play(2, "Yellow: b2").status_code == 409


def test_a_killed_process_loses_no_action(database: str, tmp_path: Path) -> None:
    made: dict = {}
    for number in range(3):
        with (
            served(tmp_path, database=database) as (process, address),
            httpx.Client(base_url=address, timeout=30) as web,
        ):
            if not made:
                body = {"ruleset": "connect-four-1.0", "scenario": "empty-board"}
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

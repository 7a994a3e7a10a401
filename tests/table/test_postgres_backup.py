"""A backup of PostgreSQL, as the page on keeping a table takes it, restored into an empty server and played on."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.folders import HOME
from tests.needs import needs

httpx = needs("httpx")
needs("litestar")
needs("psycopg")

from tests.table.tables import SeatClient, new_game, served
from tests.table.test_postgres import database_server, program

PAGE = (HOME / "docs/how-to/keep-a-table.md").read_text("utf-8")
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(program("initdb") is None, reason="no PostgreSQL is installed"),
]


def commands_of(section: str) -> list[list[str]]:
    """The commands of PostgreSQL in a section of the page."""
    text = PAGE.partition(f"## {section}\n")[2].partition("\n## ")[0]
    lines = re.findall(r"^(?:pg_|createdb).*$", text, re.MULTILINE)
    return [shlex.split(line) for line in lines]


def test_a_backup_is_restored_into_an_empty_server_and_played_on(tmp_path: Path) -> None:
    def run(port: int, words: list[str]) -> None:
        at = ["--host=127.0.0.1", f"--port={port}", "--username=table"]
        subprocess.run([program(words[0]), *at, *words[1:]], cwd=tmp_path, check=True)

    (dump,), restore = commands_of("Backup"), commands_of("Restore")
    with (
        database_server() as first,
        served(tmp_path, database=first.url) as (_, address),
        httpx.Client(base_url=address, timeout=60) as web,
    ):
        game, seats = new_game(web, "hots-4.0", "braveheart")
        assert seats["England"].play(0, "England: play Move 3").status_code == 200
        assert seats["England"].post("/messages", {"text": "hello"}).status_code == 201
        run(first.port, [*dump[:-1], "postgres"])  # the database of the test
        assert seats["Scotland"].play(1, "Scotland: play Move 2").status_code == 200
        expected = seats["Scotland"].state()["view"]
    with database_server() as second:
        for words in restore:
            run(second.port, words)
        restored = second.url.replace("/postgres", "/restored")
        with (
            served(tmp_path, database=restored) as (_, address),
            httpx.Client(base_url=address, timeout=60) as web,
        ):
            key = seats["Scotland"].headers["Authorization"].removeprefix("Bearer ")
            scotland = SeatClient(web, game, key)
            assert (scotland.state()["number"], scotland.get("/messages").json()) == (
                1,
                [{"player": "England", "text": "hello"}],
            )
            assert scotland.play(1, "Scotland: play Move 2").status_code == 200
            assert scotland.state()["view"] == expected

"""A table for tests: requests to it in this process, and as a real process with a database in a folder."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from litestar.testing import TestClient

from hots_rules.web.application import make_app
from hots_rules.web.operation import Operation
from hots_rules.web.storage.store import Store

UNLIMITED = {"requests_per_minute": 0, "openings_per_hour": 0}


def url_in(folder: Path) -> str:
    """The URL of a database in a folder."""
    return f"sqlite:///{folder / 'tables.db'}"


@contextmanager
def client_on(url: str) -> Iterator[TestClient]:
    """A client of a table on a database."""
    app = make_app(Store.at(url), Operation(takes_seeds=True, **UNLIMITED))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


class SeatClient:
    """One seat, or a spectator, at a game."""

    def __init__(self, client: object, game: str, key: str | None, language: str = "en") -> None:
        self.client, self.path = client, f"/api/games/{game}"
        self.headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        self.query = {"language": language}

    def get(self, what: str = "", **query: object):
        return self.client.get(
            self.path + what, headers=self.headers, params={**self.query, **query}
        )

    def post(self, what: str, body: object):
        return self.client.post(
            self.path + what, headers=self.headers, params=self.query, json=body
        )

    def put(self, what: str, body: object):
        return self.client.put(self.path + what, headers=self.headers, params=self.query, json=body)

    def state(self) -> dict:
        answer = self.get()
        assert answer.status_code == 200, answer.text
        return answer.json()

    def play(self, number: int, action: str):
        return self.post("/actions", {"number": number, "action": action})


def new_game(
    client: object,
    ruleset: str = "connect-four-1.0",
    scenario: str = "empty-board",
    seed: str | None = "1297",
    **more: object,
):
    """A new game, and its seats by player, with a spectator under None; `more` is added to what is asked for."""
    body = {"ruleset": ruleset, "scenario": scenario, "claim": False, **more}
    answer = client.post("/api/games", json=body if seed is None else {**body, "seed": seed})
    assert answer.status_code == 201, answer.text
    made = answer.json()
    keys = {**made["keys"], None: None}
    return made["game"], {
        player: SeatClient(client, made["game"], key) for player, key in keys.items()
    }


@contextmanager
def served(
    folder: Path, port: str = "0", database: str = "", options: Sequence[str] = ()
) -> Iterator[tuple[subprocess.Popen, str]]:
    """A table as a process of its own, with its address; it is killed at the end.

    Unless it is told otherwise, it loads the rulesets of a test when they are asked for.
    """
    start = [] if "--rulesets" in options else ["--cold"]
    command = [sys.executable, "-m", "hots_rules.cli", "serve", "--port", port, "--given-seeds"]
    command += ["--requests-per-minute", "0", "--openings-per-hour", "0", *start]
    process = subprocess.Popen(
        [*command, *options, "--database", database or url_in(folder)],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found, "the table did not tell its address"
        yield process, found[0].rstrip("/")
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


class SlowReading:
    """A function of a store that gives what it has read late: the first time, when it may go."""

    def __init__(self, reading: Callable[..., Awaitable[object]]) -> None:
        self.reading = reading
        self.has_read, self.may_go = asyncio.Event(), asyncio.Event()

    async def __call__(self, *asked: object) -> object:
        found = await self.reading(*asked)
        if not self.has_read.is_set():
            self.has_read.set()
            await self.may_go.wait()
        return found

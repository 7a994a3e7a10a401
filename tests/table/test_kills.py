"""The table and its database are killed at any moment under load: no acknowledged action is lost."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Event, Thread

import pytest
from attrs import define, field

from tests.needs import needs

httpx = needs("httpx")
needs("litestar")

from tests.sizes import NIGHT
from tests.table.tables import SeatClient, served, url_in

pytestmark = pytest.mark.thorough

WRITERS = 4
SECONDS = (0.05, 0.8)  # between two kills
ENOUGH = 4  # answers, that there was a load
PATIENCE = 120.0  # seconds after which somebody who is never answered gives up
GAME = {"ruleset": "breakthrough-1.0", "scenario": "two-ranks", "claim": False}


@define
class Writer:
    """Plays games for both seats, and keeps what was acknowledged."""

    address: str
    must_end: Event
    acknowledged: dict[str, list[str]] = field(factory=dict)
    keys: dict[str, dict[str, str]] = field(factory=dict)
    faults: list[str] = field(factory=list)

    def run(self) -> None:
        with httpx.Client(base_url=self.address, timeout=30) as web:
            while not self.must_end.is_set():
                try:
                    self.play_a_game(web)
                except httpx.TransportError:  # the table was killed: it is asked again
                    time.sleep(0.05)

    def play_a_game(self, web: object) -> None:
        made = web.post("/api/games", json=GAME)
        if made.status_code != 201:
            self.refused(made)
            return
        game = made.json()["game"]
        self.keys[game], self.acknowledged[game] = made.json()["keys"], []
        while not self.must_end.is_set():
            if not self.play_once(web, game):
                return

    def play_once(self, web: object, game: str) -> bool:
        """Whether the game goes on after one more action."""
        seats = {player: SeatClient(web, game, key) for player, key in self.keys[game].items()}
        try:
            look = next(iter(seats.values())).get()
            if look.status_code != 200:
                return self.refused(look)
            state = look.json()
            if state["is_over"]:
                return False
            player = state["view"]["to_move"][0]
            text = seats[player].state()["view"]["actions"][0]["text"]
            answer = seats[player].play(state["number"], text)
        except httpx.TransportError:
            time.sleep(0.05)
            return True
        except AssertionError as error:
            self.faults.append(str(error))
            return False
        if answer.status_code == 200:
            known = self.acknowledged[game]
            known += [""] * (state["number"] - len(known))  # committed, but the answer was lost
            known.append(text)
            return True
        return self.refused(answer)

    def refused(self, answer: object) -> bool:
        """A database that is down is told with 503; anything else is a fault."""
        if answer.status_code != 503 and answer.status_code != 409:
            self.faults.append(f"{answer.status_code}: {answer.text[:200]}")
        time.sleep(0.05)
        return True


@contextmanager
def writers_at(address: str) -> Iterator[list[Writer]]:
    must_end = Event()
    writers = [Writer(address, must_end) for _ in range(WRITERS)]
    threads = [Thread(target=writer.run, daemon=True) for writer in writers]
    for thread in threads:
        thread.start()
    try:
        yield writers
    finally:
        must_end.set()
        for thread in threads:
            thread.join(PATIENCE)
    assert not any(thread.is_alive() for thread in threads)


def wait_for_answers(writers: list[Writer], count: int = 1) -> None:
    """Wait until so much more was acknowledged."""
    wanted, end = acknowledged(writers) + count, time.monotonic() + PATIENCE
    while acknowledged(writers) < wanted:
        assert time.monotonic() < end, "the table does not answer any more"
        time.sleep(0.02)


def acknowledged(writers: list[Writer]) -> int:
    return sum(len(texts) for writer in writers for texts in writer.acknowledged.values())


def check(address: str, writers: list[Writer]) -> None:
    """All games can be read, and have every action that was acknowledged, under its number."""
    assert [fault for writer in writers for fault in writer.faults] == []
    games = 0
    with httpx.Client(base_url=address, timeout=60) as web:
        for writer in writers:
            for game, texts in writer.acknowledged.items():
                state = web.get(f"/api/games/{game}", params={"since": 0}).json()
                played = [step["text"] for step in state["log"] if step["kind"] == "action"]
                assert len(played) >= len(texts)
                kept = [text for text, known in zip(played, texts, strict=False) if known]
                assert kept == [text for text in texts if text]
                games += 1
    assert games >= WRITERS
    assert acknowledged(writers) >= ENOUGH


@pytest.mark.parametrize("kills", [5, pytest.param(200, marks=pytest.mark.nightly)])
def test_a_table_that_is_killed_under_load_loses_nothing(tmp_path: Path, kills: int) -> None:
    random, port = Random(f"table {NIGHT}"), free_port()
    database = url_in(tmp_path)
    address = f"http://127.0.0.1:{port}"
    with writers_at(address) as writers:
        for _ in range(kills):
            with served(tmp_path, port, database):
                wait_for_answers(writers)
                time.sleep(random.uniform(*SECONDS))
        with served(tmp_path, port, database):
            wait_for_answers(writers, ENOUGH)
    with served(tmp_path, port, database):
        check(address, writers)


@pytest.mark.parametrize("kills", [4, pytest.param(200, marks=pytest.mark.nightly)])
def test_a_database_that_is_killed_under_load_loses_nothing(tmp_path: Path, kills: int) -> None:
    needs("psycopg")
    from tests.table.test_postgres import database_server, program

    if program("initdb") is None:
        pytest.skip("no PostgreSQL is installed")
    random = Random(f"database {NIGHT}")
    with database_server() as server, served(tmp_path, database=server.url) as (_, address):
        with writers_at(address) as writers:
            for _ in range(kills):
                wait_for_answers(writers)
                time.sleep(random.uniform(*SECONDS))
                server.kill()
                server.start()
            wait_for_answers(writers, ENOUGH)
        check(address, writers)


def free_port() -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return str(free.getsockname()[1])

"""Several processes on one PostgreSQL are stopped and started again, one after the other, under load.

Whoever plays at one of them gets an answer to all that was taken, and whoever watches at the other hears of all of it.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest
from attrs import define, field

from tests.needs import needs

httpx = needs("httpx")
needs("litestar")
needs("psycopg")

from hots_rules.web.events.subscribers import END, Subscribers
from tests.table.tables import served
from tests.table.test_kills import (
    ENOUGH,
    PATIENCE,
    Writer,
    check,
    free_port,
    wait_for_answers,
    writers_at,
)
from tests.table.test_postgres import database_server, program, told_by

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(program("initdb") is None, reason="no PostgreSQL is installed"),
]
SECONDS_TO_STOP = 20.0  # of a busy machine


@define
class Watcher:
    """Somebody who watches a game, and comes back when the stream ends."""

    address: str
    game: str
    must_end: Event
    heard: int = 0

    def run(self) -> None:
        path = f"{self.address}/api/games/{self.game}/events"
        while not self.must_end.is_set():
            try:
                with httpx.stream("GET", path, timeout=30) as events:
                    for kind, count in told_by(events):
                        if kind == "number":
                            self.heard = max(self.heard, int(count))
            except httpx.TransportError:
                time.sleep(0.05)


@define
class Audience:
    """Watchers of all games of some writers, at the address of another process."""

    writers: list[Writer]
    address: str
    must_end: Event = field(factory=Event)
    watchers: dict[str, Watcher] = field(factory=dict)

    def gather(self) -> None:
        """Watch each new game as soon as it is there."""
        while not self.must_end.is_set():
            for writer in self.writers:
                for game in list(writer.acknowledged):
                    if game not in self.watchers:
                        watcher = Watcher(self.address, game, self.must_end)
                        self.watchers[game] = watcher
                        Thread(target=watcher.run, daemon=True).start()
            time.sleep(0.02)


@contextmanager
def watched(writers: list[Writer], address: str) -> Iterator[Audience]:
    audience = Audience(writers, address)
    thread = Thread(target=audience.gather, daemon=True)
    thread.start()
    try:
        yield audience
    finally:
        audience.must_end.set()
        thread.join()


@pytest.mark.parametrize("restarts", [1, pytest.param(40, marks=pytest.mark.nightly)])
def test_processes_are_started_again_under_load_and_no_event_is_lost(
    tmp_path: Path, restarts: int
) -> None:
    ports = [free_port(), free_port()]
    first, second = (f"http://127.0.0.1:{port}" for port in ports)
    with database_server() as server, ExitStack() as stack:
        processes = [stack.enter_context(served(tmp_path, port, server.url))[0] for port in ports]
        with (
            writers_at(first) as at_first,
            writers_at(second) as at_second,
            watched(at_first, second) as of_first,
            watched(at_second, first) as of_second,
        ):
            for number in range(restarts):
                for writers in (at_first, at_second):
                    wait_for_answers(writers)
                turn = number % 2
                processes[turn].send_signal(signal.SIGTERM)
                begun = time.monotonic()
                processes[turn].wait(SECONDS_TO_STOP)
                assert time.monotonic() - begun < SECONDS_TO_STOP
                processes[turn] = stack.enter_context(served(tmp_path, ports[turn], server.url))[0]
            for writers in (at_first, at_second):
                wait_for_answers(writers, ENOUGH)
                for writer in writers:
                    writer.must_end.set()
            for audience in (of_first, of_second):
                hears_all(audience)
        check(first, at_first)
        check(second, at_second)


def hears_all(audience: Audience) -> None:
    """Each game has been told of up to its last line."""
    end = time.monotonic() + PATIENCE
    with httpx.Client(base_url=audience.address, timeout=60) as web:
        for game, watcher in list(audience.watchers.items()):
            while True:
                number = web.get(f"/api/games/{game}", params={"board": False}).json()["number"]
                if watcher.heard == number:
                    break
                assert time.monotonic() < end, f"{game}: {watcher.heard} of {number} were told"
                time.sleep(0.1)
    assert len(audience.watchers) >= 4
    # Nothing that was taken stayed without an answer.
    for writer in audience.writers:
        assert all(all(texts) for texts in writer.acknowledged.values())


def test_who_asks_while_the_server_stops_is_told_that_no_more_comes() -> None:
    subscribers = Subscribers()
    subscribers.end()
    with subscribers.subscribed("a") as news:
        assert news.get_nowait() == END

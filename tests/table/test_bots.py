"""The processes in which the bots of a table think: they fail, and are there again; those who ask take turns."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from litestar import Request

import hots_rules as hr
from hots_rules.web.games.bots import MAX_WAITING_OF_ASKER, SECONDS, BotPool, choice
from hots_rules.web.games.fair_queue import FairQueue
from hots_rules.web.refusals import NotComputed
from hots_rules.web.requests import asker_of
from hots_rules.web.storage.rows import GameRow
from hots_rules.web.workers import Worker
from tests.table.tables import client_on, new_game, url_in


@cache
def rules() -> hr.Ruleset:
    return hr.load("connect-four-1.0")


@cache
def row() -> Any:
    return GameRow("a", rules().name, rules().content_hash, "empty-board", "{}", "1")


@cache
def legal() -> Any:
    return {action.text for action in rules().start("empty-board", seed=1).actions}


@pytest.fixture
def bot_pool() -> Iterator[BotPool]:
    made = BotPool()
    yield made
    made.close()


@pytest.mark.thorough
def test_a_process_that_is_killed_is_started_again(bot_pool: BotPool) -> None:
    async def play() -> list[str]:
        await bot_pool.get_ready(rules().name, "me")
        first = await bot_pool.choose("random", row(), [], "Red", "me")
        for worker in bot_pool.queue.places:
            if worker._process is not None:
                worker._process.kill()
        # Each of them is tried.
        return [
            first,
            *[
                await bot_pool.choose("random", row(), [], "Red", "me")
                for _ in bot_pool.queue.places
            ],
        ]

    assert set(asyncio.run(play())) <= legal()


def test_a_policy_chooses_for_its_seat() -> None:
    hots = hr.load("hots-4.0")
    begun: Any = GameRow("a", hots.name, hots.content_hash, "braveheart", "{}", "1297")

    assert {"text": "England: play Move 3"} == choice("english-attack", begun, [], "England", 2.0)


def test_a_bot_that_overruns_chooses_at_random(bot_pool: BotPool, monkeypatch) -> None:
    asked = []

    async def run(work: object, kind: str, *args: object) -> object:
        asked.append(kind)
        if kind == "monte-carlo":
            raise NotComputed("this takes more than 60 seconds, and was ended")
        return choice(kind, *args)

    monkeypatch.setattr(Worker, "run", lambda self, *args: run(*args))

    text = asyncio.run(bot_pool.choose("monte-carlo", row(), [], "Red", "me"))

    assert asked == ["monte-carlo", "random"]
    assert text in legal()


# ------------------------------------------------------------------ turns
async def order_of(askers: Sequence[str]) -> list[str]:
    """In which order the requests of some askers get the only place, if all ask while it is taken."""
    queue, served = FairQueue(["a process"]), []

    async def ask(asker: str) -> None:
        async with queue.place(asker):
            served.append(asker)
            await asyncio.sleep(0)

    async with queue.place("first"):
        asked = [asyncio.create_task(ask(asker)) for asker in askers]
        await asyncio.sleep(0)
    await asyncio.gather(*asked)
    assert queue.count == 0
    return served


def test_who_asks_for_much_waits_behind_those_who_ask_for_little() -> None:
    assert asyncio.run(order_of("aaaabbc")) == list("abcabaa")


def test_who_gives_up_waiting_takes_no_place() -> None:
    async def give_up() -> str:
        queue = FairQueue(["a process"])
        async with queue.place("a"):
            waiting = asyncio.create_task(anext(_taken(queue, "b")))
            await asyncio.sleep(0)
            waiting.cancel()
        return await asyncio.wait_for(anext(_taken(queue, "c")), 5)

    assert asyncio.run(give_up()) == "a process"


async def _taken(queue: FairQueue[str], asker: str) -> AsyncIterator[str]:
    async with queue.place(asker) as place:
        yield place


def test_bots_have_less_time_where_many_are_waited_for() -> None:
    async def shares() -> list[float]:
        queue, stack = FairQueue(["one", "two"]), AsyncExitStack()
        found = [queue.share_of("member")]
        asked = [
            asyncio.create_task(stack.enter_async_context(queue.place("a"))) for _ in range(50)
        ]
        await asyncio.sleep(0)
        found += [queue.share_of("member"), queue.share_of("a")]
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
        await stack.aclose()
        return found

    assert asyncio.run(shares()) == [1.0, 1.0, 2 / 50]


# ------------------------------------------------------------------ games
def test_a_game_of_bots_alone_is_refused(tmp_path: Path) -> None:
    body = {"ruleset": rules().name, "scenario": "empty-board"}
    both = {"Red": "random", "Yellow": "random"}
    with client_on(url_in(tmp_path)) as client:
        refused = client.post("/api/games", json={**body, "bots": both})

    assert refused.status_code == 400 and "hots simulate" in refused.json()["message"]


def test_no_bot_moves_in_an_older_game_without_a_person(tmp_path: Path) -> None:
    with client_on(url_in(tmp_path)) as client:
        _, seats = new_game(client, rules().name, "empty-board")
        with sqlite3.connect(tmp_path / "tables.db") as connection:
            connection.execute("update seat set bot = 'random'")
        for _ in range(3):
            assert seats[None].state()["number"] == 0
            time.sleep(0.1)


def test_who_has_bots_in_many_games_thinking_opens_no_further_one(tmp_path: Path) -> None:
    body = {"ruleset": rules().name, "scenario": "empty-board"}
    with client_on(url_in(tmp_path)) as client:
        queue = client.app.state.open_games._bot_pool.queue
        queue._counts["testclient"] = MAX_WAITING_OF_ASKER
        refused = client.post("/api/games", json={**body, "bots": {"Red": "random"}})
        assert (refused.status_code, refused.json()["kind"]) == (503, "Busy")
        assert client.post("/api/games", json=body).status_code == 201
        queue._counts.clear()


@pytest.mark.parametrize(
    ("host", "asker"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("testclient", "testclient"),
    ],
)
def test_an_asker_is_an_address_or_the_network_of_a_household(host: str, asker: str) -> None:
    scope = {"type": "http", "client": (host, 1), "headers": [], "state": {}}

    assert asker_of(Request(scope)) == asker


def test_bots_play_for_who_asked_for_the_game_last(tmp_path: Path) -> None:
    with client_on(url_in(tmp_path)) as client:
        game, seats = new_game(client, rules().name, "empty-board")
        assert seats["Red"].get().status_code == 200
        assert client.app.state.open_games._open[game].asker == "testclient"


@pytest.mark.thorough
def test_a_bot_answers_in_its_time_with_fifty_other_games_of_bots(bot_pool: BotPool) -> None:
    """The others come from five addresses, and wait all at once; one after the other would take up to 100 seconds."""
    braveheart = hr.load("hots-4.0")
    game = GameRow("a", braveheart.name, braveheart.content_hash, "braveheart", "{}", "1")

    def choose(asker: str) -> Coroutine[None, None, str]:
        return bot_pool.choose("monte-carlo", game, [], "England", asker)

    async def play() -> tuple[float, int]:
        await asyncio.gather(*(choose("warm") for _ in bot_pool.queue.places))
        others = [asyncio.create_task(choose(f"192.0.2.{number % 5}")) for number in range(50)]
        await asyncio.sleep(0)
        begun = time.monotonic()
        assert await choose("198.51.100.1")
        seconds = time.monotonic() - begun
        waiting = sum(not other.done() for other in others)
        await asyncio.gather(*others)
        return seconds, waiting

    seconds, waiting = asyncio.run(play())

    assert seconds < 3 * SECONDS
    assert waiting > 25

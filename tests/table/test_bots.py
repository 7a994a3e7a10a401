"""The process in which the bots of a table think: it fails, and is there again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

import hots_rules as hr
from hots_rules.web.games.bots import BotPool, choice
from hots_rules.web.refusals import NotComputed
from hots_rules.web.storage.rows import GameRow


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
        await bot_pool.get_ready(rules().name)
        first = await bot_pool.choose("random", row(), [], "Red")
        bot_pool._worker._process.kill()
        return [first, await bot_pool.choose("random", row(), [], "Red")]

    assert set(asyncio.run(play())) <= legal()


def test_a_policy_chooses_for_its_seat() -> None:
    hots = hr.load("hots-4.0")
    begun: Any = GameRow("a", hots.name, hots.content_hash, "braveheart", "{}", "1297")

    assert {"text": "England: play Move 3"} == choice("english-attack", begun, [], "England")


def test_a_bot_that_overruns_chooses_at_random(bot_pool: BotPool, monkeypatch) -> None:
    asked = []

    async def run(work: object, kind: str, *args: object) -> object:
        asked.append(kind)
        if kind == "monte-carlo":
            raise NotComputed("this takes more than 60 seconds, and was ended")
        return choice(kind, *args)

    monkeypatch.setattr(type(bot_pool._worker), "run", lambda self, *args: run(*args))

    text = asyncio.run(bot_pool.choose("monte-carlo", row(), [], "Red"))

    assert asked == ["monte-carlo", "random"]
    assert text in legal()

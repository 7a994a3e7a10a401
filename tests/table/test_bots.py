"""The process in which the bots of a table think: it fails, and is there again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

import hots_rules as hr
from hots_rules.web.games.bots import Thinkers, choice
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
def thinkers() -> Iterator[Thinkers]:
    made = Thinkers()
    yield made
    made.close()


@pytest.mark.thorough
def test_a_process_that_is_killed_is_started_again(thinkers: Thinkers) -> None:
    async def play() -> list[str]:
        await thinkers.get_ready(rules().name)
        first = await thinkers.choose("random", row(), [], "Red")
        thinkers._worker._process.kill()
        return [first, await thinkers.choose("random", row(), [], "Red")]

    assert set(asyncio.run(play())) <= legal()


def test_a_bot_that_overruns_chooses_at_random(thinkers: Thinkers, monkeypatch) -> None:
    asked = []

    async def run(work: object, kind: str, *args: object) -> object:
        asked.append(kind)
        if kind == "monte-carlo":
            raise NotComputed("this takes more than 60 seconds, and was ended")
        return choice(kind, *args)

    monkeypatch.setattr(type(thinkers._worker), "run", lambda self, *args: run(*args))

    text = asyncio.run(thinkers.choose("monte-carlo", row(), [], "Red"))

    assert asked == ["monte-carlo", "random"]
    assert text in legal()

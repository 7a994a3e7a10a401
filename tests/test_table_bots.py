"""The process in which the bots of a table think: it fails, and is there again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

import hots_rules as hr
from hots_rules.web.bots import Thinkers, choice
from hots_rules.web.refusals import NotComputed
from hots_rules.web.rows import GameRow

pytestmark = pytest.mark.table

RULES = hr.load("connect-four-1.0")
ROW = GameRow("a", RULES.name, RULES.content_hash, "empty-board", "{}", "1")
LEGAL = {action.text for action in RULES.start("empty-board", seed=1).actions}


@pytest.fixture
def thinkers() -> Iterator[Thinkers]:
    made = Thinkers()
    yield made
    made.close()


def test_a_process_that_is_killed_is_started_again(thinkers: Thinkers) -> None:
    async def play() -> list[str]:
        await thinkers.get_ready(RULES.name)
        first = await thinkers.choose("random", ROW, [], "Red")
        thinkers._worker._process.kill()
        return [first, await thinkers.choose("random", ROW, [], "Red")]

    assert set(asyncio.run(play())) <= LEGAL


def test_a_bot_that_overruns_chooses_at_random(thinkers: Thinkers, monkeypatch) -> None:
    asked = []

    async def run(work: object, kind: str, *args: object) -> object:
        asked.append(kind)
        if kind == "monte-carlo":
            raise NotComputed("this takes more than 60 seconds, and was ended")
        return choice(kind, *args)

    monkeypatch.setattr(type(thinkers._worker), "run", lambda self, *args: run(*args))

    text = asyncio.run(thinkers.choose("monte-carlo", ROW, [], "Red"))

    assert asked == ["monte-carlo", "random"]
    assert text in LEGAL

"""Rulesets of strangers: off by default; tried in a process of their own, which is ended when it overruns."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.needs import needs

needs("litestar")
needs("httpx")

from litestar.testing import TestClient

import hots_rules as hr
from hots_rules.web.application import make_app
from hots_rules.web.operation import Operation
from hots_rules.web.refusals import NotComputed
from hots_rules.web.storage.store import Store
from hots_rules.web.workers import Worker
from tests.table.tables import url_in
from tests.table.works import sleep, write_a_file

TRY = "/api/rulesets/try"


@cache
def sample() -> Any:
    return next(iter(hr.load("connect-four-1.0").source.layers[-1].files.values()))


ENDLESS = """ruleset endless-1.0 "A game without an end"
type Player = One | Two
"""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[object]:
    store = Store.at(url_in(tmp_path_factory.mktemp("table")))
    with TestClient(make_app(store, Operation(takes_rulesets=True))) as made:
        yield made


def test_a_table_takes_no_rulesets_unless_it_is_told_to(tmp_path: Path) -> None:
    with TestClient(make_app(Store.at(url_in(tmp_path)))) as usual:
        refused = usual.post(TRY, json={"text": "ruleset a-1.0"})
        assert (refused.status_code, refused.json()["kind"]) == (403, "NotTaken")
        assert usual.get("/api/words").json()["takes_rulesets"] is False


@pytest.mark.thorough
def test_a_ruleset_is_played_at_random(client) -> None:
    text = sample().replace("connect-four-1.0", "mine-1.0")
    tried = client.post(TRY, json={"text": text}).json()
    assert (tried["faults"], tried["title"]) == ("", "Connect four")
    assert tried["games"] > 0
    assert sum(each["share"] for each in tried["winners"]) == pytest.approx(1, abs=0.01)
    assert tried["board"].startswith("<svg")
    assert "mine-1.0" not in hr.rulesets()


def test_the_faults_of_a_ruleset_name_their_places(client) -> None:
    tried = client.post(TRY, json={"text": ENDLESS}).json()
    assert " --> yours.rules:" in tried["faults"]
    assert "/tmp" not in tried["faults"]


def test_a_ruleset_that_is_too_large_is_refused(client) -> None:
    assert client.post(TRY, json={"text": "#" * 600_000}).status_code == 422
    assert client.post(TRY, json={"text": "#" * 800_000}).status_code == 413


def test_the_process_writes_no_file_and_is_ended(tmp_path: Path) -> None:
    async def tried() -> None:
        worker = Worker(seconds=2, memory=1_000_000_000, is_strict=True)
        with pytest.raises(NotComputed, match="takes more than 2 seconds"):
            await worker.run(sleep)
        answer = await worker.run(write_a_file, str(tmp_path / "file"))
        assert answer == {"is_written": False}

    asyncio.run(tried())

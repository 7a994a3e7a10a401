"""The seed that is mixed from shares: in which order they are given."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import hots_rules as hr
from tests.needs import needs

needs("httpx")
needs("litestar")

from tests.table.tables import SeatClient, client_on, url_in


@pytest.fixture
def seats(tmp_path: Path) -> Iterator[dict[str | None, SeatClient]]:
    """The seats of a game whose seed is mixed, and a spectator."""
    body = {"ruleset": "connect-four-1.0", "scenario": "empty-board", "shares": True}
    with client_on(url_in(tmp_path)) as client:
        made = client.post("/api/games", json=body).json()
        keys = {**made["keys"], None: None}
        yield {player: SeatClient(client, made["game"], key) for player, key in keys.items()}


def commit(seats: dict[str | None, SeatClient], player: str) -> str:
    secret = hr.records.new_secret()
    body = {"commitment": hr.records.commitment(player, secret)}
    assert seats[player].post("/commitment", body).status_code == 204
    return secret


@pytest.mark.parametrize(("first", "last"), [("Red", "Yellow"), ("Yellow", "Red")])
def test_no_share_is_revealed_before_all_have_committed(seats, first: str, last: str) -> None:
    secret = commit(seats, first)
    refused = seats[first].post("/secret", {"secret": secret})

    assert refused.status_code == 403
    assert "when all seats have committed" in refused.text
    assert first not in seats[None].get("/shares").json()["revealed"]
    commit(seats, last)
    assert seats[first].post("/secret", {"secret": secret}).status_code == 204
    assert first in seats[None].get("/shares").json()["revealed"]

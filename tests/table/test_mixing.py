"""The seed that is mixed from shares: in which order they are given."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import hots_rules as hr
from tests.needs import needs

needs("httpx")
needs("litestar")

from tests.table.tables import SeatClient, client_on, new_game, url_in
from tests.table.test_agreements import shared_game


@pytest.fixture
def seats(tmp_path: Path) -> Iterator[dict[str | None, SeatClient]]:
    """The seats of a game whose seed is mixed, and a spectator."""
    with client_on(url_in(tmp_path)) as client:
        yield new_game(client, seed=None, shares=True)[1]


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


def test_another_share_than_the_one_of_the_commitment_is_refused(seats) -> None:
    commit(seats, "Red")
    commit(seats, "Yellow")
    refused = seats["Red"].post("/secret", {"secret": hr.records.new_secret()})

    assert (refused.status_code, refused.json()["kind"]) == (422, "BadSecret")
    assert "not the share to which the seat has committed" in refused.text
    assert "Red" not in seats[None].get("/shares").json()["revealed"]


def test_after_going_back_the_next_seed_is_told_with_its_line(tmp_path: Path) -> None:
    with client_on(url_in(tmp_path)) as client:
        match, shares = shared_game(client)
        assert match.seats[None].get("/shares").json()["later"] == []
        match.act()
        match.act()
        match.go_back("Black", "White", 0)
        (mixing,) = match.seats[None].get("/shares").json()["later"]
        shares.mix()
        match.state()
        (mixed,) = match.seats[None].get("/shares").json()["later"]

    assert (mixing["is_begun"], mixed["is_begun"]) == (False, True)
    assert mixing["line"] == mixed["line"] > 2
    assert (mixed["seed"], mixed["secrets"]) == ("", {})
    assert sorted(mixed["revealed"]) == ["Black", "White", "the table"]

"""Seats that a scenario leaves empty: who takes part, and a game that begins without the shares of the others."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

import hots_rules as hr
from tests.needs import needs

needs("httpx")
needs("litestar")

from hots_rules.web.games.participants import who_takes_part
from hots_rules.web.storage.keys import digest_of, new_key
from hots_rules.web.storage.rows import GameRow
from tests.table.tables import SeatClient, client_on, new_game, url_in


@pytest.fixture
def client(tmp_path: Path) -> Iterator[object]:
    with client_on(url_in(tmp_path)) as made:
        yield made


def row_of(ruleset: str, scenario: str, position: str = "") -> GameRow:
    return GameRow("name", ruleset, "", scenario, json.dumps({}), "", position)


@pytest.mark.parametrize("number", [2, 3, 4, 5])
def test_a_scenario_for_fewer_players_leaves_seats_empty(number: int) -> None:
    row = row_of("lords-of-scotland", f"{number}-players")
    assert who_takes_part(row) == {f"P{player}" for player in range(1, number + 1)}


@pytest.mark.parametrize("ruleset", ["hots-4.0", "backgammon-1.0", "goofspiel-1.0"])
def test_elsewhere_everybody_takes_part(ruleset: str) -> None:
    rules = hr.load(ruleset)
    for scenario in rules.scenarios:
        assert who_takes_part(row_of(ruleset, scenario)) == set(rules.players)


def test_a_game_of_two_with_mixed_shares_begins_when_both_have_given_theirs(client) -> None:
    _, seats = new_game(client, "lords-of-scotland", "2-players", None, shares=True)
    del seats[None]
    assert list(seats) == [
        "P1",
        "P2",
    ]  # a seat that takes no part has no key: it could hold the game up
    told = seats["P1"].get("/shares").json()
    assert sorted(told["expected"]) == ["P1", "P2", "the table"]
    secrets = {player: hr.records.new_secret() for player in seats}

    def commit(player: str):
        body = {"commitment": hr.records.commitment(player, secrets[player])}
        return seats[player].post("/commitment", body)

    for player in ("P1", "P2"):
        assert commit(player).status_code == 204
    for player in ("P1", "P2"):
        assert seats[player].get("/shares").json()["is_begun"] is False
        assert seats[player].post("/secret", {"secret": secrets[player]}).status_code == 204
    state = seats["P1"].state()
    assert seats["P1"].get("/shares").json()["is_begun"] is True
    assert (state["number"], state["view"]["to_move"]) == (0, ["P1"])


def test_the_key_of_a_seat_that_takes_no_part_gives_no_share(client, tmp_path: Path) -> None:
    body = {"ruleset": "lords-of-scotland", "scenario": "2-players", "claim": False, "shares": True}
    made = client.post("/api/games", json=body).json()
    key = new_key()
    with sqlite3.connect(tmp_path / "tables.db") as connection:  # older servers gave out such keys
        row = (made["game"], digest_of(key), "P3", "key")
        connection.execute("insert into seat_key values (?, ?, ?, ?)", row)
    for player in ("P1", "P2"):
        commitment = hr.records.commitment(player, hr.records.new_secret())
        seat = SeatClient(client, made["game"], made["keys"][player])
        assert seat.post("/commitment", {"commitment": commitment}).status_code == 204

    idle = SeatClient(client, made["game"], key)
    for path, name in (("/commitment", "commitment"), ("/secret", "secret")):
        refused = idle.post(path, {name: hr.records.new_secret()})
        assert (refused.status_code, refused.json()["kind"]) == (403, "NotYet")
        assert "takes no part" in refused.text


def test_the_preview_of_an_action_that_came_too_late_is_empty(client) -> None:
    made = client.post(
        "/api/games",
        json={"ruleset": "connect-four-1.0", "scenario": "empty-board", "claim": False},
    ).json()
    red = SeatClient(client, made["game"], made["keys"]["Red"])
    question = {"words": "Red: c1", "number": 0}
    assert red.post("/preview", question).json()["effects"] != []
    assert red.play(0, "Red: c1").status_code == 200
    answer = red.post("/preview", question)
    assert (answer.status_code, answer.json()) == (200, {"effects": []})
    assert red.post("/preview", {"words": "Red: c1"}).status_code == 422

"""Where the dice of a game come from, and what else was chosen by whoever opened it: everybody is told, for ever."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

import hots_rules as hr
from tests.needs import needs

needs("httpx")
needs("litestar")

from litestar.testing import TestClient

from hots_rules.web.application import make_app
from hots_rules.web.operation import Operation
from hots_rules.web.storage.store import Store
from tests.table.tables import SeatClient, client_on, new_game, url_in
from tests.table.test_mixing import commit

GAME = MappingProxyType({"ruleset": "hots-4.0", "scenario": "braveheart", "claim": False})
POSITION = "like braveheart"
SETTINGS = {"schiltroms": True}
# What is chosen about the dice, and the kinds of facts that tell it.
DICE = MappingProxyType(
    {"": ("dice_table",), "seed": ("dice_given",), "shares": ("dice_shares", "dice_keys")}
)
# What else is chosen.
BEGINNINGS = MappingProxyType(
    {
        (): {},
        ("position",): {"position": POSITION, "scenario": ""},
        ("setting",): {"settings": SETTINGS},
        ("odds",): {"odds": True},
        ("position", "setting", "odds"): {
            "position": POSITION,
            "scenario": "",
            "settings": SETTINGS,
            "odds": True,
        },
    }
)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[object]:
    with client_on(url_in(tmp_path)) as made:
        yield made


def opened(client: object, body: Mapping[str, object]) -> dict[str | None, SeatClient]:
    return new_game(client, **{"seed": None, **body})[1]


def kinds(facts: list[dict]) -> list[str]:
    return [fact["kind"] for fact in facts]


def asked_for(dice: str) -> dict[str, object]:
    return {"": {}, "seed": {"seed": "7"}, "shares": {"shares": True}}[dice]


@pytest.mark.parametrize("dice", DICE)
@pytest.mark.parametrize("beginning", BEGINNINGS, ids=" ".join)
def test_every_way_to_open_a_game_is_told_to_everybody_from_the_first_moment(
    client, dice: str, beginning: tuple[str, ...]
) -> None:
    seats = opened(client, {**GAME, **BEGINNINGS[beginning], **asked_for(dice)})
    expected = [*DICE[dice], *beginning]
    for seat in seats.values():
        assert kinds(seat.get("/seats").json()["opening"]) == expected
    if dice == "shares":
        secrets = {player: commit(seats, player) for player in ("England", "Scotland")}
        for player, secret in secrets.items():
            assert seats[player].post("/secret", {"secret": secret}).status_code == 204
    for seat in seats.values():
        assert kinds(seat.state()["opening"]) == expected
    for number, player in enumerate(("England", "Scotland")):
        text = seats[player].state()["view"]["actions"][0]["text"]
        assert seats[player].play(number, text).status_code == 200
    for seat in seats.values():
        assert kinds(seat.state()["opening"]) == expected


def test_settings_are_told_in_words_of_the_reader(client) -> None:
    seats = opened(client, {**GAME, "settings": SETTINGS})
    words = [seats[None].get("/seats", language=language) for language in ("en", "fr")]
    english, french = (told.json()["opening"][1]["text"] for told in words)

    assert english.endswith(": Yes")
    assert french.endswith("Oui")


def test_shares_of_players_with_keys_of_their_own_are_beyond_who_opened_the_game(client) -> None:
    seats = opened(client, {**GAME, "claim": True, "shares": True})
    assert kinds(seats[None].get("/seats").json()["opening"]) == ["dice_shares"]
    alone = opened(client, {**GAME, "shares": True, "bots": {"Scotland": "random"}})
    assert kinds(alone[None].get("/seats").json()["opening"]) == ["dice_shares"]


@pytest.mark.parametrize("dice", DICE)
def test_going_back_changes_what_is_told_only_if_the_seed_has_another_source(
    client, dice: str
) -> None:
    seats = opened(client, {**GAME, **asked_for(dice)})

    def mix() -> None:
        secrets = {player: commit(seats, player) for player in ("England", "Scotland")}
        for player, secret in secrets.items():
            assert seats[player].post("/secret", {"secret": secret}).status_code == 204

    if dice == "shares":
        mix()
    text = seats["England"].state()["view"]["actions"][0]["text"]
    assert seats["England"].play(0, text).status_code == 200
    assert seats["England"].post("/ask-back", {"number": 1, "plays": 0}).status_code == 200
    answer = seats["Scotland"].post("/answer", {"number": 2, "agrees": True})
    assert answer.status_code == 200
    if dice == "shares":
        mix()
    later = ["dice_later"] if dice == "seed" else []

    assert kinds(seats[None].state()["opening"]) == [*DICE[dice], *later]


def test_a_given_seed_stands_in_the_record(client) -> None:
    records = []
    for more in ({}, {"seed": "7"}):
        seats = opened(client, more)
        for number, cell in enumerate(("a1", "b1", "a2", "b2", "a3", "b3", "a4")):
            player = ("Red", "Yellow")[number % 2]
            assert seats[player].play(number, f"{player}: {cell}").status_code == 200
        assert kinds(seats[None].state()["opening"]) == [*DICE["seed" if more else ""]]
        records.append(hr.Record.parse(seats[None].get("/record").text))
    assert [record.comments for record in records] == [
        (),
        ("The seed was given when the game was opened.",),
    ]


def test_a_table_takes_no_given_seed_unless_it_is_told_to(tmp_path: Path) -> None:
    body = {"ruleset": "connect-four-1.0", "scenario": "empty-board"}
    with TestClient(make_app(Store.at(url_in(tmp_path)), Operation())) as client:
        for seed in ("7", "", "0" * 32):
            refused = client.post("/api/games", json={**body, "seed": seed})
            assert (refused.status_code, refused.json()["kind"]) == (403, "NotTaken")
            assert "--given-seeds" in refused.json()["message"]
        assert client.post("/api/games", json=body).status_code == 201


def test_an_older_game_does_not_tell_what_is_not_known(client, tmp_path: Path) -> None:
    seats = opened(client, GAME)
    with sqlite3.connect(tmp_path / "tables.db") as connection:
        connection.execute("update game set dice = ''")

    assert kinds(seats[None].get("/seats").json()["opening"]) == ["dice_unknown"]

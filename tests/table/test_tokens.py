"""Tokens of programs: made and revoked by whoever runs a table, kept as digests, with limits of their own."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import hots_rules as hr
from hots_rules.cli import main
from tests.needs import needs

needs("httpx")
needs("litestar")

from litestar.testing import TestClient

from hots_rules.web.application import make_app
from hots_rules.web.operation import Operation
from hots_rules.web.serving import change_tokens
from hots_rules.web.storage.store import Store
from tests.table.tables import SeatClient, url_in

GAME = {"ruleset": "connect-four-1.0", "scenario": "empty-board", "claim": False, "seed": "1"}


@contextmanager
def run_as(folder: Path, **operation: object) -> Iterator[TestClient]:
    app = make_app(Store.at(url_in(folder)), Operation(takes_seeds=True, **operation))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def make(folder: Path, name: str) -> str:
    (token,) = asyncio.run(change_tokens(url_in(folder), make=name))
    return token


def bearing(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_a_closed_table_opens_games_with_a_token_only(tmp_path: Path) -> None:
    token = make(tmp_path, "friend")
    with run_as(tmp_path, is_closed=True) as client:
        refused = client.post("/api/games", json=GAME)
        made = client.post("/api/games", json=GAME, headers=bearing(token)).json()
        key = made["keys"]["Red"]
        assert SeatClient(client, made["game"], key).play(0, "Red: a1").status_code == 200

    assert (refused.status_code, refused.json()["kind"]) == (401, "WrongToken")


def test_a_program_with_a_token_gives_the_key_of_its_seat_beside_it(tmp_path: Path) -> None:
    token = make(tmp_path, "bot")
    with run_as(tmp_path) as client:
        made = client.post("/api/games", json=GAME, headers=bearing(token)).json()
        path = f"/api/games/{made['game']}"
        both = {**bearing(token), "Seat-Key": made["keys"]["Red"]}
        assert client.get(path, headers=both).json()["seat"] == "Red"
        assert client.get(path, headers=bearing(token)).json()["seat"] is None
        body = {"number": 0, "action": "Red: a1"}
        assert client.post(f"{path}/actions", json=body, headers=bearing(token)).status_code == 401
        assert client.post(f"{path}/actions", json=body, headers=both).status_code == 200


def test_a_token_that_was_revoked_opens_nothing_any_more(tmp_path: Path) -> None:
    token, other = make(tmp_path, "old"), make(tmp_path, "other")
    with run_as(tmp_path) as client:
        assert client.get("/api/words", headers=bearing(token)).status_code == 200
        asyncio.run(change_tokens(url_in(tmp_path), revoke="old"))
        answer = client.get("/api/words", headers=bearing(token))
        assert (answer.status_code, answer.json()["kind"]) == (401, "WrongToken")
        assert client.post("/api/games", json=GAME, headers=bearing(token)).status_code == 401
        assert client.get("/api/words", headers=bearing(other)).status_code == 200


@pytest.mark.parametrize(
    "token",
    ["table_", "table_" + "0" * 32, "table_" + "g" * 32, "table_" + "0" * 31, "table_' or 1=1 --"],
)
def test_a_token_that_there_is_not_is_refused(tmp_path: Path, token: str) -> None:
    make(tmp_path, "friend")
    with run_as(tmp_path, is_closed=True) as client:
        answers = [
            client.get("/api/words", headers=bearing(token)),
            client.post("/api/games", json=GAME, headers=bearing(token)),
        ]
    assert [answer.status_code for answer in answers] == [401, 401]
    assert token not in "".join(answer.text for answer in answers)


def test_a_token_of_another_table_is_refused(tmp_path: Path) -> None:
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    foreign = make(tmp_path / "there", "friend")
    make(tmp_path / "here", "friend")
    with run_as(tmp_path / "here") as client:
        assert client.get("/api/words", headers=bearing(foreign)).status_code == 401


def test_a_token_is_no_key_of_a_seat_and_a_key_is_no_token(tmp_path: Path) -> None:
    token = make(tmp_path, "friend")
    with run_as(tmp_path, is_closed=True) as client:
        made = client.post("/api/games", json=GAME, headers=bearing(token)).json()
        key = made["keys"]["Red"]
        path = f"/api/games/{made['game']}"
        for wrong in (token, token.removeprefix("table_")):
            headers = {"Seat-Key": wrong}
            assert client.get(path, headers=headers).json()["kind"] == "WrongKey"
        for wrong in (key, f"table_{key}"):
            assert client.post("/api/games", json=GAME, headers=bearing(wrong)).status_code == 401


def test_tokens_are_kept_as_digests(tmp_path: Path) -> None:
    token = make(tmp_path, "friend")
    with sqlite3.connect(tmp_path / "tables.db") as connection:
        kept = str(connection.execute("select * from token").fetchall())

    assert re.fullmatch("table_[0-9a-f]{32}", token)
    assert "friend" in kept and token.removeprefix("table_") not in kept


def test_each_token_has_a_limit_of_its_own(tmp_path: Path) -> None:
    first, second = make(tmp_path, "first"), make(tmp_path, "second")
    with run_as(tmp_path, requests_per_minute=2, token_requests_per_minute=4) as client:

        def statuses(count: int, headers: dict[str, str] | None = None) -> list[int]:
            return [client.get("/api/words", headers=headers).status_code for _ in range(count)]

        assert statuses(5, bearing(first)) == [200] * 4 + [429]
        assert statuses(3) == [200, 200, 429]
        assert statuses(1, bearing(second)) == [200]
        # Tokens that are made up do not get round the limit of their address.
        assert [*statuses(1, bearing("table_" + "1" * 32)), *statuses(1)] == [429, 429]


def test_pages_of_other_origins_may_send_a_token_and_a_key(tmp_path: Path) -> None:
    asked = {
        "Origin": "https://friend.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type,seat-key",
    }
    with run_as(tmp_path, origins=["https://friend.example"]) as client:
        allowed = client.options("/api/games", headers=asked)
        stranger = client.options("/api/games", headers={**asked, "Origin": "https://x.example"})

    assert allowed.headers["access-control-allow-origin"] == "https://friend.example"
    assert "seat-key" in allowed.headers["access-control-allow-headers"].lower()
    assert "access-control-allow-origin" not in stranger.headers


# ------------------------------------------------------------------ the command
def test_tokens_are_made_listed_and_revoked_by_the_command(tmp_path, capsys, monkeypatch) -> None:
    def tokens(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(
            "sys.argv", ["hots", "serve", "tokens", "--database", url_in(tmp_path), *arguments]
        )
        return main(), *capsys.readouterr()

    status, token, _ = tokens("--make", "friend")
    assert (status, re.fullmatch("table_[0-9a-f]{32}\n", token) is not None) == (0, True)
    assert tokens("--make", "bot")[0] == 0
    assert tokens() == (0, "bot\nfriend\n", "")
    status, said, complaint = tokens("--make", "bot")
    assert (status, said) == (1, "") and "there is a token named `bot`" in complaint
    assert tokens("--revoke", "friend") == (0, "", "")
    status, said, complaint = tokens("--revoke", "frend")
    assert (status, said) == (2, "") and "unknown token `frend`" in complaint
    assert tokens() == (0, "bot\n", "")


@pytest.mark.parametrize("name", ["", "x" * 101, "a\nb"])
def test_a_name_that_cannot_be_listed_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(hr.HotsError, match="the name of a token"):
        make(tmp_path, name)

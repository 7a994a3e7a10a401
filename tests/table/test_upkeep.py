"""`hots tables`: the games of a database are listed, exported, closed, deleted and erased while it is served."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from pathlib import Path

import pytest

import hots_rules as hr
from hots_rules.cli import main
from tests.needs import needs

needs("httpx")
needs("litestar")

from hots_rules.web.games.open_games import OpenGames
from hots_rules.web.storage.store import Store
from hots_rules.web.upkeep import Upkeep
from tests.table.tables import SeatClient, client_on, new_game, url_in

DAY = 24 * 60 * 60 * 1000


@pytest.fixture
def tables(tmp_path: Path, capsys, monkeypatch):
    """The command on the database of the test: its exit code and both outputs."""

    def run(command: str, *words: str) -> tuple[int, str, str]:
        line = ["hots", "tables", command, *words, "--database", url_in(tmp_path)]
        monkeypatch.setattr("sys.argv", line)
        return main(), *capsys.readouterr()

    return run


def rows_of(folder: Path, game: str) -> int:
    """How many rows of all tables belong to a game."""
    with sqlite3.connect(folder / "tables.db") as connection:
        owned = ("action", "snapshot", "message", "note", "share", "seat")
        counts = [
            connection.execute(f"select count(*) from {table} where game = ?", (game,)).fetchone()[
                0
            ]
            for table in owned
        ]
        last = connection.execute("select count(*) from game where name = ?", (game,)).fetchone()[0]
    return sum(counts) + last


def set_age(folder: Path, game: str, days: int) -> None:
    """Let a game be some days older."""
    with sqlite3.connect(folder / "tables.db") as connection:
        connection.execute(f"update game set begun = begun - {days * DAY} where name = ?", (game,))
        connection.execute(
            f"update action set instant = instant - {days * DAY} where game = ?", (game,)
        )


# ------------------------------------------------------------------ list, show
def test_games_are_listed_with_who_is_to_choose(tmp_path: Path, tables) -> None:
    with client_on(url_in(tmp_path)) as client:
        first, seats = new_game(client, "connect-four-1.0", "empty-board")
        seats["Red"].play(0, "Red: a1")
        second, _ = new_game(client, "connect-four-1.0", "empty-board")
    set_age(tmp_path, first, 1)

    status, told, _ = tables("list")

    assert status == 0
    assert [line.split()[0] for line in told.splitlines()] == [second, first]
    assert told.splitlines()[1].endswith("open, waits for Yellow")
    assert [game["name"] for game in json.loads(tables("list", "--json")[1])] == [second, first]
    assert tables("list", "--older-than", "12h")[1].startswith(first)


def test_a_game_is_shown_without_keys_seed_and_what_was_said(tmp_path: Path, tables) -> None:
    with client_on(url_in(tmp_path)) as client:
        game, seats = new_game(client, "connect-four-1.0", "empty-board", seed="4711")
        seats["Red"].post("/messages", {"text": "hello there"})
        seats["Yellow"].put("/note", {"text": "a plan"})

    told = tables("show", game)[1] + tables("show", game, "--json")[1]

    assert "Red: a person, 1 messages\n" in told and "Yellow: a person, 0 messages, notes\n" in told
    for secret in ("hello", "plan", "4711", "digest"):
        assert secret not in told


@pytest.mark.parametrize(
    "words", [("show", "0" * 16), ("close", "0" * 16), ("delete", "0" * 16), ("erase", "x", "Red")]
)
def test_a_game_that_there_is_not_is_refused(tables, words: tuple[str, ...]) -> None:
    status, told, complaint = tables(*words)

    assert (status, told) == (1, "")
    assert "there is no" in complaint


# ------------------------------------------------------------------ close
def test_a_closed_game_ends_for_those_who_play_it(tmp_path: Path, tables) -> None:
    with client_on(url_in(tmp_path)) as client:
        game, seats = new_game(client, "connect-four-1.0", "empty-board")
        seats["Red"].play(0, "Red: a1")
        assert seats["Red"].get("/record").status_code == 403
        assert tables("close", game)[0] == 0
        wait_for(lambda: seats["Red"].state()["is_over"])
        state = seats["Yellow"].state()
        assert state["outcome"] == "Whoever runs the table has ended the game."
        assert state["view"]["actions"] == []
        assert seats["Yellow"].play(2, "Yellow: b1").status_code == 403
        record = seats["Yellow"].get("/record").text
        assert "Whoever runs the table has ended the game." in record
        assert tables("close", game)[0] == 1
    assert "closed" in tables("list")[1]


def wait_for(condition) -> None:
    """Wait until another process has told this one of a change."""
    last = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < last
        time.sleep(0.02)


# ------------------------------------------------------------------ delete, expire
def test_a_deleted_game_leaves_nothing_and_the_server_forgets_it(tmp_path: Path, tables) -> None:
    with client_on(url_in(tmp_path)) as client:
        game, seats = new_game(client, "connect-four-1.0", "empty-board")
        other, _ = new_game(client, "connect-four-1.0", "empty-board")
        seats["Red"].play(0, "Red: a1")
        seats["Red"].post("/messages", {"text": "a secret word"})
        assert rows_of(tmp_path, game) == 5
        assert tables("delete", game) == (0, "", "")
        wait_for(lambda: seats["Red"].get().status_code == 404)
        assert rows_of(tmp_path, game) == 0
        assert rows_of(tmp_path, other) == 3
    kept = b"".join(file.read_bytes() for file in tmp_path.glob("tables.db*"))
    assert b"a secret word" not in kept


def test_who_watches_a_deleted_game_is_told_that_no_more_comes(tmp_path: Path) -> None:
    async def watch() -> tuple[str, int]:
        playing, looking = OpenGames(Store.at(url_in(tmp_path))), Store.at(url_in(tmp_path))
        await playing.begin()
        await looking.open()
        from hots_rules.web.bodies import NewGame

        game, _ = await playing.create(NewGame("connect-four-1.0", "empty-board"))
        await playing.open(game)
        with playing.subscribers.subscribed(game) as news:
            await Upkeep(looking).delete([game])
            told = await asyncio.wait_for(news.get(), 30)
        await playing.end()
        await looking.close()
        return told

    assert asyncio.run(watch()) == ("end", 0)


def test_games_that_have_not_changed_for_long_expire(tmp_path: Path, tables) -> None:
    with client_on(url_in(tmp_path)) as client:
        games = [new_game(client, "connect-four-1.0", "empty-board")[0] for _ in range(3)]
    for days, game in zip((100, 80, 0), games, strict=True):
        set_age(tmp_path, game, days)

    assert tables("expire", "--older-than", "90d") == (0, "1 games deleted\n", "")
    assert [rows_of(tmp_path, game) > 0 for game in games] == [False, True, True]


def test_a_game_in_which_somebody_plays_meanwhile_does_not_expire(tmp_path: Path) -> None:
    with client_on(url_in(tmp_path)) as client:
        game, seats = new_game(client, "connect-four-1.0", "empty-board")
        set_age(tmp_path, game, 100)
        seats["Red"].play(0, "Red: a1")

        async def delete() -> list[str]:
            async with Upkeep.of(url_in(tmp_path)) as games:
                return await games.kept.delete([game], before=int(time.time() * 1000) - 90 * DAY)

        assert asyncio.run(delete()) == []


@pytest.mark.parametrize("age", ["", "3", "3 days", "-3d", "3y", "d"])
def test_an_age_has_a_form(tables, age: str) -> None:
    status, _, complaint = tables("expire", "--older-than", age)

    assert status == 2 and "expected hours, days or weeks" in " ".join(complaint.split())


# ------------------------------------------------------------------ erase
def test_what_a_player_has_written_is_erased_and_the_chat_goes_on(tmp_path: Path, tables) -> None:
    with client_on(url_in(tmp_path)) as client:
        game, seats = new_game(client, "connect-four-1.0", "empty-board")
        for player, words in (("Red", "my address is 5 High Street"), ("Yellow", "thank you")):
            assert seats[player].post("/messages", {"text": words}).status_code == 201
        seats["Red"].put("/note", {"text": "my telephone number"})
        assert tables("erase", game, "Red") == (0, "1 messages and 1 notes erased\n", "")
        texts = [message["text"] for message in seats[None].get("/messages").json()]
        assert texts == ["", "thank you"]
        assert seats["Red"].get("/note").json() == {"text": ""}
        assert seats["Red"].post("/messages", {"text": "on we go"}).status_code == 201
        assert len(seats[None].get("/messages").json()) == 3
    kept = b"".join(file.read_bytes() for file in tmp_path.glob("tables.db*"))
    assert b"High Street" not in kept and b"telephone" not in kept
    assert tables("erase", game, "Blue")[0] == 2


# ------------------------------------------------------------------ export
def test_all_games_are_exported_as_records(tmp_path: Path, tables) -> None:
    with client_on(url_in(tmp_path)) as client:
        game, seats = new_game(client, "connect-four-1.0", "empty-board")
        seats["Red"].play(0, "Red: a1")
        other, _ = new_game(client, "connect-four-1.0", "empty-board")

    assert tables("export", "-o", str(tmp_path / "out")) == (0, "", "")

    assert {file.name for file in (tmp_path / "out").iterdir()} == {f"{game}.txt", f"{other}.txt"}
    read = hr.read(tmp_path / "out" / f"{game}.txt")
    assert [move.text for move in read.record.entries] == ["Red: a1"]


def test_a_game_that_cannot_be_exported_does_not_stop_the_others(tmp_path: Path, tables) -> None:
    with client_on(url_in(tmp_path)) as client:
        body = {"ruleset": "connect-four-1.0", "scenario": "empty-board", "shares": True}
        waiting = client.post("/api/games", json=body).json()["game"]
        game, _ = new_game(client, "connect-four-1.0", "empty-board")

    status, _, complaint = tables("export", waiting, game, "-o", str(tmp_path / "out"))

    assert status == 1 and complaint.startswith(f"hots: {waiting}: the game begins when")
    assert (tmp_path / "out" / f"{game}.txt").exists()
    assert "not begun" in tables("list")[1]


# ------------------------------------------------------------------ a backup
def test_a_copy_of_the_file_is_played_on_at_another_table(tmp_path: Path) -> None:
    """As docs/how-to/keep-a-table.md says, while the table is open."""
    copy = tmp_path / "copy"
    copy.mkdir()
    with client_on(url_in(tmp_path)) as client:
        game, seats = new_game(client, "hots-4.0", "braveheart")
        assert seats["England"].play(0, "England: play Move 3").status_code == 200
        with sqlite3.connect(tmp_path / "tables.db") as connection:
            connection.execute(f"vacuum into '{copy / 'tables.db'}'")
        assert seats["Scotland"].play(1, "Scotland: play Move 2").status_code == 200
        expected = seats["Scotland"].state()["view"]
    with client_on(url_in(copy)) as client:
        key = seats["Scotland"].headers["Authorization"].removeprefix("Bearer ")
        scotland = SeatClient(client, game, key)
        assert scotland.state()["number"] == 1
        assert scotland.play(1, "Scotland: play Move 2").status_code == 200
        assert scotland.state()["view"] == expected

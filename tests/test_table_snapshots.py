"""Snapshots beside the log of a table: games open from them, the log is the truth, and idle games leave the memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from time import process_time

import pytest

pytest.importorskip("litestar")
pytest.importorskip("httpx")

from tables import SeatClient, client_on, new_game, url_in

import hots_rules as hr
from hots_rules.web.opening import opened
from hots_rules.web.rows import ActionRow, GameRow, SnapshotRow

pytestmark = pytest.mark.table
OPENING = 0.02  # seconds of the processor to open a long game


class Played:
    """A game that was played at a table, with the keys of its seats."""

    def __init__(self, folder: Path, ruleset: str, scenario: str, plays: int) -> None:
        self.folder = folder
        with client_on(url_in(folder)) as client:
            self.game, seats = new_game(client, ruleset, scenario)
            self.keys = {
                player: seat.headers.get("Authorization", "Bearer ")[7:] or None
                for player, seat in seats.items()
            }
            self._play(client, seats, plays)
            self.in_memory = self.answers(client)

    def _play(self, client: object, seats: dict, plays: int) -> None:
        random, number = Random(3), 0
        while number < plays:
            state = seats[None].get(board=False).json()
            if state["is_over"]:
                return
            seat = seats[state["view"]["to_move"][0]]
            actions = seat.get(board=False).json()["view"]["actions"]
            assert seat.play(number, random.choice(actions)["text"]).status_code == 200
            number += 1
            if number % 7 == 3 and seat.post("/undo", {"number": number}).status_code == 200:
                number += 1

    def answers(self, client: object) -> list[tuple[int, bytes]]:
        """What each seat and a spectator is answered; nothing of it changes the game."""
        found = []
        for key in self.keys.values():
            seat = SeatClient(client, self.game, key)
            asked = [seat.get(), seat.get(since=0), seat.get("/moments/5"), seat.get("/record")]
            asked += [seat.play(10_000, "nonsense"), seat.get("/messages"), seat.get("/shares")]
            asked += [seat.post("/why-not", {"words": words}) for words in ("pass", "a1", "Move 2")]
            found += [(answer.status_code, answer.content) for answer in asked]
        return found

    def opened_anew(self) -> list[tuple[int, bytes]]:
        with client_on(url_in(self.folder)) as client:
            return self.answers(client)

    @contextmanager
    def database(self) -> Iterator[sqlite3.Connection]:
        with sqlite3.connect(self.folder / "tables.db") as connection:
            yield connection
        connection.close()

    def snapshot(self) -> tuple[int, str]:
        with self.database() as connection:
            return connection.execute("select number, text from snapshot").fetchone()


@pytest.mark.parametrize(
    ("ruleset", "scenario", "plays"),
    [
        ("hots-4.0", "braveheart", 20),
        ("goofspiel-1.0", "full-hands", 100),
        ("lords-of-scotland", "3-players", 20),
    ],
)
def test_a_game_from_a_snapshot_is_answered_as_one_from_the_log(
    tmp_path: Path, ruleset: str, scenario: str, plays: int
) -> None:
    played = Played(tmp_path, ruleset, scenario, plays)
    number, _ = played.snapshot()
    assert number >= 16
    from_snapshot = played.opened_anew()
    with played.database() as connection:
        connection.execute("delete from snapshot")
    from_log = played.opened_anew()

    assert from_snapshot == from_log == played.in_memory


@pytest.mark.parametrize("damage", ["cut", "foreign", "stale", "nonsense", "ahead", "old format"])
def test_a_snapshot_that_does_not_fit_is_dropped_and_the_log_replayed(
    tmp_path: Path, damage: str
) -> None:
    played = Played(tmp_path, "goofspiel-1.0", "full-hands", 17)
    number, text = played.snapshot()
    other = hr.load("goofspiel-1.0").start("full-hands", seed="2")
    changed = {
        "cut": (number, text[:-9]),
        "foreign": (number, hr.formats.snapshot(other)),
        "stale": (number - 1, text),
        "nonsense": (number, "\x00 nonsense"),
        "ahead": (number + 1000, text),
        "old format": (number, text.replace("snapshot 1", "snapshot 0")),
    }[damage]
    with played.database() as connection:
        connection.execute("update snapshot set number = ?, text = ?", changed)

    assert played.opened_anew() == played.in_memory


def test_a_log_that_differs_from_the_snapshot_is_the_truth(tmp_path: Path) -> None:
    played = Played(tmp_path, "breakthrough-1.0", "two-ranks", 20)
    with played.database() as connection:
        connection.execute("delete from action where number >= 10")
    with client_on(url_in(tmp_path)) as client:
        assert SeatClient(client, played.game, None).state()["number"] == 10


def test_a_long_game_opens_without_a_replay() -> None:
    """A game of 400 plays, with the view of a seat, in the time of the processor."""
    rules, random = hr.load("hots-4.0"), Random(1)
    game, actions = rules.start("braveheart", seed="1297"), list[ActionRow]()
    row = GameRow("0" * 16, rules.name, rules.content_hash, "braveheart", "{}", "1297")
    kept = SnapshotRow(0, "")
    while len(actions) < 400 and not game.is_over:
        game = game.play_code(random.choice(game.legal_codes))
        actions.append(ActionRow(game.moves[-1], ""))
        if len(actions) == 392:
            kept = SnapshotRow(392, hr.formats.snapshot(game))
    times = []
    for _ in range(7):
        begun = process_time()
        again = opened(row, actions, kept)
        view = again.view("England")
        times.append(process_time() - begun)
        assert view == game.view("England")
    assert again == game
    assert min(times[1:]) < OPENING


def test_an_idle_game_leaves_the_memory_and_comes_back(tmp_path: Path) -> None:
    with client_on(url_in(tmp_path)) as client:
        game, seats = new_game(client, "connect-four-1.0", "empty-board")
        assert seats["Red"].play(0, "Red: a1").status_code == 200
        before, tables = seats["Yellow"].get().content, client.app.state.tables
        with client.portal() as portal:
            portal.call(tables.forget_idle, 0.0)
        assert game not in tables._open
        assert seats["Yellow"].get().content == before
        assert seats["Yellow"].play(1, "Yellow: b1").status_code == 200
        with client.portal() as portal:
            portal.call(tables.forget_idle, 3600.0)
        assert game in tables._open

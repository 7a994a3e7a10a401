"""Clocks: whose time runs, what an instant of the log is worth, and a game that is claimed."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

import hots_rules as hr
from tests.needs import needs

needs("httpx")
needs("litestar")

from hots_rules.web.bodies import Clock
from hots_rules.web.games.clocks import times_of
from hots_rules.web.storage.rows import ASK_BACK, GO_BACK, NEW_SEED, TAKE_BACK, ActionRow
from tests.table.tables import SeatClient, client_on, new_game, url_in

PLAYERS = ("Ann", "Ben")


@pytest.fixture
def client(tmp_path: Path) -> Iterator[object]:
    with client_on(url_in(tmp_path)) as made:
        yield made


def line(code: int, player: str, seconds: int, *waiting: str) -> ActionRow:
    return ActionRow(code, "", player, 0, seconds * 1000, json.dumps(waiting))


def seconds_left(clock: Clock, seconds: int, *lines: ActionRow) -> dict[str, int]:
    """The seconds that each player has at an instant."""
    left = times_of(clock, PLAYERS, lines).at(seconds * 1000).left
    return {player: had // 1000 for player, had in left.items()}


# ------------------------------------------------------------------ whose time runs
FISCHER, DAYS = Clock(seconds=100, increment=5), Clock(days=1)
DAY = 86_400


def test_no_time_runs_before_the_first_action() -> None:
    assert seconds_left(FISCHER, 50_000) == {"Ann": 100, "Ben": 100}


def test_time_runs_for_who_is_to_choose_and_grows_after_the_turn() -> None:
    played = [line(7, "Ann", 1000, "Ben")]
    assert seconds_left(FISCHER, 1030, *played) == {"Ann": 105, "Ben": 70}
    played += [line(8, "Ben", 1040, "Ben"), line(9, "Ben", 1060, "Ann")]
    assert seconds_left(FISCHER, 1070, *played) == {"Ann": 95, "Ben": 45}


def test_in_a_choice_of_both_the_time_of_both_runs() -> None:
    played = [line(7, "Ann", 1000, "Ann", "Ben"), line(8, "Ben", 1020, "Ann")]
    assert seconds_left(FISCHER, 1050, *played) == {"Ann": 50, "Ben": 85}


def test_an_action_that_is_taken_back_gains_no_time() -> None:
    played = [line(7, "Ben", 1000, "Ann"), line(8, "Ann", 1010, "Ben")]
    played += [line(TAKE_BACK, "Ann", 1011, "Ann")]
    assert seconds_left(FISCHER, 1011, *played) == {"Ann": 90, "Ben": 104}
    assert seconds_left(DAYS, 1011, *played)["Ann"] == DAY - 10


def test_no_time_runs_while_a_seed_is_mixed() -> None:
    played = [line(7, "Ann", 1000, "Ben"), line(ASK_BACK, "Ann", 1010, "Ben")]
    played += [line(GO_BACK, "", 1020)]
    assert seconds_left(FISCHER, 9000, *played) == {"Ann": 105, "Ben": 80}
    played += [line(NEW_SEED, "", 9000, "Ann")]
    assert seconds_left(FISCHER, 9010, *played) == {"Ann": 95, "Ben": 80}


def test_no_time_of_before_comes_back_after_going_back() -> None:
    played = [line(7, "Ann", 1000, "Ann"), line(8, "Ann", 1030, "Ann"), line(GO_BACK, "", 1040)]
    played += [line(NEW_SEED, "", 1050, "Ann"), line(TAKE_BACK, "Ann", 1060, "Ann")]
    assert seconds_left(FISCHER, 1060, *played) == {"Ann": 50, "Ben": 100}


def test_each_turn_has_its_days() -> None:
    played = [line(7, "Ann", 0, "Ben"), line(8, "Ben", DAY // 2, "Ben")]
    assert seconds_left(DAYS, DAY // 2 + 10, *played)["Ben"] == DAY // 2 - 10
    played += [line(9, "Ben", DAY // 2 + 10, "Ann"), line(10, "Ann", DAY, "Ben")]
    assert seconds_left(DAYS, DAY + 5, *played)["Ben"] == DAY - 5
    assert seconds_left(DAYS, 3 * DAY, *played)["Ben"] == 0


# ------------------------------------------------------------------ over HTTP
def game_with(client: object, clock: dict | None, **more: object) -> dict:
    return new_game(client, seed=None, clock=clock, **more)[1]


def let_pass(folder: Path, seconds: int) -> None:
    """Make all that a log tells so many seconds older."""
    with sqlite3.connect(folder / "tables.db") as connection:
        connection.execute("update action set instant = instant - ?", (seconds * 1000,))


@pytest.mark.parametrize(
    "clock",
    [
        {},
        {"seconds": 0},
        {"seconds": 60, "days": 1},
        {"seconds": -1},
        {"seconds": 60, "increment": -1},
        {"days": 366},
        {"seconds": 10**9},
    ],
)
def test_a_clock_that_makes_no_sense_is_refused(client, clock: dict) -> None:
    body = {"ruleset": "connect-four-1.0", "scenario": "empty-board", "clock": clock}
    answer = client.post("/api/games", json=body)
    assert (answer.status_code, "a clock has" in answer.text) == (400, True)


def test_everybody_is_told_the_times_and_a_game_without_a_clock_has_none(client) -> None:
    seats = game_with(client, {"seconds": 60, "increment": 2})
    seats["Red"].play(0, "Red: a1")
    for seat in seats.values():
        clock = seat.state()["clock"]
        assert clock["running"] == ["Yellow"]
        assert clock["left"]["Red"] == 62_000
        assert 40_000 < clock["left"]["Yellow"] <= 60_000
    assert game_with(client, None)[None].state()["clock"] is None


def test_a_game_is_claimed_when_the_time_of_the_other_is_out(tmp_path: Path) -> None:
    with client_on(url_in(tmp_path)) as first:
        seats = game_with(first, {"seconds": 60})
        seats["Red"].play(0, "Red: a1")
        assert seats["Red"].post("/claim", {"number": 1}).status_code == 403
    let_pass(tmp_path, 61)
    with client_on(url_in(tmp_path)) as second:
        for seat in seats.values():
            seat.client = second
        assert seats[None].state()["clock"]["left"]["Yellow"] == 0
        assert seats["Yellow"].post("/claim", {"number": 1}).status_code == 403
        assert seats[None].post("/claim", {"number": 1}).status_code == 401
        assert seats[None].get("/record").status_code == 403
        state = seats["Red"].post("/claim", {"number": 1}).json()

        told = "Red claims the game: the time of Yellow is out."
        assert (state["is_over"], state["outcome"], state["view"]["to_move"]) == (True, told, [])
        assert seats["Yellow"].play(2, "Yellow: b1").status_code == 403
        assert seats["Red"].post("/claim", {"number": 2}).status_code == 403
        record = seats[None].get("/record").text
        assert f"# {told}" in record
        assert hr.records.verify(record, hr.load("connect-four-1.0")).is_sound
        french = SeatClient(second, seats[None].path.rpartition("/")[2], None, "fr").state()
        assert french["outcome"] == "Rouge réclame la partie : le temps de Jaune est écoulé."


def test_who_never_makes_the_first_move_is_late_when_the_clock_was_started(tmp_path: Path) -> None:
    with client_on(url_in(tmp_path)) as client:
        seats = game_with(client, {"days": 1})
        assert seats["Yellow"].post("/claim", {"number": 0}).status_code == 403
        assert seats[None].post("/start-clock", {"number": 0}).status_code == 401
        state = seats["Yellow"].post("/start-clock", {"number": 0}).json()
        assert (state["clock"]["running"], state["number"]) == (["Red"], 1)
        assert state["doings"][-1]["text"] == "Yellow starts the clock."
        assert seats["Yellow"].post("/start-clock", {"number": 1}).status_code == 403
        assert seats["Yellow"].post("/claim", {"number": 1}).status_code == 403
    let_pass(tmp_path, DAY + 1)
    with client_on(url_in(tmp_path)) as client:
        seats["Yellow"].client = client
        state = seats["Yellow"].post("/claim", {"number": 1}).json()
        assert (state["is_over"], state["outcome"]) == (
            True,
            "Yellow claims the game: the time of Red is out.",
        )


def test_a_clock_is_started_once_and_before_the_first_action(client) -> None:
    without, played = game_with(client, None), game_with(client, {"seconds": 60})
    assert without["Red"].post("/start-clock", {"number": 0}).status_code == 403
    assert played["Red"].play(0, "Red: a1").status_code == 200
    assert played["Yellow"].post("/start-clock", {"number": 1}).status_code == 403


def test_who_is_late_may_still_play_until_the_game_is_claimed(tmp_path: Path) -> None:
    with client_on(url_in(tmp_path)) as first:
        seats = game_with(first, {"days": 1})
        seats["Red"].play(0, "Red: a1")
    let_pass(tmp_path, 2 * DAY)
    with client_on(url_in(tmp_path)) as second:
        for seat in seats.values():
            seat.client = second
        assert seats["Yellow"].play(1, "Yellow: b1").status_code == 200
        assert seats["Red"].post("/claim", {"number": 2}).status_code == 403
        assert seats[None].state()["clock"]["running"] == ["Red"]


def test_a_bot_has_no_time_and_nobody_waits_for_its_clock(client) -> None:
    seats = game_with(client, {"seconds": 60}, bots={"Yellow": "random"})
    seats["Red"].play(0, "Red: a1")
    clock = seats["Red"].state()["clock"]
    assert set(clock["left"]) == {"Red"}


def test_a_clock_outlives_the_process_and_never_goes_back(tmp_path: Path) -> None:
    with client_on(url_in(tmp_path)) as first:
        seats = game_with(first, {"seconds": 600})
        seats["Red"].play(0, "Red: a1")
    let_pass(tmp_path, -3600)  # as if the clock of the machine was set back by an hour
    with client_on(url_in(tmp_path)) as second:
        for seat in seats.values():
            seat.client = second
        assert seats[None].state()["clock"]["left"] == {"Red": 600_000, "Yellow": 600_000}
        seats["Yellow"].play(1, "Yellow: b1")
    with sqlite3.connect(tmp_path / "tables.db") as connection:
        instants = [i for (i,) in connection.execute("select instant from action order by number")]
    assert instants == sorted(instants)


def test_clocks_tell_nothing_of_secret_choices(client) -> None:
    """Two games that differ in a secret choice tell the same of their clocks, but for the moment."""
    heard = []
    for card in ("Move 2", "Pillage"):
        clock = {"seconds": 600, "increment": 5}
        _, seats = new_game(client, "hots-4.0", "braveheart", clock=clock)
        england, scotland = seats["England"], seats["Scotland"]
        assert england.play(0, f"England: play {card}").status_code == 200
        answers = [
            scotland.get(),
            scotland.post("/claim", {"number": 1}),
            scotland.post("/ask-back", {"number": 1, "plays": 0}),
            england.post("/answer", {"number": 2, "agrees": True}),
        ]
        told = answers[0].text + answers[1].text + answers[2].text + scotland.get().text
        heard.append(re.sub(r'"left":\{[^}]*\}', "", told))

    assert heard[0] == heard[1]

"""Snapshots beside the log of a table: games open from them, the log is the truth, and idle games leave the memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from time import process_time

import pytest

from tests.needs import needs

needs("litestar")
needs("httpx")

import hots_rules as hr
from hots_rules.observe.information_state import last_decision
from hots_rules.web.games.open_from_log import continued, opened, replayed, snapshot_of
from hots_rules.web.storage.rows import GO_BACK, NEW_SEED, TAKE_BACK, ActionRow, GameRow
from tests.records.test_snapshots import observed, told
from tests.table.tables import SeatClient, client_on, new_game, url_in

OPENING = 0.02  # seconds of the processor to open a long game


class Played:
    """A game that was played at a table, with the keys of its seats."""

    def __init__(
        self, folder: Path, ruleset: str, scenario: str, lines: int, back_at: tuple[int, ...] = ()
    ) -> None:
        self.folder = folder
        with client_on(url_in(folder)) as client:
            self.game, seats = new_game(client, ruleset, scenario)
            self.keys = {
                player: seat.headers.get("Authorization", "Bearer ")[7:] or None
                for player, seat in seats.items()
            }
            self._play(client, seats, lines, back_at)
            self.in_memory = self.answers(client)

    def _play(self, client: object, seats: dict, lines: int, back_at: tuple[int, ...]) -> None:
        random, back = Random(3), list(back_at)
        while True:
            state = seats[None].get(board=False).json()
            number, plays = state["number"], state["view"]["plays"]
            if state["is_over"] or number >= lines:
                assert not back
                return
            player = state["view"]["to_move"][0]
            if back and number >= back[0]:
                back.pop(0)
                self._go_back(seats, player, number, plays - 5)
                continue
            actions = seats[player].get(board=False).json()["view"]["actions"]
            answer = seats[player].play(number, random.choice(actions)["text"])
            assert answer.status_code == 200
            if number % 7 == 2:
                seats[player].post("/undo", {"number": number + 1})

    def _go_back(self, seats: dict, player: str, number: int, plays: int) -> None:
        state = seats[player].post("/ask-back", {"number": number, "plays": plays}).json()
        for line, other in enumerate(state["question"]["waiting"], number + 1):
            answer = seats[other].post("/answer", {"number": line, "agrees": True})
            assert answer.status_code == 200

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


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("ruleset", "scenario", "lines", "back_at"),
    [
        ("hots-4.0", "braveheart", 20, ()),
        ("goofspiel-1.0", "full-hands", 100, ()),
        ("lords-of-scotland", "3-players", 20, ()),
        ("hots-4.0", "braveheart", 40, (9, 22)),
        ("backgammon-1.0", "opening", 40, (12, 30)),
    ],
)
def test_a_game_from_a_snapshot_is_answered_as_one_from_the_log(
    tmp_path: Path, ruleset: str, scenario: str, lines: int, back_at: tuple[int, ...]
) -> None:
    played = Played(tmp_path, ruleset, scenario, lines, back_at)
    number, _ = played.snapshot()
    assert number >= 16
    from_snapshot = played.opened_anew()
    with played.database() as connection:
        connection.execute("delete from snapshot")
    from_log = played.opened_anew()

    assert from_snapshot == from_log == played.in_memory


@pytest.mark.thorough
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
        "old format": (number, text.replace("snapshot 3", "snapshot 2")),
    }[damage]
    with played.database() as connection:
        connection.execute("update snapshot set number = ?, text = ?", changed)

    assert played.opened_anew() == played.in_memory


@pytest.mark.thorough
def test_a_log_that_differs_from_the_snapshot_is_the_truth(tmp_path: Path) -> None:
    played = Played(tmp_path, "breakthrough-1.0", "two-ranks", 20)
    with played.database() as connection:
        connection.execute("delete from action where number >= 10")
    with client_on(url_in(tmp_path)) as client:
        assert SeatClient(client, played.game, None).state()["number"] == 10


class Log:
    """A log with its game, played at random."""

    def __init__(self, ruleset: str, scenario: str) -> None:
        rules = hr.load(ruleset)
        self.row = GameRow("0" * 16, ruleset, rules.content_hash, scenario, "{}", "1297")
        self.actions: list[ActionRow] = []
        self.game, self.random = replayed(self.row, ()), Random(1)

    def add(self, *lines: ActionRow) -> None:
        self.actions += lines
        self.game = continued(self.game, lines)

    def play_until(self, plays: int) -> None:
        while len(self.game.moves) < plays and not self.game.is_over:
            self.add(ActionRow(self.random.choice(self.game.legal_codes), ""))

    def take_back(self) -> None:
        """Take the last action back, if its player may."""
        if max(map(self.game.undo_limit, self.game.ruleset.players)) < len(self.game.moves):
            self.add(ActionRow(TAKE_BACK, ""))

    def go_back(self, plays: int) -> None:
        """Go back by a number of plays, to a moment that does not wait for chance."""
        plays = max(len(self.game.moves) - plays, 0)
        moment = self.game.back(len(self.game.moves) - plays)
        while moment.to_move == ("chance",):
            moment = moment.back()
        self.add(ActionRow(GO_BACK, "", plays=len(moment.moves)))
        self.add(ActionRow(NEW_SEED, f"after line {len(self.actions)}"))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("ruleset", "scenario"),
    [
        ("hots-4.0", "braveheart"),
        ("lords-of-scotland", "2-players"),
        ("dominoes-1.0", "full-bag"),
        ("backgammon-1.0", "opening"),
    ],
)
def test_a_game_that_went_back_is_the_same_from_its_snapshot(ruleset: str, scenario: str) -> None:
    """At every kind of moment: before the next seed is known, after it, after what was taken back, and later."""
    log = Log(ruleset, scenario)
    log.play_until(12)
    log.go_back(9)
    log.play_until(25)
    log.take_back()
    log.play_until(30)
    log.go_back(6)
    log.play_until(40)
    backs = [number for number, line in enumerate(log.actions) if line.code == GO_BACK]
    for number in (*(at + more for at in backs for more in (1, 2, 9)), len(log.actions)):
        known = log.actions[:number]
        expected = replayed(log.row, known)
        kept = snapshot_of(expected, known)
        assert kept == snapshot_of(opened(log.row, known, kept), known)
        for actions in (known, log.actions):
            game, expected = opened(log.row, actions, kept), replayed(log.row, actions)
            assert game == expected
            for viewer in range(-1, len(game.ruleset.players)):
                assert observed(game, viewer) == observed(expected, viewer)
                assert last_decision(game, viewer) == last_decision(expected, viewer)
    assert told(game) == told(expected)


def test_a_snapshot_of_a_game_with_other_seeds_or_moments_is_not_used() -> None:
    log = Log("backgammon-1.0", "opening")
    log.play_until(20)
    log.go_back(8)
    log.play_until(30)
    kept = snapshot_of(log.game, log.actions)
    back = next(number for number, line in enumerate(log.actions) if line.code == GO_BACK)
    for other in (
        (ActionRow(GO_BACK, "", plays=log.actions[back].plays - 3), log.actions[back + 1]),
        (log.actions[back], ActionRow(NEW_SEED, "another")),
    ):
        actions = [*log.actions[:back], *other]
        game = replayed(log.row, actions)
        while len(actions) < len(log.actions):
            actions.append(ActionRow(game.legal_codes[0], ""))
            game = continued(game, actions[-1:])
        assert opened(log.row, actions, kept) == game != log.game


@pytest.mark.thorough
@pytest.mark.parametrize("has_gone_back", [False, True])
@pytest.mark.parametrize("plays", [68, 216, 400])
def test_a_long_game_opens_without_a_replay(plays: int, has_gone_back: bool) -> None:
    """A game with the view of a seat, in the time of the processor."""
    log = Log("hots-4.0", "braveheart")
    log.play_until(20)
    if has_gone_back:
        log.go_back(10)
    log.play_until(plays - 12)
    kept = snapshot_of(log.game, log.actions)
    log.play_until(plays)
    times = []
    for _ in range(7):
        begun = process_time()
        again = opened(log.row, log.actions, kept)
        view = again.view("England")
        times.append(process_time() - begun)
        assert view == log.game.view("England")
    assert again == log.game
    assert min(times[1:]) < OPENING


def test_an_idle_game_leaves_the_memory_and_comes_back(tmp_path: Path) -> None:
    with client_on(url_in(tmp_path)) as client:
        game, seats = new_game(client, "connect-four-1.0", "empty-board")
        assert seats["Red"].play(0, "Red: a1").status_code == 200
        before, open_games = seats["Yellow"].get().content, client.app.state.open_games
        with client.portal() as portal:
            portal.call(open_games.forget_idle, 0.0)
        assert game not in open_games._open
        assert seats["Yellow"].get().content == before
        assert seats["Yellow"].play(1, "Yellow: b1").status_code == 200
        with client.portal() as portal:
            portal.call(open_games.forget_idle, 3600.0)
        assert game in open_games._open

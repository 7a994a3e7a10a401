"""Seats that are claimed: who sits down by a link, on which devices, and how a lost seat is given anew."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.needs import needs

needs("httpx")
needs("litestar")

from hots_rules.web.bodies import NewGame
from hots_rules.web.events.change_feed import SEATS, Change
from hots_rules.web.games import seating
from hots_rules.web.games.open_games import OpenGames
from hots_rules.web.storage.store import Store
from tests.table.tables import SeatClient, SlowReading, client_on, url_in

GAME = {"ruleset": "connect-four-1.0", "scenario": "empty-board"}
KEY = "0123456789abcdef" * 2


class OpenedGame:
    """A game whose seats are claimed by those who open its links."""

    def __init__(self, client: object, **more: object) -> None:
        made = client.post("/api/games", json={**GAME, **more}).json()
        self.client, self.name, self.links = client, made["game"], made["keys"]

    def by(self, key: str | None) -> SeatClient:
        return SeatClient(self.client, self.name, key)

    def sit(self, player: str) -> SeatClient:
        """The seat of a player whose link is opened."""
        return self.trade(self.links[player])

    def trade(self, link: str) -> SeatClient:
        key = secrets.token_hex(16)
        answer = self.by(link).post("/seat", {"key": key})
        assert answer.status_code == 200, answer.text
        return self.by(key)

    def seating(self) -> dict:
        return self.by(None).state()["seating"]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[object]:
    with client_on(url_in(tmp_path)) as made:
        yield made


# ------------------------------------------------------------------ claiming
def test_the_key_of_a_link_opens_no_seat_before_and_after_it_was_traded(client) -> None:
    game = OpenedGame(client)
    link = game.by(game.links["Red"])
    assert (link.get().status_code, link.get().json()["kind"]) == (401, "Unclaimed")
    red = game.sit("Red")
    assert red.state()["seat"] == "Red"
    assert red.play(0, "Red: a1").status_code == 200
    assert (link.get().status_code, link.get().json()["kind"]) == (401, "SeatTaken")
    for what, body in (("/actions", {"number": 1, "action": "Red: a1"}), ("/key", {})):
        assert link.post(what, body).status_code == 401


def test_to_ask_with_the_key_of_a_link_claims_nothing(client) -> None:
    game = OpenedGame(client)
    link = game.by(game.links["Red"])
    for what in ("", "/seats", "/messages", "/note", "/shares", "/moments/0", "/seat"):
        link.get(what)
    told = link.get("/seats").json()

    assert (told["seat"], told["is_link"], told["claimed"]) == ("Red", True, [])
    assert game.sit("Red").state()["seat"] == "Red"


def test_everybody_is_told_who_has_sat_down(client) -> None:
    game = OpenedGame(client)
    assert game.seating() == {"claims": True, "claimed": [], "lost": []}
    yellow = game.sit("Yellow")
    assert game.seating()["claimed"] == ["Yellow"]
    assert yellow.state()["seating"] == game.seating()
    game.sit("Red")
    assert sorted(game.seating()["claimed"]) == ["Red", "Yellow"]


def test_a_claim_whose_answer_was_lost_is_sent_again(client) -> None:
    game = OpenedGame(client)
    key = secrets.token_hex(16)
    answers = [game.by(game.links["Red"]).post("/seat", {"key": key}) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json() == answers[1].json()
    assert game.by(key).state()["seat"] == "Red"


def test_who_opens_a_link_second_is_told_that_the_seat_is_taken(client) -> None:
    game = OpenedGame(client)
    game.sit("Red")
    late = game.by(game.links["Red"]).post("/seat", {"key": secrets.token_hex(16)})

    assert (late.status_code, late.json()["kind"]) == (401, "SeatTaken")
    assert "another browser has sat down by this link of Red" in late.json()["message"]


def test_claims_outlive_the_process(tmp_path: Path) -> None:
    with client_on(url_in(tmp_path)) as first:
        game = OpenedGame(first)
        red = game.sit("Red")
        key = red.headers["Authorization"][7:]
    with client_on(url_in(tmp_path)) as second:
        assert SeatClient(second, game.name, key).state()["seat"] == "Red"
        assert SeatClient(second, game.name, game.links["Red"]).get().status_code == 401
        assert SeatClient(second, game.name, None).state()["seating"]["claimed"] == ["Red"]


def claimed_while(tmp_path: Path, monkeypatch, reading: str, work: str) -> str | None:
    """The seat that its new key opens at once, if it is claimed while the store is read, and for long."""

    async def play() -> str | None:
        store = Store.at(url_in(tmp_path))
        open_games = OpenGames(store)
        await open_games.begin()
        name, links = await open_games.create(NewGame("connect-four-1.0", "empty-board"))
        if work != "open":
            await open_games.open(name)
        slow = SlowReading(getattr(store, reading))
        monkeypatch.setattr(Store, reading, staticmethod(slow))
        arguments = {"open": [name], "_hear_of": [Change("another", SEATS, name)]}[work]
        beside = asyncio.create_task(getattr(open_games, work)(*arguments))
        await slow.has_read.wait()
        table = await seating.Seating.of(open_games, name)
        claim = asyncio.create_task(table.sit_down(links["Red"], KEY))
        await asyncio.wait([claim], timeout=0.2)
        slow.may_go.set()
        await asyncio.gather(beside, claim)
        seat = (await open_games.open(name)).seat(KEY)
        await open_games.end()
        return seat

    return asyncio.run(play())


def test_a_seat_is_claimed_while_its_game_is_opened(tmp_path, monkeypatch) -> None:
    """To read a game takes long when its ruleset is loaded first: it was opened with the seats from before then."""
    assert claimed_while(tmp_path, monkeypatch, "read_all", "open") == "Red"


def test_a_seat_is_claimed_while_the_claim_of_another_process_is_read(
    tmp_path, monkeypatch
) -> None:
    assert claimed_while(tmp_path, monkeypatch, "read_seats", "_hear_of") == "Red"


def test_a_game_without_claims_keeps_its_keys_and_tells_everybody(client) -> None:
    game = OpenedGame(client, claim=False)
    seats = [game.by(key) for key in (*game.links.values(), None)]
    for seat in seats:
        assert seat.state()["seating"] == {"claims": False, "claimed": [], "lost": []}
        assert seat.get("/seats").json()["claims"] is False
    assert seats[0].post("/seat", {"key": secrets.token_hex(16)}).status_code == 401
    assert seats[0].post("/device", {}).status_code == 403
    assert seats[0].state()["seat"] == "Red"


def test_seats_are_claimed_before_shares_are_given(client) -> None:
    game = OpenedGame(client, shares=True)
    commitment = {"commitment": "0" * 64}
    assert game.by(game.links["Red"]).post("/commitment", commitment).status_code == 401
    red = game.sit("Red")
    assert game.by(None).get("/seats").json()["claimed"] == ["Red"]
    assert red.post("/commitment", commitment).status_code == 204


# ------------------------------------------------------------------ other devices
def test_a_seat_makes_a_link_for_another_device(client) -> None:
    game = OpenedGame(client)
    first = game.sit("Red")
    link = first.post("/device", {}).json()["key"]
    assert game.by(link).get().status_code == 401
    second = game.trade(link)
    assert first.play(0, "Red: a1").status_code == 200
    assert second.state()["seat"] == "Red"
    assert game.by(link).get().json()["kind"] == "SeatTaken"


def test_a_newer_link_for_a_device_takes_the_place_of_an_older_one(client) -> None:
    game = OpenedGame(client)
    first = game.sit("Red")
    older, newer = (first.post("/device", {}).json()["key"] for _ in range(2))
    assert game.by(older).post("/seat", {"key": secrets.token_hex(16)}).status_code == 401
    assert game.trade(newer).state()["seat"] == "Red"


def test_a_changed_key_ends_all_devices_and_links(client) -> None:
    game = OpenedGame(client)
    first = game.sit("Red")
    second = game.trade(first.post("/device", {}).json()["key"])
    link = first.post("/device", {}).json()["key"]
    third = game.by(second.post("/key", {}).json()["key"])
    assert third.state()["seat"] == "Red"
    for ended in (first, second, game.by(link)):
        assert ended.get().status_code == 401


def test_a_seat_has_only_so_many_devices(client) -> None:
    game = OpenedGame(client)
    red = game.sit("Red")
    for _ in range(seating.MAX_DEVICES - 1):
        game.trade(red.post("/device", {}).json()["key"])
    link = red.post("/device", {}).json()["key"]
    assert game.by(link).post("/seat", {"key": secrets.token_hex(16)}).status_code == 400


# ------------------------------------------------------------------ lost seats
@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Hours that are added to what every instant is."""
    hours = [0]
    for module in ("storage.keys", "storage.seats", "games.seating"):
        monkeypatch.setattr(
            f"hots_rules.web.{module}.now", lambda: 10**12 + hours[0] * seating._HOUR
        )
    return hours


def ask(seat: SeatClient, player: str) -> str:
    key = secrets.token_hex(16)
    answer = seat.post("/lost-seat", {"player": player, "key": key})
    assert answer.status_code == 200, answer.text
    return key


def answered(seat: SeatClient, player: str, agrees: bool) -> int:
    return seat.post("/lost-seat/answer", {"player": player, "agrees": agrees}).status_code


def test_a_lost_seat_is_given_anew_with_consent_when_its_holder_has_not_refused(
    client, clock
) -> None:
    game = OpenedGame(client)
    old, yellow = game.sit("Red"), game.sit("Yellow")
    key = ask(game.by(None), "Red")
    (lost,) = old.state()["seating"]["lost"]
    assert (lost["player"], lost["agreed"], len(lost["code"])) == ("Red", "", 6)
    assert game.by(key).get().status_code == 401
    assert answered(yellow, "Red", True) == 200
    assert [lost["agreed"] for lost in old.state()["seating"]["lost"]] == ["Yellow"]
    clock[0] = seating.HOURS_TO_REFUSE - 1
    assert (game.by(key).get().status_code, old.get().status_code) == (401, 200)
    clock[0] = seating.HOURS_TO_REFUSE + 1
    assert game.by(key).state()["seat"] == "Red"
    assert old.get().status_code == 401
    assert game.seating() == {"claims": True, "claimed": ["Red", "Yellow"], "lost": []}


def test_the_holder_of_a_seat_refuses_that_it_is_given_anew(client, clock) -> None:
    game = OpenedGame(client)
    old, yellow = game.sit("Red"), game.sit("Yellow")
    key = ask(game.by(None), "Red")
    assert answered(yellow, "Red", True) == 200
    assert answered(old, "Red", False) == 200
    clock[0] = 1000
    assert game.by(key).get().status_code == 401
    assert old.state()["seat"] == "Red"
    assert game.seating()["lost"] == []


def test_without_consent_a_seat_is_not_given_anew(client, clock) -> None:
    game = OpenedGame(client)
    game.sit("Red"), game.sit("Yellow")
    key = ask(game.by(None), "Red")
    clock[0] = 1000
    assert game.by(key).get().status_code == 401
    assert game.seating()["lost"] == []
    ask(game.by(None), "Red")


def test_who_asks_for_a_seat_does_not_consent_to_it(client) -> None:
    game = OpenedGame(client, ruleset="lords-of-scotland", scenario="3-players", settings={})
    first, second, third = game.links
    seats = {player: game.sit(player) for player in game.links}
    ask(seats[first], second)
    assert answered(seats[first], second, True) == 403
    assert answered(seats[second], second, True) == 403
    assert answered(game.by(None), second, True) == 401
    assert answered(seats[third], second, True) == 200


def test_in_a_game_of_two_nobody_gets_the_seat_of_the_other_by_asking_as_oneself(client) -> None:
    game = OpenedGame(client)
    yellow = game.sit("Yellow")
    body = {"player": "Red", "key": secrets.token_hex(16)}
    refused = yellow.post("/lost-seat", body)
    assert (refused.status_code, "who could consent" in refused.text) == (403, True)
    assert yellow.post("/lost-seat", {**body, "player": "Yellow"}).status_code == 403
    assert yellow.post("/lost-seat", {**body, "player": "Blue"}).status_code == 422


def test_one_asks_for_a_seat_at_a_time(client) -> None:
    game = OpenedGame(client)
    red, yellow = game.sit("Red"), game.sit("Yellow")
    ask(game.by(None), "Red")
    body = {"player": "Red", "key": secrets.token_hex(16)}
    assert game.by(None).post("/lost-seat", body).status_code == 403
    assert answered(yellow, "Red", False) == 200
    ask(game.by(None), "Red")
    assert red.state()["seating"]["lost"]


def test_a_link_that_comes_late_takes_its_seat_from_who_asks_for_it(client, clock) -> None:
    game = OpenedGame(client)
    yellow = game.sit("Yellow")
    key = ask(game.by(None), "Red")
    assert answered(yellow, "Red", True) == 200
    red = game.sit("Red")
    clock[0] = 1000
    assert (red.state()["seat"], game.by(key).get().status_code) == ("Red", 401)


@pytest.mark.parametrize("key", ["", "0" * 31, "0" * 33, "g" * 32, "A" * 32, "é"])
def test_a_key_of_another_form_is_refused(client, key: str) -> None:
    game = OpenedGame(client)
    game.sit("Yellow")
    assert game.by(game.links["Red"]).post("/seat", {"key": key}).status_code == 400
    asked = game.by(None).post("/lost-seat", {"player": "Red", "key": key})
    assert asked.status_code == 400
    assert game.sit("Red").state()["seat"] == "Red"


def test_a_key_that_is_in_use_is_refused(client) -> None:
    game = OpenedGame(client)
    yellow = game.sit("Yellow").headers["Authorization"][7:]
    for used in (yellow, game.links["Red"], game.links["Yellow"]):
        assert game.by(game.links["Red"]).post("/seat", {"key": used}).status_code == 400
    assert game.seating()["claimed"] == ["Yellow"]


# ------------------------------------------------------------------ what strangers may try
def test_an_answer_about_nobody_is_refused_and_the_table_goes_on(client) -> None:
    game = OpenedGame(client)
    red = game.sit("Red")
    answer = red.post("/lost-seat/answer", {"player": "Blue", "agrees": True})
    assert (answer.status_code, answer.json()["kind"]) == (422, "UnknownName")
    assert OpenedGame(client).sit("Red").state()["seat"] == "Red"


def test_work_in_a_transaction_that_ends_an_iteration_ends_no_table(tmp_path: Path) -> None:
    async def work() -> None:
        store = Store.at(url_in(tmp_path))
        await store.open()
        for doing in (store.reading, store.writing, store.writing):
            with pytest.raises(RuntimeError, match="StopIteration"):
                await asyncio.wait_for(doing(lambda connection: next(iter(()))), 20)
        await store.close()

    asyncio.run(work())


def test_a_seat_has_a_number_of_links_in_all(client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seating, "MAX_LINKS_USED", 3)
    game = OpenedGame(client)
    red = game.sit("Red")
    for _ in range(2):
        game.trade(red.post("/device", {}).json()["key"])
        red = game.by(red.post("/key", {}).json()["key"])
    assert red.post("/device", {}).status_code == 403
    assert red.state()["seat"] == "Red"

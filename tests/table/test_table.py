"""The table over HTTP: seats, secrets, the log that outlives the process, and what is refused."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import socket
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random
from threading import Timer

import pytest
from attrs import evolve

import hots_rules as hr
from hots_rules._translate import translator
from hots_rules.cli import main
from tests.needs import needs

httpx = needs("httpx")
needs("litestar")

from litestar.testing import TestClient

from hots_rules.web.answering import seat as answers
from hots_rules.web.application import make_app
from hots_rules.web.games.bots import OWN_KINDS
from hots_rules.web.operation import Operation
from hots_rules.web.page_texts import words_of_the_pages
from hots_rules.web.refusals import CannotServe
from hots_rules.web.storage.store import Store
from tests.table.tables import SeatClient, client_on, new_game, served, url_in

# A thread that fails after its event loop is closed fails the test.
pytestmark = pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
STATIC = Path(hr.__file__).parent / "web" / "static"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[object]:
    with client_on(url_in(tmp_path)) as made:
        yield made


# ------------------------------------------------------------------ a game
@pytest.mark.thorough
def test_two_seats_play_a_game_to_its_end(client) -> None:
    game, seats = new_game(client, "breakthrough-1.0", "two-ranks")
    random, state = Random(7), seats[None].state()
    while not state["is_over"]:
        (player,) = state["view"]["to_move"]
        offered = seats[player].state()["view"]["actions"]
        answer = seats[player].play(state["number"], random.choice(offered)["text"])
        assert answer.status_code == 200
        state = seats[None].state()

    assert state["outcome"]
    record = client.get(f"/api/games/{game}/record").text
    replayed = hr.replay(record)
    assert (replayed.is_over, len(replayed.moves)) == (True, state["number"])


def test_a_seat_gets_its_own_view_board_and_actions(client) -> None:
    _, seats = new_game(client, "hots-4.0", "braveheart")
    expected = hr.load("hots-4.0").start("braveheart", seed="1297")
    for player in ("England", "Scotland", None):
        state = seats[player].state()
        view = json.loads(hr.to_json(expected.view(player, since=0)))
        assert {**view, "log": None} == {**state["view"], "log": None}
        assert state["board"] == expected.draw(player, live=True, public=True)
        assert {action["player"] for action in state["view"]["actions"]} <= {player}


def test_a_seat_is_answered_in_its_language(client) -> None:
    game, seats = new_game(client, "hots-4.0", "braveheart")
    french = SeatClient(client, game, seats["Scotland"].headers["Authorization"][7:], "fr")

    assert french.state()["view"]["actions"][0]["text"].startswith("Écosse: jouer")
    assert french.play(0, "Écosse: jouer Mouvement 2").status_code == 200
    assert "n’est pas" in french.play(1, "Écosse: jouer Mouvement 1").json()["message"]


def test_a_game_is_played_under_options_and_readings(tmp_path: Path) -> None:
    body = {"ruleset": "hots-4.0", "scenario": "braveheart"}
    settings = {"schiltroms": True, "battlefield_control": "all_eliminated", "english_bid": 0}
    with client_on(url_in(tmp_path)) as first:
        offered = first.get("/api/rulesets/hots-4.0").json()["settings"]
        defaults = {each["name"]: each["default"] for each in offered}
        assert (defaults["schiltroms"], defaults["battlefield_control"]) == (False, "field_empty")
        assert all(each["default"] in each["values"] for each in offered)
        made = first.post("/api/games", json={**body, "settings": settings}).json()
        for wrong in ({"schiltroms": "much"}, {"no_such": 1}, {"battlefield_control": True}):
            assert first.post("/api/games", json={**body, "settings": wrong}).status_code == 422
    with client_on(url_in(tmp_path)) as second:
        state = SeatClient(second, made["game"], None).state()

    assert state["settings"] == {"schiltroms": True, "battlefield_control": "all_eliminated"}


def test_a_seed_is_128_random_bits(client, tmp_path: Path) -> None:
    body = {"ruleset": "connect-four-1.0", "scenario": "empty-board"}
    for _ in range(2):
        assert client.post("/api/games", json=body).status_code == 201
    kept = {seed for (seed,) in rows(tmp_path, "select seed from game")}

    assert len(kept) == 2
    assert all(re.fullmatch("[0-9a-f]{32}", seed) for seed in kept)


def rows(folder: Path, query: str) -> list[tuple]:
    with sqlite3.connect(folder / "tables.db") as connection:
        return connection.execute(query).fetchall()


# ------------------------------------------------------------------ the log
def test_a_game_is_opened_anew_from_the_log(tmp_path: Path) -> None:
    with client_on(url_in(tmp_path)) as first:
        game, seats = new_game(first, "hots-4.0", "braveheart")
        seats["England"].play(0, "England: play Move 3")
        seats["Scotland"].play(1, "Scotland: play Move 2")
        keys = {p: s.headers.get("Authorization", "")[7:] or None for p, s in seats.items()}
        told = {player: seat.get().content for player, seat in seats.items()}
    with client_on(url_in(tmp_path)) as second:
        again = {p: SeatClient(second, game, key).get().content for p, key in keys.items()}

    assert told == again


@pytest.mark.thorough
def test_a_killed_process_loses_no_action_that_it_acknowledged(tmp_path: Path) -> None:
    played = 0
    made: dict = {}
    for _ in range(3):
        with (
            served(tmp_path) as (process, address),
            httpx.Client(base_url=address, timeout=60) as web,
        ):
            if not made:
                body = {"ruleset": "breakthrough-1.0", "scenario": "two-ranks", "claim": False}
                made = web.post("/api/games", json=body).json()
            seats = {p: SeatClient(web, made["game"], key) for p, key in made["keys"].items()}
            state = next(iter(seats.values())).state()
            assert played == state["number"]
            for _ in range(3):
                (player,) = state["view"]["to_move"]
                offered = seats[player].state()["view"]["actions"]
                answer = seats[player].play(played, offered[0]["text"])
                assert answer.status_code == 200
                state, played = answer.json(), played + 1
            process.kill()

    assert rows(tmp_path, "select count(*) from action") == [(9,)]


def test_of_two_actions_with_one_number_the_second_is_refused(client) -> None:
    _, seats = new_game(client, "connect-four-1.0", "empty-board")
    red = seats["Red"]

    assert red.play(0, "Red: a1").status_code == 200
    assert red.play(0, "Red: b1").status_code == 409
    assert red.state()["number"] == 1


def test_choices_at_the_same_time_count_in_any_order(client) -> None:
    _, seats = new_game(client, "goofspiel-1.0", "full-hands")
    ann, ben = seats["Ann"], seats["Ben"]
    number = ann.state()["number"]

    assert ben.play(number, "Ben: bid 3").status_code == 200
    assert ben.play(number, "Ben: bid 4").status_code == 409
    assert ann.play(number, "Ann: bid 7").status_code == 200
    assert ann.play(number, "Ann: bid 8").status_code == 409
    assert ann.state()["number"] == number + 2

    assert ann.play(number + 1, "Ann: bid 8").status_code == 409  # both have chosen since
    assert ann.play(number + 2, "Ann: bid 8").status_code == 200
    assert ben.play(number, "Ben: bid 4").status_code == 409
    assert ben.play(number + 2, "Ben: bid 4").status_code == 200


def test_choices_at_the_same_time_count_at_two_processes(tmp_path: Path) -> None:
    with client_on(url_in(tmp_path)) as first, client_on(url_in(tmp_path)) as second:
        game, seats = new_game(first, "goofspiel-1.0", "full-hands")
        key = seats["Ben"].headers["Authorization"][7:]
        ben = SeatClient(second, game, key)
        number = ben.state()["number"]
        assert seats["Ann"].play(number, "Ann: bid 7").status_code == 200

        assert ben.play(number, "Ben: bid 3").status_code == 200
        assert ben.state()["number"] == number + 2
        assert seats["Ann"].play(number, "Ann: bid 8").status_code == 409


def test_two_processes_on_one_database_refuse_what_came_second(tmp_path: Path) -> None:
    with client_on(url_in(tmp_path)) as first, client_on(url_in(tmp_path)) as second:
        game, seats = new_game(first, "connect-four-1.0", "empty-board")
        key = seats["Red"].headers["Authorization"][7:]
        other = SeatClient(second, game, key)
        assert other.state()["number"] == 0
        assert seats["Red"].play(0, "Red: a1").status_code == 200

        assert other.play(0, "Red: b1").status_code == 409
        assert other.state()["number"] == 1


@pytest.mark.thorough
def test_a_table_that_is_stopped_ends_its_connections(tmp_path, capfd) -> None:
    with served(tmp_path) as (process, address), httpx.Client(base_url=address, timeout=60) as web:
        _, seats = new_game(web, "connect-four-1.0", "empty-board")
        with web.stream("GET", f"{seats[None].path}/events") as events:
            lines = events.iter_lines()
            assert next(line for line in lines if line.startswith("data: ")) == "data: 0"
            process.send_signal(signal.SIGINT)
            assert [line for line in lines if line] == []  # the end comes without a fault
        process.wait(60)
    assert capfd.readouterr().err == "hots: interrupted\n"


@pytest.mark.thorough
def test_changes_are_told_as_events(tmp_path: Path) -> None:
    with served(tmp_path) as (_, address), httpx.Client(base_url=address, timeout=60) as web:
        _, seats = new_game(web, "connect-four-1.0", "empty-board")
        with web.stream("GET", f"{seats[None].path}/events") as events:
            numbers = (line[6:] for line in events.iter_lines() if line.startswith("data: "))
            assert next(numbers) == "0"
            with httpx.Client(base_url=address, timeout=60) as other:
                seats["Red"].client = other
                seats["Red"].play(0, "Red: a1")
            assert next(numbers) == "1"


# ------------------------------------------------------------------ taking back, and bots
def test_an_action_that_revealed_nothing_is_taken_back(client, tmp_path: Path) -> None:
    _, seats = new_game(client, "hots-4.0", "braveheart")
    england = seats["England"]
    before = england.state()
    england.play(0, "England: play Move 3")
    answer = england.post("/undo", {"number": 1})

    assert answer.status_code == 200
    assert {**before, "number": 2} == answer.json()
    assert england.play(2, "England: play Move 2").status_code == 200
    assert rows(tmp_path, "select code < 0 from action order by number") == [(0,), (1,), (0,)]


def test_what_was_revealed_is_not_taken_back(client) -> None:
    _, seats = new_game(client, "hots-4.0", "braveheart")
    seats["England"].play(0, "England: play Move 3")

    assert seats["Scotland"].post("/undo", {"number": 1}).status_code == 403
    seats["Scotland"].play(1, "Scotland: play Move 2")
    for player in ("England", "Scotland"):
        assert seats[player].post("/undo", {"number": 2}).status_code == 403
    assert seats[None].post("/undo", {"number": 2}).status_code == 401


def test_a_game_with_what_was_taken_back_is_opened_anew(tmp_path: Path) -> None:
    with client_on(url_in(tmp_path)) as first:
        game, seats = new_game(first, "hots-4.0", "braveheart")
        seats["England"].play(0, "England: play Move 3")
        seats["England"].post("/undo", {"number": 1})
        key = seats["England"].headers["Authorization"][7:]
        told = seats["England"].get().content
    with client_on(url_in(tmp_path)) as second:
        assert SeatClient(second, game, key).get().content == told


@pytest.mark.thorough
@pytest.mark.parametrize("kind", OWN_KINDS)
def test_a_bot_plays_when_it_is_its_turn(tmp_path: Path, kind: str) -> None:
    with served(tmp_path) as (_, address), httpx.Client(base_url=address, timeout=60) as web:
        _, seats = new_game(web, seed=None, bots={"Yellow": kind})
        assert set(seats) == {"Red", None}
        red = seats["Red"]
        with web.stream("GET", f"{red.path}/events") as events:
            numbers = (line[6:] for line in events.iter_lines() if line.startswith("data: "))
            assert next(numbers) == "0"
            with httpx.Client(base_url=address, timeout=60) as red.client:
                red.play(0, "Red: a1")
                assert next(numbers) == "1"
                assert next(numbers) == "2"
                assert red.state()["view"]["to_move"] == ["Red"]


def test_a_bot_that_there_is_not_is_refused(client) -> None:
    body = {"ruleset": "connect-four-1.0", "scenario": "empty-board"}
    for bots in ({"Yellow": "clever"}, {"Nobody": "random"}):
        assert client.post("/api/games", json={**body, "bots": bots}).status_code == 422


def test_the_policy_that_was_tuned_for_a_player_is_its_first_bot(client) -> None:
    offered = client.get("/api/rulesets/hots-4.0").json()["bots"]
    assert ["english-attack", "scottish-attack", *OWN_KINDS] == [
        each["kind"] for each in offered["England"]
    ]
    assert "scottish-attack" == offered["Scotland"][0]["kind"]
    assert offered["England"][0]["text"].startswith("english-attack: Attacks with 1.8 times")
    french = client.get("/api/rulesets/connect-four-1.0?language=fr").json()["bots"]["Red"]
    assert {"kind": "random", "text": "Un robot qui joue au hasard"} in french


def test_a_game_says_who_plays_and_how(client) -> None:
    bots = {"England": "english-attack"}
    _, seats = new_game(client, "hots-4.0", "braveheart", None, bots=bots)
    state = seats["Scotland"].state()
    assert {"England": "english-attack", "Scotland": ""} == state["sitting"]
    assert ["England"] == list(state["bots"])
    assert "retreats at one step" in state["bots"]["England"]


def test_a_policy_is_no_bot_of_another_ruleset(client) -> None:
    body = {"ruleset": "connect-four-1.0", "scenario": "empty-board"}
    assert (
        422
        == client.post("/api/games", json={**body, "bots": {"Red": "english-attack"}}).status_code
    )


# ------------------------------------------------------------------ secrets
def test_games_that_differ_in_what_a_seat_may_not_know_answer_it_alike(client) -> None:
    """England's card is secret until both are chosen: every byte that Scotland gets is the same."""
    heard = []
    for card in ("Move 2", "Pillage"):
        _, seats = new_game(client, "hots-4.0", "braveheart")
        assert seats["England"].play(0, f"England: play {card}").status_code == 200
        heard.append([answer.content for answer in asked_by(seats["Scotland"])])
        heard[-1] += [answer.content for answer in asked_by(seats[None])]

    assert heard[0] == heard[1]


def asked_by(seat: SeatClient) -> list:
    """What a seat is answered to all that it may ask, errors included."""
    why = ("England: play Move 2", "England: play Pillage", "Move 2", "what has England played")
    return [
        seat.get(),
        seat.get(since=0),
        seat.get("/record"),
        seat.play(7, "Scotland: play Move 2"),
        seat.play(1, "England: play Move 2"),
        seat.play(1, "Scotland: play Move 3"),
        *(seat.post("/why-not", {"words": words}) for words in why),
    ]


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.nightly)])
def test_worlds_that_a_seat_cannot_tell_apart_answer_it_alike(seed: int) -> None:
    """Over a game, another arrangement of what is hidden changes nothing that a seat is told."""
    random = Random(seed)
    game = hr.load("hots-4.0").start("braveheart", seed=seed)
    compared = 0
    while not game.is_over and len(game.moves) < 120:
        game = game.play(random.choice(game.actions))
        if len(game.moves) % 15 == 0 and not game.is_over:
            without_last_play = evolve(game, previous=None)  # a world has none, so no arrow
            for player in (*game.ruleset.players, None):
                (world,) = game.worlds(player, 1, seed=seed)
                assert seen(world, player) == seen(without_last_play, player)
                compared += world.state != game.state
    assert compared > 10


def seen(game: hr.Game, player: str | None) -> str:
    """What a seat is sent, without its log: a world has no plays before it."""
    state = answers.state_of(game, player, since=10_000)
    return json.dumps({**state, "log_since": 0}, sort_keys=True)


def test_a_record_is_not_given_before_the_end(client) -> None:
    _, seats = new_game(client, "hots-4.0", "braveheart")

    for seat in seats.values():
        answer = seat.get("/record")
        assert (answer.status_code, "1297" in answer.text) == (403, False)


def test_keys_are_kept_as_digests(client, tmp_path: Path) -> None:
    _, seats = new_game(client, "connect-four-1.0", "empty-board")
    kept = str(rows(tmp_path, "select * from seat"))

    for player in ("Red", "Yellow"):
        key = seats[player].headers["Authorization"][7:]
        assert re.fullmatch("[0-9a-f]{32}", key)
        assert key not in kept


def test_a_key_that_was_changed_opens_nothing_any_more(client, tmp_path: Path) -> None:
    game, seats = new_game(client, "connect-four-1.0", "empty-board")
    key = seats["Red"].post("/key", {}).json()["key"]

    assert seats["Red"].get().status_code == 401
    red = SeatClient(client, game, key)
    assert red.state()["seat"] == "Red"
    assert seats["Yellow"].state()["seat"] == "Yellow"
    assert seats[None].post("/key", {}).status_code == 401
    assert key not in str(rows(tmp_path, "select * from seat"))


# ------------------------------------------------------------------ chat and notes
def test_everybody_reads_what_a_seat_says_and_nobody_reads_its_notes(client) -> None:
    _, seats = new_game(client, "connect-four-1.0", "empty-board")
    words = "<b>hello</b> & \u2603"
    assert seats["Red"].post("/messages", {"text": words}).status_code == 201
    assert seats[None].post("/messages", {"text": words}).status_code == 401
    for seat in seats.values():
        assert seat.get("/messages").json() == [{"player": "Red", "text": words}]

    for player in ("Red", "Yellow"):
        assert seats[player].put("/note", {"text": f"of {player}"}).status_code == 200
    assert seats["Red"].put("/note", {"text": "of Red, again"}).status_code == 200
    assert seats["Red"].get("/note").json() == {"text": "of Red, again"}
    assert seats["Yellow"].get("/note").json() == {"text": "of Yellow"}
    assert seats[None].get("/note").status_code == 401


@pytest.mark.parametrize("text", ["", "  \n", "x" * 1001])
def test_a_message_that_is_empty_or_too_long_is_refused(client, text: str) -> None:
    _, seats = new_game(client, "connect-four-1.0", "empty-board")
    assert seats["Red"].post("/messages", {"text": text}).status_code == 422
    assert seats["Red"].get("/messages").json() == []


# ------------------------------------------------------------------ shares of the seed
def test_a_seed_is_not_both_given_and_mixed(client) -> None:
    body = {"ruleset": "connect-four-1.0", "scenario": "empty-board", "shares": True, "seed": "1"}

    refused = client.post("/api/games", json=body)

    assert refused.status_code == 400
    assert "leave `seed` or `shares` out" in refused.text


def test_a_seed_is_mixed_from_shares_that_are_revealed_at_the_end(client, tmp_path: Path) -> None:
    _, seats = new_game(client, seed=None, shares=True)
    secrets = {player: hr.records.new_secret() for player in ("Red", "Yellow")}
    committed = {player: hr.records.commitment(player, own) for player, own in secrets.items()}
    assert seats["Red"].get().status_code == 403
    for player, commitment in committed.items():
        assert seats[player].post("/secret", {"secret": secrets[player]}).status_code == 403
        assert seats[player].post("/commitment", {"commitment": commitment}).status_code == 204
    assert seats["Red"].post("/commitment", {"commitment": committed["Red"]}).status_code == 409
    assert seats["Red"].post("/secret", {"secret": secrets["Yellow"]}).status_code == 422
    for player, own in secrets.items():
        assert seats[player].get("/shares").json()["is_begun"] is False
        assert seats[player].post("/secret", {"secret": own}).status_code == 204

    begun = seats["Red"].get("/shares").json()
    assert (begun["is_begun"], begun["secrets"], begun["seed"]) == (True, {}, "")
    assert seats["Red"].post("/secret", {"secret": secrets["Red"]}).status_code == 403
    play_to_the_end(seats)
    shares = seats[None].get("/shares").json()
    assert {**shares["commitments"], **committed} == shares["commitments"] == begun["commitments"]
    assert {**shares["secrets"], **secrets} == shares["secrets"]
    assert shares["seed"] == hr.records.combine_seeds(shares["secrets"], shares["commitments"])
    assert hr.replay(seats[None].get("/record").text).seed == shares["seed"]


def play_to_the_end(seats: dict) -> None:
    """Red wins in the first column."""
    for number in range(7):
        player = ("Red", "Yellow")[number % 2]
        text = f"{player}: {'ab'[number % 2]}{number // 2 + 1}"
        assert seats[player].play(number, text).status_code == 200


@pytest.mark.parametrize("commitment", ["", "x" * 64, "0" * 63, "0" * 65])
def test_a_malformed_commitment_is_refused(client, commitment: str) -> None:
    _, seats = new_game(client, seed=None, shares=True)
    assert seats["Red"].post("/commitment", {"commitment": commitment}).status_code == 422
    assert set(seats["Red"].get("/shares").json()["commitments"]) == {"the table"}


def test_a_game_whose_seed_was_not_mixed_takes_no_share(client) -> None:
    _, seats = new_game(client, "connect-four-1.0", "empty-board")
    assert seats["Red"].post("/commitment", {"commitment": "0" * 64}).status_code == 403
    assert seats["Red"].get("/shares").json()["commitments"] == {}


# ------------------------------------------------------------------ strangers
def test_a_wrong_key_is_no_seat_and_no_spectator(client) -> None:
    game, _ = new_game(client, "connect-four-1.0", "empty-board")
    for key in ("", "0" * 32, "x", "0" * 5000, "Bearer"):
        stranger = SeatClient(client, game, key)
        assert stranger.get().status_code == 401
        assert stranger.play(0, "Red: a1").status_code == 401


def test_a_key_opens_one_seat_of_one_game(client) -> None:
    game, seats = new_game(client, "connect-four-1.0", "empty-board")
    _, others = new_game(client, "connect-four-1.0", "empty-board")
    foreign = SeatClient(client, game, others["Red"].headers["Authorization"][7:])

    assert foreign.get().status_code == 401
    assert seats["Yellow"].play(0, "Red: a1").status_code == 422
    assert seats[None].play(0, "Red: a1").status_code == 401
    assert seats[None].state()["number"] == 0


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/api/games", {"ruleset": "../../etc", "scenario": "x"}, 422),
        ("/api/games", {"ruleset": "hots-4.0", "scenario": "x"}, 422),
        ("/api/games", {"ruleset": "hots-4.0"}, 400),
        ("/api/games", {"ruleset": 1, "scenario": []}, 400),
        ("/api/games", {"ruleset": "hots-4.0", "scenario": "x" * 20_000}, 413),
    ],
)
def test_a_game_that_cannot_be_begun_is_refused(
    client, path: str, body: object, status: int
) -> None:
    answer = client.post(path, json=body)

    assert status == answer.status_code
    assert answer.json()["message"]


@pytest.mark.parametrize(
    "name", ["x", "0" * 16, "0" * 17, "..%2f..", "%00", "<script>alert(1)</script>"]
)
def test_a_game_that_is_not_there_is_not_found(client, name: str) -> None:
    answer = client.get(f"/api/games/{name}")

    assert answer.status_code in {400, 404}
    assert "<" not in answer.text


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"\xff", b'{"number":0}', b'{"number":-1,"action":"x"}']
)
def test_a_body_that_cannot_be_read_changes_nothing(client, content: bytes) -> None:
    _, seats = new_game(client, "connect-four-1.0", "empty-board")
    red = seats["Red"]
    headers = {**red.headers, "Content-Type": "application/json"}
    answer = client.post(f"{red.path}/actions", headers=headers, content=content)

    assert answer.status_code in {400, 409}
    assert red.state()["number"] == 0


def test_every_answer_has_the_headers_of_a_strict_policy(client) -> None:
    for path in ("/", "/main.js", "/api/rulesets", "/api/games/x", "/nothing"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy, path
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_pages_hold_no_script_and_no_style_of_their_own() -> None:
    page = (STATIC / "index.html").read_text("utf-8")

    assert re.findall(r"<script(?![^>]*\bsrc=)|<style|\bon\w+=|style=", page) == []
    scripts = "".join(path.read_text("utf-8") for path in STATIC.rglob("*.js"))
    assert "innerHTML" not in scripts and "eval(" not in scripts


def test_the_pages_know_no_game() -> None:
    from tests.project.test_architecture import GAME_WORDS, words_of_the_games

    words = {*words_of_the_games(), *GAME_WORDS}
    found = {
        word
        for path in STATIC.rglob("*.*")
        for word in re.findall(r"[A-Za-z]+", path.read_text("utf-8"))
        if word in words
    }

    assert set() == found


def test_the_pages_use_the_words_that_there_are() -> None:
    """All of them; and where a value stands in one, `say` puts it there."""
    scripts = "".join(path.read_text("utf-8") for path in STATIC.rglob("*.js"))
    words = words_of_the_pages(translator("en"))
    used = {*re.findall(r"\bwords\.(\w+)", scripts), *re.findall(r'tool\("(\w+)"', scripts)}

    said = {
        word
        for first in re.findall(r"(?<![\w#])say\(([^,]*),", scripts)
        for word in re.findall(r"\bwords\.(\w+)", first)
    }

    assert used == set(words)
    assert said == {name for name, text in words.items() if "%" in text}
    assert scripts.count('replace("%"') == 1  # that of `say`


# ------------------------------------------------------------------ how it is run
def run_as(folder: Path, **operation: object) -> TestClient:
    app = make_app(Store.at(url_in(folder)), Operation(takes_seeds=True, **operation))
    return TestClient(app, raise_server_exceptions=False)


def test_health_tells_whether_the_database_answers(tmp_path: Path) -> None:
    with run_as(tmp_path) as client:
        assert client.get("/health").json() == {"status": "ok"}
        with sqlite3.connect(tmp_path / "tables.db") as connection:
            connection.execute("drop table schema_version")
        answer = client.get("/health")

    assert (answer.status_code, answer.json()["message"]) == (503, "the database does not answer")


def test_one_address_may_send_only_so_many_requests(tmp_path: Path) -> None:
    with run_as(tmp_path, requests_per_minute=3) as client:
        statuses = [client.get("/api/words").status_code for _ in range(5)]
        assert client.get("/health").status_code == 200

    assert statuses == [200, 200, 200, 429, 429]


def test_metrics_and_log_tell_routes_but_no_game_and_no_key(tmp_path: Path, caplog) -> None:
    caplog.set_level("INFO", "hots_rules.web.middleware")
    with run_as(tmp_path, has_metrics=True, has_log=True, requests_per_minute=4) as client:
        game, seats = new_game(client, "connect-four-1.0", "empty-board")
        seats["Red"].play(0, "Red: a1")
        for _ in range(3):
            seats["Red"].get()
        told = client.get("/metrics").text
    logged = [r.getMessage() for r in caplog.records if r.name == "hots_rules.web.middleware"]

    route = "/api/games/{name}/actions"
    assert f'method="POST",path="{route}",status_code="200"' in told
    assert {"method": "POST", "route": route, "status": 200} in [
        {key: value for key, value in json.loads(line).items() if key != "ms"} for line in logged
    ]
    assert [json.loads(line)["status"] for line in logged] == [201, 200, 200, 200, 429, 200]
    key = seats["Red"].headers["Authorization"][7:]
    assert not any(secret in told + str(logged) for secret in (game, key))


def test_pages_of_other_origins_may_ask_only_if_they_are_named(tmp_path: Path) -> None:
    with run_as(tmp_path, origins=["https://friend.example"]) as client:
        allowed = {
            origin: client.get("/api/words", headers={"Origin": origin}).headers.get(
                "access-control-allow-origin"
            )
            for origin in ("https://friend.example", "https://stranger.example")
        }
    assert allowed == {
        "https://friend.example": "https://friend.example",
        "https://stranger.example": None,
    }


def test_games_are_opened_of_the_rulesets_that_are_offered(tmp_path: Path) -> None:
    with run_as(tmp_path, rulesets=["connect-four-1.0"]) as client:
        assert [each["name"] for each in client.get("/api/rulesets").json()] == ["connect-four-1.0"]
        body = {"ruleset": "connect-four-1.0", "scenario": "empty-board"}
        assert client.post("/api/games", json=body).status_code == 201
        refused = client.post("/api/games", json={"ruleset": "hots-4.0", "scenario": "braveheart"})
        hidden = "/api/rulesets/hots-4.0"
        record = str(hr.load("hots-4.0").start("braveheart", seed="7").record)
        others = [
            refused,
            client.get(hidden),
            client.get(f"{hidden}/form"),
            client.post(f"{hidden}/positions", json={"text": "like braveheart"}),
            client.post(f"{hidden}/positions/ask", json={"text": "like braveheart", "words": "x"}),
            client.post(
                f"{hidden}/positions/odds", json={"text": "like braveheart", "until": "year"}
            ),
            client.post("/api/records", json={"record": record}),
        ]
    for answer in others:
        assert (answer.status_code, answer.json()["kind"]) == (422, "UnknownName")
        assert "connect-four-1.0" in answer.json()["message"]


@pytest.mark.thorough
def test_a_record_is_looked_at_as_long_as_its_ruleset_is_offered(tmp_path: Path) -> None:
    record = str(hr.load("connect-four-1.0").start("empty-board", seed="7").play("a1").record)
    with run_as(tmp_path) as client:
        name = client.post("/api/records", json={"record": record}).json()["name"]
        assert client.get(f"/api/records/{name}").json()["plays"] == 1
    with run_as(tmp_path, rulesets=["reversi-1.0"]) as client:
        for what in ("", "/moments/0", "/film"):
            assert client.get(f"/api/records/{name}{what}").json()["kind"] == "UnknownName"


# ------------------------------------------------------------------ the command
def test_a_ruleset_that_there_is_not_is_one_sentence(tmp_path, capsys, monkeypatch) -> None:
    status, said = run_serve(
        monkeypatch, capsys, "--rulesets", "chess", "--port", "0", "--database", url_in(tmp_path)
    )
    assert status == 2
    assert said == "hots: there is no ruleset `chess`; `hots list` names all that are installed\n"


def test_a_port_that_is_taken_is_one_sentence(tmp_path, capsys, monkeypatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        status, said = run_serve(
            monkeypatch, capsys, "--port", str(port), "--database", url_in(tmp_path)
        )

    assert status == 2
    assert said == f"hots: cannot listen at 127.0.0.1, port {port}: address already in use\n"


@pytest.mark.parametrize(
    "url", ["sqlite:////no/such/folder/tables.db", "nonsense", "mystery://x/y"]
)
def test_a_database_that_cannot_be_used_is_one_sentence(capsys, monkeypatch, url: str) -> None:
    status, said = run_serve(monkeypatch, capsys, "--port", "0", "--database", url)

    assert status == 2
    assert said.startswith("hots: cannot use the database: ") and said.count("\n") == 1


def test_two_writers_of_a_file_wait_for_each_other(tmp_path: Path) -> None:
    with client_on(url_in(tmp_path)) as client:
        with sqlite3.connect(tmp_path / "tables.db", check_same_thread=False) as other:
            other.execute("begin immediate")
            later = Timer(0.3, other.rollback)
            later.start()
            _, seats = new_game(client, "breakthrough-1.0", "two-ranks")
            later.join()
        assert seats[None].state()["number"] == 0


def test_a_database_that_cannot_be_used_leaves_no_thread_that_fails(monkeypatch) -> None:
    failed: list[object] = []
    monkeypatch.setattr("threading.excepthook", failed.append)
    for _ in range(30):
        with pytest.raises(CannotServe):
            asyncio.run(Store.at("sqlite:////no/such/folder/tables.db").open())

    assert failed == []


@pytest.mark.parametrize("driver", ["", "+aiosqlite"])
def test_a_url_may_name_another_driver_of_a_database(tmp_path: Path, driver: str) -> None:
    with client_on(f"sqlite{driver}:///{tmp_path / 'tables.db'}") as client:
        game, _ = new_game(client, "breakthrough-1.0", "two-ranks")
    with client_on(url_in(tmp_path)) as client:
        assert SeatClient(client, game, None).state()["number"] == 0


def test_a_database_of_an_older_version_is_brought_up_to_date(
    tmp_path, capsys, monkeypatch
) -> None:
    with client_on(url_in(tmp_path)) as first:
        game, seats = new_game(first, "connect-four-1.0", "empty-board")
        seats["Red"].play(0, "Red: a1")
        key = seats["Red"].headers["Authorization"][7:]
    as_version_1(tmp_path)
    status, said = run_serve(monkeypatch, capsys, "--port", "0", "--database", url_in(tmp_path))
    assert status == 2
    assert "of the older version 1; save it, and run: hots serve --migrate" in " ".join(
        said.split()
    )

    asyncio.run(migrate(url_in(tmp_path)))
    assert columns(tmp_path) == columns_of_a_new_database(tmp_path)
    with client_on(url_in(tmp_path)) as second:
        red = SeatClient(second, game, key)
        assert red.state()["number"] == 1
        assert red.post("/messages", {"text": "hello"}).status_code == 201


def as_version_1(folder: Path) -> None:
    """Make the tables of a database as the first version had them."""
    with sqlite3.connect(folder / "tables.db") as connection:
        for table in ("change", "message", "note", "share", "snapshot", "token", "upload"):
            connection.execute(f"drop table {table}")
        connection.execute("alter table seat add column key_digest varchar(64) not null default ''")
        connection.execute(
            "update seat set key_digest = coalesce((select digest from seat_key "
            "where seat_key.game = seat.game and seat_key.player = seat.player), '')"
        )
        for table in ("seat_key", "lost_seat"):
            connection.execute(f"drop table {table}")
        connection.execute("alter table seat drop column bot")
        for column in ("settings", "position", "has_odds", "clock", "begun", "has_claims", "dice"):
            connection.execute(f"alter table game drop column {column}")
        for column in ("player", "plays", "instant", "waiting"):
            connection.execute(f"alter table action drop column {column}")
        connection.execute("update schema_version set version = 1")


async def migrate(url: str) -> None:
    store = Store.at(url)
    await store.open(is_to_migrate=True)
    await store.close()


def columns(folder: Path) -> list[tuple]:
    """The columns of all tables with their types, and whether they are keys."""
    tables = [
        name for (name,) in rows(folder, "select name from sqlite_master where type = 'table'")
    ]
    return sorted(
        (table, name, kind, required, key)
        for table in tables
        for _, name, kind, required, _, key in rows(folder, f"pragma table_info({table})")
    )


def columns_of_a_new_database(folder: Path) -> list[tuple]:
    new = folder / "new"
    new.mkdir()
    with client_on(url_in(new)):
        pass
    return columns(new)


def test_a_database_of_another_version_is_refused(tmp_path, capsys, monkeypatch) -> None:
    with client_on(url_in(tmp_path)):
        pass
    with sqlite3.connect(tmp_path / "tables.db") as connection:
        connection.execute("update schema_version set version = 99")
    status, said = run_serve(monkeypatch, capsys, "--port", "0", "--database", url_in(tmp_path))

    assert (status, "newer version 99" in said) == (2, True)


def run_serve(monkeypatch, capsys, *arguments: str) -> tuple[int, str]:
    monkeypatch.setattr("sys.argv", ["hots", "serve", *arguments])
    return main(), capsys.readouterr().err


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_the_front_page_begins_with_the_game_of_the_library_and_misses_no_word(
    client: TestClient, language: str
) -> None:
    listed = client.get("/api/rulesets", params={"language": language}).json()

    assert listed[0]["name"] == "hots-4.0"
    assert [ruleset["name"] for ruleset in listed[1:]] == sorted(
        hr.rulesets().keys() - {"hots-4.0"}
    )
    for ruleset in listed:
        path = f"/api/rulesets/{ruleset['name']}"
        facts = client.get(path, params={"language": language}).json()
        assert not re.search("[‹›]", str([ruleset, facts]))

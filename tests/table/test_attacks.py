"""An attacker's list: what somebody may try to see, to choose or to use up at a table, and what comes of it.

What is tried with seats and with dice in more detail stands in `test_seats` and `test_dice`.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from threading import Event, Thread

import pytest

from tests.needs import needs

httpx = needs("httpx")
needs("litestar")

import uvicorn
from litestar.exceptions import PermissionDeniedException
from litestar.testing import TestClient
from litestar.types import Scope
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

import hots_rules as hr
from hots_rules.web import limits, serving
from hots_rules.web.application import make_app
from hots_rules.web.events import event_stream
from hots_rules.web.games import open_games
from hots_rules.web.limits import RateLimit, StreamLimit, address_of
from hots_rules.web.operation import Operation
from hots_rules.web.refusals import TooMany
from hots_rules.web.routes import seat
from hots_rules.web.storage import uploads
from hots_rules.web.storage.store import Store
from tests.table.tables import SeatClient, new_game, url_in

GAME = {"ruleset": "connect-four-1.0", "scenario": "empty-board"}


@contextmanager
def table(folder: Path, **operation: object) -> Iterator[TestClient]:
    app = make_app(Store.at(url_in(folder)), Operation(**operation))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    """A table as it is run without any option."""
    with table(tmp_path) as made:
        yield made


def opened(client: TestClient, **more: object) -> dict:
    answer = client.post("/api/games", json={**GAME, **more})
    assert answer.status_code == 201, answer.text
    return answer.json()


def seated(client: TestClient, game: str, link: str) -> SeatClient:
    key = secrets.token_hex(16)
    assert SeatClient(client, game, link).post("/seat", {"key": key}).status_code == 200
    return SeatClient(client, game, key)


# ------------------------------------------------------------------ whoever opens a game
def test_the_answer_of_the_opener_opens_no_seat_at_any_time(client) -> None:
    """Neither before a link is opened, when it could show a hand that was dealt, nor after."""
    made = opened(client, ruleset="hots-4.0", scenario="braveheart")

    def tried() -> list[int]:
        seats = [SeatClient(client, made["game"], key) for key in made["keys"].values()]
        return [
            answer.status_code
            for seat in seats
            for answer in (
                seat.get(),
                seat.get("/moments/0"),
                seat.get("/note"),
                seat.post("/why-not", {"words": "Wallace"}),
                seat.post("/preview", {"words": "England: play Move 3"}),
                seat.play(0, "England: play Move 3"),
                seat.post("/ask-back", {"number": 0, "plays": 0}),
                seat.post("/messages", {"text": "hello"}),
                seat.post("/key", {}),
                seat.post("/device", {}),
            )
        ]

    assert set(tried()) == {401}
    players = {player: seated(client, made["game"], key) for player, key in made["keys"].items()}
    assert set(tried()) == {401}
    assert players["England"].state()["seat"] == "England"


def test_an_opener_who_takes_the_seat_of_another_is_found_out(client) -> None:
    made = opened(client)
    seated(client, made["game"], made["keys"]["Yellow"])  # the opener
    spectator = SeatClient(client, made["game"], None)
    assert spectator.state()["seating"]["claimed"] == ["Yellow"]
    late = SeatClient(client, made["game"], made["keys"]["Yellow"])
    refused = late.post("/seat", {"key": secrets.token_hex(16)})
    assert (refused.status_code, refused.json()["kind"]) == (401, "SeatTaken")


def test_of_many_who_open_a_link_at_once_one_has_the_seat(client) -> None:
    made = opened(client)
    keys = [secrets.token_hex(16) for _ in range(8)]
    statuses = []

    def claim(key: str) -> None:
        link = SeatClient(client, made["game"], made["keys"]["Red"])
        statuses.append(link.post("/seat", {"key": key}).status_code)

    threads = [Thread(target=claim, args=(key,)) for key in keys]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(statuses) == [200] + [401] * 7
    opens = [SeatClient(client, made["game"], key).get().status_code for key in keys]
    assert sorted(opens) == [200] + [401] * 7


def test_a_link_of_one_game_claims_nothing_at_another(client) -> None:
    one, other = opened(client), opened(client)
    link = SeatClient(client, other["game"], one["keys"]["Red"])
    assert link.post("/seat", {"key": secrets.token_hex(16)}).status_code == 401
    assert link.get("/seats").status_code == 401


def test_keys_of_seats_stand_in_no_answer_but_that_of_who_makes_them(client) -> None:
    made = opened(client)
    red = seated(client, made["game"], made["keys"]["Red"])
    yellow = seated(client, made["game"], made["keys"]["Yellow"])
    key = red.headers["Authorization"][7:]
    answers = [yellow.get(what) for what in ("", "/seats", "/shares", "/messages")]

    assert not any(key in answer.text or made["keys"]["Red"] in answer.text for answer in answers)


# ------------------------------------------------------------------ the dice
def test_nobody_chooses_the_dice_of_a_table_that_was_not_told_so(client) -> None:
    for seed in ("1", "0" * 32, ""):
        refused = client.post("/api/games", json={**GAME, "seed": seed})
        assert (refused.status_code, refused.json()["kind"]) == (403, "NotTaken")


def test_a_seed_that_was_given_cannot_be_hidden_again(tmp_path: Path) -> None:
    with table(tmp_path, takes_seeds=True) as client:
        made = opened(client, seed="1", claim=False)
        red = SeatClient(client, made["game"], made["keys"]["Red"])
        for number in range(3):
            assert red.state()["opening"][0]["kind"] == "dice_given"
            player = ("Red", "Yellow")[number % 2]
            seat = SeatClient(client, made["game"], made["keys"][player])
            assert seat.play(number, f"{player}: a{number + 1}").status_code == 200
    with table(tmp_path) as later:
        spectator = SeatClient(later, made["game"], None)
        assert spectator.state()["opening"][0]["kind"] == "dice_given"


# ------------------------------------------------------------------ pages of others
@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8297", 200),
        ("[::1]:8297", 200),
        ("localhost:8297", 200),
        ("table", 200),
        ("nas.local:8297", 200),
        ("table.example.org", 200),
        ("TABLE.example.org.", 200),
        ("evil.example", 421),
        ("evil.example:8297", 421),
        ("127.0.0.1.evil.example", 421),
        ("table.example.org.evil.example", 421),
        ("localhost.evil.example", 421),
    ],
)
def test_a_table_answers_to_its_own_names_alone(tmp_path: Path, host: str, status: int) -> None:
    """A page of a stranger that gives its own name the address of the table is refused."""
    with table(tmp_path, host_names=("Table.example.org",)) as client:
        for path in ("/", "/api/words"):
            assert client.get(path, headers={"Host": host}).status_code == status


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("127.0.0.1:8297", None, 201),
        ("127.0.0.1:8297", "http://127.0.0.1:8297", 201),
        ("127.0.0.1", "https://127.0.0.1:8443", 201),
        ("127.0.0.1:8297", "https://friend.example", 201),
        ("127.0.0.1:8297", "http://127.0.0.1:8000", 403),
        ("127.0.0.1:8297", "https://evil.example", 403),
        ("127.0.0.1:8297", "https://127.0.0.1:8297.evil.example", 403),
        ("127.0.0.1:8297", "null", 403),
        ("127.0.0.1:8297", "", 403),
        ("127.0.0.1:8297", "ftp://127.0.0.1:8297", 403),
    ],
)
def test_a_page_of_another_origin_changes_nothing(
    tmp_path: Path, host: str, origin: str | None, status: int
) -> None:
    headers = {"Host": host} | ({} if origin is None else {"Origin": origin})
    with table(tmp_path, origins=("https://friend.example",)) as client:
        assert client.post("/api/games", json=GAME, headers=headers).status_code == status


@pytest.mark.parametrize(
    ("peer", "forwarded", "origin", "is_taken"),
    [
        ("127.0.0.1", "https", "https://table.local", True),
        ("127.0.0.1", "https", "http://table.local", False),
        # A page that was opened by http, at a proxy that serves both; and a proxy that does not tell.
        ("127.0.0.1", "http", "http://table.local", True),
        ("127.0.0.1", None, "https://table.local", True),
        ("127.0.0.1", None, "http://table.local", True),
        # Whoever is not trusted to tell who asks is not trusted to tell how.
        ("203.0.113.7", "https", "http://table.local", True),
    ],
)
def test_a_page_by_http_changes_nothing_by_https(
    peer: str, forwarded: str | None, origin: str, is_taken: bool
) -> None:
    """Whoever stands between a player and the net may answer by http under the name of the table."""
    headers = [(b"host", b"table.local"), (b"origin", origin.encode())]
    if forwarded is not None:
        headers.append((b"x-forwarded-proto", forwarded.encode()))
    taken: list[Scope] = []

    async def take(scope: Scope, *_: object) -> None:
        taken.append(scope)

    scope = {"type": "http", "method": "POST", "scheme": "http", "client": (peer, 1), "state": {}}
    app = ProxyHeadersMiddleware(limits.checked(Operation())(take))
    with suppress(PermissionDeniedException):
        asyncio.run(app({**scope, "headers": headers}, None, None))
    assert bool(taken) == is_taken


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("application/json", 201),
        ("application/json; charset=utf-8", 201),
        ("Application/JSON", 201),
        ("text/plain", 415),
        ("application/x-www-form-urlencoded", 415),
        ("multipart/form-data; boundary=x", 415),
        ("application/msgpack", 415),
        ("", 415),
    ],
)
def test_a_body_is_json_by_name(client, kind: str, status: int) -> None:
    """A form of a stranger's page may send other kinds without asking first."""
    content = b'{"ruleset": "connect-four-1.0", "scenario": "empty-board"}'
    answer = client.post("/api/games", content=content, headers={"Content-Type": kind})
    assert answer.status_code == status


def test_a_body_of_no_kind_is_refused(client) -> None:
    request = client.build_request("POST", "/api/games", content=b"{}")
    assert "content-type" not in request.headers
    assert client.send(request).status_code == 415


# ------------------------------------------------------------------ many requests
def test_the_limits_are_on_without_any_option() -> None:
    usual = Operation()
    assert usual.requests_per_minute == 1200
    assert usual.token_requests_per_minute == 6000
    assert usual.openings_per_hour == 60
    assert usual.streams_per_address == 200


@pytest.mark.parametrize(
    ("host", "who"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
    ],
)
def test_addresses_of_one_connection_count_as_one(host: str, who: str) -> None:
    assert address_of({"client": (host, 1)}) == who  # type: ignore[typeddict-item]


def test_who_has_asked_too_often_is_told_when_to_ask_again(tmp_path: Path) -> None:
    with table(tmp_path, requests_per_minute=3) as client:
        answers = [client.get("/api/words") for _ in range(5)]
        assert client.get("/health").status_code == 200
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
    assert 1 <= int(answers[-1].headers["Retry-After"]) <= 61


def test_games_and_records_of_one_address_are_limited(tmp_path: Path) -> None:
    with table(tmp_path, openings_per_hour=3) as client:
        statuses = [client.post("/api/games", json=GAME).status_code for _ in range(4)]
        record = client.post("/api/records", json={"record": "nonsense"})
    assert statuses == [201, 201, 201, 429]
    assert (record.status_code, record.json()["kind"]) == (429, "TooMany")


def refused_openings(client: TestClient) -> list[int]:
    """The statuses of a game, a record, a ruleset and a rematch that are refused, as they are sent in turn."""
    made = opened(client, claim=False)
    key = {"Authorization": f"Bearer {made['keys']['Red']}"}
    return [
        client.post("/api/games", json={**GAME, "scenario": "nowhere"}).status_code,
        client.post("/api/games", json={**GAME, "ruleset": "nothing-1.0"}).status_code,
        client.post("/api/games", json={**GAME, "seed": "7"}).status_code,
        client.post("/api/records", json={"record": "nonsense"}).status_code,
        client.post("/api/rulesets/try", json={"text": "nonsense"}).status_code,
        client.post("/api/rulesets/try", json={"text": "#" * 600_000}).status_code,
        client.post(f"/api/games/{made['game']}/rematch").status_code,
        client.post(f"/api/games/{made['game']}/rematch", headers=key).status_code,
    ]


def test_what_is_refused_does_not_count(tmp_path: Path) -> None:
    with table(tmp_path, openings_per_hour=2, takes_rulesets=True) as client:
        refused = refused_openings(client)
        statuses = [client.post("/api/games", json=GAME).status_code for _ in range(2)]
    assert refused == [422, 422, 403, 422, 200, 422, 401, 403]
    assert statuses == [201, 429]


def test_a_ruleset_that_is_played_counts(tmp_path: Path) -> None:
    text = next(iter(hr.load("connect-four-1.0").source.layers[-1].files.values()))
    with table(tmp_path, openings_per_hour=1, takes_rulesets=True) as client:
        tried = [client.post("/api/rulesets/try", json={"text": text}) for _ in range(2)]
    assert [answer.status_code for answer in tried] == [200, 429]


def test_the_time_of_what_is_refused_has_an_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else whoever sends what is refused after long work would never be stopped."""
    instant, bad = [1000.0], {"record": "nonsense"}
    monkeypatch.setattr(limits.time, "monotonic", lambda: instant[0])

    def slow(_: str) -> str:
        instant[0] += 50
        raise hr.UnknownName("ruleset", "nothing")

    with table(tmp_path, openings_per_hour=2) as client:
        monkeypatch.setattr("hots_rules.web.routes.record.ruleset_of_record", slow)
        statuses = [client.post("/api/records", json=bad).status_code for _ in range(14)]
        game = client.post("/api/games", json=GAME)
        instant[0] += 3600
        later = client.post("/api/games", json=GAME)
    assert statuses == [422] * 12 + [429] * 2
    assert "tried in vain" in game.json()["message"]
    assert (game.status_code, later.status_code) == (429, 201)


def test_many_at_once_are_counted_before_they_are_refused(tmp_path: Path, monkeypatch) -> None:
    """So no more are tried at the same time than may be opened."""
    tried, may_go = [], Event()

    def waiting(_: str) -> str:
        tried.append(True)
        may_go.wait(20)
        raise TooMany("refused")

    monkeypatch.setattr("hots_rules.web.routes.record.ruleset_of_record", waiting)
    with table(tmp_path, openings_per_hour=2) as client, ThreadPoolExecutor(5) as threads:
        sent = [
            threads.submit(client.post, "/api/records", json={"record": str(number)})
            for number in range(5)
        ]
        early = [answer.result().status_code for answer in islice(as_completed(sent, 20), 3)]
        may_go.set()
        statuses = sorted(answer.result().status_code for answer in sent)
    assert early == [429] * 3
    assert (statuses, len(tried)) == ([429] * 5, 2)


def test_what_was_counted_is_forgotten_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    instant = [1000.0]
    monkeypatch.setattr(limits.time, "monotonic", lambda: instant[0])
    counts = RateLimit(2, 60.0)
    for number in range(1000):
        assert counts.take(f"2001:db8:0:{number:x}::/64") == 0
    assert [counts.take("x") > 0 for _ in range(3)] == [False, False, True]
    assert len(counts) == 1001
    instant[0] += 61
    assert counts.take("x") == 0
    assert len(counts) == 1


def test_addresses_that_are_made_up_fill_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_COUNTED", 50)
    counts = RateLimit(2, 60.0)
    for number in range(1000):
        counts.take(str(number))
    assert len(counts) == 50


def test_streams_of_one_address_are_limited() -> None:
    streams = StreamLimit(2)
    with (
        streams.one_of("a"),
        streams.one_of("a"),
        streams.one_of("b"),
        pytest.raises(TooMany),
        streams.one_of("a"),
    ):
        pass
    with streams.one_of("a"):
        pass


# ------------------------------------------------------------------ records that fill the disk
def test_a_record_is_kept_for_a_stated_time(client, monkeypatch: pytest.MonkeyPatch) -> None:
    record = str(hr.load("connect-four-1.0").start("empty-board", seed="7").play("a1").record)
    sent = client.post("/api/records", json={"record": record}).json()
    told = client.get(f"/api/records/{sent['name']}").json()
    assert told["until"] == sent["until"]
    days = (sent["until"] / 1000 - time.time()) / 86_400
    assert uploads.DAYS - 0.1 < days <= uploads.DAYS
    late = uploads.now() + uploads.DAYS * uploads._DAY + 1
    monkeypatch.setattr(uploads, "now", lambda: late)
    assert client.get(f"/api/records/{sent['name']}").status_code == 404
    again = client.post("/api/records", json={"record": record}).json()
    assert client.get(f"/api/records/{again['name']}").status_code == 200


# ------------------------------------------------------------------ questions without end
def test_questions_of_one_asker_wait_for_one_another(client, monkeypatch) -> None:
    """So they leave the processor to others, as an answer may take half a second of it."""
    made = opened(client, claim=False)
    red = SeatClient(client, made["game"], made["keys"]["Red"])
    asked, at_once, most = Event(), [], []

    def slow(game: object, player: str, words: str) -> str:
        at_once.append(words)
        most.append(len(at_once))
        asked.wait(20)
        at_once.remove(words)
        return words

    monkeypatch.setattr(seat, "why_not", slow)
    with ThreadPoolExecutor(4) as threads:
        questions = [
            threads.submit(red.post, "/why-not", {"words": str(number)}) for number in range(4)
        ]
        refused = next(as_completed(questions, 20))
        asked.set()
        answers = sorted(question.result().status_code for question in questions)
    assert refused.result().json()["kind"] == "Busy"
    assert (answers, max(most)) == ([200, 200, 200, 503], 1)


def test_a_question_has_an_end(client) -> None:
    made = opened(client, claim=False)
    red = SeatClient(client, made["game"], made["keys"]["Red"])
    for what in ("/why-not", "/about"):
        answer = red.post(what, {"words": "what if " * 1000})
        assert (answer.status_code, answer.json()["kind"]) == (422, "TooLong")


# ------------------------------------------------------------------ games that never end
def test_the_log_of_a_game_has_an_end(client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_games, "MAX_LINES", 4)
    monkeypatch.setattr(open_games, "LINES_TO_END", 1)
    made = opened(client, claim=False)
    red, number = SeatClient(client, made["game"], made["keys"]["Red"]), 0
    while number < 4:
        action = red.state()["view"]["actions"][0]["text"]
        assert red.post("/actions", {"number": number, "action": action}).status_code == 200
        assert red.post("/undo", {"number": number + 1}).status_code == 200
        number += 2
    assert red.post("/actions", {"number": number, "action": action}).status_code == 403
    assert red.post("/resign", {"number": number}).status_code == 200
    assert red.post("/resign", {"number": number + 1}).status_code == 403


# ------------------------------------------------------------------ requests that never end
@contextmanager
def listening(folder: Path) -> Iterator[tuple[str, int]]:
    """A table on a port, in this process."""
    app = make_app(Store.at(url_in(folder)), Operation(requests_per_minute=0))
    config = uvicorn.Config(app, http=serving.TimelyProtocol, log_level="critical", port=0)
    server = uvicorn.Server(config)
    thread = Thread(target=lambda: asyncio.run(server.serve()))
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield server.servers[0].sockets[0].getsockname()[:2]
    finally:
        server.should_exit = True
        thread.join()


def left_of(connection: socket.socket) -> bytes:
    """What comes until the other side ends a connection."""
    connection.settimeout(30)
    parts = []
    try:
        while part := connection.recv(4096):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


def drip(connection: socket.socket, byte: bytes) -> None:
    """Send a byte now and then, as long as it is taken."""
    try:
        for _ in range(200):
            connection.sendall(byte)
            time.sleep(0.05)
    except OSError:
        pass


def test_a_request_that_names_two_hosts_is_refused(tmp_path: Path) -> None:
    with listening(tmp_path) as place, socket.create_connection(place) as connection:
        hosts = b"Host: table\r\nHost: evil.example\r\n"
        connection.sendall(b"GET /health HTTP/1.1\r\n" + hosts + b"Connection: close\r\n\r\n")
        assert left_of(connection).startswith(b"HTTP/1.1 400 ")


def test_a_head_that_never_ends_is_ended(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(serving, "SECONDS_FOR_A_HEAD", 0.5)
    with listening(tmp_path) as place:
        for begun in (b"", b"G", b"GET / HTTP/1.1\r\nHost: table\r\nX: "):
            with socket.create_connection(place) as connection:
                connection.sendall(begun)
                if begun:
                    Thread(target=drip, args=(connection, b"x"), daemon=True).start()
                start = time.monotonic()
                left_of(connection)
                assert time.monotonic() - start < 8
        # So is one that comes after a request that was answered.
        with socket.create_connection(place) as connection:
            connection.sendall(b"GET /health HTTP/1.1\r\nHost: table\r\n\r\nGET /")
            Thread(target=drip, args=(connection, b"x"), daemon=True).start()
            assert left_of(connection).startswith(b"HTTP/1.1 200 OK")
        assert httpx.get(f"http://127.0.0.1:{place[1]}/health").status_code == 200


@pytest.mark.parametrize(
    "begun",
    [
        b"GET /health HTTP/1.1\r\nHost: table\r\nX: ",
        b"GET /health HTTP/1.1\r\nHost: table\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: ",
    ],
    ids=["head", "trailer"],
)
def test_a_request_that_is_too_long_without_its_body_is_not_kept(
    tmp_path: Path, begun: bytes
) -> None:
    with listening(tmp_path) as place, socket.create_connection(place) as connection:
        sent = 0
        with suppress(OSError):  # the other side ends it
            connection.sendall(begun)
            while sent < 1000:
                connection.sendall(b"x" * serving.MAX_BESIDE_BODY)
                sent += 1
        assert 0 < sent < 1000


def test_a_long_head_is_read(tmp_path: Path) -> None:
    with listening(tmp_path) as (host, port):
        headers = {"X": "x" * (serving.MAX_BESIDE_BODY // 2)}
        assert httpx.get(f"http://{host}:{port}/health", headers=headers).status_code == 200


def test_a_body_that_never_ends_is_ended(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(limits, "SECONDS_FOR_A_BODY", 0.5)
    head = (
        b"POST /api/games HTTP/1.1\r\nHost: table\r\nContent-Type: application/json\r\n"
        b"Content-Length: 9000\r\n\r\n"
    )
    with listening(tmp_path) as place, socket.create_connection(place) as connection:
        connection.sendall(head)
        Thread(target=drip, args=(connection, b" "), daemon=True).start()
        assert left_of(connection).startswith(b"HTTP/1.1 408 ")


def test_a_stream_of_events_ends_in_time_and_is_asked_for_anew(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(event_stream, "SECONDS_OF_A_STREAM", 0.5)
    with (
        listening(tmp_path) as (host, port),
        httpx.Client(base_url=f"http://{host}:{port}", timeout=30) as web,
    ):
        made = opened(web)
        for _ in range(2):
            with web.stream("GET", f"/api/games/{made['game']}/events") as events:
                assert "data: 0" in [*events.iter_lines()]


def test_a_stream_says_from_time_to_time_that_it_is_there_and_how_far_the_game_is(
    tmp_path: Path, monkeypatch
) -> None:
    """So a page learns that a stream is dead, and what it has missed for any reason."""
    monkeypatch.setattr(open_games, "SECONDS_BETWEEN_SWEEPS", 0.2)
    with (
        listening(tmp_path) as (host, port),
        httpx.Client(base_url=f"http://{host}:{port}", timeout=30) as web,
    ):
        made = opened(web, claim=False)
        with web.stream("GET", f"/api/games/{made['game']}/events") as events:
            lines = (line for line in events.iter_lines() if line)
            first = [next(lines) for _ in range(4)]
            seat = SeatClient(web, made["game"], made["keys"]["Red"])
            assert seat.play(0, "Red: a1").status_code == 200
            while next(lines) != "data: 1":
                pass
            later = [next(lines) for _ in range(2)]

    assert first == ["retry: 1000", "data: 0", "event: still-here", "data: 0"]
    assert later == ["event: still-here", "data: 1"]


def test_an_address_with_many_streams_gets_no_more(tmp_path: Path) -> None:
    with table(tmp_path, streams_per_address=1) as client:
        made = opened(client)
        streams: StreamLimit = client.app.state.streams
        with streams.one_of("testclient"):
            refused = client.get(f"/api/games/{made['game']}/events")
    assert (refused.status_code, refused.json()["kind"]) == (429, "TooMany")


def test_who_plays_is_not_hindered_by_the_limits(tmp_path: Path) -> None:
    """A whole game by two at one address stays far below them."""
    with table(tmp_path, takes_seeds=True) as client:
        _, seats = new_game(client, "connect-four-1.0", "empty-board")
        for number, cell in enumerate(("a1", "b1", "a2", "b2", "a3", "b3", "a4")):
            player = ("Red", "Yellow")[number % 2]
            assert seats[player].play(number, f"{player}: {cell}").status_code == 200
            assert seats[None].state()["number"] == number + 1

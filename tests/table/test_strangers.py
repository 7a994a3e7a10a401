"""What strangers may send to the table: all that its description allows, and what it does not."""

from __future__ import annotations

import socket
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.needs import needs

needs("litestar")
httpx = needs("httpx")
schemathesis = needs("schemathesis")

from hypothesis import HealthCheck, Phase, given, settings

from tests.table.tables import SeatClient, client_on, new_game, served, url_in

EXAMPLES = 8  # requests for each route
NASTY = (
    "\x00",
    "\u202e",
    "\u200b" * 50,
    "💥" * 200,
    "'; drop table game; --",
    "<script>alert(1)</script>",
    "%00",
    "../" * 9,
    "§" * 900,
    "1e999",
)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[object]:
    with client_on(url_in(tmp_path)) as made:
        yield made


@pytest.mark.thorough
def test_no_request_of_the_description_makes_the_table_fail(client) -> None:
    described = schemathesis.openapi.from_dict(client.app.openapi_schema.to_schema())
    game, seats = new_game(client, "connect-four-1.0", "empty-board")
    tried: Counter[int] = Counter()
    for result in described.get_all_operations():
        operation = result.ok()
        if not operation.path.endswith("/events"):  # it does not end
            send_examples(client, operation, game, seats["Red"], tried)

    assert sum(tried.values()) > 100
    assert {status for status in tried if status >= 500} == set()
    assert {200, 201, 422} <= set(tried)


def send_examples(
    client: object, operation: object, game: str, seat: SeatClient, tried: Counter[int]
) -> None:
    """Send requests that fit the description of a route, as a seat of a game."""

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def send(case: object) -> None:
        if "/games/{name" in operation.path:
            case.path_parameters["name"] = game
        request = case.as_transport_kwargs()
        request["headers"] = {**request["headers"], **seat.headers}
        answer = client.request(**request)
        tried[answer.status_code] += 1

    send()


@pytest.mark.thorough
@pytest.mark.parametrize("text", NASTY)
def test_texts_that_are_made_to_hurt_are_kept_as_texts_or_refused(client, text: str) -> None:
    _, seats = new_game(client, "connect-four-1.0", "empty-board")
    red = seats["Red"]
    answers = [
        red.play(0, text),
        *(red.post(f"/{what}", {"words": text}) for what in ("why-not", "about", "preview")),
        red.post("/messages", {"text": text}),
        red.put("/note", {"text": text}),
        client.get(f"/api/rulesets/{quote(text, safe='')}"),
        client.get("/api/words", params={"language": text}),
        client.post("/api/games", json={"ruleset": "connect-four-1.0", "scenario": text}),
        client.post(
            "/api/games",
            json={"ruleset": "connect-four-1.0", "scenario": "empty-board", "seed": text},
        ),
    ]
    assert [a.status_code for a in answers if a.status_code >= 500] == []
    assert {a.headers["content-type"].partition(";")[0] for a in answers} == {"application/json"}
    assert red.state()["number"] == 0
    for message in red.get("/messages").json():
        assert message == {"player": "Red", "text": text}


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("what", "body"),
    [
        ("/actions", {"number": 10**400, "action": "Red: a1"}),
        ("/actions", {"number": 1.5, "action": "Red: a1"}),
        ("/actions", {"number": True, "action": "Red: a1"}),
        ("/actions", {"number": 0, "action": ["Red: a1"]}),
        ("/undo", {"number": "0"}),
        ("/messages", {"text": {"a": [[[[[[]]]]]]}}),
        ("/messages", [[[[[[[[[[[[]]]]]]]]]]]]),
        ("/key", {"key": "0" * 32}),
    ],
)
def test_bodies_of_another_form_are_refused(client, what: str, body: object) -> None:
    _, seats = new_game(client, "connect-four-1.0", "empty-board")
    answer = seats["Yellow"].post(what, body)

    assert answer.status_code in ({200} if what == "/key" else {400, 403, 409, 422})
    assert seats["Red"].state()["number"] == 0
    assert "0" * 32 not in answer.text


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b'{"text": "\xff"}', "not in UTF-8, or has too many levels"),
        (b'{"text": ' + b"[" * 16_000, "not in UTF-8, or has too many levels"),
        (b'{"text": 3}', "text: expected a text, got a whole number (put it in quotation marks)"),
        (b'{"text": "\\ud83d"}', "a surrogate without its other half is no text"),
        (b"", "the request has no body; send an object of JSON with `text` (a text)"),
        (b"[]", "the body: expected an object of JSON with `text` (a text), got a list"),
        (b"{}", "`text` is missing (a text)"),
    ],
)
def test_a_body_that_cannot_be_read_is_told_why(client, body: bytes, told: str) -> None:
    game, seats = new_game(client, "connect-four-1.0", "empty-board")
    headers = {**seats["Red"].headers, "Content-Type": "application/json"}

    answer = client.post(f"/api/games/{game}/messages", headers=headers, content=body)

    assert answer.status_code == 400
    assert told in answer.json()["message"]


@pytest.mark.parametrize(
    ("what", "body"),
    [
        ("/messages", {"text": "a\0b"}),
        ("/note", {"text": "\0"}),
        ("/actions", {"number": 0, "action": "Red: a1\0"}),
        ("/messages", {"text": "a", "\0": 1}),
        ("/messages", {"text": "a", "more": [{"b": ["\0"]}]}),
    ],
)
def test_a_text_with_a_null_is_refused(client, what: str, body: object) -> None:
    _, seats = new_game(client, "connect-four-1.0", "empty-board")
    send = seats["Red"].put if what == "/note" else seats["Red"].post

    answer = send(what, body)

    assert answer.status_code == 400
    assert "U+0000" in answer.json()["message"]
    assert seats["Red"].get("/messages").json() == []


def test_a_failure_has_a_number_and_a_place_in_the_log_and_tells_nothing(
    client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    _, seats = new_game(client, "connect-four-1.0", "empty-board")
    key = seats["Red"].headers["Authorization"][7:]

    def broken(*_: object) -> None:
        raise RuntimeError(f"the key is {key}")

    monkeypatch.setattr("hots_rules.web.games.open_games.OpenGames.say", broken)
    with caplog.at_level("ERROR", "hots_rules.web.application"):
        answer = seats["Red"].post("/messages", {"text": "hello"})

    assert answer.status_code == 500
    failure = answer.json()["failure"]
    assert failure in answer.json()["message"]
    assert f"failure {failure}: RuntimeError at POST" in caplog.text
    assert "in broken" in caplog.text
    assert key not in caplog.text + answer.text


def test_requests_that_are_sent_again_or_in_another_order_change_nothing(client) -> None:
    _, seats = new_game(client, "connect-four-1.0", "empty-board")
    sent = [("Red", 0, "Red: a1"), ("Yellow", 1, "Yellow: b1"), ("Red", 2, "Red: a2")]
    assert seats["Red"].play(*sent[2][1:]).status_code == 409
    for player, number, text in sent:
        assert seats[player].play(number, text).status_code == 200
    for player, number, text in reversed(sent):
        assert seats[player].play(number, text).status_code == 409
    assert seats[None].state()["number"] == 3


@pytest.mark.parametrize("size", [16_384, 20_000, 2_000_000])
def test_a_body_that_is_too_large_is_refused(client, size: int) -> None:
    _, seats = new_game(client, "connect-four-1.0", "empty-board")
    answer = seats["Red"].post("/messages", {"text": "x" * size})

    assert answer.status_code == 413
    assert len(answer.content) < 500


@pytest.mark.thorough
def test_clients_that_send_and_read_slowly_hinder_nobody(tmp_path: Path) -> None:
    """Some send half a request, some ask for events and read none; a game is played beside them."""
    with served(tmp_path) as (process, address), httpx.Client(base_url=address, timeout=60) as web:
        _, seats = new_game(web, "breakthrough-1.0", "two-ranks")
        host, port = address.removeprefix("http://").split(":")
        slow = [socket.create_connection((host, int(port))) for _ in range(200)]
        try:
            for number, connection in enumerate(slow):
                path = f"{seats[None].path}/events"
                whole = f"GET {path} HTTP/1.1\r\nHost: table\r\n\r\n".encode()
                connection.sendall(whole if number % 2 else whole[:-9])
            for number in range(12):
                state = seats[None].get(board=False).json()
                seat = seats[state["view"]["to_move"][0]]
                text = seat.get(board=False).json()["view"]["actions"][0]["text"]
                assert seat.play(number, text).status_code == 200
            # The first half of a request is answered when the other half comes.
            slow[0].settimeout(60)
            slow[0].sendall(b"table\r\n\r\n")
            assert slow[0].recv(15) == b"HTTP/1.1 200 OK"
        finally:
            for connection in slow:
                connection.close()
        assert seats[None].get(board=False).json()["number"] == 12
        assert process.poll() is None


@pytest.mark.thorough
def test_a_client_that_goes_away_within_a_body_changes_nothing(tmp_path: Path) -> None:
    with served(tmp_path) as (_, address), httpx.Client(base_url=address, timeout=60) as web:
        _, seats = new_game(web, "connect-four-1.0", "empty-board")
        host, port = address.removeprefix("http://").split(":")
        head = (
            f"POST {seats['Red'].path}/actions HTTP/1.1\r\nHost: table\r\n"
            f"Authorization: {seats['Red'].headers['Authorization']}\r\n"
            "Content-Type: application/json\r\nContent-Length: 40\r\n\r\n"
        )
        for body in (b"", b'{"number": 0, "action": "Red'):
            with socket.create_connection((host, int(port))) as connection:
                connection.sendall(head.encode() + body)
        assert seats["Red"].state()["number"] == 0
        assert seats["Red"].play(0, "Red: a1").status_code == 200

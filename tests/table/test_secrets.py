"""Twin games over the wire: two games that differ only in what a seat may not know answer it alike, byte for byte."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.needs import needs

needs("litestar")
needs("httpx")

from tests.table.tables import SeatClient, client_on, new_game, url_in

pytestmark = pytest.mark.thorough


@pytest.fixture
def client(tmp_path: Path) -> Iterator[object]:
    with client_on(url_in(tmp_path)) as made:
        yield made


class Twins:
    """Two games with the same seed that were played alike so far; England's secret choices may differ in them."""

    def __init__(self, client: object, ruleset: str, scenario: str) -> None:
        made = [new_game(client, ruleset, scenario) for _ in range(2)]
        self.names = [game for game, _ in made]
        self.seats = [seats for _, seats in made]
        self.number = 0

    def state(self, player: str | None) -> dict:
        return self.seats[0][player].state()

    def play(self, player: str, *texts: str) -> None:
        """Play the same action in both, or one of two in each."""
        for seats, text in zip(self.seats, texts * (3 - len(texts)), strict=False):
            answer = seats[player].play(self.number, text)
            assert answer.status_code == 200, answer.text
        self.number += 1

    def take_back(self, player: str) -> None:
        for seats in self.seats:
            assert seats[player].post("/undo", {"number": self.number}).status_code == 200
        self.number += 1

    def heard(self, player: str | None, own: str) -> list[list[tuple[int, str]]]:
        """All that a seat, or a spectator, is answered in each of the games, with the names of the games taken out."""
        return [
            [
                (answer.status_code, answer.text.replace(name, "GAME"))
                for answer in asked(seats[player], self.number, own)
            ]
            for name, seats in zip(self.names, self.seats, strict=True)
        ]


def asked(seat: SeatClient, number: int, own: str) -> list:
    """The answers of a seat to what it may ask, and to what it may not: nothing of it changes the game."""
    questions = (own, f"why not {own}", "what has England played", "who is Player 1", "xyzzy")
    return [
        seat.get(),
        seat.get(since=0),
        seat.get("/moments/0"),
        seat.get(f"/moments/{max(number - 1, 0)}"),
        *in_parts(seat),
        seat.get("/facts"),
        seat.get("/record"),
        seat.get("/messages"),
        seat.get("/shares"),
        seat.play(number + 7, own),
        seat.play(number, "England: play Herald"),
        seat.post("/undo", {"number": number}),
        seat.post("/ask-back", {"number": number, "plays": 10_000}),
        seat.post("/answer", {"number": number, "agrees": True}),
        seat.post("/claim", {"number": number}),
        *(seat.post("/why-not", {"words": words}) for words in questions),
        *(seat.post("/about", {"words": words}) for words in ("England", "Wallace", "Edward")),
        seat.post("/preview", {"words": own}),
        seat.post("/preview", {"words": "England: play Move 2"}),
    ]


def in_parts(seat: SeatClient) -> list:
    """The answers with boards in parts: all of them, those that differ from an earlier moment, and then none."""
    plays = seat.state()["view"]["plays"]
    answers, known = [], ""
    for path in ("", f"/moments/{max(plays - 1, 0)}", "", "", "/moments/0"):
        seat.headers["Known-Picture"] = known
        answers.append(seat.get(path))
        known = answers[-1].json()["picture"]["name"]
    del seat.headers["Known-Picture"]
    return answers


WHOLE_GAME = pytest.mark.nightly


@pytest.mark.parametrize(
    ("ruleset", "seed", "plays"),
    [
        ("hots-4.0", 1, 30),
        pytest.param("hots-4.0", 2, 2000, marks=WHOLE_GAME),
        pytest.param("hots-3.x", 3, 2000, marks=WHOLE_GAME),
        pytest.param("hots-2.3", 4, 2000, marks=WHOLE_GAME),
    ],
)
def test_secret_choices_leave_no_trace(client, ruleset: str, seed: int, plays: int) -> None:
    """Whenever both choose in secret, England chooses one thing in one game and another in its twin."""
    random, twins = Random(seed), Twins(client, ruleset, "braveheart")
    compared = 0
    for _ in range(plays):
        state = twins.state(None)
        movers = state["view"]["to_move"]
        if state["is_over"]:
            break
        texts = [a["text"] for a in twins.state(movers[0])["view"]["actions"]]
        if set(movers) == {"England", "Scotland"} and len(texts) > 1:
            twins.play("England", *random.sample(texts, 2))
            own = twins.state("Scotland")["view"]["actions"][0]["text"]
            for player in ("Scotland", None):
                first, second = twins.heard(player, own)
                assert first == second
                compared += 1
            twins.take_back("England")
        twins.play(movers[0], random.choice(texts))
    assert compared >= plays // 10


def test_bids_that_nobody_may_know_leave_no_trace(client) -> None:
    """In a game of simultaneous bids each bid differs in the twin until both are made."""
    twins, compared = Twins(client, "goofspiel-1.0", first_scenario(client, "goofspiel-1.0")), 0
    for _ in range(5):
        mine = [a["text"] for a in twins.state("Ann")["view"]["actions"]]
        twins.play("Ann", mine[0], mine[-1])
        for player in ("Ben", None):
            first, second = twins.heard(player, "Ben: bid 1")
            assert first == second
            compared += 1
        twins.take_back("Ann")
        twins.play("Ann", mine[0])
        twins.play("Ben", twins.state("Ben")["view"]["actions"][-1]["text"])
    assert compared == 10


@pytest.mark.parametrize("is_agreed", [True, False])
def test_going_back_leaves_no_trace_of_a_secret_choice(client, is_agreed: bool) -> None:
    """England has chosen in secret when Scotland asks to go back: all that Scotland hears is alike."""
    twins = Twins(client, "hots-4.0", "braveheart")
    twins.play("England", "England: play Move 2", "England: play Pillage")
    heard: list[list[tuple[int, str]]] = []
    for seats, game in zip(twins.seats, twins.names, strict=True):
        said = [seats["Scotland"].post("/ask-back", {"number": 1, "plays": 0})]
        said += [seats[player].get(since=0) for player in ("Scotland", None)]
        answer = {"number": 2, "agrees": is_agreed}
        assert seats["England"].post("/answer", answer).status_code == 200
        said += [seats[player].get(since=0) for player in ("Scotland", None)]
        said += [seats["Scotland"].get("/shares"), seats["Scotland"].get("/record")]
        heard.append([(each.status_code, each.text.replace(game, "GAME")) for each in said])
    assert heard[0] == heard[1]
    assert [status for status, _ in heard[0]] == [200] * 6 + [403]

    twins.number = twins.state(None)["number"]
    if is_agreed:
        twins.play("England", "England: play Move 2", "England: play Pillage")
    first, second = twins.heard("Scotland", "Scotland: play Move 2")
    assert first == second


def first_scenario(client: object, ruleset: str) -> str:
    scenarios = {each["name"]: each["scenarios"] for each in client.get("/api/rulesets").json()}
    return next(iter(scenarios[ruleset]))


def test_the_twins_do_differ_for_who_may_know(client) -> None:
    """The comparison would notice a leak: England itself is answered differently."""
    twins = Twins(client, "hots-4.0", "braveheart")
    twins.play("England", "England: play Move 2", "England: play Pillage")
    first, second = twins.heard("England", "England: play Move 3")
    assert first != second
    assert re.search("Pillage", str(second))

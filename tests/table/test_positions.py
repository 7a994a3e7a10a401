"""Positions that are set up at the table, and records that are looked at: checked, drawn, asked about, bounded."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.needs import needs

needs("litestar")
needs("httpx")

import hots_rules as hr
from hots_rules.web.refusals import UnknownUpload
from hots_rules.web.storage import uploads
from hots_rules.web.storage.store import Store
from tests.table.tables import SeatClient, client_on, url_in

RULES = "/api/rulesets/hots-4.0"
RECORDS = "/api/records"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[object]:
    with client_on(url_in(tmp_path_factory.mktemp("table"))) as made:
        yield made


def drafted(client: object, text: str, change: str = "", **settings: object) -> dict:
    body = {"text": text, "change": change, "settings": settings}
    answer = client.post(f"{RULES}/positions", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def finished_game(ruleset: str, scenario: str) -> hr.Game:
    game, random = hr.load(ruleset).start(scenario, seed="7"), Random(7)
    while not game.is_over:
        game = game.play_code(random.choice(game.legal_codes))
    return game


# ------------------------------------------------------------------ positions
def test_a_position_is_changed_drawn_and_checked(client) -> None:
    whole = drafted(client, "like braveheart")
    assert (whole["faults"], whole["values"]["place"]["Wallace"]) == ([], "Fife")
    assert whole["next"].startswith("England, Scotland: ")
    assert 'data-block="Wallace"' in whole["board"]

    moved = drafted(client, whole["text"], "Wallace: place Mentieth")
    assert moved["values"]["place"]["Wallace"] == "Mentieth"
    (fault,) = moved["faults"]
    assert "contested-only-under-attack" in fault
    assert "Mentieth" in fault
    assert moved["board"] != whole["board"]

    unread = drafted(client, "like braveheart\nyaer 1301")
    assert unread["faults"] == ["line 2: expected a variable, got `yaer`; did you mean `year`?"]
    assert (unread["text"], unread["board"]) == ("like braveheart\nyaer 1301", "")


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", ["hots-4.0", "lords-of-scotland", "goofspiel-1.0", "backgammon-1.0"]
)
def test_each_value_of_a_form_can_be_set(client, name: str) -> None:
    """What the form lists is what a position may say."""
    form = client.get(f"/api/rulesets/{name}/form").json()
    start = client.post(
        f"/api/rulesets/{name}/positions", json={"text": f"like {hr.load(name).scenarios[0]}"}
    ).json()
    for variable in form["variables"]:
        choices = form["choices"][variable["type"]]
        keys = next(iter(start["values"][variable["name"]]))
        assert all(form["choices"][type_] for type_ in variable["keys"])
        for value, _ in (choices[:1] + choices[-1:]) if choices else ():
            told = f"{{{value}}}" if variable["is_set"] else value
            change = f"{keys}: {variable['name']} {told}" if keys else f"{variable['name']} {told}"
            body = {"text": start["text"], "change": change}
            changed = client.post(f"/api/rulesets/{name}/positions", json=body).json()
            assert changed["values"][variable["name"]][keys] == told


def test_a_position_is_asked_about_and_has_odds(client) -> None:
    text = (
        "like braveheart; place Wallace 2 Mentieth; Scotland: attacked {Mentieth}; field Mentieth; "
    )
    body = {"text": text + "begin at battle(Mentieth, Scotland)"}
    asked = client.post(f"{RULES}/positions/ask", json={**body, "words": "Scotland: play Move 2"})
    assert "not legal" in asked.json()["text"]
    told = client.post(f"{RULES}/positions/odds", json={**body, "until": "battle"}).json()
    changes = {each["text"]: each["shares"] for each in told["changes"]}
    assert {"Mentieth", "Fife"} & {each["text"] for each in changes["place of Wallace"]}
    bad = {"text": "year 1", "words": "whose turn is it?"}
    assert client.post(f"{RULES}/positions/ask", json=bad).status_code == 422


def test_a_game_begins_at_a_position(tmp_path: Path) -> None:
    position = "like braveheart; Wallace: strength 2; year 1301"
    body = {
        "ruleset": "hots-4.0",
        "scenario": "",
        "claim": False,
        "position": position,
        "seed": "1",
    }
    with client_on(url_in(tmp_path)) as first:
        made = first.post("/api/games", json=body).json()
        seat = SeatClient(first, made["game"], made["keys"]["Scotland"])
        state = seat.state()["view"]["state"]
        assert (state["strength"]["Wallace"], state["year"]) == (2, 1301)
        refused = first.post("/api/games", json={**body, "position": "year 1"})
        assert (refused.status_code, refused.json()["kind"]) == (422, "BadPosition")
    with client_on(url_in(tmp_path)) as second:
        again = SeatClient(second, made["game"], made["keys"]["Scotland"]).state()
        assert again["view"]["state"] == state


# ------------------------------------------------------------------ records
@pytest.mark.thorough
def test_a_record_is_shown_at_each_moment(client) -> None:
    game = finished_game("connect-four-1.0", "empty-board")
    name = client.post(RECORDS, json={"record": str(game.record)}).json()["name"]
    facts = client.get(f"{RECORDS}/{name}").json()
    assert (facts["plays"], facts["outcome"], facts["is_sealed"]) == (
        len(game.moves),
        str(game.outcome),
        True,
    )
    moment = client.get(f"{RECORDS}/{name}/moments/3").json()
    then = game.back(len(game.moves) - 3)
    assert (moment["board"], moment["position"]) == (
        then.draw(live=True),
        then.position + then.moment,
    )
    assert moment["actions"] == [action.text for action in then.actions]
    assert [each["until"] for each in moment["odds"]] == ["decision", "game"]
    assert client.get(f"{RECORDS}/{name}/moments/999").status_code == 422
    odds = client.post(f"{RECORDS}/{name}/moments/3/odds", json={"until": "game"}).json()
    assert sum(each["share"] for each in odds["outcomes"]) == pytest.approx(1, abs=0.001)
    asked = client.post(f"{RECORDS}/{name}/moments/3/ask", json={"words": "Red: z9"})
    assert asked.status_code == 422
    film = client.get(f"{RECORDS}/{name}/film").json()["svg"]
    assert film == hr.draw.film(game)


def test_a_record_is_shown_as_one_player_saw_it(client) -> None:
    start = hr.load("hots-4.0").start("braveheart", seed="7")
    game = start.play(next(each for each in start.actions if each.player == "England"))
    name = client.post(RECORDS, json={"record": str(game.record)}).json()["name"]
    seen = client.get(f"{RECORDS}/{name}/moments/1", params={"player": "Scotland"}).json()
    assert seen["board"] == game.draw("Scotland", live=True, public=True)
    assert all(text.startswith("Scotland") for text in seen["actions"])
    assert client.get(f"{RECORDS}/{name}/moments/1", params={"player": "Nobody"}).status_code == 422


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda text: "nonsense", "line 1: expected `hots_rules record 2`"),
        (lambda text: text.replace("Red: ", "Green: ", 1), "line "),
        (lambda text: text.replace("seed 7", "seed 8", 1), "digest"),
        (lambda text: text.replace("connect-four-1.0", "no-such-game"), "no-such-game"),
        (lambda text: text + "#" * 1_000_000, "record_bytes"),
    ],
)
def test_a_record_that_is_not_right_is_refused_in_words(client, damage, said: str) -> None:
    text = str(finished_game("connect-four-1.0", "empty-board").record)
    refused = client.post(RECORDS, json={"record": damage(text)})
    assert refused.status_code == 422
    assert said in refused.json()["message"]


def test_a_record_without_its_seal_is_told_to_be_so(client) -> None:
    text = str(finished_game("connect-four-1.0", "empty-board").record)
    name = client.post(RECORDS, json={"record": text.rpartition("state ")[0]}).json()["name"]
    assert client.get(f"{RECORDS}/{name}").json()["is_sealed"] is False


def test_the_oldest_record_is_given_up_for_a_new_one(client, monkeypatch) -> None:
    game, names = hr.load("connect-four-1.0").start("empty-board", seed="1"), []
    monkeypatch.setattr(uploads, "MAX_BYTES", 2 * len(str(game.play("a1").record)))
    for text in ("a1", "b1", "c1"):
        record = str(game.play(text).record)
        names.append(client.post(RECORDS, json={"record": record}).json()["name"])
    assert [client.get(f"{RECORDS}/{name}").status_code for name in names] == [404, 200, 200]


def test_who_sends_many_records_gives_up_no_others_for_them(monkeypatch) -> None:
    """Those of the same address are given up, and to send a record again takes it from nobody."""
    game = hr.load("connect-four-1.0").start("empty-board", seed="1")
    texts = [str(game.play(text).record) for text in ("a1", "b1", "c1", "d1")]
    monkeypatch.setattr(uploads, "MAX_BYTES_OF_ASKER", 2 * len(texts[0]))

    async def sent() -> list[bool]:
        store = Store.at("sqlite:///:memory:")
        await store.open()
        kept = uploads.Uploads(store)
        names = [(await kept.keep(texts[0], "203.0.113.1")).name]
        for text in (*texts[1:], texts[0]):
            names.append((await kept.keep(text, "203.0.113.7")).name)
        there = [await is_there(kept, name) for name in names[:-1]]
        await store.close()
        return there

    assert asyncio.run(sent()) == [True, False, True, True]


async def is_there(kept: uploads.Uploads, name: str) -> bool:
    try:
        return bool(await kept.read(name))
    except UnknownUpload:
        return False


@pytest.mark.thorough
def test_a_film_is_shown_when_the_game_is_over(client) -> None:
    body = {"ruleset": "connect-four-1.0", "scenario": "empty-board", "seed": "7"}
    made = client.post("/api/games", json=body).json()
    assert client.get(f"/api/games/{made['game']}/film").status_code == 403

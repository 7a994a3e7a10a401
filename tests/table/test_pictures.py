"""Boards in parts: what the page makes of them is the whole picture, and no seat gets a part of another's."""

from __future__ import annotations

import gzip
import json
import subprocess
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest
from attrs import evolve

import hots_rules as hr
from tests.folders import TESTS
from tests.needs import needs
from tests.programs import NEEDS_NODE

httpx = needs("httpx")
needs("litestar")

from hots_rules.web.games.pictures import Pictures
from tests.table.tables import SeatClient, client_on, new_game, served, url_in

LANGUAGES = ("en", "fr", "es")
MARK = "Known-Picture"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[object]:
    with client_on(url_in(tmp_path)) as made:
        yield made


# ------------------------------------------------------------------ the whole picture
def told_at_moments(
    names: list[str], count: int, seed: int, frames: dict[str, str]
) -> Iterator[dict[str, object]]:
    """What seats and spectators of random games are told at random moments, with a digest of the whole picture.

    The frames of the pictures are kept by their names.
    """
    luck = Random(seed)
    for number in range(count):
        rules = hr.load(names[number % len(names)])
        game = rules.start(luck.choice(rules.scenarios), seed=number)
        language, pictures = luck.choice(LANGUAGES), Pictures()
        known: dict[str | None, str] = {}
        for moment in range(4):
            for _ in range(luck.choice((0, 1, 1, 2, 25))):
                if not game.is_over:
                    game = game.play_code(luck.choice(game.legal_codes))
            spoken = game.in_language(language) if language in rules.languages else game
            viewer = luck.choice((None, *rules.players))
            view = spoken.view(viewer)
            told, values = pictures.changes_since(
                spoken,
                viewer,
                view,
                moment=str(moment),
                # At times the name of another's picture, which must not be taken for this seat's.
                known_picture=known.get(
                    luck.choice((viewer, viewer, None if rules.has_secrets else viewer)), ""
                ),
            )
            known[viewer] = told["name"]
            frame = hr.draw.drawing(spoken, viewer, is_public=True).frame
            frames[frame.name] = frame.svg
            whole = spoken.draw(viewer, live=True, public=True)
            yield {
                "seat": f"{number} {viewer}",
                "told": told,
                "values": view.state,
                "told_values": values,
                "whole": sha256(whole.encode()).hexdigest(),
            }


def check_boards_of_pages(folder: Path, count: int, seed: int) -> None:
    names = [name for name, scenarios in hr.scenarios().items() if scenarios]
    frames: dict[str, str] = {}
    told = list(told_at_moments(names, count, seed, frames))
    file = folder / "told.json"
    file.write_text(json.dumps({"frames": frames, "steps": told}), "utf-8")
    script = TESTS / "table" / "browser" / "pictures.mjs"
    run = subprocess.run(
        ["node", str(script), str(file)], capture_output=True, text=True, timeout=600, check=False
    )

    assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-2000:]
    assert run.stdout.split() == [str(len(told)), "pictures"]
    assert any(each["told"]["since"] for each in told)


@NEEDS_NODE
def test_the_board_of_a_page_is_the_whole_picture(tmp_path: Path) -> None:
    check_boards_of_pages(tmp_path, 8, 1)


@NEEDS_NODE
@pytest.mark.thorough
def test_the_board_of_a_page_is_the_whole_picture_at_a_thousand_moments(tmp_path: Path) -> None:
    check_boards_of_pages(tmp_path, 250, 2)


# ------------------------------------------------------------------ over HTTP
def test_a_seat_is_told_the_parts_that_have_changed(client) -> None:
    _, seats = new_game(client, "hots-4.0", "braveheart")
    england = seats["England"]
    england.headers[MARK] = ""
    first = england.state()["picture"]
    england.headers[MARK] = first["name"]
    second = england.play(0, "England: play Move 3").json()
    again = england.state()["picture"]

    assert (first["since"], second["picture"]["since"]) == ("", first["name"])
    assert 0 < len(second["picture"]["parts"]) < len(first["parts"]) / 4
    assert (second["board"], second["facts"]) == ("", "")
    assert (again["name"], again["since"]) == (second["picture"]["name"], first["name"])
    england.headers[MARK] = again["name"]
    assert england.state()["picture"]["parts"] == {}


def test_a_program_gets_the_board_as_one_text(client) -> None:
    _, seats = new_game(client, "connect-four-1.0", "empty-board")
    state = seats["Red"].state()

    assert state["board"].startswith("<svg") and state["picture"] is None


def test_an_earlier_moment_comes_in_parts_too(client) -> None:
    _, seats = new_game(client, "connect-four-1.0", "empty-board")
    red = seats["Red"]
    red.headers[MARK] = ""
    red.headers[MARK] = red.play(0, "Red: a1").json()["picture"]["name"]
    moment = red.get("/moments/0").json()

    assert (moment["board"], moment["picture"]["since"]) == ("", red.headers[MARK])
    assert moment["facts"]


def test_the_name_of_a_picture_is_good_for_its_seat_alone(client) -> None:
    _, seats = new_game(client, "hots-4.0", "braveheart")
    names = {}
    for player, seat in seats.items():
        seat.headers[MARK] = ""
        names[player] = seat.state()["picture"]["name"]
    for player, seat in seats.items():
        for other, name in names.items():
            seat.headers[MARK] = name
            assert (seat.state()["picture"]["since"] == name) == (player == other)
    assert len(set(names.values())) == 3


def test_all_see_one_picture_where_nothing_is_secret(client) -> None:
    _, seats = new_game(client, "connect-four-1.0", "empty-board")
    for seat in seats.values():
        seat.headers[MARK] = ""

    assert len({seat.state()["picture"]["name"] for seat in seats.values()}) == 1
    for name, scenarios in hr.scenarios().items():
        rules = hr.load(name)
        if scenarios and not rules.has_secrets:
            game = rules.start(rules.scenarios[0], seed=1)
            assert 1 == len(
                {game.draw(player, live=True, public=True) for player in (None, *rules.players)}
            )


def test_facts_are_told_on_demand(client) -> None:
    game, seats = new_game(client, "hots-4.0", "braveheart")
    told = seats["England"].get("/facts").json()["text"]

    assert told == str(hr.load("hots-4.0").start("braveheart", seed="1297").view("England"))
    stranger = SeatClient(client, game, "no key")
    assert stranger.get("/facts").status_code == 401


def test_what_boards_share_is_kept_by_browsers(client) -> None:
    _, seats = new_game(client, "hots-4.0", "braveheart")
    red = seats["England"]
    red.headers[MARK] = ""
    name = red.state()["picture"]["frame"]
    frame = client.get(f"/api/rulesets/hots-4.0/frames/{name}")
    french = client.get(f"/api/rulesets/hots-4.0/frames/{name}", params={"language": "fr"})

    assert "immutable" in frame.headers["cache-control"]
    assert frame.text.startswith("<svg") and "Wallace" not in frame.text
    assert (french.status_code, french.headers["cache-control"]) == (422, "no-store")


# ------------------------------------------------------------------ files, and answers that are compressed
def test_the_files_of_the_page_are_kept_by_browsers(client) -> None:
    page = client.get("/")
    folder = page.text.partition('src="files/')[2].partition("/")[0]
    for name in ("main.js", "style/page.css", "board/board.js", "client.js"):
        kept, plain = client.get(f"/files/{folder}/{name}"), client.get(f"/{name}")
        assert (kept.content, "immutable" in kept.headers["cache-control"]) == (plain.content, True)
        assert plain.headers["cache-control"] == "no-store"
    assert page.headers["cache-control"] == "no-store"
    assert '"style/' not in page.text and '"main.js"' not in page.text


def test_answers_are_compressed_for_who_asks_for_it(tmp_path: Path) -> None:
    with served(tmp_path) as (_, address), httpx.Client(base_url=address) as web:
        game, seats = new_game(web, "connect-four-1.0", "empty-board")
        path, sizes = f"/api/games/{game}", {}
        for coding in ("gzip, br", "gzip;q=0, br", "identity"):
            with web.stream("GET", path, headers={"Accept-Encoding": coding}) as answer:
                content = b"".join(answer.iter_raw())
                sizes[coding] = len(content)
                is_packed = answer.headers.get("content-encoding") == "gzip"
                assert int(answer.headers["content-length"]) == len(content)
                assert answer.headers["vary"] == "accept-encoding"
            assert is_packed == (coding == "gzip, br")
            whole = gzip.decompress(content) if is_packed else content
            assert json.loads(whole) == seats[None].state()
        assert sizes["gzip, br"] < sizes["identity"] / 4
        with web.stream("GET", f"{path}/events") as events:
            assert "content-encoding" not in events.headers
            lines = events.iter_lines()
            assert next(line for line in lines if line.startswith("data")) == "data: 0"


def test_a_seat_is_told_the_values_that_have_changed(client) -> None:
    _, seats = new_game(client, "hots-4.0", "braveheart")
    england = seats["England"]
    whole = england.state()["view"]["state"]
    england.headers[MARK] = ""
    first = england.state()
    england.headers[MARK] = first["picture"]["name"]
    changed = england.play(0, "England: play Move 3").json()["view"]["state"]
    del england.headers[MARK]

    assert first["view"]["state"] == whole
    assert 0 < len(changed) < len(whole) / 2
    assert {**whole, **changed} == england.state()["view"]["state"]


def test_all_values_are_told_after_an_earlier_moment(client) -> None:
    _, seats = new_game(client, "connect-four-1.0", "empty-board")
    red = seats["Red"]
    red.headers[MARK] = ""
    state = red.play(0, "Red: a1").json()
    red.headers[MARK] = state["picture"]["name"]
    red.headers[MARK] = red.get("/moments/0").json()["picture"]["name"]
    again = red.state()

    assert again["picture"]["since"] == red.headers[MARK]
    assert again["view"]["state"] == state["view"]["state"]


def test_all_values_are_told_with_a_picture_on_another_frame(monkeypatch) -> None:
    game, pictures = hr.load("connect-four-1.0").start("empty-board"), Pictures()
    view, drawing_of = game.view("Red"), hr.draw.drawing
    first, _ = pictures.changes_since(game, "Red", view, moment="0", known_picture="")

    def drawn_elsewhere(*given: object, **named: object) -> hr.draw.Drawing:
        drawing = drawing_of(*given, **named)
        return evolve(drawing, frame=evolve(drawing.frame, svg=f"{drawing.frame.svg}\n"))

    monkeypatch.setattr(hr.draw, "drawing", drawn_elsewhere)
    second, values = pictures.changes_since(
        game, "Red", view, moment="1", known_picture=first["name"]
    )

    assert (second["since"], values) == ("", view.state)

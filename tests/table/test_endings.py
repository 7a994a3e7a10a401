"""Games that end otherwise than by their rules: resigned, drawn by agreement, aborted before the first action."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.needs import needs

needs("httpx")
needs("litestar")

from tests.table.tables import SeatClient, client_on, new_game, url_in
from tests.table.test_postgres import mix

GAME = ("connect-four-1.0", "empty-board")


def begun(client: object) -> dict[str | None, SeatClient]:
    """The seats of a game in which Red has played."""
    _, seats = new_game(client, *GAME)
    assert seats["Red"].play(0, "Red: a1").status_code == 200
    return seats


def test_a_player_resigns_and_the_other_one_wins(tmp_path: Path) -> None:
    with client_on(url_in(tmp_path)) as client:
        seats = begun(client)
        assert seats["Red"].post("/resign", {"number": 1}).json()["is_over"] is True
        state = seats["Yellow"].state()
        assert state["outcome"] == "Red resigns; Yellow wins."
        assert state["view"]["actions"] == []
        assert seats["Yellow"].play(2, "Yellow: b1").status_code == 403
        assert "Red resigns; Yellow wins." in seats["Yellow"].get("/record").text
        assert "<svg" in seats["Yellow"].get("/film").json()["svg"]
        french = seats["Yellow"].get(language="fr").json()
        assert french["outcome"] == "Rouge abandonne ; Jaune gagne."


def test_a_draw_is_offered_and_accepted(tmp_path: Path) -> None:
    with client_on(url_in(tmp_path)) as client:
        seats = begun(client)
        asked = seats["Red"].post("/offer-draw", {"number": 1}).json()
        assert asked["question"] == {
            "player": "Red",
            "kind": "draw",
            "plays": 0,
            "waiting": ["Yellow"],
        }
        assert seats["Red"].post("/answer", {"number": 2, "agrees": True}).status_code == 403
        seats["Yellow"].post("/answer", {"number": 2, "agrees": True})
        state = seats["Red"].state()
        assert (state["is_over"], state["outcome"]) == (True, "The players have agreed on a draw.")
        assert [doing["text"] for doing in state["doings"]] == [
            "Red offers a draw.",
            "Yellow agrees.",
            "The players have agreed on a draw.",
        ]


def test_a_draw_is_refused_and_the_game_goes_on(tmp_path: Path) -> None:
    with client_on(url_in(tmp_path)) as client:
        seats = begun(client)
        seats["Red"].post("/offer-draw", {"number": 1})
        state = seats["Yellow"].post("/answer", {"number": 2, "agrees": False}).json()
        assert (state["is_over"], state["question"]) == (False, None)
        assert state["doings"][-1]["text"] == "Yellow does not want a draw."
        assert seats["Yellow"].play(3, "Yellow: b1").status_code == 200


def test_an_offer_of_a_draw_is_open_until_somebody_plays_on(tmp_path: Path) -> None:
    with client_on(url_in(tmp_path)) as client:
        seats = begun(client)
        seats["Red"].post("/offer-draw", {"number": 1})
        assert seats["Yellow"].play(2, "Yellow: b1").json()["question"] is None
        assert seats["Yellow"].post("/answer", {"number": 3, "agrees": True}).status_code == 403


def test_a_bot_refuses_a_draw(tmp_path: Path) -> None:
    with client_on(url_in(tmp_path)) as client:
        _, seats = new_game(client, *GAME, bots={"Yellow": "random"})
        red = seats["Red"]
        red.play(0, "Red: a1")
        while (state := red.state())["view"]["to_move"] != ["Red"]:
            pass
        state = red.post("/offer-draw", {"number": state["number"]}).json()
        assert (state["is_over"], state["question"]) == (False, None)
        assert state["doings"][-1]["text"] == "Yellow does not want a draw."


def test_a_game_is_aborted_before_the_first_action_only(tmp_path: Path) -> None:
    with client_on(url_in(tmp_path)) as client:
        _, seats = new_game(client, *GAME)
        for way in ("/resign", "/offer-draw"):
            assert seats["Red"].post(way, {"number": 0}).status_code == 403
        state = seats["Yellow"].post("/abort", {"number": 0}).json()
        assert state["outcome"] == "Yellow has ended the game before the first action."
        seats = begun(client)
        assert seats["Red"].post("/abort", {"number": 1}).status_code == 403


def test_a_game_of_more_than_two_is_not_resigned(tmp_path: Path) -> None:
    with client_on(url_in(tmp_path)) as client:
        _, seats = new_game(client, "lords-of-scotland", "3-players")
        player = seats["P1"].state()["view"]["to_move"][0]
        action = seats[player].state()["view"]["actions"][0]["text"]
        assert seats[player].play(0, action).status_code == 200
        refused = seats[player].post("/resign", {"number": 1})
        assert (refused.status_code, "offer a draw" in refused.json()["message"]) == (403, True)


@pytest.mark.parametrize("way", ["/resign", "/offer-draw", "/abort"])
def test_only_a_seat_ends_a_game_and_only_one_that_goes_on(tmp_path: Path, way: str) -> None:
    with client_on(url_in(tmp_path)) as client:
        seats = begun(client)
        assert seats[None].post(way, {"number": 1}).status_code == 401
        seats["Yellow"].post("/resign", {"number": 1})
        assert seats["Red"].post(way, {"number": 2}).status_code == 403


# ------------------------------------------------------------------ a rematch
@pytest.mark.parametrize("shares", [False, True])
def test_a_rematch_is_one_game_that_the_same_keys_open_with_sides_exchanged(
    tmp_path: Path, shares: bool
) -> None:
    with client_on(url_in(tmp_path)) as client:
        if shares:
            _, seats = new_game(client, *GAME, None, shares=True)
            mix({player: seat for player, seat in seats.items() if player is not None})
        else:
            _, seats = new_game(client, *GAME)
        assert seats["Red"].post("/rematch", {}).status_code == 403
        seats["Red"].post("/abort", {"number": 0})
        assert seats[None].post("/rematch", {}).status_code == 401
        games = {seats[player].post("/rematch", {}).json()["game"] for player in ("Red", "Yellow")}
        (game,) = games
        key = seats["Red"].headers["Authorization"].removeprefix("Bearer ")
        again = SeatClient(client, game, key)
        if shares:
            assert again.get().json()["kind"] == "NotBegun"
            assert again.get("/shares").json()["seat"] == "Yellow"
        else:
            assert (again.state()["seat"], again.state()["number"]) == ("Yellow", 0)
            assert seats["Red"].state()["seat"] == "Red"


def test_a_bot_takes_the_other_side_of_a_rematch(tmp_path: Path) -> None:
    with client_on(url_in(tmp_path)) as client:
        _, seats = new_game(client, *GAME, bots={"Yellow": "random"})
        red = seats["Red"]
        key = red.headers["Authorization"].removeprefix("Bearer ")
        red.post("/abort", {"number": 0})
        again = SeatClient(client, red.post("/rematch", {}).json()["game"], key)
        assert again.state()["sitting"] == {"Red": "random", "Yellow": ""}
        while again.state()["number"] == 0:  # the bot begins
            pass

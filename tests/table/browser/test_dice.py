"""What the page of a finished game says of its dice, for every way to open one."""

from __future__ import annotations

import pytest

import hots_rules as hr
from tests.needs import needs

needs("litestar")
httpx = needs("httpx")
sync_api = needs("playwright.sync_api")

from tests.browsing import NEEDS_BROWSER, Player
from tests.table.tables import SeatClient

pytestmark = [pytest.mark.thorough, NEEDS_BROWSER]
expect = sync_api.expect

TABLE = "The dice come from the table alone."
GIVEN = "The seed was given: whoever opened the game may know all dice."
LATER = "Since the players went back, the dice come from the table alone."
SHARES = "The dice come from shares of the table and of every player."
KEYS = "But whoever opened the game has had all keys, and may have given all shares."
MATCH = "All shares match their commitments, and the dice come from them."
POSITION = (
    "The game began at a position that whoever opened it has set up, with all that is hidden there."
)
ODDS = "The table tells the players odds."
CELLS = ("a1", "b1", "a2", "b2", "a3", "b3", "a4")


@pytest.mark.parametrize(
    ("more", "goes_back", "dice", "others"),
    [
        ({}, False, [TABLE], []),
        ({}, True, [TABLE], []),
        ({"odds": True}, False, [TABLE], [ODDS]),
        ({"position": "like empty-board", "scenario": ""}, False, [TABLE], [POSITION]),
        ({"seed": "7"}, False, [GIVEN], []),
        ({"seed": "7"}, True, [GIVEN, LATER], []),
        ({"seed": "7", "odds": True}, False, [GIVEN], [ODDS]),
        ({"shares": True}, False, [SHARES, KEYS, MATCH], []),
        ({"shares": True}, True, [SHARES, KEYS, MATCH], []),
        ({"shares": True, "claim": True}, False, [SHARES, MATCH], []),
    ],
)
def test_the_page_says_of_the_dice_what_has_happened(
    browser, address, more: dict, goes_back: bool, dice: list[str], others: list[str]
) -> None:
    with httpx.Client(base_url=address, timeout=60) as web:
        name = played(web, more, goes_back)
    spectator = Player(browser, f"{address}/#{name}")
    expect(spectator.page.locator("#opening li")).to_have_text(
        [*(text for text in dice if text != MATCH), *others]
    )
    spectator.page.locator("#dice").click()
    expect(spectator.page.locator("#why")).to_have_text(" ".join(dice))
    assert spectator.faults == []
    spectator.context.close()


def played(web: object, more: dict, goes_back: bool) -> str:
    """The name of a game that was played to its end."""
    body = {"ruleset": "connect-four-1.0", "scenario": "empty-board", "claim": False, **more}
    made = web.post("/api/games", json=body).json()
    seats = {p: SeatClient(web, made["game"], key) for p, key in made["keys"].items()}
    if body["claim"]:
        for player, seat in seats.items():
            key = hr.new_seed()
            assert seat.post("/seat", {"key": key}).status_code == 200
            seats[player] = SeatClient(web, made["game"], key)
    if body.get("shares"):
        mix(seats)
    number = 0
    if goes_back:
        assert seats["Red"].play(0, "Red: g1").status_code == 200
        assert seats["Red"].post("/ask-back", {"number": 1, "plays": 0}).status_code == 200
        assert seats["Yellow"].post("/answer", {"number": 2, "agrees": True}).status_code == 200
        if body.get("shares"):
            mix(seats)
        number = seats["Red"].state()["number"]
    for play, cell in enumerate(CELLS):
        player = ("Red", "Yellow")[play % 2]
        assert seats[player].play(number + play, f"{player}: {cell}").status_code == 200
    return made["game"]


def mix(seats: dict[str, SeatClient]) -> None:
    secrets = {player: hr.records.new_secret() for player in seats}
    for player, secret in secrets.items():
        body = {"commitment": hr.records.commitment(player, secret)}
        assert seats[player].post("/commitment", body).status_code == 204
    for player, secret in secrets.items():
        assert seats[player].post("/secret", {"secret": secret}).status_code == 204

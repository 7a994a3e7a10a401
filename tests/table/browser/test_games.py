"""Whole games of each ruleset by clicking: each player in a window of an own width, which is loaded anew, loses its
connection, and is looked at in three widths.

With `PICTURES_OF_GAMES=folder` in the environment the pictures of the windows are kept there.
"""

from __future__ import annotations

import os
from collections import deque
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import pytest

from tests.needs import needs

needs("litestar")
httpx = needs("httpx")
sync_api = needs("playwright.sync_api")

import hots_rules as hr
from tests.browsing import NEEDS_BROWSER, Player
from tests.sizes import NIGHT

pytestmark = [pytest.mark.thorough, NEEDS_BROWSER]
WIDTHS = (360, 900, 1600)
ON_THE_BOARD = 0.8  # how often a choice is made on the board where it can be made there
LAST_ANSWERS = 12  # which a page tells of that does not go on
OFFLINE = "net::ERR"  # what a browser without a connection says
QUICK = (("goofspiel-1.0", "full-hands"),)
SLOW = (
    *((name, "braveheart") for name in ("hots-2.3", "hots-3.x", "hots-4.0", "hots-player-aid")),
    ("hots-4.0", "the-bruce"),
    *(("lords-of-scotland", f"{count}-players") for count in range(2, 6)),
    ("backgammon-1.0", "opening"),
    ("beacons-1.0", "first-deal"),
    ("breakthrough-1.0", "two-ranks"),
    ("causeway-0.9", "morning"),
    ("causeway-1.0", "morning"),
    ("chess-1.0", "beginning"),
    ("connect-four-1.0", "empty-board"),
    ("dominoes-1.0", "full-bag"),
    ("reversi-1.0", "four-discs"),
)


def test_each_ruleset_is_played() -> None:
    assert {ruleset for ruleset, _ in (*QUICK, *SLOW)} == set(hr.rulesets())


@pytest.mark.parametrize(
    ("ruleset", "scenario"),
    [*QUICK, *(pytest.param(*each, marks=pytest.mark.nightly) for each in SLOW)],
)
def test_a_whole_game_is_played_by_clicking(
    browser, address, tmp_path, ruleset: str, scenario: str
) -> None:
    body = {"ruleset": ruleset, "scenario": scenario, "claim": False, "seed": f"1297{NIGHT}"}
    made = httpx.post(f"{address}/api/games", json=body, timeout=60).json()
    links = [f"{address}/#{made['game']}.{key}" for key in made["keys"].values()]
    pictures = Path(os.environ.get("PICTURES_OF_GAMES", tmp_path)) / f"{ruleset}-{scenario}"
    players = [
        Clicking(browser, link, WIDTHS[number % 3], pictures, f"seat-{number}")
        for number, link in enumerate(links)
    ]
    play_to_the_end(players)

    record = httpx.get(f"{address}/api/games/{made['game']}/record", timeout=60).text
    played = hr.replay(record)
    assert played.is_over
    for player in players:
        player.waits_for(str(played.outcome))
        player.look_at_all_widths("end")
        assert [fault for fault in player.faults if OFFLINE not in fault] == []
        player.context.close()


def play_to_the_end(players: list[Clicking]) -> None:
    """Play with random clicks; a window is disturbed from time to time."""
    number, random = 0, Random(f"clicks {NIGHT}")
    while True:
        for player in players:
            if not player.reaches(number):
                told = "; ".join(each.told for each in players)
                raise AssertionError(f"{player.name} does not show {number}: {told}")
        if players[0].is_over:
            return
        acting = random.choice([player for player in players if player.has_turn])
        if number % 40 == 6:
            others = [player for player in players if player is not acting]
            acting.loses_the_connection_and_acts(random)
            others[0].page.reload()
        elif number % 40 == 9:
            away = random.choice([player for player in players if player is not acting])
            away.context.set_offline(True)
            acting.act(random)
            away.context.set_offline(False)
        else:
            if number == 12:
                acting.look_at_all_widths("middle")
            acting.act(random)
        number += 1


class Clicking(Player):
    """A player who clicks at random."""

    def __init__(self, browser: object, link: str, width: int, pictures: Path, name: str) -> None:
        super().__init__(browser, link, width)
        self.width, self.pictures, self.name = width, pictures, name
        self.answers = deque[str](maxlen=LAST_ANSWERS)
        self.page.on("response", lambda answer: self._hears(answer.request, answer.status))
        self.page.on("requestfailed", lambda request: self._hears(request, request.failure))

    def _hears(self, request: object, answer: object) -> None:
        path = urlsplit(request.url).path.rpartition("/")[2]
        self.answers.append(f"{request.method} {path}: {answer}")

    @property
    def told(self) -> str:
        """What the page shows, and what it was answered last."""
        shown = self.page.locator(".board").first.get_attribute("data-number")
        texts = [self.page.locator(part).text_content() for part in ("#status", "#why", "#chosen")]
        return f"{self.name} shows {shown} and {texts}, after {[*self.answers]}"

    @property
    def is_over(self) -> bool:
        return self.page.locator("#record").count() > 0

    def reaches(self, number: int) -> bool:
        """Whether the page shows a number of changes, for which it has some time."""
        try:
            self.page.wait_for_selector(f'.board[data-number="{number}"]', state="attached")
        except sync_api.TimeoutError:
            return False
        return True

    def act(self, random: Random) -> None:
        self.choose(random)
        self.confirm()

    def choose(self, random: Random) -> None:
        """Choose what lights up on the board, or sometimes an action of the list, until one action is left."""
        confirm = self.page.locator("#confirm")
        while confirm.is_disabled():
            shapes = self.page.locator(".board [data-block].can, .board [data-area].can")
            if shapes.count() and random.random() < ON_THE_BOARD:
                chosen = shapes.nth(random.randrange(shapes.count()))
                kind, key = chosen.evaluate("e => Object.entries(e.dataset)[0]")
                self.click(kind, key)
            else:
                buttons = self.page.locator(".actions button")
                buttons.nth(random.randrange(buttons.count())).click()

    def loses_the_connection_and_acts(self, random: Random) -> None:
        """Choose, fail to play without a connection, and play when it is back."""
        self.choose(random)
        self.context.set_offline(True)
        self.confirm()
        sync_api.expect(self.page.locator("#why")).to_contain_text("does not answer")
        self.context.set_offline(False)
        self.confirm()

    def look_at_all_widths(self, when: str) -> None:
        """The page has no wider content than the window; its picture is kept."""
        for width in WIDTHS:
            self.page.set_viewport_size({"width": width, "height": 900})
            assert self.page.evaluate("document.documentElement.scrollWidth") <= width
            self.page.screenshot(path=self.pictures / f"{self.name}-{when}-{width}.png")
        self.page.set_viewport_size({"width": self.width, "height": 900})

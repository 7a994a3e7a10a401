"""The table by touch and with all its keys, and pages beside it, for everybody: targets, long press, contrast."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.needs import needs

needs("litestar")
httpx = needs("httpx")
sync_api = needs("playwright.sync_api")

import hots_rules as hr
from tests.browsing import NEEDS_BROWSER, Player
from tests.table.tables import SeatClient, served

pytestmark = [pytest.mark.thorough, NEEDS_BROWSER]
# What can be pressed, and is smaller than a number of pixels; a box to check has its label around it.
PRESSED = "button, select, textarea, input:not([type=checkbox]), label.box, a, summary"
SMALLER = f"""least => [...document.querySelectorAll('{PRESSED}')]
  .filter(e => e.checkVisibility({{visibilityProperty: true}})).filter(e => {{
    const box = e.getBoundingClientRect();
    return Math.min(box.width, box.height) < least;
  }}).map(e => e.outerHTML.slice(0, 80))"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("table"), options=["--uploads"]) as (_, found):
        yield found


class Fingers(Player):
    """Somebody at a screen that is touched, in the dark."""

    def __init__(self, browser: object, link: str, width: int) -> None:
        touched = {"has_touch": True, "is_mobile": True}
        super().__init__(browser, link, width, 740, color_scheme="dark", **touched)

    def hold(self, selector: str) -> None:
        """Put a finger on a shape, and leave it there."""
        box = self.page.locator(selector).bounding_box()
        point = {"x": box["x"] + box["width"] / 3, "y": box["y"] + box["height"] / 3}
        self.finger = self.context.new_cdp_session(self.page)
        self.finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})

    def let_go(self) -> None:
        self.finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def movement(address: str, **more: object) -> tuple[dict[str, str], SeatClient]:
    """The links of a game in which England is to move, and Scotland's seat."""
    body = {"ruleset": "hots-4.0", "scenario": "braveheart", "seed": "1297", "claim": False, **more}
    web = httpx.Client(base_url=address, timeout=60)
    made = web.post("/api/games", json=body).json()
    seats = {player: SeatClient(web, made["game"], key) for player, key in made["keys"].items()}
    for number, (player, card) in enumerate([("England", "Move 3"), ("Scotland", "Move 2")]):
        assert seats[player].play(number, f"{player}: play {card}").status_code == 200
    links = {player: f"{address}/#{made['game']}.{key}" for player, key in made["keys"].items()}
    return links, seats["Scotland"]


def serious_faults(page: object) -> list[tuple[str, list[str]]]:
    axe = needs("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page).response["violations"]
    return [
        (each["id"], [node["html"][:150] for node in each["nodes"]][:3])
        for each in found
        if each["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("width", [360, 900])
def test_the_table_is_played_by_touch(browser, address, width: int) -> None:
    england = Fingers(browser, movement(address)[0]["England"], width)
    england.waits_for("It is your turn")
    page, ross = england.page, england.page.locator('[data-block="Ross"]')
    assert page.evaluate(SMALLER, 44) == []
    assert serious_faults(page) == []

    ross.tap()  # too small for a finger: enlarged first
    sync_api.expect(page.locator(".board.large")).to_be_visible()
    assert ross.bounding_box()["width"] >= 44
    england.hold('[data-block="Ross"]')
    sync_api.expect(page.locator(".board.magnified")).to_be_visible()
    sync_api.expect(page.locator("#why")).to_contain_text("B2, move rating 2")
    sync_api.expect(page.locator("#why")).to_be_in_viewport()
    england.let_go()
    sync_api.expect(page.locator(".board.magnified")).to_have_count(0)
    assert page.locator(".chosen").count() == 0
    ross.tap()
    sync_api.expect(page.locator(".block.chosen")).to_have_count(1)
    page.locator("#hide").tap()
    sync_api.expect(ross).to_be_hidden()
    page.locator("#hide").tap()
    sync_api.expect(ross).to_be_visible()
    assert england.faults == []


def test_one_key_hides_all_pieces_and_shows_them_again(browser, address) -> None:
    england = Player(browser, movement(address)[0]["England"])
    england.waits_for("It is your turn")
    pieces = england.page.locator(".board [data-block]:visible")
    assert pieces.count() > 40
    for pressed, count in (("true", 0), ("false", pieces.count())):
        england.page.keyboard.press("h")
        sync_api.expect(pieces).to_have_count(count)
        sync_api.expect(england.page.locator("#hide")).to_have_attribute("aria-pressed", pressed)
    england.click("block", "Ross")
    sync_api.expect(england.page.locator(".block.chosen")).to_have_count(1)


def test_an_earlier_moment_is_read_by_everybody_and_nothing_is_played_at_it(
    browser, address
) -> None:
    england = Player(browser, movement(address)[0]["England"])
    england.waits_for("It is your turn")
    england.click("block", "Ross")
    england.page.get_by_role("button", name="Previous move").click()
    sync_api.expect(england.page.locator("#moment-text")).to_have_text("1 / 2")
    sync_api.expect(england.page.locator(".actions button:visible")).to_have_count(0)
    sync_api.expect(england.page.locator("#status")).to_have_text("England: play Move 3")
    sync_api.expect(england.page.locator("#status.mine")).to_have_count(0)
    assert serious_faults(england.page) == []
    england.page.locator("#now").click()
    sync_api.expect(england.page.locator(".block.chosen")).to_have_count(1)


def test_news_leave_what_is_chosen(browser, address) -> None:
    links, scotland = movement(address)
    england = Player(browser, links["England"])
    england.waits_for("It is your turn")
    england.click("block", "Ross")
    button = england.page.locator(".actions button").first
    button.focus()
    assert scotland.post("/ask-back", {"number": 2, "plays": 1}).status_code in (200, 201)
    england.waits_for_number(3)
    sync_api.expect(england.page.locator(".block.chosen")).to_have_count(1)
    sync_api.expect(button).to_be_focused()
    england.click("area", "Moray")
    england.confirm()
    england.waits_for_number(4)
    sync_api.expect(england.page.locator(".chosen")).to_have_count(0)
    assert england.faults == []


def test_long_answers_are_reached_by_the_keyboard_and_estimates_are_said_to_be(
    browser, address
) -> None:
    england = Player(browser, movement(address, odds=True)[0]["England"], 1600, 600)
    england.waits_for("It is your turn")
    for key in ("Ross", "Moray"):
        england.click("block" if key == "Ross" else "area", key)
    effects = england.page.locator("#effects")
    sync_api.expect(effects).to_contain_text("Ross: Ross → Moray")
    england.page.locator("select[name=until]").select_option("game")
    england.page.locator("#odds").click()
    odds = england.page.locator("#odds-shown")
    sync_api.expect(odds).to_contain_text("Estimated from")
    assert "[" not in odds.inner_text()
    assert odds.evaluate("e => e.scrollHeight > e.clientHeight")
    for place in (effects, odds):  # effects may scroll as well, where there are more of them
        assert place.evaluate("e => e.tabIndex") == 0
    assert serious_faults(england.page) == []
    assert england.faults == []


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.nightly), "dark"])
def test_everybody_can_look_at_a_record_and_try_a_ruleset(browser, address, scheme: str) -> None:
    game = hr.load("connect-four-1.0").start("empty-board", seed="1").play("Red: c1")
    made = httpx.post(f"{address}/api/records", json={"record": str(game.record)}, timeout=60)
    reader = Player(browser, f"{address}/#record/{made.json()['name']}", 360)
    reader.page.emulate_media(color_scheme=scheme)
    sync_api.expect(reader.page.locator("#moment-text")).to_have_text("1 / 1")
    assert serious_faults(reader.page) == []
    reader.page.locator(".log button.section").first.click()
    rules = reader.page.locator("dialog")
    sync_api.expect(rules.locator("h2")).to_contain_text("§")
    sync_api.expect(rules.locator("li").first).to_be_visible()

    author = Player(browser, f"{address}/#try", 360)
    author.page.emulate_media(color_scheme=scheme)
    author.page.locator("textarea").fill("nonsense")
    author.page.get_by_role("button", name="Try a ruleset").click()
    sync_api.expect(author.page.locator("#fault")).to_contain_text("no line `ruleset NAME")
    assert serious_faults(author.page) == []
    for player in (reader, author):
        assert player.page.evaluate("document.documentElement.scrollWidth") <= 360
        assert player.faults == []

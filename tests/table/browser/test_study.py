"""The pages for positions and records in a real browser: set up by clicking, shared by link, played from, looked at."""

from __future__ import annotations

import re

import pytest

from tests.needs import needs

needs("litestar")
needs("httpx")
sync_api = needs("playwright.sync_api")

import hots_rules as hr
from tests.browsing import NEEDS_BROWSER, Player

pytestmark = [pytest.mark.thorough, NEEDS_BROWSER]
ATTACK = (
    "England: play Move 3",
    "Scotland: play Move 2",
    "England: end moves",
    "Scotland: move Wallace Fife-Mentieth",
    "Scotland: end moves",
)


def expect(player: Player, selector: str):
    return sync_api.expect(player.page.locator(selector))


def test_a_position_is_set_up_by_clicking_and_shared_by_link(browser, address) -> None:
    author = Player(browser, f"{address}/#edit/hots-4.0")
    expect(author, "#next").to_contain_text("England, Scotland")
    author.click("block", "Wallace")
    author.click("area", "Mentieth")
    expect(author, "#faults").to_contain_text("Enemies share an area only while")
    expect(author, '[data-area="Mentieth"].faulty').to_have_count(1)
    expect(author, "#begin").to_be_disabled()
    assert "Wallace: place Mentieth" in author.page.locator("textarea").input_value()

    author.click("block", "Wallace")
    author.click("area", "Selkirk")
    expect(author, "#faults li").to_have_count(0)
    author.page.locator(".form select[name=strength]").select_option("2")
    expect(author, "textarea").to_have_value(re.compile("Wallace: place Selkirk, strength 2"))
    friend = Player(browser, author.page.url)
    expect(friend, "#next").to_contain_text("England, Scotland")
    assert "Wallace: place Selkirk, strength 2" in friend.page.locator("textarea").input_value()

    friend.page.locator("#begin").click()
    friend.page.get_by_role("button", name="Open a table", exact=True).click()
    link = friend.page.locator(".links a").first
    friend.page.locator(".links").wait_for()
    spectator = Player(browser, friend.page.locator(".links a").last.get_attribute("href"))
    assert link.is_visible()
    for page in (author, friend, spectator):
        assert page.faults == []


def test_a_text_is_read_while_it_is_typed_and_faults_lead_to_their_lines(browser, address) -> None:
    author = Player(browser, f"{address}/#edit/hots-4.0")
    expect(author, "#next").to_contain_text("England, Scotland")
    author.page.locator("textarea").fill("like braveheart\nyaer 1301")
    expect(author, "#faults").to_contain_text("did you mean `year`?")
    author.page.locator("#faults button").click()
    chosen = "() => getSelection().toString()"
    assert author.page.evaluate(chosen) == "yaer 1301"
    author.page.keyboard.type("year 1301")
    expect(author, "#faults li").to_have_count(0)
    author.page.locator("input[name=question]").fill("Scotland: play Move 9")
    author.page.keyboard.press("Enter")
    expect(author, "#why").not_to_be_empty()
    assert [fault for fault in author.faults if "422" not in fault] == []


def test_places_are_filled_by_clicks_and_a_game_without_a_board_has_a_form(
    browser, address
) -> None:
    author = Player(browser, f"{address}/#edit/connect-four-1.0")
    expect(author, "#next").to_contain_text("Red")
    author.page.get_by_label("Set by each click").select_option(label="disc: Red")
    author.click("area", "Cell_a_1")
    expect(author, "#next").to_contain_text("Yellow")
    author.page.locator("select[name=ruleset]").select_option("goofspiel-1.0")
    expect(author, ".form select[name=laid]").to_have_count(1)
    author.page.get_by_text("Values of the table").click()
    author.page.locator(".form select[name=prize]").select_option("3")
    expect(author, "#faults, #next").to_have_count(2)
    assert "prize 3" in author.page.locator("textarea").input_value()
    assert author.faults == []


def test_a_record_is_looked_at_step_by_step(browser, address) -> None:
    game = hr.load("hots-4.0").start("braveheart", seed="1297")
    for text in ATTACK:
        game = game.play(text)
    reader = Player(browser, f"{address}/#record")
    reader.page.locator("textarea").fill("nonsense")
    opening = reader.page.get_by_role("button", name="Look at a record")
    opening.click()
    expect(reader, "#fault").to_contain_text("line 1: expected")
    reader.page.locator("textarea").fill(str(game.record))
    opening.click()
    expect(reader, "#moment-text").to_have_text("5 / 5")
    expect(reader, "#odds").to_be_visible()
    reader.page.locator("#odds").click()
    expect(reader, ".share").not_to_have_count(0)
    reader.page.locator("#odds").blur()
    reader.page.keyboard.press("ArrowLeft")
    expect(reader, "#moment-text").to_have_text("4 / 5")
    expect(reader, ".log").to_contain_text("move Wallace")
    reader.page.get_by_label("Who sees it").select_option("England")
    expect(reader, ".board .block.player-1.hidden").not_to_have_count(0)
    expect(reader, ".board .block.player-0.hidden").to_have_count(0)
    reader.page.locator("#film").click()
    expect(reader, "dialog img").to_be_visible()
    assert (
        reader.page.locator("dialog img").evaluate("e => e.decode().then(() => e.naturalWidth)") > 0
    )
    reader.page.keyboard.press("Escape")
    reader.page.get_by_label("Who sees it").select_option("")
    reader.page.locator("#edit").click()
    expect(reader, "#next").to_contain_text("Scotland: movement")
    assert [fault for fault in reader.faults if "422" not in fault] == []


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.nightly), "dark"])
def test_everybody_can_use_the_pages(browser, address, scheme: str) -> None:
    axe = needs("axe_playwright_python.sync_playwright").Axe()
    editor = Player(browser, f"{address}/#edit/hots-4.0", 360)
    expect(editor, "#next").to_contain_text("England, Scotland")
    upload = Player(browser, f"{address}/#record", 360)
    expect(upload, "textarea").to_be_visible()
    for player in (editor, upload):
        player.page.emulate_media(color_scheme=scheme)
        found = axe.run(player.page).response["violations"]
        serious = [
            (each["id"], [node["html"][:150] for node in each["nodes"]][:3])
            for each in found
            if each["impact"] in ("serious", "critical")
        ]
        assert serious == []
        assert player.page.evaluate("document.documentElement.scrollWidth") <= 360

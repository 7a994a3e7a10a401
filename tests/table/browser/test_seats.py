"""Seats that are claimed, in real browsers: who opens a link first has the seat, and everybody sees it."""

from __future__ import annotations

import re

import pytest

from tests.needs import needs

needs("litestar")
httpx = needs("httpx")
sync_api = needs("playwright.sync_api")

from tests.browsing import NEEDS_BROWSER, Player, links_of

pytestmark = [pytest.mark.thorough, NEEDS_BROWSER]
expect = sync_api.expect


def claimed_game(address: str) -> dict[str, str]:
    return links_of(address, "connect-four-1.0", claim=True)


def test_the_first_browser_that_opens_a_link_has_the_seat(browser, address) -> None:
    links = claimed_game(address)
    red = Player(browser, links["Red"])
    red.waits_for("It is your turn")
    assert red.page.url != links["Red"]
    expect(red.page.locator("#seated")).to_have_text(
        "At their seats: Red. Nobody has sat down yet: Yellow."
    )
    late = Player(browser, links["Red"])
    late.waits_for("another browser has sat down by this link of Red")
    late.page.get_by_role("link", name="Watch this game").click()
    expect(late.page.locator("#title")).to_contain_text("Spectator")

    yellow = Player(browser, links["Yellow"])
    yellow.waits_for("Waiting for Red")
    expect(red.page.locator("#seated")).to_have_text("At their seats: Red, Yellow.")
    red.page.goto(f"{address}/")
    red.page.goto(links["Red"])  # the same browser may open its link again
    red.waits_for("It is your turn")
    assert red.faults == yellow.faults == []


def test_a_preview_of_a_link_claims_nothing(browser, address) -> None:
    """What reads a link without its scripts, as chats and search engines do."""
    links = claimed_game(address)
    with browser.new_context(java_script_enabled=False) as context:
        context.new_page().goto(links["Red"])
    red = Player(browser, links["Red"])
    red.waits_for("It is your turn")


def test_a_seat_goes_on_at_another_device(browser, address) -> None:
    red = Player(browser, claimed_game(address)["Red"])
    red.waits_for("It is your turn")
    red.page.get_by_role("button", name="Link for another device").click()
    expect(red.page.locator("#why")).to_contain_text(address)
    link = re.search(r"http\S+", red.page.locator("#why").inner_text())
    assert link is not None
    telephone = Player(browser, link[0], width=400)
    telephone.waits_for("It is your turn")
    red.click("area", "Cell_a_1")
    red.confirm()
    telephone.waits_for("Waiting for Yellow")
    assert red.faults == telephone.faults == []


def test_a_lost_seat_is_asked_for_and_its_holder_refuses(browser, address) -> None:
    links = claimed_game(address)
    red, yellow = (Player(browser, links[name]) for name in ("Red", "Yellow"))
    for player in (red, yellow):
        player.waits_for("Red" if player is yellow else "It is your turn")
    lost = Player(browser, links["Spectator"])
    lost.page.get_by_text("I have lost the link of my seat").click()
    lost.page.get_by_role("button", name="Ask for another key").click()
    told = lost.page.locator(".question p").filter(has_text="That is you")
    expect(told).to_be_visible()
    code = re.search(r"code (\w{6})", told.inner_text())
    assert code is not None
    asked = yellow.page.locator(".question p").filter(has_text=f"the code {code[1]}")
    expect(asked).to_be_visible()
    yellow.page.locator("#lost-agree").click()
    expect(asked).to_contain_text("unless it is refused before")
    expect(yellow.page.locator("#lost-agree")).to_have_count(0)
    expect(red.page.locator(".question p").filter(has_text="This is your seat")).to_be_visible()
    red.page.locator("#lost-refuse").click()
    expect(lost.page.locator("#lost-refuse, #lost-agree")).to_have_count(0)
    expect(told).to_have_count(0)
    assert red.faults == yellow.faults == []


def test_one_screen_for_all_seats_keeps_its_keys_and_says_so(browser, address) -> None:
    lobby = Player(browser, f"{address}/")
    lobby.page.locator("select[name=ruleset]").select_option("connect-four-1.0")
    lobby.page.get_by_label("All seats, for one screen").check()
    lobby.page.get_by_role("button", name="Open a table").click()
    lines = lobby.page.locator(".links p:has(a)")
    expect(lines).to_have_count(2)
    link, spectator = (line.locator("a").get_attribute("href") for line in lines.all())
    for address_of in (link, spectator, link):
        player = Player(browser, address_of)
        expect(player.page.locator("#seated")).to_have_text(
            "Whoever opened this game has had the keys of all seats."
        )
        assert player.faults == []

"""Answers that come late, twice or not at all: no click is lost silently, and no seat sees the board of another."""

from __future__ import annotations

import re

import pytest

from tests.needs import needs

needs("litestar")
httpx = needs("httpx")
sync_api = needs("playwright.sync_api")

from tests.browsing import NEEDS_BROWSER, Player, links_of
from tests.table.tables import SeatClient

pytestmark = [pytest.mark.thorough, NEEDS_BROWSER]
expect = sync_api.expect


class Held:
    """Answers to one kind of request, which are kept back until they are released."""

    def __init__(self, player: Player, address: str, method: str) -> None:
        self.page, self.address, self.method = player.page, address, method
        self.kept: list[tuple[object, object]] = []
        self.is_on = True
        self.page.route(address, self._hold)

    def _hold(self, route: object) -> None:
        if self.is_on and route.request.method == self.method:
            self.kept.append((route, route.fetch()))
        else:
            route.continue_()

    def waits_for(self, count: int) -> None:
        """Wait until the table has answered so many requests."""
        for _ in range(600):
            if len(self.kept) >= count:
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"{len(self.kept)} of {count} requests")

    def release(self, number: int = 0) -> None:
        route, answer = self.kept.pop(number)
        route.fulfill(response=answer)


def seat_at(address: str, link: str) -> SeatClient:
    """The seat of a link, for somebody without a browser."""
    game, key = link.partition("#")[2].split(".")
    return SeatClient(httpx.Client(base_url=address, timeout=60), game, key)


def test_an_action_is_played_while_the_answer_to_the_one_before_is_on_its_way(
    browser, address
) -> None:
    """The news of an action come before its answer, and the next one is not lost."""
    links = links_of(address, "connect-four-1.0")
    red, yellow = Player(browser, links["Red"]), seat_at(address, links["Yellow"])
    red.waits_for("It is your turn")
    answers = Held(red, "**/actions*", "POST")
    red.click("area", "Cell_a_1")
    red.page.locator("#confirm").click()
    red.waits_for_number(1)
    assert yellow.play(1, "Yellow: b1").status_code == 200
    red.waits_for_number(2)
    red.click("area", "Cell_a_2")
    red.page.locator("#confirm").click()
    red.waits_for_number(3)
    answers.waits_for(2)
    answers.release(1)
    answers.release()
    red.waits_for("Waiting for Yellow")
    assert red.page.locator("#moment-text").inner_text() == "3 / 3"
    assert red.page.locator(".log > li").count() == 3
    assert red.faults == []


def test_nothing_else_is_sent_until_it_is_known_what_came_of_an_action(browser, address) -> None:
    red = Player(browser, links_of(address, "connect-four-1.0")["Red"])
    red.waits_for("It is your turn")
    news = Held(red, "**/api/games/*?*", "GET")
    answers = Held(red, "**/actions*", "POST")
    red.click("area", "Cell_a_1")
    red.page.locator("#confirm").click()
    red.click("area", "Cell_b_1")
    expect(red.page.locator("#chosen")).to_have_text("b1")
    expect(red.page.locator("#confirm")).to_be_disabled()
    red.page.keyboard.press("Enter")
    expect(red.page.locator("#why")).to_have_text("One moment …")
    red.waits_for("One moment …")
    answers.waits_for(1)
    news.waits_for(1)
    answers.release()
    red.waits_for("Waiting for Yellow")
    news.release()
    red.waits_for_number(1)
    assert red.faults == []


def game_with_cards(address: str) -> tuple[dict[str, str], dict[str, SeatClient]]:
    """A game in which both sides have played their first cards: its links and its seats."""
    links = links_of(address, "hots-4.0")
    seats = {name: seat_at(address, links[name]) for name in ("England", "Scotland")}
    for number, (name, card) in enumerate((("England", "Move 3"), ("Scotland", "Move 2"))):
        assert seats[name].play(number, f"{name}: play {card}").status_code == 200
    return links, seats


def test_a_choice_that_is_open_no_longer_is_told(browser, address) -> None:
    """The same seat plays in another window what is chosen here."""
    links, seats = game_with_cards(address)
    england = Player(browser, links["England"])
    england.waits_for("It is your turn")
    england.click("block", "Ross")
    england.click("area", "Moray")
    assert seats["England"].play(2, "England: move Ross Ross-Moray").status_code == 200
    england.waits_for_number(3)
    expect(england.page.locator("#why")).to_have_text(
        "Another action was played first; choose again."
    )
    assert england.faults == []


def test_an_older_state_that_comes_late_is_not_shown(browser, address) -> None:
    links = links_of(address, "connect-four-1.0")
    spectator = Player(browser, links["Spectator"])
    spectator.waits_for("Waiting for Red")
    red, yellow = seat_at(address, links["Red"]), seat_at(address, links["Yellow"])
    news = Held(spectator, "**/api/games/*?*", "GET")
    assert red.play(0, "Red: a1").status_code == 200
    news.waits_for(1)
    for number, (seat, text) in enumerate([(yellow, "Yellow: b1"), (red, "Red: a2")], 1):
        assert seat.play(number, text).status_code == 200
    news.is_on = False
    news.release()
    spectator.waits_for_number(3)
    spectator.waits_for("Waiting for Yellow")
    assert spectator.page.locator(".log > li").count() == 3
    assert spectator.faults == []


def test_an_answer_that_is_lost_leaves_no_action_to_be_played_twice(browser, address) -> None:
    """The table has taken the action, and the connection ends before it says so."""
    red = Player(browser, links_of(address, "connect-four-1.0")["Red"])
    red.waits_for("It is your turn")

    def lose(route: object) -> None:
        route.fetch()
        route.abort()

    red.page.route("**/actions*", lose)
    red.click("area", "Cell_a_1")
    red.confirm()
    red.waits_for("Waiting for Yellow")
    expect(red.page.locator("#confirm")).to_be_disabled()
    assert [fault for fault in red.faults if "net::ERR" not in fault] == []


def test_a_stream_that_is_refused_is_asked_for_again(browser, address) -> None:
    links = links_of(address, "connect-four-1.0")
    yellow = Player(browser, links["Yellow"])
    yellow.waits_for("Waiting for Red")
    yellow.page.route("**/events*", lambda route: route.fulfill(status=502, body="no table"))
    yellow.page.reload()
    yellow.waits_for("does not answer")
    assert seat_at(address, links["Red"]).play(0, "Red: a1").status_code == 200
    red = Player(browser, links["Red"])
    red.page.locator("input[name=message]").fill("hello")
    red.page.keyboard.press("Enter")
    expect(red.page.locator(".chat li")).to_have_count(1)
    yellow.page.unroute("**/events*")
    yellow.waits_for("It is your turn")
    expect(yellow.page.locator(".chat li")).to_have_text("Red: hello")


def test_messages_are_asked_for_once_at_a_visit_and_again_after_a_lost_stream(
    browser, address
) -> None:
    yellow = Player(browser, "about:blank")
    asked: list[str] = []
    yellow.page.on("request", lambda request: asked.append(request.url.partition("?")[0]))

    def times() -> int:
        return sum(url.endswith("/messages") for url in asked)

    with yellow.page.expect_response("**/messages?*"):
        yellow.page.goto(links_of(address, "connect-four-1.0")["Yellow"])
    yellow.waits_for("Waiting for Red")
    yellow.page.wait_for_timeout(500)
    assert times() == 1
    yellow.page.route("**/events*", lambda route: route.fulfill(status=502, body="no table"))
    yellow.page.reload()
    yellow.waits_for("does not answer")
    assert times() == 1
    yellow.page.unroute("**/events*")
    yellow.waits_for("Waiting for Red")
    assert times() == 2


def test_a_click_ends_on_a_board_that_was_drawn_anew_meanwhile(browser, address) -> None:
    links = links_of(address, "connect-four-1.0")
    yellow = Player(browser, links["Yellow"])
    yellow.waits_for("Waiting for Red")
    cell = yellow.page.locator('[data-area="Cell_c_1"]')
    box = cell.bounding_box()
    yellow.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    yellow.page.mouse.down()
    assert seat_at(address, links["Red"]).play(0, "Red: a1").status_code == 200
    yellow.waits_for("It is your turn")
    yellow.page.mouse.up()
    expect(yellow.page.locator("#chosen")).to_have_text("c1")
    yellow.confirm()
    yellow.waits_for_number(2)
    assert yellow.faults == []


def test_an_action_arrives_though_the_page_is_left_at_once(browser, address) -> None:
    links = links_of(address, "connect-four-1.0")
    red = Player(browser, links["Red"])
    red.waits_for("It is your turn")
    red.click("area", "Cell_a_1")
    red.page.keyboard.press("Enter")
    red.page.goto("about:blank")
    Player(browser, links["Yellow"]).waits_for("It is your turn")


def test_an_earlier_moment_says_that_nothing_is_played_at_it(browser, address) -> None:
    red = Player(browser, links_of(address, "connect-four-1.0")["Red"])
    red.waits_for("It is your turn")
    red.click("area", "Cell_a_1")
    red.confirm()
    red.page.get_by_role("button", name="Previous move").click()
    expect(red.page.locator("#moment-text")).to_have_text("0 / 1")
    expect(red.page.locator(".board .can")).to_have_count(0)
    red.click("area", "Cell_b_1")
    expect(red.page.locator("#why")).to_contain_text("This is an earlier moment.")


def shows_the_board_of_who_sits_there(player: Player, seats: dict[str, SeatClient]) -> bool:
    """Whether the blocks on the board are those that the table shows to the seat that the title names."""
    (sits,) = (name for name in seats if name in player.page.locator("#title").inner_text())
    found = player.page.locator(".board [data-block]").evaluate_all(
        "all => all.map(e => e.dataset.block)"
    )
    given = re.findall(r'data-block="([^"]*)"', seats[sits].state()["board"])
    return sorted(found) == sorted(given) and len(found) > 40


def test_one_screen_shows_a_seat_nothing_of_another(browser, address) -> None:
    """Who looks at an earlier moment asks to go back, and the other seat of the screen answers."""
    links = links_of(address, "hots-4.0")
    seats = {name: seat_at(address, links[name]) for name in ("England", "Scotland")}
    both = Player(browser, links["all"])
    for name in ("England", "Scotland"):
        both.waits_for("It is your turn")
        expect(both.page.locator("#title")).to_contain_text(name)
        assert shows_the_board_of_who_sits_there(both, seats)
        both.take_first()
        both.page.locator("#show").click()
    both.waits_for("It is your turn")
    for answer in ("#refuse", "#agree"):
        if both.page.locator("#ask-back").is_hidden():
            both.page.get_by_role("button", name="Previous move").click()
        both.page.locator("#ask-back").click()
        both.page.locator(answer).click()
        expect(both.page.locator(".question")).to_be_hidden()
        both.page.wait_for_selector(".choice:not([aria-busy=true])", state="attached")
        if both.page.locator("#show").is_visible():
            both.page.locator("#show").click()
        both.page.locator("#now").dispatch_event("click")
        both.waits_for("It is your turn")
        assert shows_the_board_of_who_sits_there(both, seats)
    assert both.faults == []


@pytest.mark.parametrize("width", [360, 900, 1600])
def test_a_press_of_the_button_is_a_click_though_the_effects_come_meanwhile(
    browser, address, width: int
) -> None:
    """They stand above the button, which would move away under the pointer."""
    links, _ = game_with_cards(address)
    england = Player(browser, links["England"], width)
    england.waits_for("It is your turn")
    page, previews = england.page, Held(england, "**/preview*", "POST")
    page.locator('.actions button:has-text("move Ross Ross-Moray")').first.click()
    previews.waits_for(1)
    button = page.locator("#confirm")
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    previews.release()
    page.wait_for_timeout(500)
    assert page.locator("#effects li").count() == 0
    page.mouse.up()
    england.waits_for_number(3)
    assert england.faults == []

"""The table in a real browser: games played by clicking, at several widths, with a lost connection."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.needs import needs

needs("litestar")
httpx = needs("httpx")
sync_api = needs("playwright.sync_api")

from tests.browsing import NEEDS_BROWSER, Player, links_of
from tests.folders import HOME
from tests.table.tables import SeatClient, served, url_in

pytestmark = [pytest.mark.thorough, NEEDS_BROWSER]


def links_from_the_lobby(browser: object, address: str, ruleset: str) -> dict[str, str]:
    """The links of the seats of a new game, opened in the lobby."""
    lobby = Player(browser, f"{address}/")
    lobby.page.locator("select[name=ruleset]").select_option(ruleset)
    lobby.page.get_by_role("button", name="Open a table").click(timeout=60_000)
    lines = lobby.page.locator(".links p:has(a)")
    sync_api.expect(lines.last).to_be_visible()
    links = {
        line.inner_text().partition(":")[0]: line.locator("a").get_attribute("href")
        for line in lines.all()
    }
    assert lobby.faults == []
    lobby.context.close()
    return links


def test_two_browsers_play_a_whole_game_by_clicking(browser, address, tmp_path) -> None:
    links = links_from_the_lobby(browser, address, "connect-four-1.0")
    red, yellow = (Player(browser, links[name]) for name in ("Red", "Yellow"))
    for row in range(1, 4):
        red.waits_for("It is your turn")
        red.click("area", f"Cell_a_{row}")
        red.confirm()
        yellow.waits_for("It is your turn")
        yellow.click("area", f"Cell_b_{row}")
        yellow.page.keyboard.press("Enter")
        if row == 2:
            yellow.page.reload()
    red.waits_for("It is your turn")
    red.click("area", "Cell_a_4")
    red.confirm()

    for player in (red, yellow):
        player.waits_for("Red")
        sync_api.expect(player.page.locator("#record")).to_be_visible()
        player.page.locator("#dice").click()
        sync_api.expect(player.page.locator("#why")).to_contain_text("the dice come from them")
        assert player.faults == []
    for link in ("#record", "#seeds"):
        with red.page.expect_download() as saved:
            red.page.locator(link).click()
        saved.value.save_as(tmp_path / saved.value.suggested_filename)
    for command in red.page.locator("#verify").inner_text().splitlines():
        program, *words = shlex.split(command)
        run = [sys.executable, "-m", "hots_rules.cli", *words]
        checked = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert (program, bool(checked.stdout)) == ("hots", True)
    spectator = Player(browser, links["Spectator"])
    spectator.waits_for("Red")
    assert spectator.page.locator(".actions button").count() == 0


def test_players_talk_and_keep_notes(browser, address) -> None:
    links = links_of(address, "connect-four-1.0")
    red, yellow = (Player(browser, links[name]) for name in ("Red", "Yellow"))
    for player in (red, yellow):
        player.waits_for("Red" if player is yellow else "It is your turn")
    red.page.locator("input[name=message]").fill("<img src=x onerror=alert(1)> hello")
    red.page.keyboard.press("Enter")
    said = yellow.page.locator(".chat li")
    sync_api.expect(said).to_have_text("Red: <img src=x onerror=alert(1)> hello")
    assert yellow.page.locator(".chat img").count() == 0

    red.page.get_by_text("Notes, for you alone").click()
    red.page.locator("textarea").fill("mine")
    red.page.get_by_role("button", name="Save the notes").click()
    red.page.reload()
    sync_api.expect(red.page.locator("textarea")).to_have_value("mine")
    assert red.faults == yellow.faults == []


def test_a_link_is_changed(browser, address) -> None:
    links = links_of(address, "connect-four-1.0")
    red = Player(browser, links["Red"])
    red.waits_for("It is your turn")
    red.page.get_by_role("button", name="Change my link").click()
    sync_api.expect(red.page.locator("#why")).to_contain_text(address)
    assert red.page.url != links["Red"]
    red.click("area", "Cell_a_1")
    red.confirm()
    red.waits_for("Waiting for Yellow")

    old = Player(browser, links["Red"])
    old.waits_for("this key belongs to no seat")


def test_turns_of_a_board_with_secret_blocks(browser, address) -> None:
    body = {"ruleset": "hots-4.0", "scenario": "braveheart", "seed": "1297"}
    made = httpx.post(f"{address}/api/games", json=body, timeout=60).json()
    links = {player: f"{address}/#{made['game']}.{key}" for player, key in made["keys"].items()}
    england, scotland = (Player(browser, links[name]) for name in ("England", "Scotland"))
    england.waits_for("It is your turn")
    england.take_first()
    england.waits_for("Waiting for Scotland")
    scotland.waits_for("It is your turn")
    scotland.take_first()
    for number in range(2, 10):
        for player in (england, scotland):
            player.waits_for_number(number)
        (england if england.has_turn else scotland).act_on_the_board()
    scotland.waits_for_number(10)

    assert scotland.page.locator(".board .player-1:not(.hidden)[data-block]").count() > 0
    assert scotland.page.locator(".board .player-0:not(.hidden)[data-block]").count() == 0
    assert england.faults == scotland.faults == []


def test_what_has_no_legal_action_says_why_not(browser, address) -> None:
    links = links_of(address, "breakthrough-1.0")
    white = Player(browser, links["White"])
    white.waits_for("It is your turn")
    white.click("area", "Square_a_2")
    white.click("area", "Square_a_4")

    sync_api.expect(white.page.locator("#why")).to_contain_text("not legal")
    white.page.keyboard.press("Escape")
    sync_api.expect(white.page.locator(".chosen")).to_have_count(0)


def hots_in_movement(address: str) -> dict[str, str]:
    """The links of a game in which England is to move blocks, and Ross is the name of a block and of an area."""
    body = {"ruleset": "hots-4.0", "scenario": "braveheart", "claim": False, "seed": "1297"}
    with httpx.Client(base_url=address, timeout=60) as web:
        made = web.post("/api/games", json=body).json()
        for number, (player, card) in enumerate([("England", "Move 3"), ("Scotland", "Move 2")]):
            seat = SeatClient(web, made["game"], made["keys"][player])
            assert seat.play(number, f"{player}: play {card}").status_code == 200
    return {player: f"{address}/#{made['game']}.{key}" for player, key in made["keys"].items()}


def test_a_choice_lights_up_what_is_next_and_shows_what_it_changes(browser, address) -> None:
    england = Player(browser, hots_in_movement(address)["England"])
    england.waits_for("It is your turn")
    page, lit = england.page, england.page.locator(".board .can")
    assert lit.count() == page.locator(".board .player-0.can[data-block]").count() > 5

    england.click("block", "Ross")
    sync_api.expect(lit).to_have_count(2)
    england.click("area", "Moray")
    sync_api.expect(page.locator("#effects li").first).to_have_text("Ross: Ross → Moray")
    page.keyboard.press("Escape")
    sync_api.expect(lit).to_have_count(2)
    england.click("block", "Ross")
    assert lit.count() > 5
    page.locator("input[name=question]").fill("move Ross Ross-Moray")
    page.keyboard.press("Enter")
    sync_api.expect(page.locator("#chosen")).to_have_text("move Ross Ross-Moray")
    page.keyboard.press("Enter")
    england.waits_for_number(3)
    assert england.faults == []


def test_a_thing_is_asked_about_and_a_section_opens_its_rules(browser, address) -> None:
    england = Player(browser, hots_in_movement(address)["England"])
    england.waits_for("It is your turn")
    england.page.locator('[data-block="Ross"]').focus()
    england.page.keyboard.press("?")
    sync_api.expect(england.page.locator("#why")).to_contain_text("B2, move rating 2")
    england.page.locator(".log button.section").first.click()

    rules = england.page.locator("dialog")
    sync_api.expect(rules).to_contain_text("Lay one card of the hand face down.")
    england.page.keyboard.press("Escape")
    sync_api.expect(rules).to_have_count(0)
    assert england.faults == []


def test_the_bar_shows_earlier_moments(browser, address) -> None:
    links = links_of(address, "connect-four-1.0")
    red = Player(browser, links["Red"])
    red.waits_for("It is your turn")
    facts = red.page.locator(".board desc")
    red.click("area", "Cell_a_1")
    red.confirm()
    red.waits_for("Waiting for Yellow")
    sync_api.expect(facts).to_contain_text("Yellow: game")
    red.page.get_by_role("button", name="Previous move").click()
    sync_api.expect(red.page.locator("#moment-text")).to_have_text("0 / 1")
    sync_api.expect(facts).to_contain_text("Red: game")
    red.page.locator("#now").click()
    red.waits_for("Waiting for Yellow")
    sync_api.expect(facts).to_contain_text("Yellow: game")
    assert red.faults == []


def test_a_narrow_window_opens_enlarged_where_it_is_touched(browser, address) -> None:
    england = Player(browser, hots_in_movement(address)["England"], 360)
    england.waits_for("It is your turn")
    england.click("block", "Ross")
    sync_api.expect(england.page.locator(".board.large")).to_be_visible()
    box = england.page.locator('[data-block="Ross"]').bounding_box()
    assert box["width"] >= 40
    england.click("block", "Ross")
    sync_api.expect(england.page.locator(".block.chosen")).to_have_count(1)
    england.page.keyboard.press("z")
    sync_api.expect(england.page.locator(".board.large")).to_have_count(0)


def test_one_screen_serves_all_seats_and_an_action_is_taken_back(browser, address) -> None:
    links = links_of(address, "connect-four-1.0")
    both = Player(browser, links["all"])
    both.waits_for("It is your turn")
    both.click("area", "Cell_a_1")
    both.confirm()
    both.page.locator("#show").click()
    both.waits_for("It is your turn")
    sync_api.expect(both.page.locator("#title")).to_contain_text("Yellow")
    both.click("area", "Cell_b_1")
    both.confirm()
    both.page.locator("#show").click()
    sync_api.expect(both.page.locator("#title")).to_contain_text("Red")

    assert both.faults == []


def test_an_action_is_taken_back_on_the_page(browser, address) -> None:
    links = links_of(address, "hots-4.0")
    england = Player(browser, links["England"])
    england.waits_for("It is your turn")
    england.take_first()
    england.waits_for("Waiting for Scotland")
    england.page.locator("#undo").click()
    england.waits_for("It is your turn")

    sync_api.expect(england.page.locator(".log li")).to_have_count(0)
    assert england.faults == []


def test_a_lost_connection_comes_back(browser, tmp_path) -> None:
    with served(tmp_path) as (process, address):
        port = address.rpartition(":")[2]
        links = links_of(address, "connect-four-1.0")
        red = Player(browser, links["Red"])
        red.waits_for("It is your turn")
        process.kill()
        process.wait()
        red.waits_for("does not answer")
    with served(tmp_path, port):
        red.waits_for("It is your turn")


@pytest.mark.parametrize("width", [360, 900, 1600])
def test_the_page_fits_its_window(browser, address, width: int) -> None:
    links = links_of(address, "hots-4.0")
    player = Player(browser, links["England"], width)
    player.waits_for("It is your turn")

    wide = player.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width
    pressed = "button, select, input"
    heights = f"""[...document.querySelectorAll('{pressed}')].filter(e => e.checkVisibility())
      .map(e => e.getBoundingClientRect().height)"""
    assert min(player.page.evaluate(heights)) >= 24


def test_a_game_is_played_by_keyboard_in_another_language(browser, address) -> None:
    links = links_of(address, "connect-four-1.0")
    red = Player(browser, links["Red"])
    red.waits_for("It is your turn")
    red.page.locator("#languages").select_option("fr")
    red.waits_for("C’est à vous")
    red.page.locator('[data-area="Cell_a_1"]').focus()
    red.page.keyboard.press("ArrowRight")
    red.page.keyboard.press("Space")
    red.page.keyboard.press("Enter")
    red.waits_for("En attente de")

    assert red.page.locator(".log li").count() > 0
    assert red.faults == []


def test_a_game_is_opened_with_an_option(browser, address) -> None:
    lobby = Player(browser, f"{address}/")
    lobby.page.locator("select[name=ruleset]").select_option("hots-4.0")
    lobby.page.get_by_text("Options, and readings of unclear rules").click()
    lobby.page.locator("select[name=schiltroms]").select_option(label="Yes")
    lobby.page.locator("input[name=shares]").uncheck()
    lobby.page.get_by_role("button", name="Open a table").click()
    england = Player(browser, lobby.page.locator(".links a").first.get_attribute("href"))
    england.waits_for("It is your turn")
    england.page.get_by_text("All that is known, as text").click()

    sync_api.expect(england.page.locator(".facts pre")).to_contain_text("schiltroms: true")
    assert lobby.faults == england.faults == []


def test_a_game_of_a_closed_table_is_opened_with_a_token(browser, tmp_path) -> None:
    command = [sys.executable, "-m", "hots_rules.cli", "serve", "tokens", "--make", "friend"]
    made = [*command, "--database", url_in(tmp_path)]
    token = subprocess.run(made, capture_output=True, text=True, check=True).stdout.strip()
    with served(tmp_path, options=["--closed"]) as (_, address):
        lobby = Player(browser, f"{address}/")
        opening = lobby.page.get_by_role("button", name="Open a table")
        opening.click()
        lobby.page.get_by_label("Token of this table").fill(token)
        opening.click()
        sync_api.expect(lobby.page.locator(".links p:has(a)").first).to_be_visible()


def test_a_card_stands_for_the_place_where_it_lies(browser, address) -> None:
    """The places of the row are not drawn, so what lies there is clicked; the same pages play a card game."""
    links = links_of(address, "lords-of-scotland")
    first = Player(browser, next(iter(links.values())))
    first.waits_for("It is your turn")
    card = first.page.locator(".board .hidden.can[data-block]").first
    card.click()
    sync_api.expect(first.page.locator("#chosen")).to_contain_text("take recruit")
    first.page.keyboard.press("Enter")
    first.waits_for_number(1)
    assert first.faults == []


def test_odds_are_shown_with_percentages(browser, address) -> None:
    red = Player(browser, links_of(address, "connect-four-1.0", odds=True)["Red"])
    red.waits_for("It is your turn")
    red.click("area", "Cell_d_1")
    red.page.get_by_label("Odds until").select_option("game")
    red.page.locator("#odds").click()
    shown = red.page.locator("#odds-shown")
    sync_api.expect(shown.locator(".share").first).to_contain_text("Red")
    sync_api.expect(shown).to_contain_text("All choose at random.")
    assert re.search(r"\d\.\d %", shown.inner_text())
    red.confirm()
    sync_api.expect(shown.locator(".share")).to_have_count(0)
    assert red.faults == []


def test_shift_magnifies_the_board(browser, address) -> None:
    red = Player(browser, links_of(address, "connect-four-1.0")["Red"])
    red.waits_for("It is your turn")
    cell = red.page.locator('[data-area="Cell_d_3"]')
    before = cell.bounding_box()
    red.page.mouse.move(before["x"] + 5, before["y"] + 5)
    red.page.keyboard.down("Shift")
    red.page.mouse.move(before["x"] + 8, before["y"] + 8)
    sync_api.expect(red.page.locator(".board.magnified")).to_be_visible()
    assert cell.bounding_box()["width"] > 2 * before["width"]
    red.page.keyboard.up("Shift")
    sync_api.expect(red.page.locator(".board.magnified")).to_have_count(0)
    assert cell.bounding_box() == before


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.nightly), "dark"])
def test_everybody_can_use_the_pages(browser, address, scheme: str) -> None:
    """The rules of axe find nothing serious, in the lobby and at the table."""
    axe = needs("axe_playwright_python.sync_playwright").Axe()
    england = Player(browser, hots_in_movement(address)["England"])
    england.page.emulate_media(color_scheme=scheme)
    england.waits_for("It is your turn")
    england.click("block", "Ross")
    lobby = Player(browser, f"{address}/")
    lobby.page.emulate_media(color_scheme=scheme)
    sync_api.expect(lobby.page.get_by_role("button", name="Open a table")).to_be_enabled()
    for page in (england.page, lobby.page):
        found = axe.run(page).response["violations"]
        serious = [
            (each["id"], [node["html"][:150] for node in each["nodes"]][:3])
            for each in found
            if each["impact"] in ("serious", "critical")
        ]
        assert serious == []


def test_the_picture_of_the_readme_is_made_anew(browser, address, tmp_path) -> None:
    """With `PICTURES_OF_THE_TABLE=docs/_static` in the environment the picture in the README is replaced."""
    england = Player(browser, hots_in_movement(address)["England"], 1400)
    england.page.set_viewport_size({"width": 1400, "height": 860})
    england.waits_for("It is your turn")
    england.click("block", "Ross")
    england.click("area", "Moray")
    sync_api.expect(england.page.locator("#effects li").first).to_be_visible()
    picture = Path(os.environ.get("PICTURES_OF_THE_TABLE", tmp_path)) / "table.jpg"
    england.page.screenshot(path=picture, type="jpeg", quality=60)

    kept = HOME / "docs" / "_static" / "table.jpg"
    assert 30_000 < kept.stat().st_size < 200_000
    assert abs(picture.stat().st_size - kept.stat().st_size) < kept.stat().st_size / 2


@contextmanager
def front_end_of_the_documentation(folder: Path) -> Iterator[dict[str, str]]:
    """The page of the guide, served from another origin: its addresses for the seats of a game."""
    guide = (HOME / "docs/how-to/front-end.md").read_text("utf-8")
    page = re.search(r"```html board.html\n(.*?)```", guide, re.S)
    (folder / "board.html").write_text(page[1], "utf-8")
    handler = partial(QuietHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as pages:
        Thread(target=pages.serve_forever, daemon=True).start()
        origin = f"http://127.0.0.1:{pages.server_port}"
        with served(folder, options=["--origin", origin]) as (_, address):
            links = links_of(address, "connect-four-1.0", claim=True)
            yield {
                name: f"{origin}/board.html?table={address}{link[len(address) + 1 :]}"
                for name, link in links.items()
            }
        pages.shutdown()


def test_the_front_end_of_the_documentation_plays(browser, tmp_path) -> None:
    """The page of the guide shows a game and plays in it."""
    with front_end_of_the_documentation(tmp_path) as links:
        red, yellow = (Player(browser, links[name]) for name in ("Red", "Yellow"))
        red.page.get_by_role("button", name="Red: c1").click()
        yellow.page.get_by_role("button", name="Yellow: d1").click()
        sync_api.expect(red.page.locator("#log")).to_contain_text("Yellow: d1")
        assert red.page.locator("#board svg").count() == 1
        assert red.faults == yellow.faults == []


def test_the_front_end_of_the_documentation_catches_up(browser, tmp_path) -> None:
    """A stream that was refused, and a state that was not answered, are asked for again."""
    with front_end_of_the_documentation(tmp_path) as links:
        red, yellow = (Player(browser, each) for each in (links["Red"], "about:blank"))
        for request in ("**/events?*", "**/games/*?*"):
            yellow.page.route(request, lambda route: route.fulfill(status=502), times=1)
        yellow.page.goto(links["Yellow"])
        red.page.get_by_role("button", name="Red: c1").click()
        yellow.page.get_by_role("button", name="Yellow: d1").click()
        sync_api.expect(red.page.locator("#log")).to_contain_text("Yellow: d1")


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves a folder, and says nothing."""

    def log_message(self, *words: object) -> None:
        pass


def test_a_second_visit_asks_for_little(browser, address) -> None:
    """Scripts, styles and what all boards share are kept by the browser: at most eight requests reach the table."""
    links = links_from_the_lobby(browser, address, "connect-four-1.0")
    red, _ = (Player(browser, links[name]) for name in ("Red", "Yellow"))
    red.waits_for("It is your turn")
    second = red.context.new_page()
    network = red.context.new_cdp_session(second)
    asked: dict[str, str] = {}
    network.on(
        "Network.requestWillBeSent", lambda e: asked.update({e["requestId"]: e["request"]["url"]})
    )
    network.on("Network.requestServedFromCache", lambda e: asked.pop(e["requestId"], None))
    network.on(
        "Network.responseReceived",
        lambda e: asked.pop(e["requestId"], None) if e["response"].get("fromDiskCache") else None,
    )
    network.send("Network.enable")
    second.goto(links["Red"])
    sync_api.expect(second.locator("#status")).to_contain_text("It is your turn")
    sync_api.expect(second.locator(".board [data-area]").first).to_be_visible()
    second.wait_for_timeout(1_000)
    sent = [url for url in asked.values() if url.startswith("http")]

    assert 0 < len(sent) <= 8, sent

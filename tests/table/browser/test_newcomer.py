"""What somebody meets who opens a table for the first time: the lobby, the first choices, by keyboard alone as well."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from tests.needs import needs

needs("litestar")
httpx = needs("httpx")
sync_api = needs("playwright.sync_api")

from tests.browsing import NEEDS_BROWSER, Player, links_of
from tests.table.tables import served

pytestmark = [pytest.mark.thorough, NEEDS_BROWSER]
expect = sync_api.expect
MAX_TABS = 12  # from the top of the page to what can be chosen on the board
# Counts the tones that are started; they sound as usual.
COUNT_TONES = """const start = OscillatorNode.prototype.start;
window.tones = 0;
OscillatorNode.prototype.start = function (...when) { window.tones += 1; return start.apply(this, when); };"""


def lobby_at(browser: object, address: str, ruleset: str, **more: object) -> Player:
    """Somebody in the lobby who has chosen a game."""
    lobby = Player(browser, f"{address}/", **more)
    lobby.page.locator("select[name=ruleset]").select_option(ruleset)
    expect(lobby.page.locator("fieldset select").first).to_be_visible()
    return lobby


def labels_of_links(lobby: Player) -> list[str]:
    """Whose links the lobby has made."""
    lobby.page.get_by_role("button", name="Open a table").click()
    lines = lobby.page.locator(".links p:has(a)")
    expect(lines.last).to_be_visible()
    return [line.inner_text().partition(":")[0] for line in lines.all()]


def movement(address: str) -> dict[str, str]:
    """The links of a game in which England is to move."""
    links = links_of(address, "hots-4.0")
    game, *keys = links["all"].partition("#")[2].split(".")
    web = httpx.Client(base_url=f"{address}/api/games/{game}", timeout=60)
    texts = ("England: play Move 3", "Scotland: play Move 2")
    for number, (key, text) in enumerate(zip(keys, texts, strict=True)):
        body = {"number": number, "action": text}
        answer = web.post("/actions", json=body, headers={"Authorization": f"Bearer {key}"})
        assert answer.status_code == 200
    return links


def test_who_plays_a_bot_gets_one_link(browser, address) -> None:
    lobby = lobby_at(browser, address, "connect-four-1.0", permissions=["clipboard-write"])
    lobby.page.locator("select[name=Yellow]").select_option("random")
    assert labels_of_links(lobby) == ["Red", "Spectator"]
    expect(lobby.page.locator(".links p").first).to_contain_text("Open your seat by this link")
    copy = lobby.page.get_by_role("button", name="Copy this link").first
    copy.click()
    expect(lobby.page.get_by_role("button", name="Copied")).to_be_visible()
    with lobby.context.expect_page() as opened:
        lobby.page.locator(".links a").first.click()
    expect(opened.value.locator("#status.mine")).to_be_visible()
    assert lobby.faults == []


def test_seats_that_take_no_part_have_no_links(browser, address) -> None:
    lobby = lobby_at(browser, address, "lords-of-scotland")
    lobby.page.locator("select[name=scenario]").select_option("2-players")
    assert labels_of_links(lobby) == ["P1", "P2", "Spectator"]


def test_an_option_is_chosen_in_words(browser, address) -> None:
    lobby = lobby_at(browser, address, "hots-4.0")
    lobby.page.locator("summary").click()
    option = lobby.page.locator("form details select").first
    assert option.locator("option").all_inner_texts() == ["No", "Yes"]


def test_the_list_begins_with_what_the_board_has_no_way_to(browser, address) -> None:
    england = Player(browser, movement(address)["England"])
    england.waits_for("It is your turn")
    first = england.page.locator(".actions button").first
    expect(first).to_have_text("end moves")
    first.click()
    expect(england.page.locator("#effects")).to_contain_text("moves left: 3 → 2")
    expect(england.page.locator("#effects li")).to_have_count(
        1
    )  # what rules keep account of is not told


def test_a_card_is_chosen_from_the_list(browser, address) -> None:
    england = Player(browser, links_of(address, "hots-4.0")["England"])
    england.waits_for("It is your turn")
    expect(england.page.locator("#chosen")).to_have_text("Choose an action of the list.")


def test_a_block_is_moved_by_keyboard_alone(browser, address) -> None:
    england = Player(browser, movement(address)["England"])
    england.waits_for("It is your turn")
    keyboard = england.page.keyboard
    focused = england.page.locator(":focus")
    for _ in range(MAX_TABS):
        keyboard.press("Tab")
        if focused.evaluate("e => e.matches('[data-block].can')"):
            break
    block = focused.get_attribute("data-block")
    assert block is not None
    keyboard.press("Space")
    expect(england.page.locator(".board .can[data-area]").first).to_be_visible()
    keyboard.press("Tab")
    if not focused.evaluate("e => e.matches('[data-area].can')"):
        keyboard.press("Shift+Tab")
        keyboard.press("Shift+Tab")
    keyboard.press("Space")
    expect(england.page.locator("#confirm")).to_be_enabled()
    keyboard.press("Enter")
    england.waits_for_number(3)
    assert england.faults == []


def test_on_a_telephone_the_box_leaves_room_for_the_board(browser, address) -> None:
    england = Player(browser, movement(address)["England"], 360, 740)
    england.waits_for("It is your turn")
    expect(england.page.locator("#confirm")).to_be_hidden()
    box = england.page.locator(".choice").bounding_box()
    assert box["height"] < 740 / 4
    england.page.locator(".actions button").first.click()
    expect(england.page.locator("#confirm")).to_be_visible()


def test_the_turn_is_told_by_title_and_sound(browser, address) -> None:
    links = links_of(address, "connect-four-1.0")
    red, yellow = (Player(browser, links[name]) for name in ("Red", "Yellow"))
    yellow.context.add_init_script(COUNT_TONES)
    yellow.page.reload()
    yellow.waits_for("Waiting for Red")
    expect(yellow.page).to_have_title("Connect four")
    yellow.page.locator("h1").click()  # a browser is silent until somebody has clicked

    def red_and_yellow_play(column: str, row: int) -> None:
        red.waits_for("It is your turn")
        red.click("area", f"Cell_{column}_{row}")
        red.confirm()
        yellow.waits_for("It is your turn")
        expect(yellow.page).to_have_title("● Connect four")

    red_and_yellow_play("a", 1)
    assert yellow.page.evaluate("tones") == 1
    yellow.click("area", "Cell_b_1")
    yellow.confirm()
    yellow.waits_for("Waiting for Red")
    expect(yellow.page).to_have_title("Connect four")
    yellow.page.get_by_label("Sound").uncheck()
    red_and_yellow_play("a", 2)
    assert yellow.page.evaluate("tones") == 1
    assert red.faults == yellow.faults == []


def test_a_closed_table_asks_for_a_token_where_a_ruleset_is_tried(browser, tmp_path: Path) -> None:
    with served(tmp_path, options=["--closed", "--uploads"]) as (_, address):
        somebody = Player(browser, f"{address}/#try")
        somebody.page.locator("textarea").fill("ruleset mine-1.0")
        token = somebody.page.get_by_label("Token of this table")
        expect(token).to_be_hidden()
        send = somebody.page.get_by_role("button", name="Try a ruleset")
        send.click()
        expect(token).to_be_visible()
        token.fill("none of this table")
        send.click()
        expect(somebody.page.locator("#fault")).to_contain_text("token")


def test_who_plays_a_bot_is_told_so_and_that_it_thinks(browser, address) -> None:
    links = links_of(address, "hots-4.0", bots={"England": "monte-carlo"})
    scotland = Player(browser, links["Scotland"])
    players = scotland.page.locator(".players li")
    expect(players).to_have_text(["England (a bot, monte-carlo)", "Scotland (you)"])
    scotland.waits_for("It is your turn")
    scotland.take_first()
    spectator = Player(browser, links["Spectator"])
    expect(spectator.page.locator(".players li")).to_have_text(
        ["England (a bot, monte-carlo)", "Scotland"]
    )
    assert scotland.faults == spectator.faults == []


# Each text of the status, with its classes: a bot may have chosen before somebody looks again.
TELL_STATUS = """status => {
  globalThis.told = [];
  const tell = () => globalThis.told.push(`${status.className}: ${status.textContent}`);
  new MutationObserver(tell).observe(status, { attributes: true, childList: true, characterData: true, subtree: true });
}"""


def test_while_a_bot_is_to_choose_the_page_tells_that_it_thinks(browser, address) -> None:
    links = links_of(address, "connect-four-1.0", bots={"Red": "monte-carlo"})
    yellow = Player(browser, links["Yellow"])
    yellow.waits_for("It is your turn")
    yellow.page.locator("#status").evaluate(TELL_STATUS)
    yellow.take_first()
    expect(yellow.page.locator("#status.thinking")).to_have_count(0)
    yellow.waits_for("It is your turn")
    assert "thinking: Red is thinking …" in yellow.page.evaluate("told")


def test_a_move_is_one_line_of_the_log_with_its_steps_on_request(browser, address) -> None:
    england = Player(browser, movement(address)["England"])
    england.waits_for("It is your turn")
    england.page.locator(".actions button", has_text="move Ross Ross-Moray").click()
    england.confirm()
    england.waits_for_number(3)
    moved = england.page.locator(".log > li").last
    expect(moved.locator(".first")).to_contain_text("England: move Ross Ross-Moray")
    steps = moved.locator("li")
    assert steps.count() >= 3
    expect(steps.first).to_be_hidden()  # its names are those of the move
    moved.get_by_role("button", name="Details").click()
    expect(steps.first).to_contain_text("Ross sets out from Ross")
    shown = england.page.locator(".log > li li", has_text="England has played Move 3")
    expect(shown).to_be_visible()  # the action before it does not tell that


@pytest.mark.parametrize(("width", "is_beside"), [(1200, True), (360, False)])
def test_panels_stand_where_they_have_most_room(browser, address, width, is_beside) -> None:
    england = Player(browser, movement(address)["England"], width)
    england.waits_for("It is your turn")
    place = "e => { const { x, y, width, height } = e.getBoundingClientRect(); return [x, y, x + width, y + height]; }"
    board = england.page.locator(".board svg")
    left, top, right, bottom = board.evaluate(place)
    panels = [each.evaluate(place) for each in board.locator(".below > .panel > rect").all()]
    area = board.locator('[data-area="England"]').evaluate(place)
    assert len(panels) >= 2
    for x, y, end, foot in panels:
        assert left <= x < end <= right + 1 and top <= y < foot <= bottom + 1
        assert (x >= area[2] - 2) if is_beside else (y >= area[3] - 2)
    for above, below in pairwise(panels):
        assert above[3] <= below[1]
    assert england.faults == []


def test_on_a_telephone_a_few_actions_stand_in_the_box(browser, address) -> None:
    scotland = Player(browser, links_of(address, "hots-4.0")["Scotland"], 360, 740)
    scotland.waits_for("It is your turn")
    cards = scotland.page.locator(".actions button")
    expect(cards).to_have_count(3)
    for card in cards.all():
        expect(card).to_be_in_viewport()
    cards.first.click()
    expect(cards.first).to_be_hidden()  # what is chosen stands in the box
    scotland.confirm()
    scotland.waits_for("Waiting for England")

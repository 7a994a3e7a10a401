"""Going back by agreement, clocks and the list of one's games, in two real browsers."""

from __future__ import annotations

import pytest

from tests.needs import needs

needs("litestar")
httpx = needs("httpx")
sync_api = needs("playwright.sync_api")

from tests.browsing import NEEDS_BROWSER, Player, links_of

pytestmark = [pytest.mark.thorough, NEEDS_BROWSER]
expect = sync_api.expect


def made_game(address: str, **more: object) -> dict[str, str]:
    """The links of a game of two columns."""
    body = {"ruleset": "connect-four-1.0", "scenario": "empty-board", **more}
    made = httpx.post(f"{address}/api/games", json=body, timeout=60).json()
    links = {player: f"{address}/#{made['game']}.{key}" for player, key in made["keys"].items()}
    return {**links, "Spectator": f"{address}/#{made['game']}"}


def play(player: Player, cell: str) -> None:
    player.waits_for("It is your turn")
    player.click("area", f"Cell_{cell}")
    player.confirm()


def ask_back(player: Player, steps: int) -> None:
    """Look at an earlier moment, and ask to go back to it."""
    for _ in range(steps):
        player.page.get_by_role("button", name="Previous move").click()
    player.page.locator("#ask-back").click()


def test_two_browsers_go_back_and_mix_another_seed(browser, address) -> None:
    links = made_game(address, shares=True)
    red, yellow = (Player(browser, links[name]) for name in ("Red", "Yellow"))
    for row in (1, 2):
        play(red, f"a_{row}")
        play(yellow, f"b_{row}")
    red.waits_for_number(4)
    spectator = Player(browser, links["Spectator"])
    spectator.waits_for("Waiting for Red")

    ask_back(red, 3)
    question = yellow.page.locator(".question")
    expect(question).to_contain_text("Red asks to go back to play 1.")
    expect(spectator.page.locator(".question")).to_contain_text("Red asks")
    assert spectator.page.locator("#agree").is_hidden()
    yellow.page.locator("#refuse").click()
    expect(red.page.locator(".log").nth(1)).to_contain_text("Yellow does not want to go back.")
    expect(red.page.locator("#ask-back")).to_be_visible()
    red.page.locator("#ask-back").click()
    yellow.page.locator("#agree").click()
    yellow.waits_for("It is your turn")

    for player in (red, yellow, spectator):
        expect(player.page.locator("#moment-text")).to_have_text("1 / 1")
        expect(player.page.get_by_label("Agreements").last).to_contain_text(
            "the next dice come from another seed"
        )
    play(yellow, "b_1")
    for row in (2, 3, 4):
        play(red, f"a_{row}")
        if row < 4:
            play(yellow, f"b_{row}")
    for player in (red, yellow, spectator):
        player.waits_for("Red wins")
        player.page.locator("#dice").click()
        expect(player.page.locator("#why")).to_contain_text("the dice come from them")
        assert player.faults == []


def test_one_screen_asks_and_answers(browser, address) -> None:
    links = links_of(address, "connect-four-1.0")
    both = Player(browser, links["all"])
    play(both, "a_1")
    both.page.locator("#show").click()
    play(both, "b_1")
    both.page.locator("#show").click()
    both.waits_for("It is your turn")
    ask_back(both, 2)
    expect(both.page.locator(".question")).to_contain_text("asks to go back to play 0.")
    both.page.locator("#agree").click()
    expect(both.page.locator(".replay")).to_be_hidden()
    both.waits_for("It is your turn")
    assert both.faults == []


def test_the_times_run_and_a_game_is_claimed(browser, address) -> None:
    links = made_game(address, clock={"seconds": 8})
    red, yellow = (Player(browser, links[name]) for name in ("Red", "Yellow"))
    yellow.waits_for("Waiting for Red")
    play(red, "a_1")
    yellow.waits_for("It is your turn")
    expect(yellow.page.locator(".players .runs")).to_contain_text("Yellow (you): 0:0")
    expect(red.page.locator(".players li").first).to_have_text("Red (you): 0:08")
    red.page.locator("#claim").click()

    for player in (red, yellow):
        player.waits_for("Red claims the game: the time of Yellow is out.")
        expect(player.page.locator("#record")).to_be_visible()
        assert player.page.locator(".actions button").count() == 0
        assert player.page.locator("#claim").is_hidden()
        assert player.faults == []


def test_who_waits_for_the_first_move_starts_the_clock(browser, address) -> None:
    links = made_game(address, clock={"days": 2})
    red, yellow = (Player(browser, links[name]) for name in ("Red", "Yellow"))
    yellow.waits_for("Waiting for Red")
    yellow.page.get_by_role("button", name="Start the clock").click()
    expect(red.page.locator(".players .runs")).to_contain_text("Red (you): 1 d 23:59")
    for player in (red, yellow):
        expect(player.page.locator("#start-clock")).to_be_hidden()
    play(red, "a_1")
    expect(yellow.page.locator(".players .runs")).to_contain_text("Yellow")
    assert red.faults == yellow.faults == []


def test_the_lobby_lists_the_games_of_the_browser(browser, address) -> None:
    links = made_game(address)
    red = Player(browser, links["Red"])
    red.waits_for("It is your turn")
    red.page.goto(f"{address}/")
    mine = red.page.locator(".games li.mine")
    expect(mine).to_contain_text("Red: It is your turn")
    expect(red.page).to_have_title("● Table")
    mine.locator("a").click()
    play(red, "a_1")
    red.waits_for("Waiting for Yellow")
    red.page.goto(f"{address}/")
    expect(red.page.locator(".games li")).to_contain_text("Waiting for Yellow")
    expect(red.page).to_have_title("Table")
    red.page.get_by_role("button", name="Remove").click()
    expect(red.page.locator(".games")).to_be_hidden()
    assert red.faults == []


def test_a_clock_is_chosen_in_the_lobby(browser, address) -> None:
    lobby = Player(browser, f"{address}/")
    opening = lobby.page.get_by_role("button", name="Open a table")
    lobby.page.locator("select[name=ruleset]").select_option("connect-four-1.0")
    lobby.page.locator("select[name=clock]").select_option("turn")
    lobby.page.locator("input[name=days]").fill("2")
    lobby.page.locator("input[name=shares]").uncheck()
    opening.click()
    red = Player(browser, lobby.page.locator(".links a").first.get_attribute("href"))
    red.waits_for("It is your turn")
    expect(red.page.locator(".players li").first).to_have_text("Red (you): 2 d 0:00")
    assert lobby.faults == red.faults == []


def test_a_secret_choice_clocks_chat_and_a_question_go_together(browser, address) -> None:
    body = {"ruleset": "hots-4.0", "scenario": "braveheart", "seed": "1297"}
    clock = {"seconds": 5000, "increment": 5}
    made = httpx.post(f"{address}/api/games", json={**body, "clock": clock}, timeout=60).json()
    links = {player: f"{address}/#{made['game']}.{key}" for player, key in made["keys"].items()}
    england, scotland = Player(browser, links["England"]), Player(browser, links["Scotland"], 360)
    spectator = Player(browser, f"{address}/#{made['game']}")
    for player in (england, scotland):
        player.waits_for("It is your turn")
        expect(player.page.locator(".players .runs")).to_have_count(0)
    england.page.get_by_text("Notes, for you alone").click()
    england.page.locator("textarea").fill("a plan")
    england.page.get_by_role("button", name="Save the notes").click()
    england.take_first()
    scotland.waits_for_number(1)
    expect(scotland.page.locator(".players .runs")).to_contain_text("Scotland (you): 1:2")
    expect(england.page.locator(".players .runs")).to_contain_text("Scotland")

    ask_back(scotland, 1)
    expect(england.page.locator(".question")).to_contain_text("Scotland asks to go back to play 0.")
    expect(england.page.locator("#spoken")).to_contain_text("Scotland asks")
    expect(england.page).to_have_title("● Hammer of the Scots, rulebook 4.0")
    expect(spectator.page.locator(".question")).to_be_visible()
    spectator_buttons = spectator.page.locator(".question button:visible")
    assert spectator_buttons.count() == 0
    england.page.locator("input[name=message]").fill("Why?")
    england.page.keyboard.press("Enter")
    expect(scotland.page.locator(".chat")).to_contain_text("England: Why?")
    scotland.page.locator("#now").click()
    width = "document.documentElement.scrollWidth"
    assert scotland.page.evaluate(width) <= 360
    axe = needs("axe_playwright_python.sync_playwright").Axe()
    for player in (england, scotland):
        found = axe.run(player.page).response["violations"]
        assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == []

    england.page.locator("#agree").click()
    for number, player in enumerate((england, scotland), 5):
        player.waits_for_number(number)
        player.take_first()
    for player in (england, scotland, spectator):
        player.waits_for_number(7)
        expect(player.page.locator("#moment-text")).to_have_text("16 / 16")  # 14 blocks were drawn
        assert player.faults == []
    assert england.page.locator("textarea").input_value() == "a plan"


def end(player: Player, way: str) -> None:
    """Press a button under "End the game", and say yes."""
    player.page.once("dialog", lambda dialog: dialog.accept())
    if player.page.locator(f"#{way}").is_hidden():
        player.page.locator("summary", has_text="End the game").click()
    player.page.locator(f"#{way}").click()


def test_a_draw_is_refused_and_the_game_is_resigned(browser, address) -> None:
    links = made_game(address)
    red, yellow = (Player(browser, links[name]) for name in ("Red", "Yellow"))
    play(red, "a_1")
    end(red, "draw")
    expect(yellow.page.locator(".question")).to_contain_text("Red offers a draw.")
    yellow.page.get_by_role("button", name="Refuse the draw").click()
    expect(red.page.locator(".past-plays")).to_contain_text("Yellow does not want a draw.")
    yellow.waits_for("It is your turn")
    end(yellow, "resign")
    for player in (red, yellow):
        player.waits_for("Yellow resigns; Red wins.")
        expect(player.page.locator("#resign")).to_be_hidden()
        assert player.faults == []


def test_a_game_is_aborted_and_played_again_with_sides_exchanged(browser, address) -> None:
    links = made_game(address)
    red, yellow = (Player(browser, links[name]) for name in ("Red", "Yellow"))
    yellow.waits_for("Waiting for Red")
    end(yellow, "abort")
    red.waits_for("Yellow has ended the game before the first action.")
    for player in (red, yellow):
        player.page.locator("#rematch").click()
    red.waits_for("Waiting for Red")
    play(yellow, "a_1")
    red.waits_for("It is your turn")
    assert red.faults == yellow.faults == []

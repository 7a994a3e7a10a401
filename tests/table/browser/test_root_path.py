"""The table in a real browser below a path of another site: a game is opened, played by clicks, and watched."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.needs import needs

needs("litestar")
needs("httpx")
needs("playwright.sync_api")

from tests.browsing import NEEDS_BROWSER, Player
from tests.table.browser.test_play import links_from_the_lobby
from tests.table.proxies import proxy
from tests.table.tables import served

pytestmark = [pytest.mark.thorough, NEEDS_BROWSER]


def test_two_browsers_play_below_a_path(browser, tmp_path: Path) -> None:
    with served(tmp_path) as (_, table), proxy(table, "/games") as address:
        links = links_from_the_lobby(browser, address, "connect-four-1.0")
        assert all(link.startswith(f"{address}/#") for link in links.values())
        red, yellow = (Player(browser, links[name]) for name in ("Red", "Yellow"))
        for row in (1, 2):
            red.waits_for("It is your turn")
            red.click("area", f"Cell_a_{row}")
            red.confirm()
            yellow.waits_for("It is your turn")
            yellow.click("area", f"Cell_b_{row}")
            yellow.confirm()
        red.page.locator("#places a").first.click()
        red.page.wait_for_url(f"{address}/")
        link = red.page.locator(f'a[href^="./#{links["Red"].partition("#")[2][:16]}"]').first
        link.click()
        red.waits_for("It is your turn")
        assert red.faults == yellow.faults == []

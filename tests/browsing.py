"""People at pages of the table, in a real browser; without Playwright, who imports this is skipped."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.needs import needs

httpx = needs("httpx")
sync_api = needs("playwright.sync_api")

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
NEEDS_BROWSER = pytest.mark.skipif(BROWSER is None, reason="no chromium is installed")
WAIT = 60_000  # milliseconds: a busy machine is no fault, and compiles a ruleset in some
sync_api.expect.set_options(timeout=WAIT)


@contextmanager
def opened_browser() -> Iterator[object]:
    """A browser without windows."""
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield opened
        opened.close()


# A point of the window where a shape is on top.
FREE_POINT = """shape => {
  const box = shape.getBoundingClientRect();
  for (let i = 1; i < 80; i++) for (let j = 1; j < 80; j++) {
    const [x, y] = [box.x + box.width * i / 80, box.y + box.height * j / 80];
    if (document.elementFromPoint(x, y)?.closest("[data-block], [data-area]") === shape) return [x, y];
  }
  return null;
}"""


class Reader:
    """Somebody at a page, who sees its faults as well."""

    def __init__(
        self, browser: object, width: int = 1200, height: int = 900, **more: object
    ) -> None:
        size = {"width": width, "height": height}
        self.context = browser.new_context(viewport=size, locale="en", **more)
        self.context.set_default_timeout(WAIT)
        self.page = self.context.new_page()
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", self._heard)

    def _heard(self, message: object) -> None:
        if message.type == "error":
            self.faults.append(message.text)


class Player(Reader):
    """Somebody at a page of the table."""

    def __init__(
        self, browser: object, link: str, width: int = 1200, height: int = 900, **more: object
    ) -> None:
        super().__init__(browser, width, height, **more)
        self.page.goto(link)

    def waits_for(self, text: str) -> None:
        sync_api.expect(self.page.locator("#status")).to_contain_text(text)

    def click(self, kind: str, key: str) -> None:
        """Click on a point of a shape that nothing covers; a shape that was drawn anew meanwhile is looked up again."""
        shape = self.page.locator(f'.board [data-{kind}="{key}"]').first
        for _ in range(5):
            shape.evaluate("e => e.scrollIntoView({block: 'center'})")
            point = shape.evaluate(FREE_POINT)
            if point:
                self.page.mouse.click(*point)
                return
        raise AssertionError(f"{key} is covered")

    def confirm(self) -> None:
        """Play what is chosen, and wait until the page shows the answer, or that there is none."""
        self.page.locator("#confirm").click()
        sync_api.expect(self.page.locator(".choice[aria-busy=true]")).to_have_count(0)

    def waits_for_number(self, number: int) -> None:
        board = self.page.locator(f'.board[data-number="{number}"]')
        sync_api.expect(board).to_be_visible()

    @property
    def has_turn(self) -> bool:
        return self.page.locator("#status.mine").count() > 0

    def take_first(self) -> None:
        """Play the first action of the list."""
        self.page.locator(".actions button").first.click()
        self.confirm()

    def act_on_the_board(self) -> None:
        """Choose what lights up on the board until one action is left; without such a thing, the first of the list."""
        confirm = self.page.locator("#confirm")
        can = self.page.locator(".board [data-block].can, .board [data-area].can")
        while confirm.is_disabled() and can.count() > 0:
            key, kind = can.first.evaluate(
                "e => e.dataset.block ? [e.dataset.block, 'block'] : [e.dataset.area, 'area']"
            )
            self.click(kind, key)
        if confirm.is_disabled():
            self.page.locator(".actions button").first.click()
        self.confirm()


def links_of(address: str, ruleset: str, seed: str = "1297", **more: object) -> dict[str, str]:
    """The links of the seats of a new game, and of a spectator."""
    with httpx.Client(base_url=address, timeout=60) as web:
        scenarios = {each["name"]: each["scenarios"] for each in web.get("/api/rulesets").json()}
        body = {
            "ruleset": ruleset,
            "scenario": next(iter(scenarios[ruleset])),
            "seed": seed,
            "claim": False,
            **more,
        }
        made = web.post("/api/games", json=body).json()
    links = {player: f"{address}/#{made['game']}.{key}" for player, key in made["keys"].items()}
    together = f"{address}/#{'.'.join([made['game'], *made['keys'].values()])}"
    return {**links, "Spectator": f"{address}/#{made['game']}", "all": together}

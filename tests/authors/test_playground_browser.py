"""The playground in a real browser, on the site that `editors/playground/build.py` has built; without it, skipped."""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from hots_rules_playground import NotBuilt, site_folder
from hots_rules_playground.serving import opened

from tests.browsing import NEEDS_BROWSER, Reader, sync_api
from tests.hostile.blowups import framed, nested
from tests.needs import needs

try:
    SITE = site_folder()
except NotBuilt:
    SITE = None

pytestmark = [
    pytest.mark.nightly,
    NEEDS_BROWSER,
    pytest.mark.skipif(SITE is None, reason="the site is not built"),
]

WAIT = 600_000  # milliseconds: Python begins in the browser in 2 s, and on a busy machine in more than 100 s
AMENDED = """amend rule wallace-in-selkirk hots-4.0§7.5 "In Selkirk Wallace gains one step."
  after winters_at(b, a) when b = Wallace and a = Area.Selkirk
    strength[b] := min(strength[b] + 1, steps[b])
"""
# Its steps are almost as many as strangers have, and take the browser longer than the page allows here.
ENDLESS = framed(body=nested(2, 3500, "n := a0"))


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with opened(SITE, "127.0.0.1", 0) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


class Author(Reader):
    """Somebody at the page, who sees what it asks of the network as well."""

    def __init__(self, browser: object, address: str, width: int = 1400, **more: object) -> None:
        super().__init__(browser, width, **more)
        self.context.set_default_timeout(WAIT)
        self.context.add_init_script("localStorage.setItem('hots_rules seconds', '200')")
        self.asked: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(address)
        assert self.faults == []  # a module that is missing would be waited for
        self.waits_for_no_faults()

    def waits_for_no_faults(self) -> None:
        sync_api.expect(self.page.locator("#faults .none")).to_be_visible(timeout=WAIT)

    def types_at_the_end(self, text: str) -> None:
        self.page.locator("#editor .cm-content").click()
        self.page.keyboard.press("Control+End")
        self.page.keyboard.insert_text(text)

    def shows(self, panel: str) -> None:
        self.page.locator(f"#tab-{panel}").click()

    def starts(self, seed: str = "1297") -> None:
        self.shows("play")
        self.page.locator("select[name=scenario] option").first.wait_for(state="attached")
        self.page.locator("input[name=seed]").fill(seed)
        self.page.locator("#start").click()
        self.page.locator(".board svg").wait_for()

    def plays_first(self) -> None:
        number = int(self.page.locator(".board").get_attribute("data-number"))
        self.page.locator(".actions button").first.click()
        self.page.locator("#confirm").click()
        sync_api.expect(self.page.locator(f".board[data-number='{number + 1}']")).to_be_visible(
            timeout=WAIT
        )

    @property
    def text(self) -> str:
        return self.page.evaluate(
            "() => document.querySelector('#editor').shadowRoot.querySelector('.cm-content').innerText"
        )


@pytest.fixture
def author(browser: object, address: str) -> Iterator[Author]:
    page = Author(browser, address)
    yield page
    page.context.close()
    assert page.faults == []


# ---------------------------------------------------------------- the site
def test_every_file_of_the_site_has_its_digest() -> None:
    listed = dict(
        reversed(line.split("  ")) for line in (SITE / "SHA256SUMS").read_text("utf-8").splitlines()
    )
    files = {path.relative_to(SITE).as_posix() for path in SITE.rglob("*") if path.is_file()}

    assert files == {*listed, "SHA256SUMS"}
    for name, digest in listed.items():
        assert hashlib.sha256((SITE / name).read_bytes()).hexdigest() == digest, name


def test_the_site_names_all_whose_work_it_has() -> None:
    licences = (SITE / "LICENSES.txt").read_text("utf-8")

    for name in (
        "pyodide",
        "codemirror",
        "@codemirror/view",
        "fflate",
        "lark",
        "attrs",
        "hots_rules",
    ):
        assert re.search(rf"^{re.escape(name)} \d", licences, re.M), name


# ---------------------------------------------------------------- the page
def test_a_rule_is_changed_compared_played_asked_about_and_shared(
    author: Author, browser: object
) -> None:
    page = author.page
    author.shows("rules")
    page.locator("select[name=rulebook]").select_option("hots-4.0")
    page.locator("input[name=words]").fill("wallace-in-selkirk")
    page.locator("#panel-rules form button").click()
    page.locator("#found article button").first.click()
    author.waits_for_no_faults()
    assert "amend rule wallace-in-selkirk hots-4.0§7.5" in author.text
    page.keyboard.press("Control+End")
    for _ in range(len(", steps[b])\n")):
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("Backspace")
    page.keyboard.type("1")

    author.shows("compare")
    page.locator("#panel-compare form button").click()
    page.locator("#differences table").first.wait_for()
    assert "wallace-in-selkirk" in page.locator("#differences").inner_text()

    author.starts()
    author.plays_first()
    author.plays_first()
    author.shows("ask")
    page.locator("input[name=question]").fill("Ross: Wallace 3 against Comyn 2")
    page.locator("#panel-ask form button").click()
    sync_api.expect(page.locator("#answers li").first).to_contain_text("exact", timeout=WAIT)

    page.locator("#share").click()
    sync_api.expect(page.locator("#link")).to_be_visible(timeout=WAIT)
    link = page.locator("#link").input_value()
    author.shows("play")
    log = page.locator(".log").inner_text()
    other = Author(browser, link)
    other.page.locator(".board svg").wait_for()
    assert other.text == author.text
    assert other.page.locator(".log").inner_text() == log
    assert other.faults == []
    other.context.close()
    origins = {url.split("/")[2] for url in author.asked if url.startswith("http")}
    assert origins == {page.url.split("/")[2]}  # nothing comes from elsewhere


def test_a_fault_is_shown_where_it_is_and_corrected_by_its_button(author: Author) -> None:
    author.types_at_the_end("\n" + AMENDED.replace("selkirk ", "selkrik "))
    fault = author.page.locator("#faults button").first
    sync_api.expect(fault).to_contain_text("wallace-in-selkrik", timeout=WAIT)

    author.page.locator("#faults .fix").click()

    author.waits_for_no_faults()
    assert "amend rule wallace-in-selkirk" in author.text


def test_a_name_is_completed_and_explained(author: Author) -> None:
    author.types_at_the_end("\n" + AMENDED + "\ndefine swift = move_rat")
    author.page.keyboard.press("Control+Space")
    option = author.page.locator("#editor .cm-tooltip-autocomplete li").first
    sync_api.expect(option).to_contain_text("move_rating", timeout=WAIT)
    author.page.keyboard.press("Escape")

    name = author.page.locator("#editor .name-function", has_text="winters_at").first
    name.hover()
    sync_api.expect(author.page.locator("#editor .hover")).to_contain_text(
        "chooses where it winters", timeout=WAIT
    )


def test_the_keyboard_is_enough_to_play(author: Author) -> None:
    author.starts()
    page = author.page
    page.locator(".actions button").first.focus()
    page.keyboard.press("Enter")
    sync_api.expect(page.locator("#confirm")).to_be_focused(timeout=WAIT)
    page.keyboard.press("Enter")

    sync_api.expect(page.locator(".board[data-number='2']")).to_be_visible(timeout=WAIT)
    page.locator("#tab-play").focus()
    page.keyboard.press("ArrowRight")
    sync_api.expect(page.locator("#tab-rules")).to_be_focused()


def test_a_folder_is_exported_and_opened_again(author: Author, tmp_path: Path) -> None:
    author.types_at_the_end("\n" + AMENDED)
    author.waits_for_no_faults()
    with author.page.expect_download() as download:
        author.page.locator("#export").click()
    exported = tmp_path / "rules.zip"
    download.value.save_as(exported)
    text = author.text

    with zipfile.ZipFile(exported) as archive:
        assert "wallace-in-selkirk" in archive.read("house-rule.rules").decode()
        assert "cases/house-rule.md" in archive.namelist()
    author.page.locator("select[name=example]").select_option(label="A small game with dice")
    sync_api.expect(author.page.locator("#tab-play")).to_be_visible()
    author.page.locator("[data-name='my-game.rules']").wait_for()
    author.page.locator("input[type=file]").first.set_input_files(exported)
    author.page.locator("[data-name='house-rule.rules']").wait_for()
    author.waits_for_no_faults()
    assert author.text == text


# The browser's own file system stands for the disk: no program can press the buttons of the dialog for folders.
FOLDER = """async (files) => {
  const place = await (await navigator.storage.getDirectory()).getDirectoryHandle("mine", { create: true });
  for (const [name, text] of Object.entries(files)) {
    const stream = await (await place.getFileHandle(name, { create: true })).createWritable();
    await stream.write(text);
    await stream.close();
  }
  window.showDirectoryPicker = async () => place;
}"""
ON_DISK = """async (name) => {
  const place = await (await navigator.storage.getDirectory()).getDirectoryHandle("mine");
  return (await (await place.getFileHandle(name)).getFile()).text();
}"""


def test_a_folder_of_the_disk_is_opened_and_saved_in_place(author: Author) -> None:
    page, name = author.page, "mine.rules"
    text = 'ruleset mine-1.0 "Mine"\n  extends lords-of-scotland\n'
    page.evaluate(FOLDER, {name: text, "notes.bin": "left alone"})
    sync_api.expect(page.locator("#save")).to_be_hidden()

    page.locator("#open-folder").click()
    page.locator(f"[data-name='{name}']").wait_for()
    author.waits_for_no_faults()
    author.types_at_the_end("# A remark.\n")
    page.locator("#save").click()
    sync_api.expect(page.locator("#status")).to_contain_text("is saved", timeout=WAIT)
    assert page.evaluate(ON_DISK, name) == text + "# A remark.\n"
    assert page.evaluate(ON_DISK, "notes.bin") == "left alone"

    page.evaluate(FOLDER, {name: "# Somebody else."})
    author.types_at_the_end("# Another.\n")
    page.locator("#save").click()
    sync_api.expect(page.locator("#status")).to_contain_text("changed outside", timeout=WAIT)
    assert page.evaluate(ON_DISK, name) == "# Somebody else."


def test_a_bot_plays_for_a_seat(author: Author) -> None:
    author.page.locator("select[name=ruleset]").select_option("connect-four-1.0")
    author.page.locator("select[name=scenario] option[value=empty-board]").wait_for(
        state="attached"
    )
    author.starts()

    author.page.locator("#bot").click()

    sync_api.expect(author.page.locator(".board[data-number='2']")).to_be_visible(timeout=WAIT)


@pytest.mark.parametrize("width", [360, 1400])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_everybody_can_use_the_page(
    browser: object, address: str, width: int, colours: str
) -> None:
    """The rules of axe find nothing serious, and no part is wider than the window."""
    axe = needs("axe_playwright_python.sync_playwright").Axe()
    author = Author(browser, address, width, color_scheme=colours)
    author.starts()

    found = axe.run(author.page).response["violations"]

    serious = [each for each in found if each["impact"] in ("serious", "critical")]
    assert serious == [], json.dumps(serious, indent=1)[:4000]
    assert author.page.evaluate("document.documentElement.scrollWidth") <= width
    author.context.close()
    assert author.faults == []


# ---------------------------------------------------------------- strangers
def test_a_damaged_link_is_one_sentence_and_the_page_works(browser: object, address: str) -> None:
    author = Author(browser, f"{address}#1.AAAA")

    sync_api.expect(author.page.locator("#status")).to_contain_text("this link is damaged")
    author.context.close()


def test_a_worker_that_overruns_is_ended_and_the_page_goes_on(
    author: Author, tmp_path: Path
) -> None:
    page = author.page
    (tmp_path / "blow.rules").write_text(ENDLESS, encoding="utf-8")
    page.locator("input[type=file]").first.set_input_files(tmp_path / "blow.rules")
    option = page.locator("select[name=scenario] option[value=short]")
    option.wait_for(state="attached")

    page.evaluate("localStorage.setItem('hots_rules seconds', '0.2')")
    page.locator("#start").click()
    page.evaluate("localStorage.setItem('hots_rules seconds', '200')")

    fault = page.locator("#play-fault")
    sync_api.expect(fault).to_contain_text("took more than 0.2 seconds and was ended", timeout=WAIT)
    sync_api.expect(page.locator("#status")).to_contain_text("ready again", timeout=WAIT)
    page.locator("select[name=ruleset]").select_option("connect-four-1.0")
    page.locator("select[name=scenario] option[value=empty-board]").wait_for(state="attached")
    page.locator("#start").click()
    page.locator(".board svg").wait_for()
    author.plays_first()
    assert "ruleset blow-1.0" in author.text

"""VS Code in a browser: code-server with the packed extension, and an author at its keyboard, by Playwright.

It needs `editors/code-server/install.sh` and a packed extension in `editors/vscode`; without them, who imports this is
skipped.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.browsing import WAIT, sync_api
from tests.folders import HOME

EDITORS = HOME / "editors"
SERVER = EDITORS / "code-server" / "node_modules" / "code-server" / "out" / "node" / "entry.js"
EXTENSION = next(iter(sorted((EDITORS / "vscode").glob("*.vsix"))), None)
NODE = shutil.which("node")
NEEDS_CODE_SERVER = pytest.mark.skipif(
    NODE is None or EXTENSION is None or not SERVER.exists(),
    reason="run editors/code-server/install.sh, and `npm install && npm run package` in editors/vscode",
)
SETTINGS = {
    "hots.command": str(Path(sys.executable).parent / "hots"),
    "security.workspace.trust.enabled": False,
    "workbench.startupEditor": "none",
    "files.autoSave": "off",
    "telemetry.telemetryLevel": "off",
    "editor.minimap.enabled": False,
    "editor.occurrencesHighlight": "off",
    "terminal.integrated.gpuAcceleration": "off",
}


@contextmanager
def running_code_server(place: Path) -> Iterator[str]:
    """The address of a code-server with the extension; all that it writes is in a folder."""
    settings = place / "data" / "User" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps(SETTINGS), "utf-8")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [
        str(NODE),
        str(SERVER),
        *("--config", str(place / "config.yaml"), "--user-data-dir", str(place / "data")),
        *("--extensions-dir", str(place / "extensions")),
    ]
    environment = os.environ | {"HOME": str(place), "XDG_DATA_HOME": str(place / "share")}
    subprocess.run([*command, "--install-extension", str(EXTENSION)], check=True, env=environment)
    address = f"127.0.0.1:{port}"
    quiet = ["--disable-telemetry", "--disable-update-check", "--auth", "none"]
    with (place / "log.txt").open("w") as log:
        server = subprocess.Popen(
            [*command, *quiet, "--bind-addr", address], env=environment, stdout=log, stderr=log
        )
        try:
            _wait_for(port, server)
            yield f"http://{address}"
        finally:
            server.terminate()
            server.wait(30)


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + WAIT / 1000
    while time.monotonic() < until and server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise AssertionError("code-server did not start")


class Author:
    """Somebody who has a folder open in VS Code, and works with the keyboard."""

    def __init__(self, browser: object, address: str, folder: Path) -> None:
        self.context = browser.new_context(viewport={"width": 1400, "height": 1000}, locale="en")
        self.context.set_default_timeout(WAIT)
        self.page = self.context.new_page()
        self.page.goto(f"{address}/?folder={folder}")
        self.page.locator(".monaco-workbench .explorer-folders-view").wait_for()

    @classmethod
    @contextmanager
    def at_work(cls, browser: object, address: str, folder: Path, name: str) -> Iterator[Author]:
        """An author; a picture of what he saw last is kept where the pictures of games are."""
        author = cls(browser, address, folder)
        try:
            yield author
        finally:
            pictures = Path(os.environ.get("PICTURES_OF_GAMES", folder.parent)) / "extension"
            pictures.mkdir(parents=True, exist_ok=True)
            author.page.screenshot(path=pictures / f"{name}.png")
            author.context.close()

    # ---------------------------------------------------------------- what is seen
    @property
    def editor(self) -> object:
        """The editor that has the focus last."""
        return self.page.locator(".editor-group-container.active .editor-instance .monaco-editor")

    def sees(self, locator: object, text: str = "") -> None:
        """Wait until something is there, with a text."""
        sync_api.expect(locator).to_be_visible()
        if text:
            sync_api.expect(locator).to_contain_text(_with_any_spaces(text))

    def waits_for(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds."""
        until = time.monotonic() + WAIT / 1000
        while not holds():
            assert time.monotonic() < until
            self.page.wait_for_timeout(100)

    def lens(self, text: str) -> object:
        """The lenses with a text."""
        return self.editor.locator(".codelens-decoration a").filter(has_text=text)

    def colour(self, word: str, row: str = "") -> str:
        """The colour of a word in the first line that has a text, and in which the word is a part of its own."""
        rows = self.editor.locator(".view-line").filter(has_text=_with_any_spaces(row))
        parts = rows.locator("span:not(:has(span))")
        alone = parts.filter(has_text=re.compile(rf"^\s*{re.escape(word)}\s*$"))
        return alone.first.evaluate("e => getComputedStyle(e).color")

    # ---------------------------------------------------------------- what is done
    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def quick_open(self, text: str, offered: str) -> None:
        """Open a file by its name, or go to a line, as with Ctrl+P, once it is what is offered first."""
        self.press("Control+p")
        entry = self.page.locator(".quick-input-widget input")
        entry.fill(text)
        self.sees(self.page.locator(".quick-input-list .monaco-list-row").first, offered)
        entry.press("Enter")
        self.page.locator(".quick-input-widget").wait_for(state="hidden")

    def command(self, title: str) -> None:
        """Run a command of the palette."""
        self.press("F1")
        entry = self.page.locator(".quick-input-widget input")
        entry.fill(f">{title}")
        self.page.locator(".quick-input-list .monaco-list-row").first.wait_for()
        entry.press("Enter")

    def open(self, name: str) -> None:
        own = name.rpartition("/")[2]
        self.quick_open(name, own)
        self.sees(self.page.locator(".editor-group-container.active .tab.active"), own)
        self.editor.locator(".view-line").first.wait_for()

    def go(self, file: Path, text: str, inside: str = "") -> None:
        """Go in front of a text of a file as it is on the disk, or in front of a part of it."""
        whole = file.read_text("utf-8")
        at = whole.index(text) + (text.index(inside) if inside else 0)
        line, column = whole.count("\n", 0, at) + 1, at - whole.rfind("\n", 0, at)
        self.quick_open(f":{line}:{column}", f"{line}")

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)


def _with_any_spaces(text: str) -> re.Pattern[str]:
    """VS Code draws spaces that do not break."""
    return re.compile(re.escape(text).replace(r"\ ", r"\s"))

"""The scripts of the pages: the state of the page of a game, which Node tests without a browser, and their form."""

from __future__ import annotations

import re
import subprocess
from collections import Counter

import pytest

from tests.folders import HOME, TESTS
from tests.programs import NEEDS_NODE

STATIC = HOME / "hots_rules" / "web" / "static"
WRITTEN = (STATIC, HOME / "clients", HOME / "editors/playground/hots_rules_playground/page")
KINDS = {".js", ".mjs", ".ts", ".css", ".html"}
MAX_FILES = 22  # of a folder


@NEEDS_NODE
@pytest.mark.parametrize(("name", "count"), [("page_state", 25), ("news", 7)])
def test_each_event_makes_the_state_that_it_should(name: str, count: int) -> None:
    """Late answers, doubled clicks, cut and silent streams, refusals, seats that change places."""
    run = subprocess.run(
        ["node", "--test", str(TESTS / "table" / "browser" / f"{name}.test.mjs")],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert run.returncode == 0, run.stdout + run.stderr
    assert f"pass {count}" in run.stdout


def test_the_state_needs_no_browser() -> None:
    for name in ("state.js", "step.js", "effects.js"):
        text = (STATIC / "game" / name).read_text("utf-8")
        assert not any(word in text for word in ("document", "window", "fetch(", "setTimeout")), (
            name
        )


def test_each_script_is_checked_for_its_types() -> None:
    """`.ci/form_of_javascript` does so; without the first line the compiler would pass a file over."""
    scripts = list(STATIC.rglob("*.js"))
    unchecked = [
        path.name for path in scripts if not path.read_text("utf-8").startswith("// @ts-check\n")
    ]
    avoided = [
        path.name
        for path in scripts
        if re.search(r"@ts-(?!check)|\{any\b|\bany\}", path.read_text("utf-8"))
    ]

    assert (unchecked, avoided) == ([], []) and len(scripts) > 40


def test_no_line_is_longer_than_120_columns_and_no_folder_has_many_files() -> None:
    files = [path for folder in WRITTEN for path in folder.rglob("*") if path.suffix in KINDS]
    long = [
        f"{path.relative_to(HOME)}:{number}"
        for path in files
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if len(line) > 120
    ]
    full = [
        path for path, count in Counter(path.parent for path in files).items() if count > MAX_FILES
    ]

    assert (long, full) == ([], []) and len(files) > 60

"""The atlas of all printings as people have it: a folder that is opened without a server, and printed."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import hots_rules as hr
from hots_rules._files import write_folder
from tests.browsing import BROWSER, NEEDS_BROWSER
from tests.casebook import HAMMER

MOST_PAGES = 40
MOST_BYTES = 5_000_000

pytestmark = pytest.mark.nightly


@pytest.fixture(name="folder", scope="module")
def atlas_of_all_printings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rulesets = [hr.load(name) for name in reversed(HAMMER)]
    result = hr.atlas.atlas(*rulesets)
    shown = hr.atlas.collect(result, rulesets, seconds=0.0)
    folder = tmp_path_factory.mktemp("atlas") / "site"
    write_folder(folder, hr.atlas.documents(result, shown))
    return folder


def printed(page: Path, out: Path) -> int:
    """The number of pages on which a browser prints a page of the folder."""
    options = ("--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer")
    command = [str(BROWSER), *options, f"--print-to-pdf={out}", page.as_uri()]
    subprocess.run(command, check=True, capture_output=True)
    return len(re.findall(rb"/Type\s*/Page\b", out.read_bytes()))


def test_it_is_small(folder: Path) -> None:
    assert sum(path.stat().st_size for path in folder.iterdir()) <= MOST_BYTES


@NEEDS_BROWSER
def test_its_changes_are_printed_as_a_booklet(folder: Path, tmp_path: Path) -> None:
    pages = printed(folder / "index.html", tmp_path / "changes.pdf")

    assert 2 <= pages <= MOST_PAGES


@NEEDS_BROWSER
def test_its_declarations_are_printed_as_a_booklet(folder: Path, tmp_path: Path) -> None:
    pages = printed(folder / "declarations.html", tmp_path / "declarations.pdf")

    assert 2 <= pages <= MOST_PAGES

"""The extension of VS Code as it is packed, in VS Code itself: code-server, in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hots_rules.cli.app import app
from tests.authors.editor_in_browser import NEEDS_CODE_SERVER, Author, running_code_server
from tests.browsing import NEEDS_BROWSER

pytestmark = [pytest.mark.nightly, NEEDS_BROWSER, NEEDS_CODE_SERVER]

RULES, CASES = "castle-run.rules", "castle-run.md"
VALUE, KEYWORD = "rgb(0, 112, 193)", "rgb(0, 0, 255)"  # of the theme that VS Code begins with


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_code_server(tmp_path_factory.mktemp("code-server")) as running:
        yield running


def new(place: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> Path:
    monkeypatch.chdir(place)
    assert 0 == CliRunner().invoke(app, ["new", *words]).exit_code
    return place / words[0]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a new game."""
    return new(tmp_path, monkeypatch, "castle-run", "--template", "dice")


@pytest.fixture
def author(
    browser: object, address: str, folder: Path, request: pytest.FixtureRequest
) -> Iterator[Author]:
    """Somebody who writes that game."""
    with Author.at_work(browser, address, folder, request.node.name) as somebody:
        yield somebody


def test_words_have_colours_by_the_grammar_and_by_the_server(author: Author) -> None:
    author.open(RULES)
    author.sees(author.lens("7 cases"))
    assert KEYWORD == author.colour("define")
    author.waits_for(lambda: author.colour("Ann", "p = Ann then Ben") == VALUE)
    assert VALUE != author.colour("p", "p = Ann then Ben")
    author.sees(author.editor, "die: a number of 1..6 for throws")


def test_a_fault_appears_and_is_corrected_by_its_fix(author: Author, folder: Path) -> None:
    author.open(RULES)
    author.go(folder / RULES, "at_risk += die", "_risk += die")
    author.press("Delete")
    author.sees(author.page.locator(".squiggly-error"))
    author.command("Problems: Focus on Problems View")
    author.sees(author.page.locator(".markers-panel"), "`atrisk` is not a state variable")
    author.sees(author.page.locator(".markers-panel"), "did you mean `at_risk`?")
    author.go(folder / RULES, "at_risk += die")
    author.press("Control+.")
    author.sees(author.page.locator(".action-widget"), "write `at_risk`")
    author.press("Enter")
    author.sees(author.page.locator(".markers-panel"), "No problems have been detected")
    author.sees(author.editor, "at_risk += die")


def test_a_name_has_a_hover_completions_and_a_definition(author: Author, folder: Path) -> None:
    author.open(RULES)
    author.sees(author.lens("7 cases"))
    author.go(folder / RULES, "turn := other(turn)", "other")
    author.command("Show or Focus Hover")
    hover = author.page.locator(".monaco-hover:visible").last
    author.sees(hover, "define other · castle-run-1.0")
    author.press("Escape", "F12")
    author.sees(author.page.locator(".statusbar"), "Ln 16, Col 8")
    author.go(folder / RULES, "pass_the_die()\n\nevent", "\n\nevent")
    author.press("Enter")
    author.type("thr")
    offered = author.page.locator(".suggest-widget.visible .monaco-list-row")
    author.sees(offered.filter(has_text="thrown").first)


def test_an_amendment_leads_to_the_library_and_shows_what_it_changes(
    browser: object,
    address: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    folder = new(tmp_path, monkeypatch, "house", "--from", "hots-4.0")
    rules = folder / "house.rules"
    amendment = "amend define combat_rounds = 4  hots-4.0§5.1\n"
    rules.write_text(rules.read_text("utf-8") + amendment, "utf-8")
    with Author.at_work(browser, address, folder, request.node.name) as author:
        author.open("house.rules")
        author.lens("differs from hots-4.0: show").last.click()
        author.sees(author.editor, "combat_rounds = 3")
        author.sees(author.editor, "combat_rounds = 4")
        author.open("house.rules")
        author.go(rules, amendment, "combat_rounds")
        author.press("F12")
        author.sees(author.page.locator(".peekview-widget"), "battles.rules")


def test_a_new_answer_of_a_case_is_accepted(author: Author, folder: Path) -> None:
    author.open(CASES)
    author.go(folder / "cases" / CASES, "state: at_risk 5", "5")
    author.press("Delete")
    author.type("7")
    author.sees(author.page.locator(".squiggly-error"))
    author.press("Control+.")
    author.sees(author.page.locator(".action-widget"), "accept the new answer: state: at_risk 5")
    author.press("Enter")
    author.page.locator(".squiggly-error").wait_for(state="detached")
    author.sees(author.editor, "state: at_risk 5")


def test_lenses_play_test_and_debug_in_a_terminal(author: Author, folder: Path) -> None:
    terminal = author.page.locator(".terminal-wrapper.active .xterm-rows")
    author.open(RULES)
    author.lens("7 cases").click()
    author.sees(terminal, "7 passed")
    author.go(folder / RULES, "scenario start")
    author.lens("play from here").click()
    author.sees(terminal, "castle-run-1.0>")
    author.type("legal\n")
    author.sees(terminal, "Ann: throw")
    author.open(CASES)
    author.lens("debug").first.click()
    author.sees(terminal, "debug>")

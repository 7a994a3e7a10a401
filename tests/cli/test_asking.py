"""`hots ask` and `hots find`, which take the same lines, and commands without a ruleset."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import hots_rules as hr
from hots_rules.cli.app import app
from hots_rules.cli.last_ruleset import last_ruleset
from tests.cli.conftest import TINY


def hots(*words: object) -> Result:
    """What a command gives."""
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A state folder in which nothing is kept yet."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    yield tmp_path / "state"


@pytest.fixture
def used() -> None:
    """A game was used before."""
    hots("show", "hots-2.3", "5.7")


# ---------------------------------------------------------------- without a ruleset
def test_the_newest_edition_of_the_game_used_last_is_meant_and_said(used: None) -> None:
    shown = hots("show", "wallace")

    assert "hots-4.0, the game that was used last\n" == shown.stderr
    assert shown.stdout.startswith("Wallace (block) §2.1\n")


def test_words_are_looked_for_in_the_game_used_last(used: None) -> None:
    found = hots("find", "tie")

    assert found.stdout.startswith("When both hold as many, Wallace decides")
    assert "hots-4.0" == json.loads(hots("find", "tie", "--json").stdout)["ruleset"]


def test_the_language_of_the_answer_is_that_of_the_note(used: None) -> None:
    shown = hots("show", "wallace", "--language", "fr")

    assert "hots-4.0, le jeu utilisé en dernier\n" == shown.stderr


@pytest.mark.parametrize("command", ["find", "ask", "show"])
def test_without_a_game_used_before_the_installed_ones_are_named(command: str) -> None:
    refused = hots(command, "tie")

    assert (2, "") == (refused.exit_code, refused.stdout)
    assert "no game was used before" in refused.stderr
    assert all(name in " ".join(refused.stderr.split()) for name in ("hots-4.0", "reversi-1.0"))


def test_a_file_of_rules_is_kept_by_its_path_until_it_is_gone(tmp_path: Path) -> None:
    file = tmp_path / "tiny.rules"
    file.write_text(TINY, encoding="utf-8")
    hots("show", file)
    shown = hots("show", "3.1")

    assert shown.stdout == "kings-stay §3.1\n  A king does not march in the first year.\n"
    file.unlink()
    assert "no game was used before" in hots("show", "3.1").stderr


def test_a_house_rule_leaves_the_game_that_it_changes(tmp_path: Path) -> None:
    file = tmp_path / "house.rules"
    file.write_text('ruleset house-1.0 "House"\n  extends hots-3.x\n', encoding="utf-8")
    hots("show", file)

    assert "hots-4.0" == last_ruleset()


def test_a_state_folder_that_cannot_be_written_fails_no_command(state: Path) -> None:
    state.write_text("a file", encoding="utf-8")

    assert 0 == hots("show", "hots-4.0", "wallace").exit_code
    assert "no game was used before" in hots("show", "wallace").stderr


@pytest.mark.parametrize("kept", [b"\xff\xfe", b"", b"x" * 5000, b"nothing-9\n"])
def test_a_damaged_record_of_the_last_ruleset_is_none(state: Path, kept: bytes) -> None:
    (state / "hots_rules").mkdir(parents=True)
    (state / "hots_rules" / "last-ruleset").write_bytes(kept)

    assert last_ruleset() is None


def test_a_ruleset_that_is_misspelt_is_no_word_to_look_for(used: None) -> None:
    refused = hots("find", "hots-9.9", "tie")

    assert 2 == refused.exit_code
    assert "no ruleset `hots-9.9`" in refused.stderr


# ---------------------------------------------------------------- one command by two names
LINES = [
    "can Wallace move to Lanark",
    "how many blocks can a castle hold",
    "castle limit",
    "Wallace",
    "xyzzy",
    "qui gagne en cas d'égalité",
]


@pytest.mark.parametrize("line", LINES)
def test_find_and_ask_answer_alike(line: str) -> None:
    asked, found = hots("ask", "hots-4.0", line), hots("find", "hots-4.0", *line.split())

    assert (asked.exit_code, asked.output) == (found.exit_code, found.output)


def test_a_question_gets_its_answer_alone_and_says_of_which_moment() -> None:
    asked = hots("ask", "hots-4.0", "can Wallace move to Lanark")

    assert "at the start of Braveheart, 1297 to 1305\n" == asked.stderr
    assert asked.stdout.startswith("No: ") and "(stop-at-the-enemy §4.0)" in asked.stdout
    assert "\n\n§" in hots("ask", "hots-4.0", "can Wallace move to Lanark", "--hits", 1).stdout


def test_words_that_ask_nothing_are_looked_for() -> None:
    assert "§1.2 Castle Limits" in hots("ask", "hots-4.0", "castle", "limit").stdout


def test_what_nothing_has_fails_with_headings_to_look_at() -> None:
    asked = hots("ask", "hots-4.0", "xyzzy")

    assert 1 == asked.exit_code
    assert asked.stdout.startswith("nothing has `xyzzy`\n")


def test_an_answer_as_json_has_its_kind_and_what_a_search_finds() -> None:
    answered = json.loads(hots("ask", "hots-4.0", "can Wallace move to Lanark", "--json").stdout)

    assert ("computed", False) == (answered["answer"]["kind"], answered["answer"]["is_yes"])
    assert "braveheart" == answered["answer"]["scenario"]
    assert len(answered["hits"]) == 10


def test_a_ruleset_needs_a_question() -> None:
    assert "name the question" in hots("ask", "hots-4.0").stderr
    assert "name the question" in hots("ask").stderr


def test_what_is_asked_of_a_file_needs_the_file() -> None:
    refused = hots("ask", "nothing.rec", "can Wallace move", "--edition", "hots-4.0")

    assert 2 == refused.exit_code
    assert "there is no record or position `nothing.rec`" in " ".join(refused.stderr.split())


def test_a_record_is_asked_under_all_editions(tmp_path: Path) -> None:
    game = hr.load("reversi-1.0").start("four-discs", seed=1)
    (tmp_path / "game.rec").write_text(str(game.record), encoding="utf-8")
    asked = hots("find", tmp_path / "game.rec", "whose", "turn", "is", "it")

    assert 0 == asked.exit_code
    assert "reversi-1.0" in asked.stdout


@pytest.mark.thorough
def test_an_answer_loads_nothing_that_other_answers_need() -> None:
    asked = (
        "import sys; import hots_rules as hr; "
        "game = hr.load('hots-4.0').start('braveheart', seed=1); "
        "game.ask('how many blocks can a castle hold'); print(*sys.modules)"
    )
    subprocess.run([sys.executable, "-c", asked], check=True, capture_output=True)  # now it is kept
    run = subprocess.run([sys.executable, "-c", asked], check=True, capture_output=True, text=True)

    others = {"analysis.chances.compute", "compare.tables", "observe.worlds"}
    assert not {f"hots_rules.{name}" for name in others} & {*run.stdout.split()}

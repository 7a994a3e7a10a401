"""Where faults, and the steps of the debugger, say that a rule is: a path from the folder in which one stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hots_rules.cli.app import app
from hots_rules.cli.places import path_from_here

HOUSE = 'ruleset slow-1.0 "Slow"\n  extends castle-run-1.0\namend define nowhere = 1\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a small game, with a fault in its last line."""
    made = tmp_path / "games" / "castle-run"
    made.parent.mkdir()
    CliRunner().invoke(app, ["new", str(made), "--template", "dice"])
    with (made / "castle-run.rules").open("a", encoding="utf-8") as file:
        file.write("define slip = Nowhere\n")
    return made


@pytest.mark.parametrize(
    ("where", "ruleset", "path"),
    [
        (".", ".", "castle-run.rules"),
        ("cases", "..", "../castle-run.rules"),
        ("..", "castle-run", "castle-run/castle-run.rules"),
        (".", "castle-run.rules", "castle-run.rules"),
    ],
)
def test_a_fault_has_a_path_that_opens(
    folder: Path, monkeypatch: pytest.MonkeyPatch, where: str, ruleset: str, path: str
) -> None:
    monkeypatch.chdir(folder / where)

    told = CliRunner().invoke(app, ["check", ruleset]).stdout

    assert f"--> {path}:" in told
    assert Path(path).is_file()
    assert "define slip = Nowhere" in told


def test_a_path_from_elsewhere_stays_whole(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (elsewhere := folder.parent.parent / "elsewhere").mkdir()
    monkeypatch.chdir(elsewhere)

    told = CliRunner().invoke(app, ["check", str(folder)]).stdout

    assert f"--> {folder / 'castle-run.rules'}:" in told


def test_what_a_house_rule_extends_has_its_path(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder.parent / "slow.rules").write_text(HOUSE, encoding="utf-8")
    monkeypatch.chdir(folder)

    told = CliRunner().invoke(app, ["check", "../slow.rules"]).stdout

    assert "--> ../slow.rules:3:" in told
    assert "--> castle-run.rules:" in told


def test_the_debugger_says_where_a_rule_is(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = folder / "castle-run.rules"
    rules.write_text(rules.read_text(encoding="utf-8").replace("define slip = Nowhere\n", ""))
    monkeypatch.chdir(folder)
    command = ["debug", "cases/castle-run.md", "--case"]
    titles = rules.parent.joinpath("cases/castle-run.md").read_text(encoding="utf-8").split("\n## ")
    title = titles[2].partition("\n")[0]

    told = CliRunner().invoke(app, [*command, title, "--json"], input="step\n").stdout

    assert '"place": "castle-run.rules:' in told


@pytest.mark.parametrize("how", ["--code", "--history"])
@pytest.mark.parametrize(
    ("where", "ruleset", "path"),
    [(".", ".", "castle-run.rules"), ("..", "castle-run", "castle-run/castle-run.rules")],
)
def test_what_is_shown_has_a_path_that_opens(
    folder: Path, monkeypatch: pytest.MonkeyPatch, where: str, ruleset: str, path: str, how: str
) -> None:
    rules = folder / "castle-run.rules"
    rules.write_text(rules.read_text(encoding="utf-8").replace("define slip = Nowhere\n", ""))
    monkeypatch.chdir(folder / where)

    told = CliRunner().invoke(app, ["show", ruleset, "throw", how]).stdout

    (place,) = re.findall(r"\S*castle-run\.rules:\d+", told)
    named, _, line = place.rpartition(":")
    assert named == path
    assert "action throw" in Path(named).read_text("utf-8").split("\n")[int(line) - 1]


def test_a_file_of_the_library_keeps_its_name() -> None:
    assert path_from_here("4.0/cards.rules", "hots-4.0") == "4.0/cards.rules"

"""`hots new`: what it writes plays, holds its own cases, and overwrites nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import hots_rules as hr
from hots_rules.cli.app import app
from hots_rules.cli.commands.new import Template


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def hots(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def succeed(*arguments: str) -> str:
    """What a command prints that ends well."""
    done = hots(*arguments)
    assert 0 == done.exit_code, done.output
    return done.stdout


def files_of(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


# ---------------------------------------------------------------- games
@pytest.mark.thorough
@pytest.mark.parametrize("template", Template)
def test_a_new_game_passes_all_that_its_readme_says(
    template: Template, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = succeed("new", "castle-run", "--template", template)
    folder = Path("castle-run")
    readme = (folder / "README.md").read_text(encoding="utf-8")
    commands = [line for line in readme.splitlines() if line.startswith("hots ")]
    monkeypatch.chdir(folder)
    said = {line.split()[1]: succeed(*line.split()[1:]) for line in commands}

    assert "wrote castle-run/castle-run.rules" in written
    assert {"check", "fmt", "simulate", "play", "test"} == said.keys()
    assert "no faults\n" == said["check"]
    assert " passed in " in said["test"]
    assert "castle-run-1.0" in said["simulate"]


def test_a_new_game_is_played_in_its_first_scenario_unless_one_is_named() -> None:
    succeed("new", "castle-run", "--template", "dice")
    assert "castle-run-1.0 start" in succeed("simulate", "castle-run", "--games", "2")
    assert " wins: " in succeed("play", "castle-run", "--quiet", "--seed", "1")


@pytest.mark.parametrize("template", Template)
def test_the_cases_of_a_new_game_use_every_declaration(template: Template) -> None:
    succeed("new", "castle-run", "--template", template)
    report = hr.testing.coverage(hr.load("castle-run"), "castle-run/cases")

    assert ((), ()) == (report.without_rule, report.without_case)


@pytest.mark.parametrize("template", Template)
def test_a_new_game_keeps_its_secrets_and_ends(template: Template) -> None:
    succeed("new", "castle-run", "--template", template)
    rules = hr.load("castle-run")

    assert hr.testing.assert_no_leak(rules, games=1, plays=8, every=4, worlds=1)
    assert 20 == hr.simulate(rules, rules.scenarios[0], games=20, seed=1).finished


def test_the_game_has_the_name_of_its_folder_everywhere() -> None:
    succeed("new", "castle-run")
    texts = files_of(Path("castle-run"))

    assert {"castle-run.rules", "cases/castle-run.md", "README.md"} <= texts.keys()
    assert [] == [path for path, text in texts.items() if "my-game" in text or "My game" in text]
    assert 'ruleset castle-run-1.0 "Castle run"' in texts["castle-run.rules"]


def test_a_new_game_may_be_in_a_folder_elsewhere() -> None:
    succeed("new", "games/castle-run", "--template", "dice")

    assert "castle-run-1.0" == hr.load("games/castle-run").name


# ---------------------------------------------------------------- packages
def test_a_package_has_its_rules_in_a_folder_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    succeed("new", "castle-run", "--package", "--template", "dice")
    texts = files_of(Path("castle-run"))
    monkeypatch.chdir("castle-run")

    assert {"castle_run/castle-run.rules", "castle_run/sections.csv", "pyproject.toml"} <= {*texts}
    assert not any("my-game" in text or "my_game" in text for text in texts.values())
    assert "hots test cases --ruleset castle_run\n" in texts["README.md"]
    assert " passed in " in succeed("test", "cases", "--ruleset", "castle_run")


@pytest.mark.thorough
def test_an_installed_package_is_found_by_the_name_of_its_game(tmp_path: Path) -> None:
    succeed("new", "castle-run", "--package")
    succeed("new", "our-table", "--package", "--from", "hots-4.0")
    for folder in ("castle-run", "our-table"):
        building = ("wheel", f"./{folder}", "--no-deps", "--no-build-isolation", "--quiet")
        subprocess.run([sys.executable, "-m", "pip", *building], check=True)
    for wheel in tmp_path.glob("*.whl"):
        zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    asked = "import hots_rules as hr; print([n for n in hr.rulesets() if n.startswith(('castle', 'our'))])"
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path / 'installed'}"}
    done = subprocess.run(
        [sys.executable, "-c", asked], env=environment, capture_output=True, text=True, check=True
    )

    assert "['castle-run-1.0', 'our-table-1.0']\n" == done.stdout


# ---------------------------------------------------------------- house rules
@pytest.mark.thorough
def test_a_house_rule_begins_without_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    succeed("new", "our-table", "--from", "hots-4.0")
    rules = Path("our-table/our-table.rules").read_text(encoding="utf-8")
    monkeypatch.chdir("our-table")

    assert "no faults\n" == succeed("check", ".")
    assert "no differences" in succeed("diff", "hots-4.0", ".")
    assert "1 passed" in succeed("test", "cases", "--ruleset", ".")
    succeed("fmt", "--check", ".")
    assert "# amend define combat_rounds = 3  hots-4.0§5.1\n" in rules


def test_the_numbers_of_a_house_rule_can_be_changed() -> None:
    succeed("new", "our-table", "--from", "hots-4.0")
    file = Path("our-table/our-table.rules")
    text = file.read_text(encoding="utf-8").replace("# amend define", "amend define")
    file.write_text(text.replace("combat_rounds = 3", "combat_rounds = 4"), encoding="utf-8")

    changed = hr.diff("hots-4.0", "our-table").differences
    assert ["combat_rounds"] == [one.name for one in changed if one.effect != "wording"]


def test_a_house_rule_for_a_game_of_one_s_own_lies_beside_it() -> None:
    succeed("new", "castle-run", "--template", "dice")
    succeed("new", "our-run", "--from", "castle-run")

    assert "our-run-1.0" == hr.load("our-run").name


@pytest.mark.thorough
def test_a_house_rule_that_would_not_find_its_rulebook_is_not_written() -> None:
    succeed("new", "games/castle-run", "--template", "dice")
    refused = hots("new", "our-run", "--from", "games/castle-run")

    assert 0 != refused.exit_code
    assert "no ruleset `castle-run-1.0` to extend" in refused.output
    assert not Path("our-run").exists()


# ---------------------------------------------------------------- refusals
def test_a_folder_that_exists_is_refused_and_stays() -> None:
    Path("castle-run").mkdir()
    Path("castle-run/notes.txt").write_text("mine", encoding="utf-8")
    refused = hots("new", "castle-run")

    assert 2 == refused.exit_code
    assert "`castle-run` exists" in refused.output
    assert {"notes.txt": "mine"} == files_of(Path("castle-run"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["Castle"], "expected a name like `my-game`"),
        (["castle run"], "expected a name like `my-game`"),
        ([".."], "expected a name like `my-game`"),
        (["goofspiel"], "a ruleset `goofspiel-1.0` is installed"),
        (["castle", "--from", "hots-4.0", "--template", "dice"], "without --template"),
        (["castle", "--from", "hots-9"], "no ruleset `hots-9`"),
        (["castle", "--template", "darts"], "'darts' is not one of"),
    ],
)
def test_what_is_refused_writes_nothing(arguments: list[str], said: str) -> None:
    refused = hots("new", *arguments)

    assert 2 == refused.exit_code
    assert said in refused.output
    assert {} == files_of(Path())


# ---------------------------------------------------------------- paths
def test_the_folder_one_is_in_is_a_ruleset(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its files have names, and what it extends is found beside it."""
    succeed("new", "castle-run", "--template", "dice")
    succeed("new", "our-run", "--from", "castle-run")
    monkeypatch.chdir("our-run")
    Path("slip.rules").write_text("nonsense\n", encoding="utf-8")

    assert " --> slip.rules:1:1" in hots("check", ".").output
    Path("slip.rules").unlink()
    assert "our-run-1.0" == hr.load(Path()).name
    Path("cases/deeper").mkdir()
    monkeypatch.chdir("cases")
    assert "our-run-1.0" == hr.load(Path("..")).name

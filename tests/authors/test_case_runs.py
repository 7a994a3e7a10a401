"""`hots test` and the plugin of pytest: cases of a folder outside the project, in the rulesets that they are about."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import hots_rules as hr
from hots_rules.cli.app import app
from hots_rules.cli.commands.test import chooser
from tests.folders import HOME, TESTS

CASE = """## {title}
§1 Text.
```case
like: scenario start
{more}```

"""
FIRST = "play:\n  Ann: throw\n  chance: roll 5\nexpect:\n  state: at_risk {}\n"


@pytest.fixture(autouse=True)
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a new game, which one is in; its file of cases is empty."""
    monkeypatch.chdir(tmp_path)
    assert 0 == hots("new", "castle-run", "--template", "dice").exit_code
    monkeypatch.chdir("castle-run")
    Path("cases/castle-run.md").unlink()
    return tmp_path / "castle-run"


def hots(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def write_cases(*cases: tuple[str, str], file: str = "cases/dice.md") -> Path:
    path = Path(file)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(CASE.format(title=title, more=more) for title, more in cases)
    path.write_text(f"# Cases\n\n## What this is\n\nWords.\n\n{text}", encoding="utf-8")
    return path


def outcomes(*arguments: str) -> list[tuple[str, str, str]]:
    """The title, the ruleset and the outcome of each result."""
    results = json.loads(hots("test", "--json", *arguments).stdout)["results"]
    return [(one["title"], one["ruleset"], one["status"]) for one in results]


# ---------------------------------------------------------------- the report
def test_a_case_is_played_in_the_ruleset_of_the_folder_above_it() -> None:
    write_cases(("Five", FIRST.format(5)))

    assert [("Five", "castle-run-1.0", "passed")] == outcomes()


def test_that_ruleset_is_found_from_the_folder_of_the_cases_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write_cases(("Five", FIRST.format(5)))
    monkeypatch.chdir("cases")
    assert [("Five", "castle-run-1.0", "passed")] == outcomes()


def test_a_line_that_does_not_hold_is_shown_with_what_was_found() -> None:
    write_cases(("Four", FIRST.format(4)), ("Five", FIRST.format(5)))
    done = hots("test")

    assert 1 == done.exit_code
    assert "cases/dice.md F." in done.stdout
    assert (
        "cases/dice.md:7 Four in castle-run-1.0\n"
        "    13 |   chance: roll 5\n"
        "    14 | expect:\n"
        ">   15 |   state: at_risk 4\n"
        "E        expected at_risk of the game to be 4, got 5\n"
        "         now: state: at_risk 5\n"
    ) in done.stdout
    assert "1 failed, 1 passed in " in done.stdout


def test_an_action_that_cannot_be_played_is_shown_at_its_line() -> None:
    write_cases(("Keep", "play:\n  Ann: keep\nexpect:\n  goes on:\n"))
    (result,) = hr.testing.CaseRunner(hr.load).run(hr.testing.find_case_files(["."])[0])

    assert [12] == [one.line for one in result.unmet]
    assert "legal now, in game:\n  Ann: throw" in result.unmet[0].message


def test_a_case_that_can_begin_in_no_ruleset_around_fails() -> None:
    write_cases(("Slip", "set:\n  An: points 3\nexpect:\n  goes on:\n"))
    done = hots("test")

    assert 1 == done.exit_code
    assert "did you mean `Ann`?" in done.stdout


def test_without_a_case_the_command_fails() -> None:
    assert (1, "no cases in ") == ((done := hots("test")).exit_code, done.stdout[:12])


def test_a_ruleset_with_faults_is_reported_once() -> None:
    write_cases(("Five", FIRST.format(5)), ("Six", FIRST.format(5)))
    rules = Path("castle-run.rules")
    rules.write_text(rules.read_text().replace("at_risk += die", "at_risk += dye"))
    done = hots("test")

    assert 1 == done.exit_code
    assert 1 == done.stderr.count("unknown-name: no `dye`") or done.stderr.count("dye") < 4
    assert " --> castle-run.rules:" in done.stderr


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("block", "said"),
    [
        ("expects:\n  goes on:\n", "expected a line such as `play:`, got 'expects:'"),
        ("expect:\n  goes nowhere\n", "expected a line of to move, legal"),
        ("play:\n  auto\n", "nothing is expected"),
        ("expect:\n  state: points 3\n", "points"),
        ("expect:\n  state: no_such 3\n", "no 'no_such' in castle-run-1.0"),
    ],
)
def test_a_malformed_case_fails_with_its_reason(block: str, said: str) -> None:
    write_cases(("Malformed", block))
    done = hots("test")

    assert 1 == done.exit_code
    assert said in done.output


# ---------------------------------------------------------------- which rulesets
def test_a_case_may_name_a_file_or_an_installed_ruleset() -> None:
    house = 'ruleset sixty "Sixty"\n  extends castle-run-1.0\namend event kept(p: Player) "kept"\n'
    Path("../sixty.rules").write_text(house)
    file = "editions: ../sixty.rules\nexpect:\n  goes on:\n"
    shipped = "editions: goofspiel-1.0\nexpect:\n  goes on:\n"
    write_cases(("House", file), ("Shipped", shipped))
    text = (
        Path("cases/dice.md")
        .read_text()
        .replace("scenario start\neditions: g", "scenario full-hands\neditions: g")
    )
    Path("cases/dice.md").write_text(text)

    assert [("House", "sixty", "passed"), ("Shipped", "goofspiel-1.0", "passed")] == outcomes()


def test_an_edition_that_does_not_exist_fails_its_case_alone() -> None:
    write_cases(
        ("Other", "editions: castle-run-9\nexpect:\n  goes on:\n"), ("Five", FIRST.format(5))
    )

    assert [("Other", "", "failed"), ("Five", "castle-run-1.0", "passed")] == outcomes()


def test_given_rulesets_take_the_place_of_those_around() -> None:
    write_cases(
        ("Five", FIRST.format(5)), ("Own", "editions: castle-run-1.0\nexpect:\n  goes on:\n")
    )

    assert [("Five", "", "other"), ("Own", "", "other")] == outcomes("--ruleset", "goofspiel-1.0")
    assert [("Five", "castle-run-1.0", "passed"), ("Own", "castle-run-1.0", "passed")] == outcomes(
        "--ruleset", "."
    )


def test_a_case_without_a_ruleset_around_says_so(tmp_path: Path) -> None:
    write_cases(("Alone", FIRST.format(5)), file=str(tmp_path / "elsewhere/deep/alone.md"))
    os.chdir(tmp_path / "elsewhere")

    assert "no ruleset around this file" in hots("test").stdout


@pytest.mark.parametrize("words", ["disc or", "and disc", "disc and not", "not", "disc or or card"])
def test_a_choice_of_cases_without_a_word_beside_and_or_or_not_is_refused(words: str) -> None:
    done = hots("test", str(HOME / "tests/cases/samples.md"), "-k", words)

    assert 2 == done.exit_code
    assert "a word is missing" in done.stderr


def test_the_cases_of_the_project_hold_with_this_command_too() -> None:
    done = outcomes(str(HOME / "tests/cases/samples.md"), "-k", "disc or card or tile")

    assert len(done) > 5
    assert {"passed"} == {status for _, _, status in done}


# ---------------------------------------------------------------- which cases
@pytest.mark.parametrize(
    ("words", "chosen"),
    [
        ("", "abc"),
        ("five", "ab"),
        ("FIVE and six", "b"),
        ("five and not six", "a"),
        ("seven or six", "bc"),
        ("dice.md", "abc"),
        ("eight", ""),
    ],
)
def test_words_choose_cases(words: str, chosen: str) -> None:
    titles = {"a": "Five", "b": "Five and six", "c": "Seven"}
    is_chosen = chooser(words)

    assert chosen == "".join(
        key for key, title in titles.items() if is_chosen(Path("dice.md"), title)
    )


def test_hidden_folders_and_other_markdown_are_left_out() -> None:
    write_cases(("Five", FIRST.format(4)), file=".old/dice.md")
    write_cases(("Five", FIRST.format(5)))
    Path("notes.md").write_text("## Not a case\n```\nx\n```\n")

    assert [("Five", "castle-run-1.0", "passed")] == outcomes()


def test_a_path_that_is_not_there_is_an_error() -> None:
    done = hots("test", "absent")

    assert (1, True) == (done.exit_code, "no file or folder `absent`" in done.stderr)


# ---------------------------------------------------------------- coverage and updates
def test_coverage_is_of_the_chosen_cases() -> None:
    write_cases(("Five", FIRST.format(5)))
    done = hots("test", "--coverage")

    assert "1 cases played, 0 for other rulesets" in done.stdout
    assert "rule winning §4" in done.stdout


def test_coverage_of_a_house_rule_is_of_what_it_changes() -> None:
    write_cases(("Five", "editions: house.rules\n" + FIRST.format(5)), file="house/cases.md")
    Path("house/house.rules").write_text(
        'ruleset house-1.0 "House rule"\n  extends castle-run-1.0\n'
        'amend rule nothing-to-keep castle-run-1.0§3 "A throw of one is not kept."\n'
        "  forbid keep when at_risk <= 1\n",
        encoding="utf-8",
    )

    done = hots("test", "house", "--coverage")

    assert "1 declarations, 1 without a case" in done.stdout, done.stdout + done.stderr
    assert "nothing-to-keep: forbid keep" in done.stdout
    assert "winning" not in done.stdout


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("expected", "found"),
    [
        ("state: Ann: points 9, at_risk 2", "state: Ann: points 0, at_risk 5"),
        ("state: at_risk 2", "state: at_risk 5"),
        ("state: points Ann 2 Ben 3, at_risk 5", "state: points Ann 0 Ben 0, at_risk 5"),
        ("state: Ann: points 2", "state: Ann: points 0"),
        ("state: points Ann 2, points Ben 0", "state: points Ann 0, points Ben 0"),
        ("to move: Ben", "to move: Ann"),
        ("phase: end", "phase: game"),
        ("choices: Ann: keep", "choices: Ann: keep; Ann: throw"),
        ("illegal: Ann: keep", "legal: Ann: keep"),
        ("outcome: Ann winning", "to move: Ann"),
        ("legal: Ben: throw", "illegal: Ben: throw because game"),
    ],
)
def test_update_writes_what_was_found(expected: str, found: str) -> None:
    path = write_cases(
        ("Five", FIRST.format(5) + f"  {expected}  # why\n"), ("More", FIRST.format(5))
    )
    before = path.read_text()
    done = hots("test", "--update")

    after = path.read_text()
    assert before.replace(expected, found) == after
    assert "1 line updated" in done.stdout
    assert 0 == done.exit_code


def test_a_variable_with_keys_wants_them() -> None:
    short = "  state: points Ann 0 Ben 0, at_risk 5\n"
    write_cases(
        ("Short", FIRST.format(5) + short), ("None", FIRST.format(5) + "  state: points 0\n")
    )
    done = hots("test")

    assert "1 failed, 1 passed" in done.stdout
    assert (
        "expected the keys of `points` and a colon before it, as in `KEY: points VALUE`"
        in done.stdout
    )


@pytest.mark.parametrize("winner", ["nobody", "none"])
def test_that_nobody_wins_has_two_words(winner: str) -> None:
    rules = Path("castle-run.rules")
    rules.write_text(rules.read_text().replace("    win p\n", "    win none\n"))
    end = "options: target=10\nplay:\n  Ann: throw\n  chance: roll 6\n  Ann: throw\n  chance: roll 6\n"
    expected = f"  Ann: keep\nexpect:\n  outcome: {winner} winning\n"
    other = f"  Ann: keep\nexpect:\n  outcome: {winner} game\n"
    write_cases(("Right", end + expected), ("Wrong", end + other))

    assert [("Right", "castle-run-1.0", "passed"), ("Wrong", "castle-run-1.0", "failed")] == (
        outcomes()
    )
    assert "expected the outcome `nobody game`, got `nobody winning`" in hots("test").stdout


def test_every_line_of_a_position_counts_and_the_case_replaces_some_of_their_values() -> None:
    Path("cases/positions").mkdir()
    Path("cases/positions/late.txt").write_text("points Ann 7\npoints Ben 8\n")
    late = "## {}\n§1\n```case\nlike: late\n{}expect:\n  state: points Ann 7 Ben {}\n```\n"
    changed = "set:\n  points Ben 9\n"
    text = late.format("As it is", "", 8) + late.format("Changed", changed, 9)
    Path("cases/late.md").write_text(f"# Cases\n\n{text}")

    assert [("As it is", "castle-run-1.0", "passed"), ("Changed", "castle-run-1.0", "passed")] == (
        outcomes()
    )


def test_update_leaves_a_line_on_which_rulesets_differ() -> None:
    rules = Path("castle-run.rules").read_text().replace("at_risk += die", "at_risk += 1")
    write_cases(("Five", "editions: castle-run-1.0, cases/other.rules\n" + FIRST.format(3)))
    Path("cases/other.rules").write_text(rules.replace("castle-run-1.0", "other-1.0"))
    before = Path("cases/dice.md").read_text()
    done = hots("test", "--update")

    assert ("0 lines updated", before) == (
        done.stdout.splitlines()[1],
        Path("cases/dice.md").read_text(),
    )


# ---------------------------------------------------------------- answers
ANSWER = """## May she keep?

```answer
case: Five
ask: Ann: keep
{}```

```text
{}
```
"""


@pytest.mark.parametrize(
    ("keys", "text", "status"),
    [
        ("", "Ann: keep is legal.", "passed"),
        ("depth: sentence\nruleset: castle-run-1.0\n", "Ann: keep is legal.", "passed"),
        ("", "Ann: keep is not legal.", "failed"),
        ("file: other\n", "Ann: keep is legal.", "failed"),
    ],
)
def test_an_answer_is_compared_word_by_word(keys: str, text: str, status: str) -> None:
    path = write_cases(("Five", FIRST.format(5)))
    path.write_text(path.read_text() + ANSWER.format(keys, text))

    assert ("May she keep?", status) == outcomes()[-1][::2]


def test_update_writes_a_new_answer() -> None:
    path = write_cases(("Five", FIRST.format(5)))
    path.write_text(path.read_text() + ANSWER.format("", "Ann: keep is not legal."))

    assert 0 == hots("test", "--update").exit_code
    assert "```text\nAnn: keep is legal.\n```" in path.read_text()


@pytest.mark.thorough
def test_the_answers_of_the_project_hold_with_this_command_too() -> None:
    cases = sorted((TESTS / "cases").glob("lords-*.md"))
    files = [str(path) for path in (TESTS / "answers" / "lords.md", *cases)]
    done = outcomes(*files, "--ruleset", "lords-of-scotland", "-k", "lords.md")

    assert len(done) >= 4
    assert [] == [title for title, _, status in done if status != "passed"]


# ---------------------------------------------------------------- again at each change
@pytest.mark.thorough
def test_watch_plays_again_when_a_file_changes() -> None:
    path = write_cases(("Five", FIRST.format(4)))
    command = [sys.executable, "-m", "hots_rules.cli", "test", "--watch"]
    environment = os.environ | {"PYTHONPATH": str(HOME), "PYTHONUNBUFFERED": "1"}
    log = Path("../log.txt")
    with (
        log.open("w") as out,
        subprocess.Popen(command, stdout=out, stderr=out, env=environment) as run,
    ):
        try:
            wait_for(log, "1 failed in")
            while "1 passed in" not in log.read_text():
                path.write_text(path.read_text().replace("at_risk 4", "at_risk 5"))
                assert run.poll() is None
                time.sleep(0.2)
        finally:
            run.terminate()

    assert "dice.md" in log.read_text().partition("1 failed in")[2]


def wait_for(log: Path, text: str) -> None:
    for _ in range(600):
        if text in log.read_text():
            return
        time.sleep(0.1)
    raise AssertionError(f"no {text!r} in {log.read_text()!r}")


@pytest.mark.parametrize("option", ["--json", "--update"])
def test_watch_does_not_go_with_every_option(option: str) -> None:
    assert 2 == hots("test", "--watch", option).exit_code


# ---------------------------------------------------------------- pytest
def pytest_run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Plain pytest in the folder of the game, with the plugin."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "-p",
        "hots_rules.pytest_plugin",
    ]
    environment = os.environ | {"PYTHONPATH": str(HOME)}
    return subprocess.run(
        [*command, *arguments], env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.thorough
def test_each_case_is_a_test_of_pytest() -> None:
    path = write_cases(("Four", FIRST.format(4)), ("Five", FIRST.format(5)))
    path.write_text(path.read_text() + ANSWER.format("", "Ann: keep is legal."))
    done = pytest_run("-q")

    assert 1 == done.returncode
    assert "1 failed, 2 passed" in done.stdout
    assert "in castle-run-1.0:\n>   15 |   state: at_risk 4\n" in done.stdout
    assert "FAILED cases/dice.md::Four" in done.stdout
    assert "1 passed, 2 deselected" in pytest_run("-q", "-k", "Five").stdout


@pytest.mark.thorough
def test_pytest_plays_cases_of_other_rulesets_not_at_all() -> None:
    write_cases(("Five", FIRST.format(5)))
    Path("pytest.ini").write_text("[pytest]\nhots_cases = cases\nhots_rulesets = goofspiel-1.0\n")

    assert "1 skipped" in pytest_run("-q").stdout


def test_pytest_reports_a_file_that_cannot_be_read_as_cases() -> None:
    write_cases(("Five", "expects: x\n"))
    done = pytest_run("-q")

    assert "1 error" in done.stdout
    assert "expected a line such as `play:`, got 'expects: x'" in done.stdout


@pytest.mark.thorough
def test_without_its_setting_the_plugin_collects_nothing() -> None:
    write_cases(("Four", FIRST.format(4)))
    Path("pytest.ini").write_text("[pytest]\n")

    assert "no tests ran" in pytest_run("-q").stdout

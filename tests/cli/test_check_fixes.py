"""`hots check --fix` writes the safe fixes, `--diff` shows them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hots_rules.cli.check_fixes import with_line_ends
from tests.cli.test_cli import hots
from tests.folders import TESTS

MISTAKES = TESTS / "mistakes"
HEAD = 'ruleset slip-1.0 "A slip"\n  extends tiny-1.0\n'
RULE = 'rule quiet §2.1 "No."\n  forbid peek when {}\n'


@pytest.fixture
def slip(tmp_path: Path) -> Path:
    """A house rule beside the ruleset that it extends."""
    for name in ("tiny-1.0.rules", "sections.csv"):
        (tmp_path / name).write_bytes((MISTAKES / name).read_bytes())
    path = tmp_path / "slip.rules"
    path.write_text(HEAD + RULE.format("actor == Scotland && month != Mar"), "utf-8")
    return path


def test_the_safe_fixes_are_written_one_round_after_the_other(slip: Path) -> None:
    checked = hots("check", slip, "--fix")

    assert checked.stdout.splitlines()[:2] == [
        f"fixed {slip}:4:26: malformed-text: write `=`",
        f"fixed {slip}:4:37: malformed-text: write `and`",
    ]
    assert "actor = Scotland and month != Mar\n" in slip.read_text("utf-8")


def test_what_is_not_safe_stays(slip: Path) -> None:
    text = HEAD + RULE.format("actor = Scotlnd")
    slip.write_text(text, "utf-8")
    checked = hots("check", slip, "--fix")

    assert 1 == checked.exit_code
    assert "did you mean `Scotland`?" in checked.stdout
    assert "fixed" not in checked.stdout
    assert text == slip.read_text("utf-8")


def test_a_diff_is_shown_and_nothing_is_written(slip: Path) -> None:
    before = slip.read_bytes()
    shown = hots("check", slip, "--diff")

    assert "-  forbid peek when actor == Scotland && month != Mar" in shown.stdout.splitlines()
    assert "+  forbid peek when actor = Scotland and month != Mar" in shown.stdout.splitlines()
    assert "2 faults would be fixed" in shown.stderr
    assert before == slip.read_bytes()


@pytest.mark.parametrize("end", ["\r\n", "\r"], ids=["Windows", "old Macs"])
def test_line_ends_the_mark_of_utf_8_and_permissions_stay(end: str, slip: Path) -> None:
    text = slip.read_text("utf-8").replace("\n", end)
    slip.write_bytes(b"\xef\xbb\xbf" + text.encode())
    slip.chmod(0o640)
    hots("check", slip, "--fix")
    expected = text.replace("==", "=").replace("&&", "and")

    assert b"\xef\xbb\xbf" + expected.encode() == slip.read_bytes()
    assert 0o640 == slip.stat().st_mode & 0o777


@pytest.mark.parametrize(
    ("written", "text", "expected"),
    [
        ("a\r\nb\n", "a\nc\n", "a\r\nc\n"),
        ("a\r\nb\r\n", "a\nb\nc\n", "a\r\nb\r\nc\r\n"),
        ("a\nb", "a\nc", "a\nc"),
        ("a\r\nb\r\nc\r\n", "a\nc\n", "a\r\nc\r\n"),
        ("a\rb\r", "a\nb\nc\n", "a\rb\rc\r"),
    ],
)
def test_each_line_keeps_its_end(written: str, text: str, expected: str) -> None:
    assert expected == with_line_ends(text, written)


def test_the_fixes_of_each_fault_and_those_applied_are_in_the_json(slip: Path) -> None:
    slip.write_text(HEAD + RULE.format("actor == Scotlnd"), "utf-8")
    data = json.loads(hots("check", slip, "--fix", "--json").stdout)

    assert ["write `=`"] == [one["title"] for one in data["fixed"]]
    (fix,) = data["faults"][0]["fixes"]
    assert ("write `Scotland`", False) == (fix["title"], fix["is_safe"])
    assert [(4, "Scotland")] == [(each["place"]["line"], each["text"]) for each in fix["edits"]]


def test_an_installed_ruleset_is_not_changed() -> None:
    refused = hots("check", "hots-4.0", "--fix")

    assert 2 == refused.exit_code
    assert "name a file or a folder" in refused.stderr


def test_what_a_ruleset_extends_is_not_changed(slip: Path) -> None:
    base = slip.with_name("tiny-1.0.rules")
    base.write_text(base.read_text("utf-8") + RULE.format("actor == Scotland"), "utf-8")
    before = base.read_bytes()
    slip.write_text(HEAD, "utf-8")
    checked = hots("check", slip, "--fix")

    assert (1, before) == (checked.exit_code, base.read_bytes())


@pytest.mark.parametrize("options", [["--fix", "--diff"], ["--fix", "--watch"]])
def test_options_that_do_not_go_together_are_refused(slip: Path, options: list[str]) -> None:
    assert 2 == hots("check", slip, *options).exit_code

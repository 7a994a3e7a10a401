"""Cases are played and checked, and each proves the change that it claims to show."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

import hots_rules as hr
from hots_rules.cli.app import app
from tests.casebook import HAMMER
from tests.folders import TESTS
from tests.listing import assert_none

BASE = """ruleset base-1.0 "Base"
players Side
type Side = Red | Blue
state
  gold[Side] : 0..9
define gain = 2
action take §1 "Gold is taken."
  permit when gold[actor] < 9
  taken(actor)
action wait §1 "Nothing."
  permit
event taken(s: Side) §1 "gold is taken"
rule gold-is-kept §1 "Who takes gold keeps it."
  on taken(s)
    gold[s] := at_most_nine(gold[s] + gain)
define at_most_nine(n: 0..18): 0..9 = min(n, 9)
rule the-poor-wait §1 "Who has nothing waits."
  forbid take when gold[actor] = 0
phase game §1 "Once."
  choose Red: take, wait
  win none
scenario one §1 "One"
  game()
positions begin at game
"""
HOUSE = """ruleset house-1.0 "House"
  extends base-1.0
amend define gain = 3
repeal rule the-poor-wait §1
define lucky = gold[Red] = 7
rule luck §1 "Seven is lucky."
  after taken(s) when lucky
    gold[s] := 9
"""
CASES = """
## Gold is three
§1 It was two.
```case
like: rich
shows: define gain
play:
  Red: take
expect:
  state: Red: gold 5
expect house-1.0:
  state: Red: gold 6
```

## Gold is taken
§1 Whatever it is.
```case
like: rich
editions: house-1.0
shows: define gain
expect:
  legal: Red: take
```

## The poor take
§1 They waited.
```case
like: poor
editions: house-1.0
shows: rule the-poor-wait
expect:
  legal: Red: take
```

## The poor wait
§1 In the base alone.
```case
like: poor
editions: base-1.0
shows: rule the-poor-wait
expect:
  illegal: Red: take because the-poor-wait
```

## Seven is lucky
§1 The definition goes with its rule.
```case
like: rich
editions: house-1.0
shows: define lucky, rule luck
set:
  Red: gold 4
play:
  Red: take
expect:
  state: Red: gold 9
```
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("base", BASE), ("house", HOUSE)):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.rules").write_text(text, "utf-8")
        (tmp_path / name / "sections.csv").write_text("section,heading\n1,Gold\n", "utf-8")
    cases = tmp_path / "cases"
    (cases / "positions").mkdir(parents=True)
    (cases / "positions" / "rich.txt").write_text("Red: gold 3\n", "utf-8")
    (cases / "positions" / "poor.txt").write_text("Red: gold 0\n", "utf-8")
    (cases / "all.md").write_text(CASES, "utf-8")
    return tmp_path


def test_cases_are_played_and_those_that_fail_are_reported(folder: Path) -> None:
    path = folder / "cases" / "all.md"
    path.write_text(CASES.replace("Red: gold 6", "Red: gold 7"), "utf-8")

    assert hr.testing.check_cases(hr.load(folder / "base"), folder / "cases")
    report = hr.testing.check_cases(hr.load(folder / "house"), folder / "cases")
    assert (4, 1, 0) == (report.played, report.others, report.claims)
    assert not report
    (failure,) = report.failed
    assert "Gold is three" == failure.title
    assert ("expected gold of Red to be 7, got 6",) == failure.reasons


def test_a_case_that_holds_without_the_change_proves_nothing(folder: Path) -> None:
    report = hr.testing.check_cases(hr.load(folder / "house"), folder / "cases", prove=True)

    assert (5, 0, 6) == (report.played + report.others, len(report.failed), report.claims)
    (claim,) = report.unproven
    assert ("Gold is taken", "define gain") == (claim.title, claim.declaration)
    assert "it holds without the change" == claim.reason


def test_the_ruleset_below_proves_nothing_of_a_change_that_is_made_to_it(folder: Path) -> None:
    """It extends none, so a case for the edition that changes its rule claims nothing about it."""
    of_house = (block for block in CASES.split("## ") if "editions: house-1.0" in block)
    (folder / "cases" / "all.md").write_text("".join(f"## {block}" for block in of_house), "utf-8")
    report = hr.testing.check_cases(hr.load(folder / "base"), folder / "cases", prove=True)

    assert (0, 0) == (report.claims, len(report.unproven))


def test_a_case_that_cannot_be_played_fails(folder: Path) -> None:
    path = folder / "cases" / "all.md"
    path.write_text(CASES.replace("play:\n  Red: take", "play:\n  Blue: take", 1), "utf-8")
    report = hr.testing.check_cases(hr.load(folder / "house"), folder / "cases")

    assert ["Gold is three"] == [failure.title for failure in report.failed]
    assert "`Blue: take`" in report.failed[0].reasons[0]


@pytest.mark.parametrize(("expects", "message"), [("", "nothing is expected"), ("  x: y", "x: y")])
def test_a_case_that_expects_nothing_fails(folder: Path, expects: str, message: str) -> None:
    case = f"\n## Empty\n§1\n```case\nlike: rich\nexpect:\n{expects}\n```\n"
    (folder / "cases" / "all.md").write_text(case, "utf-8")
    report = hr.testing.check_cases(hr.load(folder / "house"), folder / "cases")

    assert message in report.failed[0].reasons[0]


def test_the_command_reports_and_ends_with_one(folder: Path) -> None:
    words = ["test", str(folder / "cases"), "--ruleset", str(folder / "house")]
    passed = CliRunner().invoke(app, words)
    proven = CliRunner().invoke(app, [*words, "--prove"])
    listed = CliRunner().invoke(app, [*words, "--prove", "--json"])

    assert (0, 1, 1) == (passed.exit_code, proven.exit_code, listed.exit_code)
    assert "failed" not in passed.stdout
    assert "1 not proven" in proven.stdout
    assert "define gain: it holds without the change" in proven.stdout
    assert 1 == len(json.loads(listed.stdout)["proofs"][0]["unproven"])


# ------------------------------------------------------------------ the cases of the repository
def unproven(edition: str, cases: Path) -> list[str]:
    report = hr.testing.check_cases(hr.load(edition), cases, prove=True)
    assert () == report.failed
    assert report.claims
    return [
        f"{claim.file}: {claim.title}: {claim.declaration}: {claim.reason}"
        for claim in report.unproven
    ]


@pytest.mark.thorough
def test_some_cases_prove_what_they_claim_to_show(tmp_path: Path) -> None:
    text = (TESTS / "cases" / "editions.md").read_text("utf-8")
    showing = [part for part in re.split(r"^(?=## )", text, flags=re.M) if "\nshows:" in part]
    (tmp_path / "some.md").write_text("".join(showing[:2]), "utf-8")
    shutil.copytree(TESTS / "positions", tmp_path / "positions")

    assert_none(unproven("hots-3.x", tmp_path))


@pytest.mark.nightly
@pytest.mark.parametrize("edition", HAMMER[1:])
def test_every_case_proves_what_it_claims_to_show(edition: str) -> None:
    assert_none(unproven(edition, TESTS / "cases"))


def test_a_colon_after_a_variable_without_keys_is_told_how_to_write_it(tmp_path: Path) -> None:
    (tmp_path / "case.md").write_text(
        "## The year §1.1\n\n```case\nset: like braveheart\nexpect:\n  state: year: 1299\n```\n",
        "utf-8",
    )
    (failed,) = hr.testing.check_cases(hr.load("hots-4.0"), tmp_path).failed

    assert "write `year 1299`: `year` has no keys" in "".join(failed.reasons)

"""Statements of a rulebook: which rules carry them, which cases show them, and what is missing."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from random import Random

import pytest
from attrs import evolve
from typer.testing import CliRunner

import hots_rules as hr
from hots_rules.cli.app import app
from tests.folders import HOME
from tests.listing import assert_none

CASES = HOME / "tests" / "cases"
LISTED = ("hots-4.0", "hots-3.x", "hots-2.3", "hots-player-aid", "lords-of-scotland")
HEAD = "section,number,of,statement,rules,cases,reason"
RULES = """ruleset small-1.0 "A small game"
players Side
type Side = Red | Blue
action wait §1 §2 "Nothing."
  permit
phase game §2 "One turn."
  choose Red: wait
  win none
scenario one §2 "One"
  game()
"""
SECTIONS = "section,heading\n1,Turns\n2,Waiting\n"
ROWS = (
    "1,1,2,A side may wait,wait,Red waits,",
    "1,2,2,For example like this,,,example",
    "2,1,1,There is one turn,game one wait,Red waits,",
)
ONE = hr.testing.Case("cases.md", "Red waits", ("§1",), {})
CASE = """## Red waits
§1 It does nothing.

```case
like: scenario one
play:
  Red: wait
expect:
  outcome: nobody
```
"""


@pytest.fixture(scope="module")
def cases() -> list[hr.testing.Case]:
    return [case for file in hr.testing.find_case_files([CASES]) for case in file.cases]


@pytest.mark.parametrize("name", LISTED)
def test_every_statement_has_a_case_or_a_reason_and_every_rule_a_statement(
    name: str, cases: list[hr.testing.Case]
) -> None:
    coverage = hr.testing.statement_coverage(hr.load(name), cases)

    assert_none([*coverage.unstated, *coverage.faults])
    assert coverage.statements


@pytest.mark.parametrize("name", LISTED)
@pytest.mark.parametrize("seed", range(3))
def test_statements_that_are_taken_out_are_found(name: str, seed: int) -> None:
    rules = hr.load(name)
    head, *rows = rules.source.layers[-1].statements.splitlines()
    for index in sorted(Random(seed).sample(range(len(rows)), 3), reverse=True):
        section, *_ = next(csv.reader([rows.pop(index)]))
        found = hr.testing.statement_coverage(_stating(rules, [head, *rows])).faults

        assert any(f"§{section}:" in fault for fault in found)


# ------------------------------------------------------------------ a small ruleset
@pytest.fixture
def small(tmp_path: Path) -> hr.Ruleset:
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / "small.rules").write_text(RULES, encoding="utf-8")
    (folder / "sections.csv").write_text(SECTIONS, encoding="utf-8")
    (folder / "statements.csv").write_text("\n".join((HEAD, *ROWS, "")), encoding="utf-8")
    (tmp_path / "cases").mkdir()
    (tmp_path / "cases" / "cases.md").write_text(CASE, encoding="utf-8")
    return hr.load(folder)


def _stating(rules: hr.Ruleset, lines: list[str]) -> hr.Ruleset:
    """The ruleset with another list of statements."""
    *below, own = rules.source.layers
    own = evolve(own, statements="\n".join(lines) + "\n")
    source = evolve(rules.source, layers=(*below, own))
    return evolve(rules, compiled=evolve(rules.compiled, source=source))


def test_the_statements_are_read_from_the_folder_of_the_ruleset(small: hr.Ruleset) -> None:
    first, example, last = hr.testing.statements(small)

    assert (first.section, first.number, first.rules, first.cases) == (
        "1",
        1,
        ("wait",),
        ("Red waits",),
    )
    assert (example.reason, example.rules, example.cases) == ("example", (), ())
    assert str(last) == "§2 1. There is one turn"


@pytest.mark.parametrize(
    ("index", "row", "fault"),
    [
        (0, "1,1,2,A side may wait,wait,,", "it needs rules and cases, or a reason"),
        (0, "1,1,2,A side may wait,,Red waits,", "it needs rules and cases, or a reason"),
        (0, "1,1,2,A side may wait,wait wiat,Red waits,", "nothing is named `wiat`"),
        (0, "1,1,2,A side may wait,wait,Blue waits,", "no case `Blue waits` is played"),
        (1, "1,2,2,For example like this,wait,,example", "a reason, and rules or cases too"),
        (1, "1,2,2,For example like this,,,because", "`because` is none of heading, component"),
        (1, "1,2,2,one two three four five six seven eight nine ten eleven,,,example", "10 words"),
        (1, "1,3,2,For example like this,,,example", "§1: statements are missing or out of order"),
        (2, "4,1,1,There is one turn,game one wait,Red waits,", "§4: no such section"),
        (2, "1,1,2,A side may wait,wait,Red waits,", "§2: no statement"),
        (1, "1,2,2,For example", "line 3: expected section, number, of"),
        (1, "1,,2,For example like this,,,example", "line 3: expected section, number, of"),
        (1, '1,2,2,"For" example,,,example', "line 3: quotes that cannot be read"),
        (1, "1,2,2,For example like this,,,example", "more than a quarter"),
    ],
)
def test_faults_of_the_list(small: hr.Ruleset, index: int, row: str, fault: str) -> None:
    rows = list(ROWS)
    rows[index] = row
    coverage = hr.testing.statement_coverage(_stating(small, [HEAD, *rows]), [ONE])

    assert any(fault in line for line in coverage.faults)
    assert not coverage


@pytest.mark.parametrize(
    ("lines", "line", "remedy"),
    [
        (["section,statement", ROWS[0]], 1, f"begin the list with `{HEAD}`"),
        ([HEAD, ROWS[0], "1,2,2,For example"], 3, "write it as `1.2,1,2,A piece may stay"),
        ([HEAD, '1,1,2,"A side'], 2, 'close each `"`'),
    ],
)
def test_a_damaged_list_is_an_error_with_its_file_its_line_and_a_remedy(
    small: hr.Ruleset, lines: list[str], line: int, remedy: str
) -> None:
    damaged = _stating(small, lines)
    game = damaged.start("one", seed=1)

    for used in (
        lambda: hr.testing.statements(damaged),
        lambda: hr.talk.find(damaged, "wait"),
        lambda: game.ask("how long may a side wait?"),
    ):
        with pytest.raises(hr.RulesetError, match=re.escape(remedy)) as raised:
            used()
        assert f"--> small/statements.csv:{line}:1" in str(raised.value)


def test_a_citation_without_a_statement_is_found(small: hr.Ruleset) -> None:
    rows = [*ROWS[:2], "2,1,1,There is one turn,game one,Red waits,"]

    assert hr.testing.statement_coverage(_stating(small, [HEAD, *rows])).unstated == (
        "action wait §2",
    )


def test_a_section_of_headings_may_be_cited(small: hr.Ruleset) -> None:
    rows = ["1,1,1,A side waits one turn,wait game one,Red waits,", "2,1,1,Waiting,,,heading"]

    assert hr.testing.statement_coverage(_stating(small, [HEAD, *rows])).unstated == ()


def test_a_ruleset_without_a_list_is_told(small: hr.Ruleset) -> None:
    coverage = hr.testing.statement_coverage(_stating(small, [HEAD]))

    assert coverage.faults == ("`small-1.0` lists no statements",)


# ------------------------------------------------------------------ the command
def test_the_command_prints_every_statement_and_fails_where_some_are_missing(
    small: hr.Ruleset, tmp_path: Path
) -> None:
    words = ["test", str(tmp_path / "cases"), "--ruleset", str(tmp_path / "small"), "--statements"]
    shown = CliRunner().invoke(app, words)
    data = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)

    assert "small-1.0: 3 statements" in shown.stdout
    assert "There is one turn" in shown.stdout
    assert data["statements"][0]["reasons"]["example"] == 1
    assert data["statements"][0]["statements"][0]["cases"] == ["Red waits"]
    assert shown.exit_code == 1  # one of three has a reason, which is more than a quarter


# ------------------------------------------------------------------ what a player sees
HIDDEN = """## A card of the other hand
§3.0 It is hidden.

```case
like: scenario braveheart
play:
  auto
expect:
  {line}
```
"""


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("seen: England: strength Wallace", "to be seen, but it is hidden"),
        ("hidden: Scotland: strength Wallace", "to be hidden, but it is seen"),
        ("hidden: Scotland: strength Wallas", "Wallas"),
        ("hidden: Ireland: strength Wallace", "Ireland"),
        ("seen: Scotland: strength Wallace", ""),
        ("hidden: England: strength Wallace", ""),
        ("hidden: England: hand Scotland, Move_1", ""),
    ],
)
def test_a_case_says_what_a_player_sees(tmp_path: Path, line: str, problem: str) -> None:
    (tmp_path / "cases.md").write_text(HIDDEN.format(line=line), encoding="utf-8")
    report = hr.testing.check_cases(hr.load("hots-4.0"), tmp_path)

    assert bool(report) == (not problem)
    assert all(problem in reason for failure in report.failed for reason in failure.reasons)


def test_no_title_of_a_case_has_the_sign_between_titles(cases: list[hr.testing.Case]) -> None:
    assert_none([case.title for case in cases if "; " in case.title])


def test_the_lists_are_written_in_one_form() -> None:
    for name in LISTED:
        text = hr.load(name).source.layers[-1].statements
        written = io.StringIO()
        csv.writer(written, lineterminator="\n").writerows(csv.reader(io.StringIO(text)))

        assert text == written.getvalue(), name

"""Coverage: sections, declarations and conditions, counted as the cases meet them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import hots_rules as hr
from hots_rules.cli.app import app
from tests.folders import HOME

RULES = """ruleset small-1.0 "A small game"
players Side
type Side = Red | Blue
type Place = Camp | Field
table Piece §1 (big: bool)
  Fox  no
  Elk  yes
state
  place[Piece] : Place
  turn : 0..4
action go(p: Piece) §2 "Into the field."
  permit when place[p] = Camp
  arrives(p)
action wait §2 "Nothing."
  permit
event arrives(p: Piece) §2 "a piece arrives"
rule in-the-field §2 "It stands there."
  on arrives(p) when turn < 4
    place[p] := Field
rule the-big-stay §2.1 "Big ones stay at first."
  forbid go(p) when big[p] and turn = 0
rule but-not-the-fox §2.1 "The fox is let off."
  exempt go(p) from the-big-stay when p = Fox
rule never §2.1 "Nobody comes here."
  instead of arrives(p) when turn = 4
    turn := 4
phase game §3 "Three turns."
  while turn < 3 up to 3
    choose Red: go, wait
    turn += 1
  win none
phase_b
scenario one §3 "One"
  game()
positions begin at game
""".replace("phase_b\n", "")
SECTIONS = """section,heading,note
1,Pieces,
2,Going,
2.1,Staying,
3,Turns,
4,Example,an example
5,Forgotten,
"""
CASES = """# Cases

## A fox goes

It goes (§2).

```case
like: scenario one
play:
  Red: go Fox
expect:
  legal: Red: go Elk
```

## A big one stays

At first (§2.1).

```case
like: empty
editions: small-1.0
expect:
  illegal: Red: go Elk because the-big-stay
```

## Of another game

```case
editions: other-1.0
like: scenario nowhere
```
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "small.rules").write_text(RULES, "utf-8")
    (tmp_path / "sections.csv").write_text(SECTIONS, "utf-8")
    (tmp_path / "cases" / "positions").mkdir(parents=True)
    (tmp_path / "cases" / "some.md").write_text(CASES, "utf-8")
    (tmp_path / "cases" / "positions" / "empty.txt").write_text("turn 0\n", "utf-8")
    return tmp_path


def covered(folder: Path) -> hr.testing.Coverage:
    return hr.testing.coverage(hr.load(folder / "small.rules"), folder / "cases")


def test_a_section_without_a_rule_is_found_unless_it_says_why(folder: Path) -> None:
    found = covered(folder)

    assert ["5"] == [one.section for one in found.without_rule]
    assert {"4": "an example"} == {one.section: one.note for one in found.sections if one.note}


def test_a_section_counts_what_cites_its_parts(folder: Path) -> None:
    counted = {one.section: (one.rules, one.cases) for one in covered(folder).sections}

    assert (3, 1) == counted["2.1"]
    assert (7, 2) == counted["2"]


def test_a_section_counts_parts_whose_numbers_have_no_further_point(folder: Path) -> None:
    for name, old, new in (
        ("small.rules", "never §2.1", "never §2.11"),
        ("sections.csv", "2.1,Staying,\n", "2.1,Staying,\n2.11,Never,\n"),
    ):
        file = folder / name
        file.write_text(file.read_text("utf-8").replace(old, new), "utf-8")
    counted = {one.section: one.rules for one in covered(folder).sections}

    assert (3, 1) == (counted["2.1"], counted["2.11"])


def test_cases_of_other_rulesets_are_counted_apart(folder: Path) -> None:
    found = covered(folder)

    assert (2, 1, ()) == (found.played, found.others, found.faults)


def test_a_declaration_without_a_case_is_found(folder: Path) -> None:
    idle = [(one.kind, one.name) for one in covered(folder).without_case]

    assert [
        ("action", "wait"),
        ("rule", "but-not-the-fox"),
        ("rule", "never"),
    ] == idle


def test_conditions_are_met_both_ways_or_named(folder: Path) -> None:
    """The big one may not go in turn 0 and may in turn 1; nobody arrives in turn 4.

    The fox is never let off: he is small, so there is nothing to be let off from.
    """
    met = {(one.rule, one.timing): (one.held, one.failed) for one in covered(folder).conditions}

    assert {
        ("go", "permit"): (True, False),
        ("the-big-stay", "forbid"): (True, True),
        ("but-not-the-fox", "exempt"): (False, True),
        ("in-the-field", "on"): (True, False),
        ("never", "instead"): (False, True),
    } == met


SETTLED = """ruleset settled-1.0 "An older printing"
  extends small-1.0
settle pace = slow §2.1
"""
READING = """reading pace §2.1 "How fast they go is not said."
  slow  "Slowly."
  fast  "Fast."  default
rule the-hasty §2.1 "Who is fast stays in the camp."
  only if pace = fast
  forbid go(p) when turn = 3
"""


def test_what_a_settled_reading_rules_out_needs_no_case(folder: Path) -> None:
    (folder / "small.rules").write_text(RULES + READING, "utf-8")
    (folder / "settled.rules").write_text(SETTLED, "utf-8")
    newer = covered(folder)
    older = hr.testing.coverage(hr.load(folder / "settled.rules"), folder / "cases")
    gaps = [
        {one.name for one in found.without_case} | {one.rule for one in found.one_sided}
        for found in (newer, older)
    ]

    assert {"pace", "the-hasty"} == gaps[0] - gaps[1]


def test_a_case_that_cannot_be_played_is_a_fault(folder: Path) -> None:
    cases = CASES.replace("Red: go Fox", "Red: fly Fox")
    (folder / "cases" / "some.md").write_text(cases, "utf-8")

    assert "some.md: A fox goes: `Red: fly Fox`" in covered(folder).faults[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("## One\n\nNo block.\n", "no block `case`"),
        ("## One\n\n```case\nto nobody\n```\n", "expected a line such as `play:`"),
        ("## One\n\n```case\nplay: a\nplay: b\n```\n", "two parts `play`"),
        ("## One\n\n```case\nlike: ../../secret\n```\n", "no position `../../secret`"),
    ],
)
def test_a_case_that_cannot_be_read_is_refused(folder: Path, text: str, said: str) -> None:
    (folder / "cases" / "some.md").write_text(text, "utf-8")

    try:
        faults: tuple[str, ...] = covered(folder).faults
    except hr.testing.BadCase as error:
        faults = (str(error),)
    assert said in faults[0]


def test_the_command_tells_it_as_a_table_and_as_json(folder: Path) -> None:
    words = ["test", str(folder / "cases"), "--ruleset", str(folder / "small.rules"), "--coverage"]
    said = CliRunner().invoke(app, words)
    data = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)["coverage"][0]

    assert 0 == said.exit_code
    assert "  §5 Forgotten" in said.stdout.splitlines()
    assert "  never: instead arrives: always false" in said.stdout.splitlines()
    assert data == covered(folder).as_json() | json.loads(json.dumps(covered(folder).as_json()))


@pytest.mark.parametrize("name", ["hots-4.0", "lords-of-scotland"])
def test_no_section_of_the_library_is_without_a_rule(name: str) -> None:
    assert () == hr.testing.coverage(hr.load(name)).without_rule


@pytest.mark.nightly
def test_the_coverage_of_the_library_has_not_fallen() -> None:
    found = subprocess.run(
        [sys.executable, "docs/_coverage.py", "--check"], cwd=HOME, capture_output=True, text=True, check=False
    )  # fmt: skip

    assert "" == found.stderr
    assert 0 == found.returncode

"""A ruleset that is edited and played: what is kept from before the edit changes nothing of what is compiled."""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from random import Random

import pytest

from hots_rules import editing
from hots_rules.diagnostics import Limits, RulesetError
from hots_rules.play.compiled_ruleset import CompiledRuleset
from tests.folders import HOME

pytestmark = pytest.mark.deeper

RULESETS = HOME / "rulesets"
EDITS = 200 if os.environ.get("HYPOTHESIS_PROFILE") == "nightly" else 3
WORD = re.compile(r"\b(?:\d+|yes|no|and|or|true|false|[<>]=?|[+-])\b")
SWAPPED = {"yes": "no", "no": "yes", "and": "or", "or": "and", "true": "false", "false": "true"}

TABLES = """ruleset far-1.0 "Far"
players Who
type Who = Fox | Hen
table Spot §1 (near: set of Spot, deep: 0..3)
  A  B    1
  B  A+C  2
  C  B    0
define deepest: 0..3 = max s in Spot: deep[s]
define shallow(s: Spot) = deep[s] < deepest
option flooded : bool = false §1 "Only the deepest spot is left."
define rest: 0..3 = if flooded then deepest else hops(A, C)
define hops(s: Spot, to: Spot): 0..3 = if s = to then 0 else if to in near[s] then 1 else 2
state
  at : Spot
action go(to: Spot) §1 "Go."
  permit when hops(at, to) = 1 and shallow(to)
  at := to
action stay §1 "Stay."
  permit when deep[at] <= rest
phase play §1 "Play."
  for turn in 1..4
    choose Fox: go, stay
scenario only §1 "Only"
  at := A
  play()
"""


def space_of(texts: dict[str, str]) -> tuple[editing.Workspace, str]:
    """A folder with one ruleset, and the path that names it."""
    space = editing.Workspace()
    for path, text in texts.items():
        space.open(path, text)
    (head,) = space.located()
    return space, head


def compiled(space: editing.Workspace, head: str, before: CompiledRuleset | None = None) -> str:
    """The source of plain and traced play, from scratch or after an edit."""
    rules = editing.playable(space, head, before=before)
    settings = rules.default_settings
    return rules.machine(settings).source + rules.machine(settings, traced=True).source


def edited(text: str, chance: Random) -> str:
    """A text with one number or word changed."""
    found = chance.choice(list(WORD.finditer(text)))
    word = found[0]
    new = str(int(word) + chance.choice((-1, 1))) if word.isdigit() else SWAPPED.get(word, word)
    return text[: found.start()] + new + text[found.end() :]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "folder",
    [
        "samples/backgammon",
        pytest.param("samples/reversi", marks=pytest.mark.nightly),
        pytest.param("lords", marks=pytest.mark.nightly),
    ],
)
def test_what_is_kept_from_before_an_edit_changes_no_compiled_line(folder: str) -> None:
    texts = {str(p): p.read_text("utf-8") for p in (RULESETS / folder).rglob("*.rules")}
    space, head = space_of(texts)
    chance, played = Random(f"edits {folder}"), 0
    before = editing.playable(space, head)
    assert before.default_machine

    for _ in range(EDITS):
        path = chance.choice(sorted(texts))
        space.open(path, edited(texts[path], chance))
        try:
            after = compiled(space, head, before)
        except RulesetError:
            continue
        assert after == compiled(space, head)
        before, played = editing.playable(space, head, before=before), played + 1
        assert before.default_machine
        space.open(path, texts[path])

    assert played


def known(rules: CompiledRuleset) -> set[str]:
    """The definitions of which values are known before anything is compiled."""
    return {name for name, _ in rules.typed.static_values}


@pytest.mark.parametrize(
    ("old", "new", "kept"),
    [
        ("permit when hops", "permit when not hops", {"deepest", "shallow", "hops"}),
        ("B  A+C  2", "B  A+C  3", set()),
        ("then 1 else 2", "then 1 else 3", {"deepest", "shallow"}),
        ("max s in", "min s in", {"hops"}),
    ],
)
def test_only_values_of_what_is_the_same_are_kept(old: str, new: str, kept: set[str]) -> None:
    path = "/far/far.rules"
    space, head = space_of({path: TABLES})
    before = editing.playable(space, head)
    assert before.default_machine and known(before) == {"deepest", "shallow", "hops"}

    assert old in TABLES
    space.open(path, TABLES.replace(old, new))

    assert known(editing.playable(space, head, before=before)) == kept


def fewest_steps(
    space: editing.Workspace, head: str, before: CompiledRuleset | None, flooded: int
) -> int:
    """The smallest budget with which a ruleset compiles under one choice of its option."""

    def is_accepted(steps: int) -> bool:
        limits = Limits(ruleset_steps=steps)
        try:
            editing.playable(space, head, limits, before=before).machine((("flooded", flooded),))
        except RulesetError as error:
            assert [fault.code for fault in error.faults] == ["too-large"]
            return False
        return True

    return bisect_left(range(5_000), True, lo=1, key=is_accepted)


@pytest.mark.thorough
@pytest.mark.parametrize("flooded", [0, 1])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("permit when hops", "permit when not hops"),
        ("shallow(to)\n", "shallow(to) and hops(to, at) = 1\n"),
        ("deep[at] <= rest", "deep[at] < rest"),
        ("B  A+C  2", "B  A+C  3"),
        ("max s in", "min s in"),
    ],
)
def test_values_that_are_kept_cost_what_they_cost_afresh(old: str, new: str, flooded: int) -> None:
    path = "/far/far.rules"
    space, head = space_of({path: TABLES})
    before = editing.playable(space, head)
    assert before.default_machine and known(before)

    assert old in TABLES
    space.open(path, TABLES.replace(old, new))
    afresh = fewest_steps(space, head, None, flooded)

    assert 100 < afresh < 5_000
    assert afresh == fewest_steps(space, head, before, flooded)
    assert before.machine((("flooded", 1),))  # the values of one choice are kept for another
    assert afresh == fewest_steps(space, head, before, flooded)

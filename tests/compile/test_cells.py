"""`T[r, c]`: a cell of a table by its row and by a word that names its column."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import hots_rules as hr
from hots_rules import editing
from tests.playing import played_out, ruleset_of

RESULTS = """ruleset results-1.0 "A results table"
players Side
type Side = Red | Blue
type Effect = back | held | lost
type Odds = one_to_two | one_to_one | two_to_one
table Roll §1
  one_to_two: Effect, one_to_one: Effect, two_to_one: Effect, pips: 1..3, bonus: 0..9
  :      one_to_two  one_to_one  two_to_one  pips  bonus
  Low    lost        back        held        1     4
  Mid    lost        held        back        2     0
  High   back        back        back        3     9
state
  now        : Roll
  seen       : set of Effect
  last[Side] : Effect
action attack(o: Odds) §1 "Attack at some odds."
  permit
  roll d3 as die
  now := nth(Roll, die)
  last[actor] := Roll[now, o]
  add Roll[nth(Roll, 4 - die), o] to seen
rule no-second-loss §1 "Nobody attacks who is certain to lose again."
  forbid attack(o) when last[actor] = lost and Roll[now, o] = lost
phase game §1 "Six attacks."
  for i in 1..3
    for s in Side
      choose s: attack
  if last[Red] = Roll[High, one_to_two]
    win Red
  if some {o in Odds where Roll[now, o] = held} and last[Blue] != back
    win Blue
  win none
scenario field §1 "A field"
  game()
"""
PLAIN = RESULTS.replace(
    "action attack",
    """define effect(r: Roll, o: Odds): Effect = first of
  one_to_two[r] when o = one_to_two
  one_to_one[r] when o = one_to_one
  two_to_one[r]
action attack""",
)
for written in ("now, o", "nth(Roll, 4 - die), o", "High, one_to_two"):
    PLAIN = PLAIN.replace(f"Roll[{written}]", f"effect({written})")


def test_a_cell_is_what_a_definition_by_columns_gives() -> None:
    assert "Roll[" not in PLAIN
    for seed in range(20):
        *_, game = played_out(ruleset_of(RESULTS).start("field", seed=seed), Random(seed))
        *_, other = played_out(ruleset_of(PLAIN).start("field", seed=seed), Random(seed))
        assert game.state.slots == other.state.slots


@pytest.mark.parametrize("backend", ["wasm", "llvm"])
def test_machine_code_reads_the_cells_of_python(backend: str) -> None:
    rules = ruleset_of(RESULTS)
    told, meant = (
        hr.simulate(rules, "field", games=200, backend=name) for name in (backend, "python")
    )
    assert (told.wins, told.decisions) == (meant.wins, meant.decisions)
    assert min(meant.wins.values()) > 0


def test_why_not_names_the_cell() -> None:
    text = RESULTS.replace("last[Side] : Effect", "last[Side] : Effect = lost").replace(
        "now        : Roll", "now        : Roll = Mid"
    )
    game = ruleset_of(text).start("field", seed=1)
    assert "one to two of Mid: lost" in str(game.why_not("attack one to two"))
    assert "one_to_one" in {action.args["o"] for action in game.actions}


def test_an_edition_changes_a_cell(tmp_path: Path) -> None:
    (tmp_path / "results-1.0.rules").write_text(RESULTS, encoding="utf-8")
    house = 'ruleset house-1.0 "House"\n  extends results-1.0\n'
    house += "amend table Roll: Mid one_to_two = held results-1.0§1\n"
    (tmp_path / "house.rules").write_text(house, encoding="utf-8")
    old, new = (hr.load(tmp_path / name) for name in ("results-1.0.rules", "house.rules"))
    asked = "Roll[Mid, one_to_two] = held"
    assert [rules.start("field", seed=1).odds().chance(asked) for rules in (old, new)] == [0, 1]


def test_columns_of_numbers_have_a_type_that_holds_all() -> None:
    text = RESULTS.replace("type Odds", "type Number = pips | bonus\ntype Odds").replace(
        "  win none",
        "  let n = Roll[now, nth(Number, 1 + count(seen) div 2)]\n  if n > 3\n    win Red\n  win none",
    )
    assert hr.simulate(ruleset_of(text), "field", games=20).finished == 20


def test_only_the_columns_that_are_possible_must_be_there() -> None:
    text = RESULTS.replace("| two_to_one\n", "| two_to_one | three_to_one\n", 1)
    faulty = text.replace("permit\n", "permit when o != three_to_one\n")
    with pytest.raises(hr.RulesetError, match="`Roll` has no column `three_to_one`"):
        ruleset_of(faulty)
    guarded = (
        faulty.replace("= Roll[now, o]", "= if o != three_to_one then Roll[now, o] else lost")
        .replace("  add Roll[nth(Roll, 4 - die), o] to seen\n", "  add last[actor] to seen\n")
        .replace("lost and Roll[now, o]", "lost and o != three_to_one and Roll[now, o]")
        .replace("where Roll[now, o]", "where o != three_to_one and Roll[now, o]")
    )
    ruleset_of(guarded)


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ("Roll[now]", "wrong-arguments: expected 2 keys for the table `Roll`, got 1"),
        ("Roll[now, o, o]", "wrong-arguments: expected 2 keys for the table `Roll`, got 3"),
        ("Roll[now, actor]", "wrong-type: expected a column of `Roll`, got `Side`"),
        ("Roll[now, die]", "wrong-type: expected a column of `Roll`, got a number of 1..3"),
        ("Roll[o, o]", "wrong-type: expected `Roll`, got `Odds`"),
        ("Roll[now, three]", "unknown-name: `three` is not a value of `Odds`"),
    ],
)
def test_what_is_no_cell_is_a_fault(written: str, fault: str) -> None:
    with pytest.raises(hr.RulesetError) as error:
        ruleset_of(RESULTS.replace("Roll[now, o]\n", f"{written}\n", 1))
    assert fault in [f"{one.code}: {one.headline}" for one in error.value.faults]


def test_columns_of_several_types_cannot_be_chosen_from() -> None:
    text = RESULTS.replace("type Odds", "type Either = pips | one_to_one\ntype Odds")
    text = text.replace(
        "  win none",
        "  if Roll[now, nth(Either, 1 + count(seen) div 2)] = 1\n    win Red\n  win none",
    )
    with pytest.raises(hr.RulesetError, match="have different types"):
        ruleset_of(text)


def test_an_editor_finds_the_table_of_a_cell() -> None:
    space = editor()
    hover = editing.hover(space, FILE, *place_of("Roll[now, o]"))
    assert hover is not None and "table Roll" in hover[0]
    name, _ = editing.name_at(space, FILE, *place_of("Roll[now, o]")) or pytest.fail("no name")
    assert len(editing.renamed(space, FILE, name, "Throw")[FILE]) == RESULTS.count("Roll")


@pytest.mark.parametrize("at", ["one_to_two]", "one_to_two: Effect"])
def test_an_editor_renames_no_word_that_names_a_column(at: str) -> None:
    space = editor()
    name, _ = editing.name_at(space, FILE, *place_of(at)) or pytest.fail("no name")
    with pytest.raises(editing.CannotRename, match="names a column"):
        editing.renamed(space, FILE, name, "weak")


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("last[actor] := Roll[", ["Low", "Mid", "High"]),
        ("last[actor] := Roll[now, ", ["one_to_two", "one_to_one", "two_to_one"]),
    ],
)
def test_an_editor_completes_rows_and_columns(line: str, first: list[str]) -> None:
    space = editor()
    text = RESULTS.replace("last[actor] := Roll[now, o]", line)
    space.open(FILE, text)
    at = text.partition(f"  {line}\n")[0].count("\n") + 1
    offered = editing.completions(space, FILE, at, len(line) + 3)
    assert [one.text for one in offered][: len(first)] == first


FILE = "results.rules"


def editor() -> editing.Workspace:
    """The game in an editor."""
    space = editing.Workspace()
    space.open(FILE, RESULTS)
    space.check(FILE)
    return space


def place_of(text: str) -> tuple[int, int]:
    """The line and the column of a text in the game, after its first letter."""
    before = RESULTS.partition(text)[0]
    return before.count("\n") + 1, len(before.rpartition("\n")[2]) + 2

"""A definition that does not vary in a loop or in a listing is computed once before it, and means the same."""

from __future__ import annotations

import re

import pytest

from hots_rules.compile.codegen import kept_values
from tests.compile.test_conditions import (
    assert_every_machine_means,
    test_conditions_list_what_they_mean,
)
from tests.playing import ruleset_of

FIELD = """ruleset field-1.0 "Zones of control"
players Side
table Side §1 (foe: Side)
  Red   Blue
  Blue  Red
type Hexes = Hex(col: 1..7, row: 1..7)
type Spot = Hexes | Dead
table Unit §1 (side: Side, start: Hexes)
  One    Red   Hex_1_1
  Two    Red   Hex_3_2
  Three  Blue  Hex_5_5
  Four   Blue  Hex_7_2
state
  at[Unit] : Spot
  guarded  : set of Unit
define near(x: Hexes) = {y in Hexes where abs(col[x] - col[y]) + abs(row[x] - row[y]) = 1}
define held(s: Side) = {h in Hexes where some u in Unit: side[u] = s and at[u] = h}
define zone(s: Side) = {h in Hexes where some near(h) & held(s)}
define in_zone(u: Unit) = at[u] in zone(foe[side[u]])
action march(unit: Unit, to: Hexes) §1 "A unit goes to the next hex."
  permit when side[unit] = actor and at[unit] is Hexes and to in near(at[unit] as Hexes)
  at[unit] := to
  guarded := {u in Unit where at[u] is Hexes and some near(at[u] as Hexes) & held(foe[side[u]])}
rule zone-to-zone §1 "Nobody goes from zone to zone."
  forbid march(u, to) when in_zone(u) and to in zone(foe[side[u]])
rule alone §1 "One unit to a hex."
  forbid march(u, to) when to in held(Red) | held(Blue)
phase game §1 "Twenty moves."
  for n in 1..10
    for s in Red, Blue
      choose s: march
scenario start §1 "As set up."
  for u in Unit
    at[u] := start[u]
  game()
"""


def functions(source: str) -> dict[str, list[str]]:
    """The lines of each function of a module."""
    texts = re.split(r"(?m)^def ", source)[1:]
    return {text.split("(")[0]: text.splitlines()[1:] for text in texts}


def calls_in_loops(lines: list[str]) -> set[str]:
    """The functions of the ruleset that a function calls in its loops."""
    first = next(number for number, line in enumerate(lines) if line.lstrip().startswith("for "))
    text = "\n".join(lines[first + 1 :])
    return set(re.findall(r"\b(?:define|members|union|some)_\w+(?=\()", text))


def test_a_listing_computes_each_zone_before_its_loops() -> None:
    rules = ruleset_of(FIELD)
    source = rules.machine(rules.chosen({}, {})).source
    assert calls_in_loops(functions(source)["list_march"]) == set()


def test_a_condition_on_the_neighbours_of_a_hex_goes_through_those_that_are_held() -> None:
    rules = ruleset_of(FIELD)
    lines = functions(rules.machine(rules.chosen({}, {})).source)
    assert any("related[member·" in line for body in lines.values() for line in body)


def test_where_most_hexes_are_related_a_condition_tries_one_after_the_other() -> None:
    rules = ruleset_of(FIELD.replace("abs(row[x] - row[y]) = 1", "abs(row[x] - row[y]) > 1"))
    source = rules.machine(rules.chosen({}, {})).source
    assert "related[member·" not in source


def test_a_quantifier_computes_before_its_loop_what_no_member_changes() -> None:
    rules = ruleset_of(FIELD)
    lines = functions(rules.machine(rules.chosen({}, {})).source)
    loops = [
        body for body in lines.values() if any("S[" in line and "within" in line for line in body)
    ]
    of_guarded = [body for body in loops if "found |= 1 << u·" in "\n".join(body)]
    assert of_guarded
    assert all(calls_in_loops(body) == set() for body in of_guarded)


def test_a_loop_over_a_few_members_computes_nothing_before_it_that_a_condition_may_spare() -> None:
    watched = "  watched := {s in Side where s = actor or some zone(Red) & held(s)}\n"
    text = FIELD.replace("state\n", "state\n  watched  : set of Side\n")
    rules = ruleset_of(text.replace("rule zone-to-zone", watched + "rule zone-to-zone"))
    lines = functions(rules.machine(rules.chosen({}, {})).source)
    loops = [body for body in lines.values() if any("in bits(3)" in line for line in body)]
    assert loops
    assert not any("kept" in line for body in loops for line in body)


CONDITIONS = {
    "of a parameter": "(p in group(box[p].owner, spot))",
    "for each side": "(a in near(spot) and some group(side[p], a) & group(foe(side[p]), spot))",
    "under a quantifier": "(some q in Piece: home[q] = a and best(foe(side[q])) > mood[q])",
    "in a sum": "((sum q in Piece: price(spot, 2) + best(side[q])) > m)",
    "of two arguments": "(price(a, j) > price(spot, j))",
    "that may fail": "(n > 2 and worth[the(near(spot))] > price(a, j))",
}


@pytest.mark.parametrize("kind", CONDITIONS)
def test_a_kept_call_means_what_it_says(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_values, "MIN_STEPS", 1)
    monkeypatch.setattr(kept_values, "MIN_STEPS_FOR_EACH", 1)
    text = CONDITIONS[kind].replace("box[p].owner", "owner[box[p]]")
    assert_every_machine_means(text, kind)


@pytest.mark.thorough
@pytest.mark.parametrize("is_risky", [False, True])
def test_conditions_mean_the_same_where_all_calls_are_kept(
    is_risky: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_values, "MIN_STEPS", 1)
    monkeypatch.setattr(kept_values, "MIN_STEPS_FOR_EACH", 1)
    test_conditions_list_what_they_mean(is_risky, in_definitions=True)

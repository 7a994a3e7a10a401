"""`let` in expressions and clauses, and `elif` in expressions: every machine gives what the plain evaluator does."""

from __future__ import annotations

import pytest

import hots_rules as hr
from tests.compile.test_conditions import assert_every_machine_means
from tests.playing import ruleset_of

CONDITIONS = {
    "a number": "(let c = cost[a] * j: c > m and c < 9)",
    "a costly number": "(let s = sum q in Piece: power[q]: s > m and s < n + worth[a])",
    "a set": "(let near_it = next[a], ours = group(side[p], a): some near_it or some ours)",
    "a name that hides another": "(let k = n, n = k + 1: n > j)",
    "a value that narrows": "(let it = at[p]: it is Area and cost[it] > 2)",
    "a value known before": "(at[p] is Area and (let it = at[p]: worth[it] < m))",
    "a value that may fail": "(n > 2 and (let b = the(next[a]): worth[b] > j))",
    "under a quantifier": "(some q in Piece: let w = mood[q] + m: w > 1 and side[q] = side[p])",
    "in a set": "(some {q in Piece where let w = best(side[q]): w = mood[q] and q != p})",
    "in another": "(let x = best(side[p]): let y = x + best(foe(side[p])): x + y > m)",
    "elif": "((if n = 1 then 1 elif n = 2 then k elif tired[p] then 3 else j) > 1)",
}


@pytest.mark.parametrize("kind", CONDITIONS)
def test_a_let_means_what_the_evaluator_says(kind: str) -> None:
    assert_every_machine_means(CONDITIONS[kind], kind)


GAME = """ruleset let-1.0 "Names for values"
players Side
type Side = White | Black
table Field §1 (height: 0..9, beside: set of Field)
  : height beside
  North  2  South
  South  3  North+West
  West  4  -
state
  at[Side] : Field
  hand[Side] : 0..9 = 3
  level : 0..20 = 5
secret hand[s] known to s
action go(f: Field) §1 "Go."
  permit let here = at[actor] when f in beside[here]
  level -= let w = height[f]: if w <= level then w else 0
action stay §1 "Stay."
  permit
rule steep §1 "Not up a steep hill."
  forbid go(f) let climb = height[f] - height[at[actor]] when climb > 0
    because "{f} is {climb} higher"
rule bold §1 "The bold go on."
  forbid go(f) let left = hand[actor] - 1, half = left div 2 when half > 3
phase game §1 "A round."
  for s in White, Black
    choose s: go, stay
  win none
scenario first §1 "One"
  game()
"""


def test_a_clause_and_its_sentence_use_the_names_of_its_let() -> None:
    game = ruleset_of(GAME).start("first", seed=1)
    assert [action.text for action in game.actions] == ["White: stay"]
    assert "South is 1 higher" in str(game.why_not("go South"))


def test_a_name_for_a_secret_tells_no_more_than_the_secret() -> None:
    text = GAME.replace("hand[actor] - 1", "hand[other] - 1").replace(
        "state\n", "define other = Side.Black\nstate\n"
    )
    with pytest.raises(hr.RulesetError, match="secret-unknown"):
        ruleset_of(text)


def test_a_name_that_is_never_read_is_a_fault() -> None:
    with pytest.raises(hr.RulesetError, match="the value `left` is never used"):
        ruleset_of(GAME.replace("half = left div 2", "half = 2"))
    with pytest.raises(hr.RulesetError, match="the value `w` is never used"):
        ruleset_of(GAME.replace("if w <= level then w else 0", "1"))


def test_a_name_is_given_once() -> None:
    with pytest.raises(hr.RulesetError, match="duplicate-name"):
        ruleset_of(
            GAME.replace("half = left div 2", "left = hand[actor]").replace("half >", "left >")
        )


def test_lines_break_before_then_elif_and_else() -> None:
    long = GAME.replace(
        "let w = height[f]: if w <= level then w else 0",
        "if level > 3\n    then 1\n    elif level > 2\n      then 2\n    else 0",
    )
    on_one_line = GAME.replace(
        "let w = height[f]: if w <= level then w else 0",
        "if level > 3 then 1 elif level > 2 then 2 else 0",
    )
    assert hr.format_rules(long) == hr.format_rules(on_one_line)
    assert ruleset_of(long).content_hash == ruleset_of(on_one_line).content_hash


def test_a_statement_keeps_its_brackets_around_a_condition_with_then() -> None:
    text = GAME.replace(
        "  win none\n",
        "  if level > 3\n    level += 1\n  elif (if level > 2 then true else false)\n    level += 2\n"
        "  else\n    level += 3\n  win none\n",
    )
    assert "elif (if level > 2 then true else false)" in hr.format_rules(text)

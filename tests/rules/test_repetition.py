"""A ruleset that takes too many steps has a fault with its place, its numbers and a remedy that works."""

import traceback

import pytest

import hots_rules as hr
from hots_rules.diagnostics import Fault
from tests.playing import ruleset_of

RULES = """ruleset board-1.0 "A board"
players Who
type Who = Red | Blue
type Board = Square(x: 1..8, y: 1..8)
{define}
state
  man[Square] : Who?
event ends() §1 "It ends."
rule ending §1 "It ends."
  on ends()
    {statement}
action go(p: Square, q: Square) §1 "Go."
  permit when man[p] = actor {permit}
  ends()
phase game §1 "Game."
  choose Red: go
  win none
scenario plain §1 "Plain"
  man[Square(1, 1)] := Red
  game()
"""
FAR = "define far(p: Square, q: Square) = max(abs(x[p] - x[q]), abs(y[p] - y[q]))\n"
LINE = (
    "{z in Square where far(p, z) + far(z, q) = far(p, q) and z != p and z != q\n"
    "    and (x[z] - x[p]) * (y[q] - y[p]) = (x[q] - x[p]) * (y[z] - y[p])}"
)
BETWEEN = f"{FAR}define between(p: Square, q: Square) = {LINE}"


def rules_with(define: str = "", statement: str = "clear man", permit: str = "") -> str:
    """The sample with a definition, a statement and a condition put in."""
    return RULES.format(define=define, statement=statement, permit=permit)


def fault_of(text: str) -> Fault:
    """The only fault of a ruleset."""
    with pytest.raises(hr.RulesetError) as error:
        ruleset_of(text)
    [fault] = error.value.faults
    assert "| " in str(error.value)  # the line is drawn
    return fault


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("first", "steps"),
    [
        ("", "at least 773"),  # refused before the first value is computed
        ("z != p and ", "about "),
    ],
)
def test_a_definition_that_is_computed_too_often_is_named_with_its_numbers(
    first: str, steps: str
) -> None:
    define = BETWEEN.replace("where ", f"where {first}", 1)
    fault = fault_of(rules_with(define, permit="and no between(p, q)"))

    assert (fault.code, fault.place.line) == ("too-large", 6)
    assert f"`between` takes {steps}" in fault.headline
    assert fault.headline.endswith(
        " for each of the 4,096 combinations of its arguments, with 64 for `z`"
    )
    assert "let its condition begin with what reads a variable" in fault.help


def test_the_remedy_for_such_a_definition_works() -> None:
    reads = BETWEEN.replace("{z in Square where", "{z in Square where man[z] != none and")
    game = ruleset_of(rules_with(reads, permit="and no between(p, q)")).start("plain", seed=1)

    assert len(game.actions) == 64


@pytest.mark.parametrize(
    ("statement", "line", "numbers"),
    [
        (
            "for s in Square\n      for k in 1..10000\n        for t in Square\n          man[t] := man[s]\n"
            "          man[s] := man[t]",
            12,
            "64 for `s` × 10,000 for `k` × 64 for `t`, in `ends`",
        ),
        (
            "for s in Square\n      while man[s] = none up to 900000\n        man[s] := Red",
            12,
            "64 for `s` × 900,000 of `while`, in `ends`",
        ),
    ],
)
def test_the_loop_that_multiplies_most_is_shown(statement: str, line: int, numbers: str) -> None:
    fault = fault_of(rules_with(statement=statement))

    assert fault.headline.startswith("expected at most 50,000,000 steps without a decision, got up")
    assert fault.headline.endswith(numbers)
    assert fault.place.line == line


def test_an_expression_is_shown_at_its_loop_that_multiplies_most() -> None:
    define = (
        "define odd = sum s in Square: count({t in Square where all u in Square: no v in Square: all w in Square: \
man[s] = man[t] or man[u] = man[v] and man[w] = none})"
    )
    fault = fault_of(rules_with(define, permit="and odd = 1"))

    assert "64 for `s` × 64 for `t` × 64 for `u` × 64 for `v`, in `odd`" in fault.headline
    assert fault.place.line == 5


def test_the_error_of_a_faulty_ruleset_has_no_frames_of_the_compiler() -> None:
    with pytest.raises(hr.RulesetError) as error:
        ruleset_of(rules_with("define"))

    assert len(traceback.extract_tb(error.value.__traceback__)) <= 3
    assert error.value.__cause__ is None
    assert error.value.__suppress_context__

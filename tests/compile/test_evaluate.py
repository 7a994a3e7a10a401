"""An evaluator that skips members by what a variable holds gives the values of one that goes through all of them."""

from collections.abc import Callable
from itertools import product
from math import prod
from random import Random

import pytest

import hots_rules as hr
from hots_rules.compile.codes import codes_of
from hots_rules.compile.evaluate import Budget, Evaluator
from hots_rules.diagnostics import EngineError
from hots_rules.observe.knowledge import HiddenCell, KnowingEvaluator, knowledge_of
from tests.playing import played_out, ruleset_of

MAX_VALUES = 60  # values of one definition at one moment
Outcome = int | str


def outcome(ask: Callable[[], int]) -> Outcome:
    """A value, or the kind of error that comes instead."""
    try:
        return ask()
    except (EngineError, LookupError, ArithmeticError, HiddenCell) as error:
        return type(error).__name__


def pair_of(game: hr.Game) -> tuple[Evaluator, Evaluator]:
    """An evaluator that skips members, and one that goes through all."""
    quick = game.evaluator(budget=Budget.to_answer(10**9))
    slow = game.evaluator(game.state.schema.reader(game.state.slots), Budget.to_answer(10**9))
    assert quick.keys_with is not None
    assert slow.keys_with is None
    return quick, slow


def compared(game: hr.Game, quick: Evaluator, slow: Evaluator, chooser: Random) -> set[Outcome]:
    """What all definitions of a ruleset are for some arguments, by both evaluators."""
    found = set[Outcome]()
    for name, definition in game.ruleset.rulebook.typed.definitions.items():
        domains = [codes_of(param.type) for param in definition.params]
        many = prod(map(len, domains))
        rows = product(*domains)
        if many > MAX_VALUES:
            rows = iter([tuple(map(chooser.choice, domains)) for _ in range(MAX_VALUES)])
        for args in rows:
            local = dict(zip([p.name for p in definition.params], args, strict=True))
            expected = outcome(lambda: slow.value(definition.body, local))  # noqa: B023
            assert outcome(lambda: quick.value(definition.body, local)) == expected, (name, args)  # noqa: B023
            found.add(expected)
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["hots-2.3", "hots-4.0", "lords-of-scotland", "dominoes-1.0"])
def test_skipped_members_change_no_value(name: str) -> None:
    rules, chooser, found = hr.load(name), Random(5), set[Outcome]()
    games = played_out(rules.start(rules.scenarios[0], seed=5), chooser)
    for number, game in enumerate(games):
        if number % 25 == 3:
            quick, slow = pair_of(game)
            found |= compared(game, quick, slow, chooser)
            assert quick.budget is not None
            assert slow.budget is not None
            assert quick.budget.spent <= slow.budget.spent
        if number > 150:
            break
    assert len(found) > 2


@pytest.mark.thorough
def test_skipped_members_change_nothing_that_a_player_knows() -> None:
    rules, chooser, found = hr.load("hots-4.0"), Random(6), set[Outcome]()
    for number, game in enumerate(played_out(rules.start("braveheart", seed=6), chooser)):
        if number % 40 == 7:
            state = knowledge_of(game, "England").states[-1]
            quick = state.evaluator
            slow = KnowingEvaluator(
                quick.typed, quick.settings, quick.load, {}, quick.static_value, quick.budget
            )
            quick.renew_budget()
            found |= compared(game, quick, slow, chooser)
        if number > 130:
            break
    assert "HiddenCell" in found


NUMBERS = """ruleset numbers-1.0 "Numbers"
players Side
type Side = A | B
type Piece = p1 | p2 | p3
type Small = 0..2
state
  low[Piece]  : -3..-1 = -2
  wide        : -9..9 = -9
  near[Small] : 0..3 = 1
  dim[Piece]  : Piece? = none
define of_wide = {p in Piece where low[p] = wide}
define of_other(n: -3..-1) = {p in Piece where low[p] = n}
define near_one = {n in Small where near[n] = 1}
define undimmed = {p in Piece where dim[p] = none}
define unlike = some p in Piece: low[p] = wide and dim[p] = p1
define least = min p in Piece: low[p]
action wait §1 "Waits."
  permit when no of_wide or unlike or some near_one or some undimmed or least = -3 or some of_other(-2)
phase play §1 "Play."
  choose A: wait
scenario s §1 "S"
  play()
"""


def test_numbers_below_zero_and_out_of_range_are_found_or_not() -> None:
    game = ruleset_of(NUMBERS).start("s", seed=1)
    quick, slow = pair_of(game)
    assert quick.keys_with is not None
    assert [quick.keys_with("low", code) for code in (-9, -2, 5)] == [0, 0b111, 0]
    assert quick.keys_with("near", 1) == 0b111
    assert quick.keys_with("wide", -9) is None
    compared(game, quick, slow, Random(1))

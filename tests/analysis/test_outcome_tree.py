"""The graph of outcomes gives what every outcome of chance gives that is played for itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hots_rules as hr
from hots_rules.analysis.chances import state_numbers
from hots_rules.analysis.chances.compute import StopCondition
from hots_rules.analysis.chances.state_numbers import StateNumbers
from hots_rules.analysis.policies.policy import Chooser
from hots_rules.compile.codes import DecisionPoint, Slots
from tests.analysis.test_odds import THREE, battle, shared_game

Ends = dict[tuple[int, ...], Fraction]


@cache
def rules() -> hr.Ruleset:
    return hr.load("hots-4.0")


SCOTS = ("Wallace", "Keith", "Moray", "Bruce", "Barclay")
ENGLISH = ("Edward", "Hobelars", "Angus", "Mar", "Wales Infantry")


def each_for_itself(game: hr.Game, until: str, policy: str) -> Ends:
    """The end states with their probabilities, all states played step by step side by side."""
    stop, chooser = StopCondition.parse(game, until), Chooser(game, policy)
    first = list(game.state.slots)
    stop.halt_on_return(first)
    open_, ends = Counter({tuple(first): Fraction(1)}), Counter[tuple[int, ...]]()
    while open_:
        later = Counter[tuple[int, ...]]()
        for state, share in open_.items():
            if stop(list(state)):
                ends[state] += share
                continue
            for after, chance in steps(game, chooser, list(state)):
                later[after] += share * chance
        open_ = later
    return dict(ends)


def steps(
    game: hr.Game, chooser: Chooser, slots: Slots
) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """The states after one step."""
    machine = game.machine
    if isinstance(machine.point(slots), DecisionPoint):
        chosen = chooser(slots, machine.legal(slots))
        assert not isinstance(chosen, int)
        moves = [(code, Fraction(1, len(chosen))) for code, _ in chosen]
    else:
        moves = [(-1 - outcome, chance) for outcome, chance in machine.outcomes(slots)]
    for move, chance in moves:
        after = slots.copy()
        machine.move(after, move, None)
        yield tuple(after), chance


def shares(odds: hr.analysis.Odds) -> Ends:
    assert odds.exact
    return {state: Fraction(weight, odds.total) for state, weight in odds.end_states}


def fighters(names: tuple[str, ...]) -> st.SearchStrategy[str]:
    """One or two of the blocks, with one or two steps."""
    chosen = st.dictionaries(st.sampled_from(names), st.integers(1, 2), min_size=1, max_size=2)
    return chosen.map(lambda each: ", ".join(f"{name} {steps}" for name, steps in each.items()))


@pytest.mark.thorough
@pytest.mark.parametrize("tried", [1, 10**9])
@settings(max_examples=12, deadline=None)
@given(
    scots=fighters(SCOTS),
    english=fighters(ENGLISH),
    policy=st.sampled_from(["fight-on", "retreat-at-one"]),
)
def test_a_battle_has_the_odds_of_its_outcomes_played_for_themselves(
    tried: int, scots: str, english: str, policy: str
) -> None:
    """Also where all states are numbered, and where states are passed as soon as can be."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(state_numbers, "JUDGED_AFTER", tried)
        game = hr.talk.battle(rules(), f"Fife: {scots} against {english}").game
        found = game.odds(until="battle", policy=policy)

    assert each_for_itself(game, "battle", policy) == shares(found)


@pytest.mark.parametrize(("until", "policy"), [("round", "random"), ("game", "greedy")])
@pytest.mark.parametrize("tried", [1, 3])
def test_so_has_a_game_of_many_choices_and_draws(
    until: str, policy: str, tried: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state_numbers, "JUDGED_AFTER", tried)

    assert each_for_itself(shared_game(), until, policy) == shares(
        shared_game().odds(until=until, policy=policy)
    )


def test_states_that_are_passed_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hits are taken one by one, and no state between them recurs."""
    numbered = battle(*THREE).odds(until="battle", policy="fight-on")
    monkeypatch.setattr(state_numbers, "JUDGED_AFTER", 10**9)

    assert battle(*THREE).odds(until="battle", policy="fight-on").states == numbered.states


@pytest.mark.thorough
@given(st.lists(st.lists(st.integers(0, 2), min_size=40, max_size=40), min_size=1, max_size=30))
def test_equal_states_and_no_others_have_the_same_number(states: list[list[int]]) -> None:
    numbers = StateNumbers(states[0])
    known: dict[tuple[int, ...], int] = {}
    for state in states:
        number = numbers.number(state)
        assert known.setdefault(tuple(state), number) == number

    assert len(known) == len(numbers.numbers)
    assert {number: list(state) for state, number in known.items()} == dict(
        numbers.states_except(())
    )

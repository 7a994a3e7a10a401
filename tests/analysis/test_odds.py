"""Odds: exact, whole, what a hand computes; policies; bounds."""

from __future__ import annotations

import time
import tracemalloc
from fractions import Fraction
from functools import cache
from itertools import count
from math import comb

import pytest

import hots_rules as hr
from hots_rules.analysis.chances import compute
from hots_rules.analysis.errors import TooManyStates
from hots_rules.compile.codes import Slots
from hots_rules.compile.roll_classes import RollClasses
from tests.analysis.battles import battle
from tests.playing import TINY, ruleset_of

THIRD = Fraction(1, 3)

LUCK = """ruleset luck-1.0 "Luck"
players Side
type Side = Red | Blue
table Piece §1 (size: 0..4, weight: 0..9)
  Fox  4  1
  Hen  3  0
  Dog  2  3
state
  turn   : 1..9 = 1
  low    : 0..4
  lower  : 0..4
  drawn  : Piece?
  order[Piece] : 0..3
  gold[Side] : 0..9
action throw(p: Piece) §1 "As many dice as the piece is big."
  permit
  roll size[p] d6 as dice for turn
  low := at_most(dice, 2)
  if low > 1
    lower := at_most(dice, 1)
action keep(p: Piece) §1 "The dice lie there while the other side looks."
  permit
  roll size[p] d6 as dice for turn
  choose Blue: rest, grab
  low := at_most(dice, 2)
action draw_one §1 "One by weight."
  permit
  draw p from Piece weighted weight[p] for turn
  drawn := p
action shuffle_all §1 "In some order."
  permit
  shuffle Piece into order for turn
action rest §1 "Nothing."
  permit
action grab §1 "A coin."
  permit when gold[actor] < 9
  gold[actor] += 1
action dare §1 "Two coins on a six."
  permit when gold[actor] < 8
  roll d6 as die for turn
  if die = 6
    gold[actor] += 2
phase game §1 "Turn by turn."
  while turn < 4 up to 9
    round()
    turn += 1
  win none
phase round §1 "Red, then Blue."
  choose Red: throw, keep, draw_one, shuffle_all, grab, dare, rest
  choose Blue: rest, grab, dare
scenario only §1 "Only"
  game()
policy greedy "Coins before all."
  prefer grab
  prefer rest
"""


@cache
def rules() -> hr.Ruleset:
    return ruleset_of(LUCK)


@cache
def shared_game() -> hr.Game:
    return rules().start("only")


# ------------------------------------------------------------------ what a hand computes
def test_the_low_dice_of_a_throw_are_binomial() -> None:
    odds = shared_game().odds("Red: throw Fox")

    assert odds.exact
    assert {n: comb(4, n) * THIRD**n * (1 - THIRD) ** (4 - n) for n in range(5)} == odds.of("low")


def test_a_second_look_at_the_same_dice_is_seen() -> None:
    odds = shared_game().odds("Red: throw Dog")

    assert THIRD**2 == odds.chance("low = 2")
    assert Fraction(1, 36) == odds.chance("lower = 2")
    assert Fraction(2, 36) == odds.chance("lower = 1")


def test_dice_that_still_lie_there_are_kept_apart() -> None:
    lying = shared_game().odds("Red: keep Dog")
    odds = shared_game().odds("Red: keep Dog", until="round", policy="rest")

    assert 21 == len(lying.end_states)
    assert {0: Fraction(4, 9), 1: Fraction(4, 9), 2: Fraction(1, 9)} == odds.of("low")


def test_a_draw_falls_by_weight_and_never_on_nothing() -> None:
    odds = shared_game().odds("Red: draw one")

    assert {"Fox": Fraction(1, 4), "Dog": Fraction(3, 4)} == odds.of("drawn")


def test_every_order_of_a_shuffle_is_as_likely() -> None:
    odds = shared_game().odds("Red: shuffle all")

    assert dict.fromkeys((1, 2, 3), THIRD) == odds.of("order[Hen]")
    assert Fraction(1, 2) == odds.chance("order[Fox] < order[Hen]")


def test_two_single_blocks_fight_three_rounds() -> None:
    """Both hit on one or two; the defender fires first in each round."""
    odds = battle({"Barclay": 1}, {"Northumber Infantry": 1}).odds(
        until="battle", policy="fight-on"
    )

    again = (1 - THIRD) ** 2
    rounds = 1 + again + again**2
    assert rounds * THIRD == odds.chance("place[Northumber_Infantry] = Pool")
    assert rounds * (1 - THIRD) * THIRD == odds.chance("place[Barclay] = Pool")
    assert again**3 == odds.chance("place[Northumber_Infantry] = Angus")


def test_schiltroms_make_the_defender_hit_on_three() -> None:
    odds = battle({"Barclay": 1}, {"Northumber Infantry": 1}, options={"schiltroms": True}).odds(
        until="battle", policy="fight-on"
    )

    half, again = Fraction(1, 2), Fraction(1, 2) * (1 - THIRD)
    assert (1 + again + again**2) * half == odds.chance("place[Northumber_Infantry] = Pool")


# ------------------------------------------------------------------ whole, exact, the same
THREE = ({"Wallace": 4, "Douglas": 2, "Barclay": 3}, {"Northumber Infantry": 4, "York Knights": 3})


def test_odds_sum_to_one() -> None:
    odds = battle(*THREE).odds(until="battle", policy="fight-on")

    assert odds.total == sum(weight for _, weight in odds.end_states)
    for question in ("place[Wallace]", "strength[Douglas]", "count(army(England, Fife))"):
        assert 1 == sum(odds.of(question).values())
    for shares in odds.changes().values():
        assert 1 == sum(shares.values())


def test_throws_that_come_to_the_same_are_merged_without_loss(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every throw for itself gives the same distribution, block by block."""
    game = battle({"Barclay": 2, "Douglas": 1}, {"Northumber Infantry": 2})
    merged = game.odds(until="battle", policy="fight-on")

    def each_apart(self: RollClasses, slots: Slots) -> list[tuple[Slots, int, int]]:
        found = []
        outcomes = self.machine.outcomes(slots)
        common = max(chance.denominator for _, chance in outcomes)
        for outcome, chance in outcomes:
            after = slots.copy()
            block = self.machine.resume_one_block(after, outcome)
            assert 0 == common % chance.denominator
            found.append((after, block, chance.numerator * common // chance.denominator))
        return found

    monkeypatch.setattr(RollClasses, "successors", each_apart)
    apart = game.odds(until="battle", policy="fight-on")

    shares = [{s: Fraction(w, odds.total) for s, w in odds.end_states} for odds in (merged, apart)]
    assert shares[0] == shares[1]


@pytest.mark.thorough
def test_odds_agree_with_many_drawn_battles() -> None:
    """Battles by a fixed seed: no figure is further off than four standard deviations."""
    game = battle(*THREE)
    exact = game.odds(until="battle", policy="fight-on")
    drawn = game.odds(until="battle", policy="fight-on", states=1, samples=3000, seed=5)

    assert not drawn.exact
    for question in ("some army(Scotland, Fife)", "place[Wallace] = Dead", "strength[Barclay] = 3"):
        share = exact.chance(question)
        deviation = float(share * (1 - share) / 3000) ** 0.5
        assert abs(float(drawn.chance(question) - share)) < 4 * deviation


def test_odds_agree_with_games_played_by_seed() -> None:
    """The dice of a thousand games, rolled as in play, come to what the odds say."""
    exact = rules().start("only").odds("Red: throw Fox").chance("low >= 2")
    low = [rules().start("only", seed=n).play("Red: throw Fox").state["low"] for n in range(1000)]

    deviation = float(exact * (1 - exact) / 1000) ** 0.5
    assert abs(sum(n >= 2 for n in low) / 1000 - float(exact)) < 4 * deviation


def test_the_same_question_has_the_same_answer() -> None:
    one = shared_game().odds(until="game", policy="random", states=50, samples=300, seed="x")
    two = shared_game().odds(until="game", policy="random", states=50, samples=300, seed="x")
    other = shared_game().odds(until="game", policy="random", states=50, samples=300, seed="y")

    assert one == two
    assert one.end_states != other.end_states


# ------------------------------------------------------------------ where the ways end
def test_without_more_the_ways_end_at_the_next_decision() -> None:
    odds = shared_game().odds()

    assert ((tuple(shared_game().state.slots), 1),) == odds.end_states


def test_a_phase_ends_where_it_would_go_on() -> None:
    odds = shared_game().odds("Red: grab", until="round", policy="greedy")

    assert {1: 1} == odds.of("turn")
    assert {1: 1} == odds.of("gold[Blue]")


def test_a_decision_of_a_kind_is_an_end() -> None:
    odds = shared_game().odds(until="choose throw", policy="greedy")

    assert shared_game().state.slots == odds.end_states[0][0]


def test_a_whole_game_has_outcomes() -> None:
    odds = shared_game().odds(until="game", policy="greedy")

    assert {"nobody: game": 1} == odds.outcomes
    assert {3: 1} == odds.of("gold[Red]")
    assert {"3": 1} == odds.changes("gold")["gold[Red]"]


def test_an_end_of_two_kinds_is_the_first_unless_its_kind_is_named() -> None:
    game = ruleset_of(
        LUCK.replace(
            "  roll d6 as die for turn\n  if die = 6\n    gold[actor] += 2",
            "  dare(actor)\n  low := 1",
        )
        + """event dare(s: Side)
rule luck §1 "Two coins on a six."
  on dare(s)
    roll d6 as die for turn
    if die = 6
      gold[s] += 2
"""
    ).start("only")
    low = {
        until: game.odds("Red: dare", until=until, policy="greedy").of("low")
        for until in ("dare", "event dare", "action dare")
    }

    assert {"dare": {0: 1}, "event dare": {0: 1}, "action dare": {1: 1}} == low


# ------------------------------------------------------------------ policies
def test_hits_are_those_that_are_scored_and_steps_those_that_are_lost() -> None:
    fire, left = "Scotland: fire Wallace", "strength[Northumber_Infantry] + strength[York_Knights]"
    by_chance = [Fraction(comb(4, hits), 16) for hits in range(5)]  # four dice, of which half hit
    for steps in (1, 3):
        game = battle({"Wallace": 4}, {"Northumber Infantry": steps, "York Knights": steps})
        scored = game.odds(fire, until="fire", policy="fight-on").of("hits")
        assert dict(enumerate(by_chance)) == scored
    taken = game.odds(fire, until="choose fire", policy="fight-on")

    assert {6 - hits: share for hits, share in enumerate(by_chance)} == taken.of(left)
    assert {0: 1} == taken.of("hits")


def test_a_policy_by_chance_takes_every_action_alike() -> None:
    odds = shared_game().odds("Red: rest", until="round", policy="random")

    assert THIRD + THIRD * Fraction(5, 6) == odds.chance("gold[Blue] = 0")
    assert THIRD == odds.chance("gold[Blue] = 1")


def test_the_best_is_chosen_by_expectation() -> None:
    """A coin for certain is worth more than two on a six; two coins or none is all that counts for the other."""
    sure = shared_game().odds("Red: rest", until="round", policy=hr.analysis.Best("gold[Blue]"))
    bold = shared_game().odds("Red: rest", until="round", policy=hr.analysis.Best("gold[Blue] = 2"))

    assert 1 == sure.expected("gold[Blue]")
    assert Fraction(1, 6) == bold.chance("gold[Blue] = 2")


def test_nobody_does_better_than_the_best() -> None:
    game, question = battle({"Barclay": 2}, {"Northumber Infantry": 3}), "some army(Scotland, Fife)"
    best = game.odds(
        until="battle", policy={"Scotland": hr.analysis.Best(question), "England": "fight-on"}
    ).chance(question)

    for other in ("fight-on", "retreat-at-one", "retreat-at-two", "random"):
        policy = {"Scotland": other, "England": "fight-on"}
        assert game.odds(until="battle", policy=policy).chance(question) <= best


def test_a_policy_is_given_as_lines() -> None:
    given = "prefer retreat(b) when strength[b] <= 2\nfire; take_hit; hold; end_regroup; retreat"
    game = battle(*THREE)
    own = game.odds(until="battle", policy=given)

    assert game.odds(until="battle", policy="retreat-at-two").end_states == own.end_states


def test_who_retreats_in_time_loses_less_and_holds_less() -> None:
    """The English can go back to Mentieth; the Scots have nowhere to go."""
    game = battle(*THREE)
    careful, fighting = (
        game.odds(until="battle", policy={"England": policy, "Scotland": "fight-on"})
        for policy in ("retreat-at-two", "fight-on")
    )

    lost, won = "place[York_Knights] = Pool", "some army(England, Fife)"
    assert careful.chance(lost) < fighting.chance(lost)
    assert careful.chance(won) < fighting.chance(won)


def test_a_policy_that_says_nothing_is_not_guessed() -> None:
    with pytest.raises(hr.analysis.PolicyUndefined) as caught:
        shared_game().odds("Red: rest", until="round", policy="throw")

    assert ("throw", ("rest", "grab", "dare")) == (caught.value.policy, caught.value.choices)
    assert "help: add a line such as `prefer rest`" in str(caught.value)


# ------------------------------------------------------------------ the other game
def test_the_odds_of_a_draw_need_no_line_of_their_own() -> None:
    """A recruit face down is any of the cards that nobody sees, each as likely."""
    game = hr.load("lords-of-scotland").start("2-players", seed=1)
    odds = game.odds(next(action for action in game.actions if action.name == "recruit"))

    places = odds.changes("place")
    drawn = [shares for shares in places.values() if 0 < shares.get("recruit 1", 0) < 1]
    assert len(odds.end_states) == len(drawn)
    assert {Fraction(1, len(drawn))} == {shares["recruit 1"] for shares in drawn}


# ------------------------------------------------------------------ bounds and wrong use
def test_what_is_too_much_is_drawn_and_says_so() -> None:
    odds = battle(*THREE).odds(until="battle", policy="fight-on", states=100, samples=500)
    low, high = odds.interval(odds.chance("some army(Scotland, Fife)"))

    assert (False, 500, 500) == (odds.exact, odds.samples, odds.total)
    assert 0 <= low < high <= 1


def test_what_is_too_much_is_refused_where_nothing_may_be_drawn() -> None:
    with pytest.raises(hr.analysis.TooManyStates, match="more than 100 states"):
        battle(*THREE).odds(until="battle", policy="fight-on", states=100, samples=0)
    with pytest.raises(hr.analysis.TooManyStates, match="within 1e-09 s"):
        battle(*THREE).odds(
            until="battle", policy=hr.analysis.Best("some army(Scotland, Fife)"), seconds=1e-9
        )


def test_odds_of_a_whole_game_end_without_seconds() -> None:
    rules = hr.load("goofspiel-1.0", limits=hr.Limits(odds_steps=3_000_000))
    game = rules.start(rules.scenarios[0], seed=1297)

    odds = game.odds(until="game", policy="random")

    assert not odds.exact
    assert 1 < odds.samples < 10_000
    low, high = odds.interval(max(odds.outcomes.values()))
    assert 0 < high - low < 1
    assert hr.Limits().odds_steps <= 10_000_000_000  # about a minute of such samples


def test_an_exact_figure_has_no_interval() -> None:
    odds = shared_game().odds("Red: throw Fox")

    assert (1 / 3, 1 / 3) == odds.interval(THIRD)


@pytest.mark.parametrize(
    ("hits", "samples", "low", "high"),
    [(50, 100, 0.4038, 0.5962), (81, 263, 0.2553, 0.3662), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)  # fmt: skip
def test_a_sampled_figure_has_the_wilson_interval_of_the_tables(
    hits: int, samples: int, low: float, high: float
) -> None:
    """The last three are those of Newcombe, Statistics in Medicine 17 (1998), 857-872, table I, method 3."""
    odds = hr.analysis.Odds(shared_game(), "decision", False, 1, samples, (), samples)

    assert (low, high) == pytest.approx(odds.interval(Fraction(hits, samples)), abs=5e-5)


def test_no_interval_leaves_the_probabilities() -> None:
    game = shared_game()
    for samples in range(1, 200):
        odds = hr.analysis.Odds(game, "decision", False, 1, samples, (), samples)
        assert odds.interval(Fraction(0))[0] >= 0
        assert odds.interval(Fraction(1))[1] <= 1


def test_answers_as_data_are_those_that_are_asked_for_or_else_what_changes() -> None:
    odds = shared_game().odds("Red: throw Fox")

    assert list(odds.as_json("1 + 1", "2 = 2")["questions"]) == ["1 + 1", "2 = 2"]
    assert list(odds.as_json()["changes"]) == list(odds.changes()) != []


def test_an_outcome_names_the_winner_and_the_rule() -> None:
    game = ruleset_of(TINY.replace("  win none", "  win Red")).start("short", seed="1")
    for number in range(15):
        game = game.play(f"{'Red' if number % 2 == 0 else 'Blue'}: rest")

    assert game.odds("Blue: rest").outcomes == {"Red: game": 1}


@pytest.mark.parametrize(
    "wrong",
    [
        {"until": "battel"},
        {"until": "only"},
        {"states": 0},
        {"states": True},
        {"policy": "greedyy"},
        {"policy": ""},
        {"policy": 7},
        {"policy": {"Green": "greedy"}},
        {"policy": hr.analysis.Best("drawn")},
    ],
)
def test_wrong_use_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(hr.ArgumentError):
        shared_game().odds(**wrong)


@pytest.mark.parametrize(
    "question",
    ["", "gold[Green]", "gold[", "turn = 1\nwin Red", "low\ndefine x = 1", "1 + " * 900 + "1"],
)
def test_a_question_that_cannot_be_read_is_a_fault(question: str) -> None:
    with pytest.raises(hr.RulesetError):
        shared_game().odds().of(question)


@pytest.mark.parametrize(
    "policy", ["grab when", "grab(x) when y = 1", "grab\nwin Red", "grab(a, b)"]
)
def test_a_policy_that_cannot_be_read_is_a_fault(policy: str) -> None:
    with pytest.raises(hr.RulesetError):
        shared_game().odds(policy=policy)


def test_a_truth_and_a_number_are_asked_as_such() -> None:
    odds = shared_game().odds()

    for ask, wrong in ((odds.chance, "turn"), (odds.expected, "drawn"), (odds.changes, "trun")):
        with pytest.raises(hr.ArgumentError):
            ask(wrong)


def test_whoever_watches_may_stop_it() -> None:
    def stop(states: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        battle(*THREE).odds(until="battle", policy="fight-on", on_progress=stop)


# ---------------------------------------------------------------- bounds
def test_seconds_bound_the_samples_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look at this clock takes a hundred microseconds, however busy the machine is."""
    looks, start = count(), time.monotonic()
    monkeypatch.setattr(compute, "monotonic", lambda: start + next(looks) / 10_000)
    calls: list[int] = []
    odds = shared_game().odds(
        until="game", policy="random", seconds=1, samples=10**9, on_progress=calls.append
    )

    assert next(looks) == pytest.approx(10_000, rel=0.01)
    assert not odds.exact
    assert 0 < odds.samples == odds.total
    assert calls, "progress is shown"


def test_a_time_in_which_no_sample_is_finished_is_an_error() -> None:
    with pytest.raises(TooManyStates, match="no sample was finished within 1e-09 s"):
        shared_game().odds(until="game", policy="random", seconds=1e-9)


def test_the_memory_of_states_is_bounded() -> None:
    battle_of_three = battle(*THREE)
    ask = {"until": "battle", "policy": "fight-on"}

    assert battle_of_three.odds(**ask, memory=50_000_000).exact
    assert not battle_of_three.odds(**ask, memory=200_000, samples=50).exact
    with pytest.raises(TooManyStates, match="states need more than 200000 bytes"):
        battle_of_three.odds(**ask, memory=200_000, samples=0)
    with pytest.raises(hr.BadArgument, match="memory"):
        battle_of_three.odds(memory=0)


@pytest.mark.nightly
def test_the_memory_that_is_counted_is_about_the_memory_that_is_used() -> None:
    tracemalloc.start()
    try:
        with pytest.raises(TooManyStates):
            shared_game().odds(until="game", policy="random", samples=0, memory=40_000_000)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert 20_000_000 < peak < 80_000_000

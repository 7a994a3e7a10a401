"""Random games guided by a policy: at each decision, only what its first line that matches anything prefers."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

import hots_rules as hr
from hots_rules.analysis.policies.policy import Chooser
from hots_rules.analysis.simulating.batches import Batch
from hots_rules.compile.codes import POINT, DecisionPoint, Slots
from hots_rules.compile.machine import Machine
from tests.playing import ruleset_of
from tests.sizes import sample_size

FORWARD = "move(from, to) when rank[to] = goal[actor]; move(from, to) when to in men(foe(actor))"
LOW_CARDS = "bid(c) when c <= 3; bid(c) when c > 10"
GUIDED = [
    ("hots-4.0", "retreat-at-one"),
    ("hots-2.3", "fight-on"),
    ("hots-4.0", "move(from, b, to) when side[b] = England; end_moves when actor = Scotland"),
    ("breakthrough-1.0", FORWARD),
    ("goofspiel-1.0", LOW_CARDS),
]
GAMES = sample_size(2, 30)


def preferred(game: hr.Game, chooser: Chooser, slots: Slots) -> list[int]:
    """The legal codes of the first line that matches any, for each player alone; all where none does."""
    machine, found = game.machine, list[int]()
    legal = machine.legal(slots)
    for player in range(machine.player_count):
        own = [code for code in legal if machine.player_of(code) == player]
        ranks = chooser.ranks(slots, player, own)
        found += [code for code in own if ranks[code] == min(ranks.values())]
    return sorted(found)


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "policy"), GUIDED)
def test_at_each_decision_the_first_line_that_matches_is_listed(name: str, policy: str) -> None:
    ruleset, seen = hr.load(name), set[bool]()
    guided = Batch.of(ruleset, policy=policy, backend="python").machine
    game = ruleset.start(ruleset.scenarios[0], seed=1)
    for number in range(GAMES):
        pick, slots = Random(number), game.machine.begin(game.scenario)
        game.machine.run(slots, slots[POINT], str(number))
        chooser = Chooser(game, policy)
        while isinstance(game.machine.point(slots), DecisionPoint):
            listed = guided.legal(slots)
            assert preferred(game, chooser, slots) == sorted(listed)
            seen.add(len(listed) < len(game.machine.legal(slots)))
            guided.play(slots, pick.choice(listed), str(number))

    assert {True, False} == seen


def test_a_guided_state_is_one_of_the_game() -> None:
    ruleset = hr.load("hots-4.0")
    plain = ruleset.machine(ruleset.chosen({}, {}))
    guided = Batch.of(ruleset, policy="fight-on", backend="python").machine

    assert plain.facts.variables == guided.facts.variables
    assert plain.facts.frame == guided.facts.frame
    assert plain.facts.points == guided.facts.points
    assert plain.source != guided.source


def test_a_guide_is_compiled_once_and_kept() -> None:
    ruleset = hr.load("hots-4.0")
    machines: list[Machine] = [
        Batch.of(ruleset, policy=policy, backend="python").machine
        for policy in ("fight-on", "fight-on", "retreat-at-one")
    ]

    assert machines[0] is machines[1]
    assert machines[0] is not machines[2]


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "policy"), GUIDED[:1] + GUIDED[3:])
@pytest.mark.parametrize("backend", ["wasm", "llvm"])
def test_guided_games_end_alike_on_every_back_end(name: str, policy: str, backend: str) -> None:
    ruleset = hr.load(name)
    batches = [Batch.of(ruleset, backend=each, policy=policy) for each in ("python", backend)]
    tasks = [
        (batches[0].machine.begin(scenario), f"{scenario}/{number}")
        for scenario in ruleset.scenarios
        for number in range(sample_size(10, 300))
    ]
    known, found = (list(batch.play(tasks, keeps_slots=True)) for batch in batches)

    assert backend == batches[1].backend
    assert known == found


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "policy"), GUIDED[3:])
def test_guided_bots_choose_the_same_on_every_back_end(name: str, policy: str) -> None:
    ruleset = hr.load(name)
    game = ruleset.start(ruleset.scenarios[0], seed=2)
    player = game.to_move[0]
    for make in (
        partial(hr.MonteCarloBot, 4, rollouts=40, worlds=3),
        partial(hr.analysis.ISMCTSBot, 4, iterations=40, worlds=3),
    ):
        chosen = [
            make(backend=backend, policy=policy).choose(game, player)
            for backend in ("python", "wasm", "llvm", "auto")
        ]
        assert 1 == len(set(chosen))


def test_games_without_a_policy_stay_as_they_are() -> None:
    ruleset = hr.load("hots-4.0")
    free, named, led = (
        hr.simulate(ruleset, "braveheart", games=5, seed=1, backend="python", **policy)
        for policy in ({}, {"policy": "random"}, {"policy": "fight-on"})
    )

    assert (free.wins, free.decisions, "random") == (named.wins, named.decisions, named.policy)
    assert (led.policy, led.decisions) != ("random", free.decisions)


def test_a_policy_that_there_is_not_is_refused() -> None:
    ruleset = hr.load("hots-4.0")
    for call in (
        lambda: hr.simulate(ruleset, "braveheart", policy="no-such"),
        lambda: Batch.of(ruleset, policy="no-such"),
        lambda: hr.MonteCarloBot(rollouts=5, policy="no-such").choose(
            ruleset.start("braveheart", seed=1), "England"
        ),
    ):
        with pytest.raises(
            hr.UnknownName, match="unknown policy `no-such`\nhelp: choose one of `fight-on`"
        ):
            call()
    with pytest.raises(hr.RulesetError, match="strengh"):
        hr.simulate(ruleset, "braveheart", policy="fire(b) when strengh[b] = 1")


TRAP = """\
ruleset trap-1.0 "A trap"

type Side = Red | Blue
players Side
type Way = Left | Right
state §1
  taken : Way?
action go(way: Way) §1 "Red goes."
  permit when actor = Red
  taken := way
action miss §1 "Blue misses the trap."
  permit when actor = Blue and taken = Left
action spring §1 "Blue springs the trap on the left."
  permit when actor = Blue and taken = Left
  win Blue
action wait §1 "Blue waits."
  permit when actor = Blue and taken = Right
phase game §1 "Red goes, and Blue answers."
  choose Red: go
  choose Blue: miss, spring, wait
  draw luck from Side
  if luck = Red
    win Red
  win Blue
scenario s §1 "Both"
  game()
"""


def test_guided_games_show_an_answer_that_random_ones_hardly_show() -> None:
    """With a trap that is always sprung, the left is lost; at random it is lost in three games of four only."""
    game = ruleset_of(TRAP).start("s", seed=1)
    left = [
        hr.simulate(game.ruleset, "s", games=200, seed=1, backend="python", policy=policy).wins[
            "Red"
        ]
        for policy in ("random", "go(way) when way = Left; spring")
    ]
    bot = hr.MonteCarloBot(seed=1, rollouts=40, policy="spring", backend="python")

    assert 0 < left[0]
    assert 0 == left[1]
    assert "Right" in bot.choose(game, "Red").text


def test_each_player_may_have_a_policy_of_his_own() -> None:
    """White runs for the goal; where Black plays by chance, his legal actions are all listed."""
    ruleset = hr.load("breakthrough-1.0")
    forward = "move(from, to) when rank[to] >= 5"
    guided = Batch.of(ruleset, policy=f"White={forward},Black=random", backend="python").machine
    plain = ruleset.machine(ruleset.chosen({}, {}))
    slots, pick, seen = plain.begin("two-ranks"), Random(5), set[tuple[int, bool]]()
    plain.run(slots, slots[POINT], "0")
    while slots[POINT]:
        listed, legal = guided.legal(slots), plain.legal(slots)
        seen.add((plain.player_of(legal[0]), len(listed) < len(legal)))
        plain.play(slots, pick.choice(listed), "0")

    assert (0, True) in seen
    assert (1, True) not in seen


def test_policies_of_players_are_those_of_the_ruleset() -> None:
    ruleset = hr.load("hots-4.0")
    found = hr.simulate(ruleset, "braveheart", games=3, policy="England=fight-on,Scotland=random")

    assert found.policy == "England=fight-on,Scotland=random"
    for wrong in ("England=no-such", "England=random,Scotland=random", "Wales=fight-on"):
        with pytest.raises(hr.ArgumentError, match="policy"):
            hr.simulate(ruleset, "braveheart", policy=wrong)

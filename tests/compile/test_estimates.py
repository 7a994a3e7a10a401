"""The estimate of a list of legal actions is never below the steps that it takes, and seldom far above."""

from __future__ import annotations

from random import Random

import pytest
from attrs import evolve, frozen

import hots_rules as hr
from hots_rules.compile.codegen.emit import EmittedModule, emit
from hots_rules.compile.codes import HALT, DecisionPoint
from hots_rules.compile.evaluate import Budget
from hots_rules.compile.link import link_rules
from hots_rules.game import load_source
from hots_rules.rules.sources.source import Source
from tests.compile.counted_steps import StepCounter

OF_A_DECISION = 20  # steps to put the lists of its actions together
MOST_TIMES = 50
FARTHER = {
    "chess-1.0": 300,  # a side may have 64 men, and each may be a queen
    "backgammon-1.0": 3_000,  # all six dice may be left, and a man on each point
    "naive-chess-1.0": 2_500,  # the men of both sides, within one another
    "hots-4.0": 150,  # each block that retreats counts as the Norse, who may sail anywhere
    "hots-2.3": 150,
}
"""How many times as high as what is counted an estimate is where the state could be much fuller than it ever is."""

NAIVE = """define strikers(q: Square, s: Side) §3 =
  {x in army(s) where q in (if x in men(s, pawn) then strikes(s, x) else goals(s, x))}
"""


@frozen
class Dearest:
    """What took most steps in a game, with the estimate: a list of legal actions, and a block of statements."""

    listing: tuple[int, int]
    block: tuple[int, int]


def emitted_of(rules: hr.Ruleset) -> EmittedModule:
    typed = rules.compiled.typed
    settings = {setting.name: setting.default for setting in typed.settings.values()}
    return emit(link_rules(typed, settings, Budget.to_compile(rules.limits.ruleset_steps)))


def dearest_of(rules: hr.Ruleset, listing: dict[str, int], seed: str, most: int) -> Dearest:
    """The dearest moments of a random game.

    Raises:
        AssertionError: something took more than its estimate.
    """
    machine, chooser = rules.compiled.default_machine, Random(seed)
    counter = StepCounter(machine)
    slots = machine.begin(next(iter(machine.facts.scenarios)))
    machine.run(slots, slots[0], seed)
    lists, blocks = [(0, 0)], [(0, 0)]
    for _ in range(most):
        point = machine.point(slots)
        if not isinstance(point, DecisionPoint):
            break
        actions = machine.facts.points[-1 - slots[0]].actions
        players = len(machine.facts.players) if point.waiting is not None else 1
        estimate = OF_A_DECISION + sum(listing[name] for name in actions) * players
        counter.counted = 0
        codes = counter.legal(slots)
        assert counter.counted <= estimate, actions
        lists.append((counter.counted, estimate))
        block = played(counter, list(slots), code := chooser.choice(codes), blocks)
        machine.play(slots, code, seed)
        assert block == HALT or block < 0
    return Dearest(max(lists), max(blocks))


def played(counter: StepCounter, slots: list[int], code: int, blocks: list[tuple[int, int]]) -> int:
    """Plays an action up to the next point, and notes the steps of each block with their estimate."""
    point = counter.point(slots)
    assert isinstance(point, DecisionPoint)
    if point.waiting is not None:
        slots[point.waiting] &= ~(1 << counter.player_of(code))
    block = counter.actions[counter.action_of(code)][1](slots, code, point.after)
    while block >= 0:
        estimate, counter.counted = counter.steps[block], 0
        block = counter.blocks[block](slots)
        assert counter.counted <= estimate, counter.source
        blocks.append((counter.counted, estimate))
    return block


def assert_estimates_hold(rules: hr.Ruleset, *, most: int) -> None:
    listing = emitted_of(rules).listing_steps
    dearest = dearest_of(rules, listing, "game", most)
    for counted, estimate in (dearest.listing, dearest.block):
        assert estimate <= FARTHER.get(rules.name, MOST_TIMES) * max(counted, 20), dearest


@pytest.mark.parametrize("name", ["beacons-1.0", "goofspiel-1.0"])
def test_the_estimate_is_an_upper_bound_near_what_is_counted(name: str) -> None:
    assert_estimates_hold(hr.load(name), most=100)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name",
    [
        "backgammon-1.0",
        "breakthrough-1.0",
        "causeway-1.0",
        "chess-1.0",
        "connect-four-1.0",
        "dominoes-1.0",
        "hots-2.3",
        "hots-4.0",
        "lords-of-scotland",
        "reversi-1.0",
    ],
)
def test_the_estimate_of_a_larger_game_is_an_upper_bound_near_what_is_counted(name: str) -> None:
    assert_estimates_hold(hr.load(name), most=300)


def naive_chess() -> hr.Ruleset:
    """Chess with the men that attack a square found by their moves, each man by each."""
    (layer,) = hr.load("chess-1.0").source.layers
    name, text = next(file for file in layer.files.items() if "define strikers" in file[1])
    before, _, rest = text.partition("define strikers")
    after = rest.partition("define in_check")[2]
    in_check = "some x in army(s): some y in goals(s, x): after move(x, y) by s: not in_check(s)"
    assert in_check in after
    after = after.replace(in_check, "some x in army(s): some goals(s, x)")
    text = f"{before}{NAIVE}define in_check{after}".replace("ruleset chess", "ruleset naive-chess")
    files = {**layer.files, name: text}
    return load_source(Source((evolve(layer, name="naive-chess-1.0", files=files),)))


@pytest.mark.thorough
def test_the_costs_name_the_clause_that_takes_long_with_its_place() -> None:
    rules = naive_chess()
    dearest, *others = hr.explain.clause_costs(rules)
    usual = hr.explain.clause_costs(hr.load("chess-1.0"))

    assert ("forbid", "move", "no-check") == (dearest.kind, dearest.action, dearest.rule)
    text = rules.source.texts[dearest.file]
    assert text.splitlines()[dearest.line - 1].startswith("rule no-check §3")
    assert 50_000_000 < dearest.steps < 150_000_000
    assert dearest.steps > 10 * usual[0].steps
    assert all(cost.steps < dearest.steps for cost in others)
    assert_estimates_hold(rules, most=30)

"""Random games with and without a difference, in step, until they part."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from hots_rules.compare.agreements import ENOUGH, Agreement
from hots_rules.compare.hybrids import with_and_without
from hots_rules.compare.lockstep import Lockstep, Pair, Side
from hots_rules.compile.codes import POINT
from hots_rules.play.game import G
from hots_rules.play.ruleset import BaseRuleset

MAX_DECISIONS = 20_000  # of one game


def agreement(
    old: BaseRuleset[G],
    new: BaseRuleset[G],
    name: str,
    *,
    games: int = ENOUGH,
    seed: int | str = 0,
    progress: Callable[[int], None] | None = None,
) -> Agreement | None:
    """Plays random games of the first ruleset with and without a difference of the second one, in step.

    It is None as soon as a game parts: another state, other legal actions, or another outcome. The
    games are of all scenarios in turn, with the default options and readings. A thousand games take
    some minutes.

    >>> import hots_rules as hr
    >>> old, new = hr.load("hots-3.x"), hr.load("hots-4.0")
    >>> hr.compare.agreement(old, new, "rule border-control", games=2).games
    2

    Args:
        old: the ruleset that is played.
        new: the ruleset that the difference is taken from.
        name: the id of the difference, or its name.
        games: how many games are played; of fewer than 100,000 it cannot be said that there is no effect.
        seed: decides what is played.
        progress: is told the number of games so far.

    Raises:
        UnknownOption: no difference has the name.
        RulesetError: the rules have faults, whatever is taken over with the difference.
        EngineError: a rule violates one of its bounds.
    """
    played, other = with_and_without(old, new, name)
    lockstep = Lockstep(Side.of(played, {}), Side.of(other, {}))
    scenarios = [scenario for scenario in played.scenarios if scenario in other.scenarios]
    decisions = 0
    for number in range(games):
        scenario = scenarios[number % len(scenarios)]
        agreed = _agreed(lockstep, scenario, f"agreement/{seed}/{number}")
        if agreed is None:
            return None
        decisions += agreed
        if progress is not None:
            progress(number + 1)
    return Agreement(old.name, games, decisions, str(seed))


def _agreed(lockstep: Lockstep, scenario: str, seed: str) -> int | None:
    """The number of decisions of a random game in which both rulesets agree; None if they part."""
    machine, other = (side.machine for side in lockstep.sides)
    pair = Pair(machine.begin(scenario), other.begin(scenario))
    machine.run(pair.one, pair.one[POINT], seed)
    other.run(pair.other, pair.other[POINT], seed)
    luck = Random(seed)
    for decisions in range(MAX_DECISIONS):
        parting, codes, _ = lockstep.compare(pair)
        if parting is not None or not lockstep.are_identical(pair):
            return None
        if not codes:
            return decisions
        code = codes[int(luck.random() * len(codes))]
        machine.play(pair.one, code, seed)
        other.play(pair.other, lockstep.corresponding(code) or 0, seed)
    return MAX_DECISIONS

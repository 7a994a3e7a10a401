"""Divides a change in results among groups of differences: plays rulesets with more and more of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import permutations
from math import factorial
from random import Random

from attrs import define, field, frozen

from hots_rules._options import NEEDED, option
from hots_rules.analysis.policies.named_policy import RANDOM
from hots_rules.analysis.simulating.batches import Batch, wins_of
from hots_rules.analysis.simulating.confidence import mean_interval
from hots_rules.compare.differences import diff
from hots_rules.compare.hybrids import groups, hybrid
from hots_rules.diagnostics import EngineError, UnknownName, check_kind
from hots_rules.play.game import G
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.study.attribution.result import Attribution, GroupEffect, Unplayable
from hots_rules.study.estimates import LEVEL

OTHERS = "others"
MAX_GROUPS = 12
TRIES = 4
"""How many orders are drawn for each one that is asked for, since rulesets in between may not be playable.

Each is tried in reverse as well.
"""


@frozen(kw_only=True)
class AttributionPlan:
    """What an attribution is asked to play.

    >>> import hots_rules as hr
    >>> hr.study.AttributionPlan(scenario="two-ranks", player="White").orders
    8

    Attributes:
        scenario: the scenario.
        player: the player whose wins are counted.
        games: the number of games of each ruleset.
        seed: the seed; game number i has the seed `seed/i`.
        most: how many groups at most have a share of their own: those with the largest effects.
        orders: how many orders are sampled; every second one is the reverse of the one before. With 0, the groups are
            only played alone.
        policy: what guides the moves, as in `study`.
    """

    scenario: str = option(NEEDED, "Scenario to play.", metavar="SCENARIO")
    player: str = option(NEEDED, "Player whose wins are counted.", metavar="PLAYER")
    games: int = option(1_000, "Games of each ruleset.", metavar="N", min=1, max=1_000_000)
    seed: str = option("0", "Random seed.", metavar="SEED", converter=str)
    most: int = option(
        MAX_GROUPS,
        "Groups of differences that are told apart, at most.",
        metavar="N",
        min=1,
        max=100,
    )
    orders: int = option(
        8, "Orders in which they are added; 0 to add each alone.", metavar="N", min=0, max=10_000
    )
    policy: str = option(RANDOM, "What guides the moves, as in `hots study`.", metavar="POLICY")


def attribute(
    old: BaseRuleset[G],
    new: BaseRuleset[G],
    plan: AttributionPlan,
    *,
    backend: str = "auto",
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Attribution:
    """Divides the change in a player's share of wins, from one ruleset to another, among their differences.

    Each group of differences that the first ruleset can take over is first added to it alone: `Attribution.alone`.
    Then the groups are added in several orders, each after those before it in the order. The mean effect of a group is
    its Shapley value: all values add up to the whole change. Groups with little effect alone are one group together,
    "others". All rulesets play the same numbered games. To take the differences of a newer ruleset back one at a time,
    give it as the first one.

    A ruleset in between may pass all checks and still lead to a position that it cannot play. A group that cannot be
    played alone is then one of the "others", and `Attribution.unplayable` has the reason; an order that leads to such
    a position is replaced by another one.

    The interval of a value covers the choice of the games alone: another choice of orders gives other values, unless
    all orders are taken. That is done if there are no more orders than are asked for.

    >>> import hots_rules as hr
    >>> old, new = hr.load("hots-3.x"), hr.load("hots-4.0")
    >>> plan = hr.study.AttributionPlan(scenario="braveheart", player=old.players[0], games=1)
    >>> hr.study.attribute(old, old, plan).shares
    ()

    Args:
        old: the ruleset that differences are added to.
        new: the ruleset that the differences are taken from.
        plan: what is played.
        backend: as in `study`; the result is the same with each.
        workers: the number of threads.
        progress: is called with the number of rulesets that were played so far.

    Raises:
        UnknownName: there is no such player, scenario, policy or back end.
        RulesetError: a ruleset has faults.
        EngineError: one of the two rulesets violates one of its bounds, or no order can be played.
        MissingLibrary: the back end that is named is not installed, or does not work.
    """
    check_kind("old", old, BaseRuleset, "a ruleset")
    check_kind("new", new, BaseRuleset, "a ruleset")
    for ruleset in (old, new):
        if plan.player not in ruleset.players:
            raise UnknownName("player", plan.player, ruleset.players)
    hybrids = _HybridGames(old, new, plan, backend, workers, progress)
    ids = tuple(difference.id for difference in diff(old, new).differences if difference.plays)
    alone, unplayable = _alone(hybrids, ids) if ids else ([], [])
    added = _separate_groups(hybrids, alone, ids, plan.most) if plan.orders else []
    orders = _orders(len(added), plan.orders, Random(f"orders {plan.seed}"))
    taken = _playable(hybrids, added, orders, plan.orders)
    return Attribution(
        old=old.name,
        new=new.name,
        scenario=plan.scenario,
        figure=f"{plan.player} wins",
        seed=plan.seed,
        games=plan.games,
        orders=len(taken),
        rulesets=len(hybrids.wins_by_ids),
        shares=_shapley_values(hybrids, added, taken),
        policy=plan.policy,
        alone=tuple(_effect(hybrids, group, len(alone)) for group in alone),
        unplayable=tuple(unplayable),
    )


@frozen
class _Group:
    """A group of differences that is added as a whole."""

    name: str
    differences: tuple[str, ...]


@define
class _HybridGames:
    """Plays the games of the rulesets in between, each of them once."""

    old: BaseRuleset[G]  # type: ignore[valid-type]
    new: BaseRuleset[G]  # type: ignore[valid-type]
    plan: AttributionPlan
    backend: str
    workers: int
    progress: Callable[[int], None] | None
    wins_by_ids: dict[frozenset[str], list[int]] = field(factory=dict, init=False)

    def wins(self, ids: Iterable[str]) -> list[int]:
        """1 for each game that the player wins with these differences, 0 for another one."""
        key = frozenset(ids)
        if key not in self.wins_by_ids:
            self.wins_by_ids[key] = list(self._wins(key))
            if self.progress is not None:
                self.progress(len(self.wins_by_ids))
        return self.wins_by_ids[key]

    def _wins(self, ids: frozenset[str]) -> Iterator[int]:
        rules = hybrid(self.old, self.new, sorted(ids)) if ids else self.old
        batch = Batch.of(
            rules,
            backend=self.backend,
            workers=self.workers,
            games=self.plan.games,
            is_paired=True,
            policy=self.plan.policy,
        )
        player = rules.players.index(self.plan.player)
        seeds = (f"{self.plan.seed}/{game}" for game in range(self.plan.games))
        return (wins_of(end, player) for end in batch.play_scenario(self.plan.scenario, seeds))


def _alone(hybrids: _HybridGames, ids: Sequence[str]) -> tuple[list[_Group], list[Unplayable]]:
    """The groups that can be played alone, and those that cannot, in the order of the book."""
    wanted, by_members = set(ids), dict[tuple[str, ...], _Group | Unplayable]()
    for group in groups(hybrids.old, hybrids.new):
        inside = tuple(name for name in group.differences if name in wanted)
        if not inside or inside in by_members:
            continue
        try:
            hybrids.wins(inside)
            by_members[inside] = _Group(group.name, inside)
        except EngineError as error:
            by_members[inside] = Unplayable(group.name, inside, str(error))
    playable = [group for group in by_members.values() if isinstance(group, _Group)]
    return playable, [group for group in by_members.values() if isinstance(group, Unplayable)]


def _separate_groups(
    hybrids: _HybridGames, alone: Iterable[_Group], ids: Sequence[str], max_groups: int
) -> list[_Group]:
    """The groups with the largest effects where each is added alone, and one of all other differences."""
    before = sum(hybrids.wins(()))
    effects = [(abs(sum(hybrids.wins(group.differences)) - before), group) for group in alone]
    effects.sort(key=lambda pair: (-pair[0], pair[1].name))
    largest = [group for effect, group in effects[:max_groups] if effect]
    named = {name for group in largest for name in group.differences}
    rest = tuple(name for name in ids if name not in named)
    return [*largest, _Group(OTHERS, rest)] if rest else largest


def _effect(hybrids: _HybridGames, group: _Group, groups_alone: int) -> GroupEffect:
    """What a group changes alone; the intervals of all groups hold together at LEVEL (Bonferroni)."""
    pairs = zip(hybrids.wins(()), hybrids.wins(group.differences), strict=True)
    counts = Counter[float](with_it - without for without, with_it in pairs)
    interval = mean_interval(counts, -1, 1, 1 - (1 - LEVEL) / groups_alone)
    value = sum(difference * count for difference, count in counts.items()) / hybrids.plan.games
    return GroupEffect(group.name, group.differences, value, interval.low, interval.high)


def _orders(count: int, wanted: int, rng: Random) -> Iterator[tuple[int, ...]]:
    """All orders of `count` groups, if there are not more than are wanted; else random ones, each with its reverse.

    Of the random ones there are more than wanted, since some may not be playable.
    """
    if factorial(count) <= wanted:
        yield from permutations(range(count))
        return
    for _ in range(wanted * TRIES):
        order = tuple(rng.sample(range(count), count))
        yield from (order, order[::-1])


def _playable(
    hybrids: _HybridGames, added: Sequence[_Group], orders: Iterable[tuple[int, ...]], wanted: int
) -> list[tuple[int, ...]]:
    """The first `wanted` orders whose rulesets in between can all be played.

    Raises:
        EngineError: there is none.
    """
    playable, fault = list[tuple[int, ...]](), None
    for order in orders:
        try:
            for number in range(1, len(order) + 1):
                hybrids.wins(name for place in order[:number] for name in added[place].differences)
        except EngineError as error:
            fault = error
            continue
        playable.append(order)
        if len(playable) == wanted:
            break
    if fault is not None and not playable:
        raise fault
    return playable


def _shapley_values(
    hybrids: _HybridGames, added: Sequence[_Group], orders: Sequence[tuple[int, ...]]
) -> tuple[GroupEffect, ...]:
    """What each group is worth, from the games with those before it in each order, without and with it."""
    sums = [[0] * hybrids.plan.games for _ in added]
    for order in orders:
        before, ids = hybrids.wins(()), set[str]()
        for number in order:
            ids.update(added[number].differences)
            after = hybrids.wins(ids)
            for game, (without, with_it) in enumerate(zip(before, after, strict=True)):
                sums[number][game] += with_it - without
            before = after
    shares = (
        _shapley_value(group, row, len(orders)) for group, row in zip(added, sums, strict=True)
    )
    return tuple(sorted(shares, key=lambda share: (-abs(share.value), share.name)))


def _shapley_value(group: _Group, sums: Sequence[int], orders: int) -> GroupEffect:
    """The mean over games and orders, with its interval over games."""
    counts: dict[float, int] = {total / orders: count for total, count in Counter(sums).items()}
    interval = mean_interval(counts, -1, 1, LEVEL)
    value = sum(sums) / (orders * len(sums))
    return GroupEffect(group.name, group.differences, value, interval.low, interval.high)

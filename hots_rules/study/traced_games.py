"""Traced games of a study: games that are played once more, by a program that counts what comes up in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

from attrs import define

from hots_rules.analysis.policies.bot_policies import bot_policy
from hots_rules.analysis.simulating.batches import Batch
from hots_rules.analysis.simulating.playouts import play_paired
from hots_rules.compile.codes import Slots
from hots_rules.native.batch import Ended
from hots_rules.native.runtime.counting import CountedSlots, counted_names
from hots_rules.study.choosers import GameChoosers, guided_machine
from hots_rules.study.sides import StudySide
from hots_rules.study.tallies import Moments

Counts = Mapping[str, int]
"""How often each rule, event, action and phase came up in a game, as `KIND NAME`; only those that did."""


class TracedGame(NamedTuple):
    """What came up in a game, and how it ended."""

    counts: Counts
    slots: Slots
    """Its final state."""


def traced_games(
    side: StudySide,
    policy: str,
    scenario: str,
    seeds: Sequence[str],
    backend: str = "auto",
    workers: int = 1,
) -> Generator[TracedGame]:
    """The games of a side with some seeds, in order; bots play in Python.

    Raises:
        EngineError: the ruleset violates one of its bounds.
        MissingLibrary: the back end that is named is not installed, or does not work.
    """
    if bot_policy(side.ruleset, policy) is not None:
        machine = guided_machine(side, policy, traced=True)
        ends = _games_of_bots(GameChoosers(side, policy, scenario, machine), seeds)
    else:
        batch = Batch.of(
            side.ruleset,
            side.options,
            side.readings,
            backend=backend,
            workers=workers,
            games=len(seeds),
            is_paired=True,
            is_counted=True,
            policy=policy,
        )
        machine = batch.machine
        ends = batch.play_scenario(scenario, seeds, keeps_slots=True)
    names = counted_names(machine)
    for end in ends:
        assert end.slots is not None
        counted = zip(names, end.counts, strict=True)
        yield TracedGame({name: count for name, count in counted if count}, end.slots)


def _games_of_bots(choosers: GameChoosers, seeds: Sequence[str]) -> Iterator[Ended]:
    machine = choosers.machine
    for seed in seeds:
        slots = CountedSlots(machine.begin(choosers.scenario), machine)
        yield play_paired(slots, choosers.chooser(seed))


@define
class RuleTally:
    """In how many games each rule comes up on each side, and how often.

    Attributes:
        counts: the number of games by what comes up in them, for each side.
        times: how often it comes up in those games, for each side.
        alone: for each pair of sides in either order, the number of games by what comes up on the first side only.
        games: the number of games of each side.
    """

    counts: list[Counter[str]]
    times: list[dict[str, Moments]]
    alone: dict[tuple[int, int], Counter[str]]
    games: int = 0

    @classmethod
    def of(cls, sides: int) -> RuleTally:
        """A tally of no games yet."""
        return cls(
            [Counter() for _ in range(sides)],
            [{} for _ in range(sides)],
            {pair: Counter() for pair in permutations(range(sides), 2)},
        )

    def add(self, games: Sequence[Counts]) -> None:
        """Count the same game of all sides."""
        self.games += 1
        for games_with, times, counts in zip(self.counts, self.times, games, strict=True):
            games_with.update(counts.keys())
            for name, number in counts.items():
                times.setdefault(name, Moments()).add(number)
        for (first, second), games_with in self.alone.items():
            games_with.update(games[first].keys() - games[second].keys())

    def names(self) -> list[str]:
        """What came up on any side, sorted."""
        return sorted(set[str]().union(*self.counts))

    def times_of(self, side: int, name: str) -> Moments:
        """How often a name comes up in the games of a side, those without it included."""
        times = self.times[side].get(name, Moments())
        return Moments(self.games, times.total, times.squares)

    def share_counts(self, side: int, name: str) -> dict[float, int]:
        """The games of a side with (1) and without (0) a name."""
        games = self.counts[side][name]
        return {1: games, 0: self.games - games}

    def difference_counts(self, first: int, second: int, name: str) -> dict[float, int]:
        """The games with a name on the second side alone (1), on the first one alone (-1), or else (0)."""
        second_only, first_only = self.alone[second, first][name], self.alone[first, second][name]
        return {-1: first_only, 0: self.games - first_only - second_only, 1: second_only}

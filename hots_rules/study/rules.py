"""A closer look at games of a study: they are played once more, with counts of what comes up and the final states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
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


class Look(NamedTuple):
    """What is seen of a game that is looked at closely."""

    counts: Counts
    slots: Slots
    """Its final state."""


def looks(
    side: StudySide,
    policy: str,
    scenario: str,
    seeds: Sequence[str],
    backend: str = "auto",
    workers: int = 1,
) -> Generator[Look]:
    """The games of a side with some seeds, in order; bots play in Python.

    Raises:
        EngineError: the ruleset violates one of its bounds.
        MissingLibrary: the back end that is named is not installed, or does not work.
    """
    if bot_policy(side.ruleset, policy) is not None:
        machine = guided_machine(side, policy, traced=True)
        found = _games_of_bots(GameChoosers(side, policy, scenario, machine), seeds)
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
        machine, start = batch.machine, batch.machine.begin(scenario)
        found = batch.play(((start, seed) for seed in seeds), keeps_slots=True)
    names = counted_names(machine)
    for end in found:
        assert end.slots is not None
        counted = zip(names, end.counts, strict=True)
        yield Look({name: count for name, count in counted if count}, end.slots)


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
        alone: the same for each pair of sides, the first side first: where it comes up on that side alone.
        games: the number of games of each side.
    """

    counts: list[Counter[str]]
    times: list[dict[str, Moments]]
    alone: dict[tuple[int, int], Counter[str]]
    games: int = 0

    @classmethod
    def of(cls, sides: int) -> RuleTally:
        """A tally of no games yet."""
        places = [(one, other) for one in range(sides) for other in range(sides) if one != other]
        return cls(
            [Counter() for _ in range(sides)],
            [{} for _ in range(sides)],
            {place: Counter() for place in places},
        )

    def add(self, games: Sequence[Counts]) -> None:
        """Count the same game of all sides."""
        self.games += 1
        for count, times, found in zip(self.counts, self.times, games, strict=True):
            count.update(found.keys())
            for name, number in found.items():
                times.setdefault(name, Moments()).add(number)
        for (one, other), count in self.alone.items():
            count.update(games[one].keys() - games[other].keys())

    def names(self) -> list[str]:
        """What came up on any side, sorted."""
        return sorted(set[str]().union(*self.counts))

    def times_of(self, side: int, name: str) -> Moments:
        """How often a name comes up in the games of a side, those without it included."""
        found = self.times[side].get(name, Moments())
        return Moments(self.games, found.total, found.squares)

    def share_counts(self, side: int, name: str) -> dict[float, int]:
        """The games of a side with (1) and without (0) a name."""
        found = self.counts[side][name]
        return {1: found, 0: self.games - found}

    def difference_counts(self, one: int, other: int, name: str) -> dict[float, int]:
        """The games with a name on the second side alone (1), on the first one alone (-1), or else (0)."""
        more, less = self.alone[other, one][name], self.alone[one, other][name]
        return {-1: less, 0: self.games - more - less, 1: more}

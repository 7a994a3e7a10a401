"""Which rules come up in the games of a study: the first games are played again in Python, with a trace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from attrs import define, field

from hots_rules.compare.study_choosers import GameChoosers, guided_machine
from hots_rules.compare.study_sides import StudySide
from hots_rules.compile.traced import EntryNote, LoggedSlots, RuleNote
from hots_rules.native.kept import MOST_DECISIONS


@define
class RuleCounter:
    """Tells of games of a side which rules, events, actions and phases come up in them.

    Attributes:
        side: the side.
        policy: what guides its moves.
        scenario: the scenario.
    """

    side: StudySide
    policy: str
    scenario: str
    _choosers: GameChoosers = field(init=False)

    def __attrs_post_init__(self) -> None:
        machine = guided_machine(self.side, self.policy, traced=True)
        self._choosers = GameChoosers(self.side, self.policy, self.scenario, machine)

    def names(self, seed: str) -> frozenset[str]:
        """What comes up in the game with a seed, as `KIND NAME`.

        Raises:
            EngineError: the ruleset violates one of its bounds.
        """
        machine = self._choosers.machine
        slots = LoggedSlots(machine.begin(self.scenario))
        self._choosers.chooser(seed).play(slots, MOST_DECISIONS)
        origins = machine.facts.origins
        entries = {f"{note.kind} {note.name}" for note in slots.log if isinstance(note, EntryNote)}
        rules = {note.origin for note in slots.log if isinstance(note, RuleNote)}
        return frozenset(entries | {f"rule {origins[number].rule}" for number in rules})


@define
class RuleTally:
    """In how many games each rule comes up on each side.

    Attributes:
        counts: the number of games by what comes up in them, for each side.
        alone: the same for each pair of sides, the first side first: where it comes up on that side alone.
        games: the number of games of each side.
    """

    counts: list[Counter[str]]
    alone: dict[tuple[int, int], Counter[str]]
    games: int = 0

    @classmethod
    def of(cls, sides: int) -> RuleTally:
        """A tally of no games yet."""
        places = [(one, other) for one in range(sides) for other in range(sides) if one != other]
        return cls([Counter() for _ in range(sides)], {place: Counter() for place in places})

    def add(self, names: Sequence[frozenset[str]]) -> None:
        """Count the same game of all sides."""
        self.games += 1
        for count, found in zip(self.counts, names, strict=True):
            count.update(found)
        for (one, other), count in self.alone.items():
            count.update(names[one] - names[other])

    def names(self) -> list[str]:
        """What came up on any side, sorted."""
        return sorted(set[str]().union(*self.counts))

    def share_counts(self, side: int, name: str) -> dict[float, int]:
        """The games of a side with (1) and without (0) a name."""
        found = self.counts[side][name]
        return {1: found, 0: self.games - found}

    def difference_counts(self, one: int, other: int, name: str) -> dict[float, int]:
        """The games with a name on the second side alone (1), on the first one alone (-1), or else (0)."""
        more, less = self.alone[other, one][name], self.alone[one, other][name]
        return {-1: less, 0: self.games - more - less, 1: more}

"""Equivalence classes of dice rolls.

Rules read dice through `at_most` alone. The module runs with tables that record each lookup. Rolls for which every
lookup gives the same result lead to the same state once the dice are forgotten, so one of them stands for its class.
"""

from collections.abc import Iterator

from attrs import define, field, frozen

from hots_rules.compile.codes import DicePoint, Slots
from hots_rules.compile.machine import Blocks, Machine
from hots_rules.compile.sampling import permutation_count

Lookup = tuple[int, int]
"""A limit of `at_most`, and how many dice were at most that."""
WeightedRolls = tuple[tuple[int, int], ...]
"""Outcomes with the number of distinct orders of their dice."""


@frozen
class _RecordedRow:
    """The row of one roll in a table of `at_most`."""

    row: bytes
    lookups: list[Lookup]

    def __getitem__(self, limit: int) -> int:
        count = self.row[limit]
        self.lookups.append((limit, count))
        return count


@frozen
class _RecordedTable:
    """A table of `at_most`: a row for each roll."""

    rows: tuple[bytes, ...]
    lookups: list[Lookup]

    def __getitem__(self, code: int) -> _RecordedRow:
        return _RecordedRow(self.rows[code], self.lookups)


@define
class RollClasses:
    """The classes of dice rolls of one machine. It caches what it computes: use one for each thread."""

    machine: Machine
    _lookups: list[Lookup] = field(factory=list, init=False)
    _blocks: Blocks = field(init=False)
    _rolls: dict[tuple[int, int, int], WeightedRolls] = field(factory=dict, init=False)
    _classes: dict[tuple[WeightedRolls, tuple[Lookup, ...]], tuple[int, WeightedRolls]] = field(
        factory=dict, init=False
    )

    def __attrs_post_init__(self) -> None:
        names = self.machine.namespace()
        for name, rows in list(names.items()):
            if name.startswith("at_most_"):
                names[name] = _RecordedTable(rows, self._lookups)
        self._blocks = names["BLOCKS"]

    def successors(self, slots: Slots) -> Iterator[tuple[Slots, int, int]]:
        """For each class of rolls where play waits: the state after it, the block to run next, the weight.

        Raises:
            EngineError: the ruleset violates one of its bounds.
        """
        point = self.machine.point(slots)
        assert isinstance(point, DicePoint)
        assert point.most is not None
        rolls = self._weighted_rolls(point.most, point.sides, point.number(slots))
        dice = self.machine.dice[point.most, point.sides]
        while rolls:
            outcome, weight = rolls[0]
            after = slots.copy()
            self._lookups.clear()
            block = self.machine.resume_one_block(after, outcome, self._blocks)
            if after[point.into]:
                rolls = rolls[1:]  # The dice are kept, and may be looked at again.
            else:
                weight, rolls = self._split(rolls, dice, tuple(self._lookups))
            yield after, block, weight

    def _weighted_rolls(self, most: int, sides: int, number: int) -> WeightedRolls:
        key = (most, sides, number)
        if key not in self._rolls:
            self._rolls[key] = tuple(
                (code, permutation_count(dice))
                for code, dice in enumerate(self.machine.dice[most, sides])
                if len(dice) == number
            )
        return self._rolls[key]

    def _split(
        self, rolls: WeightedRolls, dice: tuple[tuple[int, ...], ...], lookups: tuple[Lookup, ...]
    ) -> tuple[int, WeightedRolls]:
        """The weight of the class of the first roll, and the rolls outside that class."""
        key = (rolls, lookups)
        if key not in self._classes:
            first = dice[rolls[0][0]]
            # A lookup does not say which dice it read. One with another count than this roll has was in other dice; one
            # in other dice that has the same count only makes the class smaller.
            own = [(limit, count) for limit, count in lookups if _at_most(first, limit) == count]
            alike = {
                code
                for code, _ in rolls
                if all(_at_most(dice[code], limit) == count for limit, count in own)
            }
            weight = sum(weight for code, weight in rolls if code in alike)
            self._classes[key] = weight, tuple(roll for roll in rolls if roll[0] not in alike)
        return self._classes[key]


def _at_most(dice: tuple[int, ...], limit: int) -> int:
    return sum(die <= limit for die in dice)

"""Random values for the hidden cells that are not attributes of pieces, such as a hand of cards."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from random import Random

from attrs import frozen

from hots_rules.compile.codes import codes_of
from hots_rules.compile.points import Slots
from hots_rules.observe.hidden_information import EVALUATION_FAULTS, HiddenInformation
from hots_rules.rules.typed import value_types as types

MAX_STEPS = 4000
STEPS_PER_CELL = 8
TRANSFER_PROBABILITY = 0.7


@frozen(slots=False, eq=False)
class FreeCells:
    """The hidden cells that are not attributes of pieces, sampled by a random walk."""

    hidden: HiddenInformation

    @cached_property
    def names(self) -> set[str]:
        """The names of the variables of these cells."""
        attributes = {v.name for variables in self.hidden.attributes for v in variables}
        return {variable.name for variable, _ in self.hidden.cells} - attributes

    @cached_property
    def _cells(self) -> tuple[tuple[int, types.Type], ...]:
        """The slots of the cells, with their types."""
        return tuple(
            (variable.base + offset, variable.type)
            for variable, offset in self.hidden.cells
            if variable.name in self.names
        )

    @cached_property
    def _invariants(self) -> tuple[int, ...]:
        """The numbers of the invariants that read these variables."""
        invariants = self.hidden.game.machine.facts.invariants
        return tuple(n for n, fact in enumerate(invariants) if self.names & set(fact.variables))

    def values(self, slots: Slots) -> dict[int, int]:
        """The values of the cells, by slot."""
        return {slot: slots[slot] for slot, _ in self._cells}

    def broken(self, slots: Slots, numbers: tuple[int, ...]) -> int:
        """How many of the invariants with these numbers do not hold."""
        return sum(not self._holds(slots, number) for number in numbers)

    def _holds(self, slots: Slots, number: int) -> bool:
        try:
            return bool(self.hidden.game.machine.invariants[number][1](slots))
        except EVALUATION_FAULTS:
            return False

    def sample(self, slots: Slots, chance: Random, start: Mapping[int, int] | None) -> None:
        """Set the cells in `slots` by a random walk.

        It starts at `start` (values by slot), or at the values in `slots`, and ends a fixed number of
        steps after the invariants hold.
        """
        if not self._cells:
            return
        self._put(slots, start or {})
        broken = self.broken(slots, self._invariants)
        steps_left = STEPS_PER_CELL * len(self._cells)
        for _ in range(MAX_STEPS):
            if not broken:
                steps_left -= 1
                if steps_left < 0:
                    break
            before = self.values(slots)
            self._change_one(slots, chance)
            self._put(slots, {})
            broken_after = self.broken(slots, self._invariants)
            if broken_after <= broken:
                broken = broken_after
            else:
                self._put(slots, before)

    def _put(self, slots: Slots, values: Mapping[int, int]) -> None:
        """Set cells, and bring the indexes up to date."""
        for slot, value in values.items():
            slots[slot] = value
        self.hidden.observer.schema.reindex(slots, self.names)

    def _change_one(self, slots: Slots, chance: Random) -> None:
        """Give one cell another value, or transfer one unit from a numeric cell to another."""
        slot, type_ = chance.choice(self._cells)
        if isinstance(type_, types.IntType):
            step = chance.choice((-1, 1))
            others = [s for s, other in self._cells if other == type_ and s != slot]
            if others and chance.random() < TRANSFER_PROBABILITY:
                other = chance.choice(others)
                if type_.low <= slots[other] - step <= type_.high:
                    _add(slots, slot, step, type_)
                    _add(slots, other, -step, type_)
                return
            _add(slots, slot, step, type_)
        elif isinstance(type_, types.SetType):
            slots[slot] ^= 1 << chance.choice(codes_of(type_.member))
        else:
            slots[slot] = chance.choice(codes_of(type_))


def _add(slots: Slots, slot: int, step: int, type_: types.IntType) -> None:
    if type_.low <= slots[slot] + step <= type_.high:
        slots[slot] += step

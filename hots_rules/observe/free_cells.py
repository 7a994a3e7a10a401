"""The hidden cells that are not attributes of pieces, sampled by a random walk through the states of the invariants."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from random import Random

from attrs import field, frozen

from hots_rules.compile.codes import Slots, codes_of
from hots_rules.observe.hidden_information import HiddenInformation, holds
from hots_rules.observe.watched_slots import WatchedSlots
from hots_rules.rules.typed import value_types as types

MAX_STEPS = 4000
STEPS_PER_CELL = 4
MIN_PATIENCE = 100
TRANSFER_PROBABILITY = 0.7


@frozen(eq=False)
class HiddenSlot:
    """A hidden cell: its slot, its type and the name of its variable."""

    slot: int
    type: types.Type
    name: str


@frozen
class InvariantCondition:
    """A condition of the invariants on a state, with the steps that it takes and the variables that it reads."""

    holds: Callable[[Slots], int]
    steps: int
    variables: frozenset[str]


@frozen
class Plausibility:
    """How far a state is from being possible, and which conditions hold in it.

    Attributes:
        broken: 0 if it is possible, at least 1 if it is not.
        conditions: which invariants hold.
        claims: which of the claims hold, if they were asked for.
    """

    broken: int
    conditions: tuple[bool, ...]
    claims: tuple[bool, ...] | None

    @property
    def is_impossible(self) -> bool:
        """Whether a state satisfies the invariants but contradicts what the viewer saw."""
        return bool(self.broken) and all(self.conditions)


_REJECTED = Plausibility(1, (), None)
"""The measure of a state that the walk does not enter."""


@frozen(slots=False, eq=False)
class FreeCells:
    """The hidden cells that are not attributes of pieces, sampled by a random walk.

    `is_possible` tells whether a state in which the invariants hold is one that the viewer may be in.
    """

    hidden: HiddenInformation
    is_possible: Callable[[Slots], bool] = field(repr=False)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of the variables of these cells."""
        attributes = {v.name for variables in self.hidden.attributes for v in variables}
        return frozenset(variable.name for variable, _ in self.hidden.cells) - attributes

    @cached_property
    def _cells(self) -> tuple[HiddenSlot, ...]:
        return tuple(
            HiddenSlot(variable.base + offset, variable.type, variable.name)
            for variable, offset in self.hidden.cells
            if variable.name in self.names
        )

    @cached_property
    def _of_type(self) -> Mapping[types.Type, Sequence[HiddenSlot]]:
        """The cells of each type."""
        groups: dict[types.Type, list[HiddenSlot]] = {}
        for cell in self._cells:
            groups.setdefault(cell.type, []).append(cell)
        return groups

    # -------------------------------------------------------------- what the invariants say
    @cached_property
    def _invariants(self) -> Mapping[int, InvariantCondition]:
        """The invariants that read these variables, by number."""
        machine = self.hidden.steps.machine
        return {
            number: InvariantCondition(
                machine.invariants[number][1], steps, frozenset(fact.variables)
            )
            for number, (fact, steps) in enumerate(
                zip(machine.facts.invariants, machine.invariant_steps, strict=True)
            )
            if self.names & set(fact.variables)
        }

    @cached_property
    def _conditions(self) -> tuple[InvariantCondition, ...]:
        return tuple(self._invariants.values())

    @cached_property
    def _claims(self) -> tuple[InvariantCondition, ...]:
        """What these invariants claim about single values, so that a walk can satisfy one claim at a time."""
        machine = self.hidden.steps.machine
        return tuple(
            InvariantCondition(partial(_claim, claim, code), invariant.steps, invariant.variables)
            for claim, fact in zip(machine.claims, machine.facts.claims, strict=True)
            if (invariant := self._invariants.get(fact.invariant)) is not None
            for code in codes_of(fact.type)
        )

    def _measured(
        self,
        slots: Slots,
        before: Plausibility | None = None,
        changed: frozenset[str] = frozenset(),
    ) -> Plausibility:
        """How far a state is from being possible; conditions that read no changed variable are as in `before`."""
        if before is not None and not before.broken:
            return self._measured_after_possible(slots, before, changed)
        held_before = None if before is None else before.conditions
        conditions = self._held(self._conditions, slots, held_before, changed)
        if all(conditions):
            return Plausibility(int(not self.is_possible(slots)), conditions, None)
        held_before = None if before is None else before.claims
        claims = self._held(self._claims, slots, held_before, changed)
        return Plausibility(claims.count(False) or conditions.count(False), conditions, claims)

    def _measured_after_possible(
        self, slots: Slots, before: Plausibility, changed: frozenset[str]
    ) -> Plausibility:
        """The measure after a step from a possible state: one fault decides, as the walk takes such a step back."""
        spend = self.hidden.steps.spend
        for condition in self._conditions:
            if not condition.variables.isdisjoint(changed):
                spend(condition.steps)
                if not holds(condition.holds, slots):
                    return _REJECTED
        return before if self.is_possible(slots) else _REJECTED

    def _held(
        self,
        conditions: Sequence[InvariantCondition],
        slots: Slots,
        held_before: Sequence[bool] | None,
        changed: frozenset[str],
    ) -> tuple[bool, ...]:
        """Which conditions hold; with `held_before`, only those that read a changed variable are evaluated."""
        held, spend = [], self.hidden.steps.spend
        for number, condition in enumerate(conditions):
            if held_before is not None and condition.variables.isdisjoint(changed):
                held.append(held_before[number])
            else:
                spend(condition.steps)
                held.append(holds(condition.holds, slots))
        return tuple(held)

    @cached_property
    def _slots(self) -> frozenset[int]:
        """The slots whose values follow from the cells: their own, and those of the indexes of their variables."""
        schema = self.hidden.observer.schema
        indexed = [name for name in self.names if name in schema.indexes]
        return frozenset(cell.slot for cell in self._cells).union(
            schema.indexes[name] + code
            for name in indexed
            for code in codes_of(schema.variables[name].type)
        )

    def are_excluded(self, slots: Slots) -> bool:
        """Whether a state is refused without reading any of the cells, so that no values of them can help."""
        watched = WatchedSlots(slots)
        return not self.is_possible(watched) and self._slots.isdisjoint(watched.read)

    # -------------------------------------------------------------- the walk
    def values(self, slots: Slots) -> dict[int, int]:
        """The values of the cells, by slot."""
        return {cell.slot: slots[cell.slot] for cell in self._cells}

    def sample(
        self, slots: Slots, chance: Random, start: Mapping[int, int] | None, attempt: int
    ) -> None:
        """Set the cells in `slots` by a random walk.

        It starts at `start` (values by slot), or at the values in `slots`, and ends a fixed number of steps after the
        state is possible. Where the invariants held and the state was impossible all the same, pieces may be the cause:
        then it ends early, the later the more attempts were made before.
        """
        if not self._cells:
            return
        self._put(slots, {cell: (start or slots)[cell.slot] for cell in self._cells}, self.names)
        measure = self._measured(slots)
        steps_left = STEPS_PER_CELL * len(self._cells)
        patience, is_tried = max(steps_left, MIN_PATIENCE) * (attempt + 1), False
        for _ in range(MAX_STEPS):
            is_tried = is_tried or measure.is_impossible
            if not measure.broken:
                steps_left -= 1
            elif is_tried:
                patience -= 1
            if steps_left < 0 or patience < 0:
                break
            measure = self._after_a_step(slots, chance, measure)

    def _after_a_step(self, slots: Slots, chance: Random, measure: Plausibility) -> Plausibility:
        """The measure of the state after a step, which is taken back if it leads away."""
        new = {
            cell: value for cell, value in self._step(slots, chance) if slots[cell.slot] != value
        }
        if not new:
            return measure
        old, changed = (
            {cell: slots[cell.slot] for cell in new},
            frozenset(cell.name for cell in new),
        )
        self._put(slots, new, changed)
        after = self._measured(slots, measure, changed)
        if after.broken <= measure.broken:
            return after
        self._put(slots, old, changed)
        return measure

    def _step(self, slots: Slots, chance: Random) -> Iterator[tuple[HiddenSlot, int]]:
        """Another value for one cell, or for two between which a unit is transferred."""
        cell = chance.choice(self._cells)
        type_, value = cell.type, slots[cell.slot]
        if isinstance(type_, types.SetType):
            yield cell, value ^ 1 << chance.choice(codes_of(type_.member))
        elif not isinstance(type_, types.IntType):
            yield cell, chance.choice(codes_of(type_))
        else:
            step, others = chance.choice((-1, 1)), self._of_type[type_]
            if len(others) > 1 and chance.random() < TRANSFER_PROBABILITY:
                number = chance.randrange(len(others) - 1)
                partner = others[number + (number >= others.index(cell))]
                given = slots[partner.slot] - step
                if not type_.low <= given <= type_.high:
                    return
                yield partner, given
            if type_.low <= value + step <= type_.high:
                yield cell, value + step

    def _put(self, slots: Slots, values: Mapping[HiddenSlot, int], changed: frozenset[str]) -> None:
        """Set cells, and bring the indexes of changed variables up to date."""
        for cell, value in values.items():
            slots[cell.slot] = value
        self.hidden.steps.spend(len(self._cells))
        schema = self.hidden.observer.schema
        if not changed.isdisjoint(schema.indexes):
            schema.reindex(slots, changed)


def _claim(claim: Callable[[Slots, int], int], code: int, slots: Slots) -> int:
    return claim(slots, code)

"""What is hidden from one player at one moment of a game: the pieces, the places that they occupy, the cells."""

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from random import Random

from attrs import field, frozen

from hots_rules.compile.codes import Slots, bits, codes_of
from hots_rules.compile.facts import Variable
from hots_rules.diagnostics import HotsError
from hots_rules.observe.information_state import InformationState, information_state, tracker_of
from hots_rules.observe.observer import Observer, Visibility
from hots_rules.observe.permute import Permuter
from hots_rules.play.game import BaseGame
from hots_rules.rules.typed import value_types as types

EVALUATION_FAULTS = (HotsError, ArithmeticError, LookupError, TypeError, ValueError)
"""The exceptions that a ruleset's functions may raise in a state that the rules cannot reach."""
MAX_STEPS = 4000
STEPS_PER_CELL = 8
TRANSFER_PROBABILITY = 0.7


@frozen
class HiddenSlot:
    """A place that a hidden piece occupies.

    `piece` is the piece that is there in the state from which the places were read. It only identifies the
    place: no assignment may depend on it.
    """

    type_number: int
    piece: int
    stack: int


@frozen(slots=False, eq=False)
class HiddenInformation:
    """What is hidden from one viewer at one moment of a game."""

    game: BaseGame = field(repr=False)
    viewer: int

    @cached_property
    def observer(self) -> Observer:
        """The viewer as an observer of states."""
        return tracker_of(self.game, self.viewer).observer

    @cached_property
    def visibility(self) -> Visibility:
        """The hidden pieces and cells."""
        return self.observer.visibility(self.game.state.slots)

    @cached_property
    def information_state(self) -> InformationState:
        """What the viewer has observed."""
        return information_state(self.game, self.viewer)

    @cached_property
    def permuter(self) -> Permuter:
        """Renames pieces."""
        return Permuter(self.observer)

    @cached_property
    def hidden_slots(self) -> tuple[HiddenSlot, ...]:
        """The places of hidden pieces, in an order that does not depend on which piece is where."""
        slots, permuter = self.game.state.slots, self.permuter
        return tuple(
            HiddenSlot(type_number, piece, stack)
            for type_number, stacks in enumerate(self.information_state.stacks)
            for piece, stack in sorted(
                stacks.numbers.items(),
                key=lambda row: (row[1], permuter.locals_naming(slots, type_number, row[0])),
            )
        )

    @cached_property
    def pieces(self) -> tuple[int, ...]:
        """The hidden pieces in the order of their types: the holders of the places in `erased`."""
        return tuple(piece for mask in self.visibility.pieces for piece in bits(mask))

    @cached_property
    def cells(self) -> tuple[tuple[Variable, int], ...]:
        """The hidden cells: variable and offset."""
        return tuple(
            (self.observer.schema.variables[name], offset)
            for name, mask in self.visibility.cells.items()
            for offset in bits(mask)
        )

    @cached_property
    def erased(self) -> Slots:
        """The state without hidden information: hidden cells are blank, and `pieces` are at the places in order."""
        slots = list(self.game.state.slots)
        for variable, offset in self.cells:
            slots[variable.base + offset] = types.blank_code(variable.type)
        renaming = self.no_renaming()
        for place, piece in zip(self.hidden_slots, self.pieces, strict=True):
            renaming[place.type_number][place.piece] = piece
        return self.permuter.permuted(slots, renaming)

    def no_renaming(self) -> list[dict[int, int]]:
        """A renaming without entries."""
        return [{} for _ in self.observer.secret_types]

    @cached_property
    def attributes(self) -> tuple[tuple[Variable, ...], ...]:
        """For each secret type, the secret variables whose only key is a piece of it."""
        secret = [self.observer.schema.variables[name] for name in self.observer.secret_variables]
        return tuple(
            tuple(variable for variable in secret if variable.keys == (secret_type.type,))
            for secret_type in self.observer.secret_types
        )

    def hidden_attributes(self, type_number: int, at: int) -> list[Variable]:
        """The attributes that are hidden at a place, given by the piece that is there in the game."""
        return [v for v in self.attributes[type_number] if self.visibility.hides(v, at)]


@frozen(slots=False, eq=False)
class FreeCells:
    """The hidden cells that are not attributes of pieces, sampled by a random walk.

    `is_possible` tells whether a state in which the invariants hold is one that the viewer may be in.
    """

    hidden: HiddenInformation
    is_possible: Callable[[Slots], bool]

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

    @cached_property
    def _conditions(self) -> tuple[Callable[[Slots], int], ...]:
        """These invariants."""
        return tuple(self.hidden.game.machine.invariants[number][1] for number in self._invariants)

    @cached_property
    def _claims(self) -> tuple[Callable[[Slots], int], ...]:
        """What these invariants claim about single values: a walk finds its way one claim at a time."""
        machine = self.hidden.game.machine
        return tuple(
            partial(_claim, claim, code)
            for claim, fact in zip(machine.claims, machine.facts.claims, strict=True)
            if fact.invariant in self._invariants
            for code in codes_of(fact.type)
        )

    def values(self, slots: Slots) -> dict[int, int]:
        """The values of the cells, by slot."""
        return {slot: slots[slot] for slot, _ in self._cells}

    def _broken(self, slots: Slots) -> int:
        """How far a state is from being possible: 0 if it is, at least 1 if it is not."""
        conditions = self._conditions
        if all(holds(condition, slots) for condition in conditions):
            return int(not self.is_possible(slots))
        broken_claims = sum(not holds(claim, slots) for claim in self._claims)
        return broken_claims or sum(not holds(condition, slots) for condition in conditions)

    def _is_sound(self, slots: Slots) -> bool:
        return all(holds(condition, slots) for condition in self._conditions) and self.is_possible(
            slots
        )

    def sample(self, slots: Slots, chance: Random, start: Mapping[int, int] | None) -> None:
        """Set the cells in `slots` by a random walk.

        It starts at `start` (values by slot), or at the values in `slots`, and ends a fixed number of
        steps after the state is possible.
        """
        if not self._cells:
            return
        self._put(slots, start or {})
        broken = self._broken(slots)
        steps_left = STEPS_PER_CELL * len(self._cells)
        for _ in range(MAX_STEPS):
            if not broken:
                steps_left -= 1
                if steps_left < 0:
                    break
            before = self.values(slots)
            self._change_one(slots, chance)
            self._put(slots, {})
            # From a possible state the walk goes to possible states, and need not know how far others are from it.
            broken_after = self._broken(slots) if broken else int(not self._is_sound(slots))
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


def holds(condition: Callable[[Slots], int], slots: Slots) -> bool:
    """Whether a compiled condition holds in a state; one that cannot be evaluated does not."""
    try:
        return bool(condition(slots))
    except EVALUATION_FAULTS:
        return False


def _claim(claim: Callable[[Slots, int], int], code: int, slots: Slots) -> int:
    return claim(slots, code)


def _add(slots: Slots, slot: int, step: int, type_: types.IntType) -> None:
    if type_.low <= slots[slot] + step <= type_.high:
        slots[slot] += step

"""What is hidden from one player at one moment of a game: the pieces, the places that they occupy, the cells."""

from collections.abc import Callable
from functools import cached_property

from attrs import field, frozen

from hots_rules.compile.codes import Slots, bits
from hots_rules.compile.facts import Variable
from hots_rules.diagnostics import HotsError
from hots_rules.observe.information_state import InformationState, information_state, tracker_of
from hots_rules.observe.observer import Observer, Visibility, secrets_of
from hots_rules.observe.permute import Permuter
from hots_rules.observe.world_steps import WorldSteps, world_steps_of
from hots_rules.play.game import BaseGame
from hots_rules.rules.typed import value_types as types

EVALUATION_FAULTS = (HotsError, ArithmeticError, LookupError, TypeError, ValueError)
"""The exceptions that a ruleset's functions may raise in a state that the rules cannot reach."""


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
    def steps(self) -> WorldSteps:
        """The bound of the search, with the machine that counts its steps."""
        return world_steps_of(self.game)

    @cached_property
    def observer(self) -> Observer:
        """The viewer as an observer of states."""
        return tracker_of(self.game, self.viewer).observer

    @cached_property
    def counting_observer(self) -> Observer:
        """The same, whose steps count: it observes the states of the search."""
        schema = self.observer.schema
        return Observer(schema, secrets_of(schema, self.steps.machine.secrets), self.viewer)

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
            self.observer.schema.put(slots, variable, offset, types.blank_code(variable.type))
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


def holds(condition: Callable[[Slots], int], slots: Slots) -> bool:
    """Whether a compiled condition holds in a state; one that cannot be evaluated does not."""
    try:
        return bool(condition(slots))
    except EVALUATION_FAULTS:
        return False

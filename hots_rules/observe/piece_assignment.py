"""Assignments of the hidden pieces to the places of hidden pieces, with the values of their hidden attributes.

A piece fits a place if the same players can identify it there and all invariants about a single piece hold
there for some values of its hidden attributes.
"""

from collections import deque
from collections.abc import Mapping
from functools import cached_property
from itertools import product
from math import prod
from random import Random

from attrs import frozen

from hots_rules.compile.codes import Slots, bits, codes_of
from hots_rules.diagnostics import NoConsistentWorld
from hots_rules.observe.hidden_information import EVALUATION_FAULTS, HiddenInformation, HiddenSlot
from hots_rules.rules.typed import value_types as types

MAX_DOMAIN = 256
SWAPS_PER_PLACE = 8

AttributeValues = tuple[int, ...]


@frozen(slots=False, eq=False)
class PieceAssignment:
    """The pieces that fit each place, and a first assignment.

    An assignment lists the piece at each place, in the order of `HiddenInformation.hidden_slots`.
    """

    hidden: HiddenInformation

    @cached_property
    def _claims(self) -> tuple[tuple[int, ...], ...]:
        """For each secret type, the numbers of the invariants about a single piece of it."""
        claims = self.hidden.game.machine.facts.claims
        return tuple(
            tuple(number for number, fact in enumerate(claims) if fact.type == secret.type)
            for secret in self.hidden.observer.secret_types
        )

    @cached_property
    def _steps_of_claims(self) -> tuple[int, ...]:
        """For each secret type, the steps of these invariants together."""
        machine = self.hidden.steps.machine
        return tuple(
            sum(
                machine.invariant_steps[machine.facts.claims[number].invariant] for number in claims
            )
            for claims in self._claims
        )

    # -------------------------------------------------------------- which pieces fit where
    @cached_property
    def domains(self) -> Mapping[tuple[int, int, int], list[AttributeValues]]:
        """By secret type, piece and stack: the values that the hidden attributes of the piece can have there."""
        domains: dict[tuple[int, int, int], list[AttributeValues]] = {}
        hidden = self.hidden
        for place, holder in zip(hidden.hidden_slots, hidden.pieces, strict=True):
            for piece in bits(hidden.visibility.pieces[place.type_number]):
                key = place.type_number, piece, place.stack
                if key not in domains:
                    renaming = hidden.no_renaming()
                    renaming[place.type_number] = {holder: piece, piece: holder}
                    slots = hidden.permuter.permuted(hidden.erased, renaming)
                    hidden.steps.spend(len(slots))
                    fits = self._has_same_owners(slots, place, piece)
                    domains[key] = self._domain(slots, *key[:2], place.piece) if fits else []
        return domains

    @cached_property
    def domains_of_visible_pieces(self) -> tuple[tuple[int, int, list[AttributeValues]], ...]:
        """The visible pieces with hidden attributes: secret type, piece, and what these can be."""
        domains = []
        for type_number, mask in enumerate(self.hidden.visibility.pieces):
            for piece in range(
                len(self.hidden.observer.secret_types[type_number].piece_type.values)
            ):
                if self.hidden.hidden_attributes(type_number, piece) and not mask >> piece & 1:
                    domain = self._domain(list(self.hidden.erased), type_number, piece, piece)
                    domains.append((type_number, piece, domain))
        return tuple(domains)

    def _has_same_owners(self, slots: Slots, place: HiddenSlot, piece: int) -> bool:
        """Whether a piece is hidden at a place, and the players who can identify it are those observed."""
        hidden, bit = self.hidden, 1 << piece
        secret = hidden.observer.secret_types[place.type_number]
        owners = secret.owners(slots, len(hidden.observer.schema.players), bit)
        observed = hidden.information_state.stacks[place.type_number].features[place.piece][0]
        return not secret.known(slots, hidden.viewer, bit, ()) and observed == tuple(
            owner >> piece & 1 for owner in owners
        )

    def _domain(self, slots: Slots, type_number: int, piece: int, at: int) -> list[AttributeValues]:
        """The values of the hidden attributes with which a piece can be at a place; none if it cannot."""
        attributes = self.hidden.hidden_attributes(type_number, at)
        if prod(types.size(variable.type) for variable in attributes) > MAX_DOMAIN:
            return []
        domain = []
        schema, spend = self.hidden.observer.schema, self.hidden.steps.spend
        steps = self._steps_of_claims[type_number]
        for values in product(*(codes_of(variable.type) for variable in attributes)):
            for variable, value in zip(attributes, values, strict=True):
                schema.put(slots, variable, piece, value)
            spend(steps)
            if all(self._holds(number, slots, piece) for number in self._claims[type_number]):
                domain.append(values)
        return domain

    def _holds(self, claim: int, slots: Slots, piece: int) -> bool:
        try:
            return bool(self.hidden.steps.machine.claims[claim](slots, piece))
        except EVALUATION_FAULTS:
            return False

    def _fits(self, place: HiddenSlot, piece: int) -> bool:
        return bool(self.domains[place.type_number, piece, place.stack])

    # -------------------------------------------------------------- assignments
    @cached_property
    def first(self) -> tuple[int, ...]:
        """An assignment in which every piece fits its place, found by augmenting paths.

        Raises:
            NoConsistentWorld: there is none.
            LimitExceeded: none was found in the steps that are allowed.
        """
        assigned: dict[int, int] = {}  # by number of the place
        for type_number, mask in enumerate(self.hidden.visibility.pieces):
            for piece in bits(mask):
                if not self._assign(type_number, piece, assigned):
                    raise NoConsistentWorld("the invariants leave no place for a hidden piece")
        return tuple(assigned[number] for number in range(len(self.hidden.hidden_slots)))

    def _assign(self, type_number: int, piece: int, assigned: dict[int, int]) -> bool:
        """Find a place for a piece: each piece of a chain, the shortest that there is, takes the place of the next."""
        reached: dict[int, int | None] = {}  # for each place, that of the piece which would take it
        movers = deque[tuple[int, int | None]]([(piece, None)])
        while movers:
            mover, left = movers.popleft()
            self.hidden.steps.spend(len(self.hidden.hidden_slots))
            for number, place in enumerate(self.hidden.hidden_slots):
                if (
                    place.type_number != type_number
                    or number in reached
                    or not self._fits(place, mover)
                ):
                    continue
                reached[number] = left
                if number not in assigned:
                    _move_along(reached, number, piece, assigned)
                    return True
                movers.append((assigned[number], number))
        return False

    def shuffle(self, assignment: list[int], chance: Random) -> None:
        """Swap random pairs of pieces that fit each other's places, in place."""
        places = self.hidden.hidden_slots
        count = len(places)
        self.hidden.steps.spend(SWAPS_PER_PLACE * count)
        for _ in range(SWAPS_PER_PLACE * count if count > 1 else 0):
            first, second = chance.randrange(count), chance.randrange(count)
            mover, partner = assignment[first], assignment[second]
            if (
                places[first].type_number == places[second].type_number
                and self._fits(places[first], partner)
                and self._fits(places[second], mover)
            ):
                assignment[first], assignment[second] = partner, mover


def _move_along(
    reached: Mapping[int, int | None], last: int, piece: int, assigned: dict[int, int]
) -> None:
    """Move the pieces of a chain, which ends at the place `last`, and put `piece` at its first place."""
    at: int | None = last
    while at is not None:
        left = reached[at]
        assigned[at] = piece if left is None else assigned[left]
        at = left

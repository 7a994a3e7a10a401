"""Worlds at a decision: complete games that a player cannot distinguish from the real one.

A world is built from the player's information state and a seed, and from nothing hidden. Each hidden piece is
assigned to one of the places where hidden pieces are seen, and each hidden cell has a value that the
invariants of the ruleset allow. Worlds are not weighted by how likely they are after the past play.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Generic

from hots_rules.compile.codes import DecisionPoint, Slots, bits
from hots_rules.diagnostics import NoConsistentWorld
from hots_rules.observe.free_cells import FreeCells
from hots_rules.observe.hidden_information import EVALUATION_FAULTS, HiddenInformation, holds
from hots_rules.observe.information_state import InformationState
from hots_rules.observe.observer import Visibility
from hots_rules.observe.piece_assignment import PieceAssignment
from hots_rules.observe.stacks import StackTracker
from hots_rules.play.game import G
from hots_rules.state.state import State

MAX_WALKS = 60
MAX_ASSIGNMENTS = 600
MAX_PLAYS_AHEAD = 20


def sampler_of(game: G, viewer: int) -> DeterminizationSampler[G]:
    """A new sampler of worlds for a viewer; costly parts are cached with the game.

    Raises:
        NoConsistentWorld: the hidden pieces do not fit the places.
    """
    key = (PieceAssignment, viewer)
    pieces = game.memo(key, lambda: PieceAssignment(HiddenInformation(game, viewer)))
    return DeterminizationSampler(game, pieces)


def game_at(game: G, seed: str, information: InformationState, viewer: int) -> G:
    """A game without moves that begins at an information state of a viewer."""
    return type(game)(
        game.ruleset,
        game.scenario,
        seed,
        game.settings,
        game.chance,
        State(information.slots, game.state.schema),
        (),
        game.initial_position,
        None,
        information.slots,
        {(InformationState, viewer): information},
    )


class DeterminizationSampler(Generic[G]):
    """Samples worlds for one viewer at one moment; each world continues the random walk of the last."""

    def __init__(self, game: G, pieces: PieceAssignment) -> None:
        self._game = game
        self._pieces = pieces
        self._hidden = pieces.hidden
        self._machine = pieces.hidden.steps.machine
        self._free_cells = FreeCells(pieces.hidden, self._asks_the_same)
        self._assignment = list(pieces.first)
        self._free_values: dict[int, int] | None = None
        self._is_decision = isinstance(game.point, DecisionPoint)
        codes = game.legal_codes if self._is_decision else ()
        self._own_choices = self._choices(codes).get(self._hidden.viewer)

    def world(self, chance: Random, seed: str) -> G:
        """One world, whose dice are rolled by `seed`.

        Raises:
            NoConsistentWorld: none was found in bounded time.
            LimitExceeded: none was found in the steps that are allowed.
        """
        walks = 0
        for _ in range(MAX_ASSIGNMENTS):
            self._pieces.shuffle(self._assignment, chance)
            slots = self._slots_with_pieces(chance)
            if self._free_cells.are_excluded(slots):
                continue
            self._free_cells.sample(slots, chance, self._free_values, walks)
            if self._is_sound(slots, chance, seed):
                self._free_values = self._free_cells.values(slots)
                return self._as_game(slots, seed)
            self._free_values = None
            walks += 1
            if walks == MAX_WALKS:
                break
        raise NoConsistentWorld(
            f"no state consistent with the player's view was found in {MAX_WALKS} walks through the values of "
            f"hidden cells, or for {MAX_ASSIGNMENTS} assignments of hidden pieces"
        )

    def true_renaming(self) -> list[dict[int, int]]:
        """Which piece each hidden piece of the real game became in the last world.

        For tests only: it reveals what is hidden.
        """
        renaming = self._hidden.no_renaming()
        for place, piece in zip(self._hidden.hidden_slots, self._assignment, strict=True):
            renaming[place.type_number][place.piece] = piece
        return renaming

    def _slots_with_pieces(self, chance: Random) -> Slots:
        """A state with the assigned pieces, whose attributes are chosen at random; the other hidden cells are blank."""
        hidden, pieces = self._hidden, self._pieces
        renaming = hidden.no_renaming()
        places = zip(hidden.hidden_slots, hidden.pieces, self._assignment, strict=True)
        for place, piece, assigned in places:
            renaming[place.type_number][piece] = assigned
        slots = hidden.permuter.permuted(hidden.erased, renaming)
        hidden.steps.spend(len(slots))
        for place, piece in zip(hidden.hidden_slots, self._assignment, strict=True):
            values = chance.choice(pieces.domains[place.type_number, piece, place.stack])
            self._set_attributes(slots, place.type_number, piece, place.piece, values)
        for type_number, piece, domain in pieces.domains_of_visible_pieces:
            if domain:
                self._set_attributes(slots, type_number, piece, piece, chance.choice(domain))
        hidden.observer.schema.reindex(slots)
        return slots

    def _set_attributes(
        self, slots: Slots, type_number: int, piece: int, at: int, values: tuple[int, ...]
    ) -> None:
        attributes = self._hidden.hidden_attributes(type_number, at)
        for variable, value in zip(attributes, values, strict=True):
            slots[variable.base + piece] = value

    # -------------------------------------------------------------- acceptance
    def _is_sound(self, slots: Slots, chance: Random, seed: str) -> bool:
        """Whether invariants hold, the viewer sees and can do the same, and play can go on."""
        self._hidden.steps.spend(sum(self._machine.invariant_steps))
        if not all(holds(invariant, slots) for _, invariant in self._machine.invariants):
            return False
        if not self._hides_the_same(self._hidden.counting_observer.visibility(slots)):
            return False
        try:
            return self._can_continue(slots, chance, seed)
        except EVALUATION_FAULTS:
            return False

    def _hides_the_same(self, visibility: Visibility) -> bool:
        """Whether the same numbers of pieces and attributes are hidden as in the game, and the same free cells."""
        actual = self._hidden.visibility
        pieces = zip(visibility.pieces, actual.pieces, strict=True)
        return all(
            mask.bit_count() == mask_there.bit_count() for mask, mask_there in pieces
        ) and all(
            visibility.cells[name] == mask
            if name in self._free_cells.names
            else visibility.cells[name].bit_count() == mask.bit_count()
            for name, mask in actual.cells.items()
        )

    def _can_continue(self, slots: Slots, chance: Random, seed: str) -> bool:
        machine, after = self._machine, slots.copy()
        point = machine.point(slots)
        if point is None:
            return True
        if not isinstance(point, DecisionPoint):
            outcome, _ = chance.choice(machine.outcomes(slots))
            machine.resume(after, outcome, seed)
        elif self._asks_the_same(slots):
            machine.play(after, chance.choice(machine.legal(slots)), seed)
        else:
            return False
        return self._leads_on(slots, after, seed)

    def _leads_on(self, slots: Slots, after: Slots, seed: str) -> bool:
        """Whether play can go on until the local names that may hold hidden pieces are out of use.

        A local name may hold a piece that the rules would never put there. No invariant is about it, but it leads to a
        decision without an action.
        """
        machine, chance, frame = self._machine, Random(seed), self._hidden.permuter.frame
        held = {slot for slot, _ in frame(slots)}
        for _ in range(MAX_PLAYS_AHEAD):
            if not isinstance(machine.point(after), DecisionPoint):
                return True
            codes = machine.legal(after)
            if not codes:
                return False
            if held.isdisjoint(slot for slot, _ in frame(after)):
                return True
            machine.play(after, chance.choice(codes), seed)
        return True

    def _asks_the_same(self, slots: Slots) -> bool:
        """Whether the same players are asked as in the game, each has an action, and the viewer has the same ones."""
        if not self._is_decision:
            return True
        try:
            asked = self._machine.players(slots)
            choices = self._choices(self._machine.legal(slots))
        except EVALUATION_FAULTS:
            return False
        return (
            asked == self._machine.players(self._game.slots)
            and set(choices) == set(bits(asked))
            and choices.get(self._hidden.viewer) == self._own_choices
        )

    def _choices(self, codes: Sequence[int]) -> dict[int, list[int]]:
        """Some actions by the player to whom they belong."""
        choices: dict[int, list[int]] = {}
        for code in codes:
            choices.setdefault(self._machine.player_of(code), []).append(code)
        return choices

    # -------------------------------------------------------------- the world as a game
    def _as_game(self, slots: Slots, seed: str) -> G:
        information = self._information_state(tuple(slots))
        return game_at(self._game, seed, information, self._hidden.viewer)

    def _information_state(self, packed: tuple[int, ...]) -> InformationState:
        """The viewer's information state in the world: the same places with other pieces."""
        observed = self._hidden.information_state
        places = list(zip(self._hidden.hidden_slots, self._assignment, strict=True))
        stacks = tuple(
            StackTracker(
                {piece: slot.stack for slot, piece in places if slot.type_number == number},
                {
                    piece: old.features[slot.piece]
                    for slot, piece in places
                    if slot.type_number == number
                },
                old.next_number,
            )
            for number, old in enumerate(observed.stacks)
        )
        return InformationState(packed, 0, observed.plays, observed.undo_limit, stacks)

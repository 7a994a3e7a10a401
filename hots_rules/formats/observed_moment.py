"""Moments of a game with what each player has observed, for libraries that train players by many steps."""

from __future__ import annotations

from array import array
from typing import Generic

from attrs import field, frozen

from hots_rules.compile.codes import POINT
from hots_rules.compile.traced import play_logged
from hots_rules.formats.packed_moment import CHANCE, PackedMoment
from hots_rules.formats.slot_encoding import Shown, SlotEncoding
from hots_rules.formats.view_encoding import ViewEncoding
from hots_rules.observe.information_state import (
    InformationState,
    ObservationTracker,
    information_state,
    tracker_of,
)
from hots_rules.play.game import G


@frozen(eq=False)
class ObservedMoment(Generic[G]):
    """A moment, and what its players have observed up to it; it pickles as its game, and a copy is the moment itself.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> moment = hr.formats.ObservedMoment.of(game)
    >>> indexes, numbers = moment.after(game.actions[0].code).vector(0)
    >>> len(indexes) == len(numbers) < moment.size
    True

    Attributes:
        moment: the moment.
        states: the information state of each player.
    """

    moment: PackedMoment[G]
    states: tuple[InformationState, ...] = field(repr=False)
    _trackers: tuple[ObservationTracker, ...] = field(repr=False)
    _encoding: SlotEncoding = field(repr=False)
    # What each player was shown last, here or before, with the information state of that moment.
    _shown: dict[int, tuple[InformationState, Shown]] = field(factory=dict, repr=False)

    @classmethod
    def of(cls, game: G) -> ObservedMoment[G]:
        """The moment at which a game is."""
        players = range(len(game.ruleset.players))

        def make() -> SlotEncoding:
            return SlotEncoding(ViewEncoding.of(game))

        return cls(
            PackedMoment.of(game),
            tuple(information_state(game, player) for player in players),
            tuple(tracker_of(game, player) for player in players),
            game.ruleset.compiled.memo((SlotEncoding, game.settings), make),
        )

    def __deepcopy__(self, _: object) -> ObservedMoment[G]:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return ObservedMoment.of, (self.moment.game,)

    @property
    def size(self) -> int:
        """The length of the vectors."""
        return self._encoding.encoding.size

    def after(self, code: int) -> ObservedMoment[G]:
        """The moment after an action, or an outcome of chance.

        Raises:
            IllegalAction: no legal action has the code; the error has the reasons.
            EngineError: the ruleset violates one of its bounds.
        """
        before = self.moment
        before.require(code)
        trackers = tuple(zip(self._trackers, self.states, strict=True))
        moment = self._without_chance(code)
        if moment is not None:
            slots = tuple(moment.slots)
            states = tuple(tracker.moved(state, slots) for tracker, state in trackers)
        else:
            played = play_logged(self._trackers[0].traced, before.slots, code, before.seed)
            # At the end a state tells the rule that ended the game, which traced modules number otherwise.
            is_over = played[POINT] == 0
            moment = before.after(code) if is_over else before.followed_by(code, list(played))
            states = tuple(
                tracker.observed(state, code, played, bounds_undo=False)
                for tracker, state in trackers
            )
        return ObservedMoment(moment, states, self._trackers, self._encoding, self._shown.copy())

    def _without_chance(self, code: int) -> PackedMoment[G] | None:
        """The moment after an action, if chance decides nothing on the way; else None."""
        if code < 0:
            return None
        slots = self.moment.slots.copy()
        self.moment.machine.move(slots, code, None)
        moment = self.moment.followed_by(code, slots)
        return None if moment.seat == CHANCE and moment.seed is not None else moment

    def vector(self, player: int) -> tuple[list[int], list[float]]:
        """The vector of a player's view: the indexes that are not 0, in ascending order, and their numbers.

        Args:
            player: the player's number.
        """
        # Sorted, since the cells come in the order of the hidden state.
        cells = [(index, 1.0) for index in self._head(player)]
        for places, values in self._encoding.cells(self._shown_to(player)):
            cells += zip(places, values, strict=True)
        cells.sort()
        return [index for index, _ in cells], [number for _, number in cells]

    def dense_vector(self, player: int) -> array[float]:
        """The whole vector of a player's view, as floats of 32 bits.

        What did not change since a vector was last asked for is not computed again.

        Args:
            player: the player's number.
        """
        vector = self._shown_to(player).vector[:]
        for index in self._head(player):
            vector[index] = 1.0
        return vector

    def _shown_to(self, player: int) -> Shown:
        state = self.states[player]
        last_state, last = self._shown.get(player, (None, None))
        if last is None or last_state is not state:
            visibility = self._trackers[player].visibility(state.slots)
            last = self._encoding.shown(self.moment.slots, visibility, state.stacks, last)
            self._shown[player] = state, last
        return last

    def _head(self, player: int) -> list[int]:
        """The indexes of the head of a vector that are 1."""
        encoding, machine, slots = self._encoding.encoding, self.moment.machine, self.moment.slots
        head = [encoding.player_index(player)]
        if machine.point(slots) is not None:
            head.append(encoding.phases.index(machine.facts.points[-1 - slots[POINT]].phase))
            asked = machine.players(slots) if self.moment.seat >= 0 else 0
            head += [
                encoding.turn_index(each) for each in range(len(self.states)) if asked >> each & 1
            ]
        return head

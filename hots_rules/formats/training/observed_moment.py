"""Moments of a game with what each player has observed, for libraries that train players by many steps."""

from __future__ import annotations

from array import array
from typing import Generic

from attrs import field, frozen

from hots_rules.compile.codes import POINT
from hots_rules.diagnostics import check_kind
from hots_rules.formats.slot_encoding import ShownState, SlotEncoding
from hots_rules.formats.training.packed_moment import PackedMoment
from hots_rules.formats.view_encoding import ViewEncoding
from hots_rules.observe.information_state import (
    InformationState,
    ObservationTracker,
    information_state,
    tracker_of,
)
from hots_rules.play.game import BaseGame, G


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
    _shown: dict[int, tuple[InformationState, ShownState]] = field(factory=dict, repr=False)

    @classmethod
    def of(cls, game: G) -> ObservedMoment[G]:
        """The moment at which a game is."""
        check_kind("game", game, BaseGame, "a game")
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
        self.moment.require(code)
        passed = self.moment.machine.passed_states(self.moment.slots, code, self.moment.seed)
        moment = self.moment.followed_by(code, list(passed[-1]))
        # As if no play could be undone, which vectors do not tell, and which costs less.
        states = tuple(
            tracker.passed(state, passed)
            for tracker, state in zip(self._trackers, self.states, strict=True)
        )
        return ObservedMoment(moment, states, self._trackers, self._encoding, self._shown.copy())

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

    def _shown_to(self, player: int) -> ShownState:
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
                encoding.turn_index(seat) for seat in range(len(self.states)) if asked >> seat & 1
            ]
        return head

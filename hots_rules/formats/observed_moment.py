"""Moments of a game with what each player has observed, for libraries that train players by many steps."""

from __future__ import annotations

from typing import Generic

from attrs import field, frozen

from hots_rules.compile.traced import play_logged
from hots_rules.formats.packed_moment import PackedMoment
from hots_rules.formats.slot_encoding import SlotEncoding
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
    """A moment, and what its players have observed up to it.

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
        before, traced = self.moment, self._trackers[0].traced
        moment = before.after(code)
        played = play_logged(traced, before.slots, code, before.seed)
        trackers = zip(self._trackers, self.states, strict=True)
        states = tuple(
            tracker.observed(state, code, played, bounds_undo=False) for tracker, state in trackers
        )
        return ObservedMoment(moment, states, self._trackers, self._encoding)

    def vector(self, player: int) -> tuple[list[int], list[float]]:
        """The vector of a player's view: the indexes that are not 0, in no order, and their numbers.

        Args:
            player: the player's number.
        """
        encoding, machine, slots = self._encoding.encoding, self.moment.machine, self.moment.slots
        state = self.states[player]
        visibility = self._trackers[player].visibility(state.slots)
        indexes, numbers = self._encoding.numbers(slots, visibility, state.stacks)
        head = [encoding.player_index(player)]
        if machine.point(slots) is not None:
            head.append(encoding.phases.index(machine.facts.points[-1 - slots[0]].phase))
            asked = machine.players(slots) if self.moment.seat >= 0 else 0
            head += [
                encoding.turn_index(each) for each in range(len(self.states)) if asked >> each & 1
            ]
        return indexes + head, numbers + [1.0] * len(head)

"""Games of a batch as moments: those that Python plays, and those of machine code where somebody looks at one."""

from __future__ import annotations

from functools import cached_property
from typing import cast

from attrs import define, field

from hots_rules.formats.action_numbering import ActionNumbering
from hots_rules.formats.training.native_games import NativeSteps
from hots_rules.formats.training.numpy_arrays import np
from hots_rules.formats.training.observed_moment import ObservedMoment
from hots_rules.formats.training.packed_moment import NOBODY
from hots_rules.formats.view_encoding import ViewEncoding
from hots_rules.native.runtime.observing import FULL_MARK
from hots_rules.native.runtime.stepping import WAIT
from hots_rules.observe.information_state import InformationState, tracker_of
from hots_rules.observe.stacks import StackTracker
from hots_rules.play.game import BaseGame
from hots_rules.state.state import State


@define(slots=False, eq=False)
class BatchMoments:
    """Makes moments of games of one scenario.

    Attributes:
        start: a game of the scenario, with its options and readings.
        prefix: what the seeds of all games begin with.
    """

    start: BaseGame
    prefix: str = field(default="", init=False)

    @cached_property
    def numbering(self) -> ActionNumbering:
        """The numbers of actions."""
        return ActionNumbering(self.start.ruleset)

    @cached_property
    def size(self) -> int:
        """The length of a vector."""
        return ViewEncoding.of(self.start).size

    # -------------------------------------------------------------- play
    def begun(self, number: int) -> ObservedMoment[BaseGame]:
        """The first decision of the game with a number."""
        start = self.start
        game = start.ruleset.start(
            start.scenario,
            seed=f"{self.prefix}{number}",
            options=start.options,
            readings=start.readings,
        )
        return ObservedMoment.of(game)

    def require(self, moment: ObservedMoment[BaseGame], choice: int) -> None:
        """Raise an error for a choice that is an action, and not a legal one.

        Raises:
            IllegalAction: it is not legal; the error has the reasons.
        """
        seat = moment.moment.seat
        if choice >= 0 and seat != NOBODY:
            moment.moment.require(self.numbering.code(choice, seat))

    def after(self, moment: ObservedMoment[BaseGame], choice: int) -> ObservedMoment[BaseGame]:
        """The moment after a legal action; the same one for a game that waits."""
        if choice == WAIT:
            return moment
        return moment.after(self.numbering.code(choice, moment.moment.seat))

    def of_native(self, part: NativeSteps, place: int, number: int) -> ObservedMoment[BaseGame]:
        """The moment of a game of machine code, from its place in a memory and its number."""
        start, slots = self.start, tuple(part.state(place))
        derived: dict[object, object] = {}
        for player, stacks in enumerate(part.stacks(place, start.machine.player_count)):
            tracker = tracker_of(start, player)
            visibility = tracker.visibility(slots)
            derived[InformationState, player] = InformationState(
                slots,
                0,
                0,
                0,
                tuple(
                    StackTracker(numbers, features.read(slots, visibility), next_number)
                    for features, (numbers, next_number) in zip(
                        tracker.features, stacks, strict=True
                    )
                ),
            )
        game = type(start)(
            start.ruleset,
            start.scenario,
            f"{self.prefix}{number}",
            start.settings,
            "auto",
            State(slots, start.state.schema),
            (),
            None,
            None,
            slots,
            derived,
        )
        return ObservedMoment.of(game)

    # -------------------------------------------------------------- what is seen
    def legal(self, moment: ObservedMoment[BaseGame]) -> np.ndarray:
        """The numbers of the legal actions of who chooses."""
        codes = moment.moment.codes_of(moment.moment.seat)
        numbers: np.ndarray = np.array(self.numbering.numbers(codes), np.int64)
        return numbers

    def marks(self, moment: ObservedMoment[BaseGame], viewer: int, last_viewer: int) -> np.ndarray:
        """The numbers of a vector that are not 0, in parts of 255, with their indexes."""
        seat = moment.moment.seat
        seen_by = last_viewer if seat == NOBODY else seat if viewer < 0 else viewer
        indexes, numbers = moment.vector(seen_by) if seen_by >= 0 else ([], [])
        # A little more, since parts of 255 that end in a half are rounded up.
        parts = [int(FULL_MARK * number + 0.5 + 1e-9) for number in numbers]
        marks: np.ndarray = np.array([indexes, parts], np.int32).T
        return cast("np.ndarray", marks[marks[:, 1] > 0])

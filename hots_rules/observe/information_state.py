"""The information state of a player: the stacks that were tracked so far, and which plays can be undone.

Each play is replayed and observed at every chance point. Only the plays that may be undone are followed step by
step, on the traced module: those of the viewer since somebody else chose. A game caches its information states, and
the games after it continue from there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Final

from attrs import field, frozen

from hots_rules.compile.codes import DicePoint
from hots_rules.compile.machine import Machine
from hots_rules.compile.traced import (
    CHANGES,
    ChanceNote,
    LoggedSlots,
    Note,
    play_logged,
)
from hots_rules.observe.last_value import LastValue
from hots_rules.observe.observer import Observer, Visibility, secrets_of
from hots_rules.observe.redact import RedactedFormatter
from hots_rules.observe.stacks import ObservableFeatures, StackTracker
from hots_rules.observe.view_data import ViewColumn
from hots_rules.play.game import BaseGame
from hots_rules.play.trace import apply_note
from hots_rules.state.labels import Labels

VISIBILITIES_KEPT = 64  # of one observer: a play passes through some, and others look at it, too
NOTES_KEPT = 10_000  # of a play: as a rule it has some hundreds
LastPlay = LastValue[tuple[tuple[int, ...], int, str | None], LoggedSlots]
LAST_DECISION: Final = "last decision"
"""With a viewer, the key in `BaseGame.derived` of the information state at the last decision."""


@frozen
class InformationState:
    """What a player has observed of a game up to one moment.

    Attributes:
        slots: the packed state.
        moves: how many of the game's moves were observed.
        plays: the same, counted from the beginning of the game also in a sampled world, whose own moves begin later.
        undo_limit: how many of the plays cannot be undone.
        stacks: the stacks of each secret type.
    """

    slots: tuple[int, ...] = field(repr=False)
    moves: int
    plays: int
    undo_limit: int
    stacks: tuple[StackTracker, ...] = field(repr=False)


@frozen(slots=False, eq=False)
class ObservationTracker:
    """Computes the information states of one observer."""

    observer: Observer
    machine: Machine
    traced: Machine
    labels: Labels
    last_play: LastPlay = field(factory=LastValue)
    """The last play on the traced module, which the observers of a ruleset share."""

    @cached_property
    def features(self) -> tuple[ObservableFeatures, ...]:
        """The readers of features, one for each secret type."""
        return tuple(
            ObservableFeatures(self.observer, number)
            for number in range(len(self.observer.secret_types))
        )

    @cached_property
    def columns(self) -> tuple[ViewColumn, ...]:
        """What the views of this observer have in common, for each variable."""
        variables = self.observer.schema.variables.values()
        return tuple(ViewColumn(self.observer, variable) for variable in variables)

    @cached_property
    def _audience_slots(self) -> tuple[slice, ...]:
        """The slots on which the audiences of all secrets depend."""
        return self.observer.schema.slots_of(self.observer.depends_on)

    @cached_property
    def _visibilities(self) -> dict[tuple[tuple[int, ...], ...], Visibility]:
        return {}

    def visibility(self, slots: Sequence[int]) -> Visibility:
        """What is hidden in a state; kept for the last states in which that differs on which any audience depends."""
        key = tuple([tuple(slots[part]) for part in self._audience_slots])
        visibility = self._visibilities.get(key)
        if visibility is None:
            visibility = self.observer.visibility(slots)
            if len(self._visibilities) >= VISIBILITIES_KEPT:
                self._visibilities.clear()
            self._visibilities[key] = visibility
        return visibility

    def begin(self, slots: Sequence[int], plays: int = 0) -> InformationState:
        """The information state at the beginning of a game."""
        empty = tuple(StackTracker({}, {}) for _ in self.features)
        stacks = self._advanced(empty, slots, self.visibility(slots))
        return InformationState(tuple(slots), 0, plays, plays, stacks)

    def _advanced(
        self, stacks: tuple[StackTracker, ...], slots: Sequence[int], visibility: Visibility
    ) -> tuple[StackTracker, ...]:
        return tuple(
            old.advanced(features.read(slots, visibility))
            for old, features in zip(stacks, self.features, strict=True)
        )

    def informs(self, move: int) -> bool:
        """Whether a play informs the viewer whatever it does: a choice of others, or a dictated outcome of chance."""
        return move < 0 or self.machine.player_of(move) != self.observer.viewer

    def logged(self, before: Sequence[int], move: int, seed: str | None) -> LoggedSlots:
        """A play on the traced module with its log, which nobody may change."""
        key = tuple(before), move, seed
        slots = self.last_play.get(key)
        if slots is None:
            slots = play_logged(self.traced, before, move, seed)
            if len(slots.log) <= NOTES_KEPT:
                self.last_play.put(key, slots)
        return slots

    def after(self, before: InformationState, move: int, seed: str | None) -> InformationState:
        """The information state after one more play."""
        if self.informs(move):
            return self.passed(before, self.machine.passed_states(before.slots, move, seed))
        slots = self.logged(before.slots, move, seed)
        stacks, is_informed = before.stacks, False
        if slots.has_chance or not slots.changed.isdisjoint(self.observer.depends_on):
            stacks, is_informed = self._followed(before, slots.log)
        if slots.has_chance or not slots.changed.isdisjoint(self._relevant):
            stacks = self._advanced(stacks, slots, self.visibility(slots))
        plays = before.plays + 1
        undo_limit = plays if is_informed else before.undo_limit
        return InformationState(tuple(slots), before.moves + 1, plays, undo_limit, stacks)

    def passed(
        self, before: InformationState, states: Sequence[tuple[int, ...]]
    ) -> InformationState:
        """The information state after a play that informs the viewer, from the states of `Machine.passed_states`.

        Other viewers share the states. It costs less than to follow the play step by step.
        """
        stacks, last = before.stacks, before.slots
        for slots in states:
            if any(slots[part] != last[part] for part in self._relevant_slots):
                stacks = self._advanced(stacks, slots, self.visibility(slots))
            last = slots
        plays = before.plays + 1
        return InformationState(last, before.moves + 1, plays, plays, stacks)

    def stacks_at(
        self,
        before: tuple[Sequence[int], tuple[StackTracker, ...]] | None,
        slots: Sequence[int],
    ) -> tuple[StackTracker, ...]:
        """The stacks in a state, from those in the state at the moment before it; None at the beginning."""
        if before is None:
            return self.begin(slots).stacks
        last, stacks = before
        if all(slots[part] == last[part] for part in self._relevant_slots):
            return stacks
        return self._advanced(stacks, slots, self.visibility(slots))

    @cached_property
    def _relevant_slots(self) -> tuple[slice, ...]:
        return self.observer.schema.slots_of(self._relevant)

    @cached_property
    def _relevant(self) -> frozenset[str]:
        """The variables on whose values the stacks depend."""
        read = (features.variables for features in self.features)
        return self.observer.depends_on.union(*read)

    def _followed(
        self, before: InformationState, log: Sequence[Note]
    ) -> tuple[tuple[StackTracker, ...], bool]:
        """The stacks after the last chance point of a play, and whether the play informs the viewer."""
        cursor = ReplayCursor(self, before.slots)
        stacks, visibility_before = before.stacks, cursor.visibility
        is_informed = may_have_moved = False
        for note in log:
            if isinstance(note, ChanceNote):
                if may_have_moved:
                    stacks = self._advanced(stacks, cursor.slots, cursor.visibility)
                    may_have_moved = False
                is_informed = is_informed or self._sees_outcome(cursor, note)
            elif isinstance(note, CHANGES):
                may_have_moved = may_have_moved or note.variable in self._relevant
                if cursor.apply(note) and not is_informed:
                    is_informed = cursor.visibility.reveals(visibility_before)
        return stacks, is_informed

    def _sees_outcome(self, cursor: ReplayCursor, note: ChanceNote) -> bool:
        """Whether the viewer sees the outcome of a chance point."""
        if isinstance(self.traced.points[note.point], DicePoint):
            return True
        type_ = self.traced.facts.outcome_type(note.point)
        if RedactedFormatter(cursor.visibility, cursor.slots, self.labels).hides_draws_of(type_):
            return False
        return cursor.visibility.hidden_piece(note.outcome, type_) is None


class ReplayCursor:
    """A state within a play, advanced note by note, with what is hidden from an observer."""

    def __init__(self, tracker: ObservationTracker, slots: Sequence[int]) -> None:
        self.tracker = tracker
        self.slots = list(slots)
        self._visibility: Visibility | None = tracker.visibility(slots)

    @property
    def visibility(self) -> Visibility:
        """What is hidden now."""
        if self._visibility is None:
            self._visibility = self.tracker.visibility(self.slots)
        return self._visibility

    def apply_and_compare(self, note: Note) -> bool:
        """Apply a note to the state; return whether what is hidden has changed."""
        before = self._visibility
        return self.apply(note) and before != self.visibility

    def apply(self, note: Note) -> bool:
        """Apply a note to the state; return whether what is hidden may have changed."""
        observer = self.tracker.observer
        if not isinstance(note, CHANGES):
            return False
        apply_note(observer.schema, self.slots, note)
        if note.variable not in observer.depends_on:
            return False
        self._visibility = None
        return True


def tracker_of(game: BaseGame, viewer: int) -> ObservationTracker:
    """The tracker of a viewer for games of one ruleset and choice of settings."""

    def make() -> ObservationTracker:
        ruleset, schema = game.ruleset, game.state.schema
        observer = Observer(schema, secrets_of(schema, game.machine.secrets), viewer)
        traced = ruleset.machine(game.settings, traced=True)
        last_play: LastPlay = ruleset.compiled.memo((LastValue, game.settings), LastValue)
        labels = ruleset.in_language("en").labels
        return ObservationTracker(observer, game.machine, traced, labels, last_play)

    return game.ruleset.compiled.memo((ObservationTracker, game.settings, viewer), make)


def information_state(game: BaseGame, viewer: int) -> InformationState:
    """What a player, or a spectator, has observed of a game so far.

    The first call for a game replays it from its beginning, in time linear in its plays.
    """
    tracker, key = tracker_of(game, viewer), (InformationState, viewer)
    state: InformationState | None = game.derived.get(key)
    if state is None:
        state = tracker.begin(game.initial_slots())
    moves = game.moves[state.moves :]
    if not moves:
        game.derived[key] = state
        return state
    last_decision_at = _last_index(moves, lambda move: move >= 0)
    # The last play that informs the viewer limits what can be undone, so the plays before it need not be followed step
    # by step. The state at the last decision is kept as well, so it must be exact there.
    last_informing_at = _last_index(moves[: max(last_decision_at, 0)], tracker.informs)
    for at, move in enumerate(moves):
        if at == last_decision_at:
            game.derived[LAST_DECISION, viewer] = state
        if at < last_informing_at:
            states = tracker.machine.passed_states(state.slots, move, game.chance_seed)
            state = tracker.passed(state, states)
        else:
            state = tracker.after(state, move, game.chance_seed)
    game.derived[key] = state
    return state


def _last_index(moves: Sequence[int], is_wanted: Callable[[int], bool]) -> int:
    """The index of the last move of a kind; -1 if there is none."""
    return max((at for at, move in enumerate(moves) if is_wanted(move)), default=-1)


def last_decision(game: BaseGame, viewer: int) -> InformationState | None:
    """The information state of a player at the last decision before a game; None if there was none yet."""
    information_state(game, viewer)
    decision: InformationState | None = game.derived.get((LAST_DECISION, viewer))
    return decision

"""How one player has followed a game so far: which back is which stack, and what can be taken back.

Each play is played once more on the traced module, and looked at wherever something fell, or what is known
changed. A game keeps what it found, and the games after it go on from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from attrs import field, frozen

from hots_rules.compile.machine import Machine
from hots_rules.compile.points import DicePoint
from hots_rules.compile.traced import ChanceNote, ClearNote, Note, SetNote, play_logged
from hots_rules.observe.observer import Observer, Visibility, secrets_of
from hots_rules.observe.redact import RedactedFormatter
from hots_rules.observe.tracking import ObservableFeatures, StackTracker
from hots_rules.observe.view_data import ViewColumn
from hots_rules.play.game import BaseGame
from hots_rules.rules.typed import value_types as types
from hots_rules.state.labels import Labels


@frozen
class InformationState:
    """What a player remembers at one moment of a game.

    `moves` are the moves of the game that it comes from, `plays` those that the player has seen,
    `floor` how many of them are not to be taken back; `backs` are the stacks of each secret type.
    """

    slots: tuple[int, ...] = field(repr=False)
    moves: int
    plays: int
    floor: int
    backs: tuple[StackTracker, ...] = field(repr=False)


@frozen(slots=False, eq=False)
class ObservationTracker:
    """Follows the plays of one ruleset with the eyes of one player."""

    eyes: Observer
    traced: Machine
    labels: Labels

    @cached_property
    def faces(self) -> tuple[ObservableFeatures, ...]:
        """How the faces of each secret type are read."""
        return tuple(
            ObservableFeatures(self.eyes, number) for number in range(len(self.eyes.kinds))
        )

    @cached_property
    def drafts(self) -> tuple[ViewColumn, ...]:
        """How each variable is drawn in a view."""
        return tuple(
            ViewColumn(self.eyes, variable) for variable in self.eyes.schema.variables.values()
        )

    def begin(self, slots: Sequence[int], plays: int = 0) -> InformationState:
        """What is seen of a state of which nothing came before."""
        look = self.eyes.look(slots)
        nothing = tuple(StackTracker({}, {}) for _ in self.faces)
        return InformationState(tuple(slots), 0, plays, plays, self._followed(nothing, slots, look))

    def _followed(
        self, backs: tuple[StackTracker, ...], slots: Sequence[int], look: Visibility
    ) -> tuple[StackTracker, ...]:
        return tuple(
            old.followed(faces.read(slots, look))
            for old, faces in zip(backs, self.faces, strict=True)
        )

    def after(self, memory: InformationState, move: int, seed: str | None) -> InformationState:
        """What is remembered after one more play."""
        slots = play_logged(self.traced, memory.slots, move, seed)
        now = ReplayCursor(self.eyes, memory.slots)
        backs, first = memory.backs, now.look
        learned = self._is_news(move)
        for note in slots.log:
            if isinstance(note, ChanceNote):
                backs = self._followed(backs, now.slots, now.look)
                learned = learned or self._sees(now, note)
            elif now.applies(note) and not learned:
                learned = now.look.newly_known(first)
        backs = self._followed(backs, slots, self.eyes.look(slots))
        plays = memory.plays + 1
        floor = plays if learned else memory.floor
        return InformationState(tuple(slots), memory.moves + 1, plays, floor, backs)

    def _is_news(self, move: int) -> bool:
        """Whether a move was dictated luck or the choice of somebody else."""
        return move < 0 or self.traced.player_of(move) != self.eyes.viewer

    def _sees(self, now: ReplayCursor, note: ChanceNote) -> bool:
        """Whether the viewer sees what falls at a chance point."""
        if isinstance(self.traced.points[note.point], DicePoint):
            return True
        type_ = self.traced.facts.outcome_type(note.point)
        if RedactedFormatter(now.look, now.slots, self.labels).hides_draws_of(type_):
            return False
        return now.look.hidden_thing(note.outcome, type_) is None


class ReplayCursor:
    """A state within a play, brought on note by note, with what the viewer sees of it."""

    def __init__(self, eyes: Observer, slots: Sequence[int]) -> None:
        self.eyes = eyes
        self.slots = list(slots)
        self._look: Visibility | None = eyes.look(slots)

    @property
    def look(self) -> Visibility:
        """What is hidden now."""
        if self._look is None:
            self._look = self.eyes.look(self.slots)
        return self._look

    def takes(self, note: Note) -> bool:
        """Brings the state on by what a note says; whether what is known has changed with it."""
        before = self._look
        return self.applies(note) and before != self.look

    def applies(self, note: Note) -> bool:
        """Brings the state on by what a note says; whether what is known may have changed with it."""
        if not isinstance(note, SetNote | ClearNote):
            return False
        if isinstance(note, SetNote):
            self._put(note.variable, note.slot, note.code)
        else:
            variable = self.eyes.schema.variables[note.variable]
            for slot in range(variable.base, variable.base + len(variable.key_codes)):
                self._put(note.variable, slot, types.blank_code(variable.type))
        if note.variable not in self.eyes.depends:
            return False
        self._look = None
        return True

    def _put(self, name: str, slot: int, code: int) -> None:
        index = self.eyes.schema.indexes.get(name)
        if index is not None:
            bit = 1 << slot - self.eyes.schema.variables[name].base
            self.slots[index + self.slots[slot]] &= ~bit
            self.slots[index + code] |= bit
        self.slots[slot] = code


def tracker_of(game: BaseGame, viewer: int) -> ObservationTracker:
    """The tracker of a viewer for games of one ruleset and choice of settings."""

    def make() -> ObservationTracker:
        ruleset = game.ruleset
        secrets = secrets_of(ruleset.schema, game.machine.secrets)
        observer = Observer(ruleset.schema, secrets, viewer)
        traced = ruleset.machine(game.settings, traced=True)
        return ObservationTracker(observer, traced, ruleset.in_language("en").labels)

    return game.ruleset.compiled.memo((ObservationTracker, game.settings, viewer), make)


def information_state(game: BaseGame, viewer: int) -> InformationState:
    """What a player, or a spectator, has observed of a game so far.

    The first call for a game replays it from its beginning, in time linear in its plays.
    """
    return list(information_states(game, viewer))[-1]


def information_states(game: BaseGame, viewer: int) -> Iterator[InformationState]:
    """The information states from the last one that is cached to that of the game, play by play."""
    tracker, key = tracker_of(game, viewer), (InformationState, viewer)
    state: InformationState | None = game.carried.get(key)
    if state is None:
        state = tracker.begin(game.initial_slots())
    yield state
    for move in game.moves[state.moves :]:
        state = tracker.after(state, move, game.chance_seed)
        yield state
    game.carried[key] = state

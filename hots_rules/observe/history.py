"""The history of a game as one viewer observed it: what was seen at each moment, and which steps were seen.

A *moment* is a decision or a chance point; a *step* is a choice or an outcome of chance between two of them. Nothing in
a history depends on what the viewer cannot know, so whatever follows from it can be told to the viewer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from operator import itemgetter
from typing import Any

from attrs import field, frozen

from hots_rules.compile.codes import POINT, DecisionPoint, DicePoint, bits
from hots_rules.compile.facts import Variable
from hots_rules.compile.machine import Machine
from hots_rules.observe.information_state import ObservationTracker, tracker_of
from hots_rules.observe.observed_trace import observed_steps
from hots_rules.observe.observer import Visibility
from hots_rules.observe.redact import RedactedFormatter
from hots_rules.observe.stacks import Features, StackTracker
from hots_rules.play.game import BaseGame
from hots_rules.play.notation import Notation
from hots_rules.play.trace import Step
from hots_rules.rules.typed import value_types as types

Packed = tuple[int, ...]
Stacks = tuple[StackTracker, ...]
HIDDEN = -(1 << 40)
"""In place of the code of a value that is, or has, a hidden piece."""


@frozen
class Hidden:
    """Which pieces are hidden, and which cells that no hidden piece is a key of: each as masks."""

    pieces: tuple[int, ...]
    cells: tuple[int, ...]


@frozen
class Moment:
    """What a viewer observes at a decision, at a chance point or at the end.

    Attributes:
        point: the number of the suspension point; 0 at the end.
        asked: the players who are to choose, as a mask.
        own: the codes of the viewer's legal actions.
        hidden: which pieces and cells are hidden.
        public: the values of the cells that are not.
        stacks: for each secret type, the stack and the features of each hidden piece, sorted.
    """

    point: int
    asked: int
    own: tuple[int, ...]
    hidden: Hidden
    public: Packed = field(repr=False)
    stacks: tuple[tuple[tuple[int, Features], ...], ...] = field(repr=False)


@frozen
class ObservedStep:
    """What a viewer observes of a choice or an outcome of chance.

    Attributes:
        move: the move, if the viewer knows it; else None.
        form: the number of the action of another's choice; -1 for a choice in secret and for chance.
        chooser: the number of the player who chose; -1 for chance.
        known: the arguments of the choice that the viewer knows; None in place of others.
        log: the steps that were observed, if the move is not known.
    """

    move: int | None
    form: int = -1
    chooser: int = -1
    known: tuple[int | None, ...] = ()
    log: tuple[Step, ...] = ()


@frozen(eq=False)
class History:
    """All that a viewer observed: one step lies between each two moments.

    Attributes:
        beginnings: states at which the game may have begun.
        tracked: the moment from which on hidden pieces are followed: the first decision, or the first to be answered.
        moments: what was seen at each moment.
        steps: what was seen between them.
        derived: what follows from the history alone.
    """

    beginnings: tuple[Packed, ...] = field(repr=False)
    tracked: int
    moments: tuple[Moment, ...] = field(repr=False)
    steps: tuple[ObservedStep, ...] = field(repr=False)
    derived: dict[str, Any] = field(factory=dict, repr=False)

    def up_to(self, steps: int) -> History:
        """The history after its first steps."""
        if steps == len(self.steps):
            return self
        return History(self.beginnings, self.tracked, self.moments[: steps + 1], self.steps[:steps])


@frozen(slots=False, eq=False)
class MomentReader:
    """Reads what one viewer observes of states and steps."""

    tracker: ObservationTracker
    notation: Notation

    # -------------------------------------------------------------- what is hidden
    @cached_property
    def _masks(self) -> dict[tuple[int, ...], tuple[int, ...]]:
        return {}

    def _keyed_by_hidden(self, pieces: tuple[int, ...]) -> tuple[int, ...]:
        """For each variable, the offsets of the cells that a hidden piece is a key of, as a mask."""
        masks = self._masks.get(pieces)
        if masks is None:
            visibility = Visibility(self.tracker.observer, pieces, {})
            masks = self._masks[pieces] = tuple(
                sum(
                    1 << offset
                    for offset, keys in enumerate(variable.key_codes)
                    for key, type_ in zip(keys, variable.keys, strict=True)
                    if visibility.hidden_piece(key, type_) is not None
                )
                if any(self.tracker.observer.may_be_hidden(type_) for type_ in variable.keys)
                else 0
                for variable in self.tracker.observer.schema.variables.values()
            )
        return masks

    def hidden(self, visibility: Visibility) -> Hidden:
        """What is hidden, without telling which hidden piece a cell is about."""
        key = visibility.pieces, tuple(visibility.cells.values())
        hidden = self._hidden.get(key)
        if hidden is None:
            hidden = self._hidden[key] = self._without_hidden_keys(visibility)
        return hidden

    @cached_property
    def _hidden(self) -> dict[tuple[tuple[int, ...], tuple[int, ...]], Hidden]:
        return {}

    def _without_hidden_keys(self, visibility: Visibility) -> Hidden:
        names = self.tracker.observer.schema.variables
        masks = dict(zip(names, self._keyed_by_hidden(visibility.pieces), strict=True))
        return Hidden(
            visibility.pieces,
            tuple(mask & ~masks[name] for name, mask in sorted(visibility.cells.items())),
        )

    # -------------------------------------------------------------- what is public
    @cached_property
    def _projections(self) -> dict[Hidden, Projection]:
        return {}

    def public(self, slots: Sequence[int], hidden: Hidden) -> Packed:
        """The values of all cells that are not hidden."""
        return self.projection(hidden).read(slots)

    def projection(self, hidden: Hidden) -> Projection:
        """The reader of what is not hidden."""
        projection = self._projections.get(hidden)
        if projection is None:
            projection = self._projections[hidden] = self._projection(hidden)
        return projection

    def cell_at(self, slot: int) -> tuple[Variable, int] | None:
        """The variable and the offset of a slot, if it is one of a variable."""
        for variable in self.tracker.observer.schema.variables.values():
            if variable.base <= slot < variable.base + len(variable.key_codes):
                return variable, slot - variable.base
        return None

    def _projection(self, hidden: Hidden) -> Projection:
        observer = self.tracker.observer
        cells = dict(zip(sorted(observer.secret_variables), hidden.cells, strict=True))
        visibility = Visibility(observer, hidden.pieces, {})
        plain: list[int] = []
        naming: list[tuple[int, types.Type]] = []
        for variable, keyed in zip(
            observer.schema.variables.values(), self._keyed_by_hidden(hidden.pieces), strict=True
        ):
            mask, may_name = (
                keyed | cells.get(variable.name, 0),
                observer.may_be_hidden(variable.type),
            )
            for offset in range(len(variable.key_codes)):
                if mask >> offset & 1:
                    continue
                if may_name:
                    naming.append((variable.base + offset, variable.type))
                else:
                    plain.append(variable.base + offset)
        return Projection(tuple(plain), tuple(naming), visibility)

    # -------------------------------------------------------------- moments
    def stacks_of(self, stacks: Stacks) -> tuple[tuple[tuple[int, Features], ...], ...]:
        """The stack and the features of each hidden piece, whichever it is."""
        return tuple(tuple(sorted(tracker.seen())) for tracker in stacks)

    def moment(
        self,
        machine: Machine,
        slots: Sequence[int],
        stacks: Stacks,
        before: Moment | None = None,
    ) -> Moment:
        """What the viewer observes in a state."""
        hidden = self.hidden(self.tracker.visibility(slots))
        point, asked, own = slots[POINT], 0, tuple[int, ...]()
        if isinstance(machine.point(list(slots)), DecisionPoint):
            asked, viewer = machine.players(list(slots)), self.tracker.observer.viewer
            codes = machine.legal(list(slots)) if viewer >= 0 and asked >> viewer & 1 else ()
            own = tuple(code for code in codes if machine.player_of(code) == viewer)
        seen = self.stacks_of(stacks)
        if before is not None and before.stacks == seen:
            seen = before.stacks  # shared, so that it is compared once
        return Moment(point, asked, own, hidden, self.public(slots, hidden), seen)

    # -------------------------------------------------------------- steps
    def step(self, machine: Machine, before: Packed, move: int) -> ObservedStep:
        """What the viewer observes of a move in a state."""
        if move < 0:
            return self._outcome(machine, before, move)
        chooser = machine.player_of(move)
        if chooser == self.tracker.observer.viewer:
            return ObservedStep(move)
        point = machine.points[-1 - before[POINT]]
        if isinstance(point, DecisionPoint) and point.waiting is not None:
            return ObservedStep(None, -1, chooser, (), self.log(before, move))
        form = self.notation.form_of(move)
        _, args = form.decode(move, len(self.tracker.observer.schema.players))
        visibility = self.tracker.visibility(before)
        redacted = RedactedFormatter(visibility, before, self.tracker.labels)
        known = tuple(
            None if self._may_hide(visibility, redacted, arg, type_) else arg
            for arg, (_, type_) in zip(args, form.params, strict=True)
        )
        if None not in known:
            return ObservedStep(move)
        return ObservedStep(None, machine.action_of(move), chooser, known, self.log(before, move))

    def _outcome(self, machine: Machine, before: Packed, move: int) -> ObservedStep:
        number = -1 - before[POINT]
        if isinstance(machine.points[number], DicePoint):
            return ObservedStep(move)
        type_, visibility = machine.facts.outcome_type(number), self.tracker.visibility(before)
        redacted = RedactedFormatter(visibility, before, self.tracker.labels)
        if not self._may_hide(visibility, redacted, -1 - move, type_):
            return ObservedStep(move)
        return ObservedStep(None, log=self.log(before, move))

    def _may_hide(
        self, visibility: Visibility, redacted: RedactedFormatter, code: int, type_: types.Type
    ) -> bool:
        return redacted.hides_draws_of(type_) or _blinded(code, type_, visibility) != code

    def log(self, before: Packed, move: int) -> tuple[Step, ...]:
        """The steps of a move that the viewer observes."""
        return observed_steps(self.tracker, self.notation, before, move, None)


@frozen(slots=False, eq=False)
class Projection:
    """Reads the cells that are not hidden: those that name no piece, and those that may."""

    plain: tuple[int, ...]
    naming: tuple[tuple[int, types.Type], ...]
    visibility: Visibility

    @cached_property
    def _plain(self) -> itemgetter[Any]:
        return itemgetter(*self.plain, POINT, POINT)

    @property
    def slots(self) -> tuple[int, ...]:
        """The slots of the values that `read` gives, in order."""
        return (*self.plain, POINT, POINT, *(slot for slot, _ in self.naming))

    def read(self, slots: Sequence[int]) -> Packed:
        """Their values; in place of a hidden piece is a number of its own."""
        return (
            *self._plain(slots),
            *(_blinded(slots[slot], type_, self.visibility) for slot, type_ in self.naming),
        )


def _blinded(code: int, type_: types.Type, visibility: Visibility) -> int:
    """The code of a value without the hidden pieces in it."""
    match type_:
        case types.WordType():
            return code if visibility.hidden_piece(code, type_) is None else HIDDEN
        case types.SetType():
            if not code or not visibility.observer.may_be_hidden(type_.member):
                return code
            seen = (
                member
                for member in bits(code)
                if _blinded(member, type_.member, visibility) == member
            )
            return sum(1 << member for member in seen)
        case types.PairType():
            left, right = types.pair_parts(type_, code)
            hides = _blinded(left, type_.left, visibility) != left
            return HIDDEN if hides or _blinded(right, type_.right, visibility) != right else code
    return code


# ------------------------------------------------------------------ of a game
def reader_of(game: BaseGame, viewer: int) -> MomentReader:
    """The reader of a viewer for games of one ruleset and choice of settings."""

    def make() -> MomentReader:
        english = game.ruleset.in_language("en")
        return MomentReader(tracker_of(game, viewer), english.notation)

    return game.ruleset.compiled.memo((MomentReader, game.settings, viewer), make)


def single_steps(
    machine: Machine, slots: Sequence[int], moves: Sequence[int], seed: str | None
) -> Iterator[tuple[int, Packed]]:
    """Each choice and each outcome of chance, as moves, with the state after it; outcomes before the moves as well."""
    after = list(slots)
    for move in (None, *moves):
        if move is not None:
            machine.move(after, move, None)
            yield move, tuple(after)
        while seed is not None and after[POINT] < 0:
            point = machine.points[-1 - after[POINT]]
            if isinstance(point, DecisionPoint):
                break
            outcome = machine.sample(after, point, seed)
            machine.resume(after, outcome, None)
            yield -1 - outcome, tuple(after)

"""Reads what one viewer observes of the states and the moves of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from operator import itemgetter

from attrs import evolve, frozen

from hots_rules.compile.codes import OUTCOME, POINT, REASON, DecisionPoint, DicePoint, bits
from hots_rules.compile.facts import Variable
from hots_rules.compile.machine import Machine
from hots_rules.compile.traced import play_logged
from hots_rules.observe.courses.history import HIDDEN, Hidden, Moment, ObservedStep, Packed, Stacks
from hots_rules.observe.information_state import ObservationTracker, tracker_of
from hots_rules.observe.observed_trace import RedactedTraceReader
from hots_rules.observe.observer import Visibility
from hots_rules.observe.redact import RedactedFormatter
from hots_rules.observe.stacks import Features
from hots_rules.play.game import BaseGame
from hots_rules.play.notation import Notation
from hots_rules.play.trace import Step
from hots_rules.rules.typed import value_types as types


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
        self, machine: Machine, slots: Sequence[int], stacks: Stacks, before: Moment | None = None
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
        log, has_redacted = self._log(before, move)
        observed = self._move(machine, before, move)
        is_told = has_redacted or observed.move is None
        return evolve(observed, log=log if is_told else None)

    def _move(self, machine: Machine, before: Packed, move: int) -> ObservedStep:
        """What the viewer knows of a move."""
        visibility, number = self.tracker.visibility(before), -1 - before[POINT]
        redacted = RedactedFormatter(visibility, before, self.tracker.labels)
        point = machine.points[number]
        if move < 0:
            is_known = isinstance(point, DicePoint) or not self._may_hide(
                visibility, redacted, -1 - move, machine.facts.outcome_type(number)
            )
            return ObservedStep(move if is_known else None)
        chooser = machine.player_of(move)
        if chooser == self.tracker.observer.viewer:
            return ObservedStep(move)
        if isinstance(point, DecisionPoint) and point.waiting is not None:
            return ObservedStep(None, -1, chooser)
        form = self.notation.form_of(move)
        _, args = form.decode(move, len(self.tracker.observer.schema.players))
        arguments = tuple(
            None if self._may_hide(visibility, redacted, arg, type_) else arg
            for arg, (_, type_) in zip(args, form.params, strict=True)
        )
        if None not in arguments:
            return ObservedStep(move)
        return ObservedStep(None, machine.action_of(move), chooser, arguments)

    def _may_hide(
        self, visibility: Visibility, redacted: RedactedFormatter, code: int, type_: types.Type
    ) -> bool:
        return redacted.hides_draws_of(type_) or _blinded(code, type_, visibility) != code

    def lacking(self, before: Packed, move: int, log: Sequence[Step]) -> int:
        """How many steps of a log, at least one, remain from the first that a move does not tell; 0 if it tells all."""
        told = self._trace(before, move).observed_steps()
        for number, step in enumerate(log):
            if next(told, None) != step:
                return len(log) - number
        return 0 if next(told, None) is None else 1

    def _log(self, before: Packed, move: int) -> tuple[tuple[Step, ...], bool]:
        """The steps of a move that the viewer observes, and whether they are about anything hidden."""
        trace = self._trace(before, move)
        steps = tuple(trace.observed_steps())
        return steps, trace.has_redacted

    def _trace(self, before: Packed, move: int) -> RedactedTraceReader:
        notes = play_logged(self.tracker.traced, before, move, None).log
        return RedactedTraceReader(self.tracker, self.notation, before, notes)


@frozen(slots=False, eq=False)
class Projection:
    """Reads the outcome, and the cells that are not hidden: those that name no piece, and those that may."""

    plain: tuple[int, ...]
    naming: tuple[tuple[int, types.Type], ...]
    visibility: Visibility

    @cached_property
    def _plain(self) -> Callable[[Sequence[int]], Packed]:
        return itemgetter(*self.plain, OUTCOME, REASON)

    @property
    def slots(self) -> tuple[int, ...]:
        """The slots of the values that `read` gives, in order."""
        return (*self.plain, OUTCOME, REASON, *(slot for slot, _ in self.naming))

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

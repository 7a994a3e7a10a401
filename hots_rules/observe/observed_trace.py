"""The trace of a play as one player observed it: each step with what the player knew at that step."""

from collections.abc import Iterator, Sequence

from attrs import evolve, frozen

from hots_rules.compile.codes import POINT, DecisionPoint, DicePoint, bits
from hots_rules.compile.facts import Variable
from hots_rules.compile.traced import (
    MOVES,
    ChanceNote,
    ChoiceNote,
    EntryNote,
    Note,
    RuleNote,
    SetNote,
)
from hots_rules.diagnostics.braces import filled
from hots_rules.observe.information_state import ObservationTracker, ReplayCursor
from hots_rules.observe.observer import Piece, Visibility
from hots_rules.observe.redact import RedactedFormatter, gained_values
from hots_rules.play.notation import Notation
from hots_rules.play.trace import Step, TraceReader, apply_note
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.origin import Origin


def observed_steps(
    tracker: ObservationTracker,
    notation: Notation,
    before: Sequence[int],
    move: int,
    seed: str | None,
) -> tuple[Step, ...]:
    """The steps of one play that the viewer observes."""
    log = tracker.logged(before, move, seed).log
    return tuple(RedactedTraceReader(tracker, notation, before, log).observed_steps())


@frozen
class VisibleStep:
    """A step, the hidden pieces that it names, and whether it names a visible one."""

    step: Step
    hidden: frozenset[Piece]
    has_visible: bool

    @property
    def names_pieces(self) -> bool:
        """Whether it names any piece of a secret type."""
        return self.has_visible or bool(self.hidden)


def without_table_order(run: list[VisibleStep]) -> list[Step]:
    """The steps of a run in an order that reveals no identity of a piece.

    Rules process pieces in the order of their table, and that order would reveal their identity. So the steps
    about visible pieces come first, then the steps of each hidden piece, sorted by their texts. A run that
    names a single hidden piece and no visible one keeps its order.
    """
    hidden = {piece for visible in run for piece in visible.hidden}
    if not hidden or (len(hidden) == 1 and not any(visible.has_visible for visible in run)):
        return [visible.step for visible in run]
    groups: dict[Piece, list[Step]] = {}
    for visible in run:
        for piece in sorted(visible.hidden)[:1]:
            groups.setdefault(piece, []).append(visible.step)
    sorted_groups = sorted(groups.values(), key=lambda steps: [step.text for step in steps])
    without_hidden = [visible.step for visible in run if not visible.hidden]
    return [*without_hidden, *(step for group in sorted_groups for step in group)]


@frozen
class LookAhead:
    """What the viewer sees until the next choice or outcome.

    Attributes:
        laid_open: the values of cells that are seen.
        turned_up: the piece that is seen, if it is the only one.
    """

    laid_open: frozenset[types.Value]
    turned_up: Piece | None


class RedactedTraceReader(TraceReader):
    """Reads the notes of one play as one viewer observes it."""

    def __init__(
        self,
        tracker: ObservationTracker,
        notation: Notation,
        before: Sequence[int],
        log: list[Note],
    ) -> None:
        super().__init__(notation, tracker.traced)
        self._tracker = tracker
        self._before = before
        self._log = log
        self._cursor = ReplayCursor(tracker, before)
        self._kept_formatter: RedactedFormatter | None = None
        self._is_secret = False  # whether the notes are those of another player's secret choice
        # The place of the last choice or outcome in the log, with the state before it and what was hidden there.
        self._last_move = 0, list(before), self._cursor.visibility
        self._kept_ahead: LookAhead | None = None
        # The pieces that the current step names.
        self._hidden: set[Piece] = set()
        self._has_visible = False
        self.has_redacted = False
        """Whether a step read so far is about something that is hidden."""

    def observed_steps(self) -> Iterator[Step]:
        """The steps, in an order that identifies no hidden piece; only changes of the clock are included."""
        run: list[VisibleStep] = []
        for at, note in enumerate(self._log):
            if isinstance(note, RuleNote):  # it changes nothing, and is not reported
                continue
            is_move = isinstance(note, MOVES)
            if is_move:
                self._last_move = at, list(self._cursor.slots), self._cursor.visibility
                self._kept_ahead = None
            if self._cursor.apply_and_compare(note):
                yield from without_table_order(run)
                run = []
            if not self._is_reported(note):
                continue
            self._hidden, self._has_visible = set(), False
            step = self.step(note)
            if step is None:
                continue
            step = self._without_secret_draw(step, note)
            visible = VisibleStep(step, frozenset(self._hidden), self._has_visible)
            # The clock and a phase stand between what comes before and after them.
            divides = isinstance(note, SetNote) or (
                isinstance(note, EntryNote) and note.kind == "phase"
            )
            if is_move or (divides and not visible.names_pieces):
                yield from without_table_order(run)
                yield step
                run = []
            else:
                run.append(visible)
        yield from without_table_order(run)

    @property
    def _ahead(self) -> LookAhead:
        """What the viewer sees from the last choice or outcome until the next one; few plays have to know."""
        if self._kept_ahead is None:
            self._kept_ahead = self._look_ahead(*self._last_move)
        return self._kept_ahead

    def _look_ahead(self, start: int, slots: list[int], before: Visibility) -> LookAhead:
        """The values of cells and the pieces that the viewer sees until the next choice or outcome."""
        gained = list[tuple[Variable, SetNote, frozenset[types.Value]]]()
        for at, note in enumerate(self._log[start:]):
            if at and isinstance(note, MOVES):
                break
            if isinstance(note, SetNote):
                variable = self.schema.variables[note.variable]
                gained.append((variable, note, frozenset(gained_values(variable, note, slots))))
            apply_note(self.schema, slots, note)
        after = self._tracker.visibility(slots)
        seen, hidden = set[types.Value](), set[types.Value]()
        for variable, note, values in gained:
            offset = note.slot - variable.base
            is_hidden = before.hides(variable, offset) or after.hides(variable, offset)
            (hidden if is_hidden else seen).update(values)
        shown = [
            (number, piece)
            for number, (old, new) in enumerate(zip(before.pieces, after.pieces, strict=True))
            for piece in bits(old & ~new)
        ]
        # Of several pieces the viewer may not know which was drawn.
        return LookAhead(frozenset(seen - hidden), shown[0] if len(shown) == 1 else None)

    def _is_reported(self, note: Note) -> bool:
        """Whether the viewer observes a note; what chance gives for a secret choice is as secret."""
        if isinstance(note, SetNote):
            return note.variable in self.facts.clock and not self._sets_hidden_cell(note)
        if isinstance(note, EntryNote):
            self._is_secret = self._is_secret and note.kind == "action"
            return True
        if isinstance(note, ChanceNote):
            return not self._is_secret
        if isinstance(note, ChoiceNote):
            chooser = self.machine.player_of(note.code)
            self._is_secret = self._is_secret_choice() and chooser != self._tracker.observer.viewer
            return True
        return False

    @property
    def _formatter(self) -> RedactedFormatter:
        """The formatter of the state; what it has worked out holds as long as the same is hidden."""
        visibility = self._cursor.visibility
        if self._kept_formatter is None or self._kept_formatter.visibility is not visibility:
            self._kept_formatter = RedactedFormatter(visibility, self._cursor.slots, self.labels)
        return self._kept_formatter

    def _sets_hidden_cell(self, note: SetNote) -> bool:
        variable = self.schema.variables[note.variable]
        return self._cursor.visibility.hides(variable, note.slot - variable.base)

    # -------------------------------------------------------------- values
    def value_text(self, code: int, type_: types.Type) -> str:
        """A value of the state as text, redacted."""
        text = self._formatter.format_value(code, type_)
        self.has_redacted = self.has_redacted or text != self.labels.format_value(code, type_)
        return text

    def argument_text(self, code: int, type_: types.Type) -> str:
        """A value of an event or a phase as text, redacted."""
        piece = self._cursor.visibility.hidden_piece(code, type_)
        if piece is not None:
            self._hidden.add(piece)
        elif isinstance(type_, types.WordType) and self._tracker.observer.pieces_in(type_)[code]:
            self._has_visible = True
        is_single = not isinstance(type_, types.SetType | types.PairType)
        if piece is None and is_single and not self._tracker.observer.has_secret_values(type_):
            return self.labels.format_value(code, type_)
        text = self._formatter.format_event_value(code, type_, lambda: self._ahead.laid_open)
        self.has_redacted = self.has_redacted or text != self.labels.format_value(code, type_)
        return text

    def outcome_text(self, type_: types.Type, dice: tuple[int, ...] | None, outcome: int) -> str:
        """An outcome of chance as text, redacted."""
        if dice is not None:
            return super().outcome_text(type_, dice, outcome)
        piece = self._cursor.visibility.hidden_piece(outcome, type_)
        if piece is not None and piece == self._ahead.turned_up:
            drawn = self.labels.format_value(outcome, type_)
        else:
            drawn = self.value_text(outcome, type_)
        return self.labels.translator.gettext("draw {what}", what=drawn)

    def _without_secret_draw(self, step: Step, note: Note) -> Step:
        if not isinstance(note, ChanceNote):
            return step
        if isinstance(self.machine.points[note.point], DicePoint):
            return step
        type_ = self.facts.outcome_type(note.point)
        if not self._formatter.hides_draws_of(type_):
            return step
        laid_open = self._ahead.laid_open
        if isinstance(type_, types.WordType) and type_.values[note.outcome] in laid_open:
            return step
        return evolve(step, text=self.labels.translator.gettext("draw in secret"), values={})

    # -------------------------------------------------------------- choices
    def action_text(self, code: int) -> str:
        """An action as text; a secret choice of another player is reported without its content."""
        form = self.notation.form_of(code)
        chooser, args = form.decode(code, len(self.schema.players))
        if chooser == self._tracker.observer.viewer:
            # The viewer chose it from a list of actions, so it has the same text as there.
            return self.notation.text(code)
        if self._is_secret_choice():
            name = self.labels.player(chooser)
            return self.labels.translator.gettext("{player} has chosen", player=name)
        texts = {
            name: self._argument(arg, type_)
            for (name, type_), arg in zip(form.params, args, strict=True)
        }
        template = self.notation.template(form)
        text = filled(template, texts)
        return f"{self.labels.player(chooser)}: {text}"

    def action_source(self, code: int) -> tuple[str, Origin]:
        """The name and the origin of an action; of a secret choice among several, the origin of the decision."""
        fact = self.facts.points[-1 - self._before[POINT]]
        is_own = self.machine.player_of(code) == self._tracker.observer.viewer
        if is_own or len(fact.actions) == 1 or not self._is_secret_choice():
            return super().action_source(code)
        return "", fact.origin

    def _is_secret_choice(self) -> bool:
        """Whether several players choose at once, in secret."""
        point = self.machine.points[-1 - self._before[POINT]]
        return isinstance(point, DecisionPoint) and point.waiting is not None

    def _argument(self, code: int, type_: types.Type) -> str:
        """An argument of an action: a piece is named if it is visible, or if the play reveals it at once."""
        piece = self._cursor.visibility.hidden_piece(code, type_)
        if piece is None:
            return self.argument_text(code, type_)
        if self._reveals(*piece):
            return self.labels.format_value(code, type_)
        return self.value_text(code, type_)

    def _reveals(self, type_number: int, piece: int) -> bool:
        """Whether a piece becomes visible in this play before its features change."""
        cursor = ReplayCursor(self._tracker, self._before)
        features = self._tracker.features[type_number]
        for note in self._log:
            old = cursor.slots[note.slot] if isinstance(note, SetNote) else 0
            cursor.apply_and_compare(note)
            if not cursor.visibility.pieces[type_number] >> piece & 1:
                return True
            if isinstance(note, SetNote) and features.concerns(
                piece, note.variable, note.slot, old, note.code
            ):
                return False
        return False

"""A play as one player may know it, each step with the knowledge of its moment."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from attrs import evolve, frozen

from hots_rules.compile.codes import POINT
from hots_rules.compile.points import DecisionPoint, DicePoint
from hots_rules.compile.traced import (
    ChanceNote,
    ChoiceNote,
    EntryNote,
    Note,
    SetNote,
    play_logged,
)
from hots_rules.observe.information_state import ObservationTracker, ReplayCursor
from hots_rules.observe.redact import RedactedFormatter
from hots_rules.play.notation import Notation
from hots_rules.play.trace import Step, TraceReader
from hots_rules.rules.typed import value_types as types


def witnessed(
    looking: ObservationTracker,
    notation: Notation,
    before: Sequence[int],
    move: int,
    seed: str | None,
) -> tuple[Step, ...]:
    """The steps of one play, as far as the viewer sees them."""
    log = play_logged(looking.traced, before, move, seed).log
    return tuple(RedactedTraceReader(looking, notation, before, log).told())


@frozen
class VisibleStep:
    """A step, the hidden things that it is about, and whether it is about one that is not hidden."""

    step: Step
    dark: frozenset[tuple[int, int]]
    is_bright: bool

    @property
    def is_about_things(self) -> bool:
        """Whether it is about any thing of a secret type."""
        return self.is_bright or bool(self.dark)


def in_order(run: list[VisibleStep]) -> list[Step]:
    """The steps of a run: as they came, where one hidden thing and nothing like it is spoken of.

    Else what is known comes first, then each hidden thing with its steps, in the order of their words:
    rules go through things in the order of their table, from which one could guess which they are.
    """
    dark = {thing for told in run for thing in told.dark}
    if not dark or (len(dark) == 1 and not any(told.is_bright for told in run)):
        return [told.step for told in run]
    groups: dict[tuple[int, int], list[VisibleStep]] = {}
    for told in run:
        for thing in sorted(told.dark)[:1]:
            groups.setdefault(thing, []).append(told)
    sorted_groups = sorted(([told.step for told in group] for group in groups.values()), key=_words)
    known = [told.step for told in run if not told.dark]
    return [*known, *(step for group in sorted_groups for step in group)]


def _words(steps: list[Step]) -> list[str]:
    return [step.text for step in steps]


class RedactedTraceReader(TraceReader):
    """Says the notes of one play to one viewer."""

    def __init__(
        self,
        looking: ObservationTracker,
        notation: Notation,
        before: Sequence[int],
        log: list[Note],
    ) -> None:
        super().__init__(notation, looking.traced)
        self._looking = looking
        self._before = before
        self._log = log
        self._moment = ReplayCursor(looking.eyes, before)
        self._dark: set[tuple[int, int]] = set()
        self._bright = False

    def told(self) -> Iterator[Step]:
        """The steps, so ordered that no order of hidden things shows; of what is set the clock alone."""
        run: list[VisibleStep] = []
        for note in self._log:
            turned = self._moment.takes(note)
            if turned:
                yield from in_order(run)
                run = []
            if not self._is_worth_telling(note):
                continue
            self._dark, self._bright = set(), False
            step = self.step(note)
            if step is None:
                continue
            step = self._without_secret_draw(step, note)
            told = VisibleStep(step, frozenset(self._dark), self._bright)
            is_phase = isinstance(note, EntryNote) and note.kind == "phase"
            if isinstance(note, ChoiceNote | ChanceNote) or (is_phase and not told.is_about_things):
                yield from in_order(run)
                yield step
                run = []
            else:
                run.append(told)
        yield from in_order(run)

    def _is_worth_telling(self, note: Note) -> bool:
        if isinstance(note, SetNote):
            return note.variable in self.facts.clock and not self._is_kept(note)
        return isinstance(note, ChoiceNote | ChanceNote | EntryNote)

    @property
    def _veil(self) -> RedactedFormatter:
        return RedactedFormatter(self._moment.look, self._moment.slots, self.labels)

    def _is_kept(self, note: SetNote) -> bool:
        variable = self.schema.variables[note.variable]
        return self._moment.look.hides(variable, note.slot - variable.base)

    # -------------------------------------------------------------- words
    def show(self, code: int, type_: types.Type) -> str:
        """A value of the state in words, with secrets kept."""
        return self._veil.format_value(code, type_)

    def tell(self, code: int, type_: types.Type) -> str:
        """A value that comes with an event or a phase in words, with secrets kept."""
        thing = self._moment.look.hidden_thing(code, type_)
        if thing is not None:
            self._dark.add(thing)
        elif isinstance(type_, types.WordType) and self._looking.eyes.things_in(type_)[code]:
            self._bright = True
        return self._veil.format_event_value(code, type_)

    def outcome(self, type_: types.Type, dice: tuple[int, ...] | None, outcome: int) -> str:
        """An outcome of chance in words, a hidden thing as its back."""
        if dice is not None:
            return super().outcome(type_, dice, outcome)
        return self.labels.translator.gettext("draw {what}", what=self.show(outcome, type_))

    def _without_secret_draw(self, step: Step, note: Note) -> Step:
        if not isinstance(note, ChanceNote):
            return step
        if isinstance(self.machine.points[note.point], DicePoint):
            return step
        if not self._veil.hides_draws_of(self.facts.outcome_type(note.point)):
            return step
        return evolve(step, text=self.labels.translator.gettext("draw in secret"), values={})

    # -------------------------------------------------------------- choices
    def choice(self, code: int) -> str:
        """An action in words; of a choice that another player makes in secret, that it was made."""
        form = self.notation.form_of(code)
        chooser, args = form.decode(code, len(self.schema.players))
        if chooser == self._looking.eyes.viewer:
            return self._own(code)
        if self._is_secret_choice():
            who = self.labels.player(chooser)
            return self.labels.translator.gettext("{player} has chosen", player=who)
        said = {
            name: self._argument(arg, type_)
            for (name, type_), arg in zip(form.params, args, strict=True)
        }
        template = self.notation.template(form)
        text = re.sub(r"\{(\w+)\}", lambda found: said.get(found[1], found[0]), template)
        return f"{self.labels.player(chooser)}: {text}"

    def _own(self, code: int) -> str:
        """An action of the viewer's own: it was chosen from a list, and stands here as there."""
        return self.notation.text(code)

    def _is_secret_choice(self) -> bool:
        """Whether several players were asked at once, in secret."""
        point = self.machine.points[-1 - self._before[POINT]]
        return isinstance(point, DecisionPoint) and point.waiting is not None

    def _argument(self, code: int, type_: types.Type) -> str:
        """What an action was about: by name if it is known, or laid open by what is done to it first."""
        thing = self._moment.look.hidden_thing(code, type_)
        if thing is None:
            return self.tell(code, type_)
        return (
            self.labels.format_value(code, type_) if self._opens(*thing) else self.show(code, type_)
        )

    def _opens(self, kind: int, thing: int) -> bool:
        moment, faces = ReplayCursor(self._looking.eyes, self._before), self._looking.faces[kind]
        for note in self._log:
            old = moment.slots[note.slot] if isinstance(note, SetNote) else 0
            moment.takes(note)
            if not moment.look.things[kind] >> thing & 1:
                return True
            if isinstance(note, SetNote) and faces.concerns(
                thing, note.variable, note.slot, old, note.code
            ):
                return False
        return False

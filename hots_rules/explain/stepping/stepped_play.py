"""One play, step by step: what each step changed, what led to it, and the state around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import define, field, frozen

from hots_rules._text import with_signs
from hots_rules.compile.traced import ChoiceNote, ClearNote, EntryNote, Note, SetNote, play_logged
from hots_rules.explain.causes import causing_steps
from hots_rules.play.game import BaseGame
from hots_rules.play.trace import Step, TraceReader, apply_note
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.origin import Origin


@frozen
class Moment:
    """A moment of a game between two steps of its rules: the step that was just done.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> moment = hr.explain.Stepper(game.play(game.actions[0])).step()
    >>> moment.play, moment.index, moment.depth, moment.step.kind
    (1, 0, 0, 'action')

    Attributes:
        play: the number of the play, from 1.
        index: the number of the step in the play, from 0.
        step: the step.
        depth: how many steps led to it within the play.
        changes: for each cell that it changed its name, with its value before and after.
        place: the file and the line of the rule.
    """

    play: int
    index: int
    step: Step
    depth: int
    changes: tuple[tuple[str, str, str], ...]
    place: str

    def __str__(self) -> str:
        cited = with_signs(self.step.sections)
        text = "; ".join(f"{cell}: {before} → {after}" for cell, before, after in self.changes)
        return f"{text or self.step.text} ({cited})" if cited else text or self.step.text


@define(eq=False)
class SteppedPlay:
    """The steps of one play with the states between them.

    What no step shows, such as a change of an internal variable, happens together with the step before it.

    Attributes:
        steps: the steps, as in a trace.
        causes: for each step the index of the one that led to it.
    """

    _game: BaseGame
    _number: int
    _before: Sequence[int]
    _log: list[Note] = field(init=False)
    _notes: list[Note] = field(init=False)
    _ends: list[int] = field(init=False)
    _reader: TraceReader = field(init=False)
    steps: list[Step] = field(init=False)
    causes: list[int | None] = field(init=False)
    _at: int = field(default=0, init=False)
    _slots: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        game = self._game
        machine = game.ruleset.machine(game.settings, traced=True)
        move = game.moves[self._number - 1]
        self._reader = TraceReader(game.notation, machine)
        self._log = list(play_logged(machine, self._before, move, game.chance_seed).log)
        steps = [self._reader.step(note) for note in self._log]
        shown = [number for number, step in enumerate(steps) if step is not None]
        self._notes = [self._log[number] for number in shown]
        # The number of notes up to the end of each step.
        self._ends = [*shown[1:], len(self._log)]
        self.steps = [step for step in steps if step is not None]
        self.causes = causing_steps(game.ruleset.linked_rules(game.settings), self.steps)
        self._slots = list(self._before)

    def slots_after(self, index: int) -> list[int]:
        """The packed state after a step; before the first one for -1. Do not change it."""
        end = self._ends[index] if index >= 0 else 0
        if end < self._at:
            self._slots, self._at = list(self._before), 0
        for note in self._log[self._at : end]:
            apply_note(self._reader.schema, self._slots, note)
        self._at = end
        return self._slots

    def chain(self, index: int) -> list[int]:
        """The steps that led to a step, the first one first, and the step itself."""
        backwards = [index]
        while (cause := self.causes[backwards[-1]]) is not None:
            backwards.append(cause)
        return backwards[::-1]

    def depth(self, index: int) -> int:
        """How many steps led to a step."""
        return len(self.chain(index)) - 1

    def moment(self, index: int) -> Moment:
        """A step with what it changed and where its rule is."""
        step, note = self.steps[index], self._notes[index]
        changes = tuple(self._changes(index, note))
        origin = self._origin(note)
        place = "" if origin is None else f"{origin.span.file}:{origin.span.line}"
        return Moment(self._number, index, step, self.depth(index), changes, place)

    def changes_state(self, index: int) -> bool:
        """Whether a variable is set at a step."""
        start = self._ends[index - 1] if index else 0
        return any(
            isinstance(note, SetNote | ClearNote) for note in self._log[start : self._ends[index]]
        )

    def names(self, index: int) -> dict[str, tuple[types.Type, int]]:
        """The actor and the parameters of the action, phases and events around a step, each with its type and value."""
        names: dict[str, tuple[types.Type, int]] = {}
        for cause in self.chain(index):
            names |= self._names_of(self._notes[cause])
        return names

    # -------------------------------------------------------------- notes
    def _names_of(self, note: Note) -> Mapping[str, tuple[types.Type, int]]:
        if isinstance(note, ChoiceNote):
            form = self._game.notation.form_of(note.code)
            player, args = form.decode(note.code, len(self._reader.facts.players))
            actor = self._game.ruleset.compiled.typed.players
            named = {
                name: (type_, code) for (name, type_), code in zip(form.params, args, strict=True)
            }
            return {"actor": (actor, player), **named}
        if isinstance(note, EntryNote):
            facts = self._reader.facts
            params = (facts.events if note.kind == "event" else facts.phases)[note.name]
            # Compiled names end in `·` and a number.
            return {
                param.name.partition("·")[0]: (param.type, code)
                for param, code in zip(params, note.args, strict=True)
            }
        return {}

    def _origin(self, note: Note) -> Origin | None:
        facts = self._reader.facts
        if isinstance(note, ChoiceNote):
            return facts.actions[self._reader.machine.action_of(note.code)].origin
        number = getattr(note, "origin", None)
        return None if number is None else facts.origins[number]

    def _changes(self, index: int, note: Note) -> list[tuple[str, str, str]]:
        if not isinstance(note, SetNote | ClearNote):
            return []
        schema, labels = self._reader.schema, self._reader.labels
        variable = schema.variables[note.variable]
        first, count = variable.base, variable.count
        before = self.slots_after(index - 1)[first : first + count]
        after = self.slots_after(index)[first : first + count]
        set_offset = note.slot - first if isinstance(note, SetNote) else None
        changes = []
        for offset, codes in enumerate(variable.key_codes):
            # A cell that is set is listed even if it keeps its value.
            if offset != set_offset and before[offset] == after[offset]:
                continue
            pairs = zip(codes, variable.keys, strict=True)
            cell = labels.cell_label(variable.name, [labels.format_value(*pair) for pair in pairs])
            was = labels.format_value(before[offset], variable.type)
            changes.append((cell, was, labels.format_value(after[offset], variable.type)))
        return changes

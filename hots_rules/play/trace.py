"""The trace of a play: what happened, and which rule caused it."""

from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from hots_rules._text import with_signs
from hots_rules.compile.codes import DicePoint
from hots_rules.compile.machine import Machine
from hots_rules.compile.traced import (
    ChanceNote,
    ChoiceNote,
    ClearNote,
    EntryNote,
    Note,
    RuleNote,
    SetNote,
    play_logged,
)
from hots_rules.diagnostics.braces import filled
from hots_rules.play.notation import Notation
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.origin import Origin
from hots_rules.state.schema import StateSchema


@frozen
class Step:
    """One step of a trace.

    Attributes:
        kind: "action", "phase", "event", "rule" (a rule that reacted to the event before it), "chance",
            or "set" (a change of the state).
        name: the name of the action, phase, event, rule or variable; empty for an action that another player chose in
            secret among several.
        values: its arguments by name, as text.
        text: the step as a sentence.
        rule: the rule that caused it; of a choice in secret, the rule that asks for it.
        edition: the ruleset that the rule comes from.
        sections: the sections of the rule.
    """

    kind: str
    name: str
    values: Mapping[str, str]
    text: str
    rule: str
    edition: str
    sections: tuple[str, ...]

    def __str__(self) -> str:
        cited = with_signs(self.sections)
        return f"{self.text} ({cited})" if cited else self.text


def apply_note(schema: StateSchema, slots: list[int], note: Note) -> bool:
    """Change a packed state as a note says; return whether it changes any variable."""
    if isinstance(note, SetNote):
        variable = schema.variables[note.variable]
        schema.put(slots, variable, note.slot - variable.base, note.code)
        return True
    if not isinstance(note, ClearNote):
        return False
    variable = schema.variables[note.variable]
    blank = types.blank_code(variable.type)
    for offset in range(variable.count):
        if slots[variable.base + offset] != blank:
            schema.put(slots, variable, offset, blank)
    return True


def trace_of(
    notation: Notation, machine: Machine, before: Sequence[int], move: int, seed: str | None
) -> tuple[Step, ...]:
    """The steps of a move from a packed state, played again on the traced machine."""
    log = play_logged(machine, before, move, seed).log
    return tuple(TraceReader(notation, machine).steps(log))


class TraceReader:
    """Turns the notes of a traced module into steps with texts.

    A subclass that hides something overrides the methods that make the texts, and `action_source`.
    """

    def __init__(self, notation: Notation, machine: Machine) -> None:
        self.schema = notation.schema
        self.machine = machine
        self.facts = machine.facts
        self.labels = notation.labels
        self.notation = notation

    def value_text(self, code: int, type_: types.Type) -> str:
        """A value of the state as text."""
        return self.labels.format_value(code, type_)

    def argument_text(self, code: int, type_: types.Type) -> str:
        """An argument of an event or a phase as text."""
        return self.value_text(code, type_)

    def action_text(self, code: int) -> str:
        """An action as text."""
        return self.notation.text(code)

    def action_source(self, code: int) -> tuple[str, Origin]:
        """The name of an action, and where it is declared."""
        action = self.facts.actions[self.machine.action_of(code)]
        return action.name, action.origin

    def outcome_text(self, type_: types.Type, dice: tuple[int, ...] | None, outcome: int) -> str:
        """An outcome of chance as text."""
        return self.notation.outcome(type_, dice, outcome)

    def steps(self, log: Iterable[Note]) -> list[Step]:
        """The steps of a log, in order."""
        return [step for note in log if (step := self.step(note)) is not None]

    def step(self, note: Note) -> Step | None:
        """The step of a note; None if it has none, as where an internal variable is set."""
        match note:
            case SetNote() | ClearNote() if self.schema.variables[note.variable].is_internal:
                return None
            case ChoiceNote():
                name, origin = self.action_source(note.code)
                return self._step("action", name, {}, self.action_text(note.code), origin)
            case ChanceNote():
                return self._chance(note)
            case EntryNote():
                return self._entry(note) if note.kind != "action" else None
            case RuleNote():
                origin = self.facts.origins[note.origin]
                return self._step("rule", origin.rule, {}, self.labels.summary(origin), origin)
            case SetNote():
                return self._set(note)
            case ClearNote():
                name = self.labels.name("variable", note.variable)
                text = self.labels.translator.gettext("{variable} cleared", variable=name)
                return self._step("set", note.variable, {}, text, self.facts.origins[note.origin])

    def _step(
        self, kind: str, name: str, values: dict[str, str], text: str, origin: Origin
    ) -> Step:
        return Step(kind, name, values, text, *origin.source)

    def _chance(self, note: ChanceNote) -> Step:
        point, fact = self.machine.points[note.point], self.facts.points[note.point]
        dice = self.machine.dice_of(point, note.outcome) if isinstance(point, DicePoint) else None
        text = self.outcome_text(self.facts.outcome_type(note.point), dice, note.outcome)
        values = {"outcome": text.partition(" ")[2]}  # without the verb, `roll` or `draw`
        return self._step("chance", fact.phase, values, text, fact.origin)

    def _entry(self, note: EntryNote) -> Step:
        kind, name = note.kind, note.name
        params = (self.facts.events if kind == "event" else self.facts.phases)[name]
        values = {
            param.name: self.argument_text(code, param.type)
            for param, code in zip(params, note.args, strict=True)
        }
        named = name.replace("_", " ")
        listed = ": " + ", ".join(f"{{{key}}}" for key in values) if values else ""
        template = self.labels.label(f"{kind} {name}", named + listed)
        text = filled(template, values)
        return self._step(kind, name, values, text, self.facts.origins[note.origin])

    def _set(self, note: SetNote) -> Step:
        name, variable = note.variable, self.schema.variables[note.variable]
        codes = variable.key_codes[note.slot - variable.base]
        keys = [
            self.value_text(key, type_) for key, type_ in zip(codes, variable.keys, strict=True)
        ]
        value = self.value_text(note.code, variable.type)
        values = {"variable": name, "keys": ", ".join(keys), "value": value}
        cell = self.labels.cell_label(name, keys)
        text = self.labels.translator.gettext("{cell} is now {value}", cell=cell, value=value)
        return self._step("set", name, values, text, self.facts.origins[note.origin])

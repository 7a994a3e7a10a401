"""A state in words and back: `year 1301`, `Fox: place Shore, strength 3`.

A line gives a variable without keys its value, or, after the keys and a colon, variables with those
keys theirs. What is not said stands at its initial value. Names are those of the ruleset or its
labels; capitals do not matter; `#` starts a comment. See docs/positions.md.
"""

from __future__ import annotations

from attrs import define, field

from hots_rules.compile.codes import HALT, POINT
from hots_rules.compile.facts import Variable
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import BadPosition, HotsError
from hots_rules.rules.typed import value_types as types
from hots_rules.state.schema import StateSchema
from hots_rules.state.shorthand import spelt_out
from hots_rules.state.state import State
from hots_rules.state.values import MAX_SHOWN, ValueParser, parts_of, value_text

MAX_CHARACTERS = 200_000
MAX_FAULTS = 200


def position_text(state: State) -> str:
    """The variables of a state that are not at their initial values; `read_position` reads it."""
    plain: list[str] = []
    rows: dict[str, list[str]] = {}
    for variable, keys, slot in state.schema.cells():
        code = state.slots[slot]
        if code == variable.initial:
            continue
        said = f"{variable.name} {value_text(code, variable.type)}"
        if keys:
            words = (value_text(key, type_) for key, type_ in zip(keys, variable.keys, strict=True))
            rows.setdefault(", ".join(words), []).append(said)
        else:
            plain.append(said)
    lines = [*plain, *(f"{words}: {', '.join(said)}" for words, said in rows.items())]
    return "\n".join(lines) + "\n"


def read_position(schema: StateSchema, machine: Machine, text: str) -> list[int]:
    """The slots of a position, ready to run.

    Raises:
        BadPosition: with every fault; also where an invariant of the ruleset does not hold.
    """
    entry = machine.facts.entry
    if entry is None:
        raise BadPosition(
            (
                "expected a ruleset that says where positions begin, got none: "
                "add `positions begin at PHASE`",
            )
        )
    if not isinstance(text, str):
        raise BadPosition((f"expected a position as text, got {type(text).__name__}",))
    if len(text) > MAX_CHARACTERS:
        raise BadPosition((f"expected at most {MAX_CHARACTERS} characters, got {len(text)}",))
    reader = _Reader(schema, list(machine.initial), schema.value_parser())
    reader.read(text)
    if not reader.faults:
        schema.reindex(reader.slots)
        reader.check(machine)
    if reader.faults:
        raise BadPosition(_shortened(reader.faults))
    slots = reader.slots
    slots[POINT] = entry.block
    slots[entry.return_slot] = HALT
    return slots


def edited_position(state: State, text: str) -> str:
    """A position in words: that of a state, with lines laid over it.

    The lines are those of a position, or as one says them at a table: `place Fox 3 Shore`.

    Raises:
        BadPosition: with every fault of the lines.
    """
    if len(text) > MAX_CHARACTERS:
        raise BadPosition((f"expected at most {MAX_CHARACTERS} characters, got {len(text)}",))
    schema = state.schema
    reader = _Reader(schema, list(state.slots), schema.value_parser())
    lines = text.splitlines()
    reader.read("\n".join(spelt_out(schema, line) or line for line in lines))
    if reader.faults:
        raise BadPosition(_shortened(reader.faults))
    return position_text(State(tuple(reader.slots), schema))


def _shortened(faults: list[str]) -> tuple[str, ...]:
    found = list(dict.fromkeys(faults))
    left = len(found) - MAX_FAULTS
    return (*found[:MAX_FAULTS], *([f"and {left} faults more"] if left > 0 else []))


@define
class _Reader:
    schema: StateSchema
    slots: list[int]
    reading: ValueParser
    faults: list[str] = field(factory=list)
    given: dict[int, int] = field(factory=dict)

    def read(self, text: str) -> None:
        for number, line in enumerate(text.splitlines(), 1):
            bare = line.split("#")[0].strip()
            if bare:
                self._line(number, bare)

    def check(self, machine: Machine) -> None:
        """The invariants, each with its section; one that cannot be computed does not hold."""
        for (name, holds), fact in zip(machine.invariants, machine.facts.invariants, strict=True):
            try:
                if holds(self.slots):
                    continue
            except (HotsError, LookupError, ArithmeticError, ValueError):
                pass
            cited = " ".join(f"§{section}" for section in fact.origin.sections)
            said = fact.origin.summary or name.replace("-", " ")
            self.faults.append(
                f"expected a position in which `{name}` holds: {said} {cited}".rstrip()
            )

    def _fault(self, number: int, text: str) -> None:
        self.faults.append(f"line {number}: {text}")

    def _line(self, number: int, line: str) -> None:
        keys, colon, rest = line.partition(":")
        words = parts_of(keys) if colon else []
        said = parts_of(rest if colon else line)
        if not said:
            self._fault(number, "expected `variable value` after the colon, got nothing")
        for part in said:
            name, _, value = part.partition(" ")
            variable = self.schema.variables.get(name.lower()) or self.schema.variables.get(name)
            if variable is None:
                self._unknown(number, name)
            else:
                self._give(number, variable, words, value.strip())

    def _unknown(self, number: int, name: str) -> None:
        close = self.reading.close(name, self.schema.variables)
        mend = f"; did you mean `{close}`?" if close else ""
        self._fault(number, f"expected a variable, got `{name[:MAX_SHOWN]}`{mend}")

    def _give(self, number: int, variable: Variable, words: list[str], value: str) -> None:
        if len(words) != len(variable.keys):
            form = ", ".join(str(key) for key in variable.keys)
            said = f"`{form}: {variable.name} …`" if form else f"`{variable.name} …`"
            self._fault(number, f"expected {said}, got {_counted(len(words))} before the colon")
            return
        keys = [
            self._value(number, word, type_)
            for word, type_ in zip(words, variable.keys, strict=True)
        ]
        code = self._value(number, value, variable.type)
        known = tuple(key for key in keys if key is not None)
        if code is None or len(known) < len(keys):
            return
        slot = variable.base + variable.offsets[known]
        if slot in self.given:
            of = f" of {', '.join(words)}" if words else ""
            where = "here" if self.given[slot] == number else f"on line {self.given[slot]}"
            self._fault(number, f"expected `{variable.name}`{of} once, got it {where} already")
        self.given[slot] = number
        self.slots[slot] = code

    def _value(self, number: int, text: str, type_: types.Type) -> int | None:
        code = self.reading.value(text, type_)
        while self.reading.faults:
            self._fault(number, self.reading.faults.pop(0))
        return code


def _counted(many: int) -> str:
    return "no key" if not many else "1 key" if many == 1 else f"{many} keys"

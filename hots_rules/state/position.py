"""Positions as text, formatted and parsed: `year 1301`, `Fox: place Shore, strength 3`.

A line sets a variable without keys, or, after keys and a colon, the variables that have those keys.
Variables that no line sets keep their initial value. Names are those of the ruleset or its labels,
in upper or lower case; `#` starts a comment. See docs/positions.md.
"""

from collections.abc import Iterator

from attrs import define, field

from hots_rules.compile.codes import HALT, POINT
from hots_rules.compile.facts import Variable
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import BadPosition, HotsError
from hots_rules.rules.typed import value_types as types
from hots_rules.state.labels import Labels
from hots_rules.state.schema import StateSchema
from hots_rules.state.state import State
from hots_rules.state.values import MAX_SHOWN, ValueParser, parts_of, value_text

MAX_FAULTS = 200
MAX_WORDS = 60


def position_text(state: State) -> str:
    """Format the variables of a state that differ from their initial values, for `read_position`."""
    unkeyed_lines: list[str] = []
    keyed_lines: dict[str, list[str]] = {}
    for variable, keys, slot in state.schema.cells():
        code = state.slots[slot]
        if code == variable.initial:
            continue
        assignment = f"{variable.name} {value_text(code, variable.type)}"
        if keys:
            names = (value_text(key, type_) for key, type_ in zip(keys, variable.keys, strict=True))
            keyed_lines.setdefault(", ".join(names), []).append(assignment)
        else:
            unkeyed_lines.append(assignment)
    lines = unkeyed_lines + [f"{keys}: {', '.join(row)}" for keys, row in keyed_lines.items()]
    return "\n".join(lines) + "\n"


def read_position(schema: StateSchema, machine: Machine, text: str) -> list[int]:
    """Parse a position into the slots of a state that is ready to run.

    Raises:
        BadPosition: lists every fault, including invariants of the ruleset that do not hold.
    """
    entry = machine.facts.entry
    if entry is None:
        raise BadPosition(
            (
                "expected a ruleset that says where positions begin, got none: "
                "add `positions begin at PHASE`",
            )
        )
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
    """The position of a state as text, after the assignments of `text`.

    Each line is a line of a position or a shorthand line such as `place Fox 3 Shore`.

    Raises:
        BadPosition: lists every fault of the lines.
    """
    schema = state.schema
    reader = _Reader(schema, list(state.slots), schema.value_parser())
    lines = text.splitlines()
    reader.read("\n".join(spelt_out(schema, line) or line for line in lines))
    if reader.faults:
        raise BadPosition(_shortened(reader.faults))
    return position_text(State(tuple(reader.slots), schema))


def _shortened(faults: list[str]) -> tuple[str, ...]:
    distinct = list(dict.fromkeys(faults))
    omitted = len(distinct) - MAX_FAULTS
    return (*distinct[:MAX_FAULTS], *([f"and {omitted} faults more"] if omitted > 0 else []))


@define
class _Reader:
    schema: StateSchema
    slots: list[int]
    values: ValueParser
    faults: list[str] = field(factory=list)
    line_of_slot: dict[int, int] = field(factory=dict)

    def read(self, text: str) -> None:
        for number, line in enumerate(text.splitlines(), 1):
            bare = line.split("#")[0].strip()
            if bare:
                self._line(number, bare)

    def check(self, machine: Machine) -> None:
        """Add a fault for every invariant that does not hold or cannot be computed."""
        for (name, holds), fact in zip(machine.invariants, machine.facts.invariants, strict=True):
            try:
                if holds(self.slots):
                    continue
            except (HotsError, LookupError, ArithmeticError, ValueError):
                pass
            cited = " ".join(f"§{section}" for section in fact.origin.sections)
            summary = fact.origin.summary or name.replace("-", " ")
            self.faults.append(
                f"expected a position in which `{name}` holds: {summary} {cited}".rstrip()
            )

    def _fault(self, number: int, text: str) -> None:
        self.faults.append(f"line {number}: {text}")

    def _line(self, number: int, line: str) -> None:
        keys, colon, rest = line.partition(":")
        key_texts = parts_of(keys) if colon else []
        assignments = parts_of(rest if colon else line)
        if not assignments:
            self._fault(number, "expected `variable value` after the colon, got nothing")
        for assignment in assignments:
            name, _, value = assignment.partition(" ")
            variable = self.schema.variables.get(name.lower()) or self.schema.variables.get(name)
            if variable is None:
                self._unknown_variable(number, name)
            else:
                self._assign(number, variable, key_texts, value.strip())

    def _unknown_variable(self, number: int, name: str) -> None:
        close = self.values.close(name, self.schema.variables)
        remedy = f"; did you mean `{close}`?" if close else ""
        self._fault(number, f"expected a variable, got `{name[:MAX_SHOWN]}`{remedy}")

    def _assign(self, number: int, variable: Variable, key_texts: list[str], value: str) -> None:
        if len(key_texts) != len(variable.keys):
            form = ", ".join(str(key) for key in variable.keys)
            expected = f"`{form}: {variable.name} …`" if form else f"`{variable.name} …`"
            got = _key_count(len(key_texts))
            self._fault(number, f"expected {expected}, got {got} before the colon")
            return
        keys = [
            self._value(number, key_text, type_)
            for key_text, type_ in zip(key_texts, variable.keys, strict=True)
        ]
        code = self._value(number, value, variable.type)
        valid_keys = tuple(key for key in keys if key is not None)
        if code is None or len(valid_keys) < len(keys):
            return
        slot = variable.base + variable.offsets[valid_keys]
        if slot in self.line_of_slot:
            of = f" of {', '.join(key_texts)}" if key_texts else ""
            line = self.line_of_slot[slot]
            where = "here" if line == number else f"on line {line}"
            self._fault(number, f"expected `{variable.name}`{of} once, got it {where} already")
        self.line_of_slot[slot] = number
        self.slots[slot] = code

    def _value(self, number: int, text: str, type_: types.Type) -> int | None:
        code = self.values.value(text, type_)
        while self.values.faults:
            self._fault(number, self.values.faults.pop(0))
        return code


def _key_count(count: int) -> str:
    return "no key" if not count else "1 key" if count == 1 else f"{count} keys"


def spelt_out(schema: StateSchema, line: str) -> str | None:
    """Expand a shorthand line to lines of a position; None if the line is not shorthand.

    A shorthand line starts with a variable that has one key. Keys follow, each with values of that
    variable or of others with the same key: `place Fox 3 Shore` is `Fox: strength 3, place Shore`.

    Raises:
        BadPosition: a word of a shorthand line is neither a key nor a value that fits there.
    """
    head, *words = line.split("#")[0].split()[:MAX_WORDS] or [""]
    first = schema.variables.get(head.lower())
    if first is None or ":" in line or not words or not _is_keyed(first):
        return None
    variables = [
        first,
        *(v for v in schema.variables.values() if v.keys == first.keys and v is not first),
    ]
    rows = _ShorthandParser(schema, variables, words).rows()
    return "\n".join(f"{key}: {', '.join(assignments)}" for key, assignments in rows.items())


def _is_keyed(variable: Variable) -> bool:
    return len(variable.keys) == 1 and isinstance(variable.keys[0], types.WordType)


@define
class _ShorthandParser:
    schema: StateSchema
    variables: list[Variable]
    words: list[str]
    at: int = 0
    values_by_key: dict[str, dict[str, str]] = field(factory=dict)
    key: str = ""

    def rows(self) -> dict[str, list[str]]:
        """The assignments (`strength 3`) by key."""
        while self.at < len(self.words):
            if not (self._expects_value and self._take_value()) and not (
                self._take_key() or self._take_value()
            ):
                raise BadPosition((self._fault(),))
        if not all(self.values_by_key.values()):
            raise BadPosition((f"expected a value after `{self.key}`, got the end of the line",))
        return {
            key: [f"{name} {value}" for name, value in assignments.items()]
            for key, assignments in self.values_by_key.items()
        }

    def _fault(self) -> str:
        """The error text for a next word that is neither a key nor, after a key, a value."""
        parser, word = self.schema.value_parser(), self.words[self.at]
        candidates = [self.variables[0].keys[0], *(v.type for v in self.variables if self.key)]
        for type_ in dict.fromkeys(candidates):
            if isinstance(type_, types.WordType):
                parser.value(word, type_)
        near_miss = next((fault for fault in parser.faults if "did you mean" in fault), None)
        return near_miss or parser.faults[0]

    @property
    def _expects_value(self) -> bool:
        """True while the key has no value of the first variable: a word that could be both is it."""
        return self.key != "" and self.variables[0].name not in self.values_by_key[self.key]

    def _take_key(self) -> bool:
        for text, end in self._runs():
            code = self._parse_value(text, self.variables[0].keys[0])
            if code is not None:
                self.key = value_text(code, self.variables[0].keys[0])
                self.values_by_key.setdefault(self.key, {})
                self.at = end
                return True
        return False

    def _take_value(self) -> bool:
        if not self.key:
            return False
        unset = [v for v in self.variables if v.name not in self.values_by_key[self.key]]
        for parse in (self._parse_value, self._parse_last_word):
            for text, end in self._runs():
                for variable in unset:
                    code = parse(text, variable.type)
                    if code is not None:
                        value = value_text(code, variable.type)
                        self.values_by_key[self.key][variable.name] = value
                        self.at = end
                        return True
        return False

    def _runs(self) -> Iterator[tuple[str, int]]:
        """The next one to four words joined, the longest run first, with the index after it."""
        for end in range(min(len(self.words), self.at + 4), self.at, -1):
            yield " ".join(self.words[self.at : end]), end

    def _parse_value(self, text: str, type_: types.Type) -> int | None:
        if isinstance(type_, types.WordType):
            codes = self.schema.value_parser().meanings(text, type_)
            return codes[0] if len(codes) == 1 else None
        if isinstance(type_, types.IntType | types.BoolType):
            return self.schema.value_parser().value(text, type_)
        return None

    def _parse_last_word(self, text: str, type_: types.Type) -> int | None:
        """The only value whose label ends with this word, as `Move 3` ends with `3`."""
        if not isinstance(type_, types.WordType):
            return None
        suffix = f" {text.casefold()}"
        labels = enumerate(Labels(self.schema).words(type_))
        codes = [code for code, label in labels if label.casefold().endswith(suffix)]
        return codes[0] if len(codes) == 1 else None

"""Positions as text, formatted and parsed: `year 1301`, `Fox: place Shore, strength 3`.

A line sets a variable without keys, or, after keys and a colon, the variables that have those keys;
`;` separates several in one line. What no line sets keeps its initial value, or after `like SCENARIO`
the value that it has there. `begin at` names the moment where play begins. Names are those of the
ruleset or its labels, in upper or lower case; `#` starts a comment. See docs/how-to/positions.md.
"""

from collections.abc import Iterable, Sequence

from attrs import define, field

from hots_rules._text import plain_text
from hots_rules.compile.codes import HALT, POINT, DecisionPoint, value_text
from hots_rules.compile.facts import Variable
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import BadPosition, check_kind, names_alike
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.positions import KEPT, NEXT
from hots_rules.state.invariants import AtFault, broken_invariants, failure_text
from hots_rules.state.moment import BEGIN, MomentNotation
from hots_rules.state.schema import StateSchema
from hots_rules.state.shorthand import Shorthand
from hots_rules.state.state import State
from hots_rules.state.values import MAX_SHOWN, ValueParser, parts_of

MAX_FAULTS = 200
LIKE = "like"
_HISTORY = (*KEPT, NEXT)


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


def without_history(text: str) -> tuple[str, int]:
    """The text of a position without the positions that play kept for `repeated`, and how many these are.

    What remains is a position, too: that of a game in which no earlier position counts.

    >>> without_history("turn 3\\nposition_next 2\\n1: gold 4, position_first 5, position_second 6\\n")
    ('turn 3\\n1: gold 4\\n', 1)
    """
    check_kind("text", text, str, "a text")
    lines: list[str] = []
    count = 0
    for line in text.splitlines():
        keys, colon, rest = line.rpartition(": ")
        parts = parts_of(rest)
        others = [part for part in parts if part.split(" ")[0] not in _HISTORY]
        if len(others) == len(parts):
            lines.append(line)
            continue
        count += bool(keys)
        lines += [f"{keys}{colon}{', '.join(others)}"] if others else []
    return "".join(f"{line}\n" for line in lines), count


def read_position(
    schema: StateSchema,
    machine: Machine,
    text: str,
    seed: str = "",
    at_fault: AtFault = lambda name, slots: "",
) -> list[int]:
    """Parse a position into the slots of a state that is ready to run.

    The seed decides the random parts of a scenario that the position is `like`. `at_fault` names the
    members for which an invariant fails.

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
    reader = _read(schema, machine, machine.initial, text, seed)
    slots = reader.slots
    schema.reindex(slots)
    if reader.moment:
        _enter(reader)
    else:
        slots[POINT], slots[entry.return_slot] = entry.block, HALT
    # Invariants need not hold in the midst of what chance decides.
    at_rest = isinstance(machine.point(slots), DecisionPoint | None)
    for broken in broken_invariants(machine, slots) if at_rest else ():
        fails = failure_text(broken, slots, at_fault)
        reader.faults.append(f"expected a position in which `{broken.origin.rule}` holds: {fails}")
    if reader.faults:
        raise BadPosition(_shortened(reader.faults), is_against_rules=True)
    return slots


def _enter(reader: "_PositionReader") -> None:
    """Set the moment that the text names.

    Raises:
        BadPosition: there is no such moment.
    """
    try:
        MomentNotation(reader.machine, reader.values).enter(reader.slots, reader.moment)
    except BadPosition as error:
        place = f"line {reader.line_of_moment}, {BEGIN.strip()}"
        raise BadPosition(f"{place}: {fault}" for fault in error.faults) from None


def full_position(machine: Machine, state: State) -> str:
    """The position of a state as text, with the moment if play does not begin where positions do."""
    return position_text(state) + MomentNotation(machine, state.schema.value_parser()).format(
        list(state.slots)
    )


def unchecked_state(
    schema: StateSchema, machine: Machine, text: str, seed: str
) -> tuple[State, str]:
    """The state of a position of which the invariants need not hold, and the line with its moment, if it has one.

    Raises:
        BadPosition: lists every fault of the lines.
    """
    reader = _read(schema, machine, machine.initial, text, seed)
    moment = f"{BEGIN}{reader.moment}\n" if reader.moment else ""
    return State(tuple(reader.slots), schema), moment


def edited_position(machine: Machine, state: State, text: str, seed: str, moment: str = "") -> str:
    """The position of a state as text, after the assignments of `text`; at `moment` unless it says another one.

    Raises:
        BadPosition: lists every fault of the lines.
    """
    reader = _read(state.schema, machine, state.slots, text, seed)
    kept = "" if reader.is_like else moment
    begin = f"{BEGIN}{reader.moment}\n" if reader.moment else kept
    return position_text(State(tuple(reader.slots), state.schema)) + begin


def _read(
    schema: StateSchema, machine: Machine, base: Sequence[int], text: str, seed: str
) -> "_PositionReader":
    """The reader of a text that has no faults, with the slots of a base changed by it."""
    values = schema.value_parser()
    reader = _PositionReader(schema, machine, seed, list(base), values, Shorthand(schema, values))
    reader.read(text)
    if reader.faults:
        raise BadPosition(_shortened(reader.faults))
    return reader


def _shortened(faults: list[str]) -> tuple[str, ...]:
    distinct = list(dict.fromkeys(faults))
    omitted = len(distinct) - MAX_FAULTS
    return (*distinct[:MAX_FAULTS], *([f"and {omitted} faults more"] if omitted > 0 else []))


@define
class _PositionReader:
    schema: StateSchema
    machine: Machine
    seed: str
    slots: list[int]
    values: ValueParser
    shorthand: Shorthand
    faults: list[str] = field(factory=list)
    line_of_slot: dict[int, int] = field(factory=dict)
    is_first: bool = True
    is_like: bool = False
    moment: str = ""
    line_of_moment: int = 0

    def read(self, text: str) -> None:
        for line_number, line in enumerate(plain_text(text).split("\n"), 1):
            for statement in line.split("#")[0].split(";"):
                if bare := " ".join(statement.split()):  # a tab is a blank
                    self._statement(line_number, bare)
                    self.is_first = False

    def _fault(self, line_number: int, text: str, place: str = "") -> None:
        self.faults.append(f"line {line_number}{', ' if place else ''}{place}: {text}")

    def _statement(self, line_number: int, text: str) -> None:
        head, _, rest = text.partition(" ")
        if text.lower().startswith(BEGIN) and BEGIN.split()[0] not in self.schema.variables:
            self.moment, self.line_of_moment = text[len(BEGIN) :].strip(), line_number
            return
        if head.lower() == LIKE and LIKE not in self.schema.variables:
            self._like(line_number, rest.strip())
            return
        try:
            by_key = self.shorthand.assignments_by_key(text)
        except BadPosition as error:
            self._fault(line_number, error.faults[0], head)
            return
        if by_key is None:
            keys, colon, rest = text.partition(":")
            self._assignments(
                line_number, parts_of(keys) if colon else [], parts_of(rest if colon else text)
            )
            return
        for key, assignments in by_key.items():
            self._assignments(line_number, [key], assignments)

    def _like(self, line_number: int, name: str) -> None:
        """Begin with the values that the variables have at the first decision of a scenario."""
        scenarios = self.machine.facts.scenarios
        if not self.is_first:
            self._fault(line_number, f"expected `{LIKE} {name[:MAX_SHOWN]}` before all other lines")
        elif (scenario := _scenario_of(name, scenarios)) is None:
            listed = f"choose one of {', '.join(scenarios)}"
            remedy = self.values.suggest(name, scenarios).help(listed)
            self._fault(
                line_number, f"expected a scenario, got `{name[:MAX_SHOWN]}`; {remedy}", LIKE
            )
        else:
            self.is_like = True
            slots = self.machine.begin(scenario)
            self.machine.run(slots, slots[POINT], self.seed)
            for _, _, slot in self.schema.cells():
                self.slots[slot] = slots[slot]

    def _assignments(self, line_number: int, keys: list[str], assignments: list[str]) -> None:
        key = ", ".join(keys)[:MAX_SHOWN]
        if not assignments:
            self._fault(line_number, "expected `variable value` after the colon, got nothing", key)
        for assignment in assignments:
            name, _, value = assignment.partition(" ")
            variable = self.schema.variables.get(name) or self.schema.variables.get(name.lower())
            if variable is None:
                remedy = self.values.suggest(name, self.schema.variables).hint()
                before = self.schema.variables.get(key)
                if before is not None and not before.keys:
                    remedy = f"; write `{key} {assignment[:MAX_SHOWN]}`, as `{key}` has no keys"
                self._fault(
                    line_number, f"expected a variable, got `{name[:MAX_SHOWN]}`{remedy}", key
                )
            else:
                self._assign(line_number, variable, keys, value.strip())

    def _assign(
        self, line_number: int, variable: Variable, key_texts: list[str], value: str
    ) -> None:
        of = f" of {', '.join(key_texts)[:MAX_SHOWN]}" if key_texts else ""
        place = variable.name + of
        if len(key_texts) != len(variable.keys):
            form = ", ".join(str(key) for key in variable.keys)
            expected = f"`{form}: {variable.name} …`" if form else f"`{variable.name} …`"
            got = _key_count(len(key_texts))
            self._fault(line_number, f"expected {expected}, got {got} before the colon", place)
            return
        keys = [
            self._value(line_number, key_text, type_, place)
            for key_text, type_ in zip(key_texts, variable.keys, strict=True)
        ]
        code = self._value(line_number, value, variable.type, place)
        valid_keys = tuple(key for key in keys if key is not None)
        if code is None or len(valid_keys) < len(keys):
            return
        slot = variable.base + variable.offsets[valid_keys]
        if slot in self.line_of_slot:
            line = self.line_of_slot[slot]
            where = "here" if line == line_number else f"on line {line}"
            self._fault(line_number, f"expected one value, got one {where} already", place)
        self.line_of_slot[slot] = line_number
        self.slots[slot] = code

    def _value(self, line_number: int, text: str, type_: types.Type, place: str) -> int | None:
        code = self.values.value(text, type_)
        for fault in self.values.take_faults():
            self._fault(line_number, fault, place)
        return code


def _scenario_of(name: str, scenarios: Iterable[str]) -> str | None:
    return next(iter(names_alike(name, scenarios)), None)


def _key_count(count: int) -> str:
    return "no key" if not count else "1 key" if count == 1 else f"{count} keys"

"""A state in words and back: `year 1301`, `Wallace: place Fife, strength 3`.

A line gives a variable without keys its value, or, after the keys and a colon, variables with those
keys theirs. What is not said stands at its initial value. Names are those of the ruleset or its
labels; capitals do not matter; `#` starts a comment.
"""

from __future__ import annotations

import re

from attrs import define, field

from hots_rules.compile.evaluate import lowest_code
from hots_rules.compile.machine import Machine
from hots_rules.compile.program import HALT, POINT
from hots_rules.diagnostics import BadPosition, EngineError, near
from hots_rules.rules import finite as t
from hots_rules.state.shape import Shape, Variable, codes_of
from hots_rules.state.state import State

MAX_CHARACTERS = 200_000
MAX_FAULTS = 200


def position_text(state: State) -> str:
    """The variables of a state that are not at their initial values; `read_position` reads it."""
    shape = state.shape
    plain: list[str] = []
    rows: dict[tuple[str, ...], list[str]] = {}
    for variable, keys, slot in shape.cells():
        code = state.slots[slot]
        if code == variable.initial:
            continue
        said = f"{variable.name} {_written(shape, code, variable.type)}"
        if keys:
            words = tuple(
                _written(shape, key, type_) for key, type_ in zip(keys, variable.keys, strict=True)
            )
            rows.setdefault(words, []).append(said)
        else:
            plain.append(said)
    return (
        "\n".join(
            [*plain, *(f"{', '.join(words)}: {', '.join(said)}" for words, said in rows.items())]
        )
        + "\n"
    )


def _written(shape: Shape, code: int, type_: t.Type) -> str:
    """A value as the ruleset names it, so that it reads back the same in every language."""
    value = shape.plain(code, type_)
    if isinstance(value, list):
        members = [
            v
            if isinstance(v, str)
            else f"({', '.join(map(str, v))})"
            if isinstance(v, list)
            else str(v)
            for v in value
        ]
        return ("{%s}" if isinstance(type_, t.SetType) else "(%s)") % ", ".join(map(str, members))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def read_position(shape: Shape, machine: Machine, text: str) -> list[int]:
    """The slots of a position, ready to run.

    Raises:
        BadPosition: with every fault; also where an invariant of the ruleset does not hold.
    """
    entry = machine.entry
    if entry is None:
        raise BadPosition(
            (
                "expected a ruleset that says where positions begin, got none: add `positions begin at PHASE`",
            )
        )
    if len(text) > MAX_CHARACTERS:
        raise BadPosition((f"expected at most {MAX_CHARACTERS} characters, got {len(text)}",))
    reader = _Reader(shape, list(machine.initial))
    reader.read(text)
    if not reader.faults:
        shape.reindex(reader.slots)
        reader.check(machine)
    if reader.faults:
        raise BadPosition(tuple(reader.faults[:MAX_FAULTS]))
    slots = reader.slots
    slots[POINT] = entry
    slots[machine.facts["entry_back"]] = HALT
    return slots


@define
class _Reader:
    shape: Shape
    slots: list[int]
    faults: list[str] = field(factory=list)
    given: dict[int, int] = field(factory=dict)

    def read(self, text: str) -> None:
        for number, line in enumerate(text.splitlines(), 1):
            bare = line.split("#")[0].strip()
            if bare:
                self._line(number, bare)

    def check(self, machine: Machine) -> None:
        for (name, holds), origin in zip(
            machine.invariants, machine.facts["invariants"], strict=True
        ):
            try:
                if holds(self.slots):
                    continue
            except (EngineError, IndexError):
                pass
            cited = " ".join(f"§{section}" for section in origin["sections"])
            self.faults.append(
                f"expected a position in which `{name}` holds: {origin['summary'] or name.replace('-', ' ')} {cited}".rstrip()
            )

    def _fault(self, number: int, text: str) -> None:
        self.faults.append(f"line {number}: {text}")

    def _line(self, number: int, line: str) -> None:
        keys, colon, rest = line.partition(":")
        words = _split(keys) if colon else []
        for part in _split(rest if colon else line):
            name, _, value = part.partition(" ")
            variable = self.shape.variables.get(name)
            if variable is None:
                close = near(name, list(self.shape.variables))
                self._fault(
                    number,
                    f"expected a variable, got `{name[:50]}`"
                    + (f"; did you mean `{close}`?" if close else ""),
                )
                continue
            self._give(number, variable, words, value.strip())

    def _give(self, number: int, variable: Variable, words: list[str], value: str) -> None:
        if len(words) != len(variable.keys):
            self._fault(
                number,
                f"expected {len(variable.keys)} keys before `{variable.name}`, got {len(words)}",
            )
            return
        keys = tuple(
            self._value(number, word, type_)
            for word, type_ in zip(words, variable.keys, strict=True)
        )
        code = self._value(number, value, variable.type)
        if code is None or None in keys:
            return
        slot = variable.base + variable.key_codes.index(
            tuple(key for key in keys if key is not None)
        )
        if slot in self.given:
            self._fault(
                number,
                f"expected `{variable.name}` once for these keys, got it on line {self.given[slot]} too",
            )
        self.given[slot] = number
        self.slots[slot] = code

    def _value(self, number: int, text: str, type_: t.Type) -> int | None:
        match type_:
            case t.IntType():
                if re.fullmatch(r"-?\d{1,12}", text) and type_.low <= int(text) <= type_.high:
                    return int(text)
                self._fault(number, f"expected a number of {type_}, got `{text[:50]}`")
            case t.BoolType():
                if text.lower() in {"yes", "no", "true", "false"}:
                    return int(text.lower() in {"yes", "true"})
                self._fault(number, f"expected yes or no, got `{text[:50]}`")
            case t.SetType():
                return self._set(number, text, type_)
            case t.PairType():
                return self._pair(number, text, type_)
            case t.WordType():
                return self._word(number, text, type_)
        return None

    def _word(self, number: int, text: str, type_: t.WordType) -> int | None:
        low = text.lower()
        for code, value in enumerate(type_.values):
            if low in {value[1].lower(), self.shape.word(value).lower()}:
                return code
        close = near(text, [value[1] for value in type_.values])
        self._fault(
            number,
            f"expected a value of {type_}, got `{text[:50]}`"
            + (f"; did you mean `{close}`?" if close else ""),
        )
        return None

    def _set(self, number: int, text: str, type_: t.SetType) -> int | None:
        if not (text.startswith("{") and text.endswith("}")):
            self._fault(number, f"expected a set in braces, got `{text[:50]}`")
            return None
        members = [self._value(number, part, type_.member) for part in _split(text[1:-1])]
        return (
            sum({1 << member for member in members if member is not None})
            if None not in members
            else None
        )

    def _pair(self, number: int, text: str, type_: t.PairType) -> int | None:
        parts = _split(text[1:-1]) if text.startswith("(") and text.endswith(")") else []
        if len(parts) != 2:
            self._fault(number, f"expected a pair in parentheses, got `{text[:50]}`")
            return None
        left, right = (
            self._value(number, parts[0], type_.left),
            self._value(number, parts[1], type_.right),
        )
        if left is None or right is None:
            return None
        return (
            (left - lowest_code(type_.left)) * len(codes_of(type_.right))
            + right
            - lowest_code(type_.right)
        )


def _split(text: str) -> list[str]:
    """The parts between commas, braces and parentheses kept whole."""
    parts, depth, start = [], 0, 0
    for i, sign in enumerate(text):
        depth += (sign in "{(") - (sign in "})")
        if sign == "," and depth <= 0:
            parts.append(text[start:i].strip())
            start = i + 1
    last = text[start:].strip()
    return [*parts, last] if last or parts else []

"""A state as a message and back, without loss: also in the middle of a phase."""

from __future__ import annotations

import re
from typing import Any

from hots_rules.compile.codes import OUTCOME, POINT, REASON, bits, codes_of
from hots_rules.compile.facts import Variable
from hots_rules.diagnostics import BadMessage
from hots_rules.formats.messages import StateMessage
from hots_rules.formats.plain import shown, step
from hots_rules.play.ruleset import Ruleset
from hots_rules.rules.typed import value_types as types
from hots_rules.state.schema import StateSchema
from hots_rules.state.state import State
from hots_rules.state.values import name_of, pair_code, value_text

_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,1500}")
MAX_SLOTS = 65_536


def state_message(state: State) -> StateMessage:
    """A state in words; `state_from` reads it."""
    elsewhere = _elsewhere(state.schema, len(state.slots))
    point = " ".join(str(state.slots[slot]) for slot in elsewhere)
    return StateMessage(state.schema.name, state.schema.layout, state.as_dict(), point)


def _elsewhere(schema: StateSchema, many: int) -> list[int]:
    """The slots that are neither of a variable nor of an index: where play stands."""
    taken = {slot for _, _, slot in schema.cells()}
    for name, base in schema.indexes.items():
        taken |= {base + code for code in codes_of(schema.variables[name].type)}
    return [slot for slot in range(many) if slot not in taken]


def state_from(message: StateMessage, ruleset: Ruleset) -> State:
    """The state of a message.

    Raises:
        BadMessage: it is of another ruleset, or a variable or the point has no value that it can have.
    """
    schema = ruleset.schema
    for path, wanted, got in (
        ("$.ruleset", ruleset.name, message.ruleset),
        ("$.layout", schema.layout, message.layout),
    ):
        if wanted != got:
            raise BadMessage(
                path,
                f"expected `{wanted}`, got `{shown(got)}`",
                "read it with the ruleset that it is of",
            )
    slots = list(schema.initial)
    _Variables(schema, slots).read(message.variables)
    schema.reindex(slots)
    elsewhere = _elsewhere(schema, len(slots))
    for slot, code in zip(elsewhere, _point(message.point, ruleset, len(elsewhere)), strict=True):
        slots[slot] = code
    return State(tuple(slots), schema)


def _point(text: str, ruleset: Ruleset, many: int) -> list[int]:
    words = text.split(" ")
    if len(words) != many or not all(_NUMBER.fullmatch(word) for word in words):
        raise BadMessage(
            "$.point", f"expected {many} numbers, got `{shown(text)}`", "send it back as it came"
        )
    found = [int(word) for word in words]
    facts = ruleset.schema.facts
    ranges = {
        POINT: range(-len(facts.points), 1),
        OUTCOME: range(len(ruleset.players) + 2),
        REASON: range(len(facts.origins)),
    }
    for slot, allowed in ranges.items():
        if found[slot] not in allowed:
            raise BadMessage(
                "$.point",
                f"expected a point of the ruleset, got number {slot} as {shown(words[slot])}",
            )
    return found


class _Variables:
    """Reads the variables of a state, all of them and no other."""

    def __init__(self, schema: StateSchema, slots: list[int]) -> None:
        self.schema = schema
        self.slots = slots

    def read(self, variables: Any) -> None:
        known = self.schema.variables
        expect_names(variables, known, "$.variables")
        for name, variable in known.items():
            self._map(variable, (), variables[name], step("$.variables", name))

    def _map(self, variable: Variable, keys: tuple[int, ...], value: Any, path: str) -> None:
        if len(keys) == len(variable.keys):
            slot = variable.base + variable.offsets[keys]
            self.slots[slot] = code_from(value, variable.type, path)
            return
        type_ = variable.keys[len(keys)]
        names = {value_text(code, type_): code for code in codes_of(type_)}
        expect_names(value, names, path)
        for name, code in names.items():
            self._map(variable, (*keys, code), value[name], step(path, name))


def expect_names(value: Any, names: Any, path: str) -> None:
    """An object has a member for each of some names, and no other."""
    if not isinstance(value, dict):
        raise BadMessage(path, f"expected an object, got `{shown(value)}`")
    for name in value:
        if name not in names:
            raise BadMessage(
                path, f"expected no `{shown(name)}`", "send the names of the ruleset alone"
            )
    for name in names:
        if name not in value:
            raise BadMessage(
                path, f"expected `{name}`, got none", "send every variable with every key"
            )


def code_from(value: Any, type_: types.Type, path: str) -> int:
    """The code of a plain value; the inverse of `StateSchema.plain`.

    Raises:
        BadMessage: the type has no such value.
    """
    match type_:
        case types.WordType():
            if (word := _word(value, type_)) is not None:
                return word
        case types.BoolType() if isinstance(value, bool):
            return int(value)
        case types.SetType() if isinstance(value, list):
            codes = [code_from(one, type_.member, f"{path}[{at}]") for at, one in enumerate(value)]
            mask = sum({1 << code for code in codes})
            if codes == list(bits(mask)):
                return mask
            raise BadMessage(path, "expected each member once, in the order of the ruleset")
        case types.PairType() if isinstance(value, list) and len(value) == 2:
            left = code_from(value[0], type_.left, f"{path}[0]")
            return pair_code(left, code_from(value[1], type_.right, f"{path}[1]"), type_)
        case types.IntType() | types.DiceType() if type(value) is int and value in codes_of(type_):
            return value
    raise BadMessage(path, f"expected a value of {type_}, got `{shown(value)}`")


def _word(value: Any, type_: types.WordType) -> int | None:
    """The code of a name, as `name_of` writes it; None if there is none."""
    if value is None:
        return type_.codes.get(types.NONE)
    if not isinstance(value, str):
        return None
    owner, dot, bare = value.rpartition(".")
    known = type_.words.get(bare, [])
    found = next((one for one in known if not dot or one[0] == owner), types.NONE)
    return type_.codes[found] if found != types.NONE and name_of(found, type_) == value else None

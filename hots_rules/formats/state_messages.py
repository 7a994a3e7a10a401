"""A state as a message and back, without loss, also in the middle of a phase."""

import re
from collections.abc import Collection

from hots_rules.compile.codes import OUTCOME, POINT, REASON, bits, codes_of, name_of, value_text
from hots_rules.compile.facts import Variable
from hots_rules.diagnostics import ArgumentError, BadMessage
from hots_rules.formats.json_text import cut, member_path, shown
from hots_rules.formats.messages import StateMessage
from hots_rules.formats.strict import Mismatch, check_keys
from hots_rules.play.game import AnyRuleset
from hots_rules.records.recording import format_choice, parse_choices
from hots_rules.rules.typed import value_types as types
from hots_rules.state.schema import StateSchema
from hots_rules.state.state import State

_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,1500}")


def encode_state(state: State) -> StateMessage:
    """The message of a state; `decode_state` is the inverse."""
    slots = control_slots(state.schema, len(state.slots))
    point = " ".join(str(state.slots[slot]) for slot in slots)
    schema = state.schema
    options, readings = (_chosen(schema, kind) for kind in ("option", "reading"))
    return StateMessage(schema.name, schema.layout, options, readings, state.as_dict(), point)


def _chosen(schema: StateSchema, kind: str) -> dict[str, str]:
    """The value of each option, or of each reading, as text."""
    codes = dict(schema.facts.chosen)
    return {
        fact.name: format_choice(schema.to_python(codes[fact.name], fact.type))
        for fact in schema.facts.settings
        if fact.kind == kind
    }


def control_slots(schema: StateSchema, count: int) -> list[int]:
    """The slots that belong to no variable and no index: the point in the phases, and its frames, in order."""
    taken = {slot for _, _, slot in schema.cells()}
    for name, base in schema.indexes.items():
        taken |= {base + code for code in codes_of(schema.variables[name].type)}
    return [slot for slot in range(count) if slot not in taken]


def decode_state(message: StateMessage, ruleset: AnyRuleset) -> State:
    """The state of a message; the inverse of `encode_state`.

    Raises:
        BadMessage: it is of another ruleset, or a variable or the point has an impossible value.
    """
    _check_equal("$.ruleset", ruleset.name, message.ruleset)
    schema = _schema(message, ruleset)
    _check_equal("$.layout", schema.layout, message.layout)
    slots = list(schema.initial)
    members = _members(message.variables, schema.variables, "$.variables")
    for name, variable in schema.variables.items():
        _read_variable(slots, variable, (), members[name], member_path("$.variables", name))
    schema.reindex(slots)
    control = control_slots(schema, len(slots))
    for slot, code in zip(control, _point(message.point, schema, len(control)), strict=True):
        slots[slot] = code
    return State(tuple(slots), schema)


def _check_equal(path: str, expected: str, got: str) -> None:
    if expected != got:
        cause = f"expected `{expected}`, got `{cut(got)}`"
        raise BadMessage(path, cause, "read the state with the ruleset that it is of")


def _schema(message: StateMessage, ruleset: AnyRuleset) -> StateSchema:
    """The schema under the options and readings of a message; compiled if no game has used them yet."""
    options = parse_choices(message.options, ruleset)
    readings = parse_choices(message.readings, ruleset)
    try:
        return ruleset.schema_under(ruleset.chosen(options, readings))
    except ArgumentError as error:
        place = "$.options" if error.name in options else "$.readings"
        cause, _, remedy = str(error).partition("\nhelp: ")
        raise BadMessage(member_path(place, error.name), f"{cause:.200}", remedy) from None


def _point(text: str, schema: StateSchema, count: int) -> list[int]:
    """The values of the control slots."""
    remedy = "send the point back unchanged"
    words = text.split(" ")
    if len(words) != count or not all(_NUMBER.fullmatch(word) for word in words):
        raise BadMessage("$.point", f"expected {count} integers, got `{shown(text)}`", remedy)
    codes = [int(word) for word in words]
    facts = schema.facts
    ranges = {
        POINT: range(-len(facts.points), 1),
        OUTCOME: facts.outcome_codes,
        REASON: range(len(facts.origins)),
    }
    for slot, allowed in ranges.items():
        if codes[slot] not in allowed:
            cause = f"not a point of the ruleset: number {slot} is {cut(words[slot])}"
            raise BadMessage("$.point", cause, remedy)
    return codes


def _read_variable(
    slots: list[int], variable: Variable, keys: tuple[int, ...], value: object, path: str
) -> None:
    """Write the values of a variable with some first keys into slots."""
    if len(keys) == len(variable.keys):
        slot = variable.base + variable.offsets[keys]
        slots[slot] = code_of_value(value, variable.type, path)
        return
    type_ = variable.keys[len(keys)]
    names = {value_text(code, type_): code for code in codes_of(type_)}
    members = _members(value, names, path)
    for name, code in names.items():
        _read_variable(slots, variable, (*keys, code), members[name], member_path(path, name))


def _members(value: object, names: Collection[str], path: str) -> dict[str, object]:
    """The members of an object that has each of some names, and no other."""
    try:
        return check_keys(value, names)
    except Mismatch as fault:
        raise BadMessage(path, fault.cause, fault.remedy) from None


def code_of_value(value: object, type_: types.Type, path: str) -> int:
    """The code of a plain value; the inverse of `StateSchema.to_python`.

    Raises:
        BadMessage: the type has no such value.
    """
    match type_:
        case types.WordType():
            if (code := _code_of_word(value, type_)) is not None:
                return code
        case types.BoolType() if isinstance(value, bool):
            return int(value)
        case types.SetType() if isinstance(value, list):
            codes = [
                code_of_value(member, type_.member, f"{path}[{index}]")
                for index, member in enumerate(value)
            ]
            mask = sum({1 << code for code in codes})
            if codes == list(bits(mask)):
                return mask
            raise BadMessage(
                path,
                "members of a set are repeated or out of order",
                "send each once, in the order of the ruleset",
            )
        case types.PairType() if isinstance(value, list) and len(value) == 2:
            left = code_of_value(value[0], type_.left, f"{path}[0]")
            return types.pair_code(type_, left, code_of_value(value[1], type_.right, f"{path}[1]"))
        case types.IntType() | types.DiceType() if type(value) is int and value in codes_of(type_):
            return value
    raise BadMessage(
        path, f"expected a value of {type_}, got `{shown(value)}`", "send a value of that type"
    )


def _code_of_word(value: object, type_: types.WordType) -> int | None:
    """The code of a name, as `name_of` writes it; None if there is none."""
    if value is None:
        return type_.codes.get(types.NONE)
    if not isinstance(value, str):
        return None
    owner, dot, bare = value.rpartition(".")
    candidates = type_.words.get(bare, [])
    word = next((word for word in candidates if not dot or word[0] == owner), types.NONE)
    return type_.codes[word] if word != types.NONE and name_of(word, type_) == value else None

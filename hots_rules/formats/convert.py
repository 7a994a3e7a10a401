"""Values of the library as JSON and back. What comes from strangers is taken exactly, or refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin

import attrs
from cattrs import Converter
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from hots_rules.diagnostics import BadMessage, BadRecord, HotsError, closest_match
from hots_rules.formats.messages import StateMessage, refusal
from hots_rules.formats.plain import parse_json, shown, step
from hots_rules.formats.registry import FORMATS, KEY, fields_of, name_of
from hots_rules.formats.states import state_from, state_message
from hots_rules.play.game import Game
from hots_rules.play.ruleset import Ruleset
from hots_rules.records.record import Record, parse_record, record_text
from hots_rules.records.replaying import record_of
from hots_rules.state.state import State

Kind = TypeVar("Kind")
_FRACTION = re.compile(r"(0|[1-9][0-9]{0,15})/([1-9][0-9]{0,15})")
_SAID = {str: "a text", int: "a whole number", bool: "true or false"}


# ------------------------------------------------------------------ writing
def to_json(thing: Any) -> str:
    """A state, an action, a decision, a step of a trace, a record, a game (as its record) or an error as JSON.

    Several of them in a list or a tuple come as an array.

    Raises:
        TypeError: it is none of these.
    """
    return json.dumps(_sent(thing), ensure_ascii=False, separators=(",", ":"))


def _sent(thing: Any) -> Any:
    if isinstance(thing, list | tuple):
        return [_sent(one) for one in thing]
    message = _message(thing)
    name = name_of(type(message))
    if name is None:
        raise TypeError(f"expected a state, an action or the like, got {type(thing).__name__}")
    return {KEY: name, **converter().unstructure(message)}


def _message(thing: Any) -> Any:
    match thing:
        case State():
            return state_message(thing)
        case Game():
            return record_of(thing)
        case HotsError():
            return refusal(thing)
    return thing


# ------------------------------------------------------------------ reading
def from_json(text: str | bytes, kind: type[Kind], ruleset: Ruleset | None = None) -> Kind:
    """The state, action, decision, step, record or refusal that a JSON text is; a state needs its ruleset.

    Every key must be there, and no other; numbers, texts and truths are never taken for one another. What is said
    in it need not be true: an action may be illegal, and a record may not replay.

    Raises:
        BadMessage: it is none; with the place in it, the cause and a way to mend it.
        TypeError: such things are not sent, or a state is read without its ruleset.
    """
    sent: type = StateMessage if kind is State else kind
    name = name_of(sent)
    if name is None:
        raise TypeError(f"expected State, Action or the like, got {kind!r:.80}")
    if kind is State and ruleset is None:
        raise TypeError("expected the ruleset of the state, got none")
    value = parse_json(text)
    if not isinstance(value, dict):
        raise BadMessage("$", f"expected an object, got `{shown(value)}`", f"send a {name}")
    if value.get(KEY) != name:
        got = f"`{shown(value[KEY])}`" if KEY in value else "nothing"
        raise BadMessage(f"$.{KEY}", f"expected `{name}`, got {got}", _which(value.get(KEY), name))
    message = _structured({k: v for k, v in value.items() if k != KEY}, sent, "$")
    if isinstance(message, Record):
        _expect_writable(message)
    found: Any = state_from(message, ruleset) if kind is State and ruleset else message
    return found  # type: ignore[no-any-return]


def _expect_writable(record: Record) -> None:
    """A record says as text what it says: no line of it can pass for two."""
    try:
        if parse_record(record_text(record)) == record:
            return
        said = "it says something else as text"
    except BadRecord as error:
        said = str(error)
    raise BadMessage(
        "$", f"expected a record that can be written, but {said}", "keep to one line each"
    )


def _which(got: object, name: str) -> str:
    if isinstance(got, str) and got in FORMATS:
        return f"this is the place of a {name}"
    close = closest_match(got, FORMATS) if isinstance(got, str) and len(got) < 100 else None
    return f"did you mean `{close}`?" if close else f'write "{KEY}": "{name}"'


def _structured(value: Any, type_: Any, path: str) -> Any:
    """A plain value as one of a type, with the path to what is wrong."""
    try:
        return converter().structure(_Placed(value, path), type_)
    except _Wrong as wrong:
        raise wrong.message from None


@attrs.frozen
class _Placed:
    """A value with the path to it."""

    value: Any
    path: str


class _Wrong(Exception):
    """Carries a message through cattrs."""

    def __init__(self, path: str, cause: str, mend: str = "") -> None:
        self.message = BadMessage(path, cause, mend)
        super().__init__(path)


@cache
def converter() -> Converter:
    """How each class is sent and read; made when it is first asked for."""
    made = Converter(detailed_validation=False, forbid_extra_keys=True)
    made.register_unstructure_hook(Fraction, lambda value: f"{value.numerator}/{value.denominator}")
    made.register_structure_hook(Fraction, _fraction)
    made.register_structure_hook(Any, lambda placed, _: placed.value)
    for type_, said in _SAID.items():
        made.register_structure_hook(type_, _exactly(type_, said))
    made.register_structure_hook_factory(_is_tuple, _tuple_reader(made))
    made.register_structure_hook_factory(_is_mapping, _mapping_reader(made))
    made.register_structure_hook_factory(_is_optional, _optional_reader(made))
    made.register_structure_hook_factory(attrs.has, _class_reader(made))
    made.register_unstructure_hook_factory(attrs.has, _class_writer(made))
    return made


def _is_tuple(type_: Any) -> bool:
    origin: Any = get_origin(type_)
    return origin is tuple


def _is_mapping(type_: Any) -> bool:
    return get_origin(type_) in (dict, Mapping)


def _is_optional(type_: Any) -> bool:
    return get_origin(type_) in (UnionType, Union) and NoneType in get_args(type_)


def _exactly(type_: type, said: str) -> Callable[[_Placed, Any], Any]:
    def read(placed: _Placed, _: Any) -> Any:
        if type(placed.value) is not type_:
            raise _Wrong(placed.path, f"expected {said}, got `{shown(placed.value)}`")
        return placed.value

    return read


def _fraction(placed: _Placed, _: Any) -> Fraction:
    found = _FRACTION.fullmatch(placed.value) if isinstance(placed.value, str) else None
    if found is None:
        raise _Wrong(
            placed.path, f"expected a fraction, got `{shown(placed.value)}`", 'write e.g. "1/6"'
        )
    return Fraction(int(found[1]), int(found[2]))


def _tuple_reader(made: Converter) -> Callable[[Any], Any]:
    def factory(type_: Any) -> Any:
        member = get_args(type_)[0]

        def read(placed: _Placed, _: Any) -> Any:
            if not isinstance(placed.value, list):
                raise _Wrong(placed.path, f"expected a list, got `{shown(placed.value)}`")
            return tuple(
                made.structure(_Placed(one, f"{placed.path}[{at}]"), member)
                for at, one in enumerate(placed.value)
            )

        return read

    return factory


def _mapping_reader(made: Converter) -> Callable[[Any], Any]:
    def factory(type_: Any) -> Any:
        member = get_args(type_)[1]

        def read(placed: _Placed, _: Any) -> Any:
            if not isinstance(placed.value, dict):
                raise _Wrong(placed.path, f"expected an object, got `{shown(placed.value)}`")
            return {
                key: made.structure(_Placed(one, step(placed.path, key)), member)
                for key, one in placed.value.items()
            }

        return read

    return factory


def _optional_reader(made: Converter) -> Callable[[Any], Any]:
    def factory(type_: Any) -> Any:
        (member,) = (arg for arg in get_args(type_) if arg is not NoneType)

        def read(placed: _Placed, _: Any) -> Any:
            return None if placed.value is None else made.structure(placed, member)

        return read

    return factory


def _class_reader(made: Converter) -> Callable[[type], Any]:
    def factory(kind: type) -> Any:
        known = fields_of(kind)
        build: Any = make_dict_structure_fn(kind, made, **_left_out(kind))

        def read(placed: _Placed, _: Any) -> Any:
            expect_keys(placed.value, known, placed.path)
            inner = {k: _Placed(v, step(placed.path, k)) for k, v in placed.value.items()}
            return build(inner, kind)

        return read

    return factory


def _class_writer(made: Converter) -> Callable[[type], Any]:
    def factory(kind: type) -> Any:
        return make_dict_unstructure_fn(kind, made, **_left_out(kind))

    return factory


def _left_out(kind: type) -> Any:
    known = fields_of(kind)
    return {f.name: override(omit=True) for f in attrs.fields(kind) if f.name not in known}


def expect_keys(value: Any, known: Iterable[str], path: str) -> None:
    """An object has the known keys and no other."""
    if not isinstance(value, dict):
        raise _Wrong(path, f"expected an object, got `{shown(value)}`")
    for key in value:
        if key not in known:
            close = closest_match(key[:100], known)
            mend = f"did you mean `{close}`?" if close else "take it away"
            raise _Wrong(path, f"expected no key `{shown(key)}`", mend)
    for key in known:
        if key not in value:
            raise _Wrong(path, f"expected a key `{key}`, got none", "send every key of the format")

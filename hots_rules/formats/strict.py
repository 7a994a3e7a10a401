"""Untrusted plain values as values of our classes: each value has exactly the declared type, or is refused.

The hooks of cattrs for scalars, sequences and mappings convert silently (`"5"` to 5, `"ab"` to a list of letters), so
none of them is used here: a type for which this module has no hook is an error at the first use of its class.
"""

import re
from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

import attrs
from cattrs import BaseValidationError, Converter, IterableValidationError, transform_error
from cattrs.errors import IterableValidationNote
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from hots_rules._frozen import FrozenDict, FrozenList
from hots_rules.diagnostics import BadMessage, suggest
from hots_rules.formats.json_text import MAX_SHOWN, cut, shown
from hots_rules.formats.registry import ANY_VALUE, sent_fields

T = TypeVar("T")
Hook = Callable[[object, object], object]

_SCALARS: Mapping[object, str] = {
    str: "a string",
    int: "an integer",
    bool: "`true` or `false`",
    float: "a number with a fraction",
    NoneType: "`null`",
}
_FRACTION = re.compile(r"(0|[1-9][0-9]{0,15})/([1-9][0-9]{0,15})")


@attrs.define
class Mismatch(ValueError):
    """A value that is not of its type: the cause, and a remedy."""

    cause: str
    remedy: str


def structure(value: object, kind: type[T]) -> T:
    """A plain value as an instance of a class.

    Raises:
        BadMessage: it does not fit; with the path to the first fault.
        TypeError: a field of the class has a type that messages do not use.

    >>> from hots_rules.play.action import Action
    >>> structure({"player": "Red"}, Action)
    Traceback (most recent call last):
      ...
    hots_rules.diagnostics.errors.BadMessage: $: missing key `name`
    help: send every key
    """
    try:
        return converter().structure(value, kind)
    except (BaseValidationError, Mismatch) as error:
        refused = _bad_message(error)
    # Raised here, it has no context: errors of cattrs cannot be sent to another process.
    raise refused


def _bad_message(error: Exception) -> BadMessage:
    """The first fault of an error of cattrs, with its path."""
    faults: list[BaseException] = []

    def keep(fault: BaseException, _: object) -> str:
        faults.append(fault)
        return ""

    path = transform_error(error, "$", keep)[0].removeprefix(" @ ")
    fault = faults[0]
    if not isinstance(fault, Mismatch):
        raise fault
    return BadMessage(path, fault.cause, fault.remedy)


@cache
def converter() -> Converter:
    """The converter for all classes of the formats, in both directions."""
    made = Converter(detailed_validation=True)
    made.register_unstructure_hook(Fraction, lambda value: f"{value.numerator}/{value.denominator}")
    for plain in (FrozenDict, FrozenList):  # as a view has them, with plain data in them
        made.register_unstructure_hook(plain, lambda value: value)
    made.register_unstructure_hook_factory(
        attrs.has, lambda kind: make_dict_unstructure_fn(kind, made, **_unsent(kind))
    )
    made.register_structure_hook_factory(lambda _: True, lambda type_: _hook(type_, made))
    for scalar in _SCALARS:
        made.register_structure_hook(scalar, _exactly(scalar))
    return made


def _hook(type_: type, made: Converter) -> Hook:
    """The strict hook of a type that is not a scalar."""
    origin, args = get_origin(type_), get_args(type_)
    if type_ in ANY_VALUE:
        return lambda value, _: value
    if type_ is Fraction:
        return _fraction
    if attrs.has(type_):
        return _instance(type_, made)
    if origin is Literal:
        return _literal(args)
    if origin is list or (origin is tuple and args[1:] == (Ellipsis,)):
        return _container(origin, args[0], made)
    if origin in (dict, Mapping) and args[0] is str:
        return _container(None, args[1], made)
    if origin in (UnionType, Union) and NoneType in args and len(args) == 2:
        member = args[args[0] is NoneType]
        return lambda value, _: None if value is None else made.structure(value, member)
    raise TypeError(f"messages have no values of type {type_}")


def _exactly(type_: object) -> Hook:
    def read(value: object, _: object) -> object:
        if type(value) is not type_:
            raise _mismatch(_SCALARS[type_], value)
        return value

    return read


def _mismatch(expected: str, value: object, remedy: str = "") -> Mismatch:
    return Mismatch(f"expected {expected}, got `{shown(value)}`", remedy or f"send {expected}")


def _literal(options: tuple[object, ...]) -> Hook:
    expected = " or ".join(f"`{shown(option)}`" for option in options)

    def read(value: object, _: object) -> object:
        # `True == 1`, so the types are compared as well.
        if (type(value), value) not in [(type(option), option) for option in options]:
            raise _mismatch(expected, value)
        return value

    return read


def _fraction(value: object, _: object) -> Fraction:
    match = _FRACTION.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise _mismatch("a fraction", value, 'write e.g. "1/6"')
    return Fraction(int(match[1]), int(match[2]))


def _container(
    build: Callable[[list[object]], object] | None, member: type, made: Converter
) -> Hook:
    """A hook that reads an array, from which `build` makes the value; without `build`, an object.

    It stops at the first fault: cattrs collects all, 5 GB of them for a message of 8 MB.
    """
    kind, expected = (dict, "an object") if build is None else (list, "an array")

    def read(value: object, _: object) -> object:
        if not isinstance(value, list | dict) or type(value) is not kind:
            raise _mismatch(expected, value)
        members: dict[int | str, object] = {}
        for key, item in enumerate(value) if isinstance(value, list) else value.items():
            try:
                members[key] = made.structure(item, member)
            except (BaseValidationError, Mismatch) as error:
                index = key[:MAX_SHOWN] if isinstance(key, str) else key
                error.add_note(IterableValidationNote("", index, kind))
                raise IterableValidationError("", [error], kind) from None
        return build([*members.values()]) if build else members

    return read


def _instance(kind: type, made: Converter) -> Hook:
    fields = sent_fields(kind)
    build: Callable[[Mapping[str, object], type], object] = make_dict_structure_fn(
        kind, made, **_unsent(kind)
    )

    return lambda value, _: build(check_keys(value, fields), kind)


def _unsent(kind: type) -> Any:
    fields = sent_fields(kind)
    return {f.name: override(omit=True) for f in attrs.fields(kind) if f.name not in fields}


def check_keys(value: object, keys: Collection[str]) -> dict[str, object]:
    """A value, which must be an object with these keys and no other.

    cattrs alone would take a missing key for the default of its field.

    Raises:
        Mismatch: it is something else.
    """
    if not isinstance(value, dict):
        raise _mismatch("an object", value)
    for key in value:
        if key not in keys:
            remedy = suggest(key[:100], keys).help("remove it")
            raise Mismatch(f"unknown key `{cut(key)}`", remedy)
    for key in keys:
        if key not in value:
            raise Mismatch(f"missing key `{key}`", "send every key")
    return value

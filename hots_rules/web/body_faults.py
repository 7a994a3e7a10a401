"""The bodies of requests are strict JSON of their form: what is missing, unknown or of another type is told by path.

A fault repeats no value, as keys of seats are values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from types import MappingProxyType, NoneType, UnionType
from typing import Any, TypeAlias, Union, get_args, get_origin, get_type_hints

import attrs

import hots_rules as hr

Form: TypeAlias = Any
"""A class, a dictionary of texts to one, or a union of them."""
MAX_FAULTS = 5  # that one answer tells
MAX_NAME_LENGTH = 60  # characters of an unknown name that are read, and repeated
_WORDS = MappingProxyType(
    {
        str: "a text",
        int: "a whole number",
        bool: "true or false",
        float: "a number with a point or an exponent",
        dict: "an object",
        list: "a list",
        NoneType: "null",
    }
)


def body_faults(body: object, form: type) -> str:
    """What is wrong with the body of a request, as a sentence; empty if nothing is.

    Args:
        body: what JSON holds.
        form: the class of the body.

    >>> from hots_rules.web.bodies import NewAction
    >>> body_faults({"number": 0, "acton": "Red: a1"}, NewAction)
    'unknown field `acton` (did you mean `action`?); `action` is missing (a text)'
    >>> body_faults({"number": "0", "action": "Red: a1"}, NewAction)
    'number: expected a whole number, got a text (leave out the quotation marks)'
    """
    return "; ".join(islice(_faults(body, form, ""), MAX_FAULTS))


def no_body(form: type) -> str:
    """What a request without a body is told.

    >>> from hots_rules.web.bodies import Undo
    >>> no_body(Undo)
    'the request has no body; send an object of JSON with `number` (a whole number)'
    """
    return f"the request has no body; send {_described(form)}"


def _faults(given: object, form: Form, path: str) -> Iterator[str]:
    members = _members_of(form)
    if given is None and NoneType in members:
        return
    inner = next((part for part in members if attrs.has(part) or _origin(part) is dict), None)
    if inner is None:
        if type(given) not in members:
            fault = f"expected {_expected(members)}, got {_got(given)}"
            yield _of_path(path, f"{fault}{_remedy(given, members)}")
    elif not isinstance(given, dict):
        wanted = _described(inner) if attrs.has(inner) else _expected(members)
        yield _of_path(path, f"expected {wanted}, got {_got(given)}")
    elif _origin(inner) is dict:
        for name, member in given.items():
            yield from _faults(member, get_args(inner)[1], _joined(path, name))
    else:
        yield from _faults_of_object(given, inner, path)


def _faults_of_object(given: Mapping[str, object], form: type, path: str) -> Iterator[str]:
    types, needed = _types_of(form), _needed(form)
    for name in given:
        if name not in types:
            near = hr.UnknownName("field", _short(name), tuple(types)).near
            help_ = f"did you mean `{near}`?" if near else f"the fields are {_listed(types)}"
            yield f"unknown field `{_joined(path, name)}` ({help_})"
    for name in types:
        if name in given:
            yield from _faults(given[name], types[name], _joined(path, name))
        elif name in needed:
            yield f"`{_joined(path, name)}` is missing ({_expected(_members_of(types[name]))})"


# ------------------------------------------------------------------ what a body is to be
@cache
def _types_of(form: type) -> Mapping[str, Form]:
    hints = get_type_hints(form)
    return MappingProxyType({name: hints[name] for name in attrs.fields_dict(form)})


def _needed(form: type) -> list[str]:
    fields = attrs.fields_dict(form)
    return [name for name in fields if fields[name].default is attrs.NOTHING]


def _origin(form: Form) -> object:
    """What a form is made of; an object, since the type of `get_origin` leaves most forms out."""
    return get_origin(form)


def _members_of(form: Form) -> tuple[Form, ...]:
    return get_args(form) if _origin(form) in (Union, UnionType) else (form,)


# ------------------------------------------------------------------ words
def _described(form: type) -> str:
    types = _types_of(form)
    parts = [f"`{name}` ({_expected(_members_of(types[name]))})" for name in _needed(form)]
    return f"an object of JSON with {' and '.join(parts)}" if parts else "an object of JSON"


def _expected(members: tuple[Form, ...]) -> str:
    return " or ".join(
        _WORDS[dict if attrs.has(part) else _origin(part) or part] for part in members
    )


def _got(given: object) -> str:
    return _WORDS.get(type(given), "something else")


def _remedy(given: object, members: tuple[Form, ...]) -> str:
    if type(given) is str and str not in members and {int, bool} & {*members}:
        return " (leave out the quotation marks)"
    if type(given) is float and int in members:
        return " (leave out the point or exponent)"
    if type(given) in (int, float) and str in members:
        return " (put it in quotation marks)"
    return ""


def _of_path(path: str, fault: str) -> str:
    return f"{path}: {fault}" if path else f"the body: {fault}"


def _joined(path: str, name: str) -> str:
    return f"{path}.{_short(name)}" if path else _short(name)


def _short(name: str) -> str:
    return hr.diagnostics.printable(hr.diagnostics.shortened(name, MAX_NAME_LENGTH))


def _listed(names: Mapping[str, object]) -> str:
    return ", ".join(f"`{name}`" for name in names)

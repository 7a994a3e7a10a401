"""The JSON Schema of each format, made from the classes that are sent."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from fractions import Fraction
from types import NoneType
from typing import Any, get_args, get_origin

import attrs

from hots_rules.formats.registry import FORMATS, KEY, fields_of

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_VALUE = {
    "description": "A value of the ruleset: a name, a number, a truth, none, a set, a pair, or a map by names.",
    "anyOf": [
        {"type": ["null", "boolean", "integer", "string"]},
        {"type": "array", "items": {"$ref": "#/$defs/Value"}},
        {"type": "object", "additionalProperties": {"$ref": "#/$defs/Value"}},
    ],
}
_PLAIN: Mapping[Any, Mapping[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
    Fraction: {
        "type": "string",
        "pattern": "^(0|[1-9][0-9]{0,15})/[1-9][0-9]{0,15}$",
        "description": "An exact probability.",
    },
}


def schema_of(name: str) -> dict[str, Any]:
    """The schema of a format, draft 2020-12.

    Raises:
        KeyError: there is no such format.
    """
    kind = FORMATS[name]
    defs: dict[str, Any] = {}
    body = _object(kind, defs)
    body["properties"] = {KEY: {"const": name}, **body["properties"]}
    body["required"] = [KEY, *body["required"]]
    return {
        "$schema": DIALECT,
        "$id": name,
        "title": title_of(name),
        **body,
        **({"$defs": dict(sorted(defs.items()))} if defs else {}),
    }


def title_of(name: str) -> str:
    """The title of a format: `Event` of `hots_rules/event.v1`."""
    return name.partition("/")[2].partition(".")[0].capitalize()


def _object(kind: type, defs: dict[str, Any]) -> dict[str, Any]:
    known = fields_of(kind)
    return {
        "description": inspect.cleandoc(kind.__doc__ or "").split("\n\n")[0].replace("\n", " "),
        "type": "object",
        "properties": {field: _typed(type_, defs) for field, type_ in known.items()},
        "required": list(known),
        "additionalProperties": False,
    }


def _typed(type_: Any, defs: dict[str, Any]) -> dict[str, Any]:
    if type_ in _PLAIN:
        return dict(_PLAIN[type_])
    if type_ is Any:
        defs["Value"] = _VALUE
        return {"$ref": "#/$defs/Value"}
    if attrs.has(type_):
        if type_.__name__ not in defs:
            defs[type_.__name__] = {}  # known before it is whole: a class may hold itself
            defs[type_.__name__] = _object(type_, defs)
        return {"$ref": f"#/$defs/{type_.__name__}"}
    origin, args = get_origin(type_), get_args(type_)
    if origin is tuple:
        return {"type": "array", "items": _typed(args[0], defs)}
    if origin is Mapping or origin is dict:
        return {"type": "object", "additionalProperties": _typed(args[1], defs)}
    return {"anyOf": [_typed(arg, defs) for arg in args]}

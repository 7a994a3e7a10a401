"""The JSON Schema of each format, made from the classes that are sent."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from fractions import Fraction
from types import NoneType
from typing import Any, get_args, get_origin

import attrs

from hots_rules.formats.registry import ANY_VALUE, FORMATS, KEY, sent_fields

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_VALUE = {
    "description": "A value of the ruleset: a name, a number, a boolean, null, a set, a pair, or a map by names.",
    "anyOf": [
        {"type": ["null", "boolean", "integer", "string"]},
        {"type": "array", "items": {"$ref": "#/$defs/Value"}},
        {"type": "object", "additionalProperties": {"$ref": "#/$defs/Value"}},
    ],
}
_SCALARS: Mapping[object, Schema] = {
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


def make_schema(name: str) -> Schema:
    """The schema of a format, draft 2020-12.

    Raises:
        KeyError: there is no such format.

    >>> make_schema("hots_rules/action.v1")["required"]
    ['schema', 'player', 'name', 'args', 'text', 'code', 'probability']
    """
    definitions: Schema = {}
    body = _object_schema(FORMATS[name], definitions)
    body["properties"] = {KEY: {"const": name}, **body["properties"]}
    body["required"] = [KEY, *body["required"]]
    return {
        "$schema": DIALECT,
        "$id": name,
        "title": format_title(name),
        **body,
        **({"$defs": dict(sorted(definitions.items()))} if definitions else {}),
    }


def format_title(name: str) -> str:
    """The title of a format: `Event` for `hots_rules/event.v1`."""
    return name.partition("/")[2].partition(".")[0].capitalize()


def _object_schema(kind: type, definitions: Schema) -> Schema:
    fields = sent_fields(kind)
    return {
        "description": inspect.cleandoc(kind.__doc__ or "").split("\n\n")[0].replace("\n", " "),
        "type": "object",
        "properties": {name: _type_schema(type_, definitions) for name, type_ in fields.items()},
        "required": list(fields),
        "additionalProperties": False,
    }


def _type_schema(type_: object, definitions: Schema) -> Schema:
    if type_ in _SCALARS:
        return dict(_SCALARS[type_])
    if type_ in ANY_VALUE:
        definitions["Value"] = _VALUE
        return {"$ref": "#/$defs/Value"}
    if isinstance(type_, type) and attrs.has(type_):
        if type_.__name__ not in definitions:
            definitions[type_.__name__] = {}  # a class may contain itself
            definitions[type_.__name__] = _object_schema(type_, definitions)
        return {"$ref": f"#/$defs/{type_.__name__}"}
    origin, args = get_origin(type_), get_args(type_)
    if origin is tuple:
        return {"type": "array", "items": _type_schema(args[0], definitions)}
    if origin is Mapping or origin is dict:
        return {"type": "object", "additionalProperties": _type_schema(args[1], definitions)}
    return {"anyOf": [_type_schema(arg, definitions) for arg in args]}

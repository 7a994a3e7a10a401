"""The JSON Schema of each format, made from the classes that are sent, and the TypeScript types."""

import inspect
import json
import textwrap
from collections.abc import Iterable, Mapping
from fractions import Fraction
from types import NoneType
from typing import Any, get_args, get_origin

import attrs

from hots_rules.formats.registry import ANY_VALUE, FORMATS, KEY, TYPES, schema_file, sent_fields

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
_TYPESCRIPT_SCALARS = {
    "string": "string",
    "integer": "number",
    "boolean": "boolean",
    "null": "null",
}


def make_schema(name: str) -> Schema:
    """The schema of a format, draft 2020-12.

    Raises:
        KeyError: there is no such format.

    >>> make_schema("hots_rules/action.v2")["required"]
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


def declarations(schemas: Iterable[Schema]) -> str:
    """A file of declarations: an interface for each class, and the union `Message` of all formats."""
    formats = {
        f"{schema['title']}V{schema['$id'].rpartition('.v')[2]}": schema for schema in schemas
    }
    shared: Schema = {}
    for schema in formats.values():
        shared = {**schema.get("$defs", {}), **shared}
    parts = ["// The messages of hots_rules, made from their schemas."]
    parts += [_declaration(name, schema) for name, schema in formats.items()]
    parts += [_declaration(name, schema) for name, schema in sorted(shared.items())]
    parts.append(f"export type Message = {' | '.join(formats)};")
    return "\n\n".join(parts) + "\n"


def _declaration(name: str, schema: Schema) -> str:
    lines = [f" * {line}\n" for line in textwrap.wrap(schema.get("description", ""), 90)]
    head = f"/**\n{''.join(lines)} */\n"
    if "properties" not in schema:
        return f"{head}export type {name} = {_type(schema)};"
    rows = "".join(f"  {key}: {_type(member)};\n" for key, member in schema["properties"].items())
    return f"{head}export interface {name} {{\n{rows}}}"


def _type(schema: Schema) -> str:
    if "const" in schema:
        return json.dumps(schema["const"])
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " | ".join(_type(option) for option in schema["anyOf"])
    type_ = schema["type"]
    if isinstance(type_, list):
        return " | ".join(_TYPESCRIPT_SCALARS[scalar] for scalar in type_)
    if type_ == "array":
        items = _type(schema["items"])
        return f"({items})[]" if " | " in items else f"{items}[]"
    if type_ == "object":
        return f"{{ [name: string]: {_type(schema['additionalProperties'])} }}"
    return _TYPESCRIPT_SCALARS[type_]


def make_files() -> dict[str, str]:
    """The shipped files by name, made from the classes; `python -m hots_rules.formats` writes them."""
    schemas = {name: make_schema(name) for name in FORMATS}
    files = {schema_file(name): json.dumps(s, indent=2) + "\n" for name, s in schemas.items()}
    return {**files, TYPES: declarations(schemas.values())}

"""The JSON Schema of each format, made from the classes that are sent, and the TypeScript types."""

import inspect
import json
import textwrap
import types
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
_TYPESCRIPT_SCALARS: Mapping[str, str] = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}
# TypeScript has a type of this name, which a front end needs beside the messages.
_RENAMED: Mapping[str, str] = types.MappingProxyType({"Record": "GameRecord"})


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


# ------------------------------------------------------------------ TypeScript
def declarations(schemas: Iterable[Schema]) -> str:
    """A file of declarations: an interface for each class, and the union `Message` of all formats."""
    messages = list(schemas)
    parts = ["// The messages of hots_rules, made from their schemas.", *interfaces(messages)]
    parts.append(f"export type Message = {' | '.join(map(_versioned, messages))};")
    return "\n\n".join(parts) + "\n"


def interfaces(schemas: Iterable[Schema]) -> list[str]:
    """The declarations of formats, and of what they consist of, each once."""
    formats = {_versioned(schema): schema for schema in schemas}
    shared: Schema = {}
    for schema in formats.values():
        shared = {**schema.get("$defs", {}), **shared}
    return [
        declaration(*named_schema) for named_schema in (*formats.items(), *sorted(shared.items()))
    ]


def _versioned(schema: Schema) -> str:
    return f"{schema['title']}V{schema['$id'].rpartition('.v')[2]}"


def declaration(name: str, schema: Schema) -> str:
    """The declaration of a named schema, with its description as a comment."""
    head, name = described(schema.get("description", "")), _RENAMED.get(name, name)
    if "properties" not in schema:
        return f"{head}export type {name} = {typescript_type(schema)};"
    needed = schema.get("required", ())
    rows = "".join(
        f"  {key}{'' if key in needed else '?'}: {typescript_type(member)};\n"
        for key, member in schema["properties"].items()
    )
    return f"{head}export interface {name} {{\n{rows}}}"


def described(text: str) -> str:
    """A text as a comment above a declaration; nothing for none."""
    lines = "".join(f" * {line}\n" for line in textwrap.wrap(text, 90))
    return f"/**\n{lines} */\n" if lines else ""


def typescript_type(schema: Schema) -> str:
    """The type of the values that a schema allows; `unknown` where it allows all."""
    if "const" in schema:
        return json.dumps(schema["const"])
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        return _RENAMED.get(name, name)
    if options := schema.get("anyOf", schema.get("oneOf")):
        return " | ".join(typescript_type(option) for option in options)
    match schema.get("type"):
        case None:
            return "unknown"
        case list() as scalars:
            return " | ".join(_TYPESCRIPT_SCALARS[scalar] for scalar in scalars)
        case "array":
            items = typescript_type(schema["items"])
            return f"({items})[]" if " | " in items else f"{items}[]"
        case "object":
            return f"{{ [name: string]: {typescript_type(schema['additionalProperties'])} }}"
        case scalar:
            return _TYPESCRIPT_SCALARS[scalar]


def make_files() -> dict[str, str]:
    """The shipped files by name, made from the classes; `python -m hots_rules.formats` writes them."""
    schemas = {name: make_schema(name) for name in FORMATS}
    files = {schema_file(name): json.dumps(s, indent=2) + "\n" for name, s in schemas.items()}
    return {**files, TYPES: declarations(schemas.values())}

"""The TypeScript types, made from the schemas."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable

from hots_rules.formats.json_schema import Schema

_SCALARS = {"string": "string", "integer": "number", "boolean": "boolean", "null": "null"}


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
        return " | ".join(_SCALARS[scalar] for scalar in type_)
    if type_ == "array":
        items = _type(schema["items"])
        return f"({items})[]" if " | " in items else f"{items}[]"
    if type_ == "object":
        return f"{{ [name: string]: {_type(schema['additionalProperties'])} }}"
    return _SCALARS[type_]

"""The types of TypeScript, made from the schemas."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Mapping
from typing import Any

_SCALARS = {"string": "string", "integer": "number", "boolean": "boolean", "null": "null"}


def typescript(schemas: Iterable[Mapping[str, Any]]) -> str:
    """A file of declarations: an interface for each class, and `Message` for all that is sent."""
    known: dict[str, Mapping[str, Any]] = {}
    sent = []
    for schema in schemas:
        sent.append(schema)
        for name, inner in schema.get("$defs", {}).items():
            known.setdefault(name, inner)
    names = [f"{schema['title']}V{schema['$id'].rpartition('.v')[2]}" for schema in sent]
    parts = ["// The messages of hots_rules, made from their schemas."]
    parts += [_declared(name, schema) for name, schema in zip(names, sent, strict=True)]
    parts += [_declared(name, inner) for name, inner in sorted(known.items())]
    parts.append(f"export type Message = {' | '.join(names)};")
    return "\n\n".join(parts) + "\n"


def _declared(name: str, schema: Mapping[str, Any]) -> str:
    said = "".join(f" * {line}\n" for line in textwrap.wrap(schema.get("description", ""), 90))
    head = f"/**\n{said} */\n"
    if "properties" not in schema:
        return f"{head}export type {name} = {_type(schema)};"
    rows = "".join(f"  {key}: {_type(inner)};\n" for key, inner in schema["properties"].items())
    return f"{head}export interface {name} {{\n{rows}}}"


def _type(schema: Mapping[str, Any]) -> str:
    if "const" in schema:
        return json.dumps(schema["const"])
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " | ".join(_type(one) for one in schema["anyOf"])
    kind = schema["type"]
    if isinstance(kind, list):
        return " | ".join(_SCALARS[one] for one in kind)
    if kind == "array":
        inner = _type(schema["items"])
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if kind == "object":
        return f"{{ [name: string]: {_type(schema['additionalProperties'])} }}"
    return _SCALARS[kind]

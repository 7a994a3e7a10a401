"""Writes the client in JavaScript from the description of the table.

python clients/javascript.py            writes the file
python clients/javascript.py --check    exits with status 1 if it is out of date
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from hots_rules.web.application import make_app
from hots_rules.web.storage.store import Store

FILE = Path(__file__).parent.parent / "hots_rules" / "web" / "static" / "client.js"
HEAD = """\
// A client of the table, made from its description by `python clients/javascript.py`.

/** The table has refused a request: the status that HTTP has for it, and the kind of the error. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {{message: string, kind?: string}} answer
   */
  constructor(status, answer) {
    super(answer.message);
    this.status = status;
    this.kind = answer.kind;
  }
}

const SHORT = 10_000; // characters of a body; browsers take 64 kB together from pages that are left

/** @param {string | number} value */
const part = (value) => encodeURIComponent(value);
"""
CLASS = """
/** A table, asked as a seat with its key, or as a spectator. */
export class Table {
  /**
   * @param {string} [address] of the table; that of the page if omitted
   * @param {{key?: string | null, token?: string | null, language?: string}} [as] who asks: a seat, a program
   */
  constructor(address = "", { key = null, token = null, language = "en" } = {}) {
    this.address = address.replace(/\\/$/, "");
    this.key = key;
    this.token = token;
    this.language = language;
  }

  /**
   * @param {string} path
   * @param {Record<string, unknown>} [query]
   */
  addressOf(path, query = {}) {
    const given = Object.entries({ language: this.language, ...query }).filter(([, value]) => value !== undefined);
    return `${this.address}${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {{query?: Record<string, unknown>, body?: unknown, isText?: boolean}} [sent]
   * @returns {Promise<any>}
   */
  async send(method, path, { query = {}, body = undefined, isText = false } = {}) {
    const headers = new Headers();
    if (this.token !== null) headers.set("Authorization", `Bearer ${this.token}`);
    if (this.key !== null) headers.set(this.token === null ? "Authorization" : "Seat-Key", `Bearer ${this.key}`);
    const text = JSON.stringify(body);
    if (body !== undefined) headers.set("Content-Type", "application/json");
    const keepalive = text?.length < SHORT; // what is sent arrives even if the page is left at once
    const answer = await fetch(this.addressOf(path, query), { method, headers, body: text, keepalive });
    if (!answer.ok) throw new Refused(answer.status, await answer.json());
    if (answer.status === 204) return null;
    return isText ? answer.text() : answer.json();
  }
"""
Json = Mapping[str, object]
NAMES = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


def text() -> str:
    """The text of the client."""
    app = make_app(Store.at("sqlite:///:memory:"))
    described = app.openapi_schema.to_schema()
    types = [typedef(name, schema) for name, schema in described["components"]["schemas"].items()]
    methods = [
        method_of(method.upper(), path, operation)
        for path, operations in described["paths"].items()
        for method, operation in operations.items()
    ]
    return HEAD + "".join(types) + CLASS + "".join(methods) + "}\n"


# ------------------------------------------------------------------ types
def typedef(name: str, schema: Json) -> str:
    """A type of bodies or answers as JSDoc has it."""
    needed = schema.get("required", [])
    lines = [
        f" * @property {{{type_of(each)}}} {field if field in needed else f'[{field}]'}"
        for field, each in schema["properties"].items()
    ]
    return "\n".join(["\n/**", f" * @typedef {{object}} {name}", *lines, " */", ""])


def type_of(schema: Json) -> str:
    """The type of a value as TypeScript writes it."""
    if "$ref" in schema:
        return schema["$ref"].rpartition("/")[2]
    if "oneOf" in schema:
        return " | ".join(type_of(each) for each in schema["oneOf"])
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(NAMES[each] for each in kind)
    if kind == "array":
        item = type_of(schema["items"])
        return f"({item})[]" if "|" in item else f"{item}[]"
    if kind == "object":
        return f"Record<string, {type_of(schema.get('additionalProperties', {}))}>"
    return NAMES.get(kind, "unknown")


# ------------------------------------------------------------------ requests
def method_of(method: str, path: str, operation: Json) -> str:
    """A request as a method of the client."""
    media, schema = answer_of(operation)
    parts = parameters(operation, "path")
    query = {n: t for n, t in parameters(operation, "query").items() if n != "language"}
    body = body_of(operation)
    is_stream = media == "text/event-stream"
    gives = "EventSource" if is_stream else f"Promise<{type_of(schema) if schema else 'null'}>"
    tags = [f"@param {{{kind}}} {name}" for name, kind in parts.items()]
    tags += [f"@param {{{body}}} body"] * bool(body)
    fields = ", ".join(f"{name}?: {kind}" for name, kind in query.items())
    tags += [f"@param {{{{{fields}}}}} [query]"] * bool(query)
    given = [*parts, *["body"] * bool(body), *["query = {}"] * bool(query)]
    address = "`" + re.sub(r"\{(\w+)\}", r"${part(\1)}", path) + "`"
    options = [
        *["query"] * bool(query),
        *["body"] * bool(body),
        *["isText: true"] * (media == "text/plain"),
    ]
    rest = f", {{ {', '.join(options)} }}" if options else ""
    call = f'this.send("{method}", {address}{rest})'
    if is_stream:
        call = f"new EventSource(this.addressOf({address}))"
    comment = [f"   * {line}" for line in (*said_of(operation), *tags, f"@returns {{{gives}}}")]
    head = f"  {operation['operationId']}({', '.join(given)}) {{ return {call}; }}"
    return "\n".join(["", "  /**", *comment, "   */", head, ""])


def said_of(operation: Json) -> Iterator[str]:
    """What a request does: the first paragraph of the description of its route."""
    yield from operation["description"].partition("\n\n")[0].splitlines()


def answer_of(operation: Json) -> tuple[str, Json]:
    """The media type of the answer of a request that succeeds, and what it holds; nothing if it has no body."""
    (answer,) = (each for status, each in operation["responses"].items() if status.startswith("2"))
    for media, content in answer.get("content", {}).items():
        return media, content["schema"]
    return "", {}


def parameters(operation: Json, place: str) -> dict[str, str]:
    """The types of the parameters of a request in its path, or in its query, by their names."""
    return {
        each["name"]: type_of({**each["schema"], "default": None}).replace(" | null", "")
        for each in operation.get("parameters", [])
        if each["in"] == place
    }


def body_of(operation: Json) -> str:
    """The type of the body of a request; empty if it has none."""
    for content in operation.get("requestBody", {}).get("content", {}).values():
        return type_of(content["schema"])
    return ""


def main() -> int:
    if "--check" in sys.argv[1:]:
        return FILE.read_text("utf-8") != text()
    FILE.write_text(text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Writes the client in JavaScript, and its types, from the description of the table.

python clients/javascript.py            writes the files
python clients/javascript.py --check    exits with status 1 if one is out of date
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from attrs import frozen

from hots_rules.formats.json_schema import (
    declaration,
    interfaces,
    make_schema,
    typescript_type,
)
from hots_rules.web.application import make_app
from hots_rules.web.storage.store import Store

PAGES = Path(__file__).parent.parent / "hots_rules" / "web" / "static"
FILE, TYPES = PAGES / "client.js", PAGES / "client.d.ts"
MESSAGE = "hots_rules/view.v4"
# Parts of answers that are messages, or parts of one: they have the types that `hots export types` prints.
MESSAGES = {
    "GameOutcome": "Outcome",
    "LegalAction": "Action",
    "Stack": "Stack",
    "ViewOfSeat": 'Omit<ViewV4, "log">',
}
HEAD = """\
// @ts-check
// A client of the table, made from its description by `python clients/javascript.py`; its types are in client.d.ts.

/** @typedef {import("./client.d.ts").Table} Typed */

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

/** A table, asked as a seat with its key, or as a spectator. */
export class Table {
  /**
   * @param {string} [address] of the table; that of the page if omitted
   * @param {import("./client.d.ts").Asker} [as] who asks
   */
  constructor(address = "", { key = null, token = null, language = "en", picture = null, longest = null } = {}) {
    this.address = address.replace(/\\/$/, "");
    this.key = key;
    this.token = token;
    this.language = language;
    this.picture = picture;
    this.longest = longest;
  }

  /**
   * @param {string} path
   * @param {import("./client.d.ts").Query} [query]
   */
  addressOf(path, query = {}) {
    const given = Object.entries({ language: this.language, ...query }).filter(([, value]) => value !== undefined);
    return `${this.address}${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
  }

  /** @type {Typed["ask"]} */
  async ask(method, path, { query = {}, body = undefined } = {}) {
    const headers = new Headers();
    if (this.token !== null) headers.set("Authorization", `Bearer ${this.token}`);
    if (this.key !== null) headers.set(this.token === null ? "Authorization" : "Seat-Key", `Bearer ${this.key}`);
    if (this.picture !== null) headers.set("Known-Picture", this.picture);
    const text = JSON.stringify(body);
    if (body !== undefined) headers.set("Content-Type", "application/json");
    const keepalive = text?.length < SHORT; // what is sent arrives even if the page is left at once
    const signal = this.longest === null ? null : AbortSignal.timeout(this.longest);
    const answer = await fetch(this.addressOf(path, query), { method, headers, body: text, keepalive, signal });
    if (!answer.ok) throw new Refused(answer.status, await answer.json());
    return answer;
  }

  /** @type {Typed["send"]} */
  async send(method, path, sent = {}) {
    const text = await (await this.ask(method, path, sent)).text();
    return JSON.parse(text || "null");
  }
"""
TYPES_HEAD = """\
// The types of client.js, made from the description of the table by `python clients/javascript.py`; those of messages
// are the ones that `hots export types` prints.
"""
TYPES_OF_CLASSES = """\
/** The table has refused a request: the status that HTTP has for it, and the kind of the error. */
export class Refused extends Error {
  constructor(status: number, answer: { message: string; kind?: string });
  readonly status: number;
  readonly kind: string | undefined;
}

/**
 * Who asks: a seat by its key, a program by its token; texts are in a language. With the name of a picture that the
 * asker has, or "", boards come in parts. A request that is not answered in `longest` milliseconds is given up.
 */
export interface Asker {
  key?: string | null;
  token?: string | null;
  language?: string;
  picture?: string | null;
  longest?: number | null;
}

/** What stands behind the `?` of an address. */
export type Query = { [name: string]: string | number | boolean | null | undefined };

/** What a request holds. */
export interface Sent {
  query?: Query;
  body?: unknown;
}

/** A table, asked as a seat with its key, or as a spectator. */
export class Table {
  /** The address is that of the page if omitted. */
  constructor(address?: string, as?: Asker);
  address: string;
  key: string | null;
  token: string | null;
  language: string;
  picture: string | null;
  longest: number | null;
  addressOf(path: string, query?: Query): string;
  ask(method: string, path: string, sent?: Sent): Promise<Response>;
  send<Answer>(method: string, path: string, sent?: Sent): Promise<Answer>;
"""
Json = Mapping[str, object]


@frozen
class Request:
    """A request of the description, as a method of the client."""

    method: str
    path: str
    operation: Json

    @property
    def name(self) -> str:
        """The name of the method."""
        return self.operation["operationId"]

    @property
    def query(self) -> dict[str, str]:
        """The types of what may stand behind the `?`; the language is that of the client."""
        return {n: t for n, t in parameters(self.operation, "query").items() if n != "language"}

    @property
    def given(self) -> dict[str, str]:
        """The types of the arguments; those that end with `?` may be left out."""
        types = parameters(self.operation, "path")
        arguments = {name: types[name] for name in sorted(types, key=self.path.index)}
        if body := body_of(self.operation):
            arguments["body"] = body
        if self.query:
            fields = "; ".join(f"{name}?: {kind}" for name, kind in self.query.items())
            arguments["query?"] = f"{{ {fields} }}"
        return arguments


@cache
def description() -> Json:
    """The description of the table."""
    return make_app(Store.at("sqlite:///:memory:")).openapi_schema.to_schema()


def requests() -> Iterator[Request]:
    """The requests of the description."""
    for path, operations in description()["paths"].items():
        for method, operation in operations.items():
            yield Request(method.upper(), path, operation)


def files() -> dict[Path, str]:
    """The texts of the client and of its types, by their files."""
    return {
        FILE: HEAD + "".join(method_of(each) for each in requests()) + "}\n",
        TYPES: "\n".join([TYPES_HEAD, *types(), class_of_types()]),
    }


# ------------------------------------------------------------------ types
def types() -> Iterator[str]:
    """The declarations of messages, of answers and of bodies."""
    for text in interfaces([make_schema(MESSAGE)]):
        yield f"{text}\n"
    for name, schema in description()["components"]["schemas"].items():
        if name not in MESSAGES:
            yield f"{declaration(name, schema)}\n"
        elif name != MESSAGES[name]:
            yield f"export type {name} = {MESSAGES[name]};\n"


def class_of_types() -> str:
    """The classes of the client as TypeScript declares them."""
    return TYPES_OF_CLASSES + "".join(type_of_method(each) for each in requests()) + "}\n"


def type_of_method(request: Request) -> str:
    """The type of a method, with what the request does."""
    media, schema = answer_of(request.operation)
    answer = typescript_type(schema) if schema else "null"
    gives = "EventSource" if media == "text/event-stream" else f"Promise<{answer}>"
    given = ", ".join(f"{name}: {kind}" for name, kind in request.given.items())
    comment = "".join(f"   * {line}\n" for line in said_of(request.operation))
    return f"  /**\n{comment}   */\n  {request.name}({given}): {gives};\n"


# ------------------------------------------------------------------ requests
def method_of(request: Request) -> str:
    """A request as a method of the client."""
    given = ", ".join(name.replace("?", " = {}") for name in request.given)
    address = address_of(request.path)
    options = [name.rstrip("?") for name in request.given if name in {"body", "query?"}]
    rest = f", {{ {', '.join(sorted(options, reverse=True))} }}" if options else ""
    asked = f'("{request.method}", {address}{rest})'
    match answer_of(request.operation)[0]:
        case "text/event-stream":
            body = f"return new EventSource(this.addressOf({address}));"
        case "text/plain":
            body = f"return this.ask{asked}.then((answer) => answer.text());"
        case _:
            body = f"return this.send{asked};"
    head = f'  /** @type {{Typed["{request.name}"]}} */\n  {request.name}({given}) {{'
    return f"\n{head}\n    {body}\n  }}\n"


def address_of(path: str) -> str:
    """A path as a text of JavaScript, with the arguments in it."""
    filled = re.sub(r"\{(\w+)\}", r"${part(\1)}", path)
    return f"`{filled}`" if filled != path else f'"{path}"'


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
        each["name"]: typescript_type(each["schema"]).replace(" | null", "")
        for each in operation.get("parameters", [])
        if each["in"] == place
    }


def body_of(operation: Json) -> str:
    """The type of the body of a request; empty if it has none."""
    for content in operation.get("requestBody", {}).get("content", {}).values():
        return typescript_type(content["schema"])
    return ""


def main() -> int:
    if "--check" in sys.argv[1:]:
        return any(file.read_text("utf-8") != text for file, text in files().items())
    for file, text in files().items():
        file.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

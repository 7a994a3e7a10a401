"""The schemas and the TypeScript types that are shipped with the library, as files."""

from __future__ import annotations

import json

from hots_rules._home import package_home
from hots_rules.diagnostics import UnknownOption
from hots_rules.formats.registry import FORMATS

TYPES = "hots_rules.d.ts"


def schema_file(name: str) -> str:
    """The name of the file that holds the schema of a format.

    >>> schema_file("hots_rules/state.v1")
    'state.v1.json'
    """
    return f"{name.removeprefix('hots_rules/')}.json"


def make_files() -> dict[str, str]:
    """The shipped files by name, made from the classes; `python -m hots_rules.formats` writes them."""
    from hots_rules.formats.json_schema import declarations, make_schema

    schemas = {name: make_schema(name) for name in FORMATS}
    files = {schema_file(name): json.dumps(s, indent=2) + "\n" for name, s in schemas.items()}
    return {**files, TYPES: declarations(schemas.values())}


def format_names() -> tuple[str, ...]:
    """The names of all formats.

    >>> import hots_rules as hr
    >>> hr.formats.format_names()[:2]
    ('hots_rules/account.v1', 'hots_rules/action.v1')
    """
    return tuple(FORMATS)


def schema(name: str) -> str:
    """The JSON Schema of a format, as text.

    Raises:
        UnknownOption: there is no such format.

    >>> import hots_rules as hr
    >>> hr.formats.schema("hots_rules/state.v1").splitlines()[2]
    '  "$id": "hots_rules/state.v1",'
    """
    if name not in FORMATS:
        raise UnknownOption("format", tuple(FORMATS), str(name))
    return _shipped(schema_file(name))


def typescript_types() -> str:
    """The TypeScript types of all messages, as text.

    >>> import hots_rules as hr
    >>> "export interface ActionV1 {" in hr.formats.typescript_types()
    True
    """
    return _shipped(TYPES)


def _shipped(file: str) -> str:
    return package_home().joinpath("formats", "schemas", file).read_text(encoding="utf-8")

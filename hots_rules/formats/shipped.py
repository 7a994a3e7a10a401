"""The schemas and the types of TypeScript that come with the library, as files."""

from __future__ import annotations

import json

from hots_rules._home import package_home
from hots_rules.diagnostics import UnknownOption
from hots_rules.formats.registry import FORMATS

TYPES = "hots_rules.d.ts"


def file_of(name: str) -> str:
    """The file of a format's schema."""
    return f"{name.removeprefix('hots_rules/')}.json"


def made() -> dict[str, str]:
    """The files by name, as the classes say today; `python -m hots_rules.formats` writes them."""
    from hots_rules.formats.schema import schema_of
    from hots_rules.formats.typescript import typescript

    schemas = {name: schema_of(name) for name in FORMATS}
    found = {file_of(name): json.dumps(s, indent=2) + "\n" for name, s in schemas.items()}
    return {**found, TYPES: typescript(schemas.values())}


def schemas() -> tuple[str, ...]:
    """The names of all formats."""
    return tuple(FORMATS)


def schema(name: str) -> str:
    """The JSON Schema of a format, as text.

    Raises:
        UnknownOption: there is no such format.
    """
    if name not in FORMATS:
        raise UnknownOption("format", tuple(FORMATS), str(name))
    return _shipped(file_of(name))


def typescript_types() -> str:
    """The types of all messages for TypeScript, as text."""
    return _shipped(TYPES)


def _shipped(file: str) -> str:
    return package_home().joinpath("formats", "schemas", file).read_text(encoding="utf-8")

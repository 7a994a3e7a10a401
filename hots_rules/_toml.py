"""TOML from files of others: read, and held against the classes that its tables stand for."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from attrs import NOTHING, fields, has

from hots_rules._text import composed, plain_text

MAX_LEVELS = 32
# The time and memory that `tomllib` takes for a dotted key grow with the square of its length.
_PART = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*"""
_DEEP_KEY = re.compile(rf"(?<![\w-]){_PART}(?:\.[ \t]*{_PART}){{{MAX_LEVELS}}}")


def read_toml(text: str) -> dict[str, Any]:
    """The tables of a text.

    Raises:
        ValueError: it is not TOML, or is nested too deeply.
    """
    try:
        text = composed(plain_text(text))
        if _DEEP_KEY.search(text):
            raise RecursionError
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("too many levels inside one another") from None


@cache
def _hints(form: type) -> Mapping[str, object]:
    return get_type_hints(form)


def check_entries(entries: Mapping[str, object], form: type) -> None:
    """Refuse entries that are no attributes of a class, or do not have the types of these.

    An array stands for a tuple, a table for a mapping or for another class.

    Raises:
        ValueError: names the entry.
    """
    hints = _hints(form)
    for name, value in entries.items():
        if name not in hints:
            raise ValueError(f"there is no entry `{name}`")
        if not _fits(value, hints[name]):
            raise ValueError(f"the entry `{name}` does not have its form")


def _fits(value: object, form: object) -> bool:
    """Whether a value has the form of a type."""
    origin, args = get_origin(form), get_args(form)
    if origin is tuple:
        has_length = args[-1] is ... or (isinstance(value, list) and len(value) == len(args))
        return has_length and isinstance(value, list) and all(_fits(x, args[0]) for x in value)
    if origin is Mapping:
        return isinstance(value, dict) and all(_fits(member, args[1]) for member in value.values())
    if origin is UnionType:
        return any(_fits(value, alternative) for alternative in args)
    if not isinstance(form, type):
        return False
    if has(form):
        return isinstance(value, dict) and _is_whole(value, form)
    return isinstance(value, form)


def _is_whole(table: Mapping[str, object], form: type) -> bool:
    """Whether a table has all entries that a class needs, each in its form, and no others."""
    hints = _hints(form)
    needed = {attribute.name for attribute in fields(form) if attribute.default is NOTHING}
    return needed <= table.keys() <= hints.keys() and all(
        _fits(value, hints[name]) for name, value in table.items()
    )

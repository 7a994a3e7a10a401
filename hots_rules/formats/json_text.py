"""Untrusted JSON text as plain values: bounded, without floats, duplicate keys or unpaired surrogates."""

import json
from typing import NoReturn, TypeAlias

from attrs import frozen

from hots_rules._text import plain_text
from hots_rules.diagnostics import BadMessage, cropped, exceeds, how_to_raise

MAX_DEPTH = 60
MAX_NUMBER = 2**53 - 1  # JavaScript and most JSON readers keep integers up to this one exactly
MAX_SHOWN = 60  # characters of a value in an error


JSON: TypeAlias = "bool | int | str | list[JSON] | dict[str, JSON] | None"


@frozen
class _DuplicateKey:
    """Stands for an object in which a key occurs twice, until its path is known."""

    key: str


class _NotAnInteger(ValueError):
    """A number with a fraction or an exponent, `NaN` or `Infinity`."""


def parse_json(text: str | bytes, max_bytes: int, limit: str = "message_bytes") -> JSON:
    """The value of a JSON text of at most `max_bytes`; an error names the `limit` that says so.

    Raises:
        BadMessage: it is not JSON, too large or too deeply nested, or has a float, a duplicate key or an unpaired
            surrogate.

    >>> parse_json('{"code": 7}', 100)
    {'code': 7}
    """
    if not isinstance(text, str | bytes):
        raise BadMessage(
            "$", f"expected JSON as text, got {type(text).__name__}", "pass a `str` or `bytes`"
        )
    if exceeds(text, max_bytes):
        raise BadMessage("$", f"message is larger than {max_bytes} bytes", how_to_raise(limit))
    value = _loaded(_decoded(text))
    _check(value, [])
    return value


def _decoded(text: str | bytes) -> str:
    try:
        return plain_text(text if isinstance(text, str) else text.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise BadMessage("$", f"invalid UTF-8 at byte {error.start}", "encode as UTF-8") from None


def _loaded(text: str) -> JSON:
    try:
        value: JSON = json.loads(
            text,
            object_pairs_hook=_object,
            parse_float=_not_an_integer,
            parse_constant=_not_an_integer,
        )
    except json.JSONDecodeError as error:
        raise BadMessage(
            f"line {error.lineno}, column {error.colno}",
            f"invalid JSON: {error.msg.lower()}",
            "write one whole JSON value",
        ) from None
    except RecursionError:
        raise _too_deep("$") from None
    except _NotAnInteger as error:
        raise BadMessage(
            "$", f"expected an integer, got `{error!s:.60}`", "write e.g. 12"
        ) from None
    except ValueError:
        # Python itself refuses integers of thousands of digits.
        raise _out_of_range("$") from None
    return value


def _object(pairs: list[tuple[str, object]]) -> object:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            return _DuplicateKey(key)
        seen.add(key)
    raise AssertionError


def _not_an_integer(word: str) -> NoReturn:
    raise _NotAnInteger(word)


def _check(value: object, place: list[int | str]) -> None:
    """Raise for what the parser lets pass; `place` holds the indexes and keys that lead to the value."""
    if len(place) > MAX_DEPTH:
        raise _too_deep(_path(place))
    if isinstance(value, str):
        _check_surrogates(value, place)
    elif isinstance(value, _DuplicateKey):
        raise BadMessage(_path(place), f"duplicate key `{cut(value.key)}`", "send each key once")
    elif isinstance(value, int):
        if abs(value) > MAX_NUMBER:
            raise _out_of_range(_path(place))
    elif isinstance(value, list | dict):
        place.append("")
        for key, member in enumerate(value) if isinstance(value, list) else value.items():
            if isinstance(key, str):
                _check_surrogates(key, place[:-1])
            place[-1] = key
            _check(member, place)
        place.pop()


def _check_surrogates(text: str, place: list[int | str]) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadMessage(
            _path(place), "unpaired surrogate in a string", "send both halves of the character"
        ) from None


def _too_deep(path: str) -> BadMessage:
    return BadMessage(path, f"nested more than {MAX_DEPTH} levels deep", "nest less")


def _out_of_range(path: str) -> BadMessage:
    return BadMessage(
        path, f"integer out of range -{MAX_NUMBER} to {MAX_NUMBER}", "send a smaller number"
    )


def _path(place: list[int | str]) -> str:
    path = "$"
    for key in place:
        path = f"{path}[{key}]" if isinstance(key, int) else member_path(path, key)
    return path


def member_path(path: str, key: str) -> str:
    """The path of a member of an object.

    >>> member_path("$", "turn"), member_path("$", "far east")
    ('$.turn', '$["far east"]')
    """
    if key.isascii() and key.isidentifier():
        return f"{path}.{key[:MAX_SHOWN]}"
    return f"{path}[{json.dumps(cut(key), ensure_ascii=False)}]"


def shown(value: object) -> str:
    """A value as an error shows it: as JSON, cut like any text.

    >>> shown("7"), shown(["Fox", True])
    ('"7"', '["Fox", true]')
    """
    return cut(json.dumps(value, ensure_ascii=False, default=str))


def cut(text: str) -> str:
    """The first `MAX_SHOWN` characters of a text."""
    return cropped(text, MAX_SHOWN)

"""JSON text from strangers as plain values: bounded, exact, and with a place for whatever is wrong."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from attrs import frozen

from hots_rules.diagnostics import BadMessage

MAX_BYTES = 8_000_000
MAX_DEPTH = 60
MAX_NUMBER = 2**53 - 1  # what every JSON reader takes as it is
MAX_SHOWN = 60


@frozen
class _Twice:
    """An object in which a key stands twice."""

    key: str


class _NoNumber(ValueError):
    """A number that is not whole."""


def parse_json(text: str | bytes) -> Any:
    """The value of a JSON text: whole numbers alone, no key twice, no half characters.

    Raises:
        BadMessage: it is none, or too large or too deep.
    """
    if not isinstance(text, str | bytes):
        raise BadMessage("$", f"expected JSON as text, got {type(text).__name__}")
    if len(text) > MAX_BYTES:
        raise BadMessage("$", f"expected at most {MAX_BYTES} bytes, got more", "send less at once")
    try:
        said = text if isinstance(text, str) else text.decode("utf-8")
        found = json.loads(
            said, object_pairs_hook=_object, parse_float=_no_number, parse_constant=_no_number
        )
    except UnicodeDecodeError as error:
        raise BadMessage(
            "$", f"expected UTF-8, got other bytes at position {error.start}", "encode as UTF-8"
        ) from None
    except json.JSONDecodeError as error:
        raise BadMessage(
            f"line {error.lineno}, column {error.colno}",
            f"expected JSON, got something else: {error.msg.lower()}",
            "write one whole JSON value",
        ) from None
    except RecursionError:
        raise _too_deep("$") from None
    except _NoNumber as error:
        raise BadMessage(
            "$", f"expected whole numbers, got `{error!s:.60}`", "write e.g. 12"
        ) from None
    except ValueError:
        # Python itself refuses numbers of thousands of digits.
        raise _too_large_number("$") from None
    _look(found, "$", 0)
    return found


def _object(pairs: list[tuple[str, Any]]) -> Any:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            return _Twice(key)
        seen.add(key)
    raise AssertionError


def _no_number(word: str) -> NoReturn:
    raise _NoNumber(word)


def _look(value: Any, path: str, depth: int) -> None:
    """What the parser lets pass."""
    if depth > MAX_DEPTH:
        raise _too_deep(path)
    if isinstance(value, str):
        _sound(value, path)
    elif isinstance(value, _Twice):
        raise BadMessage(
            path, f"expected each key once, got `{shown(value.key)}` twice", "drop one of them"
        )
    elif isinstance(value, int) and abs(value) > MAX_NUMBER:
        raise _too_large_number(path)
    elif isinstance(value, list):
        for at, one in enumerate(value):
            _look(one, f"{path}[{at}]", depth + 1)
    elif isinstance(value, dict):
        for key, one in value.items():
            _sound(key, path)
            _look(one, step(path, key), depth + 1)


def _sound(text: str, path: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadMessage(
            path, "expected text that UTF-8 can hold, got half of a character", "send both halves"
        ) from None


def _too_deep(path: str) -> BadMessage:
    return BadMessage(
        path, f"expected values at most {MAX_DEPTH} deep in one another, got more", "nest less"
    )


def _too_large_number(path: str) -> BadMessage:
    return BadMessage(
        path, f"expected a whole number between -{MAX_NUMBER} and {MAX_NUMBER}, got one beyond"
    )


def step(path: str, key: str) -> str:
    """The path of a member of an object."""
    bare = key.isascii() and key.isidentifier()
    return (
        f"{path}.{key[:MAX_SHOWN]}"
        if bare
        else f"{path}[{json.dumps(shown(key), ensure_ascii=False)}]"
    )


def shown(value: object) -> str:
    """A value in a message, however long it is."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    cut = text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…"
    return cut.encode(errors="replace").decode()

"""Plain data in words, for tables of notebooks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

UNKNOWN = "?"
"""Marks a hidden value in plain data; no name in a ruleset is equal to it."""
_NO_NAMES: Mapping[str, str] = {}


def plain(value: object, names: Mapping[str, str] = _NO_NAMES) -> str:
    """A value of plain data as text; empty for what is empty, zero or no.

    Keys that have the same word stand together after it; `?` is that of hidden values. `names` has the texts of
    names; the others are shown with spaces.

    >>> from hots_rules.state.data_text import plain
    >>> plain({"Fox": "Far_Hill", "Hen": "Camp", "Hawk": "Far_Hill", "Owl": "?"})
    'Far Hill: Fox, Hawk; Camp: Hen; ?: Owl'
    >>> plain({"Red": {"Move_1": 2, "Move_2": 1}, "Blue": {}})
    'Red (Move 1: 2, Move 2: 1)'
    """
    if isinstance(value, dict):
        return "; ".join(_entries(value, names))
    if isinstance(value, list):
        return ", ".join(_word(member, names) for member in value)
    return _word(value, names) if value else ""


def _entries(values: Mapping[str, object], names: Mapping[str, str]) -> Iterator[str]:
    """The parts of a text of a dict: each word with its keys, the numbers, what is in brackets, what is hidden."""
    keys_of: dict[str, list[str]] = {}
    numbers, brackets = [], []
    for key, value in values.items():
        name, text = _word(key, names), plain(value, names)
        if value is True or isinstance(value, str):
            keys_of.setdefault(text, []).append(name)
        elif text and isinstance(value, int):
            numbers.append(f"{name}: {text}")
        elif text:
            brackets.append(f"{name} ({text})")
    hidden = keys_of.pop(UNKNOWN, [])
    yield from (f"{word}: {', '.join(keys)}" for word, keys in keys_of.items() if word)
    if numbers:
        yield ", ".join(numbers)
    yield from brackets
    if hidden:
        yield f"{UNKNOWN}: {', '.join(hidden)}"


def _word(value: object, names: Mapping[str, str]) -> str:
    """One value as text; a pair in brackets."""
    if isinstance(value, list):
        return f"({', '.join(_word(member, names) for member in value)})"
    if value is True:
        return "yes"
    return names.get(str(value), str(value).replace("_", " "))

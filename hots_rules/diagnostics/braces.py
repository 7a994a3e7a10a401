"""Sentences with expressions in braces: `"{foe(actor)} stands in {to}"`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

NAMED = re.compile(r"\{(\w+)\}")
"""A name in braces."""


def filled(template: str, values: Mapping[str, str]) -> str:
    """A text with the values in the place of their names in braces; other braces stay.

    >>> filled("{b} to {a}", {"b": "Fox"})
    'Fox to {a}'
    """
    return NAMED.sub(lambda match: values.get(match[1], match[0]), template)


def split_braces(text: str) -> list[str]:
    """What is outside and inside the braces of a text, in turn; the first and last are outside.

    >>> split_braces("{n} of {count({a, b})}")
    ['', 'n', ' of ', 'count({a, b})', '']
    """
    parts, end = list[str](), 0
    for start, stop in braces(text):
        parts += [text[end:start], text[start + 1 : stop]]
        end = stop + 1
    return [*parts, text[end:]]


def braces(text: str) -> Iterator[tuple[int, int]]:
    """The places of the outermost braces of a text; one that is never closed is no brace."""
    opened = list[int]()
    for at, sign in enumerate(text):
        if sign == "{":
            opened.append(at)
        elif sign == "}" and opened:
            start = opened.pop()
            if not opened:
                yield start, at

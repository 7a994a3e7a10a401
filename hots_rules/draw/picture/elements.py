"""Elements of SVG as text, with all attributes and words escaped."""

from __future__ import annotations

import re
from functools import cache
from xml.sax.saxutils import escape, quoteattr

from hots_rules._notebook import valid
from hots_rules.draw.board.geometry import Box, number

_ID = re.compile(r"[^\w.-]")
INK = "#2a2118"
PAPER = "#fbf5e6"
EDGE = "#5b4a33"


@cache
def _attribute_name(word: str) -> str:
    """The name of an attribute: `stroke_width` is `stroke-width`, `class_` is `class`."""
    return word.rstrip("_").replace("_", "-")


def element(name: str, content: str = "", /, **attributes: str | float | None) -> str:
    """An element with its content, which is SVG; an attribute that is None is left out."""
    written = "".join(
        f" {_attribute_name(key)}={quoteattr(valid(value)) if isinstance(value, str) else _quoted(value)}"
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def _quoted(value: float) -> str:
    return f'"{number(value)}"'


def words(text: str) -> str:
    """A text as the content of an element."""
    return escape(valid(text))


def title(text: str) -> str:
    """What an element is, for a pointer that rests on it and for screen readers."""
    return element("title", words(text))


def identifier(kind: str, key: str) -> str:
    """An id: `area-Ross`."""
    return f"{kind}-{_ID.sub('-', valid(key))}"


def box(place: Box, **attributes: str | float | None) -> str:
    """A rectangle."""
    left, top, width, height = place
    return element("rect", x=left, y=top, width=width, height=height, **attributes)

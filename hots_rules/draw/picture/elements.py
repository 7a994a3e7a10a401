"""Elements of SVG as text, with all attributes and words escaped."""

from __future__ import annotations

import re

from hots_rules.draw.board.geometry import Box, Point, number
from hots_rules.report.markup import attributes_text, escaped

_ID = re.compile(r"[^\w.-]")
INK = "#2a2118"
PAPER = "#fbf5e6"
EDGE = "#5b4a33"


def element(name: str, content: str = "", /, **attributes: str | float | None) -> str:
    """An element with its content, which is SVG; an attribute that is None is left out."""
    written = attributes_text(
        {
            key: value if value is None or isinstance(value, str) else number(value)
            for key, value in attributes.items()
        }
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def words(text: str) -> str:
    """A text as the content of an element."""
    return escaped(text)


def title(text: str) -> str:
    """What an element is, for a pointer that rests on it and for screen readers."""
    return element("title", words(text))


def identifier(kind: str, key: str) -> str:
    """An id: `area-Ross`."""
    return f"{kind}-{_ID.sub('-', key)}"


def box(place: Box, **attributes: str | float | None) -> str:
    """A rectangle."""
    left, top, width, height = place
    return element("rect", x=left, y=top, width=width, height=height, **attributes)


def stroke(d: str, colour: str, width: float, **attributes: str | float | None) -> str:
    """A path that is drawn in one colour, without a filling of its own."""
    return element("path", d=d, stroke=colour, stroke_width=width, **attributes)


def moved(at: Point) -> str:
    """What moves an element from the origin to a point."""
    return f"translate({number(at[0])} {number(at[1])})"

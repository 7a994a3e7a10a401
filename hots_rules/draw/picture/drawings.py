"""A live picture in parts: the frame, which all positions of a board share, and what a position puts into it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import blake2b

from attrs import field, frozen

from hots_rules.draw.board.geometry import number
from hots_rules.draw.picture.elements import element

_SLOT = re.compile(r'<g data-part="([^"]+)"/>')


def slot(part: str) -> str:
    """Where a part stands in the frame, or in another part."""
    return element("g", data_part=part)


@frozen
class Frame:
    """What is the same in the pictures of all positions of a board in a language: an SVG file with slots.

    >>> import hots_rules as hr
    >>> frame = hr.draw.drawing(hr.load("connect-four-1.0").start("empty-board")).frame
    >>> frame.width, frame.height
    (640, 484)

    Attributes:
        svg: the text of the file.
        width: the width of the pictures.
        height: the height of this file; a picture is as high as its panels below the map need it.
        name: a digest of the text.
    """

    svg: str = field(repr=False)
    width: float
    height: float
    name: str = field(init=False)

    @name.default
    def _digest(self) -> str:
        return blake2b(self.svg.encode(), digest_size=12).hexdigest()

    def as_high_as(self, height: float) -> str:
        """The text with another height."""
        return self.svg.replace(size_of(self.width, self.height), size_of(self.width, height), 1)


@frozen
class Drawing:
    """A live picture: its frame, the parts that fill the slots by their names, and its height.

    A part is one element, which may have slots for others.

    >>> import hots_rules as hr
    >>> game = hr.load("connect-four-1.0").start("empty-board")
    >>> before, after = (hr.draw.drawing(each) for each in (game, game.play("a1")))
    >>> before.frame is after.frame, "area-Cell_a_1" in after.since(before), len(after.since(before)) < 6
    (True, True, True)
    >>> after.svg == game.play("a1").draw(live=True)
    True
    """

    frame: Frame
    """What it shares with the pictures of other positions."""
    parts: Mapping[str, str] = field(repr=False)
    """By their names, the elements that fill the slots of the frame, and of one another."""
    height: float
    """As high as its panels below the map need it."""

    @property
    def svg(self) -> str:
        """The whole picture as the text of an SVG file."""
        return _SLOT.sub(self._filled, self.frame.as_high_as(self.height))

    def since(self, before: Drawing | None) -> dict[str, str]:
        """The parts that differ from those of a picture before it with the same frame; all of them without one."""
        if before is None or before.frame != self.frame:
            return dict(self.parts)
        earlier = before.parts
        return {name: part for name, part in self.parts.items() if earlier.get(name) != part}

    def _filled(self, match: re.Match[str]) -> str:
        return _SLOT.sub(self._filled, self.parts[match[1]])


def size_of(width: float, height: float) -> str:
    """The size of a picture, as it stands in the first tag."""
    across, down = number(width), number(height)
    return f'viewBox="0 0 {across} {down}" width="{across}" height="{down}"'

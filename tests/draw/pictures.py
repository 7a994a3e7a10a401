"""Reads a picture back: where its blocks, texts and panels are, and what is wrong with them."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from math import hypot
from xml.etree import ElementTree

from attrs import define, frozen

from hots_rules.draw.board.geometry import Board, Point

SPACE = "{http://www.w3.org/2000/svg}"
_MOVE = re.compile(r"translate\(([-\d.]+) ([-\d.]+)\)")
TOUCH = 0.6  # units that rounding may leave
ASCENT, DESCENT = 0.72, 0.16  # of capitals and of the usual letters, as parts of the size


@frozen
class Spot:
    """A rectangle in a picture, with what it is and the layer that it stands in."""

    kind: str
    name: str
    layer: str
    left: float
    top: float
    right: float
    bottom: float
    size: float = 0
    within: Spot | None = None

    def overlaps(self, other: Spot) -> bool:
        if self.kind == "badge" or other.kind == "badge":
            return self._overlaps_disc(other) if other.kind == "badge" else other.overlaps(self)
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across > TOUCH and down > TOUCH

    def _overlaps_disc(self, disc: Spot) -> bool:
        x, y = (disc.left + disc.right) / 2, (disc.top + disc.bottom) / 2
        across, down = max(self.left - x, 0, x - self.right), max(self.top - y, 0, y - self.bottom)
        return hypot(across, down) < (disc.right - disc.left) / 2 - TOUCH

    def holds(self, other: Spot) -> bool:
        return (
            other.left >= self.left - TOUCH
            and other.right <= self.right + TOUCH
            and other.top >= self.top - TOUCH
            and other.bottom <= self.bottom + TOUCH
        )

    @property
    def corners(self) -> tuple[Point, ...]:
        return (
            (self.left, self.top),
            (self.right, self.top),
            (self.right, self.bottom),
            (self.left, self.bottom),
        )


@define
class Picture:
    """A picture that was read back."""

    text: str
    width: float
    height: float
    spots: list[Spot]
    unset: list[str]

    def of(self, kind: str, layer: str = "") -> list[Spot]:
        return [s for s in self.spots if s.kind == kind and (not layer or s.layer == layer)]


def read_picture(text: str) -> Picture:
    root = ElementTree.fromstring(text)
    picture = Picture(text, float(root.get("width", "")), float(root.get("height", "")), [], [])
    for child in root:
        _read(child, 0, 0, "", None, picture)
    return picture


def _read(
    node: ElementTree.Element, x: float, y: float, layer: str, within: Spot | None, picture: Picture
) -> None:
    if node.tag in {f"{SPACE}defs", f"{SPACE}style"}:
        return
    if moved := _MOVE.match(node.get("transform", "")):
        x, y = x + float(moved[1]), y + float(moved[2])
    classes = node.get("class", "").split()
    if node.tag == f"{SPACE}g" and classes:
        layer = layer or classes[0]
        if classes[0] in {"block", "stack", "panel", "swords", "badge"}:
            spot = _box_of(node, classes[0], layer, x, y)
            picture.spots.append(spot)
            within = spot if classes[0] != "badge" else within
    if node.tag == f"{SPACE}text":
        picture.spots.append(_text(node, layer, x, y, within))
        if node.get("textLength") is None:
            picture.unset.append(node.text or "")
    for child in node:
        _read(child, x, y, layer, within, picture)


def _box_of(node: ElementTree.Element, kind: str, layer: str, x: float, y: float) -> Spot:
    name = node.get("data-block") or node.get("data-count") or node.findtext(f"{SPACE}title") or ""
    if kind == "swords":
        return Spot(kind, name, layer, x - 11, y - 11, x + 11, y + 11)
    if kind == "badge":
        label = node.find(f"{SPACE}text")
        assert label is not None
        at, line = x + float(label.get("x", "")), y + float(label.get("y", ""))
        return Spot(kind, name, layer, at - 9, line - 13.5, at + 9, line + 4.5)
    # The last rectangle of a block is its face: the first one is its shade.
    rect = [each for each in node if each.tag == f"{SPACE}rect"][-1]
    left, top = x + float(rect.get("x", "")), y + float(rect.get("y", ""))
    width, height = float(rect.get("width", "")), float(rect.get("height", ""))
    return Spot(kind, name, layer, left, top, left + width, top + height, width)


def _text(node: ElementTree.Element, layer: str, x: float, y: float, within: Spot | None) -> Spot:
    size, width = float(node.get("font-size", "")), float(node.get("textLength", "0"))
    at, line = x + float(node.get("x", "")), y + float(node.get("y", ""))
    left = {"middle": at - width / 2, "end": at - width}.get(node.get("text-anchor", ""), at)
    top, bottom = line - ASCENT * size, line + DESCENT * size
    kind = "name" if node.get("class") == "name" else "text"
    return Spot(kind, node.text or "", layer, left, top, left + width, bottom, size, within)


def arrows(text: str) -> Iterator[list[Point]]:
    """Points along each arrow of a last move as it is drawn, at most a few units apart, and those of its head."""
    for group in ElementTree.fromstring(text).iter(f"{SPACE}g"):
        if group.get("class") == "last-move":
            line, _, head = (path.get("d", "") for path in group.iter(f"{SPACE}path"))
            yield [
                *(point for part in line.split("M")[1:] for point in _along(part)),
                *_points(head),
            ]


def _along(part: str) -> Iterator[Point]:
    """Points along a part of a path: a curve of three points, or straight lines."""
    points = _points(part)
    if "Q" in part:
        (x1, y1), (x2, y2), (x3, y3) = points
        for step in range(101):
            t = step / 100
            a, b, c = (1 - t) * (1 - t), 2 * t * (1 - t), t * t
            yield a * x1 + b * x2 + c * x3, a * y1 + b * y2 + c * y3
    else:
        yield from points
        for (x1, y1), (x2, y2) in pairwise(points):
            yield (x1 + x2) / 2, (y1 + y2) / 2


def _points(part: str) -> list[Point]:
    numbers = [float(number) for number in re.findall(r"-?\d*\.?\d+", part)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def faults_of_arrows(text: str) -> Iterator[str]:
    """The names of areas, seas and blocks on the map that an arrow covers."""
    picture = read_picture(text)
    names = [s for s in picture.spots if s.layer in {"names", "sea"}]
    blocks = [s for s in picture.spots if s.layer == "blocks" and s.kind in {"block", "stack"}]
    for points in arrows(text):
        *line, tip, left, right = points
        for spot in names:
            if any(_is_near(point, spot, 4.5) for point in line) or _is_near(tip, spot, 1):
                yield f"an arrow covers {spot.name}"
            if _is_near(left, spot, 1) or _is_near(right, spot, 1):
                yield f"the head of an arrow covers {spot.name}"
        for spot in blocks:
            if any(_is_near(point, spot, 0) for point in line):
                yield f"an arrow covers the block {spot.name}"


def _is_near(point: Point, spot: Spot, reach: float) -> bool:
    x, y = point
    return spot.left - reach < x < spot.right + reach and spot.top - reach < y < spot.bottom + reach


# ------------------------------------------------------------------ what is wrong
def is_inside(point: Point, polygon: Sequence[Point]) -> bool:
    """Whether a point is in a polygon, by the number of its edges to the right."""
    x, y = point
    inside = False
    for (x1, y1), (x2, y2) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            inside = not inside
    return inside


def faults(text: str, board: Board, *, on_map: bool) -> Iterator[str]:
    """All that is wrong with a picture: it is the same for every game, and stricter where there is a map."""
    picture = read_picture(text)
    paper = Spot("paper", "", "", 0, 0, picture.width, picture.height)
    yield from (
        f"{s.kind} {s.name} leaves the picture" for s in picture.spots if not paper.holds(s)
    )
    yield from (f"{text} has no width" for text in picture.unset)
    solid = [*picture.of("block"), *picture.of("stack")]
    yield from _overlaps(solid)
    yield from _overlaps(picture.of("panel", "panel"))
    for label in [*picture.of("text"), *picture.of("name")]:
        if label.within is not None and not label.within.holds(label):
            yield f"{label.name} leaves the {label.within.kind} {label.within.name}"
    in_panels = [s for s in picture.spots if s.kind == "text" and s.layer == "panel"]
    yield from _overlaps(in_panels)
    if len(text) > 150_000 or len(gzip.compress(text.encode())) > 30_000:
        yield f"{len(text)} letters, {len(gzip.compress(text.encode()))} compressed"
    if on_map:
        yield from _faults_of_map(picture, board)


def _overlaps(spots: list[Spot]) -> Iterator[str]:
    for one, other in combinations(spots, 2):
        if one.overlaps(other):
            yield f"{one.kind} {one.name} and {other.kind} {other.name} overlap"


def _faults_of_map(picture: Picture, board: Board) -> Iterator[str]:
    scale = 900 / picture.width
    for label in [*picture.of("text"), *picture.of("name")]:
        if label.size * scale < 11:
            yield f"the text {label.name} is {label.size * scale:.1f} pixels high"
    blocks = [*picture.of("block"), *picture.of("stack")]
    yield from (
        f"the block {s.name} is {s.size * scale:.0f} pixels high"
        for s in blocks
        if s.size * scale < 26
    )
    on_areas = [s for s in blocks if s.layer == "blocks"]
    labels = [s for s in picture.spots if s.layer == "names"]
    yield from _inside_one_area([*on_areas, *labels], board)
    marks = picture.of("swords", "battles")
    yield from _overlaps([*on_areas, *labels, *picture.of("badge", "badges"), *marks])


def _inside_one_area(spots: list[Spot], board: Board) -> Iterator[str]:
    for spot in spots:
        middle = ((spot.left + spot.right) / 2, (spot.top + spot.bottom) / 2)
        area = next((a for a in board.areas.values() if is_inside(middle, a.polygon)), None)
        if area is None or not all(is_inside(corner, area.polygon) for corner in spot.corners):
            yield f"{spot.kind} {spot.name} leaves its area"

"""The path of a move's arrow: it keeps clear of names and panels first, then of blocks and badges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import hypot

from attrs import frozen

from hots_rules.draw.board.geometry import Area, Board, Box, Point, SeaLabel, number
from hots_rules.draw.scene.position import DrawnMove

ROOM = 11  # the distance that an arrow keeps from names and blocks where it can: half its head is 10 wide
MIN_ROOM = 6  # the distance that its line keeps from them everywhere: half of it is 4.5 wide
TIP = 11  # from the end of the line to the point of its head
_REACHES = (26, 20, 15, 11)  # from a border to each end of an arrow over it
_BENDS = (0.15, -0.15)  # how far a line bends to a side, in shares of its length
_WIDE_BENDS = (0.15, -0.15, 0.4, -0.4)
_STEP = 8  # units from one point of the line to the next where it is measured


Surroundings = tuple[float, float, float, float]
"""The left, top, right and bottom of a rectangle."""


@frozen(slots=False)
class Way:
    """A quadratic curve from one point to another, with the control point `bend`; the head goes on to `tip`."""

    start: Point
    bend: Point
    end: Point

    @cached_property
    def points(self) -> list[Point]:
        """Points along the line."""
        (x1, y1), (x2, y2), (x3, y3) = self.start, self.bend, self.end
        steps = int(hypot(x3 - x1, y3 - y1) / _STEP) + 1
        shares = [step / steps for step in range(steps + 1)]
        parts = [((1 - t) * (1 - t), 2 * t * (1 - t), t * t) for t in shares]
        return [(a * x1 + b * x2 + c * x3, a * y1 + b * y2 + c * y3) for a, b, c in parts]

    @cached_property
    def tip(self) -> Point:
        """The point of the head."""
        across, down = self.end[0] - self.bend[0], self.end[1] - self.bend[1]
        length = hypot(across, down) or 1
        return self.end[0] + TIP * across / length, self.end[1] + TIP * down / length

    @cached_property
    def surroundings(self) -> Surroundings:
        """The left, top, right and bottom of a rectangle; what is outside is not near the line or its head."""
        across, down = zip(self.start, self.bend, self.end, self.tip, strict=True)
        return min(across) - ROOM, min(down) - ROOM, max(across) + ROOM, max(down) + ROOM

    def drawn(self, taken: Sequence[Box]) -> str:
        """The line as the data of a path, with gaps where names and blocks stand."""
        points = self.points
        near = boxes_in(self.surroundings, taken)
        clear = [room(point, near) >= MIN_ROOM for point in points]
        if all(clear):
            middle, end = (f"{number(x)} {number(y)}" for x, y in (self.bend, self.end))
            return f"M{number(self.start[0])} {number(self.start[1])}Q{middle} {end}"
        clear_before = [False, *clear]
        return "".join(
            f"{'L' if was_clear else 'M'}{number(x)} {number(y)}"
            for was_clear, is_clear, (x, y) in zip(clear_before, clear, points, strict=False)
            if is_clear
        )


@frozen(slots=False)
class ShortWays:
    """The short ways from one area to another; none if they share no border."""

    ways: tuple[Way, ...] = ()

    @cached_property
    def _surroundings(self) -> Surroundings:
        return around(self.ways)

    def near(self, boxes: Sequence[Box]) -> list[Box]:
        """The boxes that one of the ways, or its head, may come near to."""
        return boxes_in(self._surroundings, boxes)


def ways_over_border(board: Board, start: str, end: str) -> ShortWays:
    """The short ways over the border that two areas share, those that keep clearest of names; none without a border.

    Between cells with one block each there is one way, which is straight and ends before the block.
    """
    if len(board.areas[start].slots) == len(board.areas[end].slots) == 1:
        return ShortWays((_way_of_cells(board, start, end),))
    lines = board.shared_edges.get(frozenset((start, end)))
    if not lines:
        return ShortWays()
    ends = middle_of(board.areas[start]), middle_of(board.areas[end])
    ways = tuple(_short_ways(*ends, max(lines, key=len)))
    names = boxes_in(around(ways), names_of(board))
    clearances = [(way, _min_clearance(way, names)) for way in ways]
    most = max(clearance for _, clearance in clearances)
    return ShortWays(tuple(way for way, clearance in clearances if clearance == most))


def _way_of_cells(board: Board, first: str, last: str) -> Way:
    start, end = middle_of(board.areas[first]), middle_of(board.areas[last])
    across, down = end[0] - start[0], end[1] - start[1]
    share = 1 - (board.block * 0.6 + TIP) / (hypot(across, down) or 1)
    before = start[0] + share * across, start[1] + share * down
    return _bent(start, before, 0)


def way_of(board: Board, move: DrawnMove, blocks: Sequence[Box], short_ways: Sequence[Way]) -> Way:
    """The short way that is clearest of blocks; if there is none, the best way from area to area."""
    if short_ways:
        return _clearest(short_ways, blocks)
    ends = board.areas[move.start], board.areas[move.end]
    taken = [*names_of(board), *blocks]
    right, bottom = board.canvas

    def clearance(way: Way) -> tuple[bool, float]:
        """Ways inside the picture first, then those with room for the head."""
        is_inside = all(
            MIN_ROOM <= x <= right - MIN_ROOM and MIN_ROOM <= y <= bottom - MIN_ROOM
            for x, y in way.points
        )
        return is_inside, room(way.tip, taken)

    ways = [
        (clearance(way), way) for way in _far_ways(*(_free_points(area, taken) for area in ends))
    ]
    most = max(cleared for cleared, _ in ways)
    # Then those with most room for the line.
    best = [way for cleared, way in ways if cleared == most]
    return max(best, key=lambda way: _mean_clearance(way, taken)) if len(best) > 1 else best[0]


def _clearest(ways: Sequence[Way], boxes: Sequence[Box]) -> Way:
    """The first of the ways that keep clearest of some boxes."""
    best, most = ways[0], -1.0
    for way in ways:
        clearance = _min_clearance(way, boxes)
        if clearance > most:
            best, most = way, clearance
        if most >= ROOM:  # no way is clearer
            break
    return best


def _free_points(area: Area, taken: Sequence[Box]) -> list[Point]:
    """Points of an area where an arrow may begin or end, those with most room first."""
    points = [middle_of(area), *area.slots, *area.small_slots]
    return sorted(points, key=lambda point: -room(point, taken))


def _far_ways(starts: Sequence[Point], ends: Sequence[Point]) -> Iterator[Way]:
    for bend in _WIDE_BENDS:
        for end in ends[:2]:
            yield _bent(starts[0], end, bend)


def _short_ways(start: Point, end: Point, line: Sequence[Point]) -> Iterator[Way]:
    length = hypot(end[0] - start[0], end[1] - start[1]) or 1
    across, down = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    for reach in _REACHES:
        # Not at the ends of the border, where a third area begins.
        for x, y in line[1:-1] or line:
            before = x - reach * across, y - reach * down
            behind = x + reach * across, y + reach * down
            yield from (_bent(before, behind, bend) for bend in _BENDS)


def _bent(start: Point, end: Point, bend: float) -> Way:
    across, down = end[0] - start[0], end[1] - start[1]
    middle = (start[0] + end[0]) / 2 - bend * down, (start[1] + end[1]) / 2 + bend * across
    return Way(start, middle, end)


def _min_clearance(way: Way, boxes: Sequence[Box]) -> float:
    """How far the nearest point of a way is from some boxes, at most `ROOM`."""
    near = boxes_in(way.surroundings, boxes)
    return min(room(point, near) for point in (*way.points, way.tip)) if near else ROOM


def _mean_clearance(way: Way, boxes: Sequence[Box]) -> float:
    """How far the points of a way are from some boxes on average, each at most `ROOM`."""
    points = way.points
    near = boxes_in(way.surroundings, boxes)
    return sum(room(point, near) for point in points) / len(points)


def around(ways: Sequence[Way]) -> Surroundings:
    """What is outside is near none of some ways, and none of their heads."""
    lefts, tops, rights, bottoms = zip(*(way.surroundings for way in ways), strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def boxes_in(surroundings: Surroundings, boxes: Sequence[Box]) -> list[Box]:
    """The boxes that a rectangle touches."""
    left, top, right, bottom = surroundings
    return [
        box
        for box in boxes
        if box[0] < right and box[0] + box[2] > left and box[1] < bottom and box[1] + box[3] > top
    ]


def room(point: Point, boxes: Sequence[Box]) -> float:
    """How far a point is from the nearest of some boxes, at most `ROOM`."""
    x, y = point
    least: float = ROOM
    for left, top, width, height in boxes:
        across = left - x if x < left else x - left - width if x > left + width else 0
        if across < least:
            down = top - y if y < top else y - top - height if y > top + height else 0
            if down < least:
                least = min(least, hypot(across, down))
    return least


def names_of(board: Board) -> tuple[Box, ...]:
    """The boxes of the names of areas and seas, with their icons, and of the panels on the map."""
    labels = [area.label.box for area in board.areas.values() if area.label is not None]
    return *board.panels.values(), *labels, *map(_box_of_sea, board.labels)


def _box_of_sea(label: SeaLabel) -> Box:
    """The box of the name with the most lines in any language: a line for each word."""
    rows = max(len(text.split()) for text in label.text.values())
    (across, down), width, row_height = label.at, 110, 24
    return across - width / 2, down - 0.75 * row_height, width, row_height * rows


def middle_of(area: Area) -> Point:
    """A point in the middle of the slots of an area."""
    xs, ys = zip(*area.slots, strict=True)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2

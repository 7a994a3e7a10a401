"""Where the blocks of an area stand: in slots, in small slots, or in one counted stack for each side."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from attrs import frozen

from hots_rules.draw.board.geometry import Area, Board, Point
from hots_rules.draw.scene.position import DrawnPlace, Piece

MARK = 26  # the size of the mark for a battle


WIDE = 12  # a gap between two sides that needs not be wider
# The ways from one side to the other that are tried, each as a step across and down: level, upright, sloping.
_WAYS = ((1.0, 0.0), (0.0, 1.0), (0.8, 0.6), (0.8, -0.6), (0.6, 0.8), (-0.6, 0.8))


@frozen
class PlacedBlocks:
    """Blocks with their points: each alone, or several of one player as a stack."""

    size: float
    blocks: tuple[tuple[Piece, Point], ...]
    stacks: tuple[tuple[tuple[Piece, ...], Point], ...] = ()


def placed(place: DrawnPlace, board: Board) -> PlacedBlocks:
    """The blocks of a place; where several players stand, a straight line parts the blocks of each from the next."""
    area = board.areas[place.key]
    is_contested = len(place.owners) > 1
    for slots, size in ((area.slots, board.block), (area.small_slots, board.small_block)):
        free = _free(slots, size, area) if is_contested else slots
        if len(place.pieces) <= len(free):
            points = free[: len(place.pieces)]
            if is_contested:
                points = _parted(free, [len(group) for group in _groups(place)], size)
            pieces = [piece for group in _groups(place) for piece in group]
            return PlacedBlocks(size, tuple(zip(pieces, points, strict=True)))
    return _stacked(place, area, board, is_contested=is_contested)


def _groups(place: DrawnPlace) -> list[tuple[Piece, ...]]:
    """The pieces of each owner."""
    owners = dict.fromkeys(piece.owner for piece in place.pieces)
    return [tuple(p for p in place.pieces if p.owner == owner) for owner in owners]


def _parted(free: Sequence[Point], sizes: Sequence[int], block: float) -> list[Point]:
    """Points for groups of such sizes, one group after the other: with the widest gap, then on the first slots."""
    best: list[Point] = []
    widest = float("-inf")
    for count in range(sum(sizes), len(free) + 1):
        for across, down in _WAYS:
            line = sorted(free[:count], key=lambda slot: (slot[0] * across + slot[1] * down, slot))
            chosen = [*line[: sum(sizes) - sizes[-1]], *line[count - sizes[-1] :]]
            along = [x * across + y * down for x, y in chosen]
            gaps = [along[end] - along[end - 1] for end in accumulate(sizes[:-1])]
            gap = min(WIDE, min(gaps) - block * (abs(across) + abs(down)))
            if gap > widest:
                best, widest = chosen, gap
    return best


def _free(slots: Sequence[Point], size: float, area: Area) -> list[Point]:
    """The slots that leave the mark for a battle free."""
    reach = (size + MARK) / 2
    x, y = area.marker
    return [slot for slot in slots if abs(slot[0] - x) >= reach or abs(slot[1] - y) >= reach]


def _stacked(place: DrawnPlace, area: Area, board: Board, *, is_contested: bool) -> PlacedBlocks:
    groups = _groups(place)
    for slots, size in ((area.slots, board.block), (area.small_slots, board.small_block)):
        free = _free(slots, size, area) if is_contested else list(slots)
        if len(groups) <= len(free):
            points = sorted(free[: len(groups)])
            return PlacedBlocks(size, (), tuple(zip(groups, points, strict=True)))
    return PlacedBlocks(board.small_block, (), ((place.pieces, area.slots[0]),))

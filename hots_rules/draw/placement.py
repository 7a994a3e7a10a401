"""Where the blocks of an area stand: in slots, in small slots, or in one counted stack for each side."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from hots_rules.draw.geometry import Area, Board, Point
from hots_rules.draw.position import Piece, Place

MARK = 26  # the size of the mark for a battle


@frozen
class Placed:
    """Blocks with their points: each alone, or several of one player as a stack."""

    size: float
    blocks: tuple[tuple[Piece, Point], ...]
    stacks: tuple[tuple[tuple[Piece, ...], Point], ...] = ()


def placed(place: Place, board: Board) -> Placed:
    """The blocks of a place; where several players stand, each has the slots on one side."""
    area = board.areas[place.key]
    is_contested = len(place.owners) > 1
    for slots, size in ((area.slots, board.block), (area.small_slots, board.small_block)):
        free = _free(slots, size, area) if is_contested else slots
        if len(place.pieces) <= len(free):
            points = free[: len(place.pieces)]
            if is_contested:
                points = sorted(points)
            return Placed(size, tuple(zip(place.pieces, points, strict=True)))
    return _stacked(place, area, board, is_contested=is_contested)


def _free(slots: Sequence[Point], size: float, area: Area) -> list[Point]:
    """The slots that leave the mark for a battle free."""
    reach = (size + MARK) / 2
    x, y = area.marker
    return [slot for slot in slots if abs(slot[0] - x) >= reach or abs(slot[1] - y) >= reach]


def _stacked(place: Place, area: Area, board: Board, *, is_contested: bool) -> Placed:
    owners = list(dict.fromkeys(piece.owner for piece in place.pieces))
    groups = [tuple(p for p in place.pieces if p.owner == owner) for owner in owners]
    for slots, size in ((area.slots, board.block), (area.small_slots, board.small_block)):
        free = _free(slots, size, area) if is_contested else list(slots)
        if len(groups) <= len(free):
            points = sorted(free[: len(groups)])
            return Placed(size, (), tuple(zip(groups, points, strict=True)))
    return Placed(board.small_block, (), ((place.pieces, area.slots[0]),))

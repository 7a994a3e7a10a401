"""Where the blocks of an area stand: in slots, in small slots, or in one counted stack for each player."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from attrs import frozen

from hots_rules.draw.board.geometry import Area, Board, Point
from hots_rules.draw.scene.position import DrawnPlace, Piece

MARK = 26  # the size of the mark for a battle
ENOUGH_GAP = 12  # between two sides: a wider one is no better
# The ways from one side to the other that are tried, each as a step across and down: level, upright, sloping.
_WAYS = ((1.0, 0.0), (0.0, 1.0), (0.8, 0.6), (0.8, -0.6), (0.6, 0.8), (-0.6, 0.8))


@frozen
class PlacedBlocks:
    """Blocks with their points: each alone, or several of one player as a stack."""

    size: float
    blocks: tuple[tuple[Piece, Point], ...]
    stacks: tuple[tuple[tuple[Piece, ...], Point], ...] = ()


def placed(place: DrawnPlace, board: Board) -> PlacedBlocks:
    """The blocks of a place; if they are of several players, straight lines separate the blocks of each."""
    groups = _groups(place)
    layers = _layers(place, board)
    for slots, size in layers:
        if len(place.pieces) <= len(slots):
            points: Sequence[Point] = slots[: len(place.pieces)]
            if len(place.owners) > 1:
                points = _parted(slots, [len(group) for group in groups], size)
            pieces = [piece for group in groups for piece in group]
            return PlacedBlocks(size, tuple(zip(pieces, points, strict=True)))
    for slots, size in layers:
        if len(groups) <= len(slots):
            from_left = sorted(slots[: len(groups)])
            return PlacedBlocks(size, (), tuple(zip(groups, from_left, strict=True)))
    # Fewer slots than players: their stacks stand side by side, over the edge of the area.
    across, down = board.areas[place.key].slots[0]
    size, middle = board.small_block, (len(groups) - 1) / 2
    beside = [(across + (number - middle) * size, down) for number in range(len(groups))]
    return PlacedBlocks(size, (), tuple(zip(groups, beside, strict=True)))


def _layers(place: DrawnPlace, board: Board) -> list[tuple[Sequence[Point], float]]:
    """The slots of an area and its small slots, with their sizes.

    With blocks of several players, only slots clear of the mark for a battle, if there are enough for each player.
    """
    area = board.areas[place.key]
    layers = [(area.slots, board.block), (area.small_slots, board.small_block)]
    if len(place.owners) < 2:
        return [*layers]
    free = [(_free(slots, size, area), size) for slots, size in layers]
    has_room = any(len(_groups(place)) <= len(slots) for slots, _ in free)
    return [*(free if has_room else layers)]


def _groups(place: DrawnPlace) -> list[tuple[Piece, ...]]:
    """The pieces of each owner."""
    owners = dict.fromkeys(piece.owner for piece in place.pieces)
    return [tuple(p for p in place.pieces if p.owner == owner) for owner in owners]


def _parted(free: Sequence[Point], sizes: Sequence[int], block: float) -> list[Point]:
    """A point for each piece, group by group, so that the gaps between groups are widest, up to `ENOUGH_GAP`.

    Few slots are tried before many, since the first ones are the best. The last group takes the far end of the line.
    """
    best: list[Point] = []
    widest = float("-inf")
    for count in range(sum(sizes), len(free) + 1):
        for across, down in _WAYS:
            line = sorted(free[:count], key=lambda slot: (slot[0] * across + slot[1] * down, slot))
            chosen = [*line[: sum(sizes) - sizes[-1]], *line[count - sizes[-1] :]]
            along = [x * across + y * down for x, y in chosen]
            gaps = [along[end] - along[end - 1] for end in accumulate(sizes[:-1])]
            gap = min(ENOUGH_GAP, min(gaps) - block * (abs(across) + abs(down)))
            if gap > widest:
                best, widest = chosen, gap
    return best


def _free(slots: Sequence[Point], size: float, area: Area) -> list[Point]:
    """The slots that leave the mark for a battle free."""
    reach = (size + MARK) / 2
    x, y = area.marker
    return [slot for slot in slots if abs(slot[0] - x) >= reach or abs(slot[1] - y) >= reach]

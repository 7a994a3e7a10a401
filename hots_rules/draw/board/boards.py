"""The board of a ruleset: from its file, else laid out from the map that its rules declare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from attrs import evolve

from hots_rules.compile.facts import MapFacts
from hots_rules.diagnostics import check_kind
from hots_rules.draw.board.geometry import Area, AreaLabel, Board, Colour, Point
from hots_rules.draw.board.read_board import BoardWords, read_board
from hots_rules.play.game import AnyRuleset
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.state.schema import StateSchema

SQUARE = 72  # also the height of a hex
# The cell of a point, and a piece that has room in it above the name.
POINT, POINT_BLOCK = 48, 28
MARGIN = 26
ROOT_3 = 3**0.5
# A place without a shape: a box with room for six blocks below its name.
BOX_WIDTH, BOX_HEIGHT, GAP = 158, 132, 26
BLOCK = 46
_TINTS = (Colour("#d9c7a0"), Colour("#f1e7cf"), Colour("#e5d6b6"))
# The colours of all terrains but the most frequent one, in the order of their type.
_TERRAINS = tuple(map(Colour, ("#b3c79b", "#cfa98a", "#a9c4cc", "#bdbab0", "#dfc765", "#c9b0c9")))


def board_of(ruleset: AnyRuleset) -> Board:
    """The board of a ruleset; without a map it has no areas.

    Raises:
        RulesetError: the file of the board has faults.

    >>> import hots_rules as hr
    >>> board = hr.draw.board_of(hr.load("hots-4.0"))
    >>> board.canvas, len(board.areas)
    ((1000, 1400), 23)
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    return ruleset.compiled.memo(("draw", "board"), lambda: _board(ruleset))


def _board(ruleset: AnyRuleset) -> Board:
    schema = ruleset.schema
    map_facts = schema.facts.map
    if map_facts is None:
        return Board((1000, 0), {})
    names = _place_names(schema, map_facts)
    if ruleset.source.board:
        return _read(ruleset.source.board, _words(ruleset, map_facts, names))
    if map_facts.is_board and map_facts.links and not map_facts.shape:
        board = _points(map_facts.spots, names)
    elif map_facts.is_board or map_facts.shape:
        board = _cells(map_facts, names)
    else:
        board = _boxes(map_facts.spots, names)
    return _with_terrain(board, map_facts, names)


def _with_terrain(board: Board, map_facts: MapFacts, names: Mapping[int, str]) -> Board:
    """The board with a colour for each terrain; the most frequent one has the colours of a board without terrain."""
    counted = Counter(map_facts.terrain.values()).most_common()
    others = sorted(terrain for terrain, _ in counted[1:])
    tints = {
        terrain: len(board.tints) + number % len(_TERRAINS) for number, terrain in enumerate(others)
    }
    areas = {
        names[code]: evolve(board.areas[names[code]], tint=tints[terrain])
        for code, terrain in map_facts.terrain.items()
        if terrain in tints
    }
    colours = _TERRAINS[: len(others)]
    return evolve(board, areas={**board.areas, **areas}, tints=(*board.tints, *colours))


@lru_cache(maxsize=8)
def _read(text: str, words: BoardWords) -> Board:
    """The board of a file, kept, since the versions of a ruleset that is being edited share one."""
    return read_board(text, "board.json", words)


def _place_names(schema: StateSchema, map_facts: MapFacts) -> dict[int, str]:
    """The places of the map by code."""
    type_ = schema.place_type
    assert type_ is not None
    return {code: str(schema.to_python(code, type_)) for code in map_facts.spots}


def _words(ruleset: AnyRuleset, map_facts: MapFacts, names: Mapping[int, str]) -> BoardWords:
    tables = ruleset.compiled.typed.tables.values()
    pieces = ruleset.schema.variables[map_facts.variable].keys[0]
    pairs = {
        frozenset((names[start], names[end]))
        for link in map_facts.links
        for start in link.ends
        for end in link.ends
        if start != end and start in names and end in names
    }
    schema = ruleset.schema
    in_hands = {
        name: len(variable.keys)
        for name, variable in schema.variables.items()
        if variable.keys and schema.is_of_players(variable.keys[0])
    }
    return BoardWords(
        tuple(names.values()),
        frozenset(pairs),
        tuple(dict.fromkeys(link.colour for link in map_facts.links)),
        schema.players,
        tuple(schema.variables),
        tuple(name for name, keys in in_hands.items() if keys == 1),
        tuple(in_hands),
        tuple(dict.fromkeys(column for table in tables for column in table.columns)),
        tuple(
            name
            for name, definition in ruleset.compiled.typed.definitions.items()
            if [param.type for param in definition.params] == [pieces]
        ),
    )


def _rectangle(left: float, top: float, width: float, height: float) -> tuple[Point, ...]:
    right, bottom = left + width, top + height
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _cells(map_facts: MapFacts, names: Mapping[int, str]) -> Board:
    """Squares or hexes with alternating tints; their coordinates count from the bottom left."""
    is_hexes = map_facts.shape == "hexes"
    left = min(x for x, _ in map_facts.spots.values())
    top = max(y for _, y in map_facts.spots.values())
    areas = {}
    for code, (across, up) in map_facts.spots.items():
        cell = (
            _hex(across - left, top - up, across % 2)
            if is_hexes
            else _square(across - left, top - up)
        )
        # Neighbours of a hex in its column and beside it differ in this number by one or two.
        tint = (up + (across + across % 2) // 2 + across) % 3 if is_hexes else (across + up) % 2
        areas[names[code]] = evolve(cell, tint=tint)
    return Board(_canvas(areas), areas, tints=_TINTS if is_hexes else _TINTS[:2], small_block=26)


def _points(spots: Mapping[int, tuple[int, int]], names: Mapping[int, str]) -> Board:
    """A small cell for each point, with space between neighbours, so that the lines between them are visible."""
    first = min(across for across, _ in spots.values())
    highest = max(up for _, up in spots.values())
    areas = {}
    for code, (across, up) in spots.items():
        left, top = MARGIN + (across - first) * SQUARE, MARGIN + (highest - up) * SQUARE
        centre, foot = left + POINT / 2, top + POINT
        middle = (centre, top + POINT / 2 - 6)
        label = AreaLabel((centre, foot - 7), POINT, (left, foot - 15, POINT, 13))
        polygon = _rectangle(left, top, POINT, POINT)
        areas[names[code]] = Area(polygon, (middle,), middle, label)
    return Board(_canvas(areas), areas, block=POINT_BLOCK, small_block=POINT_BLOCK)


def _square(across: int, down: int) -> Area:
    left, top = MARGIN + across * SQUARE, MARGIN + down * SQUARE
    middle = (left + SQUARE / 2, top + SQUARE / 2 - 6)
    label = AreaLabel((left + 17, top + SQUARE - 7), 26, (left + 3, top + SQUARE - 18, 28, 15))
    return Area(_rectangle(left, top, SQUARE, SQUARE), (middle,), middle, label, _around(middle))


def _hex(across: int, down: int, is_odd: int) -> Area:
    """A hex with a flat top; one in a column of an odd number stands half a hex higher."""
    side = SQUARE / ROOT_3
    middle_x = MARGIN + side + across * 1.5 * side
    middle_y = MARGIN + SQUARE / 2 + (down + (1 - is_odd) / 2) * SQUARE
    polygon = tuple(
        (round(middle_x + side * over, 1), round(middle_y + SQUARE / 2 * rise, 1))
        for over, rise in ((-0.5, -1), (0.5, -1), (1, 0), (0.5, 1), (-0.5, 1), (-1, 0))
    )
    middle = (round(middle_x, 1), round(middle_y - 5, 1))
    label = AreaLabel(
        (round(middle_x, 1), middle_y + 30), 40, (round(middle_x - 20, 1), middle_y + 20, 40, 15)
    )
    return Area(polygon, (middle,), middle, label, _around(middle))


def _around(middle: Point) -> tuple[Point, ...]:
    """The slots of four small blocks."""
    across, down = middle
    return tuple((across + right, down + below) for below in (-14, 14) for right in (-14, 14))


def _boxes(spots: Mapping[int, tuple[int, int]], names: Mapping[int, str]) -> Board:
    """A box for each place, so far apart that none touches another."""
    scale = _spread(list(spots.values()))
    left, top = min(x for x, _ in spots.values()), min(y for _, y in spots.values())
    areas = {}
    for code, (across, down) in spots.items():
        x, y = MARGIN + (across - left) * scale, MARGIN + (down - top) * scale
        slots = [
            (x + 31 + 48 * column, y + 54 + 48 * row) for row in range(2) for column in range(3)
        ]
        small = [
            (x + 25 + 36 * column, y + 48 + 36 * row) for row in range(2) for column in range(4)
        ]
        label = AreaLabel((x + BOX_WIDTH / 2, y + 16), 120, (x + 8, y + 4, BOX_WIDTH - 16, 22))
        areas[names[code]] = Area(
            _rectangle(x, y, BOX_WIDTH, BOX_HEIGHT), tuple(slots), slots[0], label, tuple(small)
        )
    return Board(_canvas(areas), areas)


def _spread(spots: list[tuple[int, int]]) -> float:
    """The units for one step of the ruleset's coordinates, enough that no two boxes touch."""
    scale = 0.0
    for number, (x, y) in enumerate(spots):
        for other_x, other_y in spots[:number]:
            across = (BOX_WIDTH + GAP) / abs(x - other_x) if x != other_x else float("inf")
            down = (BOX_HEIGHT + GAP) / abs(y - other_y) if y != other_y else float("inf")
            enough = min(across, down)
            if enough != float("inf"):  # as it is for two places at one spot
                scale = max(scale, enough)
    return scale or 1


def _canvas(areas: Mapping[str, Area]) -> Point:
    points = [point for area in areas.values() for point in area.polygon]
    return max(x for x, _ in points) + MARGIN, max(y for _, y in points) + MARGIN

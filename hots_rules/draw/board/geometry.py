"""The shapes of a board, and which words of a ruleset they show; see docs/reference/formats.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import pairwise
from typing import Literal, NewType

from attrs import field, frozen

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, width, height."""
Colour = NewType("Colour", str)
PathData = NewType("PathData", str)
Dashes = NewType("Dashes", str)
Text = dict[str, str]
"""A text by language; English stands for the languages that are missing."""


@frozen
class AreaLabel:
    """Where the name of an area stands: its middle, its width, and the box of the name with its icons."""

    at: Point
    width: float
    box: Box


@frozen(slots=False)
class Area:
    """A place of the map.

    Attributes:
        polygon: its outline; neighbours have the same points along their border.
        label: where its name stands; None leaves the name out.
        slots: the middles of its blocks, in the order in which they are filled.
        small_slots: the same for small blocks, when the others do not suffice.
        marker: the middle of a mark for a battle, clear of the first slots.
        icons: the middles of its icons, by the names in `Mark.icon`.
        tint: the number of its colour in `Board.tints`.
        cell: where its name begins on a terminal: the column, of 80, and the row, of 16.
    """

    polygon: tuple[Point, ...]
    slots: tuple[Point, ...]
    marker: Point
    label: AreaLabel | None = None
    small_slots: tuple[Point, ...] = ()
    icons: dict[str, Point] = field(factory=dict)
    tint: int = 0
    cell: tuple[int, int] | None = None


@frozen
class Badge:
    """Where the number of a border stands."""

    ends: tuple[str, str]
    at: Point


@frozen
class LinkStyle:
    """How the borders of one colour are drawn."""

    colour: Colour
    dash: Dashes = Dashes("")
    badge: Literal["circle", "diamond", "none"] = "none"
    number: int | None = None
    text: Text = field(factory=dict)


@frozen
class DoubleLinks:
    """The borders with a double line: those whose table has a yes in a column."""

    column: str
    text: Text = field(factory=dict)


@frozen
class PlayerStyle:
    """How the blocks of a player are drawn: colour, rounding of the corners, and a symbol for their backs."""

    colour: Colour
    corner: float = 2
    back: str = ""


@frozen
class PieceRoles:
    """The variables or columns that a block shows; `emblem` is a column of words, `emblems` a symbol for each."""

    strength: str = ""
    steps: str = ""
    letter: str = ""
    rating: str = ""
    emblem: str = ""
    emblems: dict[str, str] = field(factory=dict)


@frozen
class Mark:
    """An icon in the areas for which a column has a value.

    A column of numbers is written on the icon; at 0 it is the `empty_symbol`, if there is one. A column of the
    pieces that names areas stands in these areas, with the piece beside it. On a terminal the number is
    written, or the `sign`.
    """

    icon: str
    column: str
    symbol: str
    empty_symbol: str = ""
    sign: str = ""
    text: Text = field(factory=dict)


@frozen
class CountRole:
    """The pieces on the map that a panel counts for each player: those with a value in a column."""

    column: str
    value: str
    text: Text = field(factory=dict)


@frozen
class StatusRoles:
    """The variables of the panel with the state of the game; a terminal shows `counters` that are above 0."""

    big: str = ""
    steps: str = ""
    steps_text: Text = field(factory=dict)
    hand: str = ""
    played: str = ""
    counters: tuple[str, ...] = ()
    count: CountRole | None = None


@frozen
class BattleRoles:
    """The variables that tell of the battle that is fought: while `round` is not 0.

    `letter` and `rating` are definitions of a piece: what it fights with there, in place of what its row says.
    """

    place: str
    round: str
    attacker: str
    fighting: str
    reserve: str
    text: Text
    round_text: Text
    attacker_text: Text
    defender_text: Text
    reserve_text: Text
    letter: str = ""
    rating: str = ""


@frozen
class SymbolPart:
    """A path with its colours."""

    path: PathData
    fill: Colour = Colour("none")
    stroke: Colour = Colour("none")
    width: float = 1
    dash: Dashes = Dashes("")


@frozen
class Symbol:
    """A small drawing in a box."""

    box: Box
    parts: tuple[SymbolPart, ...]


@frozen
class SeaLabel:
    """A name on the sea."""

    at: Point
    text: Text


@frozen(slots=False)
class Board:
    """The shapes of a board in its own units, and the words of the ruleset that they show."""

    canvas: Point
    areas: dict[str, Area]
    schema: Literal["hots_rules/board.v1"] = "hots_rules/board.v1"
    block: float = 46
    small_block: float = 34
    background: Colour = Colour("#f4efe2")
    tints: tuple[Colour, ...] = (Colour("#e8dcc0"),)
    players: dict[str, PlayerStyle] = field(factory=dict)
    links: dict[str, LinkStyle] = field(factory=dict)
    double_links: DoubleLinks | None = None
    badges: tuple[Badge, ...] = ()
    pieces: PieceRoles = PieceRoles()
    marks: tuple[Mark, ...] = ()
    status: StatusRoles = StatusRoles()
    battle: BattleRoles | None = None
    panels: dict[Literal["status", "legend"], Box] = field(factory=dict)
    labels: tuple[SeaLabel, ...] = ()
    symbols: dict[str, Symbol] = field(factory=dict)
    islands: tuple[tuple[Point, ...], ...] = ()
    hills: tuple[Point, ...] = ()

    @cached_property
    def badge_of(self) -> Mapping[frozenset[str], Point]:
        """Where the number of each border stands, by the names of its areas."""
        return {frozenset(badge.ends): badge.at for badge in self.badges}

    @cached_property
    def outlines(self) -> Mapping[str, str]:
        """The outline of each area as the data of a path."""
        return {name: path(area.polygon) for name, area in self.areas.items()}

    @cached_property
    def border_lines(self) -> Mapping[frozenset[str], str]:
        """The lines that two areas share as the data of a path."""
        return {
            names: "".join(path(line, is_closed=False) for line in lines)
            for names, lines in self.shared_edges.items()
        }

    @cached_property
    def shared_edges(self) -> Mapping[frozenset[str], tuple[tuple[Point, ...], ...]]:
        """The lines that two areas share, by their names."""
        owners: dict[frozenset[Point], list[str]] = {}
        for name, area in self.areas.items():
            for edge in pairwise((*area.polygon, area.polygon[0])):
                owners.setdefault(frozenset(edge), []).append(name)
        shared: dict[frozenset[str], list[frozenset[Point]]] = {}
        for edge_points, names in owners.items():
            if len(names) == 2 and len(edge_points) == 2:
                shared.setdefault(frozenset(names), []).append(edge_points)
        return {names: _lines(edges) for names, edges in shared.items()}


def _lines(edges: list[frozenset[Point]]) -> tuple[tuple[Point, ...], ...]:
    """Edges joined to lines, each as long as can be."""
    neighbours: dict[Point, list[Point]] = {}
    for first, second in map(sorted, edges):
        neighbours.setdefault(first, []).append(second)
        neighbours.setdefault(second, []).append(first)
    lines = []
    # The ends of open lines come first, so that no line begins in its middle.
    for start in sorted(neighbours, key=lambda point: (len(neighbours[point]) != 1, point)):
        while neighbours[start]:
            line = [start]
            while neighbours[line[-1]]:
                following = neighbours[line[-1]].pop()
                neighbours[following].remove(line[-1])
                line.append(following)
            lines.append(tuple(line))
    return tuple(lines)


def number(value: float) -> str:
    """A number with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0") if value else "0"


def path(points: Iterable[Point], *, is_closed: bool = True) -> str:
    """The data of a path along some points, each relative to the one before it."""
    parts: list[str] = []
    at = (0.0, 0.0)
    for x, y in points:
        parts.append(f"{'l' if parts else 'M'}{number(x - at[0])} {number(y - at[1])}")
        # What is written is rounded, so the next point counts from there.
        at = (at[0] + round(x - at[0], 1), at[1] + round(y - at[1], 1))
    return "".join(parts).replace(" -", "-") + ("z" if is_closed else "")


def words_in(text: Mapping[str, str], language: str) -> str:
    """A text in a language, or in English."""
    return text.get(language) or text.get("en", "")

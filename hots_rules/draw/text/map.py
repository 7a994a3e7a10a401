"""The map of a position in characters: each area where it lies, with its limits and its pieces."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import pairwise

from attrs import field, frozen

from hots_rules._translate import translator
from hots_rules.draw.board.geometry import Mark
from hots_rules.draw.scene.position import PLACE_COUNTER, DrawnPlace, Piece, Position, beginnings
from hots_rules.draw.text.canvas import Canvas

WIDTH, HEIGHT = 80, 16
MIN_COLUMNS = 11  # columns for an area
MORE = "…"  # before the number of the pieces that an area has no room for
BRACKETS = (("[", "]"), ("(", ")"), ("{", "}"), ("<", ">"))
"""Around the pieces of each player, so that sides differ without colour."""
SIDES = 6  # styles of players; more of them share these


@frozen(slots=False)
class TextMap:
    """Draws one position.

    Attributes:
        position: the position, as a player may see it.
        targets: the areas to mark, such as those where a piece may go.
    """

    position: Position
    targets: Collection[str] = field(factory=frozenset)

    def canvas(self) -> Canvas:
        """The map; a board of squares has a cell for each, other maps an area of two rows."""
        spots = self._spots
        if not spots:
            return self._grid()
        canvas = Canvas(WIDTH, HEIGHT, "class:sea")
        board = self.position.board
        shapes = tuple((area.polygon, area.tint) for area in board.areas.values())
        for column, row, tint in land(board.canvas, shapes):
            canvas.paint(column, row, f"class:tint{tint}")
        for place in self.position.places:
            column, row = spots[place.key]
            self._draw_place(canvas, place, column, row, self._width(place.key))
        return canvas

    @cached_property
    def _spots(self) -> Mapping[str, tuple[int, int]]:
        """The cell of each area; empty unless the board names one for every area."""
        areas = self.position.board.areas
        spots = {name: area.cell for name, area in areas.items() if area.cell is not None}
        return spots if len(spots) == len(areas) else {}

    def _width(self, name: str) -> int:
        """The columns from an area to the next one on the same rows."""
        column, row = self._spots[name]
        right = [at for at, line in self._spots.values() if at > column and abs(line - row) < 2]
        return max(MIN_COLUMNS, min([*right, WIDTH + 1]) - column - 1)

    # -------------------------------------------------------------- areas
    def _draw_place(
        self, canvas: Canvas, place: DrawnPlace, column: int, row: int, width: int
    ) -> None:
        is_target = place.key in self.targets
        name = f"{'»' if is_target else ''}{place.name}"
        style = "bold reverse" if is_target else "bold"
        battle = self.position.battle
        is_in_battle = battle is not None and battle.place == place.key
        signs = " ".join(_signs(place))
        tail = "".join(f"{PLACE_COUNTER}{number}" for _, number in place.counters)
        tail += " ×" if is_in_battle or len(place.owners) > 1 else ""
        # What is counted changes, the signs do not: they leave the room to it.
        has_room = not place.counters or len(f"{name} {signs}{tail}") <= width
        tail = f" {signs if has_room else ''}{tail}" if signs or tail else ""
        end = canvas.put(column, row, name, style, width - len(tail))
        canvas.put(end, row, tail, "class:mark", width)
        at, last = column, column + width
        for owner, texts in self._armies(place):
            inside = " ".join(texts)
            opening, closing = brackets(owner)
            text = f"{opening}{inside}{closing}"
            at = canvas.put(at, row + 1, text, side_style(owner), last - at) if at < last else at

    def _armies(self, place: DrawnPlace) -> Iterator[tuple[int | None, list[str]]]:
        """The pieces of each owner: known ones by their letters and strength, the others counted."""
        owners = dict.fromkeys(piece.owner for piece in place.pieces)
        known_room = self._width(place.key) - 2 * len(owners)
        known_room -= sum(self._room_for_hidden(place, owner) for owner in owners)
        for owner in owners:
            pieces = [piece for piece in place.pieces if piece.owner == owner]
            texts = [self.short(piece) for piece in pieces if piece.name]
            hidden = sum(not piece.name for piece in pieces)
            shown: list[str] = []
            while texts and len(" ".join([*shown, texts[0]])) <= known_room - 3 * (len(texts) > 1):
                shown.append(texts.pop(0))
            if texts:
                shown.append(f"{MORE}{len(texts)}")
            known_room -= len(" ".join(shown))
            yield owner, [*shown, *([str(hidden)] if hidden else [])]

    @staticmethod
    def _room_for_hidden(place: DrawnPlace, owner: int | None) -> int:
        """The columns for the number of an owner's hidden pieces, and for the blank before it if others are known."""
        names = [piece.name for piece in place.pieces if piece.owner == owner]
        hidden = names.count("")
        return len(str(hidden)) + any(names) if hidden else 0

    def short(self, piece: Piece) -> str:
        """The first letters of a piece, as many as tell it from the others, and its strength."""
        name = self._short_names.get(piece.key, piece.short)
        return f"{name}{'' if piece.strength is None else piece.strength}"

    @cached_property
    def _short_names(self) -> Mapping[str, str]:
        places = (*self.position.places, *self.position.trays)
        names = {piece.key: piece.short for place in places for piece in place.pieces if piece.name}
        return beginnings(names, 2)

    # -------------------------------------------------------------- squares
    @cached_property
    def _letters(self) -> Mapping[str, str]:
        """The first letter of what is written on each piece, or as many as tell it from other kinds."""
        pieces = (piece for place in self.position.places for piece in place.pieces)
        labels = {piece.label: piece.label for piece in pieces if piece.label}
        return {key: label[:4] for key, label in beginnings(labels, 1).items()}

    @cached_property
    def terrain_signs(self) -> Mapping[str, str]:
        """The first letters of each terrain; none for that of most places."""
        names = {name: name for name in tuple(self.position.terrains)[1:]}
        return beginnings(names, 1)

    def _grid(self) -> Canvas:
        """The areas in rows and columns, in the order of their middles."""
        areas = self.position.board.areas
        across = sorted({round(area.slots[0][0]) for area in areas.values()})
        down = sorted({round(area.slots[0][1]) for area in areas.values()})
        longest = max((len(place.label) for place in self.position.places), default=0)
        longest_sign = max((len(sign) + 1 for sign in self.terrain_signs.values()), default=0)
        width = min(WIDTH // max(1, len(across)), longest + longest_sign + 6)
        canvas = Canvas(WIDTH, max(HEIGHT, len(down)))
        step = 2 if 2 * len(down) <= HEIGHT else 1
        cells = {}
        for name, area in areas.items():
            x, y = area.slots[0]
            cells[name] = across.index(round(x)) * width, down.index(round(y)) * step
        for border in self.position.borders:
            start, end = sorted(cells[name] for name in border.ends)
            _draw_line(canvas, start, end, (width, step))
        for place in self.position.places:
            column, row = cells[place.key]
            mark = "»" if place.key in self.targets else ""
            at = canvas.put(column, row, f"{mark}{place.label}", "class:mark", width - 2)
            if sign := self.terrain_signs.get(place.terrain):
                at = canvas.put(at, row, f" {sign}", "class:mark", column + width - at)
            for piece in place.pieces:
                opening, closing = brackets(piece.owner)
                text = f" {opening}{self._letters.get(piece.label, '?')}{closing}"
                at = canvas.put(at, row, text, side_style(piece.owner))
            if at < column + width:  # a line ends before its point
                canvas.put(at, row, " ")
        return canvas


def _draw_line(
    canvas: Canvas, start: tuple[int, int], end: tuple[int, int], step: tuple[int, int]
) -> None:
    """A line from one cell of a grid to another: level, upright, or to the next cell on a slope; no other."""
    (left, top), (right, bottom) = start, end
    if top == bottom:
        canvas.put(left, top, "─" * (right - left - 1), "class:mark")
    elif left == right:
        for row in range(top + 1, bottom):
            canvas.put(left, row, "│", "class:mark")
    elif (right - left, abs(bottom - top)) == step and step[1] > 1:
        sign = "\\" if bottom > top else "/"
        canvas.put((left + right) // 2, (top + bottom) // 2, sign, "class:mark")


Point = tuple[float, float]


@cache
def land(
    canvas: Point, areas: tuple[tuple[tuple[Point, ...], int], ...]
) -> tuple[tuple[int, int, int], ...]:
    """The characters of a map that are land: the column, the row, and the number of the colour.

    Args:
        canvas: the width and the height of the board.
        areas: the outline of each area, and the number of its colour.
    """
    across, down = canvas[0] / WIDTH, canvas[1] / HEIGHT
    return tuple(
        (column, row, tint)
        for outline, tint in areas
        for column, row in _characters_around(outline, across, down)
        if _is_inside((column + 0.5) * across, (row + 0.5) * down, outline)
    )


def _characters_around(
    outline: Sequence[Point], across: float, down: float
) -> Iterator[tuple[int, int]]:
    """The columns and rows of the rectangle around an outline, row by row.

    Args:
        outline: its points.
        across: the width of a character in units of the board.
        down: the height of a character.
    """
    xs, ys = zip(*outline, strict=True)
    rows = range(max(0, int(min(ys) / down)), min(HEIGHT, int(max(ys) / down) + 1))
    columns = range(max(0, int(min(xs) / across)), min(WIDTH, int(max(xs) / across) + 1))
    return ((column, row) for row in rows for column in columns)


def _is_inside(x: float, y: float, polygon: Sequence[Point]) -> bool:
    """Whether a point lies in a polygon: a line from it to the left crosses the outline an odd number of times."""
    is_inside = False
    for (ax, ay), (bx, by) in pairwise((*polygon, polygon[0])):
        if (ay > y) != (by > y) and x > ax + (y - ay) * (bx - ax) / (by - ay):
            is_inside = not is_inside
    return is_inside


def _signs(place: DrawnPlace) -> Iterator[str]:
    """The numbers of an area, and the signs of what else it has."""
    for mark in place.marks:
        if mark.text and not mark.is_beside:
            yield mark.text
        elif mark.mark.sign:
            yield mark.mark.sign


def brackets(owner: int | None) -> tuple[str, str]:
    """The two characters around the pieces of an owner."""
    return ("|", "|") if owner is None else BRACKETS[owner % len(BRACKETS)]


def side_style(owner: int | None) -> str:
    """The style of what belongs to a player."""
    return "" if owner is None else f"class:side{owner % SIDES}"


def sides_legend(position: Position) -> str:
    """The characters around the pieces of each player, with his name."""
    return ", ".join(
        f"{brackets(owner)[0]}…{brackets(owner)[1]} {name}"
        for owner, name in enumerate(position.players)
    )


def legend(position: Position) -> str:
    """What the signs of the map mean."""
    t = translator(position.language)
    marks = [
        f"{mark.sign or '2'} {text}"
        for mark in position.board.marks
        if (text := mark.text.get(position.language) or mark.text.get("en")) and _has_sign(mark)
    ]
    borders = t.gettext(
        "{sides}: letters of a name with its strength; a number alone counts hidden ones, {more} those "
        "without room; × both are there; » a choice leads there",
        sides=sides_legend(position),
        more=f"{MORE}2",
    )
    counted = dict.fromkeys(name for place in position.places for name, _ in place.counters)
    counters = [f"{PLACE_COUNTER}2 {name}" for name in counted]
    return "; ".join([borders, *marks, *counters])


def _has_sign(mark: Mark) -> bool:
    """Whether an icon has a sign or a number on a terminal."""
    return bool(mark.sign or mark.empty_symbol)

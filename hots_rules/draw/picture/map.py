"""The map: sea and land, areas, borders with their badges, names, icons, and the blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial

from attrs import frozen

from hots_rules.draw.board.geometry import (
    Area,
    Board,
    Box,
    LinkStyle,
    Point,
    number,
    path,
    words_in,
)
from hots_rules.draw.board.placement import MARK, PlacedBlocks, placed
from hots_rules.draw.picture.arrows import TIP, Way, middle_of, names_of, way_of, ways_over_border
from hots_rules.draw.picture.blocks import BlockPainter, icon
from hots_rules.draw.picture.drawings import slot
from hots_rules.draw.picture.elements import INK, box, element, identifier, moved, stroke, title
from hots_rules.draw.picture.lettering import SERIF, SMALLEST, centred, lettered
from hots_rules.draw.scene.position import Border, DrawnMove, DrawnPlace, PlaceMark, Position

BADGE = 9
_COAST = "#e4f1f3"
GOLD = "#ffc61a"
_ICON_SIZE = 20


@frozen(slots=False)
class MapPainter:
    """Draws the map of a position, from the sea up to the blocks."""

    position: Position
    painter: BlockPainter

    @property
    def board(self) -> Board:
        """The shapes."""
        return self.position.board

    @cached_property
    def placed(self) -> Mapping[str, PlacedBlocks]:
        """Where the blocks stand, for each place that has any."""
        kept = self.painter.kept
        return {
            place.key: kept(("placed", id(place)), partial(self._placed, place))[1]
            for place in self.position.places
            if place.pieces
        }

    def _placed(self, place: DrawnPlace) -> tuple[DrawnPlace, PlacedBlocks]:
        """A place, and where its blocks stand."""
        return place, placed(place, self.board)

    def fixed(self) -> str:
        """What is the same in every position: sea, land, borders, names and icons."""
        return "".join(
            (
                self._shapes(),
                self._sea(),
                self._group("borders", map(self._border, self._borders(share_edges=False))),
                self._group("land", map(self._land, self.board.areas)),
                self._group("hills", [self._hills()]),
                self._group("borders", map(self._border, self._borders(share_edges=True))),
                self._group("badges", map(self._badge, self.position.borders)),
                self._group("names", map(self._name, self.position.places)),
            )
        )

    def slots(self) -> str:
        """Where the parts stand, over what is the same in every position."""
        places = self.position.places
        areas = (slot(identifier("area", place.key)) for place in places)
        blocks = (slot(identifier("blocks", place.key)) for place in places)
        return "".join(
            (
                self._group("areas", list(areas)),
                slot("bands"),
                self._group("blocks", list(blocks)),
                slot("battles"),
                slot("moves"),
            )
        )

    def parts(self) -> Iterator[tuple[str, str]]:
        """What a position changes, as parts of a live picture: the name of each and its drawing."""
        position, kept = self.position, self.painter.kept
        contested, targets = position.contested, position.targets
        for place in position.places:
            # The number of an object costs less to look up; it is good, as what is kept keeps the place.
            key = "parts", id(place), place.key in contested, place.key in targets
            _, *parts = kept(key, partial(self._parts_of, place))
            yield from parts
        drawn = {
            "bands": (("bands", contested, targets), self._all_bands),
            "battles": (("battles", contested), self._all_swords),
            # An arrow goes around the blocks of all places.
            "moves": (
                ("moves", position.moves, position.moves and position.places),
                self._all_arrows,
            ),
        }
        for name, (made_of, make) in drawn.items():
            yield name, kept(made_of, partial(self._part, name, make))

    def _parts_of(self, place: DrawnPlace) -> tuple[DrawnPlace, tuple[str, str], tuple[str, str]]:
        """A place, its area and the blocks that stand there, as parts."""
        name = identifier("blocks", place.key)
        blocks = element("g", self._blocks(place), class_="here", data_part=name)
        return place, (identifier("area", place.key), self._area(place)), (name, blocks)

    @staticmethod
    def _part(name: str, make: Callable[[], str]) -> str:
        return element("g", make(), class_=name, data_part=name)

    def _all_bands(self) -> str:
        return "".join((*self._bands(), *self._printed_again()))

    def _all_swords(self) -> str:
        return "".join(map(self._swords, self.position.places))

    def _all_arrows(self) -> str:
        return "".join(map(self._arrow, self.position.moves))

    def areas(self) -> str:
        """The areas as invisible shapes over all that is printed, so that a pointer on one shows what it holds."""
        return self._group("areas", map(self._area, self.position.places))

    def changing(self) -> str:
        """What a position changes: bands, blocks, battles and moves."""
        return "".join(
            (
                self._group("bands", [self._all_bands()]),
                self._group("blocks", map(self._blocks, self.position.places)),
                self._group("battles", [self._all_swords()]),
                self._group("moves", [self._all_arrows()]),
            )
        )

    @staticmethod
    def _group(name: str, parts: Iterator[str] | list[str] | map[str]) -> str:
        content = "".join(parts)
        return element("g", content, class_=name) if content else ""

    # -------------------------------------------------------------- sea and land
    def _shapes(self) -> str:
        """The outlines, to be used by every layer."""
        outlines = self.board.outlines.items()
        drawn = "".join(
            element("path", d=line, id=identifier("shape", key)) for key, line in outlines
        )
        return element("defs", drawn)

    def _sea(self) -> str:
        width, height = self.board.canvas
        parts = [box((0, 0, width, height), fill=self.board.background)]
        if self.board.islands or self.board.labels:
            isles = "".join(map(path, self.board.islands))
            coast = "".join(map(_shape, self.board.areas)) + element("path", d=isles)
            for reach in (34, 18):
                parts.append(
                    element(
                        "g",
                        coast,
                        fill="none",
                        stroke=_COAST,
                        stroke_width=reach,
                        opacity=".4",
                        stroke_linejoin="round",
                    )
                )
            parts.append(stroke(isles, "#5b5140", 1.2, fill="#dcd3bd"))
        for label in self.board.labels:
            text = words_in(label.text, self.position.language)
            parts.append(self._sea_label(text, label.at))
        return element("g", "".join(parts), class_="sea")

    def _sea_label(self, text: str, at: Point) -> str:
        return "".join(
            lettered(
                word,
                at[0],
                at[1] + 24 * row,
                22,
                110,
                anchor="middle",
                fill="#1d4a5e",
                class_="water",
            )
            for row, word in enumerate(text.split())
        )

    def _land(self, key: str) -> str:
        return _shape(
            key,
            fill=self.board.tints[self.board.areas[key].tint],
            stroke=INK,
            stroke_width=1.6,
            stroke_linejoin="round",
        )

    def _area(self, place: DrawnPlace) -> str:
        name = identifier("area", place.key)
        live = (
            {"data_part": name, "role": "button", "tabindex": "0", "aria_label": place.facts}
            if self.painter.is_live
            else {}
        )
        classes = "area" + " target" * (place.key in self.position.targets)
        classes += " battle" * (place.key in self.position.contested)
        return element(
            "g",
            title(place.facts) + _shape(place.key, fill_opacity="0"),
            class_=classes,
            id=name,
            data_area=place.key,
            **live,
        )

    def _hills(self) -> str:
        lines = "".join(
            f"M{number(x - 11)} {number(y + 5)}q5-9 10-11q5 3 9 10M{number(x + 3)} {number(y - 1)}q3-5 7-7q5 3 9 12"
            for x, y in self.board.hills
        )
        return stroke(lines, "#8d8468", 1, fill="none", stroke_opacity=".7") if lines else ""

    # -------------------------------------------------------------- bands
    def _bands(self) -> Iterator[str]:
        """A band inside the areas of battles and of targets."""
        for place in self.position.places:
            if place.key in self.position.contested:
                yield self._band(place, "#2a2118", 11, ".45", "white", ".3")
            if place.key in self.position.targets:
                yield self._band(place, INK, 17, "1", "#fff3b8", ".8")
                yield self._band(place, GOLD, 13, "1", "none", "0")

    def _printed_again(self) -> Iterator[str]:
        """The borders, badges and names that the bands of an area cover."""
        banded = self.position.contested | self.position.targets
        for border in self.position.borders:
            if banded & set(border.ends):
                key = "-".join(border.ends)
                yield element("use", href=f"#{identifier('border', key)}")
                if frozenset(border.ends) in self.board.badge_of:
                    yield element("use", href=f"#{identifier('badge', key)}")
        for name in sorted(banded):
            yield element("use", href=f"#{identifier('name', name)}")

    def _band(
        self,
        place: DrawnPlace,
        colour: str,
        width: float,
        opacity: str,
        fill: str,
        fill_opacity: str,
    ) -> str:
        clip = identifier("clip", place.key)
        band = _shape(
            place.key,
            fill=fill,
            fill_opacity=fill_opacity,
            stroke=colour,
            stroke_width=width,
            stroke_opacity=opacity,
            clip_path=f"url(#{clip})",
        )
        return element("clipPath", _shape(place.key), id=clip) + band

    # -------------------------------------------------------------- borders
    def _borders(self, *, share_edges: bool) -> list[Border]:
        """The borders between areas that share edges, or the others, which are lines below the areas."""
        lines = self.board.border_lines
        return [b for b in self.position.borders if (frozenset(b.ends) in lines) == share_edges]

    def _border(self, border: Border) -> str:
        drawn = self.board.border_lines.get(frozenset(border.ends))
        if drawn is None:
            drawn = path([middle_of(self.board.areas[key]) for key in border.ends], is_closed=False)
        parts = [title(border.facts)]
        if border.is_double:
            parts.append(stroke(drawn, INK, 10.5))
        parts.append(stroke(drawn, "#fffaf0", 6.6))
        parts.append(
            stroke(drawn, border.style.colour, 3.4, stroke_dasharray=border.style.dash or None)
        )
        return element(
            "g",
            "".join(parts),
            class_="border",
            fill="none",
            stroke_linejoin="round",
            id=identifier("border", "-".join(border.ends)),
            data_border="-".join(border.ends),
        )

    def _badge(self, border: Border) -> str:
        at = self.board.badge_of.get(frozenset(border.ends))
        if at is None or border.style.number is None:
            return ""
        name = identifier("badge", "-".join(border.ends))
        return element("g", badge(border.style, at), id=name)

    # -------------------------------------------------------------- names and icons
    def _name(self, place: DrawnPlace) -> str:
        area = self.board.areas[place.key]
        if area.label is None:
            return ""
        has_icons = bool(self.board.marks)
        x, y = area.label.at
        size = 18.5 if has_icons else SMALLEST
        name = centred(place.label, x, y + size / 3, size, area.label.width, class_="name")
        # Where the name is drawn again by reference, the style sheet does not reach it.
        parts = [element("g", name, font_family=SERIF)]
        parts += [self._mark(mark, area) for mark in place.marks if mark.mark.icon in area.icons]
        return element("g", "".join(parts), id=identifier("name", place.key))

    def _mark(self, mark: PlaceMark, area: Area) -> str:
        name = mark.mark.empty_symbol if mark.is_empty else mark.mark.symbol
        at = area.icons[mark.mark.icon]
        symbol = self.board.symbols[name]
        drawn = title(mark.facts) + icon(name, symbol, at, _ICON_SIZE)
        if mark.text and mark.is_beside:
            assert area.label is not None
            left = at[0] + 10
            room = area.label.box[0] + area.label.box[2] - left + 6
            drawn += lettered(mark.text, left, at[1] + 4.5, SMALLEST, max(room, 30))
        elif mark.text:
            fill = INK if mark.is_empty else "#ffffff"
            drawn += centred(mark.text, at[0], at[1] + 7.5, SMALLEST, 12, fill)
        return element("g", drawn, class_=f"mark {identifier('mark', mark.mark.icon)}")

    # -------------------------------------------------------------- blocks
    def _blocks(self, place: DrawnPlace) -> str:
        here = self.placed.get(place.key)
        if here is None:
            return ""
        drawn = [self.painter.block(piece, at, here.size) for piece, at in here.blocks]
        drawn += [self.painter.stack(pieces, at, here.size) for pieces, at in here.stacks]
        return "".join(drawn)

    def _swords(self, place: DrawnPlace) -> str:
        if place.key not in self.position.contested:
            return ""
        at = self.board.areas[place.key].marker
        return swords(at, MARK)

    # -------------------------------------------------------------- moves
    def _arrow(self, move: DrawnMove) -> str:
        board, ends = self.board, (move.start, move.end)
        short_ways = self.position.of_board(("ways", ends), lambda: ways_over_border(board, *ends))
        # What is far from all short ways does not change how one of them is drawn.
        taken = short_ways.near(self._taken_boxes) if short_ways.ways else self._taken_boxes
        key = "arrow", move, frozenset(taken)
        return self.painter.kept(key, lambda: self._drawn_arrow(move, taken, short_ways.ways))

    def _drawn_arrow(self, move: DrawnMove, taken: Sequence[Box], short_ways: Sequence[Way]) -> str:
        way = way_of(self.board, move, taken, short_ways)
        line = way.drawn(
            [*self.position.of_board(("names",), lambda: names_of(self.board)), *taken]
        )
        parts = [
            title(move.facts),
            stroke(line, INK, 9, fill="none", stroke_linecap="round"),
            stroke(line, GOLD, 5.6, fill="none", stroke_linecap="round"),
            _tip(way),
        ]
        return element(
            "g", "".join(parts), class_="last-move", data_from=move.start, data_to=move.end
        )

    @cached_property
    def _taken_boxes(self) -> list[Box]:
        """The boxes of blocks, badges and marks of battles."""
        here = self.placed.values()
        taken = [
            _around(at, layer.size) for layer in here for _, at in (*layer.blocks, *layer.stacks)
        ]
        taken += (_around(at, 2 * BADGE) for at in self.board.badge_of.values())
        return taken + [
            _around(self.board.areas[key].marker, MARK) for key in self.position.contested
        ]


def _around(middle: Point, size: float) -> Box:
    return middle[0] - size / 2, middle[1] - size / 2, size, size


def _shape(key: str, **attributes: str | float | None) -> str:
    return element("use", href=f"#{identifier('shape', key)}", **attributes)


def badge(style: LinkStyle, at: Point) -> str:
    """The number of a border on a disc or a diamond."""
    x, y = at
    if style.badge == "diamond":
        shape = stroke(
            f"M{number(x)} {number(y - 10.5)}l10.5 10.5-10.5 10.5-10.5-10.5z",
            style.colour,
            1.8,
            fill="#fffaf0",
        )
    else:
        shape = element(
            "circle", cx=x, cy=y, r=BADGE, fill="#fffaf0", stroke=style.colour, stroke_width=1.8
        )
    text = centred(str(style.number), x, y + 4.5, SMALLEST, 12, style.colour)
    return element("g", shape + text, class_="badge")


def swords(at: Point, size: float) -> str:
    """Two crossed swords."""
    blades = "M-11 11L11-11M11 11L-11-11"
    drawn = stroke(blades, "#fff7e6", 6.5)
    drawn += stroke(f"{blades}M-11.5 4.5l7 7M11.5 4.5l-7 7", INK, 3)
    place = f"{moved(at)} scale({size / 32:.2f})"
    return element(
        "g", drawn, class_="swords", stroke_linecap="round", fill="none", transform=place
    )


def _tip(way: Way) -> str:
    """The head of an arrow."""
    end, tip = way.end, way.tip
    x, y = (tip[0] - end[0]) / TIP, (tip[1] - end[1]) / TIP
    points = [
        tip,
        (end[0] - 5 * x + 9 * y, end[1] - 5 * y - 9 * x),
        (end[0] - 5 * x - 9 * y, end[1] - 5 * y + 9 * x),
    ]
    return stroke(path(points), INK, 1.8, fill=GOLD, stroke_linejoin="round")

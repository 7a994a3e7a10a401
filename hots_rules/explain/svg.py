"""A picture of a position as SVG: plain shapes, each with its meaning as a title."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from hots_rules.explain.map_layout import Counter, Picture, Site, picture
from hots_rules.observe.view import view_of
from hots_rules.play.game import BaseGame

WIDE, HIGH, GAP = 58, 34, 4
PER_ROW = 4
MARGIN = 60
NAME_HIGH = 18
COLUMN = PER_ROW * (WIDE + GAP) + MARGIN // 2
LEAST_HIGH = 800
LETTERS = 11
_UNSAID = re.compile(r"[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\U00010000-\U0010FFFF]")

_PAPER = "#f7f3e8"
_INK = "#222222"
_BACK = "#8a8a8a"
# Owners in the order of the players: fill and ink, told apart also without colour by their strokes.
_OWNERS = (
    ("#b03030", "#ffffff", ""),
    ("#24508f", "#ffffff", "4 2"),
    ("#2e7d46", "#ffffff", "1 2"),
    ("#8a6d1a", "#ffffff", "6 2 1 2"),
    ("#6a3d8f", "#ffffff", "2 2"),
)
_NOBODY = ("#e4ddc8", _INK, "")
# The words of colours that a line may be drawn in; any other is drawn grey.
_COLOURS = {
    "black": "#222222",
    "blue": "#2b5fa8",
    "brown": "#7a5230",
    "green": "#3a8f4a",
    "grey": "#888888",
    "orange": "#d98324",
    "purple": "#7b4397",
    "red": "#c0392b",
    "white": "#ffffff",
    "yellow": "#d4b106",
}


def svg(picture: Picture) -> str:
    """The picture as the text of an SVG file, the same for equal pictures."""
    wide = max((site.across + MARGIN for site in picture.sites), default=0) + MARGIN
    high = max((site.down + _high(site) for site in picture.sites), default=0) + 2 * MARGIN
    columns = _columns(picture.beside, max(high, LEAST_HIGH))
    high = max([high, *(sum(map(_high, column)) + MARGIN for column in columns)])
    width = (wide if picture.sites else 0) + len(columns) * COLUMN
    root = Element(
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {high}",
        width=str(width),
        height=str(high),
        role="img",
    )
    root.set("font-family", "sans-serif")
    SubElement(root, "title").text = picture.title
    SubElement(root, "desc").text = picture.words
    SubElement(root, "rect", width="100%", height="100%", fill=_PAPER)
    _lines(root, picture)
    for site in picture.sites:
        _site(root, site, site.across + MARGIN, site.down + MARGIN)
    for i, column in enumerate(columns):
        middle, down = width - (len(columns) - i) * COLUMN + COLUMN // 2, MARGIN
        for site in column:
            _site(root, site, middle, down)
            down += _high(site)
    indent(root, " ")
    # What XML cannot hold may still stand in a label of a stranger's ruleset.
    return _UNSAID.sub("\ufffd", tostring(root, encoding="unicode")) + "\n"


def _columns(sites: tuple[Site, ...], high: int) -> list[list[Site]]:
    """Places beside the map, in columns that are about as high as it."""
    columns: list[list[Site]] = []
    room = 0
    for site in sites:
        if not columns or _high(site) > room:
            columns.append([])
            room = high - MARGIN
        columns[-1].append(site)
        room -= _high(site)
    return columns


def _high(site: Site) -> int:
    """How much room a place takes, from the middle of its name down."""
    return NAME_HIGH + -(-len(site.counters) // PER_ROW) * (HIGH + GAP) + MARGIN // 2


def _lines(root: Element, picture: Picture) -> None:
    for line in picture.lines:
        drawn = SubElement(
            root,
            "line",
            x1=str(line.start[0] + MARGIN),
            y1=str(line.start[1] + MARGIN),
            x2=str(line.end[0] + MARGIN),
            y2=str(line.end[1] + MARGIN),
            stroke=_COLOURS.get(line.colour, _COLOURS["grey"]),
        )
        drawn.set("stroke-width", "4")
        SubElement(drawn, "title").text = line.words


def _site(root: Element, site: Site, across: int, down: int) -> None:
    group = SubElement(root, "g")
    SubElement(group, "title").text = site.words
    half = 4 * len(site.name) + 8
    box = SubElement(
        group,
        "rect",
        x=str(across - half),
        y=str(down - NAME_HIGH // 2),
        width=str(2 * half),
        height=str(NAME_HIGH),
        rx="6",
        fill="#ffffff",
        stroke=_INK,
    )
    box.set("stroke-width", "0.8")
    _text(group, site.name, across, down + 4, 12, _INK)
    for i, counter in enumerate(site.counters):
        row, column = divmod(i, PER_ROW)
        in_row = min(PER_ROW, len(site.counters) - row * PER_ROW)
        left = across - in_row * (WIDE + GAP) // 2 + column * (WIDE + GAP)
        _counter(group, counter, left, down + NAME_HIGH // 2 + GAP + row * (HIGH + GAP))


def _counter(group: Element, counter: Counter, left: int, top: int) -> None:
    """A block or a card: its name and number on the face, or a plain back."""
    fill, ink, dashes = _NOBODY if counter.owner is None else _OWNERS[counter.owner % len(_OWNERS)]
    drawn = SubElement(group, "g")
    SubElement(drawn, "title").text = counter.words
    face = SubElement(
        drawn,
        "rect",
        x=str(left),
        y=str(top),
        width=str(WIDE),
        height=str(HIGH),
        rx="3",
        fill=fill,
        stroke=_BACK if counter.name is None else _INK,
    )
    if dashes:
        face.set("stroke-dasharray", dashes)
    middle = left + WIDE // 2
    if counter.name is None:
        face.set("fill-opacity", "0.55")
        back = f"{counter.count} × ?" if counter.count > 1 else "?"
        _text(drawn, back, middle, top + HIGH // 2 + 5, 14, ink)
        return
    words = _lines_of(counter.name)
    for i, word in enumerate(words):
        _text(drawn, word, middle, top + 11 + 9 * i, 8, ink)
    _text(drawn, counter.number, middle, top + HIGH - 3, 9, ink)


def _lines_of(name: str) -> list[str]:
    """A name in at most two lines that fit a counter."""
    first, _, rest = name.partition(" ")
    return [
        word if len(word) <= LETTERS else f"{word[: LETTERS - 1]}…"
        for word in (first, rest)
        if word
    ]


def _text(parent: Element, text: str, across: int, down: int, size: int, ink: str) -> None:
    if text:
        drawn = SubElement(parent, "text", x=str(across), y=str(down), fill=ink)
        drawn.set("font-size", str(size))
        drawn.set("text-anchor", "middle")
        drawn.text = text


def draw(game: BaseGame, player: str | None = None) -> str:
    """The position of a game as the text of an SVG file; for a player, as that player may see it.

    Raises:
        UnknownOption: no such player.
    """
    counts = {}
    values = game.state.as_dict()
    if player is not None:
        view = view_of(game, player)
        values, counts = view.state, {stack.name: stack.count for stack in view.stacks}
    return svg(picture(game.ruleset.labels, values, counts, game.ruleset.title))

"""A position as an SVG picture: plain shapes, each with its description as a title."""

import re
from collections.abc import Iterable
from textwrap import wrap
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from hots_rules.explain.board import BoardSection, render_board
from hots_rules.explain.map_layout import Counter, Picture, Site, picture
from hots_rules.observe.view import view_of
from hots_rules.play.game import BaseGame

COUNTER_WIDTH, COUNTER_HEIGHT, GAP = 58, 34, 4
PER_ROW = 4
MARGIN = 60
NAME_HEIGHT = 18
COLUMN_WIDTH = PER_ROW * (COUNTER_WIDTH + GAP) + MARGIN // 2
MIN_HEIGHT = 800
MAX_LETTERS = 11
PANEL_LETTERS, LETTER_WIDTH, LINE_HEIGHT = 90, 7, 18
# A renderer of PNG takes the first that is installed; most know no family `sans-serif`.
_FONTS = "Arial, Helvetica, 'DejaVu Sans', 'Liberation Sans', 'Noto Sans', FreeSans, sans-serif"
_INVALID_XML = re.compile(r"[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\U00010000-\U0010FFFF]")

_PAPER = "#f7f3e8"
_INK = "#222222"
_HIDDEN_STROKE = "#8a8a8a"
# Fill, ink and dashes of each player; the dashes tell the players apart without colour.
_OWNER_STYLES = (
    ("#b03030", "#ffffff", ""),
    ("#24508f", "#ffffff", "4 2"),
    ("#2e7d46", "#ffffff", "1 2"),
    ("#8a6d1a", "#ffffff", "6 2 1 2"),
    ("#6a3d8f", "#ffffff", "2 2"),
)
_UNOWNED_STYLE = ("#e4ddc8", _INK, "")
# The colours of lines by name; any other name is drawn grey.
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
    """The text of an SVG file; equal pictures give equal texts."""
    map_width = max((site.x + MARGIN for site in picture.sites), default=0) + MARGIN
    height = max((site.y + _height(site) for site in picture.sites), default=0) + 2 * MARGIN
    columns = _columns(picture.beside, max(height, MIN_HEIGHT))
    height = max([height, *(sum(map(_height, column)) + MARGIN for column in columns)])
    width = (map_width if picture.sites else 0) + len(columns) * COLUMN_WIDTH
    root = _canvas(width, height, picture.title, picture.description)
    _draw_lines(root, picture)
    for site in picture.sites:
        _draw_site(root, site, site.x + MARGIN, site.y + MARGIN)
    for i, column in enumerate(columns):
        x, y = width - (len(columns) - i) * COLUMN_WIDTH + COLUMN_WIDTH // 2, MARGIN
        for site in column:
            _draw_site(root, site, x, y)
            y += _height(site)
    return _text_of(root)


def svg_of_panels(title: str, panels: Iterable[BoardSection]) -> str:
    """The text of an SVG file with the sections of a board one below the other, as words."""
    lines = [(title, True)]
    for panel in panels:
        lines += [("", False), (panel.title, True)] if panel.title else [("", False)]
        for name, text in panel.rows:
            rows = wrap(f"{name}: {text}", PANEL_LETTERS, subsequent_indent="  ")
            lines += [(row, False) for row in rows]
    width = max(len(line) for line, _ in lines) * LETTER_WIDTH + MARGIN
    description = "; ".join(line for line, _ in lines if line)
    root = _canvas(width, len(lines) * LINE_HEIGHT + MARGIN, title, description)
    for number, (line, is_title) in enumerate(lines):
        weight = "bold" if is_title else "normal"
        group = SubElement(root, "g", {"text-anchor": "start", "font-weight": weight})
        _draw_text(group, line, MARGIN // 2, MARGIN // 2 + number * LINE_HEIGHT, 12, _INK)
    return _text_of(root)


def _canvas(width: int, height: int, title: str, description: str) -> Element:
    root = Element(
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=str(width),
        height=str(height),
        role="img",
    )
    root.set("font-family", _FONTS)
    root.set("text-anchor", "middle")
    SubElement(root, "title").text = title
    SubElement(root, "desc").text = description
    SubElement(root, "rect", width="100%", height="100%", fill=_PAPER)
    return root


def _text_of(root: Element) -> str:
    indent(root, " ")
    # A label of an untrusted ruleset may contain characters that XML forbids.
    return _INVALID_XML.sub("\ufffd", tostring(root, encoding="unicode")) + "\n"


def _columns(sites: tuple[Site, ...], height: int) -> list[list[Site]]:
    """Places beside the map, in columns of about its height."""
    columns: list[list[Site]] = []
    free = 0
    for site in sites:
        if not columns or _height(site) > free:
            columns.append([])
            free = height - MARGIN
        columns[-1].append(site)
        free -= _height(site)
    return columns


def _height(site: Site) -> int:
    """The height of a place, from the middle of its name down."""
    return NAME_HEIGHT + -(-len(site.counters) // PER_ROW) * (COUNTER_HEIGHT + GAP) + MARGIN // 2


def _draw_lines(root: Element, picture: Picture) -> None:
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
        SubElement(drawn, "title").text = line.description


def _draw_site(root: Element, site: Site, x: int, y: int) -> None:
    group = SubElement(root, "g")
    SubElement(group, "title").text = site.description
    half = 4 * len(site.name) + 8
    corner = x - half, y - NAME_HEIGHT // 2
    box = _draw_box(group, corner, (2 * half, NAME_HEIGHT), rx="6", fill="#ffffff", stroke=_INK)
    box.set("stroke-width", "0.8")
    _draw_text(group, site.name, x, y + 4, 12, _INK)
    for i, counter in enumerate(site.counters):
        row, column = divmod(i, PER_ROW)
        in_row = min(PER_ROW, len(site.counters) - row * PER_ROW)
        left = x - in_row * (COUNTER_WIDTH + GAP) // 2 + column * (COUNTER_WIDTH + GAP)
        _draw_counter(
            group, counter, left, y + NAME_HEIGHT // 2 + GAP + row * (COUNTER_HEIGHT + GAP)
        )


def _draw_counter(group: Element, counter: Counter, left: int, top: int) -> None:
    """A piece: its name and number, or a plain back."""
    fill, ink, dashes = (
        _UNOWNED_STYLE
        if counter.owner is None
        else _OWNER_STYLES[counter.owner % len(_OWNER_STYLES)]
    )
    element = SubElement(group, "g")
    SubElement(element, "title").text = counter.description
    size, stroke = (COUNTER_WIDTH, COUNTER_HEIGHT), _HIDDEN_STROKE if counter.name is None else _INK
    face = _draw_box(element, (left, top), size, rx="3", fill=fill, stroke=stroke)
    if dashes:
        face.set("stroke-dasharray", dashes)
    middle = left + COUNTER_WIDTH // 2
    if counter.name is None:
        face.set("fill-opacity", "0.55")
        back = f"{counter.count} × ?" if counter.count > 1 else "?"
        _draw_text(element, back, middle, top + COUNTER_HEIGHT // 2 + 5, 14, ink)
        return
    for i, line in enumerate(_name_lines(counter.name)):
        _draw_text(element, line, middle, top + 11 + 9 * i, 8, ink)
    _draw_text(element, counter.number, middle, top + COUNTER_HEIGHT - 3, 9, ink)


def _draw_box(
    parent: Element, corner: tuple[int, int], size: tuple[int, int], **style: str
) -> Element:
    place = zip(("x", "y", "width", "height"), map(str, (*corner, *size)), strict=True)
    return SubElement(parent, "rect", dict(place), **style)


def _name_lines(name: str) -> list[str]:
    """A name in at most two lines that fit a counter."""
    first, _, rest = name.partition(" ")
    return [
        word if len(word) <= MAX_LETTERS else f"{word[: MAX_LETTERS - 1]}…"
        for word in (first, rest)
        if word
    ]


def _draw_text(parent: Element, text: str, x: int, y: int, size: int, ink: str) -> None:
    if text:
        drawn = SubElement(parent, "text", x=str(x), y=str(y), fill=ink)
        drawn.set("font-size", str(size))
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
    title = game.ruleset.title
    drawn = picture(game.ruleset.labels, values, counts, title)
    has_places = drawn.sites or drawn.beside
    return svg(drawn) if has_places else svg_of_panels(title, render_board(game, player))

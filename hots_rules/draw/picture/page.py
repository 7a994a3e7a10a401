"""The picture of a position as SVG: the map with its panels, and below it what does not fit on the map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hots_rules.draw.board.geometry import Board, Box, Symbol, number
from hots_rules.draw.picture.blocks import BlockPainter
from hots_rules.draw.picture.elements import box, element, identifier, words
from hots_rules.draw.picture.lettering import SANS, SERIF
from hots_rules.draw.picture.map import MapPainter
from hots_rules.draw.picture.panels import (
    Panel,
    battle_panel,
    legend_panel,
    list_of,
    status_panel,
    tray,
    words_panel,
)
from hots_rules.draw.scene.position import Position
from hots_rules.draw.scene.positions import position_of
from hots_rules.play.game import BaseGame

GAP = 14
MIN_WIDTH = 640
BESIDE = (
    0.5  # of the width, which panels of a live picture may have: a page may put them beside the map
)
_TABLE = "#efe8d6"
_STYLE = (
    f".hots-board text{{font-family:{SANS}}}"
    f".hots-board .name,.hots-board .cap,.hots-board .water{{font-family:{SERIF}}}"
    ".hots-board .water{font-style:italic}"
)
_LIVE_STYLE = (
    ".hots-board [role=button]{cursor:pointer}"
    ".hots-board [role=button]:focus{outline:none}"
    ".hots-board .area:focus path,.hots-board .block:focus rect{stroke:#ffc61a;stroke-width:5}"
)


def draw(
    game: BaseGame,
    player: str | None = None,
    *,
    targets: Iterable[str] = (),
    is_live: bool = False,
    is_public: bool = False,
) -> str:
    """The position of a game as the text of an SVG file; for a player, as that player may see it.

    Args:
        game: the game.
        player: who looks at it; None sees the whole table.
        targets: names of places to mark.
        is_live: whether areas and blocks are buttons, for a page with a program.
        is_public: without a player, only what a spectator may see.

    Raises:
        UnknownName: no such player.
        RulesetError: the file of the ruleset's board has faults.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> hr.draw.draw(game, targets=["Fife"]) == game.draw(targets=["Fife"])
    True
    """
    viewer = "" if is_public and player is None else player
    return picture(position_of(game, viewer, targets), is_live=is_live)


def picture(position: Position, *, is_live: bool = False) -> str:
    """A position as the text of an SVG file; equal positions give equal texts."""
    painter = BlockPainter(position, is_live)
    drawn = MapPainter(position, painter)
    parts = [drawn.fixed(), drawn.areas(), drawn.changing()] if position.board.areas else []
    parts += [panel.at(*place[:2]) for place, panel in panels_on_map(position, painter)]
    below, height = drawn_below(position, drawn, painter)
    content = "".join((*parts, below))
    return root(position, content, width_of_picture(position), height, is_live=is_live)


def width_of_picture(position: Position) -> float:
    """The width of a picture: that of the map, or more for a small one."""
    return max(position.board.canvas[0], MIN_WIDTH)


def drawn_below(position: Position, drawn: MapPainter, painter: BlockPainter) -> tuple[str, float]:
    """The panels below the map, and where the picture ends."""
    width = width_of_picture(position)
    top = position.board.canvas[1]
    most = width * BESIDE if painter.is_live else width
    panels, height = _flow(_panels_below(position, drawn, painter, most), width, top)
    below = box((0, top, width, height - top), fill=_TABLE) + panels
    if painter.is_live:
        below = element("g", below, class_="below", data_top=top)
    return below, height


def root(
    position: Position, content: str, width: float, height: float, *, is_live: bool = False
) -> str:
    """The outermost element, with the description of the position, the style and the symbols."""
    size = f"0 0 {number(width)} {number(height)}"
    style = element("style", words(_STYLE + (_LIVE_STYLE if is_live else "")))
    title = element("title", words(position.title), id="board-title")
    facts = element("desc", words(position.facts), id="board-facts")
    paper = box((0, 0, width, height), fill=_TABLE)
    return (
        element(
            "svg",
            title + facts + style + _symbols(position.board) + paper + content,
            xmlns="http://www.w3.org/2000/svg",
            class_="hots-board",
            viewBox=size,
            width=width,
            height=height,
            font_family=SANS,  # for what is drawn by reference, which the style sheet does not reach
            role="group" if is_live else "img",
            aria_labelledby="board-title board-facts",
        )
        + "\n"
    )


def _symbols(board: Board) -> str:
    drawn = "".join(_symbol(name, symbol) for name, symbol in board.symbols.items())
    return element("defs", drawn) if drawn else ""


def _symbol(name: str, symbol: Symbol) -> str:
    parts = "".join(
        element(
            "path",
            d=part.path,
            fill=part.fill,
            stroke=None if part.stroke == "none" else part.stroke,
            stroke_width=None if part.stroke == "none" else part.width,
            stroke_dasharray=part.dash or None,
        )
        for part in symbol.parts
    )
    view = " ".join(map(number, symbol.box))
    return element("symbol", parts, id=identifier("symbol", name), viewBox=view, overflow="visible")


# ------------------------------------------------------------------ panels
def panels_on_map(position: Position, painter: BlockPainter) -> Iterator[tuple[Box, Panel]]:
    """The panels that stand on the map, with their places."""
    places = position.board.panels
    if "status" in places:
        yield places["status"], status_panel(position, painter, places["status"])
    if "legend" in places:
        yield places["legend"], legend_panel(position, painter, places["legend"])


def _panels_below(
    position: Position, drawn: MapPainter, painter: BlockPainter, width: float
) -> Iterator[Panel]:
    """What the map has no room for: the battle, stacks block by block, other places, hands and values."""
    most = width - 2 * GAP
    status = position.status
    if "status" not in position.board.panels:
        lines = [("", line) for line in status.lines]
        singles = [row for section in status.sections if not section.title for row in section.rows]
        yield words_panel(position.title, [*lines, *singles], most)
    if position.battle is not None:
        yield battle_panel(position.battle, painter, most)
    for place in position.places:
        listed = list_of(place, (pieces for pieces, _ in drawn.placed[place.key].stacks))
        if listed is not None:
            yield tray(listed, painter, most)
    for place in position.trays:
        yield tray(place, painter, most)
    for section in status.sections:
        if section.title:
            yield words_panel(section.title, section.rows, most)
    if status.hands and "status" in position.board.panels:
        yield words_panel(status.hand_text, status.hands, most)


def _flow(panels: Iterable[Panel], width: float, top: float) -> tuple[str, float]:
    """Panels in rows below each other, and where they end."""
    drawn: list[str] = []
    x, y, deepest = float(GAP), top + GAP, 0.0
    for panel in panels:
        if x > GAP and x + panel.width > width - GAP:
            x, y, deepest = GAP, y + deepest + GAP, 0.0
        drawn.append(panel.at(x, y))
        x += panel.width + GAP
        deepest = max(deepest, panel.height)
    return "".join(drawn), y + deepest + GAP if drawn else top

"""The picture of a position as SVG: the map with its panels, and below it what does not fit on the map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from hots_rules.diagnostics import check_kind
from hots_rules.draw.board.geometry import Board, Box, Symbol, number
from hots_rules.draw.picture.blocks import BlockPainter
from hots_rules.draw.picture.drawings import Drawing, Frame, size_of, slot
from hots_rules.draw.picture.elements import box, element, identifier, words
from hots_rules.draw.picture.lettering import SANS, SERIF
from hots_rules.draw.picture.map import MapPainter
from hots_rules.draw.picture.panels import (
    Panel,
    battle_panel,
    legend_panel,
    stacked_pieces,
    status_panel,
    terrains_panel,
    tray,
    words_panel,
)
from hots_rules.draw.scene.position import Position
from hots_rules.draw.scene.positions import position_of
from hots_rules.observe.view import View
from hots_rules.play.game import BaseGame

GAP = 14
MIN_WIDTH = 640
LIVE_PANEL_SHARE = 0.5
"""How much of the width of a live picture a panel may have: a page may put the panels beside the map."""
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
    check_kind("game", game, BaseGame, "a game")
    viewer = "" if is_public and player is None else player
    return picture(position_of(game, viewer, targets), is_live=is_live)


def drawing(
    game: BaseGame, player: str | None = None, *, is_public: bool = False, view: View | None = None
) -> Drawing:
    """The live picture of a game in parts, so that only those that have changed need to be sent again.

    Args:
        game: the game.
        player: who looks at it; None sees the whole table.
        is_public: without a player, only what a spectator may see.
        view: the view of the player, or of the spectator, at this moment, which is made if it is omitted.

    Raises:
        UnknownName: no such player.
        RulesetError: the file of the ruleset's board has faults.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> hr.draw.drawing(game).svg == game.draw(live=True)
    True
    """
    check_kind("game", game, BaseGame, "a game")
    viewer = "" if is_public and player is None else player
    return drawing_of(position_of(game, viewer, view=view))


def drawing_of(position: Position) -> Drawing:
    """The live picture of a position in parts."""
    painter = BlockPainter(position, is_live=True)
    map_painter = MapPainter(position, painter)
    has_map = bool(position.board.areas)
    frame = position.kept(("frame",), lambda: _frame(position, map_painter))
    parts = dict(map_painter.parts()) if has_map else {}
    parts |= {
        name: painter.kept(("at", name, panel, place), partial(panel.at, *place[:2], name))
        for name, place, panel in panels_on_map(position, painter)
    }
    below, height = _below(position, map_painter, painter)
    facts = element("desc", words(position.facts), id="board-facts", data_part="facts")
    return Drawing(frame, {"facts": facts, **parts, **below}, height)


def _frame(position: Position, map_painter: MapPainter) -> Frame:
    """What all live pictures of a board share."""
    on_map = map_painter.fixed() + map_painter.slots() if position.board.areas else ""
    panels = "".join(slot(name) for name in position.board.panels)
    width, height = width_of_picture(position), position.board.canvas[1]
    content = on_map + panels + slot("below")
    return Frame(root(position, content, width, height, is_live=True), width, height)


def _below(
    position: Position, map_painter: MapPainter, painter: BlockPainter
) -> tuple[dict[str, str], float]:
    """The panels below the map as parts, first the group in which they stand; and where the picture ends."""
    width, top = width_of_picture(position), position.board.canvas[1]
    panels = _panels_below(position, map_painter, painter, width * LIVE_PANEL_SHARE)
    placed, height = _flow(panels, width, top)
    group = element(
        "g",
        box((0, top, width, height - top), fill=_TABLE)
        + "".join(slot(name) for name, *_ in placed),
        class_="below",
        data_part="below",
        data_top=top,
    )
    parts = {
        name: painter.kept(("at", name, panel, x, y), partial(panel.at, x, y, name))
        for name, panel, x, y in placed
    }
    return {"below": group, **parts}, height


def picture(position: Position, *, is_live: bool = False) -> str:
    """A position as the text of an SVG file; equal positions give equal texts."""
    if is_live:
        return drawing_of(position).svg
    painter = BlockPainter(position)
    map_painter = MapPainter(position, painter)
    parts = (
        [map_painter.fixed(), map_painter.areas(), map_painter.changing()]
        if position.board.areas
        else []
    )
    parts += [panel.at(*place[:2]) for _, place, panel in panels_on_map(position, painter)]
    below, height = drawn_below(position, map_painter, painter)
    content = "".join((*parts, below))
    return root(position, content, width_of_picture(position), height)


def width_of_picture(position: Position) -> float:
    """The width of a picture: that of the map, or more for a small one."""
    return max(position.board.canvas[0], MIN_WIDTH)


def drawn_below(
    position: Position, map_painter: MapPainter, painter: BlockPainter
) -> tuple[str, float]:
    """The panels below the map, and where the picture ends."""
    width = width_of_picture(position)
    top = position.board.canvas[1]
    placed, height = _flow(_panels_below(position, map_painter, painter, width), width, top)
    panels = "".join(panel.at(x, y) for _, panel, x, y in placed)
    return box((0, top, width, height - top), fill=_TABLE) + panels, height


def root(
    position: Position, content: str, width: float, height: float, *, is_live: bool = False
) -> str:
    """The outermost element, with the description of the position, the style and the symbols."""
    style = element("style", words(_STYLE + (_LIVE_STYLE if is_live else "")))
    title = element("title", words(position.title), id="board-title")
    facts = slot("facts") if is_live else element("desc", words(position.facts), id="board-facts")
    paper = box((0, 0, width, height), fill=_TABLE)
    drawn = element(
        "svg",
        title + facts + style + _symbols(position.board) + paper + content,
        xmlns="http://www.w3.org/2000/svg",
        class_="hots-board",
        font_family=SANS,  # for what is drawn by reference, which the style sheet does not reach
        role="group" if is_live else "img",
        aria_labelledby="board-title board-facts",
    )
    return f"<svg {size_of(width, height)}{drawn.removeprefix('<svg')}\n"


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
def panels_on_map(position: Position, painter: BlockPainter) -> Iterator[tuple[str, Box, Panel]]:
    """The panels that stand on the map, with their names and places."""
    places = position.board.panels
    if "status" in places:
        yield "status", places["status"], status_panel(position, painter, places["status"])
    if "legend" in places:
        yield "legend", places["legend"], legend_panel(position, painter, places["legend"])


def _panels_below(
    position: Position, map_painter: MapPainter, painter: BlockPainter, width: float
) -> Iterator[tuple[str, Panel]]:
    """What the map has no room for: the battle, stacks block by block, other places, hands and values; with names."""
    max_width = width - 2 * GAP
    status = position.status
    if "status" not in position.board.panels:
        lines = [("", line) for line in status.lines]
        singles = [row for section in status.sections if not section.title for row in section.rows]
        yield "words", words_panel(position.title, (*lines, *singles), max_width, painter)
    if position.terrains:
        yield "terrains", terrains_panel(position.terrains, painter)
    if position.battle is not None:
        yield "battle", battle_panel(position.battle, painter, max_width)
    for place in position.places:
        stacks = map_painter.placed[place.key].stacks if place.pieces else ()
        listed = stacked_pieces(place, (pieces for pieces, _ in stacks))
        if listed is not None:
            yield identifier("stack", place.key), tray(listed, painter, max_width)
    for place in position.trays:
        yield identifier("tray", place.key), tray(place, painter, max_width)
    for at, section in enumerate(status.sections):
        if section.title:
            yield f"section-{at}", words_panel(section.title, section.rows, max_width, painter)
    if status.hands and "status" in position.board.panels:
        yield "hands", words_panel(status.hand_text, status.hands, max_width, painter)


def _flow(
    panels: Iterable[tuple[str, Panel]], width: float, top: float
) -> tuple[list[tuple[str, Panel, float, float]], float]:
    """Panels in rows below each other, each with its left top corner; and where the last row ends."""
    placed: list[tuple[str, Panel, float, float]] = []
    x, y, deepest = float(GAP), top + GAP, 0.0
    for name, panel in panels:
        if x > GAP and x + panel.width > width - GAP:
            x, y, deepest = GAP, y + deepest + GAP, 0.0
        placed.append((name, panel, x, y))
        x += panel.width + GAP
        deepest = max(deepest, panel.height)
    return placed, y + deepest + GAP if placed else top

"""Panels: the state of the game, the legend, the battle, and blocks and words beside or below the map."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from attrs import frozen

from hots_rules.draw.board.geometry import Box, Colour, Point, number, words_in
from hots_rules.draw.picture.blocks import BlockPainter, icon
from hots_rules.draw.picture.elements import EDGE, INK, PAPER, box, element, moved, stroke, title
from hots_rules.draw.picture.lettering import SMALLEST, centred, lettered, width_of, wrapped
from hots_rules.draw.picture.map import badge, swords
from hots_rules.draw.scene.position import Battle, DrawnPlace, Piece, PlayerRow, Position

PAD = 12
MAX_BACKS = 18
"""The most backs in a tray: more pieces that nobody can tell apart are drawn as one back with their number."""
LARGE = 62  # the size of a block in the panel of a battle
_LINE = 18
_LINE_OF_NAME = 13
_TITLE = 26


@frozen
class Panel:
    """A panel that is ready to be put somewhere.

    Attributes:
        width: its width.
        height: its height.
        content: the elements in it, from its left top corner.
        facts: what it shows, in words: its title in a picture.
    """

    width: float
    height: float
    content: str
    facts: str

    def at(self, x: float, y: float, part: str | None = None) -> str:
        """The panel with its left top corner at a point; `part` is its name in a live picture."""
        frame = box(
            (0, 0, self.width, self.height), rx=8, fill=PAPER, stroke=EDGE, stroke_width=1.6
        )
        return element(
            "g",
            title(self.facts) + frame + self.content,
            class_="panel",
            data_part=part,
            transform=moved((x, y)),
        )


def heading(text: str, width: float) -> str:
    """The title of a panel."""
    return lettered(text, PAD, 20, 15, width - 2 * PAD, bold=True, class_="cap")


# ------------------------------------------------------------------ words
def words_panel(
    name: str, pairs: tuple[tuple[str, str], ...], max_width: float, painter: BlockPainter
) -> Panel:
    """Names with their values, in lines of words; a pair without a name is a line."""
    return painter.kept(("words", name, pairs), lambda: _words_panel(name, pairs, max_width))


def _words_panel(name: str, pairs: Sequence[tuple[str, str]], max_width: float) -> Panel:
    lines = []
    for key, value in pairs:
        text = f"{key}: {value}" if key else value
        lines += wrapped(text, 13, max_width - 2 * PAD)
    width = max([width_of(line, 13) for line in lines] + [width_of(name, 15, bold=True), 120])
    width = min(width + 2 * PAD, max_width)
    top = _TITLE + 6 if name else 8
    content = heading(name, width) + "".join(
        lettered(line, PAD, top + 12 + _LINE * row, 13, width - 2 * PAD)
        for row, line in enumerate(lines)
    )
    return Panel(width, top + _LINE * len(lines) + 6, content, name or lines[0])


def terrains_panel(terrains: Mapping[str, Colour], painter: BlockPainter) -> Panel:
    """The colour of each terrain."""
    return painter.kept(("terrains", *terrains), lambda: _terrains_panel(terrains))


def _terrains_panel(terrains: Mapping[str, Colour]) -> Panel:
    parts = []
    for row, (name, colour) in enumerate(terrains.items()):
        swatch = (PAD, 9 + _LINE * row, 18, 13)
        parts.append(element("g", box(swatch, fill=colour, stroke=EDGE, stroke_width=1)))
        parts.append(lettered(name, PAD + 26, 20 + _LINE * row, 13, 160))
    width = 2 * PAD + 26 + min(160, max(width_of(name, 13) for name in terrains))
    return Panel(width, 14 + _LINE * len(terrains), "".join(parts), ", ".join(terrains))


# ------------------------------------------------------------------ blocks
def tray(place: DrawnPlace, painter: BlockPainter, max_width: float) -> Panel:
    """The blocks of a place in rows below its name, with their number."""
    return painter.kept(("tray", place, max_width), lambda: _tray(place, painter, max_width))


def _tray(place: DrawnPlace, painter: BlockPainter, max_width: float) -> Panel:
    board = painter.position.board
    name = f"{place.name} ({len(place.pieces)})"
    if len(place.pieces) > MAX_BACKS and not any(piece.name for piece in place.pieces):
        return _pile(place, name, painter)
    has_names_alone = not any(piece.letter + piece.rating for piece in place.pieces)
    cell = 78 if has_names_alone and any(piece.name for piece in place.pieces) else board.block + 4
    per_row = max(1, int((max_width - 2 * PAD) // cell))
    columns = min(per_row, len(place.pieces)) or 1
    width = max(columns * cell, min(width_of(name, 15, bold=True), max_width - 2 * PAD)) + 2 * PAD
    rows = -(-len(place.pieces) // per_row)
    size = cell - 4
    blocks = "".join(
        painter.block(
            piece,
            (
                PAD + cell * (index % per_row) + cell / 2,
                _TITLE + 4 + cell * (index // per_row) + cell / 2,
            ),
            size,
        )
        for index, piece in enumerate(place.pieces)
    )
    return Panel(width, _TITLE + 12 + rows * cell, heading(name, width) + blocks, name)


def _pile(place: DrawnPlace, name: str, painter: BlockPainter) -> Panel:
    """A tray with one back for all pieces of an owner, and their number."""
    size = painter.position.board.block
    width = max(len(place.owners or (None,)) * (size + 4), width_of(name, 15, bold=True)) + 2 * PAD
    owners = dict.fromkeys(piece.owner for piece in place.pieces)
    stacks = "".join(
        painter.stack(
            tuple(piece for piece in place.pieces if piece.owner == owner),
            (PAD + (size + 4) * (index + 0.5), _TITLE + 6 + size / 2),
            size,
        )
        for index, owner in enumerate(owners)
    )
    return Panel(width, _TITLE + 16 + size, heading(name, width) + stacks, name)


def battle_panel(battle: Battle, painter: BlockPainter, width: float) -> Panel:
    """A battle in the order in which blocks act: a row for each letter, the defender's before the attacker's."""
    return painter.kept(("battle", battle), lambda: _battle_panel(battle, painter, width))


def _battle_panel(battle: Battle, painter: BlockPainter, width: float) -> Panel:
    cell = LARGE + 6
    half = (width - 2 * PAD - 76) / 2
    per_row = int(half // cell)
    lefts = (PAD + 76, PAD + 76 + half)
    content = [
        swords((PAD + 14, 22), 30),
        lettered(battle.title, PAD + 36, 27, 17, width - 80, bold=True, class_="cap"),
    ]
    for owner, text, left in (
        (battle.defender, battle.defender_text, lefts[0]),
        (battle.attacker, battle.attacker_text, lefts[1]),
    ):
        content.append(painter.swatch(owner, (left + 10, 50), 20))
        side = f"{painter.position.players[owner]}: {text}"
        content.append(lettered(side, left + 26, 55, 14, half - 40, bold=True))
    top = 68.0
    for row in battle.rows:
        lines = max(-(-len(side) // per_row) for side in (row.defenders, row.attackers))
        content.append(
            element(
                "path",
                d=f"M{PAD} {number(top)}H{number(width - PAD)}",
                stroke=EDGE,
                stroke_opacity=".4",
            )
        )
        size = 24 if len(row.title) < 3 else 13
        content.append(lettered(row.title, PAD + 4, top + cell / 2 + 8, size, 66, bold=True))
        line_height = cell + _LINE_OF_NAME * max(
            (len(_lines_below(piece)) for piece in row.pieces), default=0
        )
        for pieces, left in ((row.defenders, lefts[0]), (row.attackers, lefts[1])):
            for i, piece in enumerate(pieces):
                x, y = (
                    left + cell * (i % per_row) + cell / 2,
                    top + 4 + line_height * (i // per_row),
                )
                content.append(painter.block(piece, (x, y + cell / 2), LARGE))
                content += [
                    centred(line, x, y + cell + _LINE_OF_NAME * (below + 1) - 4, SMALLEST, cell - 2)
                    for below, line in enumerate(_lines_below(piece))
                ]
        top += lines * line_height + 8
    return Panel(width, top + 4, "".join(content), battle.title)


def _lines_below(piece: Piece) -> list[str]:
    """The whole name of a block on which there was room for a part of it alone."""
    return [] if piece.short == piece.name else wrapped(piece.name, SMALLEST, LARGE + 4)


# ------------------------------------------------------------------ the state of the game
def status_panel(position: Position, painter: BlockPainter, area: Box) -> Panel:
    """The panel on the map with year, turn, phase, and a line for each player."""
    key = "status", position.title, position.status
    return painter.kept(key, lambda: _status_panel(position, painter, area))


def _status_panel(position: Position, painter: BlockPainter, area: Box) -> Panel:
    _, _, width, height = area
    status = position.status
    room = width - 2 * PAD
    head = "status head", position.title, status.big, width
    parts = [painter.kept(head, partial(_status_head, *head[1:]))]
    if status.steps is not None and status.steps[1] <= 6:
        steps = "steps", status.steps, status.steps_text, width
        parts.append(painter.kept(steps, partial(_steps, *steps[1:])))
    lines = "status lines", status.lines, room
    parts.append(painter.kept(lines, partial(_status_lines, *lines[1:])))
    first = height - 16 - 27 * (len(status.players) - 1)
    for at, row in enumerate(status.players):
        drawn = partial(_player, row, painter, first + 27 * at, width)
        parts.append(painter.kept(("row", row, first + 27 * at, width), drawn))
    return Panel(width, height, "".join(parts), ". ".join(status.texts))


def _status_head(text: str, big: str, width: float) -> str:
    """The title, and what is written large below it."""
    return "".join(
        (
            lettered(text, PAD, 26, 17, width - 2 * PAD, bold=True, class_="cap"),
            element("path", d=f"M{PAD} 34H{number(width - PAD)}", stroke=EDGE),
            lettered(big, PAD, 60, 23, 64, bold=True),
        )
    )


def _status_lines(texts: Sequence[str], room: float) -> str:
    """Who is to choose, in at most two lines."""
    lines = [line for text in texts for line in wrapped(text, 13.5, room * 1.15)][:2]
    return "".join(
        lettered(line, PAD, 84 + 18 * row, 13.5, room, bold=True) for row, line in enumerate(lines)
    )


def _steps(steps: tuple[int, int], text: str, width: float) -> str:
    """The turns as discs: those that are over, the one that is played, those to come."""
    now, last = steps
    left = width - PAD - 22 * last
    parts = [lettered(text, left - 6, 58, 13.5, left - 84, anchor="end")]
    for step in range(1, last + 1):
        x = left + 22 * (step - 1) + 11
        fill = INK if step == now else "#c9b997" if step < now else "#fffaf0"
        ink = "#ffffff" if step == now else INK
        parts.append(element("circle", cx=x, cy=53, r=9.6, fill=fill, stroke=INK, stroke_width=1.2))
        parts.append(centred(str(step), x, 57.5, SMALLEST, 10, ink))
    return "".join(parts)


def _player(row: PlayerRow, painter: BlockPainter, y: float, width: float) -> str:
    """A player's colour and name, the number of cards in hand, the card that is played, and the points."""
    parts = [
        painter.swatch(row.owner, (PAD + 8, y - 5), 18),
        lettered(row.name, PAD + 22, y, 13.5, 64, bold=True),
    ]
    if row.cards:
        parts.append(_card(row.cards, (PAD + 92, y - 15)))
    if row.played:
        parts.append(lettered(row.played, PAD + 113, y, SMALLEST, 48))
    parts.append(lettered(row.points, width - PAD, y, 13, 54, anchor="end"))
    return element("g", "".join(parts), class_=f"row player-{row.owner}")


def _card(text: str, at: Point) -> str:
    """A card with the number of cards in a hand."""
    x, y = at
    frame = box((x, y, 16, 20), rx=2, fill="#fffaf0", stroke=INK, stroke_width=1.2)
    return frame + centred(text, x + 8, y + 15, SMALLEST, 13)


# ------------------------------------------------------------------ the legend
def legend_panel(position: Position, painter: BlockPainter, area: Box) -> Panel:
    """What lines, icons and blocks mean."""
    has_cards = any(row.cards for row in position.status.players)
    key = "legend", has_cards, position.status.hand_text
    return painter.kept(key, lambda: _legend_panel(position, painter, area))


def _legend_panel(position: Position, painter: BlockPainter, area: Box) -> Panel:
    _, _, width, height = area
    rows = [*_legend_rows(position, painter)]
    step = min(24, (height - 14) / max(len(rows), 1))
    parts = []
    for index, (drawn, text) in enumerate(rows):
        y = 12 + step * index + step / 2
        parts.append(element("g", drawn, transform=moved((PAD + 18, y - 4))))
        parts.append(lettered(text, PAD + 46, y, SMALLEST, width - 2 * PAD - 46))
    height = min(height, 24 + step * len(rows))
    return Panel(width, height, "".join(parts), "; ".join(text for _, text in rows))


def _legend_rows(position: Position, painter: BlockPainter) -> Iterable[tuple[str, str]]:
    board, language = position.board, position.language
    for style in board.links.values():
        line = stroke("M-18 0H18", style.colour, 3.4, stroke_dasharray=style.dash or None)
        yield (
            line + (badge(style, (0, 0)) if style.number is not None else ""),
            words_in(style.text, language),
        )
    if board.double_links is not None:
        line = stroke("M-18 0H18", INK, 10.5)
        line += stroke("M-18 0H18", "#fffaf0", 6.6)
        line += stroke("M-18 0H18", EDGE, 3.4)
        yield line, words_in(board.double_links.text, language)
    for mark in board.marks:
        yield (
            icon(mark.symbol, board.symbols[mark.symbol], (0, 0), 18),
            words_in(mark.text, language),
        )
    for owner, name in enumerate(position.players):
        yield painter.swatch(owner, (0, 0), 20), name
    if any(row.cards for row in position.status.players):
        yield _card("#", (-8, -10)), position.status.hand_text


def stacked_pieces(place: DrawnPlace, stacks: Iterable[tuple[Piece, ...]]) -> DrawnPlace | None:
    """A place with those of its pieces that stand in stacks on the map, to be listed below it; None without stacks."""
    pieces = tuple(piece for stack in stacks for piece in stack)
    return DrawnPlace(place.key, place.name, pieces) if pieces else None
